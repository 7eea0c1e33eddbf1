import { z } from 'zod';
import { fail } from '../../../core/errors.ts';
import { id, money, moneyText, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { holdCharges, requireCharge, requireCollectable, setDisputed } from '../../charges/index.ts';
import { insertDispute, selectLiveDispute } from '../queries.ts';
import { disputeOf, requireDispute } from '../resource.ts';
import { disputeReasons, disputeSchema } from '../schema.ts';

export const createDispute = operation({
  name: 'dunning_disputes_create',
  title: 'Open dispute',
  summary: 'Record that a debtor contests a charge: its rule waits and no legal action is taken.',
  effect: 'write',
  scope: 'dunning.disputes',
  input: {
    charge_id: id('the charge'),
    reason: z.enum(disputeReasons),
    description: text(4_000).describe('What the debtor says.'),
    disputed_amount: money().optional().describe('The part contested; default all of it.'),
  },
  output: disputeSchema,
  async run(input, context) {
    const charge = await requireCharge(context, input.charge_id);
    requireCollectable(charge);
    const worth = charge.amount_cents - charge.abatement_cents;
    if (input.disputed_amount !== undefined && input.disputed_amount > worth) {
      fail('exceeds_open_amount', { open: moneyText(worth) });
    }
    const live = await selectLiveDispute(context.db, context.organizationId, charge.id);
    if (live !== undefined) fail('duplicate', { kind: 'dispute', of: live });
    const disputeId = context.newId();
    await insertDispute(
      context.db,
      {
        organization_id: context.organizationId,
        id: disputeId,
        charge_id: charge.id,
        person_id: charge.person_id,
        reason: input.reason,
        description: input.description,
        disputed_cents: input.disputed_amount ?? null,
        created_by: context.caller.user.id,
      },
      context.now,
    );
    await setDisputed(context, charge, true);
    await holdCharges(context, [charge.id], { reason: 'dispute', sourceId: disputeId });
    const dispute = disputeOf(await requireDispute(context, disputeId));
    context.changed('dispute', disputeId, null, dispute);
    return dispute;
  },
});
