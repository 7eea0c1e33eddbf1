/** The authorization server of one origin: `oidc-provider` with our database, our consent and nothing that is not needed. */

import type { errors, KoaContextWithOIDC, Provider, ResourceServer } from 'oidc-provider';
import type { AddressOf } from '../core/client-address.ts';
import { productOfResource, tokenScopesOf } from '../core/resources.ts';
import type { AppDatabase } from '../db/database.ts';
import { countAttempt, subjectDigestOf } from '../identity/attempts.ts';
import { createAdapter } from './adapter.ts';
import { sendErrorPage } from './error-page.ts';
import { createClientFetch } from './fetching.ts';
import { cookieKeysOf, signingKeysOf } from './keys.ts';
import { selectIsGrantLive } from './queries.ts';

const HOUR_SECONDS = 3_600;
const ACCESS_TOKEN_SECONDS = HOUR_SECONDS;
const REFRESH_TOKEN_SECONDS = 30 * 24 * HOUR_SECONDS;
const CODE_SECONDS = 60;
const CONSENT_SECONDS = HOUR_SECONDS;
/** What an unknown client can make us fetch, per address and hour. */
const FETCHES_MAX = 60;
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'] as const;
/** Asked for by clients of OpenID Connect; every connection has a refresh token anyway. */
const IGNORED_SCOPES = new Set(['offline_access']);

export interface OAuthOptions {
  readonly database: AppDatabase;
  readonly secretKeys: readonly string[];
  readonly now: () => Date;
  readonly addressOf: AddressOf;
  /** Private addresses, as `host:port`, from which client metadata may be fetched; for tests. */
  readonly testHosts: readonly string[];
  /** The identity provider that lets people and clients in instead of us. */
  readonly externalIssuer?: string | undefined;
  /** Logs a failure nobody foresaw and gives the id to tell the person. */
  readonly logFailure: (error: unknown, where: string) => string;
  /** Logs that somebody was refused, with facts that hold no secret. */
  readonly logRefusal: (what: string, facts: Readonly<Record<string, string>>) => void;
}

/** The paths below; the first part says whose they are. */
export const PREFIX = '/oauth/';
export const REGISTRATION_PATH = '/oauth/register';
export const CONSENT_PATH = '/oauth/interaction/';

type Errors = typeof errors;
type Named = { readonly clientId?: string | undefined };

/** Builds the server of this origin. The library is loaded when the first request needs it: it is large. */
export async function createProvider(options: OAuthOptions, origin: string): Promise<Provider> {
  const library = await import('oidc-provider');
  const { database, now, secretKeys } = options;
  const db = database.shared;
  const signing = signingKeysOf(secretKeys);
  const invalidGrant = (detail: string) => new library.errors.InvalidGrant(detail);
  const isSecure = origin.startsWith('https:');
  const cookie = { httpOnly: true, sameSite: 'lax', secure: isSecure, signed: true } as const;
  const provider = new library.Provider(origin, {
    adapter: (model: string) => createAdapter({ db, now, invalidGrant }, model),
    allowOmittingSingleRegisteredRedirectUri: false,
    clientAuthMethods: ['none', 'private_key_jwt'],
    clientBasedCORS: () => true,
    clientDefaults: { id_token_signed_response_alg: 'EdDSA', token_endpoint_auth_method: 'none' },
    cookies: {
      keys: cookieKeysOf(secretKeys),
      names: { session: 'kobana_oauth', interaction: 'kobana_consent', resume: 'kobana_resume' },
      short: cookie,
      long: cookie,
    },
    enabledJWA: {
      clientAuthSigningAlgValues: [...ALGORITHMS],
      idTokenSigningAlgValues: ['EdDSA'],
    },
    expiresWithSession: async () => false,
    features: featuresOf(options, origin, library.errors),
    fetch: createClientFetch(options),
    findAccount: async (_ctx, accountId, token) => {
      const grantId = token !== undefined && 'grantId' in token ? token.grantId : undefined;
      if (grantId !== undefined && !(await selectIsGrantLive(db, grantId, now()))) return undefined;
      return { accountId, claims: async () => ({ sub: accountId }) };
    },
    interactions: {
      policy: policyOf(library.interactionPolicy),
      url: (_ctx, { uid }) => CONSENT_PATH + uid,
    },
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    jwks: { keys: signing },
    pkce: { required: () => true },
    renderError: (ctx, out, error) => sendErrorPage(ctx, out, error),
    responseTypes: ['code'],
    revokeGrantPolicy: () => true,
    rotateRefreshToken: true,
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      revocation: '/oauth/revoke',
      jwks: '/oauth/jwks',
      end_session: '/oauth/end',
    },
    scopes: [],
    ttl: {
      AccessToken: (ctx) => withinGrant(ctx, ACCESS_TOKEN_SECONDS),
      RefreshToken: (ctx) => withinGrant(ctx, REFRESH_TOKEN_SECONDS),
      AuthorizationCode: CODE_SECONDS,
      Interaction: CONSENT_SECONDS,
      Session: CONSENT_SECONDS,
      Grant: REFRESH_TOKEN_SECONDS,
    },
  });
  // The mount says which origin a request came to, past whatever stands in front of us.
  provider.proxy = true;
  provider.use(tidyMetadata);
  logRefusals(provider, options);
  return provider;
}

