/**
 * The amount due on a date as one expression of SQL, for sums over many charges: the same centavos as `amountsAt`
 * gives, which a property test holds it to. It starts from the ledger, so the date must not be before the last payment.
 */

import { bankHolidaysOf } from '../../core/calendar.ts';
import type { CivilDate } from '../../core/dates.ts';
import { weekdayOf } from '../../core/dates.ts';
import { PERCENT_WHOLE } from '../../core/money.ts';
import { raw, type Sql, sql } from '../../db/sql.ts';
import type { Ways } from './reckoning.ts';
import { DUE_YEAR_MAX, DUE_YEAR_MIN } from './rules.ts';

/** A Monday before every due date: weekdays are counted from it. */
const FIRST_MONDAY = '1900-01-01';

/** What an interest rate is spread over; `DAYS_IN_PERIOD` of the accruals says why. */
const denominators: Readonly<Record<string, readonly [calendar: number, business: number]>> = {
  percent_per_day: [1, 1],
  percent_per_month: [30, 21],
  percent_per_year: [365, 252],
};

let holidays: string | undefined;

/** The bank holidays on weekdays of all years that a charge may fall due in, as an array of SQL. */
function weekdayHolidays(): string {
  if (holidays !== undefined) return holidays;
  const dates: CivilDate[] = [];
  // One year more, because days are counted up to the date asked for.
  for (let year = DUE_YEAR_MIN; year <= DUE_YEAR_MAX + 1; year += 1) {
    dates.push(
      ...[...bankHolidaysOf(year).keys()].filter((date) => ![0, 6].includes(weekdayOf(date))).sort(),
    );
  }
  holidays = `{${dates.join(',')}}`;
  return holidays;
}

/**
 * Centavos due on `on` of the charge that `alias` names, a row of `dunning_charges`; 0 once nothing is owed. The
 * expression reads nothing else, and costs next to nothing for charges without terms.
 */
export function amountDueSql(alias: string, on: CivilDate, settings: Pick<Ways, 'interestFrom'>): Sql {
  const c = (text: string) => raw(text.replaceAll('c.', `${alias}.`));
  const today = sql`${on}::date`;
  // From the inside out: where the ledger stands, what has accrued since, and what is due.
  const standing = sql`
    select ${c(`
      c.amount_cents - c.abatement_cents as base, c.open_cents as open, c.due_date, c.adjusted_due_date, c.terms,
      (c.terms->'interest'->>'kind') as kind, coalesce(c.terms->'interest'->>'days' = 'business', false) as is_business,
      c.adjusted_due_date + coalesce((c.terms->>'graceDays')::integer, 0) as free_until,
      (c.ledger->>'accruedUntil')::date as accrued_until, coalesce((c.ledger->>'exact')::numeric, 0) as exact,
      coalesce((c.ledger->>'isFined')::boolean, false) as is_fined,
      coalesce((c.ledger->>'unpaidFine')::bigint, 0) as unpaid_fine,
      coalesce((c.ledger->>'paidInterest')::bigint, 0) as paid_interest,
      coalesce((c.ledger->>'discount')::bigint, 0) as taken`)},
      greatest(${today}, ${c(`(c.ledger->>'on')::date`)}) as on_date,
      ${c(`coalesce(c.terms->>'interestFrom', `)}${settings.interestFrom}) as interest_from
    offset 0`;
  const accrued = sql`
    select s.*, s.open > 0 and s.on_date > s.free_until as is_accruing,
      coalesce(s.accrued_until,
               case when s.is_business or s.interest_from = 'adjusted' then s.adjusted_due_date else s.due_date end)
        as counted_from
    from (${standing}) s offset 0`;
  return sql`
    case
      when ${c(`c.status not in ('pending', 'overdue', 'in_agreement')`)} then 0
      when ${c('c.terms is null')} then ${c('c.open_cents')}
      else (
        select a.open - ${discountOnOffer()} + ${unpaidFine()} + ${interest()} - a.paid_interest
          from (${accrued}) a)
    end`;
}

function unpaidFine(): Sql {
  return raw(`case
    when a.is_fined or not a.is_accruing then a.unpaid_fine
    when jsonb_typeof(a.terms->'fine') <> 'object' then 0
    when a.terms->'fine'->>'kind' = 'fixed' then (a.terms->'fine'->>'cents')::bigint
    else ${rounded(`a.base::numeric * (a.terms->'fine'->>'percent')::bigint`, String(PERCENT_WHOLE))}
  end`);
}

function interest(): Sql {
  const days = sql`case when a.is_business then ${businessDays('a.counted_from', 'a.on_date')}
                        else a.on_date - a.counted_from end`;
  const perDay = raw(`case a.kind
    when 'none' then 0
    when 'fixed_per_day' then (a.terms->'interest'->>'cents')::bigint
    else a.open * (a.terms->'interest'->>'percent')::numeric
  end`);
  const denominator = `(case a.kind ${Object.entries(denominators)
    .map(
      ([kind, [calendar, business]]) =>
        `when '${kind}' then ${PERCENT_WHOLE}::bigint * case when a.is_business then ${business} else ${calendar} end`,
    )
    .join(' ')} else 1 end)`;
  return sql`
    (select div(2 * i.exact + i.denominator, 2 * i.denominator)::bigint
       from (select a.exact + case when a.is_accruing then (${perDay}) * (${days})::numeric else 0 end as exact,
                    ${raw(denominator)} as denominator) i)`;
}

/** Of the agreed discounts the one with the nearest limit still ahead; what was taken already is used up. */
function discountOnOffer(): Sql {
  const days = sql`greatest(0, case when d.terms->>'days' = 'business'
                                    then ${businessDays('a.on_date', 'a.due_date')}
                                    else a.due_date - a.on_date end)`;
  const percent = rounded(`a.base::numeric * (d.terms->>'percent')::bigint`, String(PERCENT_WHOLE));
  return sql`
    case when jsonb_array_length(a.terms->'discounts') = 0 then 0 else coalesce(
      (select greatest(0, least(least(a.base, case d.terms->>'kind'
                when 'fixed' then (d.terms->>'cents')::bigint
                when 'percent' then ${raw(percent)}
                when 'fixed_per_day' then (d.terms->>'cents')::bigint * ${days}
                else div(2 * a.base::numeric * (d.terms->>'percent')::bigint * ${days} + ${raw(String(PERCENT_WHOLE))},
                         ${raw(String(2 * PERCENT_WHOLE))})::bigint
              end) - a.taken, a.open))
         from jsonb_array_elements(a.terms->'discounts') with ordinality as d (terms, place)
        where a.on_date <= coalesce((d.terms->>'until')::date, a.due_date)
        order by coalesce((d.terms->>'until')::date, a.due_date), d.place
        limit 1), 0) end`;
}

/** Business days in (from, to], as many as `businessDaysBetween` counts. */
function businessDays(from: string, to: string): Sql {
  const array = sql`${weekdayHolidays()}::date[]`;
  const until = (date: string) => sql`${raw(weekdaysUntil(date))} - width_bucket(${raw(date)}, ${array})`;
  return sql`((${until(to)}) - (${until(from)}))`;
}

/** Weekdays from the first Monday up to and including the date. */
function weekdaysUntil(date: string): string {
  const day = `(${date} - date '${FIRST_MONDAY}' + 1)`;
  return `(${day} / 7 * 5 + least(${day} % 7, 5))`;
}

/** The nearest whole number, halves up, of a fraction that is not negative. */
function rounded(numerator: string, denominator: string): string {
  return `div(2 * ${numerator} + ${denominator}, 2 * ${denominator})::bigint`;
}
