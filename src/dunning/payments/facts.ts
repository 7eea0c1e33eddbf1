/** What a person reads before a payment is taken back: built from records. */

import { moves, onDate, ours, outside } from '../../core/facts.ts';
import { formatBrl } from '../../core/money.ts';
import type { Context, Fact } from '../../core/operation.ts';
import { requirePerson } from '../people/index.ts';
import type { Reversible } from './reverse.ts';
import { usedCentsOf } from './rules.ts';

/** Which payment it is, and what taking it back does. */
export async function reversalFacts(context: Context, { payment, charge }: Reversible): Promise<Fact[]> {
  const reading = { ...context, isWriting: false };
  const person = await requirePerson(reading, payment.person_id);
  return [
    outside('debtor', 'Devedor', 'Debtor', person.name),
    moves('amount', 'Valor do pagamento', 'Amount of the payment', payment.amount_cents),
    onDate('paid_at', 'Pago em', 'Paid on', payment.paid_on),
    ours('method', 'Forma', 'Method', payment.method),
    ours('reopens', 'Volta a ficar em aberto', 'Becomes open again', formatBrl(usedCentsOf(payment))),
    charge === null
      ? ours('of', 'Referente a', 'For', {
          'pt-BR': `parcela ${payment.installment_id} do acordo ${payment.agreement_id}`,
          en: `installment ${payment.installment_id} of agreement ${payment.agreement_id}`,
        })
      : outside('of', 'Cobrança', 'Charge', charge.description),
  ];
}
