/** Which column of a CSV file holds what: as the caller says, or guessed from the header in Portuguese or English. */

import { failArgument } from '../../../core/errors.ts';
import { plainLetters } from '../../../core/text.ts';
import { type DecimalMark, decimalMarkOf } from './amounts.ts';
import { csvDate, type DateOrder, dateOrderOf } from './dates.ts';
import { type ColumnField, type ColumnReading, columnFields, failUnsupported } from './reading.ts';

/** A column by the text of its header or by its position from 1. */
export type Column = string | number;

/** What the caller says about a CSV file. */
export type ColumnMap = { readonly [field in ColumnField]?: Column | undefined } & {
  readonly date_format?: DateOrder | undefined;
  readonly decimal?: DecimalMark | undefined;
};

export interface CsvRecord {
  readonly cells: readonly string[];
  /** The line it ends on, from 1. */
  readonly line: number;
}

export interface CsvPlan extends ColumnReading {
  /** Index of each field's column, from 0; absent when the file has none. */
  readonly at: Readonly<Partial<Record<ColumnField, number>>>;
  /** Records up to and with the header: they are no lines. */
  readonly headerLine: number;
}

const DELIMITERS = [';', '\t', ',', '|'] as const;
/** A header stands among the first records; some banks put a title and the account above it. */
const HEADER_WITHIN = 40;

/** Header texts as `headerText` leaves them. The first list that has one wins for its field. */
const knownHeaders: Readonly<Record<ColumnField, readonly string[]>> = {
  date: words(
    'data|data lancamento|data do lancamento|data de lancamento|data movimento|data mov|data movimentacao|data contabil|' +
      'data transacao|data da transacao|data operacao|data hora|dt|dt lancamento|dt movimento|date|transaction date|' +
      'posting date|posted date|booking date|value date',
  ),
  description: words(
    'descricao|historico|lancamento|lancamentos|descricao do lancamento|descricao lancamento|historico do lancamento|' +
      'memo|detalhe|detalhes|titulo|estabelecimento|movimentacao|description|details|narrative|payee|title',
  ),
  amount: words(
    'valor|valor r|valor em r|valor brl|valor lancamento|valor do lancamento|valor da transacao|valor transacao|montante|' +
      'quantia|amount|amount brl|value|transaction amount',
  ),
  credit: words(
    'credito|creditos|credito r|valor credito|entrada|entradas|entradas r|credit|credits|deposit|deposits|paid in',
  ),
  debit: words(
    'debito|debitos|debito r|valor debito|saida|saidas|saidas r|debit|debits|withdrawal|withdrawals|paid out',
  ),
  direction: words(
    'd c|c d|dc|cd|debito credito|credito debito|natureza|sinal|tipo|tipo lancamento|inf|type|credit debit',
  ),
  document: words(
    'documento|docto|dcto|doc|numero documento|numero do documento|n documento|no documento|num documento|nr documento|' +
      'document|document number|check number',
  ),
  balance: words(
    'saldo|saldo r|saldo atual|saldo apos|saldo apos lancamento|balance|running balance|balance after',
  ),
  reference: words(
    'identificador|id|fitid|referencia|codigo|codigo da transacao|id transacao|id da transacao|autenticacao|reference|' +
      'transaction id',
  ),
};

