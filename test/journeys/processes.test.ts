/** `kobana serve` as those who host it run it. */

import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../bench/processes.ts';
import { type ServeProcess, startServe } from '../support/processes.ts';
import { until } from '../support/until.ts';
import { openWorld, TEST_KEY, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** Over a connection of its own, so that any of the processes may answer. */
async function ping(serve: ServeProcess): Promise<unknown> {
  const response = await fetch(serve.url, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${world.tokens.owner}`,
      'Content-Type': 'application/json',
      Connection: 'close',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
  return response.json();
}

function childrenOf(pid: number): number[] {
  try {
    const output = execFileSync('ps', ['--ppid', String(pid), '-o', 'pid='], { encoding: 'utf8' });
    return output.trim().split(/\s+/).filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

test('several processes serve one port, replace one that dies, and all end on a signal', {
  timeout: 40_000,
}, async () => {
  const flags = ['--processes', '2', '--port', String(await freePort())];
  const serve = await startServe(world.url, [TEST_KEY], flags);
  const children = childrenOf(serve.pid);
  expect(children).toHaveLength(2);
  for (let call = 0; call < 6; call += 1) expect(await ping(serve)).toMatchObject({ result: {} });

  process.kill(children[0]!, 'SIGKILL');
  await until(async () => childrenOf(serve.pid).filter((pid) => !children.includes(pid)).length === 1);
  for (let call = 0; call < 6; call += 1) expect(await ping(serve)).toMatchObject({ result: {} });

  const running = childrenOf(serve.pid);
  expect(await serve.end('SIGINT')).toBe(0);
  for (const pid of running) expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
});

test('one process ends on a signal, and an idle connection does not hold it up', {
  timeout: 30_000,
}, async () => {
  const serve = await startServe(world.url, [TEST_KEY]);
  expect(await ping(serve)).toMatchObject({ result: {} });
  expect(await serve.end('SIGTERM')).toBe(0);
});
