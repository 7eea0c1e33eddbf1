import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { date, id, money } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { holdCharges, requireCharges } from '../../charges/index.ts';
import { settingsOf } from '../../settings/index.ts';
import { requirePromisableAmount, requirePromisableDay } from '../promised.ts';
import { changePromise, promiseOf, requireOpen, requirePromise } from '../resource.ts';
import { keepUntilOf } from '../rules.ts';
import { promiseChannels, promiseSchema } from '../schema.ts';

export const updatePromise = operation({
  name: 'dunning_payment_promises_update',
  title: 'Change payment promise',
  summary: 'Change an open promise before it falls due.',
  effect: 'write',
  scope: 'dunning.charges',
  hints: { idempotent: true },
  input: {
    id: id('the promise'),
    amount: money().optional(),
    promised_for: date().optional().describe('The day they will pay.'),
    channel: z.enum(promiseChannels).nullable().optional().describe('How they said it.'),
  },
  output: promiseSchema,
  async run(input, context) {
    const seen = await requirePromise({ ...context, isWriting: false }, input.id);
    // Charges are locked before promises, whoever comes.
    const charges = await requireCharges(context, seen.charge_ids);
    const before = await requirePromise(context, input.id);
    requireOpen(before);
    requirePromisableDay(context.today, before.promised_for);
    const promisedFor = input.promised_for ?? before.promised_for;
    const amountCents = input.amount ?? before.amount_cents;
    requirePromisableDay(context.today, promisedFor);
    await requirePromisableAmount(context, charges, amountCents, promisedFor);
    const { promiseGraceBusinessDays } = await settingsOf(context);
    const keepUntil = keepUntilOf(promisedFor, promiseGraceBusinessDays);
    const next = {
      ...before,
      amount_cents: amountCents,
      promised_for: promisedFor,
      keep_until: keepUntil,
      ...(input.channel !== undefined && { channel: input.channel }),
    };
    if (isDeepStrictEqual(next, before)) return promiseOf(before);
    const after = await changePromise(context, before, next);
    await holdCharges(context, before.charge_ids, {
      reason: 'promise',
      sourceId: before.id,
      until: keepUntil,
    });
    return promiseOf(after);
  },
});
