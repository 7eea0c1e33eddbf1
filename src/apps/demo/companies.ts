import { addDays, addMonths, lastDayOfMonth, monthOf } from '../../core/dates.ts';
import { cnpjCheckDigits } from '../../core/documents/tax-id.ts';
import { bornAt, instantOn, type NewRow, type Setting } from './setting.ts';

/** Longer than the two years of bills. */
export const FOUNDED_DAYS_AGO = 770;

export interface CompanyPlan {
  /** The first twelve characters of the CNPJ. */
  readonly cnpjBase: string;
  readonly legalName: string;
  readonly tradeName: string;
  readonly city: string;
  readonly state: string;
  /** Place of the head office in the list, for a branch. */
  readonly branchOf?: number;
  /** Months for which the books are still open, the current one included. */
  readonly openMonths?: number;
}

/** The companies of a workspace, in the order of their plans. */
export function buildCompanies(setting: Setting, plans: readonly CompanyPlan[]): NewRow<'companies'>[] {
  const companies: NewRow<'companies'>[] = [];
  for (const plan of plans) {
    const createdAt = instantOn(addDays(setting.today, -FOUNDED_DAYS_AGO), setting.random);
    companies.push({
      ...bornAt(setting, createdAt),
      document_number: plan.cnpjBase + cnpjCheckDigits(plan.cnpjBase),
      legal_name: plan.legalName,
      trade_name: plan.tradeName,
      parent_id: plan.branchOf === undefined ? null : companies[plan.branchOf]!.id,
      state_registration: setting.random.digits(12),
      address: {
        street: 'Rua das Amoreiras',
        number: String(setting.random.integer(10, 990)),
        district: 'Centro',
        city: plan.city,
        state: plan.state,
        postal_code: `0${setting.random.digits(4)}000`,
      },
      books_closed_until: plan.openMonths === undefined ? null : closedUntil(setting, plan.openMonths),
      active: true,
      updated_at: createdAt,
      version: 1,
    });
  }
  return companies;
}

function closedUntil({ today }: Setting, openMonths: number): string {
  return lastDayOfMonth(addMonths(monthOf(today), -openMonths));
}
