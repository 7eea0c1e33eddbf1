import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  CAPABILITIES_KEY,
  callOf,
  SERVER_INFO_KEY,
  VERSION_KEY,
  YES,
} from '../../test/support/raw-client.ts';
import { callerOf, KNOWN_ID, ran } from '../../test/support/small-product.ts';
import { NOW, smallService } from '../../test/support/small-server.ts';
import type { Caller } from '../core/caller.ts';
import { ERROR_KEY } from './protocol.ts';
import { serveProductStdio } from './stdio.ts';
import { type ClientView, WHOLE_VIEW } from './view.ts';

type Message = any;

const META = { [VERSION_KEY]: '2026-07-28', [CAPABILITIES_KEY]: { elicitation: {} } };
const DELETE = callOf('finance_items_delete', { id: KNOWN_ID });

describe('stdio', () => {
  let stdin: PassThrough;
  let stdout: PassThrough;
  let handle: { close(): Promise<void> };
  let serve: (view?: ClientView) => void;
  let caller: Caller | null;
  let isDown: boolean;
  let received: Message[];
  let next: () => void;
  let count: number;

  beforeEach(() => {
    [stdin, stdout, caller, received, next, count] = [
      new PassThrough(),
      new PassThrough(),
      callerOf(),
      [],
      () => undefined,
      0,
    ];
    ran.length = 0;
    isDown = false;
    let rest = '';
    stdout.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop()!;
      received.push(...lines.map((line) => JSON.parse(line)));
      next();
    });
    const logFailure = () => 'failure';
    const authenticate = async () => {
      if (isDown) throw new Error('connect ECONNREFUSED db.internal:5432');
      return caller;
    };
    serve = (view) => {
      handle = serveProductStdio({
        service: smallService(logFailure),
        authenticate,
        ...(view !== undefined && { view }),
        now: () => NOW,
        logFailure,
        stdin,
        stdout,
      });
    };
    serve();
  });
  afterEach(() => handle.close());

  async function send(message: Record<string, unknown>): Promise<Message> {
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    for (;;) {
      const index = received.findIndex(({ id }) => id === message['id']);
      if (index !== -1) return received.splice(index, 1)[0];
      await new Promise<void>((resolve) => {
        next = resolve;
      });
    }
  }
  const nextId = (): number => {
    count += 1;
    return count;
  };
  const m = (method: string, params: Record<string, unknown> = {}, meta: Record<string, unknown> = {}) =>
    send({ id: nextId(), method, params: { ...params, _meta: { ...META, ...meta } } });
  const l = (method: string, params: Record<string, unknown> = {}) => send({ id: nextId(), method, params });
  const initialize = (protocolVersion = '2025-11-25', capabilities = {}) =>
    l('initialize', { protocolVersion, capabilities, clientInfo: { name: 'c', version: '1' } });

  it('VE-40 VE-41: says on 2026 what is served, with all versions', async () => {
    expect((await m('server/discover')).result).toEqual({
      supportedVersions: ['2026-07-28', '2025-11-25', '2025-06-18'],
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      instructions: 'Static instructions.',
      resultType: 'complete',
      ttlMs: 3_600_000,
      cacheScope: 'public',
      _meta: { [SERVER_INFO_KEY]: { name: 'kobana-finance', version: '1.2.3' } },
    });
  });

  it('VE-60 VE-61 VE-64 VE-66: shakes hands on 2025, with nothing of 2026 in any answer', async () => {
    expect((await initialize('2025-06-18')).result).toEqual({
      protocolVersion: '2025-06-18',
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      serverInfo: { name: 'kobana-finance', title: 'Small finance', version: '1.2.3' },
      instructions: 'Static instructions.',
    });
    expect((await l('ping')).result).toEqual({});
    expect(Object.keys((await l('tools/list')).result)).toEqual(['tools']);
  });

  it('keeps to the view it was started with', async () => {
    await handle.close();
    [stdin, received] = [new PassThrough(), []];
    serve({ ...WHOLE_VIEW, toolsets: ['catalog'], isReadOnly: true });
    const { tools } = (await m('tools/list')).result;
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(['finance_catalog_list']);
    expect((await m('tools/call', DELETE)).result._meta[ERROR_KEY].error.code).toBe('tool_not_offered');
  });

  it('refuses every request while its workspace is out of reach', async () => {
    await handle.close();
    [stdin, received] = [new PassThrough(), []];
    serve({ ...WHOLE_VIEW, workspaceId: '0192f0a1-0000-7000-8000-0000000000ff' });
    expect((await m('tools/list')).error.data.code).toBe('client_view_refused');
  });

  it('answers what is under way when the client closes its end', async () => {
    const answered = m('tools/list');
    stdin.end();
    await handle.close();
    expect((await answered).result.tools.length).toBeGreaterThan(0);
  });

  it('VE-60: offers the newest 2025 version for one it does not know', async () => {
    expect((await initialize('2026-07-28')).result.protocolVersion).toBe('2025-11-25');
  });

  it('CF-01 CF-40 CF-60: asks, runs on a yes, and not twice', async () => {
    const asked = (await m('tools/call', DELETE)).result;
    expect([asked.resultType, ran]).toEqual(['input_required', []]);
    const resend = { ...DELETE, requestState: asked.requestState, inputResponses: YES };
    expect((await m('tools/call', resend)).result.structuredContent).toEqual({ deleted: true });
    expect((await m('tools/call', resend)).result._meta[ERROR_KEY].error.code).toBe('confirmation_replayed');
    expect(ran).toEqual(['delete']);
  });

  it('CF-47 CF-50 T-2: a bad state asks again, a malformed answer is an error', async () => {
    const bad = await m('tools/call', { ...DELETE, requestState: 'x', inputResponses: YES });
    expect(bad.result.resultType).toBe('input_required');
    const malformed = await m('tools/call', {
      ...DELETE,
      requestState: 'x',
      inputResponses: { confirm: 12345 },
    });
    expect(malformed.error.code).toBe(-32602);
    expect((await m('tools/call', { ...DELETE, requestState: 5 })).error.code).toBe(-32602);
  });

  it('VE-69 VE-70 T-10: never asks on 2025, whatever the client declares or sends', async () => {
    await initialize('2025-11-25', { elicitation: {} });
    const answer = await l('tools/call', { ...DELETE, requestState: 'x', inputResponses: YES });
    expect(answer.result._meta[ERROR_KEY].error.code).toBe('confirmation_required');
    expect(received).toEqual([]);
  });

  it('VE-67 RE-13: not found has the code of the era', async () => {
    const uri = 'kobana://finance/items/%2e%2e/schemas';
    expect((await m('resources/read', { uri })).error).toEqual({
      code: -32602,
      message: 'Resource not found',
      data: { uri },
    });
  });

  it('VE-67 RE-13: not found has the code of the era, also on 2025', async () => {
    await initialize();
    const uri = 'kobana://finance/nope';
    expect((await l('resources/read', { uri })).error).toEqual({
      code: -32002,
      message: 'Resource not found',
      data: { uri },
    });
  });

  it('a read token is told by a result, because there is no status to tell it with', async () => {
    caller = callerOf({ access: 'read' });
    const { error } = (await m('tools/call', DELETE)).result._meta[ERROR_KEY];
    expect([error.code, error.details.required]).toEqual(['insufficient_scope', ['finance:write']]);
  });

  it('AU-07: looks at the token on every request', async () => {
    await initialize();
    caller = null;
    for (const method of ['ping', 'tools/list', 'tools/call']) {
      expect((await l(method, DELETE)).error).toMatchObject({
        code: -31000,
        data: { code: 'unauthenticated' },
      });
    }
    caller = callerOf();
    expect((await l('ping')).result).toEqual({});
  });

  it('RE-16: a look-up that fails says nothing about why', async () => {
    await initialize();
    isDown = true;
    const { error } = await l('tools/list');
    expect(error).toEqual({ code: -32603, message: 'Internal error', data: { id: 'failure' } });
  });

  it('UT-18 TR-63: serves no subscription and nothing unknown', async () => {
    for (const method of [
      'subscriptions/listen',
      'tasks/get',
      'logging/setLevel',
      'ping',
      'unknown/method',
    ]) {
      expect((await m(method)).error.code).toBe(-32601);
    }
  });

  it('VE-65: nor on 2025', async () => {
    await initialize();
    for (const method of [
      'subscriptions/listen',
      'logging/setLevel',
      'resources/subscribe',
      'server/discover',
    ]) {
      expect((await l(method)).error.code).toBe(-32601);
    }
  });

  it('VE-01 VE-20: judges the envelope of every request', async () => {
    await m('tools/list');
    expect((await m('tools/list', {}, { [CAPABILITIES_KEY]: { elicitation: true } })).error.code).toBe(
      -32602,
    );
    const unknown = (await m('tools/list', {}, { [VERSION_KEY]: 'v999.0.0' })).error;
    expect([unknown.code, unknown.data.requested]).toEqual([-32022, 'v999.0.0']);
  });

  it('TO-14: what nobody foresaw stays inside', async () => {
    const answer = await m('resources/read', { uri: 'kobana://finance/failures/crash' });
    expect(answer.error.message).toBe('Internal error');
    expect(JSON.stringify(answer)).not.toContain('hunter2');
  });
});
