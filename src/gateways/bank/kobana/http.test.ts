import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fault, type KobanaApi, openKobanaApi } from '../../../../test/support/kobana-api.ts';
import { newId } from '../../../core/ids.ts';
import type { BankOrder } from '../port.ts';
import { isSafeAddress } from './address.ts';
import { createKobanaBank } from './index.ts';

const NOW = new Date('2026-10-01T12:00:00Z');

let api: KobanaApi;

beforeAll(async () => {
  api = await openKobanaApi();
});

afterAll(async () => {
  await api.close();
  expect(api.problems).toEqual([]);
});

const access = () => ({ token: api.token, url: api.url, waitMsMax: 1_500 });
const bank = () => createKobanaBank(access());
/** Patient only where the server answers at all. */
const bankFor = (fault: Fault['as']) =>
  createKobanaBank({ ...access(), timeoutMs: fault === 'hangs' ? 1_200 : 10_000 });

function orderOf(): BankOrder {
  return {
    idempotencyKey: `${newId()}.20261005.1999.boleto`,
    kind: 'boleto',
    amount: 1_999,
    scheduledFor: '2026-10-05',
    account: { bankCode: '341', agency: '1', number: '2', digit: '3', providerId: api.accountUid },
    payee: { name: 'Fornecedor', documentNumber: null },
    details: { barcode: '23791160000000250000000000000000000000000002' },
  };
}

const errors = (detail: string, param?: string) => ({
  status: 422,
  errors: [{ detail, ...(param && { param }) }],
});
const onPost = (as: Fault['as'], acts = false) => api.failNext({ on: 'POST', acts, as });
const onGet = (as: Fault['as']) => api.failNext({ on: 'GET', acts: true, as });

describe('a submit that is refused', () => {
  test.each([400, 404, 422])('with %i is rejected, in the words of the API', async (status) => {
    onPost({ status, body: { ...errors('Saldo insuficiente'), status } });
    expect(await bank().submit(orderOf(), NOW)).toEqual({
      status: 'rejected',
      reference: '',
      reason: 'Saldo insuficiente',
    });
  });

  test('keeps hidden characters, length and the token itself out of the reason', async () => {
    onPost({ status: 422, body: errors(`a\u202Eb ${api.token} ${'x'.repeat(2_000)}`) });
    const answer = await bank().submit(orderOf(), NOW);
    if (answer.status !== 'rejected') throw new Error('not rejected');
    expect(answer.reason).toMatch(/^ab \*\*\* x+…$/);
    expect(answer.reason.length).toBeLessThanOrEqual(500);
  });

  test.each([301, 307, 401, 403])(
    'with %i throws: nothing was done and a person has to look',
    async (status) => {
      onPost({
        status,
        body: { status, errors: [{ title: 'no' }] },
        headers: { location: 'http://example.com/' },
      });
      const order = orderOf();
      await expect(bank().submit(order, NOW)).rejects.toMatchObject({ name: 'BankUnreachable' });
      expect(await bank().find(order.idempotencyKey, NOW)).toEqual({ status: 'absent' });
    },
  );

  test('for a wrong token, which is in no error', async () => {
    const wrong = createKobanaBank({ ...access(), token: 'wrong-token-1234' });
    for (const call of [() => wrong.submit(orderOf(), NOW), () => wrong.find(newId(), NOW)]) {
      const error = await call().catch((caught: unknown) => caught);
      expect(error).toMatchObject({
        name: 'BankUnreachable',
        message: expect.stringContaining('refused the token'),
      });
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('wrong-token');
    }
  });
});

