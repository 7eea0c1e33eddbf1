/** Finds what stands at a path: words before parameters, each segment exactly. */

import type { Method } from './routes.ts';

export interface Entry<T> {
  readonly method: Method;
  /** With its parameters in braces. */
  readonly path: string;
  readonly value: T;
}

export type Found<T> =
  | { readonly kind: 'found'; readonly value: T; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'other_method'; readonly allow: readonly Method[] }
  | { readonly kind: 'none' };

interface Node<T> {
  readonly words: Map<string, Node<T>>;
  /** What any other segment leads to. */
  other: Node<T> | undefined;
  readonly ends: Map<Method, { readonly value: T; readonly names: readonly string[] }>;
}

/** A look-up over these entries. Throws at start-up when two of them are the same. */
export function createRouter<T>(entries: readonly Entry<T>[]): (method: string, path: string) => Found<T> {
  const root = newNode<T>();
  for (const entry of entries) add(root, entry);
  return (method, path) => {
    const segments = segmentsOf(path);
    const values: string[] = [];
    let node: Node<T> | undefined = segments === null ? undefined : root;
    for (const segment of segments ?? []) {
      const next: Node<T> | undefined = node?.words.get(segment);
      if (next === undefined) values.push(segment);
      node = next ?? node?.other;
    }
    if (node === undefined || node.ends.size === 0) return { kind: 'none' };
    const end = node.ends.get(method as Method);
    if (end === undefined) return { kind: 'other_method', allow: [...node.ends.keys()] };
    const params = Object.fromEntries(end.names.map((name, index) => [name, values[index]!]));
    return { kind: 'found', value: end.value, params };
  };
}

function add<T>(root: Node<T>, { method, path, value }: Entry<T>): void {
  const names: string[] = [];
  let node = root;
  for (const segment of path.slice(1).split('/')) {
    if (segment.startsWith('{')) {
      names.push(segment.slice(1, -1));
      node.other ??= newNode();
      node = node.other;
    } else {
      const next = node.words.get(segment) ?? newNode<T>();
      node.words.set(segment, next);
      node = next;
    }
  }
  if (node.ends.has(method)) throw new Error(`two routes are ${method} ${path}`);
  node.ends.set(method, { value, names });
}

const newNode = <T>(): Node<T> => ({ words: new Map(), other: undefined, ends: new Map() });

/** The decoded segments, or null for a path that is none of ours whatever it says. */
function segmentsOf(path: string): string[] | null {
  if (!path.startsWith('/') || path.length > 1_000) return null;
  try {
    const segments = path.slice(1).split('/').map(decodeURIComponent);
    return segments.includes('') ? null : segments;
  } catch {
    return null;
  }
}
