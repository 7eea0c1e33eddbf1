import { id, moneyText } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { requirePerson } from '../../people/index.ts';
import { selectRecovered, selectStillOverdue } from '../queries.ts';
import { filterOf, meanDays, recoveredSumOf } from '../resource.ts';
import { meanOf, type RecoveredSum, recoveredOf, shareOf, sharesBy, windowOf } from '../rules.ts';
import { monthsArgument, recoverySchema } from '../schema.ts';

export const recoveryMetrics = operation({
  name: 'dunning_metrics_recovery',
  title: 'Recovery metrics',
  summary:
    'Recovered amounts, rate, days and steps, what is still overdue; by month, payment method and channel.',
  effect: 'read',
  scope: 'dunning.metrics',
  input: { months: monthsArgument, person_id: id('the debtor').optional() },
  output: recoverySchema,
  async run(input, context) {
    const { db, organizationId, today } = context;
    const personId = input.person_id;
    if (personId !== undefined) await requirePerson(context, personId);
    const window = windowOf(input.months, today);
    const monthStarts = window.months.map((month) => `${month}-01`);
    const sums = await selectRecovered(db, organizationId, { monthStarts, to: today, personId });
    const overdue = await selectStillOverdue(db, organizationId, { today, personId });
    const whole = recoveredOf(sums);
    const overdueCents = overdue.charge_cents + overdue.installment_cents;
    return {
      as_of: today,
      currency: 'BRL' as const,
      filter: { ...filterOf(window), person_id: personId ?? null },
      recovered: recoveredSumOf(whole),
      still_overdue: {
        amount: moneyText(overdueCents),
        charges: overdue.charges,
        installments: overdue.installments,
      },
      recovery_rate: {
        percent: shareOf(whole.cents, whole.cents + overdueCents),
        recovered: moneyText(whole.cents),
        recovered_and_overdue: moneyText(whole.cents + overdueCents),
      },
      average_days_overdue: meanDays(whole),
      average_steps: {
        steps: meanOf(BigInt(whole.steps), BigInt(whole.firsts)),
        steps_total: whole.steps,
        first_payments: whole.firsts,
      },
      by_month: window.months.map((month, index) => {
        const own = recoveredOf(sums.filter((sum) => sum.month === index + 1));
        const isPartial = index === window.months.length - 1;
        return { month, is_partial: isPartial, ...recoveredSumOf(own), average_days_overdue: meanDays(own) };
      }),
      by_method: sharesOf(sums, whole.cents, ({ method }) => method).map(({ key, ...sum }) => ({
        method: key,
        ...sum,
      })),
      by_channel: sharesOf(sums, whole.cents, ({ channel }) => channel).map(({ key, ...sum }) => ({
        channel: key,
        ...sum,
      })),
    };
  },
});

function sharesOf(sums: readonly RecoveredSum[], wholeCents: number, keyOf: (sum: RecoveredSum) => string) {
  return sharesBy(sums, keyOf).map(({ key, recovered }) => ({
    key,
    ...recoveredSumOf(recovered),
    percent: shareOf(recovered.cents, wholeCents),
  }));
}
