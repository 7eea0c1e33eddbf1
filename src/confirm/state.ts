/**
 * The sealed state a client echoes: `c1.<key id>.<payload>.<mac>`. It carries an id, an expiry and keyed
 * digests, nothing readable about the call (PROTOCOL CF-20 to CF-33, D.2).
 */

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { OpenedState, Subject } from '../core/confirmations.ts';
import { digestOf } from '../core/digest.ts';
import type { Fact, Operation } from '../core/operation.ts';

/** Five minutes from the question, by the server's clock, no grace (PROTOCOL C-04). */
export const CONFIRMATION_MS = 300_000;
const STATE_LENGTH_MAX = 4_096;
const KEY_BYTES_MIN = 32;
/** Facts whose change a second question can name. */
const NAMED_FACTS_MAX = 20;
/** What stands for the change of any fact beyond those. */
export const OTHER_FACTS = '*';
const FACT_DIGEST_LENGTH = 16;

/** A key of the fleet: the newest seals, all open, so that keys can be rotated. */
export interface SealKey {
  readonly id: string;
  readonly secret: Buffer;
}

interface Payload {
  readonly jti: string;
  readonly exp: number;
  /** Keyed digest of product, environment, person, client, organization, workspace, tool, its definition, arguments. */
  readonly b: string;
  /** Keyed digests of the bound facts, by key. */
  readonly f: Readonly<Record<string, string>>;
}

/** Keys from their texts, newest first. Fails when one is shorter than 32 bytes. */
export function sealKeysOf(texts: readonly string[]): SealKey[] {
  if (texts.length === 0) throw new Error('no confirmation key');
  return texts.map((text) => {
    if (Buffer.byteLength(text) < KEY_BYTES_MIN) {
      throw new Error(`a confirmation key has fewer than ${KEY_BYTES_MIN} bytes`);
    }
    const secret = createHash('sha256').update(text).digest();
    return { id: createHash('sha256').update(secret).digest('hex').slice(0, 8), secret };
  });
}

/** The state for a new question. */
export function sealState(
  keys: readonly SealKey[],
  environment: string,
  subject: Subject,
  facts: readonly Fact[],
  now: Date,
): string {
  const key = keys[0]!;
  const payload: Payload = {
    jti: randomBytes(16).toString('hex'),
    exp: now.getTime() + CONFIRMATION_MS,
    b: bindingOf(key, environment, subject),
    f: factDigests(key, facts),
  };
  const body = Buffer.from(JSON.stringify(payload)).toString('base64url');
  return `c1.${key.id}.${body}.${macOf(key, body)}`;
}

/** What a client's state is worth for this call. The seal is checked before anything inside is looked at. */
export function openState(
  keys: readonly SealKey[],
  environment: string,
  state: string | undefined,
  subject: Subject,
  now: Date,
): OpenedState {
  if (state === undefined) return { status: 'absent' };
  const [version, keyId, body, mac, ...rest] = state.length > STATE_LENGTH_MAX ? [] : state.split('.');
  const key = keys.find(({ id }) => id === keyId);
  if (version !== 'c1' || key === undefined || body === undefined || mac === undefined || rest.length > 0) {
    return { status: 'mismatch' };
  }
  if (!equalTexts(mac, macOf(key, body))) return { status: 'mismatch' };
  const payload = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Payload;
  if (!equalTexts(payload.b, bindingOf(key, environment, subject))) return { status: 'mismatch' };
  return {
    status: 'valid',
    id: payload.jti,
    isExpired: now.getTime() >= payload.exp,
    factDigests: tagged(key, payload.f),
  };
}

/** Keys of facts that are new, gone or different; digests carry the id of the key that made them. */
export function changedFactKeys(
  keys: readonly SealKey[],
  before: Readonly<Record<string, string>>,
  facts: readonly Fact[],
): string[] {
  const keyId = before[KEY_ID];
  const key = keys.find(({ id }) => id === keyId) ?? keys[0]!;
  const after = factDigests(key, facts);
  const all = new Set([...Object.keys(before), ...Object.keys(after)]);
  all.delete(KEY_ID);
  return [...all].filter((name) => before[name] !== after[name]);
}

const KEY_ID = '';

function tagged(key: SealKey, digests: Readonly<Record<string, string>>): Record<string, string> {
  return { ...digests, [KEY_ID]: key.id };
}

function bindingOf(key: SealKey, environment: string, subject: Subject): string {
  const { operation, caller, place, digest, approvalId } = subject;
  const parts = [
    operation.product,
    environment,
    caller.user.id,
    caller.clientId,
    place.organizationId,
    place.workspaceId,
    'tools/call',
    operation.name,
    definitionDigest(operation),
    digest,
    ...(approvalId === undefined ? [] : ['approval', approvalId]),
  ];
  return createHmac('sha256', key.secret).update('binding').update(JSON.stringify(parts)).digest('base64url');
}

/**
 * One digest for each of the first bound facts, so that a second question can name what changed, and one for all the
 * others together: a question about two hundred records has a state no longer than one about twenty.
 */
function factDigests(key: SealKey, facts: readonly Fact[]): Record<string, string> {
  const bound = facts
    .filter((fact) => fact.bound !== false)
    .map(({ key: name, value }) => [name, value] as const);
  const digests: Record<string, string> = {};
  for (const fact of bound.slice(0, NAMED_FACTS_MAX)) digests[fact[0]] = factDigest(key, fact);
  const others = bound.slice(NAMED_FACTS_MAX);
  if (others.length > 0) digests[OTHER_FACTS] = factDigest(key, others);
  return digests;
}

function factDigest(key: SealKey, fact: unknown): string {
  const mac = createHmac('sha256', key.secret).update('fact').update(JSON.stringify(fact));
  return mac.digest('base64url').slice(0, FACT_DIGEST_LENGTH);
}

const definitionDigests = new WeakMap<Operation, string>();

/** Changes when the tool's meaning does, so that a question from before an upgrade is asked again. */
function definitionDigest(operation: Operation): string {
  const known = definitionDigests.get(operation);
  if (known !== undefined) return known;
  const { name, title, summary, effect, scopes } = operation;
  const digest = digestOf({
    name,
    title,
    summary,
    effect,
    scopes,
    arguments: Object.keys(operation.input.shape),
  });
  definitionDigests.set(operation, digest);
  return digest;
}

function macOf(key: SealKey, body: string): string {
  return createHmac('sha256', key.secret).update('state').update(key.id).update(body).digest('base64url');
}

function equalTexts(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}
