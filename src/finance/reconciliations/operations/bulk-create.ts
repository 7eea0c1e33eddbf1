import { z } from 'zod';
import { moneyOut, moneyText, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { acceptSuggestions, planSuggestions } from '../accept.ts';
import { acceptFacts, totalOf } from '../facts.ts';
import { SUGGESTION_ID_MAX } from '../suggestion-id.ts';

const IDS_MAX = 200;

export const createReconciliations = operation({
  name: 'finance_reconciliations_bulk_create',
  title: 'Accept suggestions',
  titlePortuguese: 'Aceitar sugestões de conciliação',
  summary: 'Make several suggested reconciliations at once; those that a rule refuses come back in `failed`.',
  effect: 'destructive',
  scope: 'finance.reconciliations',
  input: {
    suggestion_ids: z
      .array(text(SUGGESTION_ID_MAX), { error: `a list of 1 to ${IDS_MAX} ids of suggestions` })
      .min(1, { error: 'at least one id' })
      .max(IDS_MAX, { error: `at most ${IDS_MAX} ids` })
      .describe('`id`s of `finance_reconciliations_suggest`; each is checked again.'),
  },
  output: z.object({
    requested: z.int(),
    total: moneyOut().describe('Of the reconciliations made.'),
    succeeded: z.array(
      z.object({
        id: z.string().describe('The suggestion.'),
        reconciliation_id: z.string().nullable(),
        transfer_id: z.string().nullable().describe('When two lines were linked as a transfer.'),
      }),
    ),
    failed: z.array(z.object({ id: z.string(), code: z.string(), message: z.string() })),
  }),
  async question(input, context) {
    const { accepted, refused } = await planSuggestions(context, input.suggestion_ids);
    const [first] = refused;
    // A yes that could do nothing is not asked for.
    if (accepted.length === 0 && first !== undefined) throw first.error;
    return acceptFacts(accepted, refused);
  },
  async run(input, context) {
    const { made, failed } = await acceptSuggestions(context, input.suggestion_ids);
    return {
      requested: made.length + failed.length,
      total: moneyText(totalOf(made.map(({ what }) => what))),
      succeeded: made.map(({ id, reconciliationId, transferId }) => ({
        id,
        reconciliation_id: reconciliationId,
        transfer_id: transferId,
      })),
      failed: failed.map(({ id, error }) => ({ id, code: error.code, message: error.message })),
    };
  },
});
