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

const products = ['finance', 'dunning'];
const surfaces = ['mcp', 'rest', 'oauth', 'console', 'apps', 'worker'];

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
    name: '2: finance never imports dunning',
    breaks: ({ from, to }) => topOf(from) === 'finance' && topOf(to) === 'dunning',
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
    name: '5: rules.ts and schema.ts import only core, each other and zod',
    breaks: ({ from, to }) =>
      products.includes(topOf(from)!) &&
      ['rules.ts', 'schema.ts'].includes(fileOf(from)) &&
      to !== 'zod' &&
      topOf(to) !== 'core' &&
      !(isInside(to) && ['rules.ts', 'schema.ts'].includes(fileOf(to))),
  },
  {
    name: '6: only operations, jobs.ts and resource.ts import queries.ts; only db imports a driver',
    breaks: ({ from, to }) =>
      (to === 'pg' && topOf(from) !== 'db' && topOf(from) !== 'worker') ||
      (sliceOf(to) !== null &&
        fileOf(to) === 'queries.ts' &&
        !from.includes('/operations/') &&
        !['jobs.ts', 'resource.ts'].includes(fileOf(from))),
  },
  {
    name: '7: gateways are reached from jobs, never from an operation',
    breaks: ({ from, to }) =>
      topOf(to) === 'gateways' && products.includes(topOf(from)!) && !/\/jobs(\.ts|\/)/.test(from),
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
  return [...breaches, ...cycles(edges)];
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
