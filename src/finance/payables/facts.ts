/** Lines of the questions about payables, from the records as they are now. */

import { onDate, ours, outside } from '../../core/facts.ts';
import { formatBrl } from '../../core/money.ts';
import type { Fact } from '../../core/operation.ts';
import type { PayableRow } from './queries.ts';
import { openCentsOf } from './resource.ts';

/** Which bill it is: supplier, description, amounts and due date. */
export function payableFacts(row: PayableRow): Fact[] {
  return [
    outside('supplier', 'Fornecedor', 'Supplier', row.person_name),
    outside('description', 'Descrição', 'Description', row.description),
    ours('amount', 'Valor', 'Amount', formatBrl(row.amount_cents)),
    ours('open_amount', 'Em aberto', 'Open', formatBrl(openCentsOf(row))),
    onDate('due_date', 'Vencimento', 'Due date', row.due_date),
  ];
}