/** The delimiter that splits the first lines into most cells; a semicolon before others, as Brazilian files have it. */
export function delimiterOf(text: string): string {
  const head = text.slice(0, 16_384).split(/\r?\n/, HEADER_WITHIN);
  const score = (delimiter: string) =>
    Math.max(...head.map((row) => row.replace(/"[^"]*"/g, '').split(delimiter).length));
  return DELIMITERS.reduce((best, one) => (score(one) > score(best) ? one : best));
}

/** How the file is read. Fails with `invalid_argument` where the caller's map and the file do not agree. */
export function csvPlanOf(
  delimiter: string,
  sample: readonly CsvRecord[],
  map: ColumnMap | undefined,
): CsvPlan {
  const found = map === undefined ? guessed(sample) : mapped(sample, map);
  const { at, header } = found;
  const rows = sample.filter(({ line }) => line > (header?.line ?? 0));
  const cells = (...fields: ColumnField[]) =>
    rows
      .flatMap((row) => fields.map((field) => row.cells[at[field] ?? -1] ?? ''))
      .filter((cell) => cell.trim() !== '');
  return {
    at,
    headerLine: header?.line ?? 0,
    delimiter,
    date_format: map?.date_format ?? dateOrderOf(cells('date')),
    decimal: map?.decimal ?? decimalMarkOf(cells('amount', 'credit', 'debit')),
    columns: columnFields.flatMap((field) => {
      const index = at[field];
      return index === undefined
        ? []
        : [{ field, position: index + 1, header: header?.cells[index]?.trim().slice(0, 100) ?? null }];
    }),
  };
}

interface Found {
  readonly at: Partial<Record<ColumnField, number>>;
  readonly header: CsvRecord | undefined;
}

function guessed(sample: readonly CsvRecord[]): Found {
  for (const header of sample.slice(0, HEADER_WITHIN)) {
    const texts = header.cells.map(headerText);
    const at: Partial<Record<ColumnField, number>> = {};
    for (const field of columnFields) {
      const index = firstIndexOf(texts, knownHeaders[field], Object.values(at));
      if (index !== -1) at[field] = index;
    }
    if (isEnough(at)) return { at, header };
  }
  failUnsupported('No header of this CSV file was recognised; tell its columns in `column_map`.', [
    'a CSV statement with a header, or with `column_map`',
    'an OFX statement',
    'a CNAB 240 statement',
  ]);
}

function mapped(sample: readonly CsvRecord[], map: ColumnMap): Found {
  const named = columnFields.filter((field) => typeof map[field] === 'string');
  const header = headerFor(
    sample,
    named.map((field) => headerText(String(map[field]))),
  );
  const at: Partial<Record<ColumnField, number>> = {};
  for (const field of columnFields) {
    const column = map[field];
    if (column === undefined) continue;
    const index =
      typeof column === 'number'
        ? column - 1
        : (header?.cells ?? []).map(headerText).indexOf(headerText(column));
    if (index === -1)
      failArgument(`column_map.${field}`, 'the text of a header of the file, or a position from 1');
    at[field] = index;
  }
  if (!isEnough(at)) failArgument('column_map', '`date` and either `amount` or both `credit` and `debit`');
  return { at, header: header ?? rowBeforeDates(sample, at.date!, map.date_format) };
}

/** The first record with all the texts; none is looked for when every column is given by position. */
function headerFor(sample: readonly CsvRecord[], texts: readonly string[]): CsvRecord | undefined {
  if (texts.length === 0) return undefined;
  const found = sample.slice(0, HEADER_WITHIN).find(({ cells }) => {
    const own = new Set(cells.map(headerText));
    return texts.every((text) => own.has(text));
  });
  return found ?? sample[0];
}

/** Of a file whose columns are given by position: the last record before the first one with a date. */
function rowBeforeDates(
  sample: readonly CsvRecord[],
  date: number,
  order: DateOrder | undefined,
): CsvRecord | undefined {
  const orders: readonly DateOrder[] = order === undefined ? ['dmy', 'mdy', 'ymd'] : [order];
  const first = sample.findIndex(({ cells }) =>
    orders.some((one) => csvDate(cells[date] ?? '', one) !== null),
  );
  return first > 0 && first <= HEADER_WITHIN ? sample[first - 1] : undefined;
}

function isEnough(at: Partial<Record<ColumnField, number>>): boolean {
  const hasAmount = at.amount !== undefined || (at.credit !== undefined && at.debit !== undefined);
  return at.date !== undefined && hasAmount;
}

function firstIndexOf(texts: readonly string[], known: readonly string[], taken: readonly number[]): number {
  for (const text of known) {
    const index = texts.findIndex((one, place) => one === text && !taken.includes(place));
    if (index !== -1) return index;
  }
  return -1;
}

/** Letters and digits without accents: "Valor (R$)" is "valor r". */
function headerText(cell: string): string {
  return plainLetters(cell)
    .replace(/[^a-z\d]+/g, ' ')
    .trim();
}

function words(list: string): readonly string[] {
  return list.split('|');
}
