/** The two servers as protected resources of OAuth: their addresses, scopes and metadata (RFC 8707, RFC 9728). */

import type { AccessLevel, Product } from './caller.ts';
import { tokenScopeOf } from './operation.ts';

const productNames: readonly Product[] = ['finance', 'dunning'];

/**
 * The address a request came to: the public one when it named that host, else plain http at the host it named, which
 * has to be checked before.
 */
export function originOf(host: string | undefined, publicUrl: string | undefined): string {
  const named = (host ?? '').toLowerCase();
  const open = publicUrl === undefined ? undefined : new URL(publicUrl);
  return open?.host === named ? open.origin : `http://${named}`;
}

/** What a token is for, in the form clients have to name it (PROTOCOL AU-04). */
export function resourceUrlOf(origin: string, product: Product): string {
  return `${origin}/${product}/mcp`;
}

/** The product whose server this is at this origin; null for any other text. */
export function productOfResource(origin: string, resource: string): Product | null {
  return productNames.find((product) => resourceUrlOf(origin, product) === resource) ?? null;
}

/** Where clients find who lets them in (PROTOCOL AU-03). */
export function metadataPathOf(product: Product): string {
  return `/.well-known/oauth-protected-resource/${product}/mcp`;
}

export function metadataUrlOf(origin: string, product: Product): string {
  return origin + metadataPathOf(product);
}

/** Every scope a token of this product can have. */
export function tokenScopesOf(product: Product): readonly string[] {
  return [tokenScopeOf(product, 'read'), tokenScopeOf(product, 'write')];
}

/** The access level these scopes give; write implies read (PROTOCOL AU-13). Null when none is of this product. */
export function accessOf(product: Product, scopes: Iterable<string>): AccessLevel | null {
  const given = new Set(scopes);
  const level = (['write', 'read'] as const).find((access) => given.has(tokenScopeOf(product, access)));
  return level ?? null;
}