describe('a submit whose outcome nobody knows', () => {
  const faults: [string, Fault['as']][] = [
    ['a 500', { status: 500 }],
    ['a 503 of a proxy', { status: 503 }],
    ['no answer in time', 'hangs'],
    ['an answer cut in its middle', 'is_cut'],
    ['rubbish', 'is_rubbish'],
    ['an answer without end', 'never_ends'],
  ];
  test.each(faults)(
    '%s: is found when it arrived, absent when it did not, and never made twice',
    async (_, as) => {
      for (const acts of [true, false]) {
        const order = orderOf();
        onPost(as, acts);
        await expect(bankFor(as).submit(order, NOW)).rejects.toMatchObject({ name: 'BankOutcomeUnknown' });
        const found = await bank().find(order.idempotencyKey, NOW);
        expect(found.status).toBe(acts ? 'pending' : 'absent');
        expect(await bank().submit(order, NOW)).toMatchObject({ status: 'pending' });
        const made = api.payments.filter(({ external_id }) => external_id === order.idempotencyKey);
        expect(made).toHaveLength(1);
      }
    },
  );

  test('a conflict of keys is settled by asking, and stays unknown while nothing is to be found', async () => {
    const order = orderOf();
    onPost({ status: 409, body: errors('em uso') }, true);
    expect(await bank().submit(order, NOW)).toMatchObject({ status: 'pending' });
    onPost({ status: 409, body: errors('em uso') });
    await expect(bank().submit(orderOf(), NOW)).rejects.toMatchObject({ name: 'BankOutcomeUnknown' });
  });

  test('also when only the reading of what came of it fails', async () => {
    const order = orderOf();
    await bank().submit(order, NOW);
    onGet({ status: 500 });
    await expect(bank().submit(order, NOW)).rejects.toMatchObject({ name: 'BankOutcomeUnknown' });
  });
});

describe('a server that is not there', () => {
  test('refused connection and unknown host: surely nothing arrived', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    for (const url of [`http://127.0.0.1:${port}`, 'https://kobana.invalid']) {
      const absent = createKobanaBank({ token: 't', url, timeoutMs: 5_000 });
      await expect(absent.submit(orderOf(), NOW)).rejects.toMatchObject({ name: 'BankUnreachable' });
    }
  });

  test('a question that gets no good answer says nothing about the order', async () => {
    const faults: Fault['as'][] = [{ status: 500 }, 'hangs', 'is_cut', 'is_rubbish', 'never_ends'];
    for (const as of faults) {
      onGet(as);
      await expect(bankFor(as).find(orderOf().idempotencyKey, NOW)).rejects.toMatchObject({
        name: 'BankUnreachable',
      });
    }
  });
});

describe('too many requests', () => {
  const busy = (retryAfter?: string): Fault['as'] => ({
    status: 429,
    body: errors('devagar'),
    headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  });

  test('waits as long as it is told, and then goes on', async () => {
    const order = orderOf();
    onPost(busy('1'));
    const started = performance.now();
    expect(await bank().submit(order, NOW)).toMatchObject({ status: 'pending' });
    expect(performance.now() - started).toBeGreaterThan(950);
  });

  test('gives up at once when that is too long: nothing was done', async () => {
    for (const told of ['3600', new Date(Date.now() + 3_600_000).toUTCString()]) {
      onPost(busy(told));
      await expect(bank().submit(orderOf(), NOW)).rejects.toMatchObject({ name: 'BankUnreachable' });
    }
  });
});

test('the token goes to https or to this machine, and nowhere else', () => {
  for (const url of [
    'https://api.kobana.com.br',
    'http://127.0.0.1:9',
    'http://[::1]:9',
    'http://localhost',
  ]) {
    expect(isSafeAddress(url), url).toBe(true);
  }
  const unsafe = [
    'http://api.kobana.com.br',
    'ftp://a',
    'https://u:p@a',
    'https://a/v2',
    'https://a?b',
    'a',
    '',
  ];
  for (const url of unsafe) {
    expect(isSafeAddress(url), url).toBe(false);
    expect(() => createKobanaBank({ token: 't', url })).toThrow(TypeError);
  }
  for (const token of ['', 'two words', 'line\nbreak', 'ção']) {
    const error = (() => {
      try {
        return createKobanaBank({ token, url: 'https://a' });
      } catch (caught) {
        return caught as Error;
      }
    })();
    expect(error).toBeInstanceOf(TypeError);
    if (token !== '') expect((error as Error).message).not.toContain(token);
  }
});
