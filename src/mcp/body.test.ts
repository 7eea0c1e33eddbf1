import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callOf, createRawClient, headOf, type RawClient } from '../../test/support/raw-client.ts';
import { KNOWN_ID, MIB, ran } from '../../test/support/small-product.ts';
import { type SmallServer, startSmallServer } from '../../test/support/small-server.ts';

const RPC = { jsonrpc: '2.0', id: 1 };
const GET = callOf('finance_items_get', { id: KNOWN_ID });

describe.each(['lean', 'sdk'] as const)('body and JSON-RPC (%s)', (wire) => {
  let server: SmallServer;
  let client: RawClient;
  beforeAll(async () => {
    server = await startSmallServer(wire);
    client = createRawClient(server.url, 'kob_finance_full');
  });
  afterAll(() => server.close());
  beforeEach(() => {
    ran.length = 0;
  });

  it.each([
    ['broken JSON', '{"jsonrpc":', -32700],
    ['an empty body', '', -32700],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), -32700],
    ['a number', '7', -32600],
    ['null', 'null', -32600],
    ['a batch of two', JSON.stringify([RPC, RPC]), -32600],
    ['an empty batch', '[]', -32600],
    ['a batch of one', JSON.stringify([{ ...RPC, method: 'ping' }]), -32600],
    ['a wrong jsonrpc', JSON.stringify({ jsonrpc: '1.0', method: 'ping' }), -32600],
    ['no jsonrpc', JSON.stringify({ method: 'ping' }), -32600],
    ['a method that is a number', JSON.stringify({ jsonrpc: '2.0', method: 5 }), -32600],
    ['a null id', JSON.stringify({ jsonrpc: '2.0', id: null, method: 'ping' }), -32600],
    ['a fractional id', JSON.stringify({ jsonrpc: '2.0', id: 1.5, method: 'ping' }), -32600],
    ['an object as id', JSON.stringify({ jsonrpc: '2.0', id: {}, method: 'ping' }), -32600],
    ['a document 1000 levels deep', `{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`, -32600],
  ])('TR-20 TR-21 TR-22 TR-24 SE-20: refuses %s with 400', async (_name, body, code) => {
    const answer = await client.post(body);
    expect([answer.status, answer.body.error.code]).toEqual([400, code]);
    expect(answer.body).not.toHaveProperty('id');
    expect(ran).toEqual([]);
  });

  it('SE-20: brackets inside strings do not count as depth', async () => {
    const name = `\\"${'['.repeat(500)}`;
    const answer = await client.m('tools/call', callOf('finance_items_create', { name }));
    expect(answer.body.result.isError).toBe(true);
    expect(answer.body.result.content[0].text).toContain('invalid_argument');
  });

  it('TR-25: refuses a response, with its id', async () => {
    const answer = await client.post(JSON.stringify({ ...RPC, result: {} }));
    expect([answer.status, answer.body.error.code, answer.body.id]).toEqual([400, -32600, 1]);
  });

  it('TR-23: never runs a request that has no id', async () => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      method: 'tools/call',
      params: callOf('finance_items_create', { name: 'x' }),
    });
    const before = server.log.length;
    const answer = await client.post(body);
    expect([answer.status, answer.text]).toEqual([400, '']);
    expect([ran, server.log.length]).toEqual([[], before]);
  });

  it.each([
    ['notifications/initialized', undefined],
    ['notifications/cancelled', { requestId: 99 }],
    ['notifications/cancelled', { requestId: {} }],
    ['notifications/unheard', 'odd'],
  ])('TR-26 UT-05 UT-06: takes the notification %s with %j silently', async (method, params) => {
    const answer = await client.post(JSON.stringify({ jsonrpc: '2.0', method, params }));
    expect([answer.status, answer.text]).toEqual([202, '']);
  });

  it('TR-27 TR-33 TR-66: answers JSON that nobody stores', async () => {
    const answer = await client.m('tools/call', GET);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('TR-27 TR-34 TR-66: on 2025 our own path answers JSON, the SDK an unbuffered stream', async () => {
    const { headers } = await client.l('tools/call', GET);
    expect([headers['content-type'], headers['cache-control'], headers['x-accel-buffering']]).toEqual(
      wire === 'lean'
        ? ['application/json', 'no-store', undefined]
        : ['text/event-stream', 'no-cache, no-transform', 'no'],
    );
  });

  it.each([
    ['application/json', 200],
    ['*/*', 200],
    [null, 200],
    ['application/*;q=0.5', 200],
    ['text/html', 406],
  ])('TR-28: with Accept %s answers %i', async (Accept, status) => {
    expect((await client.m('tools/list', {}, { headers: { Accept } })).status).toBe(status);
    expect((await client.l('tools/list', {}, { headers: { Accept } })).status).toBe(status);
  });

  it.each([
    ['application/json; charset=utf-8', 200],
    ['APPLICATION/JSON', 200],
    ['text/plain', 415],
    ['application/jsonp', 415],
    [null, 415],
  ])('TR-29: with Content-Type %s answers %i', async (type, status) => {
    const answer = await client.m('tools/call', GET, { headers: { 'Content-Type': type } });
    expect(answer.status).toBe(status);
    expect(ran).toEqual(status === 200 ? ['get'] : []);
  });

  it('TR-30: refuses compressed bodies and bodies past the limit, and says so', async () => {
    expect((await client.m('tools/list', {}, { headers: { 'Content-Encoding': 'gzip' } })).status).toBe(415);
    const large = await client.post(Buffer.alloc(16 * MIB, 0x20));
    expect([large.status, large.body.error.code]).toEqual([413, 'body_too_large']);
    const chunked = await client.post(Buffer.alloc(16 * MIB, 0x20), { 'Transfer-Encoding': 'chunked' });
    expect([chunked.status, chunked.body.error.code]).toEqual([413, 'body_too_large']);
  });

  it('TR-30: cuts off whoever goes on sending after the refusal', async () => {
    const socket = connect(server.port, '127.0.0.1');
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.on('error', () => undefined);
    socket.resume();
    socket.write(`${headOf('x', 0).replace('Content-Length: 0', 'Transfer-Encoding: chunked')}`);
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(MIB, 0x20), Buffer.from('\r\n')]);
    let sent = 0;
    while (!socket.destroyed && sent < 256 * MIB) {
      sent += MIB;
      await Promise.race([new Promise((resolve) => socket.write(chunk, resolve)), closed]);
    }
    expect(sent).toBeLessThan(128 * MIB);
  });

  it('TR-30: answers 5 MB of garbage clearly', async () => {
    const answer = await client.post(Buffer.alloc(5_000_000, 'garbage '));
    expect([answer.status, answer.body.error.code]).toEqual([400, -32700]);
  });

  it('TR-30: refuses a header of 32 KB', async () => {
    const answer = await client
      .m('tools/list', {}, { headers: { 'Mcp-Name': 'x'.repeat(32_768) } })
      .catch(() => null);
    expect(answer === null || answer.status === 431).toBe(true);
  });

  it.each([0, '', 'a"b\\', -5, Number.MAX_SAFE_INTEGER])(
    'TR-31: echoes the id %j in results and errors',
    async (id) => {
      expect((await client.m('tools/list', {}, { id })).body.id).toBe(id);
      expect((await client.m('tools/call', callOf('nope', {}), { id })).body.id).toBe(id);
      expect((await client.m('tools/list', {}, { id, headers: { 'Mcp-Method': 'x' } })).body.id).toBe(id);
      expect((await client.l('nope', {}, { id })).body.id).toBe(id);
    },
  );

  it('TR-35 TR-36: ignores Last-Event-ID and session ids, and gives none out', async () => {
    const headers = { 'Last-Event-ID': '5', 'Mcp-Session-Id': 'abc' };
    for (const answer of [
      await client.m('tools/list', {}, { headers }),
      await client.l('tools/list', {}, { headers }),
      await client.l(
        'initialize',
        { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
        { headers },
      ),
    ]) {
      expect(answer.status).toBe(200);
      expect(answer.headers['mcp-session-id']).toBeUndefined();
      expect(answer.text).not.toMatch(/^id:/m);
    }
  });
});
