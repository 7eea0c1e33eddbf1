/** Fetches what clients publish about themselves, from public addresses only (PROTOCOL AU-44). */

import { lookup as resolveName } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress, isTestHost } from '../core/addresses.ts';
import { type ClientFacts, clientFactsOf } from './clients.ts';

/** From the question for the name to the last byte. */
const TIMEOUT_MS = 5_000;
/** As the draft of client ID metadata documents recommends (section 6.6). */
const BYTES_MAX = 5 * 1024;

export interface FetchOptions {
  /** Addresses, as `host:port`, that may be private and are asked over plain http; for tests. */
  readonly testHosts: readonly string[];
  readonly timeoutMs?: number;
  /** Default: what the system knows. */
  readonly resolve?: (host: string) => Promise<readonly ResolvedAddress[]>;
}

interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/**
 * The `fetch` of the authorization server. What it gets is a metadata document, of which what we use is left, or a set
 * of keys. Redirects are not followed; whatever is private, slow, large or no JSON fails.
 */
export function createClientFetch(
  options: FetchOptions,
): (input: string | URL | Request) => Promise<Response> {
  return async (input) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const deadline = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
    const addresses = await orAborted(checkedAddresses(url, options), deadline);
    const answer = await get(url, isTestHost(url, options.testHosts), addresses, deadline);
    const text = await readAll(answer);
    const headers = new Headers();
    for (const name of ['cache-control', 'expires']) {
      const value = answer.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    const { statusCode: status = 502 } = answer;
    return new Response(status === 200 ? usedOf(text) : null, { status, headers });
  };
}

/** The document with nothing in it but what we use; keys stay as they are. */
function usedOf(text: string): string {
  const said: unknown = JSON.parse(text);
  if (typeof said !== 'object' || said === null) throw new Error('The document is no JSON object.');
  const document = said as Readonly<Record<string, unknown>>;
  if (document['client_id'] === undefined) return text;
  if (typeof document['client_name'] !== 'string') throw new Error('The document has no client_name.');
  const facts: ClientFacts = clientFactsOf(document);
  const kept = ['client_id', 'client_secret', 'client_secret_expires_at', 'jwks', 'jwks_uri'] as const;
  const rest = kept.filter((name) => name in document).map((name) => [name, document[name]]);
  return JSON.stringify({
    ...facts,
    ...Object.fromEntries(rest),
    token_endpoint_auth_method: document['token_endpoint_auth_method'] ?? 'none',
  });
}

async function checkedAddresses(url: URL, options: FetchOptions): Promise<readonly ResolvedAddress[]> {
  if (url.protocol !== 'https:') throw new Error('The address is not https.');
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(literal);
  const resolve = options.resolve ?? ((host: string) => resolveName(host, { all: true, order: 'verbatim' }));
  const addresses = family === 0 ? await resolve(url.hostname) : [{ address: literal, family }];
  const isTest = isTestHost(url, options.testHosts);
  // One bad address is enough: which of them is called is not for the name's owner to choose.
  if (addresses.length === 0 || !(isTest || addresses.every(({ address }) => isPublicAddress(address)))) {
    throw new Error('The address is not public.');
  }
  return addresses;
}

/** Asks an address that was checked, under the name of the URL: nothing resolves it a second time. */
function get(
  url: URL,
  isTest: boolean,
  addresses: readonly ResolvedAddress[],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const options: RequestOptions = {
    agent: false,
    signal,
    headers: { accept: 'application/json', 'accept-encoding': 'identity', connection: 'close' },
    lookup: (_host, { all }, done) => {
      // With all of them at hand, one that does not answer gives way to the next.
      if (all === true) done(null, [...addresses]);
      else done(null, addresses[0]!.address, addresses[0]!.family);
    },
  };
  return new Promise((settle, fail) => {
    const request = isTest
      ? httpRequest(
          { ...options, host: url.hostname, port: url.port, path: url.pathname + url.search },
          settle,
        )
      : httpsRequest(url, options, settle);
    request.on('error', fail).end();
  });
}

async function readAll(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BYTES_MAX) throw new Error(`The document is larger than ${BYTES_MAX} bytes.`);
    chunks.push(chunk);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
}

/** Asking for a name cannot be called off; nobody waits for it longer than this. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((settle, fail) => {
    signal.addEventListener('abort', () => fail(signal.reason), { once: true });
    work.then(settle, fail);
  });
}
