import { z } from 'zod';
import { failArgument } from '../../../core/errors.ts';
import { id } from '../../../core/fields.ts';
import { type InputOf, operation, type WriteContext } from '../../../core/operation.ts';
import { requireAccount } from '../../accounts/index.ts';
import { requireCompany } from '../../companies/index.ts';
import { deleteSettings, lockSettings, selectMembers, upsertSettings } from '../queries.ts';
import { approvalSettingsOf, type SettingsInForce, settingsInForce } from '../resource.ts';
import {
  type ApprovalThreshold,
  ascending,
  type PaymentRules,
  requireOneFloorEach,
  type Safety,
} from '../rules.ts';
import { approvalSettingsSchema, safetyArgument, thresholdsArgument } from '../schema.ts';

const changes = {
  thresholds: thresholdsArgument.optional(),
  require_second_person: z.boolean().optional().describe('Whoever registered a bill may not approve it.'),
  safety: safetyArgument.optional(),
};

export const updateApprovalSettings = operation({
  name: 'finance_approval_settings_update',
  title: 'Update approval settings',
  summary:
    'Change who must approve bills and what payments are checked for, of the workspace or one company.',
  effect: 'write',
  scope: 'finance.settings',
  hints: { idempotent: true },
  input: {
    company_id: id('the company').optional().describe('Default: the settings of the workspace.'),
    ...changes,
    inherit: z.literal(true).optional().describe("Drops the company's own settings; the workspace's apply."),
  },
  output: approvalSettingsSchema,
  async run({ company_id, inherit, ...given }, context) {
    const companyId = company_id ?? null;
    requireSomethingTo(given, inherit, companyId);
    if (companyId !== null) await requireCompany(context, companyId);
    await lockSettings(context.db, context.workspaceId);
    const before = await settingsInForce(context, companyId);
    const own = before.row?.company_id === companyId ? before.row : null;
    if (inherit === true) {
      if (own !== null) await deleteSettings(context.db, context.workspaceId, own.id);
    } else {
      const { thresholds, require_second_person, safety } = await changedRules(
        before,
        given,
        companyId,
        context,
      );
      const stored = { thresholds, require_second_person, safety, updated_by: context.caller.user.id };
      const place = {
        workspace_id: context.workspaceId,
        id: own?.id ?? context.newId(),
        company_id: companyId,
      };
      await upsertSettings(context.db, { ...place, ...stored }, context.now);
    }
    const after = await settingsInForce(context, companyId);
    const record = approvalSettingsOf(after, companyId);
    const recordId = own?.id ?? after.row?.id;
    if (recordId !== undefined) {
      context.changed('approval_settings', recordId, approvalSettingsOf(before, companyId), record);
    }
    return record;
  },
});

type Given = InputOf<typeof changes>;

function requireSomethingTo(given: Given, inherit: true | undefined, companyId: string | null): void {
  const isChange = Object.values(given).some((value) => value !== undefined);
  if (inherit === true && companyId === null) failArgument('inherit', 'only together with company_id');
  if (inherit === true && isChange) failArgument('inherit', 'no other change besides it');
  if (inherit !== true && !isChange) {
    failArgument('thresholds', 'at least one of thresholds, require_second_person and safety');
  }
}

/** What was in force with what was given; a company's first own settings start from those of the workspace. */
async function changedRules(
  { rules }: SettingsInForce,
  given: Given,
  companyId: string | null,
  context: WriteContext,
): Promise<PaymentRules> {
  const thresholds: readonly ApprovalThreshold[] =
    given.thresholds === undefined
      ? rules.thresholds
      : ascending(
          given.thresholds.map(({ above, approvers }) => ({
            above,
            approvers: approvers === undefined ? null : [...new Set(approvers)],
          })),
        );
  const safety = safetyWith(rules.safety, given.safety);
  if (given.thresholds !== undefined) await requireMembers(thresholds, context);
  if (given.safety?.balance_floor !== undefined) await requireFloors(safety, companyId, context);
  return {
    thresholds,
    require_second_person: given.require_second_person ?? rules.require_second_person,
    safety,
  };
}

function safetyWith(before: Safety, given: Given['safety']): Safety {
  if (given === undefined) return before;
  const { balance_floor: floors, daily_limit: limit } = given;
  return {
    changed_bank_details: given.changed_bank_details ?? before.changed_bank_details,
    possible_duplicate: given.possible_duplicate ?? before.possible_duplicate,
    balance_floor:
      floors?.map(({ account_id = null, amount, mode }) => ({ account_id, amount_cents: amount, mode })) ??
      before.balance_floor,
    daily_limit:
      limit === undefined
        ? before.daily_limit
        : limit === null
          ? null
          : { amount_cents: limit.amount, mode: limit.mode },
  };
}

async function requireMembers(
  thresholds: readonly ApprovalThreshold[],
  context: WriteContext,
): Promise<void> {
  const named = [...new Set(thresholds.flatMap(({ approvers }) => approvers ?? []))];
  if (named.length === 0) return;
  const members = await selectMembers(context.db, context, named);
  if (named.some((userId) => !members.has(userId))) {
    failArgument('thresholds.approvers', 'ids of users who belong to this workspace');
  }
}

async function requireFloors(
  { balance_floor: floors }: Safety,
  companyId: string | null,
  context: WriteContext,
): Promise<void> {
  requireOneFloorEach(floors);
  // Only read: the accounts are not changed, and a lock here would make every payment wait.
  const reading = { ...context, isWriting: false };
  for (const { account_id } of floors) {
    if (account_id === null) continue;
    const account = await requireAccount(reading, account_id);
    if (companyId !== null && account.company_id !== companyId) {
      failArgument('safety.balance_floor.account_id', 'an account of the company');
    }
  }
}
