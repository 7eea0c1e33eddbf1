import { addDays } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
import { bornAt, instantOn, type NewRow, type Setting } from './setting.ts';

const DECIDED_DAYS_AGO = 760;
const FLOOR_CENTS = 1_000_000;

/** Bills from an amount on wait for a second person, and payments leave something in every account. */
export function buildApprovalSettings(setting: Setting, above: Cents | null): NewRow<'approval_settings'>[] {
  if (above === null) return [];
  const createdAt = instantOn(addDays(setting.today, -DECIDED_DAYS_AGO), setting.random);
  const { created_by, ...born } = bornAt(setting, createdAt);
  return [
    {
      ...born,
      company_id: null,
      thresholds: [{ above, approvers: null }],
      require_second_person: true,
      safety: {
        changed_bank_details: 'warn',
        possible_duplicate: 'warn',
        balance_floor: [{ account_id: null, amount_cents: FLOOR_CENTS, mode: 'warn' }],
        daily_limit: null,
      },
      updated_by: created_by,
      updated_at: createdAt,
      version: 1,
    },
  ];
}
