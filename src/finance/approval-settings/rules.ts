/** Decisions about approval and payment safety, without database. Amounts in centavos. */

import { failArgument } from '../../core/errors.ts';
import { type Cents, parseMoney } from '../../core/money.ts';

/** What happens when a payment looks risky: the person who confirms is told, or it does not go. */
export type SafetyMode = 'warn' | 'refuse';

/** Bills of this amount and more wait for one of these people; null: for anybody with the right to approve. */
export interface ApprovalThreshold {
  readonly above: Cents;
  readonly approvers: readonly string[] | null;
}

/** The least an account may hold after a payment; a null account stands for each that has no floor of its own. */
export interface BalanceFloor {
  readonly account_id: string | null;
  readonly amount_cents: Cents;
  readonly mode: SafetyMode;
}

/** The safety net of payments, as stored. */
export interface Safety {
  readonly changed_bank_details: SafetyMode;
  readonly possible_duplicate: SafetyMode;
  readonly balance_floor: readonly BalanceFloor[];
  /** What one connection may send in one civil day. */
  readonly daily_limit: { readonly amount_cents: Cents; readonly mode: SafetyMode } | null;
}

/** What payments of a company are held to. */
export interface PaymentRules {
  /** Ascending. */
  readonly thresholds: readonly ApprovalThreshold[];
  /** Whoever registered a bill may not approve it. */
  readonly require_second_person: boolean;
  readonly safety: Safety;
}

/** Where nobody decided anything else: everything is shown, nothing refused. */
export const defaultSafety: Safety = {
  changed_bank_details: 'warn',
  possible_duplicate: 'warn',
  balance_floor: [],
  daily_limit: null,
};

/**
 * The rules while nobody has recorded any: those in the settings of the workspace itself,
 * `{approval: {above, second_person}}`, where anything unreadable counts as no rule.
 */
export function rulesOfWorkspace(settings: unknown): PaymentRules {
  const approval = (settings as { approval?: { above?: unknown; second_person?: unknown } } | null)?.approval;
  const above = typeof approval?.above === 'string' ? parseMoney(approval.above) : null;
  return {
    thresholds: above === null ? [] : [{ above, approvers: null }],
    require_second_person: approval?.second_person === true,
    safety: defaultSafety,
  };
}

/** Whether a bill of this amount waits for an approval. */
export function isApprovalNeeded({ thresholds }: Pick<PaymentRules, 'thresholds'>, amount: Cents): boolean {
  return thresholds.some(({ above }) => amount >= above);
}

/** Who may approve a bill of this amount, by the highest threshold it reaches; null: all with the right to. */
export function approversFor(
  { thresholds }: Pick<PaymentRules, 'thresholds'>,
  amount: Cents,
): readonly string[] | null {
  return thresholds.findLast(({ above }) => amount >= above)?.approvers ?? null;
}

/** The floor of an account: its own, else the one for all. */
export function balanceFloorOf({ balance_floor }: Safety, accountId: string): BalanceFloor | null {
  const own = balance_floor.find(({ account_id }) => account_id === accountId);
  return own ?? balance_floor.find(({ account_id }) => account_id === null) ?? null;
}

/** Thresholds from the lowest on. Fails with `invalid_argument` when two are of one amount. */
export function ascending(thresholds: readonly ApprovalThreshold[]): ApprovalThreshold[] {
  const sorted = [...thresholds].sort((left, right) => left.above - right.above);
  if (new Set(sorted.map(({ above }) => above)).size < sorted.length) {
    failArgument('thresholds', 'thresholds of different amounts');
  }
  return sorted;
}

/** Fails with `invalid_argument` when an account has two floors, or two are for all accounts. */
export function requireOneFloorEach(floors: readonly BalanceFloor[]): void {
  if (new Set(floors.map(({ account_id }) => account_id)).size < floors.length) {
    failArgument('safety.balance_floor', 'one floor for each account, and one without account');
  }
}
