import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRateLimiter, keyOfCaller, limitTool, rateHeaders } from './rate-limits.ts';

const at = (ms: number) => new Date(Date.UTC(2026, 9, 1) + ms);
const limits = { token: { calls: 5, perMs: 1_000 } };

describe('a bucket', () => {
  test('lets as many calls through at once as it holds, then says when the next may come', () => {
    const limiter = createRateLimiter(limits);
    const verdicts = Array.from({ length: 6 }, () => limiter.take({ token: 'a' }, 1, at(0))!);
    expect(verdicts.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
      [true, 4],
      [true, 3],
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
    ]);
    expect(verdicts[5]).toEqual({ allowed: false, limit: 5, remaining: 0, resetSeconds: 1 });
    expect(limiter.take({ token: 'a' }, 1, at(200))?.allowed).toBe(true);
    expect(limiter.take({ token: 'a' }, 1, at(200))?.allowed).toBe(false);
    expect(limiter.take({ token: 'b' }, 1, at(200))?.allowed).toBe(true);
  });

  test('never lets more through in any stretch of time than it holds and gains, nor fewer than it gains', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 1, max: 5 })), {
      maxLength: 200,
    });
    const limit = fc.record({
      calls: fc.integer({ min: 5, max: 40 }),
      perMs: fc.integer({ min: 100, max: 5_000 }),
    });
    fc.assert(
      fc.property(limit, steps, (token, taken) => {
        const limiter = createRateLimiter({ token });
        let time = 0;
        let level = token.calls;
        for (const [pauseMs, cost] of taken) {
          time += pauseMs;
          // The same bucket, told the other way round: how full it is instead of when it is full.
          level = Math.min(token.calls, level + (pauseMs * token.calls) / token.perMs);
          const verdict = limiter.take({ token: 'a' }, cost, at(time))!;
          expect(verdict.allowed).toBe(level - cost >= -1e-6);
          if (verdict.allowed) {
            level -= cost;
            expect(Math.abs(verdict.remaining - level)).toBeLessThan(1.000_01);
          } else {
            const again = createRetry(limiter, cost);
            expect(again(time + verdict.resetSeconds * 1_000)).toBe(true);
            level =
              Math.min(token.calls, level + (verdict.resetSeconds * 1_000 * token.calls) / token.perMs) -
              cost;
            time += verdict.resetSeconds * 1_000;
          }
        }
      }),
      {
        // Milliseconds of an epoch, divided: they were rounded by more than the rest of this bucket.
        examples: [
          [
            { calls: 14, perMs: 2_088 },
            [
              [0, 3],
              [53, 1],
              [181, 5],
              [180, 4],
              [270, 4],
              [360, 4],
            ],
          ],
        ],
      },
    );
  });

  test('costs nothing when another bucket of the same call refuses it', () => {
    const limiter = createRateLimiter({ ...limits, person: { calls: 1, perMs: 1_000 } });
    const key = { token: 'a', person: 'p' };
    expect(limiter.take(key, 1, at(0))).toEqual({ allowed: true, limit: 1, remaining: 0, resetSeconds: 1 });
    for (let call = 0; call < 20; call += 1) expect(limiter.take(key, 1, at(0))?.allowed).toBe(false);
    expect(limiter.take({ token: 'a' }, 1, at(0))).toMatchObject({ allowed: true, remaining: 3 });
  });

  test('gives way within one window after the clock was set back', () => {
    const limiter = createRateLimiter(limits);
    limiter.take({ token: 'a' }, 5, at(3_600_000));
    expect(limiter.take({ token: 'a' }, 1, at(0))?.allowed).toBe(false);
    expect(limiter.take({ token: 'a' }, 1, at(200))?.allowed).toBe(false);
    const back = createRateLimiter(limits);
    back.take({ token: 'a' }, 5, at(3_600_000));
    expect(back.take({ token: 'a' }, 5, at(0))?.allowed).toBe(false);
    expect(back.take({ token: 'a' }, 5, at(3_602_000))?.allowed).toBe(true);
  });

  test('says nothing about what is not limited', () => {
    expect(createRateLimiter({}).take({ token: 'a', address: '192.0.2.1' }, 1, at(0))).toBeUndefined();
    expect(createRateLimiter(limits).take({ address: '192.0.2.1' }, 1, at(0))).toBeUndefined();
  });
});

