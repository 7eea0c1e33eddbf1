/** Dynamic registration (RFC 7591), for clients that publish no metadata document. Open, counted, and public clients only. */

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import { countAttempt, secondsLeft, subjectDigestOf } from '../identity/attempts.ts';
import { createAdapter } from './adapter.ts';
import { ClientRefusal, clientFactsOf } from './clients.ts';
import type { OAuthOptions } from './provider.ts';

const WINDOW_MS = 3_600_000;
/** Registrations per address and hour. */
const REGISTRATIONS_MAX = 20;
const BODY_BYTES_MAX = 16 * 1024;
const ID_BYTES = 16;

/** Answers `POST /oauth/register`. A client gets an id and no secret: whoever it is has to show by PKCE. */
export async function answerRegistration(
  options: OAuthOptions,
  provider: Provider,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  res.setHeader('Access-Control-Allow-Origin', '*');
  if (req.method === 'OPTIONS') {
    res.setHeader('Access-Control-Allow-Methods', 'POST');
    res.setHeader('Access-Control-Allow-Headers', 'Content-Type');
    res.writeHead(204).end();
    return;
  }
  if (req.method !== 'POST') {
    res.setHeader('Allow', 'POST, OPTIONS');
    return answer(req, res, 405, { error: 'invalid_request', error_description: 'Register with POST.' });
  }
  const waitSeconds = await secondsToWait(options, req);
  if (waitSeconds > 0) {
    res.setHeader('Retry-After', String(waitSeconds));
    options.logRefusal('a registration was refused', { why: 'too many from one address' });
    const error_description = 'Too many clients were registered from this address. Try again later.';
    return answer(req, res, 429, { error: 'temporarily_unavailable', error_description });
  }
  try {
    answer(req, res, 201, await register(options, provider, await readJson(req)));
  } catch (error) {
    if (!(error instanceof ClientRefusal)) throw error;
    options.logRefusal('a registration was refused', { why: error.message });
    answer(req, res, 400, { error: error.code, error_description: error.message });
  }
}

async function secondsToWait(
  { database, secretKeys, addressOf, now }: OAuthOptions,
  req: IncomingMessage,
): Promise<number> {
  const at = now();
  const subject = subjectDigestOf(secretKeys[0]!, addressOf(req));
  const count = await countAttempt(database.shared, 'register:address', subject, at, WINDOW_MS);
  return count > REGISTRATIONS_MAX ? secondsLeft(at, WINDOW_MS) : 0;
}

async function register(
  { database, now }: OAuthOptions,
  provider: Provider,
  said: Readonly<Record<string, unknown>>,
) {
  const client = {
    ...clientFactsOf(said),
    client_id: randomBytes(ID_BYTES).toString('base64url'),
    client_id_issued_at: Math.floor(now().getTime() / 1_000),
    token_endpoint_auth_method: 'none',
  } as const;
  const metadata = {
    ...client,
    redirect_uris: [...client.redirect_uris],
    grant_types: [...client.grant_types],
    response_types: [...client.response_types],
  };
  await provider.Client.validate(metadata).catch((error: { error_description?: string }) => {
    throw new ClientRefusal('invalid_client_metadata', error.error_description ?? 'the client is not valid');
  });
  const invalidGrant = (detail: string) => new Error(detail);
  await createAdapter({ db: database.shared, now, invalidGrant }, 'Client').upsert(
    client.client_id,
    metadata,
  );
  return metadata;
}

async function readJson(req: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > BODY_BYTES_MAX) {
      throw new ClientRefusal('invalid_client_metadata', `the body is larger than ${BODY_BYTES_MAX} bytes`);
    }
    parts.push(part);
  }
  const value = parsed(Buffer.concat(parts).toString('utf8'));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ClientRefusal('invalid_client_metadata', 'the body must be a JSON object');
  }
  return value as Readonly<Record<string, unknown>>;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function answer(req: IncomingMessage, res: ServerResponse, status: number, body: object): void {
  req.resume();
  const text = JSON.stringify(body);
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  });
  res.end(text);
}
