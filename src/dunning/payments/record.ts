/** The one way money of a debtor is recorded, whoever heard of it: a person, finance, a notary's office. */

import { effectivePaymentDay } from '../../core/accruals.ts';
import { type CivilDate, daysBetween } from '../../core/dates.ts';
import { fail, failArgument } from '../../core/errors.ts';
import type { Cents } from '../../core/money.ts';
import type { WriteContext } from '../../core/operation.ts';
import { payInstallment, requireInstallment } from '../agreements/index.ts';
import {
  amountsOf,
  type ChargeRow,
  isStillOpen,
  type PaymentMethod,
  type PaymentRow,
  type PaymentSource,
  paymentOf,
  recoveredOf,
  replayCharge,
  requireCharge,
} from '../charges/index.ts';
import { selectAgreementDebt, selectAttribution } from './attribution-queries.ts';
import { insertPayment, type NewPayment, selectPaymentsKnownAs, updatePayment } from './queries.ts';
import { requirePayment } from './resource.ts';
import { isSamePayment, requireExpected } from './rules.ts';

export interface Payer {
  readonly name: string | null;
  readonly document_number: string | null;
}

export interface PaymentDraft {
  /** One of the two. */
  readonly chargeId?: string | undefined;
  readonly installmentId?: string | undefined;
  /** What the debtor paid, greater than zero. */
  readonly amountCents: Cents;
  /** The debtor's day, not after today. */
  readonly paidOn: CivilDate;
  readonly method: PaymentMethod;
  /** The day the money was there. */
  readonly creditedOn?: CivilDate | null | undefined;
  /** Kept by the bank out of what was paid. */
  readonly feeCents?: Cents | undefined;
  /** What the payment is called outside; each counts once. */
  readonly externalId?: string | null | undefined;
  readonly endToEndId?: string | null | undefined;
  readonly payer?: Payer | null | undefined;
  readonly source?: PaymentSource | undefined;
  /** What somebody has seen to be due on that day; anything else stops the payment, unless it is recorded already. */
  readonly expectedDueCents?: Cents | undefined;
}

/**
 * Records a payment and moves what it pays. One that is known outside by a name recorded before is that payment, and
 * nothing happens. Money for a charge paid already is a duplicate and leaves it alone; what a charge does not need is
 * excess; both ask for a refund. Fails with `not_found`, `invalid_argument`, `charge_in_agreement`, or `duplicate` for a
 * known name with other contents.
 */
export async function recordPayment(context: WriteContext, draft: PaymentDraft): Promise<PaymentRow> {
  if ((draft.chargeId === undefined) === (draft.installmentId === undefined)) {
    failArgument('charge_id', 'either `charge_id` or `installment_id`');
  }
  if (draft.paidOn > context.today) failArgument('paid_at', 'a date not after today');
  if ((draft.feeCents ?? 0) > draft.amountCents) failArgument('fee', 'at most the amount');
  return draft.chargeId === undefined
    ? recordForInstallment(context, draft, draft.installmentId!)
    : recordForCharge(context, draft, draft.chargeId);
}

async function recordForCharge(
  context: WriteContext,
  draft: PaymentDraft,
  chargeId: string,
): Promise<PaymentRow> {
  // Locked before anything else: two notices of one payment come one after the other.
  const charge = await requireCharge(context, chargeId);
  const known = await knownPayment(context, draft);
  if (known !== undefined) return known;
  if (charge.status === 'in_agreement') {
    fail('charge_in_agreement', { id: chargeId, agreement_id: charge.agreement_id });
  }
  if (draft.expectedDueCents !== undefined) {
    const { amountDue } = await amountsOf(context, charge, effectiveDayOf(draft));
    requireExpected(draft.expectedDueCents, isStillOpen(charge.status) ? amountDue : 0);
  }
  const kind = kindFor(charge);
  const payment = newPayment(context, draft, {
    person_id: charge.person_id,
    charge_id: chargeId,
    kind,
    needs_refund: kind !== 'regular',
    // Nothing is used until the replay has placed it.
    excess_cents: draft.amountCents,
    ...(await attributionOf(context, draft, charge.person_id, chargeId, null)),
  });
  await insertNew(context, payment);
  if (kind === 'regular') await replayCharge(context, chargeId, payment.id);
  return recorded(context, payment.id);
}

