import { moneyText } from '../../core/fields.ts';
import type { Context } from '../../core/operation.ts';
import { type SettingsRow, selectSettings, selectWorkspaceSettings } from './queries.ts';
import {
  type ApprovalThreshold,
  defaultSafety,
  type PaymentRules,
  rulesOfWorkspace,
  type Safety,
} from './rules.ts';
import type { ApprovalSettings } from './schema.ts';

/** Settings in force, and the row they come from; null when nobody has recorded any. */
export interface SettingsInForce {
  readonly rules: PaymentRules;
  readonly row: SettingsRow | null;
}

/** What bills and payments of a company are held to now: its own settings, else those of the workspace. */
export async function paymentRulesOf(context: Context, companyId: string): Promise<PaymentRules> {
  return (await settingsInForce(context, companyId)).rules;
}

export async function settingsInForce(context: Context, companyId: string | null): Promise<SettingsInForce> {
  const { db, organizationId, workspaceId } = context;
  const row = await selectSettings(db, workspaceId, companyId);
  if (row !== undefined) return { row, rules: rulesOf(row) };
  const settings = await selectWorkspaceSettings(db, organizationId, workspaceId);
  return { row: null, rules: rulesOfWorkspace(settings) };
}

/** The public record of what is in force for a company, or with null for the workspace. */
export function approvalSettingsOf(
  { rules, row }: SettingsInForce,
  companyId: string | null,
): ApprovalSettings {
  const { thresholds, require_second_person, safety } = rules;
  const source = row === null ? 'default' : row.company_id === null ? 'workspace' : 'company';
  return {
    company_id: companyId,
    source,
    thresholds: thresholds.map(({ above, approvers }) => ({
      above: moneyText(above),
      approvers: approvers === null ? null : [...approvers],
    })),
    require_second_person,
    safety: {
      changed_bank_details: safety.changed_bank_details,
      possible_duplicate: safety.possible_duplicate,
      balance_floor: safety.balance_floor.map(({ account_id, amount_cents, mode }) => ({
        account_id,
        amount: moneyText(amount_cents),
        mode,
      })),
      daily_limit:
        safety.daily_limit === null
          ? null
          : { amount: moneyText(safety.daily_limit.amount_cents), mode: safety.daily_limit.mode },
    },
    updated_by: row?.updated_by ?? null,
    updated_at: row?.updated_at ?? null,
    version: row?.version ?? null,
  };
}

function rulesOf(row: SettingsRow): PaymentRules {
  return {
    thresholds: row.thresholds as ApprovalThreshold[],
    require_second_person: row.require_second_person,
    safety: { ...defaultSafety, ...(row.safety as Partial<Safety>) },
  };
}
