import { fail, failArgument } from '../../../core/errors.ts';
import { id } from '../../../core/fields.ts';
import { operation, type WriteContext } from '../../../core/operation.ts';
import { requireDebtInOrder } from '../../debt-records/index.ts';
import { baseOf, isStillOpen } from '../../debts/index.ts';
import {
  barcodeOf,
  boundAmountOf,
  changePayable,
  type PayableRow,
  type PaymentDetails,
  payableKind,
  readPaymentDetails,
  recordedPayable,
  requirePayable,
} from '../../payables/index.ts';
import { type DdaBoletoRow, selectOtherBillOfBarcode, updateBillBoleto } from '../queries.ts';
import { ddaBoletoDetail, ddaBoletoOf, requireDdaBoleto } from '../resource.ts';
import { requireUndecided } from '../rules.ts';
import { ddaBoletoDetailSchema } from '../schema.ts';

export const linkDdaBoletoPayable = operation({
  name: 'finance_dda_boletos_link_payable',
  title: 'Link payable to announced boleto',
  summary:
    'Tie the boleto to the bill it is, so that it is paid once; a bill without payment details gets its code.',
  effect: 'write',
  scope: 'finance.dda_boletos',
  alsoScopes: ['finance.payables.write'],
  hints: { idempotent: true },
  input: { id: id('the announced boleto'), payable_id: id('the payable') },
  output: ddaBoletoDetailSchema,
  async run(input, context) {
    const before = await requireDdaBoleto(context, input.id);
    if (before.payable_id === input.payable_id) return ddaBoletoDetail(context, before);
    requireUndecided(before);
    const { debt: payable } = await requireDebtInOrder(context, payableKind, input.payable_id);
    requireBillOf(before, payable);
    await requireOnlyBillOf(context, before, payable);
    await linkBill(context, before, payable);
    const after = await requireDdaBoleto(context, before.id);
    context.changed('dda_boleto', before.id, ddaBoletoOf(before), ddaBoletoOf(after));
    return ddaBoletoDetail(context, after);
  },
});

function requireBillOf(boleto: DdaBoletoRow, payable: PayableRow): void {
  const { status: from, dda_boleto_id: other } = payable;
  if (from === 'canceled') {
    fail('invalid_state', { from, allowed: ['draft', 'open', 'partially_paid', 'paid'] });
  }
  if (other !== null) fail('in_use', { by: [{ kind: 'dda_boleto', id: other }] });
  if (payable.company_id !== boleto.company_id) {
    failArgument('payable_id', 'a bill of the company that the boleto is against');
  }
  const barcode = barcodeOf(payable.payment_details as PaymentDetails | null);
  if (barcode !== null && barcode !== boleto.barcode) {
    failArgument('payable_id', 'a bill that is not paid by another boleto');
  }
}

/** Another bill with this code would be paid as well. */
async function requireOnlyBillOf(
  { db, workspaceId }: WriteContext,
  { barcode }: DdaBoletoRow,
  payable: PayableRow,
): Promise<void> {
  const other = await selectOtherBillOfBarcode(db, workspaceId, barcode, payable.id);
  if (other !== undefined) fail('duplicate', { kind: 'payable', of: other.id });
}

async function linkBill(context: WriteContext, boleto: DdaBoletoRow, payable: PayableRow): Promise<void> {
  const { db, workspaceId, now } = context;
  await updateBillBoleto(db, workspaceId, payable.id, boleto.id, now);
  const after = await requirePayable(context, payable.id);
  context.changed('payable', payable.id, recordedPayable(payable, context), recordedPayable(after, context));
  if (takesCodeOf(boleto, payable, context.today)) {
    await changePayable(context, payable.id, { payment_details: { kind: 'boleto', code: boleto.barcode } });
  }
}

/** An open bill that does not say how it is paid, for an amount that the code can pay. */
function takesCodeOf(boleto: DdaBoletoRow, payable: PayableRow, today: string): boolean {
  const details = payable.payment_details as PaymentDetails | null;
  if (!isStillOpen(payable.status) || (details !== null && details.kind !== 'none')) return false;
  const bound = boundAmountOf(readPaymentDetails({ kind: 'boleto', code: boleto.barcode }, today));
  const base = baseOf(payable);
  return bound === null || [payable.amount_cents, base, base - payable.settled_cents].includes(bound);
}
