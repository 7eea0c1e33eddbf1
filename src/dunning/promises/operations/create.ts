import { z } from 'zod';
import { fail } from '../../../core/errors.ts';
import { date, id, money } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { holdCharges, requireCharges, requireCollectable } from '../../charges/index.ts';
import { settingsOf } from '../../settings/index.ts';
import { debtorOf, requirePromisableAmount, requirePromisableDay } from '../promised.ts';
import { insertPromise, lockPromisesOf, selectOpenPromise } from '../queries.ts';
import { promiseOf, requirePromise } from '../resource.ts';
import { keepUntilOf } from '../rules.ts';
import { promiseChannels, promiseSchema } from '../schema.ts';

const CHARGES_MAX = 50;

export const createPromise = operation({
  name: 'dunning_payment_promises_create',
  title: 'Record payment promise',
  summary: 'Record what a debtor promised to pay; the rule waits until its date and grace have passed.',
  effect: 'write',
  scope: 'dunning.charges',
  input: {
    charge_ids: z.array(id('the charge')).min(1).max(CHARGES_MAX).describe('Charges of one debtor.'),
    amount: money(),
    promised_for: date().describe('The day they will pay.'),
    channel: z.enum(promiseChannels).optional().describe('How they said it.'),
  },
  output: promiseSchema,
  async run(input, context) {
    const { db, organizationId } = context;
    requirePromisableDay(context.today, input.promised_for);
    const charges = await requireCharges(context, [...new Set(input.charge_ids)]);
    for (const charge of charges) requireCollectable(charge);
    const personId = debtorOf(charges);
    await requirePromisableAmount(context, charges, input.amount, input.promised_for);
    const chargeIds = charges.map((charge) => charge.id);
    await lockPromisesOf(db, personId);
    const standing = await selectOpenPromise(db, organizationId, personId, chargeIds);
    if (standing !== undefined) fail('duplicate', { kind: 'promise', of: standing });
    const { promiseGraceBusinessDays } = await settingsOf(context);
    const promiseId = context.newId();
    const keepUntil = keepUntilOf(input.promised_for, promiseGraceBusinessDays);
    await insertPromise(
      db,
      {
        organization_id: organizationId,
        id: promiseId,
        person_id: personId,
        charge_ids: chargeIds,
        amount_cents: input.amount,
        promised_for: input.promised_for,
        promised_on: context.today,
        keep_until: keepUntil,
        channel: input.channel ?? null,
        created_by: context.caller.user.id,
      },
      context.now,
    );
    await holdCharges(context, chargeIds, { reason: 'promise', sourceId: promiseId, until: keepUntil });
    const promise = promiseOf(await requirePromise(context, promiseId));
    context.changed('promise', promiseId, null, promise);
    return promise;
  },
});
