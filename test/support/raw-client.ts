/** Requests on the raw wire, as PROTOCOL writes them: `m` is a valid 2026 POST, `l` a valid 2025 one. */

import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
export const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
export const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The JSON of the body, or of the one message of an event stream; undefined when the body is empty. */
  readonly body: any;
}

/** A header set to null is left out. */
export type HeaderChanges = Readonly<Record<string, string | readonly string[] | null>>;

export interface MessageChanges {
  readonly headers?: HeaderChanges;
  /** Replaces the parts of `_meta`; null drops `_meta` altogether. */
  readonly meta?: Readonly<Record<string, unknown>> | null;
  /** Client capabilities; default none. */
  readonly capabilities?: unknown;
  readonly id?: unknown;
}

export interface RawClient {
  /** A valid 2026 request of this method, changed as told. */
  m(method: string, params?: Readonly<Record<string, unknown>>, changes?: MessageChanges): Promise<Answer>;
  /** A valid 2025 request of this method, changed as told. */
  l(method: string, params?: unknown, changes?: MessageChanges): Promise<Answer>;
  /** Any body with the standard headers and these changes. */
  post(body: string | Buffer, headers?: HeaderChanges): Promise<Answer>;
  /** Any HTTP method without a body. */
  send(method: string, headers?: HeaderChanges, path?: string): Promise<Answer>;
}

const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** A client for one endpoint and token; null sends no token. */
export function createRawClient(url: string, token: string | null): RawClient {
  const standard: HeaderChanges = {
    Authorization: token === null ? null : `Bearer ${token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };
  const post = (body: string | Buffer, headers: HeaderChanges = {}) =>
    exchange(url, 'POST', { ...standard, ...headers }, body);
  return {
    post,
    send: (method, headers = {}, path) =>
      exchange(
        path === undefined ? url : new URL(path, url).href,
        method,
        { ...standard, ...headers },
        undefined,
      ),
    m(method, params = {}, changes = {}) {
      const { meta = {}, capabilities = {}, id = 1, headers = {} } = changes;
      const envelope = { [VERSION_KEY]: '2026-07-28', [CAPABILITIES_KEY]: capabilities };
      const all = meta === null ? params : { ...params, _meta: withoutUndefined({ ...envelope, ...meta }) };
      const name = params[NAMED_BY[method] ?? ''];
      return post(JSON.stringify({ jsonrpc: '2.0', id, method, params: all }), {
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': method,
        ...(typeof name === 'string' && { 'Mcp-Name': asHeader(name) }),
        ...headers,
      });
    },
    l(method, params, changes = {}) {
      const { id = 1, headers = {} } = changes;
      return post(JSON.stringify({ jsonrpc: '2.0', id, method, params }), {
        ...(method !== 'initialize' && { 'MCP-Protocol-Version': '2025-11-25' }),
        ...headers,
      });
    },
  };
}

/** The tool name and arguments of a call; with the answer "yes" to the state given. */
export function callOf(name: string, args: unknown, state?: string): Record<string, unknown> {
  if (state === undefined) return { name, arguments: args };
  return { name, arguments: args, requestState: state, inputResponses: YES };
}

export const YES = { confirm: { action: 'accept', content: { confirm: true } } } as const;

/** The head of a valid 2026 `tools/call` as text, for raw sockets. */
export function headOf(name: string, length: number): string {
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

/** Sends bytes as they are and gives everything that comes back until the server closes or `ms` pass. */
export function rawSocket(port: number, bytes: string | Buffer, ms = 1_000): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const done = (): void => {
      socket.destroy();
      resolve(Buffer.concat(chunks).toString('latin1'));
    };
    socket.setTimeout(ms, done);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', done);
    socket.on('error', reject);
  });
}

function exchange(
  url: string,
  method: string,
  headers: HeaderChanges,
  body: string | Buffer | undefined,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const kept = Object.entries(headers).filter(([, value]) => value !== null) as [string, string][];
    const outgoing = request(url, { method, headers: Object.fromEntries(kept), agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const { statusCode = 0, headers: answered } = incoming;
        resolve({
          status: statusCode,
          headers: answered,
          text,
          body: parsed(text, answered['content-type']),
        });
      });
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function parsed(text: string, type: string | undefined): unknown {
  if (text === '') return undefined;
  if (!type?.startsWith('text/event-stream')) return JSON.parse(text);
  const lines = text.split('\n').filter((line) => line.startsWith('data: ') && line.length > 'data: '.length);
  return JSON.parse(lines.at(-1)!.slice('data: '.length));
}

/** As it is where a header can carry it, else in base64. */
function asHeader(name: string): string {
  if (/^[\x21-\x7E](?:[\x20-\x7E]*[\x21-\x7E])?$/.test(name)) return name;
  return `=?base64?${Buffer.from(name).toString('base64')}?=`;
}

function withoutUndefined(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
