import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  CAPABILITIES_KEY,
  callOf,
  createRawClient,
  type RawClient,
  rawSocket,
  VERSION_KEY,
} from '../../test/support/raw-client.ts';
import { gate, KNOWN_ID, MIB, ran } from '../../test/support/small-product.ts';
import { type SmallServer, startSmallServer } from '../../test/support/small-server.ts';

const RPC = { jsonrpc: '2.0', id: 1 };
const GET = callOf('finance_items_get', { id: KNOWN_ID });
const FORM = { capabilities: { elicitation: {} } };
const ENVELOPE = { [VERSION_KEY]: '2026-07-28', [CAPABILITIES_KEY]: { elicitation: {} } };

/** The head of a `tools/call` as bytes. */
function headOf(name: string, length: number): string {
  const lines = [
    'POST /finance/mcp HTTP/1.1',
    'Host: localhost',
    'Authorization: Bearer kob_finance_full',
    'Content-Type: application/json',
    'MCP-Protocol-Version: 2026-07-28',
    'Mcp-Method: tools/call',
    `Mcp-Name: ${name}`,
    `Content-Length: ${length}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

describe.each(['lean', 'sdk'] as const)('the HTTP transport (%s)', (wire) => {
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

  describe('endpoint', () => {
    it('TR-01: serves each product on its own path and nothing elsewhere', async () => {
      expect((await client.m('server/discover')).status).toBe(200);
      const dunning = createRawClient(`${server.origin}/dunning/mcp`, 'kob_finance_full');
      expect((await dunning.m('server/discover')).status).toBe(401);
      const elsewhere = await client.send('POST', {}, '/mcp');
      expect([elsewhere.status, elsewhere.text]).toEqual([404, '']);
    });

    it.each(['GET', 'DELETE', 'HEAD', 'PUT', 'PATCH'])(
      'TR-02 TR-03 TR-04: answers %s with 405 and Allow',
      async (method) => {
        const answer = await client.send(method, { 'Mcp-Session-Id': 'x', Accept: 'text/event-stream' });
        expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
      },
    );

    it('TR-38: does not serve the transport of 2024', async () => {
      expect((await client.send('GET', {}, '/sse')).status).toBe(404);
    });

    it.each(['https://evil.example', 'null', 'http://localhost.evil.example', 'https://app.example:444'])(
      'TR-05 TR-07: refuses the origin %s before any work, without a challenge',
      async (Origin) => {
        const answer = await client.m('tools/call', GET, { headers: { Origin } });
        expect(answer.status).toBe(403);
        expect(answer.headers['www-authenticate']).toBeUndefined();
        expect(answer.body).not.toHaveProperty('id');
        expect(ran).toEqual([]);
      },
    );

    it.each(['https://app.example', 'http://localhost:5173', 'http://localhost'])(
      'TR-05 TR-11: serves pages of %s and lets them read the challenge',
      async (Origin) => {
        const answer = await client.m('tools/list', {}, { headers: { Origin } });
        expect(answer.status).toBe(200);
        expect(answer.headers['access-control-allow-origin']).toBe(Origin);
        expect(answer.headers['access-control-expose-headers']).toBe('WWW-Authenticate');
        expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
      },
    );

    it('TR-06: serves clients that send no origin', async () => {
      expect((await client.m('tools/list')).status).toBe(200);
    });

    it.each([
      ['evil.example', 403],
      ['127.0.0.1.evil.example', 403],
      ['localhost:1', 200],
      ['LOCALHOST', 200],
    ])('TR-08: judges the host %s', async (Host, status) => {
      expect((await client.m('tools/list', {}, { headers: { Host } })).status).toBe(status);
    });

    it('TR-11: answers a preflight without a token, and tells strangers nothing', async () => {
      const headers = { Authorization: null, 'Content-Type': null, 'Access-Control-Request-Method': 'POST' };
      const allowed = await client.send('OPTIONS', { ...headers, Origin: 'https://app.example' });
      expect([allowed.status, allowed.text]).toEqual([204, '']);
      expect(allowed.headers['access-control-allow-origin']).toBe('https://app.example');
      expect(allowed.headers['access-control-allow-headers']).toBe(
        'Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name',
      );
      const stranger = await client.send('OPTIONS', { ...headers, Origin: 'https://evil.example' });
      expect(stranger.headers['access-control-allow-origin']).toBeUndefined();
    });

    it.each([
      ['server/discover', 'm'],
      ['tools/list', 'm'],
      ['unknown/method', 'm'],
      ['initialize', 'l'],
      ['ping', 'l'],
      ['notifications/initialized', 'l'],
    ] as const)('TR-10 AU-07: asks for a token before %s (%s)', async (method, era) => {
      const answer = await createRawClient(server.url, null)[era](method);
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Bearer scope="finance:read"');
      expect(answer.body.error.code).toBe('unauthenticated');
    });

    it('AU-05 AU-08: names the error only when a token was given', async () => {
      const garbage = await createRawClient(server.url, 'kob_dunning_full').m('tools/list');
      expect([garbage.status, garbage.headers['www-authenticate']]).toEqual([
        401,
        'Bearer error="invalid_token", scope="finance:read"',
      ]);
      const basic = await client.m('tools/list', {}, { headers: { Authorization: 'Basic eDp5' } });
      expect([basic.status, basic.headers['www-authenticate']]).toEqual([401, 'Bearer scope="finance:read"']);
    });

    it.each(['Bearer', 'Bearer a b', 'Bearer "kob_finance_full"'])(
      'AU-06: refuses the credentials `%s`',
      async (value) => {
        const answer = await client.m('tools/list', {}, { headers: { Authorization: value } });
        expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
      },
    );

    it('AU-06: refuses two tokens, and a token in the address', async () => {
      const twice = await rawSocket(
        server.port,
        `POST /finance/mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n${'Authorization: Bearer kob_finance_full\r\n'.repeat(2)}Content-Length: 2\r\n\r\n{}`,
      );
      expect(twice).toMatch(/^HTTP\/1\.1 400 /);
      const inUrl = createRawClient(`${server.url}?access_token=kob_finance_full`, null);
      expect((await inUrl.m('tools/list')).status).toBe(400);
    });
  });

  describe('body and JSON-RPC', () => {
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
      expect((await client.m('tools/list', {}, { headers: { 'Content-Encoding': 'gzip' } })).status).toBe(
        415,
      );
      const large = await client.post(Buffer.alloc(16 * MIB, 0x20));
      expect([large.status, large.body.error.code]).toEqual([413, 'body_too_large']);
      const chunked = await client.post(Buffer.alloc(16 * MIB, 0x20), { 'Transfer-Encoding': 'chunked' });
      expect([chunked.status, chunked.body.error.code]).toEqual([413, 'body_too_large']);
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

  it.each([
    ['kob_finance_down', 503, 'unavailable'],
    ['kob_finance_crash', 500, 'internal'],
  ])('AU-18: with %s, a failing look-up is an HTTP error without internals', async (token, status, code) => {
    const answer = await createRawClient(server.url, token).m('tools/list');
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect(answer.text).not.toContain('db.internal');
    server.failures.length = 0;
  });

  it('AU-05 CF-13: a token revoked a moment ago changes nothing', async () => {
    const revoked = createRawClient(server.url, 'kob_finance_revoked');
    const { status, headers, body } = await revoked.m(
      'tools/call',
      callOf('finance_items_create', { name: 'x' }),
    );
    expect(ran).toEqual([]);
    if (wire === 'lean') {
      expect([status, headers['www-authenticate']]).toEqual([
        401,
        'Bearer error="invalid_token", scope="finance:read"',
      ]);
    } else {
      expect([status, body.result.isError]).toEqual([200, true]);
    }
  });

  it('TR-71 TR-72: what has begun is finished when its sender leaves, and is not run again', async () => {
    const call = { id: KNOWN_ID };
    const first = await client.m('tools/call', callOf('finance_items_delete', call), FORM);
    const params = callOf('finance_items_delete', call, first.body.result.requestState);
    const begun = Promise.withResolvers<void>();
    const open = Promise.withResolvers<void>();
    Object.assign(gate, { begun: begun.resolve, open: open.promise });
    const body = JSON.stringify({ ...RPC, method: 'tools/call', params: { ...params, _meta: ENVELOPE } });
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`${headOf('finance_items_delete', body.length)}${body}`);
    await begun.promise;
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.destroy();
    await closed;
    open.resolve();
    await expect.poll(() => ran).toEqual(['delete']);
    const again = await client.m('tools/call', params, FORM);
    expect(again.body.result.content[0].text).toContain('confirmation_replayed');
    expect([ran, server.failures]).toEqual([['delete'], []]);
  });

  it('TR-37: keeps a connection through refusals', async () => {
    const body = JSON.stringify({ ...RPC, method: 'tools/list', params: { _meta: ENVELOPE } });
    const good = `${headOf('', body.length).replace('tools/call', 'tools/list')}${body}`;
    const unread = good.replace('kob_finance_full', 'nobody');
    const answers = await rawSocket(
      server.port,
      `${unread}${good}${good.replace('POST', 'PUT')}${good}`,
      300,
    );
    expect([...answers.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status)).toEqual([
      '401',
      '200',
      '405',
      '200',
    ]);
  });
});
