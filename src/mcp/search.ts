/** Finding a tool by words, in English or Portuguese. Simple on purpose: what matches and in which order is told by tests. */

import type { Effect, Operation } from '../core/operation.ts';

/** How much a word counts by where it stands. */
const WEIGHTS = { name: 6, title: 4, portuguese: 4, verb: 3, toolset: 2, family: 2, summary: 1 } as const;
/** Words of fewer letters match only as a whole. */
const PREFIX_LENGTH_MIN = 3;
/** Words that stand in every question and tell nothing. */
const SILENT = new Set(
  'a an and as com da das de do dos e em for in o of on os ou para por the to um uma with'.split(' '),
);

/** What people who read Portuguese call what the verb of a tool's name does. */
const PORTUGUESE_VERBS: Readonly<Record<string, string>> = {
  aging: 'vencimento vencidos',
  approve: 'aprovar',
  cancel: 'cancelar',
  charge: 'cobrar cobrança',
  create: 'criar registrar cadastrar novo nova',
  delete: 'excluir apagar',
  flow: 'fluxo caixa',
  get: 'ver consultar detalhe',
  import: 'importar',
  list: 'listar ver procurar',
  recovery: 'recuperação',
  reject: 'recusar rejeitar',
  send: 'enviar mandar',
  settle: 'baixar pagar pago quitar',
  suggest: 'sugerir',
  update: 'alterar mudar editar',
};

export interface Query {
  readonly words: string;
  readonly toolset?: string | undefined;
  readonly effect?: Effect | undefined;
}

type Field = keyof typeof WEIGHTS;
type Indexed = Readonly<Record<Field, readonly string[]>>;

/** The index of a catalogue; it is static, so it is made once. */
export interface ToolIndex {
  /** The best matches of those that pass the filter, best first; of equally good ones those that only read. At most `limit`. */
  find(query: Query, isWanted: (operation: Operation) => boolean, limit: number): Operation[];
}

export function indexOf(operations: readonly Operation[]): ToolIndex {
  const families = portugueseFamilies(operations);
  const entries = operations.map(
    (operation) => [operation, indexed(operation, families.get(operation.toolset) ?? [])] as const,
  );
  return {
    find({ words, toolset, effect }, isWanted, limit) {
      const asked = wordsOf(words);
      return entries
        .filter(
          ([operation]) =>
            (toolset === undefined || operation.toolset === toolset) &&
            (effect === undefined || operation.effect === effect) &&
            isWanted(operation),
        )
        .map(([operation, fields]) => ({ operation, score: scoreOf(asked, fields) }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score || inOrder(a.operation, b.operation))
        .slice(0, limit)
        .map(({ operation }) => operation);
    },
  };
}

/**
 * The words that Portuguese titles in a family have: only what is confirmed has such a title, but "excluir conta a
 * pagar" tells what the other tools of the family are about too.
 */
function portugueseFamilies(operations: readonly Operation[]): Map<string, string[]> {
  const families = new Map<string, string[]>();
  for (const { toolset, titlePortuguese } of operations) {
    // The first word is the verb of that one tool.
    const nouns = wordsOf(titlePortuguese ?? '').slice(1);
    families.set(toolset, [...(families.get(toolset) ?? []), ...nouns]);
  }
  return families;
}

function indexed(
  { name, title, titlePortuguese, summary, toolset }: Operation,
  family: readonly string[],
): Indexed {
  // The product stands before every name.
  const [, ...words] = name.split('_');
  return {
    name: words,
    title: wordsOf(title),
    portuguese: wordsOf(titlePortuguese ?? ''),
    verb: wordsOf(words.map((word) => PORTUGUESE_VERBS[word] ?? '').join(' ')),
    toolset: toolset.split('_'),
    family,
    summary: wordsOf(summary),
  };
}

/** Every word asked for counts by the best field it stands in; one that stands nowhere takes half of that away. */
function scoreOf(asked: readonly string[], fields: Indexed): number {
  const scores = asked.map((word) =>
    Math.max(
      0,
      ...(Object.keys(WEIGHTS) as Field[]).map((field) => WEIGHTS[field] * matchOf(word, fields[field])),
    ),
  );
  const total = scores.reduce((sum, score) => sum + score, 0);
  return total / 2 ** scores.filter((score) => score === 0).length;
}

/** Of equally good ones, what lists comes first and what changes most comes last. */
function inOrder(a: Operation, b: Operation): number {
  return rankOf(a) - rankOf(b) || (a.name < b.name ? -1 : 1);
}

function rankOf({ name, effect }: Operation): number {
  return name.endsWith('_list') ? 0 : ['read', 'write', 'destructive'].indexOf(effect) + 1;
}

/** 1 for the word itself, less for one that begins with it or that it begins with (`payable`, `payables`). */
function matchOf(word: string, known: readonly string[]): number {
  if (known.includes(word)) return 1;
  if (word.length < PREFIX_LENGTH_MIN) return 0;
  const isNear = known.some(
    (other) => other.length >= PREFIX_LENGTH_MIN && (other.startsWith(word) || word.startsWith(other)),
  );
  return isNear ? 0.7 : 0;
}

/** In lower case and without accents, so that "cobranca" finds "cobrança". */
function wordsOf(text: string): string[] {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && !SILENT.has(word));
}
