import { createHash, randomBytes } from 'node:crypto';
import type { AccessLevel, Caller, Domain, Product, ReachableWorkspace } from '../core/caller.ts';
import { scopesAnywhere } from '../core/caller.ts';
import { newId } from '../core/ids.ts';
import type { Db } from '../core/ports.ts';
import type { ExternalIdentity, ExternalPerson } from './external.ts';
import {
  insertToken,
  notifyIdentityChanged,
  type ReachRow,
  type SessionRow,
  selectMemberships,
  selectOwner,
  selectSessionById,
  selectToken,
  selectTokenById,
  selectUserByEmail,
  selectWorkspaces,
  type TokenRow,
  updateTokenRevoked,
  type WorkspaceRow,
} from './queries.ts';
import { roleScopes } from './roles.ts';

const SECRET_BYTES = 32;
const TOKEN_PREFIX = 'kob_';
/** 256 random bits as the authorization server writes them. */
const OPAQUE = /^[\w-]{43}$/;
/** How long a process trusts what it read; a revocation is announced and takes effect at once besides. */
const CACHE_MS = 5_000;
const CACHE_SIZE_MAX = 10_000;
/** What a token made by hand is called; confirmations are bound to it (PROTOCOL CF-24, CF-25). */
export const PERSONAL_CLIENT = 'personal-access-token';
/** What who makes a token for programs holds, and has to hold still when it acts without a question. */
export const MAKES_PROGRAMS = 'account.connections.write';
/** What a person in the console is called as a client. */
const CONSOLE_CLIENT = 'console';

export interface TokenRequest {
  readonly userId: string;
  readonly organizationId: string;
  readonly product: Product;
  readonly access: AccessLevel;
  readonly workspaceId?: string | null;
  readonly expiresAt: Date;
  readonly name?: string;
  readonly clientId?: string;
  /** A program holds it: see `Caller.isForPrograms`. */
  readonly isForPrograms?: boolean;
}

