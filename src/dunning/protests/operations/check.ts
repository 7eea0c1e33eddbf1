import { z } from 'zod';
import { id, moneyOut, moneyText } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { requireCharge } from '../../charges/index.ts';
import {
  earliestDateOf,
  failedRules,
  legalCheckSchema,
  legalChecksOf,
  settingOf,
  titleKindCodes,
} from '../../legal/index.ts';

export const checkProtest = operation({
  name: 'dunning_protests_check',
  title: 'Check protest',
  summary: 'Whether the title of a charge may be protested: every rule, and the earliest date.',
  effect: 'read',
  scope: 'dunning.legal',
  input: {
    charge_id: id('the charge'),
    title_kind: z.enum(titleKindCodes).optional().describe('Default: that of the charge.'),
    has_document: z
      .boolean({ error: 'true or false' })
      .default(false)
      .describe('Whether proof of the debt would be attached.'),
  },
  output: z.object({
    charge_id: z.string(),
    title_kind: z.string().nullable(),
    is_allowed: z.boolean(),
    amount: moneyOut().describe('What would be protested today.'),
    checks: z.array(legalCheckSchema),
    earliest_date: z
      .string()
      .nullable()
      .describe(
        'When it may be asked for as far as time decides; null while another rule stands against it.',
      ),
  }),
  async run(input, context) {
    const charge = await requireCharge(context, input.charge_id);
    const titleKind = input.title_kind ?? charge.title_kind;
    const { situation, amounts } = await settingOf(context, 'protest', charge, {
      title: { kind: titleKind, hasDocument: input.has_document },
    });
    const checks = legalChecksOf(situation);
    return {
      charge_id: charge.id,
      title_kind: titleKind,
      is_allowed: failedRules(checks).length === 0,
      amount: moneyText(amounts.amountDue),
      checks,
      earliest_date: earliestDateOf(situation, checks),
    };
  },
});
