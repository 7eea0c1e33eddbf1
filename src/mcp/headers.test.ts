import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  CAPABILITIES_KEY,
  callOf,
  createRawClient,
  type RawClient,
  rawSocket,
  VERSION_KEY,
} from '../../test/support/raw-client.ts';
import { KNOWN_ID, ran } from '../../test/support/small-product.ts';
import { type SmallServer, startSmallServer } from '../../test/support/small-server.ts';

const RPC = { jsonrpc: '2.0', id: 1 };
const GET = callOf('finance_items_get', { id: KNOWN_ID });
const base64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;

describe.each(['lean', 'sdk'] as const)('the headers of 2026 (%s)', (wire) => {
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
    ['TR-50: no version header', 'tools/list', {}, { 'MCP-Protocol-Version': null }],
    ['TR-51: a version header of 2025', 'tools/list', {}, { 'MCP-Protocol-Version': '2025-11-25' }],
    ['TR-52: no Mcp-Method', 'tools/list', {}, { 'Mcp-Method': null }],
    ['TR-52: another Mcp-Method', 'tools/list', {}, { 'Mcp-Method': 'prompts/list' }],
    ['TR-53: no Mcp-Name', 'tools/call', GET, { 'Mcp-Name': null }],
    ['TR-53: another Mcp-Name', 'tools/call', GET, { 'Mcp-Name': 'finance_items_delete' }],
    [
      'TR-53: another URI',
      'resources/read',
      { uri: 'kobana://finance/schemas' },
      { 'Mcp-Name': 'kobana://finance/x' },
    ],
    ['PR-17: no Mcp-Name for a prompt', 'prompts/get', { name: 'catalog_overview' }, { 'Mcp-Name': null }],
    ['TR-54: a method in capitals', 'tools/list', {}, { 'Mcp-Method': 'TOOLS/LIST' }],
    [
      'TR-56: the marker in capitals',
      'tools/call',
      GET,
      { 'Mcp-Name': '=?BASE64?ZmluYW5jZV9pdGVtc19nZXQ=?=' },
    ],
    ['TR-57: no padding', 'tools/call', callOf('Hello', {}), { 'Mcp-Name': '=?base64?SGVsbG8?=' }],
    [
      'TR-57: foreign characters',
      'tools/call',
      callOf('Hello', {}),
      { 'Mcp-Name': '=?base64?SGVs!!!bG8=?=' },
    ],
    ['TR-57: stray bits', 'tools/call', callOf('Hello', {}), { 'Mcp-Name': '=?base64?SGVsbG9=?=' }],
    ['TR-57: not UTF-8', 'tools/call', callOf('\uFFFD', {}), { 'Mcp-Name': '=?base64?/w==?=' }],
    ['TR-60: two names', 'tools/call', GET, { 'Mcp-Name': ['finance_items_get', 'finance_items_get'] }],
  ] as const)('%s => 400/-32020 and nothing runs', async (_name, method, params, headers) => {
    const answer = await client.m(method, params, { headers, id: 9 });
    expect([answer.status, answer.body.error.code, answer.body.id]).toEqual([400, -32020, 9]);
    expect(ran).toEqual([]);
  });

  it('TR-51: a contradiction is not an unsupported version', async () => {
    const answer = await client.m('tools/list', {}, { meta: { [VERSION_KEY]: 'v999.0.0' } });
    expect([answer.status, answer.body.error.code]).toEqual([400, -32020]);
  });

  it.each([
    ['TR-55: space around it', '  finance_items_get \t'],
    ['TR-56: base64', base64('finance_items_get')],
  ])('%s is the same name', async (_name, value) => {
    const answer = await client.m('tools/call', GET, { headers: { 'Mcp-Name': value } });
    expect([answer.status, ran]).toEqual([200, ['get']]);
  });

  it('TR-54 TR-58: header names have no case, and bytes past ASCII are refused', async () => {
    const body = JSON.stringify({
      ...RPC,
      method: 'tools/call',
      params: {
        ...GET,
        _meta: {
          [VERSION_KEY]: '2026-07-28',
          [CAPABILITIES_KEY]: {},
        },
      },
    });
    const sent = (name: string) =>
      rawSocket(
        server.port,
        Buffer.from(
          `POST /finance/mcp HTTP/1.1\r\nHOST: localhost\r\nauthorization: bearer kob_finance_full\r\nCONTENT-TYPE: application/json\r\nmcp-PROTOCOL-version: 2026-07-28\r\nMCP-METHOD: tools/call\r\nmcp-name: ${name}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
          'latin1',
        ),
      );
    expect(await sent('finance_items_get')).toMatch(/^HTTP\/1\.1 200 /);
    const refused = await sent('finance_items_gét');
    expect(refused).toMatch(/^HTTP\/1\.1 400 /);
    expect(refused).toContain('-32020');
  });

  it('TR-61 CO-16: ignores headers that stand for nothing', async () => {
    const headers = { 'Mcp-Param-Foo': 'x', 'Mcp-Name': 'whatever' };
    expect((await client.m('tools/list', {}, { headers })).status).toBe(200);
  });

  it('TR-62: never judges a 2025 request by them', async () => {
    const headers = { 'Mcp-Method': 'nonsense', 'Mcp-Name': 'nonsense' };
    expect((await client.l('tools/list', {}, { headers })).status).toBe(200);
  });

  it.each([
    'unknown/method',
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
    'subscriptions/listen',
    'tasks/get',
    'constructor',
    '__proto__',
  ])('TR-63 RE-25 UT-15 UT-18: %s does not exist on 2026', async (method) => {
    const answer = await client.m(method);
    expect([answer.status, answer.body.error.code]).toEqual([404, -32601]);
  });

  it.each([
    'unknown/method',
    'logging/setLevel',
    'resources/subscribe',
    'tasks/list',
    'server/discover',
    'subscriptions/listen',
    'toString',
  ])('TR-64 VE-65 RE-25: %s does not exist on 2025', async (method) => {
    const answer = await client.l(method, {});
    expect([answer.status, answer.body.error.code]).toEqual([200, -32601]);
  });
});
