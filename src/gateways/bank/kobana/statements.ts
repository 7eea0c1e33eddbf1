/** Lines of a bank's statement, as Kobana keeps them. */

import { z } from 'zod';
import { addDays, type CivilDate } from '../../../core/dates.ts';
import { parseTaxId } from '../../../core/documents/tax-id.ts';
import { cleanOutsideText } from '../../../core/text.ts';
import { type BankStatementLine, BankUnreachable, type StatementDesk } from '../port.ts';
import type { KobanaHttp } from './http.ts';
import { civilDate, readAs, reais } from './values.ts';

/** The API takes at most this many days at once. */
const WINDOW_DAYS = 180;
const PAGE_SIZE = 500;
const PAGES_MAX = 1_000;
const TEXT_MAX = 300;

const lineForm = z.object({
  id: z.union([z.int(), z.string()]),
  amount: reais,
  occurrence_date: civilDate,
  description: z.string().nullish(),
  document_number: z.string().nullish(),
  kind: z.enum(['credit', 'debit']),
  person: z.object({ name: z.string().nullish(), document_number: z.string().nullish() }).nullish(),
});

const pageForm = z.object({
  data: z.array(lineForm),
  pagination: z.object({ next_cursor: z.string().nullish() }).nullish(),
});

export function createStatementDesk(http: KobanaHttp): StatementDesk {
  return {
    async *lines(account, from, to) {
      if (account.providerId === null) throw new BankUnreachable('the account has no id at Kobana');
      const path = `/v2/financial/accounts/${encodeURIComponent(account.providerId)}/statement_transactions`;
      for (let start = from; start <= to; start = addDays(start, WINDOW_DAYS)) {
        const [last] = [addDays(start, WINDOW_DAYS - 1), to].sort();
        yield* linesOf(http, path, start, last!);
      }
    },
  };
}

async function* linesOf(
  http: KobanaHttp,
  path: string,
  from: CivilDate,
  to: CivilDate,
): AsyncGenerator<BankStatementLine> {
  const query = {
    date_window: 'strict',
    occurrence_date_from: from,
    occurrence_date_to: to,
    pagination: 'keyset',
    per_page: PAGE_SIZE,
  };
  let cursor: string | null | undefined;
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const body = await http.read(path, cursor == null ? query : { ...query, cursor });
    if (body === null) throw new BankUnreachable(`GET ${path}: Kobana does not know the account`);
    const { data, pagination } = readAs(pageForm, body, `GET ${path}`);
    for (const line of data) {
      if (line.amount !== 0) yield lineOf(line);
    }
    cursor = pagination?.next_cursor;
    if (cursor == null || cursor === '') return;
  }
  throw new BankUnreachable(`GET ${path}: more than ${PAGES_MAX} pages`);
}

/** The amount carries a sign that says the same as the kind, which decides. */
function lineOf(line: z.output<typeof lineForm>): BankStatementLine {
  const name = line.person?.name == null ? null : cleanOutsideText(line.person.name, TEXT_MAX);
  const document = line.person?.document_number;
  const documentNumber = document == null ? null : (parseTaxId(document)?.number ?? null);
  return {
    date: line.occurrence_date,
    direction: line.kind,
    amount: Math.abs(line.amount),
    description: cleanOutsideText(line.description ?? '', TEXT_MAX),
    reference: String(line.id),
    documentNumber: line.document_number == null ? null : cleanOutsideText(line.document_number, TEXT_MAX),
    counterparty: name === null && documentNumber === null ? null : { name, documentNumber },
    endToEndId: null,
  };
}
