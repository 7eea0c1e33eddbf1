import { z } from 'zod';
import { id, money, moneyOut, signedMoney } from '../../core/fields.ts';

const THRESHOLDS_MAX = 10;
const APPROVERS_MAX = 50;
const FLOORS_MAX = 50;

const mode = z.enum(['warn', 'refuse'], { error: 'warn or refuse' });

export const thresholdsArgument = z
  .array(
    z.strictObject({
      above: money().describe('Bills of this amount and more.'),
      approvers: z
        .array(id('a user'), { error: `a list of 1 to ${APPROVERS_MAX} ids` })
        .min(1, { error: 'at least one id' })
        .max(APPROVERS_MAX, { error: `at most ${APPROVERS_MAX} ids` })
        .optional()
        .describe('Users, one of whom approves; default: anybody with the right to.'),
    }),
    { error: `a list of at most ${THRESHOLDS_MAX} thresholds` },
  )
  .max(THRESHOLDS_MAX, { error: `at most ${THRESHOLDS_MAX} thresholds` })
  .describe('Replaces all; the highest one that a bill reaches decides. Empty: nothing needs approval.');

export const safetyArgument = z
  .strictObject({
    changed_bank_details: mode.optional().describe('The payee changed bank details in the last 7 days.'),
    possible_duplicate: mode.optional().describe('Another bill or payment looks like this one.'),
    balance_floor: z
      .array(
        z.strictObject({
          account_id: id('the account').optional().describe('Default: every account without its own floor.'),
          amount: signedMoney().describe('The least the account may hold afterwards.'),
          mode,
        }),
        { error: `a list of at most ${FLOORS_MAX} floors` },
      )
      .max(FLOORS_MAX, { error: `at most ${FLOORS_MAX} floors` })
      .optional()
      .describe('Replaces all. Counts the book balance less the payments on their way.'),
    daily_limit: z
      .strictObject({ amount: money(), mode })
      .nullable()
      .optional()
      .describe('What one connection may send to banks in a day; null: no limit.'),
  })
  .describe('What payments are checked for: `warn` tells whoever confirms, `refuse` stops them.');

export const approvalSettingsSchema = z
  .object({
    company_id: z.string().nullable().describe('Null: of the workspace.'),
    source: z
      .enum(['company', 'workspace', 'default'])
      .describe('Whose settings are in force: a company without its own follows the workspace.'),
    thresholds: z.array(
      z.object({
        above: moneyOut(),
        approvers: z.array(z.string()).nullable().describe('Null: anybody with the right to approve.'),
      }),
    ),
    require_second_person: z.boolean().describe('Whoever registered a bill may not approve it.'),
    safety: z.object({
      changed_bank_details: mode,
      possible_duplicate: mode,
      balance_floor: z.array(z.object({ account_id: z.string().nullable(), amount: moneyOut(), mode })),
      daily_limit: z.object({ amount: moneyOut(), mode }).nullable(),
    }),
    updated_by: z.string().nullable(),
    updated_at: z.string().nullable(),
    version: z.int().nullable(),
  })
  .meta({ id: 'approval_settings', description: 'What bills and payments are held to.' });

export type ApprovalSettings = z.infer<typeof approvalSettingsSchema>;
