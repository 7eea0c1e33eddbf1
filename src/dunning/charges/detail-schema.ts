import { z } from 'zod';
import { moneyOut } from '../../core/fields.ts';
import { paymentSchema } from './payment-schema.ts';
import { chargeSchema } from './schema.ts';

/** The figures of a charge on one date. */
export const amountsSchema = z
  .object({
    amount: moneyOut(),
    abatement: moneyOut(),
    open_principal: moneyOut(),
    discount: moneyOut(),
    fine: moneyOut(),
    interest: moneyOut(),
    paid: moneyOut(),
    amount_due: moneyOut().describe('amount - abatement - discount + fine + interest - paid.'),
    days_overdue: z.int(),
  })
  .meta({ id: 'charge_amounts', description: 'What a charge is worth on a date.' });

export type Amounted = z.input<typeof amountsSchema>;

const stepOut = z
  .object({ step_id: z.string(), action: z.string(), channel: z.string().nullable(), at: z.string() })
  .nullable();

export const chargeDetailSchema = chargeSchema
  .extend({
    currency: z.literal('BRL'),
    as_of: z.string(),
    amounts: amountsSchema,
    rule: z
      .object({ id: z.string(), name: z.string(), steps_done: z.int(), last: stepOut, next: stepOut })
      .nullable()
      .describe('Where its collection rule stands; `next` only once it is planned.'),
    holds: z
      .array(
        z.object({
          reason: z.string(),
          until: z.string().nullable(),
          note: z.string().nullable(),
          created_at: z.string(),
        }),
      )
      .describe('Why it waits.'),
    open_dispute: z.object({ id: z.string(), status: z.string(), reason: z.string() }).nullable(),
    live_legal_action: z.object({ kind: z.string(), id: z.string(), status: z.string() }).nullable(),
    agreement: z.object({ id: z.string(), status: z.string() }).nullable(),
    payments: z.array(paymentSchema).describe('The last 100, reversed ones included.'),
  })
  .meta({ id: 'charge_detail', description: 'A charge with amounts as of a date and all that lives on it.' });

export type ChargeDetail = z.input<typeof chargeDetailSchema>;
