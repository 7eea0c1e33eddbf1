/** The directions of the house (ARCHITECTURE.md) as checks over files and what they import. */

import { dirname, join, normalize } from 'node:path/posix';

export interface SourceFile {
  /** Relative to the repository, for example `src/core/money.ts`. */
  readonly path: string;
  readonly text: string;
}

interface Edge {
  readonly from: string;
  /** A path under `src/`, or the name of a package. */
  readonly to: string;
  readonly isTypeOnly: boolean;
}

interface Rule {
  readonly name: string;
  readonly breaks: (edge: Edge) => boolean;
}

/** `account` is no product, but its folders are slices like theirs. */
const products = ['finance', 'dunning', 'account'];
const surfaces = ['mcp', 'rest', 'oauth', 'console', 'web', 'apps', 'worker'];

const topOf = (path: string) => (path.startsWith('src/') ? path.split('/')[1]! : null);

/** `src/finance/payables/…` gives `finance/payables`; files of the product itself give null. */
function sliceOf(path: string): string | null {
  const [, product, slice, rest] = path.split('/');
  return product !== undefined && products.includes(product) && rest !== undefined
    ? `${product}/${slice}`
    : null;
}

const isInside = (path: string) => path.startsWith('src/');
const fileOf = (path: string) => path.split('/').at(-1)!;

export const rules: readonly Rule[] = [
  {
    name: '1: core imports only core; db only core',
    breaks: ({ from, to }) =>
      isInside(to) &&
      ((topOf(from) === 'core' && topOf(to) !== 'core') ||
        (topOf(from) === 'db' && !['core', 'db'].includes(topOf(to)!))),
  },
  {
    name: '2: finance never imports dunning; the account imports neither',
    breaks: ({ from, to }) =>
      (topOf(from) === 'finance' && ['dunning', 'account'].includes(topOf(to)!)) ||
      (topOf(from) === 'dunning' && topOf(to) === 'account') ||
      (topOf(from) === 'account' && ['finance', 'dunning'].includes(topOf(to)!)),
  },
  {
    name: '3: a slice is entered only at its index.ts',
    breaks: ({ from, to }) => {
      const slice = sliceOf(to);
      return slice !== null && sliceOf(from) !== slice && fileOf(to) !== 'index.ts';
    },
  },
  {
    name: '4: a slice knows no surface',
    breaks: ({ from, to }) =>
      products.includes(topOf(from)!) &&
      (surfaces.includes(topOf(to)!) || /^(@modelcontextprotocol\/|node:http)/.test(to)),
  },
  {
    name: '6: the pure rooms, index.ts and prompts.ts never import queries.ts; only db imports a driver',
    breaks: ({ from, to, isTypeOnly }) =>
      (to === 'pg' && topOf(from) !== 'db') ||
      (sliceOf(to) !== null &&
        !isTypeOnly &&
        /queries\.ts$/.test(to) &&
        ['rules.ts', 'schema.ts', 'index.ts', 'prompts.ts'].includes(fileOf(from))),
  },
  {
    name: '7: gateways are reached from jobs, never from an operation',
    breaks: ({ from, to, isTypeOnly }) =>
      topOf(to) === 'gateways' &&
      !(isTypeOnly && fileOf(to) === 'port.ts') &&
      products.includes(topOf(from)!) &&
      !/\/jobs(\.ts|\/)/.test(from),
  },
  {
    name: '9: the console knows the books by REST only; pages know nothing but pages',
    breaks: ({ from, to, isTypeOnly }) =>
      isInside(to) &&
      ((topOf(from) === 'console' &&
        !['console', 'core', 'web'].includes(topOf(to)!) &&
        !(isTypeOnly && to === 'src/rest/client.ts')) ||
        (topOf(from) === 'web' && !['web', 'core'].includes(topOf(to)!))),
  },
  {
    name: '8: nothing imports apps',
    breaks: ({ from, to }) => topOf(to) === 'apps' && topOf(from) !== 'apps',
  },
];

/** Every breach of a rule, as `rule: from -> to`; and every cycle of imports that exist at run time. */
export function violations(files: readonly SourceFile[]): string[] {
  const edges = files.flatMap(edgesOf);
  const breaches = edges.flatMap((edge) =>
    rules.filter((rule) => rule.breaks(edge)).map((rule) => `${rule.name}: ${edge.from} -> ${edge.to}`),
  );
  return [...breaches, ...impureRooms(edges), ...cycles(edges)];
}

/**
 * `rules.ts` and `schema.ts` are pure, and so is whatever they import: no database, no clock, no gateway. A
 * port's types are data.
 */
function impureRooms(edges: readonly Edge[]): string[] {
  const next = Map.groupBy(edges, (edge) => edge.from);
  const isPure = ({ to, isTypeOnly }: Edge) =>
    to === 'zod' ||
    ['node:buffer', 'node:crypto', 'node:util'].includes(to) ||
    topOf(to) === 'core' ||
    // A table of constants.
    to === 'src/identity/roles.ts' ||
    (isTypeOnly && topOf(to) === 'gateways' && fileOf(to) === 'port.ts');
  const found: string[] = [];
  const visit = (room: string, file: string, seen: Set<string>): void => {
    for (const edge of next.get(file) ?? []) {
      if (isPure(edge) || seen.has(edge.to)) continue;
      seen.add(edge.to);
      const isOwn = products.includes(topOf(edge.to) ?? '') && !/(queries|resource)\.ts$/.test(edge.to);
      if (isOwn) visit(room, edge.to, seen);
      else found.push(`5: rules.ts and schema.ts are pure: ${room}: ${file} -> ${edge.to}`);
    }
  };
  for (const file of next.keys()) {
    const isPureRoom = products.includes(topOf(file)!) && ['rules.ts', 'schema.ts'].includes(fileOf(file));
    if (isPureRoom) visit(file, file, new Set());
  }
  return found;
}

function edgesOf({ path, text }: SourceFile): Edge[] {
  const found = text.matchAll(
    /^(?:import|export)\s+(type\s+)?(?:[\w*{][^'"=();]*?\sfrom\s+)?['"]([^'"]+)['"]/gm,
  );
  return [...found].map(([, type, target]) => ({
    from: path,
    to: target!.startsWith('.') ? normalize(join(dirname(path), target!)) : target!,
    isTypeOnly: type !== undefined,
  }));
}

function cycles(edges: readonly Edge[]): string[] {
  const next = Map.groupBy(
    edges.filter((edge) => !edge.isTypeOnly && isInside(edge.to)),
    (edge) => edge.from,
  );
  const state = new Map<string, 'open' | 'done'>();
  const found: string[] = [];
  const visit = (file: string, trail: string[]): void => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      found.push(`8: no cycles: ${[...trail.slice(trail.indexOf(file)), file].join(' -> ')}`);
      return;
    }
    state.set(file, 'open');
    for (const { to } of next.get(file) ?? []) visit(to, [...trail, file]);
    state.set(file, 'done');
  };
  for (const file of next.keys()) visit(file, []);
  return found;
}
