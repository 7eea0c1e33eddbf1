/** Lines of the question about ending a recurrence. */

import { moving, onDate, ours, outside } from '../../core/facts.ts';
import { type Cents, formatBrl } from '../../core/money.ts';
import type { Fact } from '../../core/operation.ts';
import type { RecurrenceRow } from './queries.ts';
import type { Template } from './rules.ts';
import type { Frequency, RecurrenceKind } from './schema.ts';

const kindWords = {
  payable: { 'pt-BR': 'conta a pagar', en: 'payable' },
  receivable: { 'pt-BR': 'conta a receber', en: 'receivable' },
} as const satisfies Record<RecurrenceKind, object>;

const frequencyWords = {
  weekly: { 'pt-BR': 'toda semana', en: 'every week' },
  monthly: { 'pt-BR': 'todo mês', en: 'every month' },
  yearly: { 'pt-BR': 'todo ano', en: 'every year' },
} as const satisfies Record<Frequency, object>;

/** Which recurrence it is, and what is canceled with it; `canceled` is null when nothing is to be. */
export function endingFacts(
  row: RecurrenceRow,
  personName: string,
  canceled: { ids: readonly string[]; cents: Cents } | null,
): Fact[] {
  const { description, amountCents } = row.template as Template;
  const facts = [
    ours('kind', 'Tipo', 'Kind', kindWords[row.kind as RecurrenceKind]),
    outside('person', 'Fornecedor ou cliente', 'Supplier or customer', personName),
    outside('description', 'Descrição', 'Description', description),
    ours('amount', 'Valor de cada ocorrência', 'Amount of each occurrence', formatBrl(amountCents)),
    ours('frequency', 'Frequência', 'Frequency', frequencyWords[row.frequency as Frequency]),
    ...(row.next_on === null
      ? []
      : [
          onDate(
            'next_date',
            'Próxima ocorrência, que não virá',
            'Next occurrence, not to come',
            row.next_on,
          ),
        ]),
    ours(
      'canceled',
      'Lançamentos futuros em aberto',
      'Open future entries',
      canceled === null
        ? { 'pt-BR': 'ficam como estão', en: 'stay as they are' }
        : {
            'pt-BR': `${canceled.ids.length} cancelados, no total de ${formatBrl(canceled.cents)}`,
            en: `${canceled.ids.length} canceled, ${formatBrl(canceled.cents)} in total`,
          },
    ),
  ];
  // What customers would have owed is given up; what we would have owed is not.
  const isGivenUp = row.kind === 'receivable' && canceled !== null;
  return isGivenUp ? moving('canceled', canceled.cents, facts) : facts;
}
