import type { Tenant } from './ports.ts';

export type Product = 'finance' | 'dunning';
/** What operations belong to: a product, or the account itself (people, connections, settings), which only a session reaches. */
export type Domain = Product | 'account';
export type AccessLevel = 'read' | 'write';
export type Locale = 'pt-BR' | 'en';

export interface ReachableWorkspace {
  readonly id: string;
  readonly name: string;
  readonly timeZone: string;
  /** Permission scopes the person holds in this workspace. */
  readonly scopes: ReadonlySet<string>;
}

/** A person signed in to the console. */
export interface SessionFacts {
  readonly id: string;
  /** When and how the person last proved to be there. */
  readonly verifiedAt: string;
  readonly verifiedWith: VerificationMethod;
  /** What that proof was given for, such as `approval:<id>`; null: for being here. */
  readonly verifiedFor: string | null;
}

export type VerificationMethod = 'password' | 'passkey';

/** The verified person behind a call, with what they may do. Built by `identity` from a token, never from arguments. */
export interface Caller {
  readonly product: Domain;
  readonly access: AccessLevel;
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly locale: Locale;
  };
  readonly organization: { readonly id: string; readonly name: string; readonly timeZone: string };
  readonly tokenId: string | null;
  readonly clientId: string;
  readonly tokenExpiresAt: string | null;
  /** The connection that the token belongs to; absent or null for a token made by hand, and for a session. */
  readonly connectionId?: string | null;
  /** Present when the person acts in the console instead of through a token. */
  readonly session?: SessionFacts;
  /** The token is a program's: over REST its destructive calls run without a question, under an idempotency key. */
  readonly isForPrograms?: boolean;
  /** Scopes held in the whole organization (dunning). */
  readonly organizationScopes: ReadonlySet<string>;
  /** Finance workspaces the person reaches; only the pinned one when the connection pinned one. */
  readonly workspaces: ReadonlyMap<string, ReachableWorkspace>;
  /** The only workspace that this request may reach, where its address names one; it stays so when rights are looked up again. */
  readonly onlyWorkspaceId?: string;
  /** The pinned workspace, else the only one reached, else null (PROTOCOL C-72). */
  readonly defaultWorkspaceId: string | null;
  /** Equal for callers that see the same tools; the key of every per-caller cache. */
  readonly visibilityKey: string;
}

/** The scopes that count for what a caller sees: of any reachable workspace (finance) or of the organization (the others). */
export function scopesAnywhere(
  caller: Pick<Caller, 'product' | 'organizationScopes' | 'workspaces'>,
): Set<string> {
  if (caller.product !== 'finance') return new Set(caller.organizationScopes);
  const scopes = new Set<string>();
  for (const workspace of caller.workspaces.values()) for (const scope of workspace.scopes) scopes.add(scope);
  return scopes;
}

/** The caller with this one workspace, or null when it is not reached. */
export function narrowedTo(caller: Caller, workspaceId: string): Caller | null {
  const workspace = caller.workspaces.get(workspaceId);
  if (workspace === undefined) return null;
  const narrowed = {
    ...caller,
    workspaces: new Map([[workspaceId, workspace]]),
    defaultWorkspaceId: workspaceId,
    onlyWorkspaceId: workspaceId,
  };
  return { ...narrowed, visibilityKey: `${caller.access}:${[...scopesAnywhere(narrowed)].sort().join(' ')}` };
}

/** The tenant of a call plus what an operation wants to know about it. */
export interface Place extends Tenant {
  readonly timeZone: string;
  readonly scopes: ReadonlySet<string>;
  readonly workspaceName: string | null;
}
