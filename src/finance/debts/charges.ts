/** The argument `charges`: what was agreed about paying early or late, at the edge and inside. */

import { z } from 'zod';
import type { Discount, Fine, Interest, Terms } from '../../core/accruals.ts';
import { date, money, moneyText, percent } from '../../core/fields.ts';
import { formatPercent } from '../../core/money.ts';

const DISCOUNTS_MAX = 3;
const GRACE_DAYS_MAX = 365;

const days = z.enum(['calendar', 'business']).default('calendar');
const graceError = `whole days from 0 to ${GRACE_DAYS_MAX}`;

const discount = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('fixed'), value: money(), until: date() }),
    z.strictObject({ kind: z.literal('percent'), value: percent(), until: date() }),
    z.strictObject({ kind: z.literal('fixed_per_day'), value: money(), days, until: date().optional() }),
    z.strictObject({ kind: z.literal('percent_per_day'), value: percent(), days, until: date().optional() }),
  ],
  { error: 'one of: fixed, percent, fixed_per_day, percent_per_day' },
);

const fine = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('fixed'), value: money() }),
    z.strictObject({ kind: z.literal('percent'), value: percent() }),
  ],
  { error: 'one of: fixed, percent' },
);

const interest = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('none') }),
    z.strictObject({ kind: z.literal('fixed_per_day'), value: money(), days }),
    z.strictObject({
      kind: z.enum(['percent_per_day', 'percent_per_month', 'percent_per_year']),
      value: percent(),
      days,
    }),
  ],
  {
    error: 'one of: none, fixed_per_day, percent_per_day, percent_per_month, percent_per_year',
  },
);

/** What a caller says about discount, fine and interest. */
export const chargesArgument = z
  .strictObject({
    fine: fine.optional(),
    interest: interest.optional(),
    discounts: z.array(discount).max(DISCOUNTS_MAX).optional(),
    grace_days: z
      .int({ error: graceError })
      .min(0, { error: graceError })
      .max(GRACE_DAYS_MAX, { error: graceError })
      .optional(),
  })
  .meta({ id: 'charges_input', description: 'Discount, fine and interest; values in reais or percent.' });

const chargeOut = z.object({
  kind: z.string(),
  value: z.string().optional(),
  days: z.string().optional(),
  until: z.string().optional(),
});

/** The same in a record. */
export const chargesSchema = z
  .object({
    fine: chargeOut.nullable(),
    interest: chargeOut,
    discounts: z.array(chargeOut),
    grace_days: z.int(),
  })
  .meta({ id: 'charges', description: 'Agreed discount, fine and interest.' });

/** The terms that the argument states. */
export function termsOf(charges: z.output<typeof chargesArgument>): Terms {
  return {
    discounts: (charges.discounts ?? []).map(discountOf),
    fine: charges.fine === undefined ? null : fineOf(charges.fine),
    interest: interestOf(charges.interest ?? { kind: 'none' }),
    graceDays: charges.grace_days ?? 0,
  };
}

/** Terms as a record shows them. */
export function chargesOf(terms: Terms): z.input<typeof chargesSchema> {
  return {
    fine: terms.fine === null ? null : chargeOf(terms.fine),
    interest: chargeOf(terms.interest),
    discounts: terms.discounts.map(chargeOf),
    grace_days: terms.graceDays,
  };
}

function discountOf(given: z.output<typeof discount>): Discount {
  switch (given.kind) {
    case 'fixed':
      return { kind: given.kind, cents: given.value, until: given.until };
    case 'percent':
      return { kind: given.kind, percent: given.value, until: given.until };
    case 'fixed_per_day':
      return { kind: given.kind, cents: given.value, days: given.days, ...limitOf(given) };
    case 'percent_per_day':
      return { kind: given.kind, percent: given.value, days: given.days, ...limitOf(given) };
  }
}

function limitOf({ until }: { until?: string | undefined }): { until?: string } {
  return until === undefined ? {} : { until };
}

function fineOf(given: z.output<typeof fine>): Fine {
  return given.kind === 'fixed'
    ? { kind: given.kind, cents: given.value }
    : { kind: given.kind, percent: given.value };
}

function interestOf(given: z.output<typeof interest>): Interest {
  if (given.kind === 'none') return given;
  return given.kind === 'fixed_per_day'
    ? { kind: given.kind, cents: given.value, days: given.days }
    : { kind: given.kind, percent: given.value, days: given.days };
}

function chargeOf(charge: Fine | Interest | Discount): z.input<typeof chargeOut> {
  return {
    kind: charge.kind,
    ...('cents' in charge && { value: moneyText(charge.cents) }),
    ...('percent' in charge && { value: formatPercent(charge.percent) }),
    ...('days' in charge && { days: charge.days }),
    ...('until' in charge && charge.until !== undefined && { until: charge.until }),
  };
}
