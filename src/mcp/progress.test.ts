/** Progress on both eras and both framings: only for a token, only rising, never after the answer. */

import { PassThrough } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, callOf, createRawClient, type RawClient } from '../../test/support/raw-client.ts';
import { type SmallServer, startSmallServer } from '../../test/support/small-server.ts';
import { notifyOver } from './event-stream.ts';
import { progressReporterOf } from './progress.ts';

const COUNT = callOf('finance_items_count', { pause: 120 });

function eventsOf(answer: Answer): Record<string, any>[] {
  return answer.text
    .split('\n')
    .filter((line) => line.startsWith('data: ') && line.length > 'data: '.length)
    .map((line) => JSON.parse(line.slice('data: '.length)));
}

describe.each(['lean', 'sdk'] as const)('%s', (wire) => {
  let server: SmallServer;
  let client: RawClient;
  beforeAll(async () => {
    server = await startSmallServer(wire);
    client = createRawClient(server.url, 'kob_finance_full');
  });
  afterAll(() => server.close());

  const counted = (progressToken: unknown, era: 'm' | 'l', headers = {}) =>
    era === 'm'
      ? client.m('tools/call', COUNT, { meta: { progressToken }, headers })
      : client.l('tools/call', { ...COUNT, _meta: { progressToken } }, { headers });

  it.each([
    ['m', 0],
    ['m', ''],
    ['m', 'p'],
    ['l', 7],
  ] as const)(
    'TR-32, UT-08: era %s, token %j: rising reports, then the response, then the end',
    async (era, token) => {
      const answer = await counted(token, era);
      expect(answer.headers['content-type']).toMatch(/^text\/event-stream/);
      const events = eventsOf(answer);
      expect(events.slice(0, -1).map(({ method, params }) => [method, params])).toEqual(
        [1, 2, 3].map((done) => [
          'notifications/progress',
          { progressToken: token, progress: done, total: 3, message: `${done} of 3` },
        ]),
      );
      expect(events.at(-1)).toMatchObject({ id: 1, result: { structuredContent: { count: 3 } } });
      expect(events.filter((event) => 'method' in event && 'id' in event)).toEqual([]);
    },
  );

  it('UT-08: nobody who did not ask is told anything', async () => {
    const answer = await client.m('tools/call', COUNT);
    expect(answer.text).not.toContain('notifications/progress');
    expect(answer.body.result.structuredContent).toEqual({ count: 3 });
  });
});

describe('our own path', () => {
  let server: SmallServer;
  let client: RawClient;
  beforeAll(async () => {
    server = await startSmallServer('lean');
    client = createRawClient(server.url, 'kob_finance_full');
  });
  afterAll(() => server.close());

  it('TR-32: sends JSON to a client that takes no stream', async () => {
    const answer = await client.m('tools/call', COUNT, {
      meta: { progressToken: 1 },
      headers: { Accept: 'application/json' },
    });
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.body.result.structuredContent).toEqual({ count: 3 });
  });

  it('TR-32: streams to a page of an allowed origin', async () => {
    const answer = await client.m('tools/call', COUNT, {
      meta: { progressToken: 1 },
      headers: { Origin: 'https://app.example' },
    });
    expect(answer.headers['access-control-allow-origin']).toBe('https://app.example');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(eventsOf(answer)).toHaveLength(4);
  });
});

it('UT-08: reports at most ten times a second, the last step always, and nothing after the answer', async () => {
  const sent: unknown[] = [];
  const exchange = { notify: (_method: string, { progress }: { progress?: unknown }) => sent.push(progress) };
  const reporter = progressReporterOf({ _meta: { progressToken: 'p' } }, exchange as never)!;
  for (let done = 1; done < 100; done += 1) reporter.report({ done, total: 100 });
  reporter.report({ done: 100, total: 100 });
  reporter.stop();
  reporter.report({ done: 101, total: 100 });
  expect(sent).toEqual([1, 100]);
});

it('UT-08: a fractional or otherwise wrong token asks for nothing', () => {
  for (const progressToken of [1.5, null, {}, true]) {
    expect(progressReporterOf({ _meta: { progressToken } }, { notify: () => {} } as never)).toBeUndefined();
  }
});

it('a client that does not read costs no memory: reports are dropped while it is behind', async () => {
  const sink = new PassThrough({ highWaterMark: 1_000 });
  const res = Object.assign(sink, { headersSent: false, setHeader: () => {}, writeHead: () => {} });
  const notify = notifyOver(res as never);
  for (let number = 0; number < 10_000; number += 1) notify('notifications/progress', { progress: number });
  await wait(0);
  expect(sink.readableLength + sink.writableLength).toBeLessThan(10_000);
});
