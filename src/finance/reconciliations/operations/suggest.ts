import { z } from 'zod';
import { addDays } from '../../../core/dates.ts';
import { failArgument } from '../../../core/errors.ts';
import { date, id, listArguments, moneyOrZero } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, encodeCursor } from '../../../core/paging.ts';
import { requireAccountAndCompany } from '../../accounts/index.ts';
import { suggestionSchema } from '../schema.ts';
import { afterPosition, positionOf, suggestedFor, suggestionSort } from '../suggesting.ts';

const DAYS_DEFAULT = 90;
const DAYS_MAX = 400;
const TOLERANCE_MAX = 30;
const TOLERANCE_DEFAULT = 3;

export const suggestReconciliations = operation({
  name: 'finance_reconciliations_suggest',
  title: 'Suggest reconciliations',
  summary:
    'What the open lines of an account seem to belong to, with certainty, score and reasons; best first.',
  effect: 'read',
  scope: 'finance.reconciliations',
  input: {
    account_id: id('the account'),
    date_from: date()
      .optional()
      .describe(`First day of the lines; default ${DAYS_DEFAULT} days before the last.`),
    date_to: date().optional().describe('Last day of the lines; default today.'),
    date_tolerance_days: z
      .int({ error: `a whole number from 0 to ${TOLERANCE_MAX}` })
      .min(0)
      .max(TOLERANCE_MAX)
      .default(TOLERANCE_DEFAULT)
      .describe('Days a line may be away from what it pays, where only the amount tells.'),
    amount_tolerance: moneyOrZero().default(0).describe('How far amounts may differ; default "0.00".'),
    limit: listArguments.limit,
    cursor: listArguments.cursor,
  },
  output: z.object({
    suggestions: z.array(suggestionSchema),
    next_cursor: z.string().nullable(),
    counts: z
      .object({
        lines: z.int().describe('Open lines in these days.'),
        suggestions: z.int(),
        certain: z.int(),
        likely: z.int(),
        possible: z.int(),
        lines_without: z.int().describe('Lines nothing is suggested for.'),
      })
      .describe('Of the whole period, not of the page.'),
    date_from: z.string(),
    date_to: z.string(),
    currency: z.literal('BRL'),
  }),
  async run(input, context) {
    const position = decodeCursor(suggestionSort, input.cursor);
    const { account, company } = await requireAccountAndCompany(context, input.account_id);
    const to = input.date_to ?? context.today;
    const from = input.date_from ?? addDays(to, -DAYS_DEFAULT);
    if (from > to || from < addDays(to, -DAYS_MAX)) {
      failArgument('date_from', `a date up to ${DAYS_MAX} days before date_to`);
    }
    const window = {
      accountId: account.id,
      companyId: account.company_id,
      from,
      to,
      toleranceDays: input.date_tolerance_days,
    };
    const { suggestions, counts } = await suggestedFor(context, window, company, input.amount_tolerance);
    const rest = suggestions.slice(afterPosition(suggestions, position));
    const page = rest.slice(0, input.limit);
    const last = page.at(-1);
    return {
      suggestions: page.map(({ shown }) => shown),
      next_cursor:
        last === undefined || rest.length <= input.limit
          ? null
          : encodeCursor(suggestionSort, positionOf(last)),
      counts,
      date_from: from,
      date_to: to,
      currency: 'BRL' as const,
    };
  },
});
