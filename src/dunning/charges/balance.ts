/** The reckoning of one charge on a date, line by line, each figure with what it was reckoned from. Pure. */

import { z } from 'zod';
import { interestStart, NO_TERMS } from '../../core/accruals.ts';
import { businessDaysBetween } from '../../core/calendar.ts';
import { type CivilDate, daysBetween } from '../../core/dates.ts';
import { moneyOut, moneyText } from '../../core/fields.ts';
import type { Amounts } from '../../core/terms.ts';
import { chargesOf } from '../../finance/debts/index.ts';
import { type Entry, laterOf, type StoredTerms, stretchesOf, type Ways, waysOf } from './reckoning.ts';

/** What a balance is made of. */
export interface BalanceOf {
  readonly amount_cents: number;
  readonly abatement_cents: number;
  readonly due_date: CivilDate;
  readonly adjusted_due_date: CivilDate;
  readonly terms: unknown;
  readonly status: string;
}

const rate = { kind: z.string(), value: z.string().optional() };

export const balanceSchema = z
  .object({
    charge_id: z.string(),
    as_of: z.string(),
    currency: z.literal('BRL'),
    status: z.string(),
    due_date: z.string(),
    adjusted_due_date: z.string(),
    days_overdue: z.int(),
    principal: moneyOut().describe('Face value.'),
    abatement: moneyOut(),
    base: moneyOut().describe('principal - abatement.'),
    discount: z.object({
      amount: moneyOut(),
      taken: moneyOut().describe('Used up by payments or given up.'),
      on_offer: moneyOut().describe('For paying it off on the date.'),
    }),
    fine: z.object({ amount: moneyOut(), unpaid: moneyOut(), ...rate, base: moneyOut() }),
    interest: z.object({
      amount: moneyOut().describe('All stretches together, rounded once.'),
      unpaid: moneyOut(),
      ...rate,
      day_kind: z.string().nullable(),
      counted_from: z.string(),
      days: z.int(),
      stretches: z
        .array(z.object({ from: z.string(), to: z.string(), days: z.int(), principal: moneyOut() }))
        .describe('Days after `from` up to `to`, on the principal open then.'),
    }),
    payments: z.array(
      z.object({
        id: z.string().nullable().describe('Null for what an agreement credited or gave up.'),
        paid_at: z.string(),
        effective_on: z.string(),
        amount: moneyOut(),
        principal: moneyOut(),
        discount: moneyOut(),
        interest: moneyOut(),
        fine: moneyOut(),
        excess: moneyOut(),
      }),
    ),
    paid: moneyOut().describe('What of the payments was used.'),
    open_principal: moneyOut(),
    total: moneyOut().describe('Due on the date: base - discount + fine + interest - paid.'),
  })
  .meta({ id: 'charge_balance', description: 'What is due on a charge on a date, with the working shown.' });

export type Balance = z.input<typeof balanceSchema>;

/** The lines of a charge whose entries up to the date and amounts on it are these. */
export function balanceOf(
  charge: BalanceOf & { readonly id: string },
  entries: readonly Entry[],
  amounts: Amounts,
  on: CivilDate,
  settings: Ways,
): Balance {
  const counted = entries.filter(({ paid_on }) => paid_on <= on);
  const stored = charge.terms as StoredTerms | null;
  const terms = stored ?? NO_TERMS;
  const { fine, interest } = chargesOf(terms);
  const isBusiness = terms.interest.kind !== 'none' && terms.interest.days === 'business';
  const daysOf = isBusiness ? businessDaysBetween : daysBetween;
  const until = counted.reduce((last, { effective_on }) => laterOf(last, effective_on), on);
  const stretches = stretchesOf(charge, counted, amounts.allocations, until, settings).map(
    ({ from, to, principal }) => ({ from, to, days: daysOf(from, to), principal }),
  );
  return {
    charge_id: charge.id,
    as_of: on,
    currency: 'BRL',
    status: charge.status,
    due_date: charge.due_date,
    adjusted_due_date: charge.adjusted_due_date,
    days_overdue: amounts.daysLate,
    principal: moneyText(charge.amount_cents),
    abatement: moneyText(charge.abatement_cents),
    base: moneyText(amounts.base),
    discount: {
      amount: moneyText(amounts.discount),
      taken: moneyText(amounts.discount - amounts.discountOnOffer),
      on_offer: moneyText(amounts.discountOnOffer),
    },
    fine: {
      amount: moneyText(amounts.fine),
      unpaid: moneyText(amounts.unpaidFine),
      ...rateOf(fine),
      base: moneyText(amounts.base),
    },
    interest: {
      amount: moneyText(amounts.interest),
      unpaid: moneyText(amounts.unpaidInterest),
      ...rateOf(interest),
      day_kind: interest.days ?? null,
      counted_from: interestStart(charge.due_date, terms.interest, waysOf(stored, settings).interestFrom),
      days: stretches.reduce((sum, { days }) => sum + days, 0),
      stretches: stretches.map((stretch) => ({ ...stretch, principal: moneyText(stretch.principal) })),
    },
    payments: counted.map((entry, index) => lineOf(entry, amounts.allocations[index]!)),
    paid: moneyText(amounts.paid),
    open_principal: moneyText(amounts.openPrincipal),
    total: moneyText(amounts.amountDue),
  };
}

function rateOf(charge: { kind: string; value?: string | undefined } | null): {
  kind: string;
  value?: string;
} {
  if (charge === null) return { kind: 'none' };
  const { kind, value } = charge;
  return value === undefined ? { kind } : { kind, value };
}

function lineOf(entry: Entry, parts: Amounts['allocations'][number]): Balance['payments'][number] {
  return {
    id: entry.payment_id,
    paid_at: entry.paid_on,
    effective_on: entry.effective_on,
    amount: moneyText(entry.amount_cents),
    principal: moneyText(parts.principal),
    discount: moneyText(parts.discount),
    interest: moneyText(parts.interest),
    fine: moneyText(parts.fine),
    excess: moneyText(parts.excess),
  };
}
