import { fail } from '../../../core/errors.ts';
import { onDate, ours, outside } from '../../../core/facts.ts';
import { id, text } from '../../../core/fields.ts';
import { formatBrl } from '../../../core/money.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { removeTransaction, requireAccountAndCompany } from '../../accounts/index.ts';
import { requireCompany, requireOpenBooks } from '../../companies/index.ts';
import { payableFacts } from '../facts.ts';
import { payableOf, requirePayable, settlementOf } from '../resource.ts';
import { settledSchema } from '../schema.ts';
import { isEffective, moveSettled } from '../settle.ts';
import { reverseSettlement, selectSettlement, selectSettlements } from '../settlement-queries.ts';

export const unsettlePayable = operation({
  name: 'finance_payables_unsettle',
  title: 'Unsettle payable',
  titlePortuguese: 'Desfazer pagamento registrado',
  summary: 'Undo one settlement recorded by hand and remove its transaction; only while unreconciled.',
  effect: 'destructive',
  scope: 'finance.payables',
  input: { id: id('the payable'), settlement_id: id('the settlement'), reason: text(300) },
  output: settledSchema,
  async question(input, context) {
    const { payable, settlement, account } = await prepareUnsettle(input, context);
    return [
      ...payableFacts(payable),
      ours(
        'settlement_amount',
        'Valor do pagamento',
        'Amount of the payment',
        formatBrl(settlement.amount_cents),
      ),
      onDate('paid_at', 'Pago em', 'Paid on', settlement.paid_at),
      outside('account', 'Conta', 'Account', account.name),
    ];
  },
  async run(input, context) {
    const { db, workspaceId, now } = context;
    const { payable, settlement } = await prepareUnsettle(input, context);
    const { reconciled_cents: _, ...before } = settlement;
    const reversed = await reverseSettlement(db, before, input.reason, now);
    if (settlement.transaction_id !== null) await removeTransaction(context, settlement.transaction_id);
    context.changed('settlement', settlement.id, settlementOf(settlement), settlementOf(reversed));
    const left = (await selectSettlements(db, workspaceId, payable.id)).filter(isEffective);
    const after = await moveSettled(context, payable, -settlement.principal_cents, left.length);
    return { payable: payableOf(after, context), settlement: settlementOf(reversed) };
  },
});

async function prepareUnsettle(input: { id: string; settlement_id: string }, context: Context) {
  const { db, workspaceId, isWriting } = context;
  const payable = await requirePayable(context, input.id);
  const settlement =
    (await selectSettlement(db, workspaceId, payable.id, input.settlement_id, isWriting)) ??
    fail('not_found', { kind: 'settlement', id: input.settlement_id });
  if (!isEffective(settlement)) fail('invalid_state', { from: settlement.status, allowed: ['effective'] });
  // What a bank paid is paid: the order's own states say so, and no settlement is taken from under it.
  if (settlement.payment_id !== null) {
    fail('invalid_state', { from: 'paid_by_bank', allowed: ['recorded_by_hand'] });
  }
  if ((settlement.reconciled_cents ?? 0) > 0) {
    fail('already_reconciled', { kind: 'financial_transaction', id: settlement.transaction_id });
  }
  requireOpenBooks(await requireCompany(context, payable.company_id), settlement.paid_at);
  const { account, company } = await requireAccountAndCompany(context, settlement.account_id);
  requireOpenBooks(company, settlement.paid_at);
  return { payable, settlement, account };
}
