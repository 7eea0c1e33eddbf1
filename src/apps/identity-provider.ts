/** The identity provider that lets people in instead of us, as the environment says it. */

import { resourceUrlOf } from '../core/resources.ts';
import { EMAIL_CLAIM, type ExternalIdentityConfig } from '../identity/external.ts';
import type { Given } from './messages.ts';
import { UsageError } from './usage.ts';

const SCOPE_CLAIM = 'scope';
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Undefined when none is named. Tokens have to be for the address of the server unless an audience is named for both. */
export function identityProviderOf(
  read: Given,
  publicUrl: string | undefined,
): ExternalIdentityConfig | undefined {
  const issuer = read('KOBANA_IDP_ISSUER');
  const audience = read('KOBANA_IDP_AUDIENCE');
  const jwksUrl = read('KOBANA_IDP_JWKS_URL');
  const workspaceClaim = read('KOBANA_IDP_WORKSPACE_CLAIM');
  if (issuer === undefined) return undefined;
  requireSafe('KOBANA_IDP_ISSUER', issuer);
  if (jwksUrl !== undefined) requireSafe('KOBANA_IDP_JWKS_URL', jwksUrl);
  if (audience === undefined && publicUrl === undefined) {
    throw new UsageError(
      'KOBANA_IDP_ISSUER needs PUBLIC_URL or KOBANA_IDP_AUDIENCE: what its tokens are for',
    );
  }
  return {
    issuer,
    audienceOf: (product) => audience ?? resourceUrlOf(new URL(publicUrl!).origin, product),
    jwksUrl,
    emailClaim: read('KOBANA_IDP_EMAIL_CLAIM') ?? EMAIL_CLAIM,
    scopeClaim: read('KOBANA_IDP_SCOPE_CLAIM') ?? SCOPE_CLAIM,
    workspaceClaim,
  };
}

/** Whoever can change what comes over plain http can let anybody in. */
function requireSafe(name: string, text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.has(url.hostname))) return;
  throw new UsageError(`${name} must be an address that starts with https://`);
}
