/**
 * An organization's own identity provider: its access tokens (RFC 9068) stand for people who are here already. It never
 * makes anybody, and whoever has no role here comes in no more, whatever their token says.
 */

import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import type { AccessLevel, Product } from '../core/caller.ts';
import { accessOf } from '../core/resources.ts';

/** Public-key algorithms alone: `none` is no signature, and with a shared secret whoever checks could also sign. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];
/** The keys could not be had: that is nobody's wrong token. */
const unreachable = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC']);
const TYPES = new Set(['at+jwt', 'jwt']);
const TOKEN_LENGTH_MAX = 8_192;
const DISCOVERY_TIMEOUT_MS = 5_000;
const DISCOVERY_BYTES_MAX = 64 * 1024;
/** What the claim of an e-mail address is called where OpenID Connect says so; with it goes the one below. */
export const EMAIL_CLAIM = 'email';
const VERIFIED_CLAIM = 'email_verified';

export interface ExternalIdentityConfig {
  /** Exactly as the provider's tokens and metadata say it. */
  readonly issuer: string;
  /** What tokens for the server of this product have to be for. */
  readonly audienceOf: (product: Product) => string;
  /** Where its keys are; default: where its metadata says. */
  readonly jwksUrl?: string | undefined;
  readonly emailClaim: string;
  readonly scopeClaim: string;
  /** Names the one workspace a token is for, by its id; default: every workspace the person reaches. */
  readonly workspaceClaim?: string | undefined;
}

/** What a good token says. */
export interface ExternalPerson {
  readonly email: string;
  readonly access: AccessLevel;
  readonly clientId: string;
  readonly workspaceId: string | null;
  readonly expiresAt: string;
}

export interface ExternalIdentity {
  readonly issuer: string;
  /** Null for a token that is not good for this product; throws when the provider cannot be reached. */
  verify(token: string, product: Product, now: Date): Promise<ExternalPerson | null>;
}

/** Loaded when the first token needs it: who has no such provider never does. */
const loadJose = () => import('jose');

/** Keys are fetched at the first token, and again when one is signed with a key that is not known. */
export function createExternalIdentity(config: ExternalIdentityConfig): ExternalIdentity {
  const keysOf = rememberedKeys(config);
  return {
    issuer: config.issuer,
    async verify(token, product, now) {
      if (token.length > TOKEN_LENGTH_MAX || token.split('.').length !== 3) return null;
      const claims = await claimsOf(config, await keysOf(), token, product, now);
      return claims === null ? null : personOf(config, claims, product);
    },
  };
}

async function claimsOf(
  config: ExternalIdentityConfig,
  keys: JWTVerifyGetKey,
  token: string,
  product: Product,
  now: Date,
): Promise<JWTPayload | null> {
  const { errors, jwtVerify } = await loadJose();
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer: config.issuer,
      audience: config.audienceOf(product),
      algorithms: ALGORITHMS,
      requiredClaims: ['exp', 'iss', 'aud'],
      currentDate: now,
    });
    const type = (protectedHeader.typ ?? '').toLowerCase().replace(/^application\//, '');
    return TYPES.has(type) ? payload : null;
  } catch (error) {
    if (error instanceof errors.JOSEError && !unreachable.has(error.code)) return null;
    throw error;
  }
}

function personOf(
  config: ExternalIdentityConfig,
  claims: JWTPayload,
  product: Product,
): ExternalPerson | null {
  const email = claims[config.emailClaim];
  const access = accessOf(product, scopesIn(claims[config.scopeClaim]));
  const clientId = claims['client_id'] ?? claims['azp'];
  const workspace = config.workspaceClaim === undefined ? undefined : claims[config.workspaceClaim];
  if (typeof email !== 'string' || email === '' || access === null) return null;
  // Another claim is one that whoever configured it vouches for.
  if (config.emailClaim === EMAIL_CLAIM && claims[VERIFIED_CLAIM] !== true) return null;
  if (typeof clientId !== 'string' || clientId === '') return null;
  if (config.workspaceClaim !== undefined && typeof workspace !== 'string') return null;
  return {
    email,
    access,
    clientId,
    workspaceId: typeof workspace === 'string' ? workspace : null,
    expiresAt: new Date(claims.exp! * 1_000).toISOString(),
  };
}

/** A text with spaces (RFC 9068), or a list as some providers write it. */
function scopesIn(claim: unknown): string[] {
  if (typeof claim === 'string') return claim.split(' ');
  return Array.isArray(claim) ? claim.filter((scope) => typeof scope === 'string') : [];
}

function rememberedKeys({ issuer, jwksUrl }: ExternalIdentityConfig): () => Promise<JWTVerifyGetKey> {
  let keys: Promise<JWTVerifyGetKey> | undefined;
  return () => {
    keys ??= (jwksUrl === undefined ? discoverKeys(issuer) : Promise.resolve(jwksUrl))
      .then(async (url) => (await loadJose()).createRemoteJWKSet(new URL(url)))
      .catch((error: unknown) => {
        keys = undefined;
        throw error;
      });
    return keys;
  };
}

/** Where the provider's metadata says its keys are (OpenID Connect Discovery, RFC 8414). */
export async function discoverKeys(issuer: string): Promise<string> {
  const base = issuer.replace(/\/$/, '');
  const { origin, pathname } = new URL(base);
  const places = [
    `${base}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${pathname === '/' ? '' : pathname}`,
  ];
  for (const place of places) {
    const signal = AbortSignal.timeout(DISCOVERY_TIMEOUT_MS);
    const answer = await fetch(place, { signal, redirect: 'error' });
    const text = (await answer.text()).slice(0, DISCOVERY_BYTES_MAX);
    if (!answer.ok) continue;
    const said = JSON.parse(text) as { issuer?: unknown; jwks_uri?: unknown };
    if (said.issuer === issuer && typeof said.jwks_uri === 'string') return said.jwks_uri;
  }
  throw new Error('The identity provider says nowhere where its keys are.');
}