/** Creates a token and gives its secret, the only time anybody sees it. */
export async function createToken(db: Db, request: TokenRequest): Promise<{ id: string; token: string }> {
  const token = `${TOKEN_PREFIX}${request.product}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  const id = newId();
  await insertToken(db, {
    id,
    secretHash: hashOf(token),
    name: request.name ?? 'token',
    userId: request.userId,
    organizationId: request.organizationId,
    product: request.product,
    access: request.access,
    clientId: request.clientId ?? PERSONAL_CLIENT,
    workspaceId: request.workspaceId ?? null,
    expiresAt: request.expiresAt,
    connectionId: null,
    isForPrograms: request.isForPrograms ?? false,
  });
  return { id, token };
}

/** Revokes a token everywhere, at once. */
export async function revokeToken(db: Db, id: string, at: Date): Promise<void> {
  await updateTokenRevoked(db, id, at);
  await notifyIdentityChanged(db);
}

export interface Authenticator {
  /** The caller behind a token of this product, or null for any other text. */
  authenticate(token: string, product: Product, now: Date): Promise<Caller | null>;
  /** The caller as the database has it now, or null when the token is no longer good. */
  refresh(caller: Caller, now: Date): Promise<Caller | null>;
  /** The caller behind the token of this id, or null when it is no longer good. */
  callerOf(tokenId: string, now: Date): Promise<Caller | null>;
  /** Forgets everything remembered; called when identities changed. */
  forget(): void;
}

/** Looks tokens up in the database, or has the identity provider's checked, and remembers the answers for some seconds. */
export function createAuthenticator(db: Db, external?: ExternalIdentity): Authenticator {
  const remembered = new Map<string, { caller: Caller | null; until: number }>();
  // What was read before identities changed is not remembered after.
  let changes = 0;
  const callerById = async (tokenId: string, now: Date): Promise<Caller | null> => {
    const row = await selectTokenById(db, tokenId, now);
    return row === undefined ? null : callerOf(db, row, now);
  };
  const lookUp = async (token: string, hash: Buffer, product: Product, now: Date): Promise<Caller | null> => {
    if (external !== undefined && token.includes('.')) {
      return callerOfExternal(db, await external.verify(token, product, now), product);
    }
    const row = await selectToken(db, hash, now);
    return row === undefined || row.product !== product ? null : callerOf(db, row, now);
  };
  return {
    async authenticate(token, product, now) {
      if (!isTokenForm(token, product) && external === undefined) return null;
      const hash = hashOf(token);
      // Remembered by hash: no token stays in memory in clear. What the provider signed may be good for both products.
      const key = `${product} ${hash.toString('latin1')}`;
      const known = remembered.get(key);
      if (known !== undefined && known.until > now.getTime()) {
        return known.caller !== null && isLive(known.caller, now) ? known.caller : null;
      }
      const changesBefore = changes;
      const caller = await lookUp(token, hash, product, now);
      if (remembered.size >= CACHE_SIZE_MAX) remembered.clear();
      if (changes === changesBefore) remembered.set(key, { caller, until: now.getTime() + CACHE_MS });
      return caller;
    },
    async refresh(caller, now) {
      if (caller.session !== undefined) {
        const session = await selectSessionById(db, caller.session.id);
        return session === undefined ? null : callerOfSession(db, session, caller.product, now);
      }
      if (caller.tokenId !== null) return callerById(caller.tokenId, now);
      return caller.tokenExpiresAt === null ? caller : refreshedExternal(db, caller, now);
    },
    callerOf: callerById,
    forget() {
      changes += 1;
      remembered.clear();
    },
  };
}

/** Whether a token may be one of ours: made by hand, or an opaque one of the authorization server. */
function isTokenForm(token: string, product: Product): boolean {
  return OPAQUE.test(token) || (token.startsWith(`${TOKEN_PREFIX}${product}_`) && token.length <= 200);
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function isLive(caller: Caller, now: Date): boolean {
  return caller.tokenExpiresAt === null || Date.parse(caller.tokenExpiresAt) > now.getTime();
}

async function callerOf(db: Db, row: TokenRow, now: Date): Promise<Caller | null> {
  if (row.revoked_at !== null || row.connection_ended || Date.parse(row.expires_at) <= now.getTime())
    return null;
  const person = await personOf(db, row, {
    product: row.product,
    access: row.access,
    pinned: row.workspace_id,
  });
  if (person === null) return null;
  return {
    ...person,
    tokenId: row.id,
    clientId: row.client_id,
    tokenExpiresAt: row.expires_at,
    connectionId: row.connection_id,
    ...(row.is_for_programs && person.organizationScopes.has(MAKES_PROGRAMS) && { isForPrograms: true }),
  };
}

/** Whom the identity provider vouches for, if they are here: it says who they are, their roles say what they may do. */
async function callerOfExternal(
  db: Db,
  said: ExternalPerson | null,
  product: Product,
): Promise<Caller | null> {
  const user = said === null ? undefined : await selectUserByEmail(db, said.email);
  const owner = user && (await selectOwner(db, user.organization_id, user.id));
  if (said === null || owner === undefined) return null;
  const { access, workspaceId: pinned, clientId, expiresAt } = said;
  const person = await personOf(db, owner, { product, access, pinned });
  return person && { ...person, tokenId: null, clientId, tokenExpiresAt: expiresAt };
}

/** The same person as they are now; what their token pinned stays the only workspace, also where they do not reach it. */
async function refreshedExternal(db: Db, caller: Caller, now: Date): Promise<Caller | null> {
  const owner = isLive(caller, now) && (await selectOwner(db, caller.organization.id, caller.user.id));
  if (!owner) return null;
  const { product, access } = caller;
  const pinned = caller.defaultWorkspaceId;
  const person = await personOf(db, owner, { product, access, pinned });
  return person && { ...caller, ...person };
}

/** The caller of a session for the operations of one domain, or null when the session is over. */
export async function callerOfSession(
  db: Db,
  row: SessionRow,
  product: Domain,
  now: Date,
): Promise<Caller | null> {
  if (row.ended_at !== null || Date.parse(row.expires_at) <= now.getTime()) return null;
  const person = await personOf(db, row, { product, access: 'write', pinned: null });
  if (person === null) return null;
  return {
    ...person,
    tokenId: null,
    clientId: CONSOLE_CLIENT,
    tokenExpiresAt: null,
    session: {
      id: row.id,
      verifiedAt: row.verified_at,
      verifiedWith: row.verified_with,
      verifiedFor: row.verified_for,
    },
  };
}

export type OwnerColumns = Pick<
  TokenRow,
  | 'user_id'
  | 'user_name'
  | 'user_email'
  | 'user_locale'
  | 'organization_id'
  | 'organization_name'
  | 'organization_time_zone'
>;

/** What every caller has, whatever they came in by; null for somebody who has no role in the organization (any more). */
export async function personOf(
  db: Db,
  row: OwnerColumns,
  { product, access, pinned }: { product: Domain; access: AccessLevel; pinned: string | null },
) {
  const memberships = await selectMemberships(db, row.organization_id, row.user_id);
  if (memberships.length === 0) return null;
  const workspaces = reachOf(pinned, memberships, await selectWorkspaces(db, row.organization_id));
  const organizationScopes = scopesOf(memberships.filter((m) => m.workspace_id === null));
  const caller = { product, access, organizationScopes, workspaces };
  return {
    ...caller,
    user: { id: row.user_id, name: row.user_name, email: row.user_email, locale: row.user_locale },
    organization: {
      id: row.organization_id,
      name: row.organization_name,
      timeZone: row.organization_time_zone,
    },
    defaultWorkspaceId: pinned ?? onlyKeyOf(workspaces),
    visibilityKey: `${access}:${[...scopesAnywhere(caller)].sort().join(' ')}`,
  };
}

/** The workspaces the person has a role in; only the pinned one where one is pinned. */
function reachOf(
  pinned: string | null,
  memberships: ReachRow[],
  all: WorkspaceRow[],
): Map<string, ReachableWorkspace> {
  const reach = new Map<string, ReachableWorkspace>();
  for (const { id, name, time_zone } of all) {
    if (pinned !== null && pinned !== id) continue;
    const scopes = scopesOf(memberships.filter((m) => m.workspace_id === null || m.workspace_id === id));
    if (scopes.size > 0) reach.set(id, { id, name, timeZone: time_zone, scopes });
  }
  return reach;
}

function scopesOf(memberships: ReachRow[]): Set<string> {
  return new Set(memberships.flatMap(({ role }) => [...roleScopes[role]]));
}

function onlyKeyOf(workspaces: ReadonlyMap<string, ReachableWorkspace>): string | null {
  return workspaces.size === 1 ? [...workspaces.keys()][0]! : null;
}