describe('the memory of the buckets', () => {
  test('is bounded however many addresses call, and keeps those in use', () => {
    const limiter = createRateLimiter({ address: { calls: 2, perMs: 60_000 } }, 100);
    for (let call = 0; call < 3; call += 1) limiter.take({ address: 'busy' }, 1, at(0));
    for (let index = 0; index < 50; index += 1) limiter.take({ address: `a${index}` }, 1, at(0));
    expect(limiter.take({ address: 'busy' }, 1, at(0))?.allowed).toBe(false);
    // More strangers than are remembered push out whoever was longest away: they start anew.
    for (let index = 0; index < 10_000; index += 1) limiter.take({ address: `b${index}` }, 1, at(0));
    expect(limiter.take({ address: 'busy' }, 1, at(0))?.remaining).toBe(1);
  });

  test('stays small at its defaults', () => {
    const limiter = createRateLimiter({ address: { calls: 2, perMs: 60_000 } });
    const before = process.memoryUsage().heapUsed;
    for (let index = 0; index < 300_000; index += 1)
      limiter.take({ address: `2001:db8:${index}` }, 1, at(index));
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 1024 * 1024);
  });
});

describe('tools', () => {
  const caller = (id: string) => ({ user: { id } }) as never;
  const operation = (name: string, effect: string) => ({ name, effect }) as never;

  test('SE-15: are limited for each person and tool, destructive ones together and lower', () => {
    const limiter = createRateLimiter({
      tool: { calls: 3, perMs: 60_000 },
      destructive: { calls: 2, perMs: 60_000 },
    });
    const call = (person: string, name: string, effect: string) => () =>
      limitTool(limiter, operation(name, effect), caller(person), at(0));
    for (let index = 0; index < 3; index += 1) call('p', 'list', 'read')();
    expect(call('p', 'list', 'read')).toThrow(
      expect.objectContaining({ code: 'rate_limited', details: { retry_after: 20 } }),
    );
    expect(call('p', 'get', 'read')).not.toThrow();
    expect(call('q', 'list', 'read')).not.toThrow();
    call('p', 'delete', 'destructive')();
    call('p', 'cancel', 'destructive')();
    expect(call('p', 'transfer', 'destructive')).toThrow(expect.objectContaining({ code: 'rate_limited' }));
    expect(call('q', 'transfer', 'destructive')).not.toThrow();
    expect(call('p', 'create', 'write')).not.toThrow();
  });
});

test('SE-15: a caller is counted by token, person and organization; a session has no token', () => {
  const caller = { tokenId: 't', user: { id: 'p' }, organization: { id: 'o' } };
  expect(keyOfCaller(caller as never)).toEqual({ token: 't', person: 'p', organization: 'o' });
  expect(keyOfCaller({ ...caller, tokenId: null } as never)).toEqual({ person: 'p', organization: 'o' });
  const limiter = createRateLimiter({ organization: { calls: 1, perMs: 60_000 } });
  const other = { ...caller, tokenId: 'u', user: { id: 'q' } };
  expect(limiter.take(keyOfCaller(caller as never), 1, at(0))?.allowed).toBe(true);
  expect(limiter.take(keyOfCaller(other as never), 1, at(0))?.allowed).toBe(false);
});

test('the headers say what is left, and when to come back only to who has to', () => {
  expect(rateHeaders({ allowed: true, limit: 5, remaining: 2, resetSeconds: 3 })).toEqual({
    'RateLimit-Limit': '5',
    'RateLimit-Remaining': '2',
    'RateLimit-Reset': '3',
  });
  expect(rateHeaders({ allowed: false, limit: 5, remaining: 0, resetSeconds: 3 })['Retry-After']).toBe('3');
});

function createRetry(limiter: ReturnType<typeof createRateLimiter>, cost: number) {
  return (ms: number) => limiter.take({ token: 'a' }, cost, at(ms))!.allowed;
}
