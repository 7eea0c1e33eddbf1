import { moving } from '../../../core/facts.ts';
import { id, text } from '../../../core/fields.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { debtFacts, openCentsOf } from '../../debt-records/index.ts';
import {
  cancelReceivable as callOff,
  type ReceivableRow,
  receivableKind,
  receivableOf,
  receivableSchema,
  requireCancelable,
} from '../../receivables/index.ts';
import { cancelCharge } from '../canceling.ts';
import { cancelFact } from '../facts.ts';
import { type ChargeRow, selectLiveCharge } from '../queries.ts';
import { requireCharge } from '../resource.ts';

/** Belongs to the receivables by its name, and to the charges because it calls the live one off too. */
export const cancelReceivable = operation({
  name: 'finance_receivables_cancel',
  title: 'Cancel receivable',
  titlePortuguese: 'Cancelar conta a receber',
  summary: 'Call off what will not be received; its live charge is canceled at the bank too.',
  effect: 'destructive',
  scope: 'finance.receivables',
  hints: { openWorld: true },
  input: { id: id('the receivable'), reason: text(300) },
  output: receivableSchema,
  async question(input, context) {
    const { receivable, charge } = await prepareCancel(input.id, context);
    // What is open is given up.
    const facts = moving('open_amount', openCentsOf(receivable), debtFacts(receivableKind, receivable));
    return charge === null ? facts : [...facts, await cancelFact(context, charge)];
  },
  async run(input, context) {
    const { receivable, charge } = await prepareCancel(input.id, context);
    const canceled = await callOff(context, receivable, input.reason);
    // One that was asked to be canceled before is on its way already.
    if (charge !== null && charge.cancel_requested_at === null) {
      await cancelCharge(context, charge, input.reason);
    }
    return receivableOf(canceled, context);
  },
});

async function prepareCancel(
  receivableId: string,
  context: Context,
): Promise<{ receivable: ReceivableRow; charge: ChargeRow | null }> {
  const receivable = await requireCancelable(context, receivableId);
  const live = await selectLiveCharge(context.db, context.workspaceId, receivableId);
  return { receivable, charge: live === undefined ? null : await requireCharge(context, live.id) };
}