/** A token ends with its connection at the latest. */
function withinGrant(ctx: KoaContextWithOIDC, seconds: number): number {
  const left = ctx.oidc.entities.Grant?.remainingTTL ?? seconds;
  return Math.max(1, Math.min(seconds, left));
}

function featuresOf(options: OAuthOptions, origin: string, known: Errors) {
  const off = { enabled: false } as const;
  const fetched = new WeakSet<object>();
  return {
    clientIdMetadataDocument: {
      enabled: true,
      ack: 'draft-02',
      allowFetch: (ctx: KoaContextWithOIDC | undefined) => mayFetch(options, fetched, ctx),
    },
    devInteractions: off,
    dPoP: off,
    pushedAuthorizationRequests: off,
    rpInitiatedLogout: off,
    userinfo: off,
    revocation: {
      enabled: true,
      allowedPolicy: async (_ctx: unknown, client: Named, token: Named) => client.clientId === token.clientId,
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: async () => {
        throw new known.InvalidTarget(`resource must be one server, such as ${origin}/finance/mcp`);
      },
      getResourceServerInfo: (ctx: KoaContextWithOIDC, resource: string) =>
        resourceServerOf(ctx, origin, resource, known),
    },
  };
}

/** One of our two servers, and only with its own scopes; what else a request must be is checked here as well. */
function resourceServerOf(
  ctx: KoaContextWithOIDC,
  origin: string,
  resource: string,
  known: Errors,
): ResourceServer {
  const product = productOfResource(origin, resource);
  const params = ctx.oidc.params!;
  if (product === null || Array.isArray(params['resource'])) {
    throw new known.InvalidTarget(`resource must be one server, such as ${origin}/finance/mcp`);
  }
  const scopes = tokenScopesOf(product);
  if (ctx.oidc.route === 'authorization') {
    checkResponseMode(params, known);
    params['scope'] = wantedScope(String(params['scope'] ?? ''), scopes, known);
  }
  return { scope: scopes.join(' '), audience: resource, accessTokenFormat: 'opaque' };
}

function checkResponseMode(params: Record<string, unknown>, known: Errors): void {
  const mode = params['response_mode'];
  if (mode === undefined || mode === 'query') return;
  // The refusal itself goes the usual way.
  params['response_mode'] = undefined;
  throw new known.UnsupportedResponseMode('response_mode must be query');
}

