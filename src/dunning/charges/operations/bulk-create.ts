import { z } from 'zod';
import { attempt } from '../../../core/attempt.ts';
import { operation } from '../../../core/operation.ts';
import { newChargeArguments } from '../arguments.ts';
import { createFrom } from '../create.ts';
import { BULK_MAX } from '../schema.ts';

export const createCharges = operation({
  name: 'dunning_charges_bulk_create',
  title: 'Create charges',
  summary: 'Register up to 200 debts; those refused, such as a repeated external id, come back in `failed`.',
  effect: 'write',
  scope: 'dunning.charges',
  dryRun: true,
  input: {
    charges: z
      .array(z.strictObject(newChargeArguments), { error: `a list of 1 to ${BULK_MAX} charges` })
      .min(1, { error: 'at least one charge' })
      .max(BULK_MAX, { error: `at most ${BULK_MAX} charges` }),
  },
  output: z.object({
    requested: z.int(),
    succeeded: z.array(
      z.object({
        index: z.int().describe('Place in `charges`, from 0.'),
        id: z.string(),
        warnings: z.array(z.string()),
      }),
    ),
    failed: z.array(
      z.object({ index: z.int(), code: z.string(), message: z.string(), of: z.string().nullable() }),
    ),
  }),
  async run({ charges }, context) {
    const succeeded: { index: number; id: string; warnings: string[] }[] = [];
    const failed: { index: number; code: string; message: string; of: string | null }[] = [];
    for (const [index, given] of charges.entries()) {
      const tried = await attempt(context, (inner) => createFrom(inner, given));
      if ('error' in tried) {
        const { code, message, details } = tried.error;
        const of = typeof details?.['of'] === 'string' ? details['of'] : null;
        failed.push({ index, code, message, of });
      } else {
        const { charge, warnings } = tried.value;
        succeeded.push({ index, id: charge.id, warnings: [...warnings] });
      }
      context.progress({ done: index + 1, total: charges.length });
    }
    return { requested: charges.length, succeeded, failed };
  },
});
