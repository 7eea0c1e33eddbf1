import type { Terms } from '../../../core/accruals.ts';
import { fail } from '../../../core/errors.ts';
import { id } from '../../../core/fields.ts';
import { type InputOf, operation } from '../../../core/operation.ts';
import {
  boundAmountOf,
  createPayables,
  type PayableDraft,
  readPaymentDetails,
} from '../../payables/index.ts';
import { registerPerson } from '../../people/index.ts';
import { costCentersArgument } from '../../schema.ts';
import type { DdaBoletoRow } from '../queries.ts';
import { ddaBoletoDetail, ddaBoletoOf, requireDdaBoleto } from '../resource.ts';
import { requirePayable, requireUndecided } from '../rules.ts';
import { ddaBoletoDetailSchema } from '../schema.ts';

const input = {
  id: id('the announced boleto'),
  category_id: id('an expense category without children').optional(),
  cost_centers: costCentersArgument.optional(),
};

export const createDdaBoletoPayable = operation({
  name: 'finance_dda_boletos_create_payable',
  title: 'Create payable of announced boleto',
  summary:
    'Register the bill that an announced boleto is, its beneficiary as supplier if need be. Sends nothing.',
  effect: 'write',
  scope: 'finance.dda_boletos',
  alsoScopes: ['finance.payables.write'],
  input,
  output: ddaBoletoDetailSchema,
  async run(given, context) {
    const before = await requireDdaBoleto(context, given.id);
    requireUndecided(before);
    requirePayable(before);
    const supplier = await registerPerson(context, {
      name: before.beneficiary_name,
      documentNumber: before.beneficiary_document,
      roles: ['supplier'],
    });
    await createPayables(context, [draftOf(before, supplier.id, given, context.today)]);
    const after = await requireDdaBoleto(context, before.id);
    context.changed('dda_boleto', before.id, ddaBoletoOf(before), ddaBoletoOf(after));
    return ddaBoletoDetail(context, after);
  },
});

/** The code decides the amount where it states one: a bank takes it as it is. */
function draftOf(
  boleto: DdaBoletoRow,
  personId: string,
  given: InputOf<typeof input>,
  today: string,
): PayableDraft {
  const paymentDetails = readPaymentDetails({ kind: 'boleto', code: boleto.barcode }, today);
  const amountCents = boundAmountOf(paymentDetails) ?? (boleto.nominal_cents || boleto.amount_cents);
  if (amountCents === 0)
    fail('invalid_state', { from: 'no amount', allowed: ['an amount stated by the bank'] });
  const name = boleto.beneficiary_name || boleto.beneficiary_document;
  return {
    companyId: boleto.company_id,
    personId,
    description: `Boleto: ${name}`,
    amountCents,
    dueDate: boleto.due_date,
    issueDate: boleto.issue_date,
    documentNumber: boleto.document_number,
    categoryId: given.category_id,
    costCenters: given.cost_centers,
    terms: boleto.terms as Terms | null,
    paymentDetails,
    ddaBoletoId: boleto.id,
  };
}
