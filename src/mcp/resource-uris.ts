/** The grammar of our URIs. The raw string is matched: `new URL()` would fold `..` and `%2e%2e` (PROTOCOL RE-19). */

import type { Product } from '../core/caller.ts';
import { parseId } from '../core/ids.ts';
import type { ResourceDefinition } from '../core/surfaces.ts';

const URI_LENGTH_MAX = 2_048;
const PARTS = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)(\/[^?#]*)$/;
const VARIABLE = /^\{([a-z_]+)\}$/;
const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** A resource with its URI taken apart once. */
export interface ResourcePattern {
  readonly resource: ResourceDefinition;
  /** Path segments; null where the variable stands. */
  readonly segments: readonly (string | null)[];
  /** The name of the variable, or null for a fixed URI. */
  readonly variable: string | null;
}

export interface ResourceMatch {
  readonly resource: ResourceDefinition;
  readonly args: Readonly<Record<string, string>>;
  /** The URI in its canonical form: lower-case scheme, authority and id. */
  readonly uri: string;
}

/** Takes a definition apart. Throws at start-up when its URI is not one of the product's. */
export function patternOf(product: Product, resource: ResourceDefinition): ResourcePattern {
  const prefix = `kobana://${product}/`;
  if (!resource.uri.startsWith(prefix)) throw new Error(`${resource.uri} is not under ${prefix}`);
  const parts = resource.uri.slice(prefix.length).split('/');
  const variables = parts.flatMap((part) => VARIABLE.exec(part)?.[1] ?? []);
  if (variables.length > 1) throw new Error(`${resource.uri} has more than one variable`);
  return {
    resource,
    segments: parts.map((part) => (VARIABLE.test(part) ? null : part)),
    variable: variables[0] ?? null,
  };
}

/**
 * The resource a URI stands for, or null. Scheme and authority compare without case, the path exactly; the
 * variable is decoded and then has to be an id or a name, so nothing else fits into it (PROTOCOL RE-18).
 */
export function matchUri(
  product: Product,
  patterns: readonly ResourcePattern[],
  uri: string,
): ResourceMatch | null {
  if (uri.length > URI_LENGTH_MAX) return null;
  const [, scheme, authority, path] = PARTS.exec(uri) ?? [];
  if (scheme?.toLowerCase() !== 'kobana' || authority?.toLowerCase() !== product) return null;
  const segments = path!.slice(1).split('/');
  for (const pattern of patterns) {
    const match = matchPattern(product, pattern, segments);
    if (match !== null) return match;
  }
  return null;
}

function matchPattern(
  product: Product,
  pattern: ResourcePattern,
  given: readonly string[],
): ResourceMatch | null {
  if (given.length !== pattern.segments.length) return null;
  let value: string | null = null;
  for (const [index, segment] of pattern.segments.entries()) {
    if (segment !== null) {
      if (segment !== given[index]) return null;
    } else {
      value = variableValue(pattern.resource, given[index]!);
      if (value === null) return null;
    }
  }
  const path = pattern.segments.map((segment) => segment ?? value).join('/');
  return {
    resource: pattern.resource,
    args: pattern.variable === null ? {} : { [pattern.resource.argument ?? pattern.variable]: value! },
    uri: `kobana://${product}/${path}`,
  };
}

function variableValue({ variable }: ResourceDefinition, raw: string): string | null {
  let text = raw;
  if (raw.includes('%')) {
    try {
      text = decodeURIComponent(raw);
    } catch {
      return null;
    }
  }
  if (variable === 'name') return NAME.test(text) && text !== '.' && text !== '..' ? text : null;
  return parseId(text);
}
