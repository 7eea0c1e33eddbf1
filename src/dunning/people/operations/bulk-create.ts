import { z } from 'zod';
import { attempt } from '../../../core/attempt.ts';
import { operation } from '../../../core/operation.ts';
import { createPersonWith, newPersonFields } from '../creating.ts';

const PEOPLE_MAX = 200;

export const createPeople = operation({
  name: 'dunning_people_bulk_create',
  title: 'Create debtors',
  summary: 'Register up to 200 debtors at once; those that a rule refuses come back in `failed`.',
  effect: 'write',
  scope: 'dunning.people',
  dryRun: true,
  input: {
    people: z
      .array(z.strictObject(newPersonFields), { error: `a list of 1 to ${PEOPLE_MAX} debtors` })
      .min(1, { error: 'at least one debtor' })
      .max(PEOPLE_MAX, { error: `at most ${PEOPLE_MAX} debtors` })
      .describe('Each as for one debtor.'),
  },
  output: z.object({
    requested: z.int(),
    succeeded: z.array(z.object({ index: z.int().describe('From 0.'), id: z.string() })),
    failed: z.array(
      z.object({
        index: z.int(),
        code: z.string(),
        message: z.string(),
        of: z.string().nullable().describe('The debtor who has the document or the external id already.'),
      }),
    ),
  }),
  async run({ people }, context) {
    const succeeded = [];
    const failed = [];
    for (const [index, input] of people.entries()) {
      const tried = await attempt(context, (inner) => createPersonWith(inner, input));
      if ('value' in tried) succeeded.push({ index, id: tried.value.id });
      else {
        const { code, message, details } = tried.error;
        const of = code === 'duplicate' ? String(details?.['of']) : null;
        failed.push({ index, code, message, of });
      }
      context.progress({ done: index + 1, total: people.length });
    }
    return { requested: people.length, succeeded, failed };
  },
});