/** The scopes asked for; reading goes with writing, and is meant where none is named (PROTOCOL AU-13, AU-16). */
function wantedScope(asked: string, [read, write]: readonly string[], known: Errors): string {
  const names = asked.split(' ').filter((name) => name !== '' && !IGNORED_SCOPES.has(name));
  const unknown = names.find((name) => name !== read && name !== write);
  if (unknown !== undefined) {
    throw new known.InvalidScope(`the scopes of this server are ${read} and ${write}`, unknown);
  }
  return names.includes(write!) ? `${read} ${write}` : read!;
}

/** Consent is asked for every time, whatever was granted before (PROTOCOL AU-49). */
function policyOf({ Check, Prompt }: typeof import('oidc-provider').interactionPolicy) {
  const asked = new Check('consent_missing', 'A person has to agree', 'consent_required', (ctx) => {
    return ctx.oidc.result?.consent?.grantId === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT;
  });
  return [
    new Prompt({ name: 'login', requestable: true }),
    new Prompt({ name: 'consent', requestable: true }, asked),
  ];
}

/**
 * Counts what is fetched for an address. The library asks anew for a client it just could not get, to answer its own
 * refusal; one request fetches once. Outside of a request a consent is shown, whose client was fetched before.
 */
async function mayFetch(
  options: OAuthOptions,
  fetched: WeakSet<object>,
  ctx: KoaContextWithOIDC | undefined,
): Promise<boolean> {
  if (ctx === undefined) return true;
  if (fetched.has(ctx.req)) return false;
  fetched.add(ctx.req);
  const { database, secretKeys, addressOf, now } = options;
  const subject = subjectDigestOf(secretKeys[0]!, addressOf(ctx.req));
  const windowMs = HOUR_SECONDS * 1_000;
  const count = await countAttempt(database.shared, 'client_metadata:address', subject, now(), windowMs);
  return count <= FETCHES_MAX;
}

/** What clients need to know (RFC 8414), without the parts of OpenID Connect that are not served. */
async function tidyMetadata(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  if (ctx.oidc?.route !== 'discovery') return;
  const said = ctx.body as Readonly<Record<string, unknown>>;
  const issuer = String(said['issuer']);
  ctx.body = {
    issuer,
    authorization_endpoint: said['authorization_endpoint'],
    token_endpoint: said['token_endpoint'],
    registration_endpoint: issuer + REGISTRATION_PATH,
    revocation_endpoint: said['revocation_endpoint'],
    jwks_uri: said['jwks_uri'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    scopes_supported: [...tokenScopesOf('finance'), ...tokenScopesOf('dunning')],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: said['token_endpoint_auth_methods_supported'],
    token_endpoint_auth_signing_alg_values_supported: [...ALGORITHMS],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['EdDSA'],
  };
}

function logRefusals(provider: Provider, { logFailure, logRefusal }: OAuthOptions): void {
  provider.silent = true;
  provider.on('server_error', (_ctx, error) => logFailure(error, 'oauth'));
  const refused = (what: string) => (ctx: KoaContextWithOIDC, error: Error) =>
    logRefusal(what, {
      client: ctx.oidc.client?.clientId ?? 'unknown',
      error: error.message,
      why: saidIn(error, 'error_detail') ?? saidIn(error, 'error_description') ?? '',
    });
  provider.on('authorization.error', refused('an authorization was refused'));
  provider.on('grant.error', refused('a token was refused'));
  provider.on('grant.revoked', (ctx: KoaContextWithOIDC) => {
    if (ctx.oidc.route !== 'token') return;
    const client = ctx.oidc.client?.clientId ?? 'unknown';
    logRefusal('a code or refresh token was used again: its connection was revoked', { client });
  });
}

function saidIn(error: Error, field: 'error_detail' | 'error_description'): string | undefined {
  const said = (error as { readonly [name in typeof field]?: unknown })[field];
  return typeof said === 'string' ? said : undefined;
}
