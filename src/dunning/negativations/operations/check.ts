import { z } from 'zod';
import { id, moneyOut, moneyText } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { requireCharge } from '../../charges/index.ts';
import { priorNoticeDays } from '../../contact-law/index.ts';
import {
  earliestDateOf,
  failedRules,
  legalCheckSchema,
  legalChecksOf,
  settingOf,
} from '../../legal/index.ts';
import { bureaus } from '../schema.ts';

export const checkNegativation = operation({
  name: 'dunning_negativations_check',
  title: 'Check credit-bureau report',
  summary: 'Whether a charge may be reported to a credit bureau: every rule, and the earliest date.',
  effect: 'read',
  scope: 'dunning.legal',
  input: {
    charge_id: id('the charge'),
    bureau: z.enum(bureaus).optional().describe('The rules are the same for each.'),
  },
  output: z.object({
    charge_id: z.string(),
    is_allowed: z.boolean(),
    amount: moneyOut().describe('What would be reported today.'),
    checks: z.array(legalCheckSchema),
    earliest_date: z
      .string()
      .nullable()
      .describe(
        'When it may be asked for as far as time decides; null while another rule stands against it.',
      ),
    waiting_days: z.int().describe('Between the proven prior notice and the report.'),
  }),
  async run(input, context) {
    const charge = await requireCharge(context, input.charge_id);
    const { situation, amounts, person, settings } = await settingOf(context, 'negativation', charge);
    const checks = legalChecksOf(situation);
    return {
      charge_id: charge.id,
      is_allowed: failedRules(checks).length === 0,
      amount: moneyText(amounts.amountDue),
      checks,
      earliest_date: earliestDateOf(situation, checks),
      waiting_days: priorNoticeDays(person.state, settings.legal.priorNoticeDays),
    };
  },
});
