import { z } from 'zod';
import { fail } from '../../../core/errors.ts';
import { date, id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { applyRules } from '../apply.ts';
import { requireRule } from '../resource.ts';
import { classifiedSchema, type Rule } from '../schema.ts';

const SHOWN_MAX = 100;

export const applyRulesToPast = operation({
  name: 'finance_automatic_rules_apply',
  title: 'Apply automatic rules',
  summary:
    "Classify existing unclassified entries; never overwrites a person's choice. Only shows the changes unless `dry_run` is false.",
  effect: 'write',
  scope: 'finance.automatic_rules',
  hints: { idempotent: true },
  dryRun: 'default',
  input: {
    id: id('the rule').optional().describe('Only what this rule is the first to match; default: all rules.'),
    date_from: date().optional().describe('Of the entry; of a document, when it is due.'),
    date_to: date().optional().describe('Of the entry; of a document, when it is due.'),
  },
  output: z.object({
    applied: z.boolean().describe('False after a dry run: nothing was changed.'),
    count: z.int().describe('All changes, shown or not.'),
    changes: z.array(classifiedSchema).describe(`The first ${SHOWN_MAX}.`),
    scanned: z.int().describe('Unclassified entries looked at.'),
    complete: z
      .boolean()
      .describe('False: a limit was reached; narrow the dates, or apply again for the rest.'),
  }),
  async run(input, context) {
    const rule = input.id === undefined ? null : await requireRule(context, input.id);
    if (rule?.active === false) {
      fail('invalid_state', { kind: 'automatic_rule', from: 'inactive', allowed: ['active'] });
    }
    const { changes, scanned, isComplete } = await applyRules(context, {
      scope: (rule?.scope as Rule['scope'] | undefined) ?? 'all',
      ruleId: rule?.id ?? null,
      date_from: input.date_from,
      date_to: input.date_to,
    });
    return {
      applied: !context.isDryRun,
      count: changes.length,
      changes: changes.slice(0, SHOWN_MAX),
      scanned,
      complete: isComplete,
    };
  },
});
