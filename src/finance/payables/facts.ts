/** Lines of the questions about payables, from the records as they are now. */

import { formatDateBr } from '../../core/dates.ts';
import { formatBrl } from '../../core/money.ts';
import type { Fact } from '../../core/operation.ts';
import type { PayableRow } from './queries.ts';
import { openCentsOf } from './resource.ts';

/** Which bill it is: supplier, description, amounts and due date. */
export function payableFacts(row: PayableRow): Fact[] {
  return [
    fact('supplier', 'Fornecedor', 'Supplier', row.person_name, 'outside'),
    fact('description', 'Descrição', 'Description', row.description, 'outside'),
    fact('amount', 'Valor', 'Amount', formatBrl(row.amount_cents)),
    fact('open_amount', 'Em aberto', 'Open', formatBrl(openCentsOf(row))),
    dateFact('due_date', 'Vencimento', 'Due date', row.due_date),
  ];
}

/** A line whose value is the same in both languages. */
export function fact(
  key: string,
  portuguese: string,
  english: string,
  value: string,
  origin: Fact['origin'] = 'ours',
): Fact {
  return { key, label: { 'pt-BR': portuguese, en: english }, value, origin };
}

/** A civil date in each language's own form. */
export function dateFact(key: string, portuguese: string, english: string, date: string): Fact {
  return {
    key,
    label: { 'pt-BR': portuguese, en: english },
    value: { 'pt-BR': formatDateBr(date), en: date },
    origin: 'ours',
  };
}
