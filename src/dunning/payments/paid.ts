import { z } from 'zod';
import { chargeSchema, paymentSchema } from '../charges/index.ts';

/** What recording a payment and taking one back answer. */
export const paidSchema = z.object({
  payment: paymentSchema,
  charge: chargeSchema.nullable().describe('As it is now; null for an installment.'),
  agreement: z
    .object({ id: z.string(), status: z.string() })
    .nullable()
    .describe('As it is now; null for a charge.'),
});

export type Paid = z.input<typeof paidSchema>;
