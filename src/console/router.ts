/** Which page a path belongs to. */

export interface Route<P> {
  readonly page: P;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Gives the page of a path and the values of its parameters, or null. A literal part wins over a parameter whatever
 * the order of the pages; a parameter is one part of the path, decoded.
 */
export function createRouter<P extends { readonly path: string }>(
  pages: readonly P[],
): (path: string) => Route<P> | null {
  const routes = pages.map((page) => ({ page, parts: page.path.split('/') }));
  routes.sort((one, other) => rankOf(one.parts).localeCompare(rankOf(other.parts)));
  return (path) => {
    const given = path.split('/');
    for (const { page, parts } of routes) {
      const params = match(parts, given);
      if (params !== null) return { page, params };
    }
    return null;
  };
}

/** Literal parts sort before parameters, from left to right. */
function rankOf(parts: readonly string[]): string {
  return parts.map((part) => (part.startsWith(':') ? '1' : '0')).join('');
}

function match(parts: readonly string[], given: readonly string[]): Record<string, string> | null {
  if (parts.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const value = given[index]!;
    if (!part.startsWith(':')) {
      if (part !== value) return null;
    } else {
      const decoded = decode(value);
      if (decoded === null || decoded === '') return null;
      params[part.slice(1)] = decoded;
    }
  }
  return params;
}

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
