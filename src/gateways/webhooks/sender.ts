/** Sends webhooks to public addresses only, whatever a name resolves to when it is called. */

import { lookup as resolveName } from 'node:dns/promises';
import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress, isTestHost } from '../../core/addresses.ts';
import type { WebhookCall, WebhookFailure, WebhookSender } from './port.ts';

/** From the question for the name to the last byte of the answer. */
const TIMEOUT_MS = 5_000;
const ANSWER_BYTES_MAX = 4_096;

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export interface WebhookSenderOptions {
  /**
   * "host:port" of servers for tests: of these alone, plain http and private addresses are taken. Nobody who uses the
   * product can add one.
   */
  readonly testHosts?: readonly string[];
  /** Default: what the system knows, IPv4 and IPv6. */
  readonly resolve?: (host: string) => Promise<readonly ResolvedAddress[]>;
  readonly timeoutMs?: number;
}

const resolveByDefault = (host: string) => resolveName(host, { all: true, order: 'verbatim' });

/** A sender over https. It keeps nothing between calls: each one resolves, checks and connects anew. */
export function createWebhookSender(options: WebhookSenderOptions = {}): WebhookSender {
  const testHosts = options.testHosts ?? [];
  const resolve = options.resolve ?? resolveByDefault;
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  return {
    name: 'https',
    async send(call) {
      const startedAt = performance.now();
      const deadline = AbortSignal.timeout(timeoutMs);
      const answer = await answerOf(call, deadline).catch((error: unknown) => failureOf(error, deadline));
      return { ...answer, durationMs: Math.round(performance.now() - startedAt) };
    },
  };

  async function answerOf(call: WebhookCall, deadline: AbortSignal): Promise<Untimed> {
    const url = new URL(call.url);
    const isTest = isTestHost(url, testHosts);
    if (url.protocol !== 'https:' && !(isTest && url.protocol === 'http:')) return refused;
    const addresses = await orAborted(addressesOf(url.hostname, resolve), deadline);
    // One bad address is enough: which of them is called is not for the name's owner to choose.
    if (addresses.length === 0 || !(isTest || addresses.every(({ address }) => isPublicAddress(address)))) {
      return refused;
    }
    return post(url, call, addresses, deadline);
  }
}

type Untimed =
  | { kind: 'answered'; status: number; text: string }
  | { kind: 'failed'; reason: WebhookFailure };

const refused: Untimed = { kind: 'failed', reason: 'refused' };

async function addressesOf(
  hostname: string,
  resolve: NonNullable<WebhookSenderOptions['resolve']>,
): Promise<readonly ResolvedAddress[]> {
  const literal = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(literal);
  return family === 0 ? resolve(hostname) : [{ address: literal, family }];
}

/** Posts to an address that was checked, under the name of the URL: nothing resolves it a second time. */
function post(
  url: URL,
  { headers, body }: WebhookCall,
  addresses: readonly ResolvedAddress[],
  deadline: AbortSignal,
): Promise<Untimed> {
  const bytes = Buffer.from(body, 'utf8');
  const options: RequestOptions = {
    method: 'POST',
    agent: false,
    signal: deadline,
    headers: { ...headers, 'content-length': bytes.length, connection: 'close' },
    lookup: (_host, { all }, done) => {
      // With all of them at hand, one that does not answer gives way to the next.
      if (all === true) done(null, [...addresses]);
      else done(null, addresses[0]!.address, addresses[0]!.family);
    },
  };
  return new Promise((settle, fail) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const closed = (): void => fail(new Error('The connection closed without an answer.'));
    const request: ClientRequest = send(url, options, (response) => {
      // From here on the status is known, and what breaks only cuts the text.
      request.off('error', fail).off('close', closed);
      request.on('error', () => {});
      readStart(response).then((text) => {
        settle({ kind: 'answered', status: response.statusCode ?? 0, text });
        // What is beyond the start is nobody's business, and may never end.
        request.destroy();
      });
    });
    request.on('error', fail).on('close', closed);
    request.end(bytes);
  });
}

/** The status is the answer; the text is for people, and as much of it as came in time will do. */
async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= ANSWER_BYTES_MAX) break;
    }
  } catch {
    // Cut off or too slow.
  }
  return Buffer.concat(chunks).subarray(0, ANSWER_BYTES_MAX).toString('utf8');
}

function failureOf(error: unknown, deadline: AbortSignal): Untimed {
  if (deadline.aborted) return { kind: 'failed', reason: 'timeout' };
  const code = String((error as NodeJS.ErrnoException).code ?? '');
  const isTls = /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|HOSTNAME_MISMATCH)/.test(
    code,
  );
  return { kind: 'failed', reason: isTls ? 'tls' : 'unreachable' };
}

/** Asking for a name cannot be called off; nobody waits for it longer than this. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((settle, fail) => {
    signal.addEventListener('abort', () => fail(signal.reason), { once: true });
    work.then(settle, fail);
  });
}