async function recordForInstallment(
  context: WriteContext,
  draft: PaymentDraft,
  installmentId: string,
): Promise<PaymentRow> {
  const target = await requireInstallment(context, installmentId);
  const known = await knownPayment(context, draft);
  if (known !== undefined) return known;
  const { agreement, installment } = target;
  requireExpected(draft.expectedDueCents, installment.amount_cents - installment.paid_cents);
  const payment = newPayment(context, draft, {
    person_id: agreement.person_id,
    agreement_id: agreement.id,
    installment_id: installment.id,
    kind: 'regular',
    principal_cents: draft.amountCents,
    ...(await attributionOf(context, draft, agreement.person_id, null, agreement.id)),
  });
  await insertNew(context, payment);
  const { usedCents, excessCents, kind } = await payInstallment(
    context,
    target,
    draft.amountCents,
    draft.paidOn,
    payment.id,
  );
  const counted = await countedOf(context, payment, installment.adjusted_due_date, usedCents);
  const row = await requirePayment(context, payment.id);
  await updatePayment(
    context.db,
    {
      ...row,
      kind,
      principal_cents: usedCents,
      excess_cents: excessCents,
      needs_refund: excessCents > 0,
      ...counted,
    },
    context.now,
  );
  return recorded(context, payment.id);
}

/** The day a payment counts from. */
function effectiveDayOf({ method, paidOn }: PaymentDraft): CivilDate {
  return effectivePaymentDay(method, paidOn);
}

/** A canceled charge needs nothing: what comes in for it goes back. */
function kindFor({ status }: ChargeRow): 'regular' | 'duplicate' | 'excess' {
  if (status === 'paid') return 'duplicate';
  return status === 'canceled' ? 'excess' : 'regular';
}

function newPayment(
  context: WriteContext,
  draft: PaymentDraft,
  own: Partial<NewPayment> & Pick<NewPayment, 'person_id' | 'kind'>,
): NewPayment {
  return {
    organization_id: context.organizationId,
    id: context.newId(),
    charge_id: null,
    agreement_id: null,
    installment_id: null,
    amount_cents: draft.amountCents,
    paid_on: draft.paidOn,
    effective_on: effectiveDayOf(draft),
    credited_on: draft.creditedOn ?? null,
    method: draft.method,
    fee_cents: draft.feeCents ?? 0,
    principal_cents: 0,
    discount_cents: 0,
    interest_cents: 0,
    fine_cents: 0,
    excess_cents: 0,
    external_id: draft.externalId ?? null,
    end_to_end_id: draft.endToEndId ?? null,
    payer: draft.payer ?? null,
    needs_refund: false,
    status: 'confirmed',
    reversed_at: null,
    reversed_reason: null,
    channel: null,
    notification_id: null,
    step_id: null,
    steps_before: null,
    recovered_cents: null,
    days_overdue: null,
    source: draft.source ?? 'api',
    created_by: context.caller.user.id,
    ...own,
  };
}

/** The payment that is known outside by one of the draft's names. */
async function knownPayment(context: WriteContext, draft: PaymentDraft): Promise<PaymentRow | undefined> {
  const { externalId = null, endToEndId = null } = draft;
  if (externalId === null && endToEndId === null) return undefined;
  const found = await selectPaymentsKnownAs(context.db, context.organizationId, externalId, endToEndId);
  const [known] = found;
  if (known === undefined) return undefined;
  if (found.length > 1 || !isSamePayment(known, draft)) fail('duplicate', { of: known.id });
  return known;
}

async function insertNew(context: WriteContext, payment: NewPayment): Promise<void> {
  if (await insertPayment(context.db, payment, context.now)) return;
  // Somebody recorded it for another charge at this very moment.
  const { external_id, end_to_end_id } = payment;
  const [other] = await selectPaymentsKnownAs(context.db, context.organizationId, external_id, end_to_end_id);
  fail('duplicate', { of: other?.id });
}

async function recorded(context: WriteContext, id: string): Promise<PaymentRow> {
  const row = await requirePayment(context, id);
  context.changed('payment', id, null, paymentOf(row));
  return row;
}

function attributionOf(
  context: WriteContext,
  { paidOn }: PaymentDraft,
  personId: string,
  chargeId: string | null,
  agreementId: string | null,
) {
  const { db, organizationId, timeZone } = context;
  return selectAttribution(db, organizationId, { personId, chargeId, agreementId }, paidOn, timeZone);
}

/** What the metrics count of an installment: the debt is late by its charges, or else by the installment. */
async function countedOf(
  context: WriteContext,
  payment: NewPayment,
  installmentDue: CivilDate,
  usedCents: Cents,
): Promise<Pick<PaymentRow, 'steps_before' | 'recovered_cents' | 'days_overdue'>> {
  const { db, organizationId, timeZone } = context;
  const debt = await selectAgreementDebt(
    db,
    organizationId,
    payment.agreement_id!,
    payment.id,
    payment.paid_on,
    timeZone,
  );
  const lateAfter = installmentDue < debt.adjusted_due_date ? installmentDue : debt.adjusted_due_date;
  const used = { principal: usedCents, discount: 0, interest: 0, fine: 0 };
  const recovered = recoveredOf(used, payment.effective_on, lateAfter);
  return {
    steps_before: debt.is_paid_before || usedCents === 0 ? null : debt.steps,
    recovered_cents: recovered,
    days_overdue: recovered === null ? null : Math.max(0, daysBetween(debt.due_date, payment.paid_on)),
  };
}
