/** What repeats: the recurrences, and the occurrences that were registered so far. */

import type { Terms } from '../../core/accruals.ts';
import { nextBusinessDay } from '../../core/calendar.ts';
import { addDays, addMonths, type CivilDate, monthlyFromAnchor, monthOf } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
import type { Classification } from './classification.ts';
import { buildPaymentDetails } from './payment-details.ts';
import type { People, PersonRow } from './people.ts';
import { fateByDate, type Occurrence, type Plan, usualTerms } from './plans.ts';
import type { SalePlan } from './sales.ts';
import { bornAt, instantOn, type NewRow, type Setting } from './setting.ts';
import type { PaidBy } from './trades.ts';

/** Occurrences are registered this long before they are due; the run of today is still to come. */
const REGISTERED_DAYS_AHEAD = 59;
const BEGAN_MONTHS_AGO = 4;
const MADE_DAYS_BEFORE = 10;

export interface Recurrences {
  readonly rows: NewRow<'recurrences'>[];
  readonly bills: Plan[];
  readonly sales: SalePlan[];
}

interface Repeated {
  readonly person: PersonRow;
  readonly company: NewRow<'companies'>;
  readonly description: string;
  readonly amount: Cents;
  readonly documentNumber: string;
  readonly category: string;
  readonly terms: Terms | null;
  readonly anchorDay: number;
}

/** The rent, the internet connection, and a customer's subscription. */
export function buildRecurrences(
  setting: Setting,
  { suppliers, customers }: People,
  companies: readonly NewRow<'companies'>[],
  classification: Classification,
): Recurrences {
  const made: Recurrences = { rows: [], bills: [], sales: [] };
  const company = companies[0]!;
  const of = (trade: string) => suppliers.find((one) => one.trade.name === trade)!;
  const usual = { company, terms: null };
  const bill = (
    supplier: Plan['supplier'],
    paidBy: PaidBy,
    repeated: Omit<Repeated, 'person' | 'category'>,
  ) => {
    const { person, trade } = supplier;
    const details = buildPaymentDetails(setting.random, supplier, {
      amount: 0,
      dueDate: setting.today,
      paidBy,
    });
    const what = { ...repeated, person, category: trade.category };
    const { row, occurrences } = repeat(setting, 'payable', what, details, classification);
    made.rows.push(row);
    made.bills.push(...occurrences.map((one) => ({ ...one, supplier, paidBy })));
  };
  bill(of('Imóveis'), 'ted', {
    ...usual,
    description: 'Aluguel do galpão',
    amount: 620_000,
    documentNumber: 'CT-2041',
    terms: usualTerms,
    anchorDay: 5,
  });
  bill(of('Telecom'), 'pix_key', {
    ...usual,
    description: 'Internet dedicada',
    amount: 48_990,
    documentNumber: 'CT-8810',
    anchorDay: 31,
  });
  const customer = customers[1]!;
  const subscription = {
    ...usual,
    person: customer,
    description: 'Assinatura de reposição mensal',
    amount: 189_900,
    documentNumber: 'AS-3307',
    category: 'Assinaturas',
    terms: usualTerms,
    anchorDay: 15,
  };
  const { row, occurrences } = repeat(setting, 'receivable', subscription, null, classification);
  made.rows.push(row);
  made.sales.push(
    ...occurrences.map((one) => ({ ...one, customer, category: subscription.category, chargedBy: null })),
  );
  return made;
}

function repeat(
  setting: Setting,
  kind: 'payable' | 'receivable',
  repeated: Repeated,
  paymentDetails: unknown,
  classification: Classification,
) {
  const { today, random, authors } = setting;
  const { company, person, description, amount, documentNumber, terms, anchorDay } = repeated;
  const start = monthlyFromAnchor(`${addMonths(monthOf(today), -BEGAN_MONTHS_AGO)}-01`, 0, anchorDay);
  const madeOn = addDays(start, -MADE_DAYS_BEFORE);
  const createdAt = instantOn(madeOn, random);
  const born = bornAt(setting, createdAt, authors.assistant);
  const occurrences = registeredOf(start, anchorDay, addDays(today, REGISTERED_DAYS_AHEAD)).map(
    (date, number) => {
      const dueDate = nextBusinessDay(date);
      const registeredOn = addDays(date, -REGISTERED_DAYS_AHEAD - 1);
      return {
        fate: fateByDate(dueDate, today),
        dueDate,
        issueDate: [madeOn, registeredOn].sort().at(-1)!,
        amount,
        terms,
        company,
        description,
        documentNumber: `${documentNumber}/${number + 1}`,
        recurrence: { id: born.id, number, date } satisfies Occurrence,
      };
    },
  );
  const row: NewRow<'recurrences'> = {
    ...born,
    kind,
    template: {
      companyId: company.id,
      personId: person.id,
      description,
      amountCents: amount,
      documentNumber,
      categoryId: classification.leaf(repeated.category),
      costCenters: [],
      withholdings: [],
      abatementCents: 0,
      terms,
      paymentDetails,
      plannedAccountId: null,
    },
    frequency: 'monthly',
    anchor_day: anchorDay,
    start_date: start,
    end_date: null,
    occurrences: null,
    non_business_day: 'next',
    next_number: occurrences.length,
    next_on: monthlyFromAnchor(start, occurrences.length, anchorDay),
    held_by: null,
    status: 'active',
    end_reason: null,
    template_by: authors.assistant,
    updated_at: createdAt,
    version: 1,
  };
  return { row, occurrences };
}

/** The dates up to a day, each counted from the start and the anchor day. */
function registeredOf(start: CivilDate, anchorDay: number, until: CivilDate): CivilDate[] {
  const dates: CivilDate[] = [];
  for (let date = start; date <= until; date = monthlyFromAnchor(start, dates.length, anchorDay))
    dates.push(date);
  return dates;
}
