/** What one charge shows besides its record: amounts on a date, its rule, and all that lives on it. */

import type { CivilDate } from '../../core/dates.ts';
import { moneyText } from '../../core/fields.ts';
import type { Context } from '../../core/operation.ts';
import type { Amounts } from '../../core/terms.ts';
import { amountsOf } from './amounts.ts';
import {
  selectAgreementOf,
  selectLegalAction,
  selectOpenDispute,
  selectRulePosition,
} from './detail-queries.ts';
import type { Amounted, ChargeDetail } from './detail-schema.ts';
import { holdsOf } from './holds.ts';
import { paymentOf, paymentsOfCharge } from './payment-resource.ts';
import type { ChargeRow } from './queries.ts';
import { chargeOf } from './resource.ts';

const PAYMENTS_SHOWN_MAX = 100;

/** The charge with everything a person asks about it. */
export async function chargeDetail(context: Context, row: ChargeRow, asOf: CivilDate): Promise<ChargeDetail> {
  const { db, organizationId, today } = context;
  const now = await amountsOf(context, row, today);
  const then = asOf === today ? now : await amountsOf(context, row, asOf);
  const payments = await paymentsOfCharge(context, row.id);
  const agreement =
    row.agreement_id === null ? undefined : await selectAgreementOf(db, organizationId, row.agreement_id);
  return {
    ...chargeOf(row, now),
    currency: 'BRL',
    as_of: asOf,
    amounts: amountedOf(row, then),
    rule: await selectRulePosition(db, organizationId, row),
    holds: (await holdsOf(context, [row.id])).map(({ reason, until, note, created_at }) => ({
      reason,
      until,
      note,
      created_at,
    })),
    open_dispute: (await selectOpenDispute(db, organizationId, row.id)) ?? null,
    live_legal_action: (await selectLegalAction(db, organizationId, row.id)) ?? null,
    agreement: agreement ?? null,
    payments: payments.slice(-PAYMENTS_SHOWN_MAX).map(paymentOf),
  };
}

/** The figures of one date, kept apart. */
export function amountedOf(row: ChargeRow, amounts: Amounts): Amounted {
  return {
    amount: moneyText(row.amount_cents),
    abatement: moneyText(row.abatement_cents),
    open_principal: moneyText(amounts.openPrincipal),
    discount: moneyText(amounts.discount),
    fine: moneyText(amounts.fine),
    interest: moneyText(amounts.interest),
    paid: moneyText(amounts.paid),
    amount_due: moneyText(amounts.amountDue),
    days_overdue: amounts.daysLate,
  };
}
