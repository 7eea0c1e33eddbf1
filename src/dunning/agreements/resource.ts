import { fail } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { type ChargeRow, requireCharges } from '../charges/index.ts';
import {
  type AgreementChargeRow,
  type InstallmentRow,
  selectAgreementIdOf,
  selectInstallments,
  selectShares,
} from './part-queries.ts';
import { type AgreementRow, selectAgreement, selectRecentIds, updateAgreement } from './queries.ts';
import { daysLateOf } from './rules.ts';
import type { Agreement, AgreementCharge, AgreementView, Installment } from './schema.ts';

/** The public record of a row. */
export function agreementOf(row: AgreementRow): Agreement {
  return {
    id: row.id,
    person: { id: row.person_id, name: row.person_name },
    status: row.status,
    as_of: row.as_of,
    original_total: moneyText(row.original_total_cents),
    discount: moneyText(row.discount_cents),
    negotiated_total: moneyText(row.negotiated_total_cents),
    paid_total: moneyText(row.paid_cents),
    installments: row.installment_count,
    next_due_date: row.next_due_date,
    valid_until: row.valid_until,
    default_after_days: row.default_after_days,
    campaign_id: row.campaign_id,
    notes: row.notes,
    sent_at: row.sent_at,
    accepted_at: row.accepted_at,
    accepted_by: row.accepted_by,
    evidence: row.evidence,
    ended_at: row.ended_at,
    ended_by: row.ended_by,
    ended_reason: row.ended_reason,
    currency: 'BRL',
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** The public record of an installment; its version is that of the agreement, which moves with it. */
export function installmentOf(row: InstallmentRow, version: number, today: string): Installment {
  return {
    id: row.id,
    agreement_id: row.agreement_id,
    number: row.number,
    due_date: row.due_date,
    amount: moneyText(row.amount_cents),
    paid: moneyText(row.paid_cents),
    open: moneyText(row.status === 'canceled' ? 0 : row.amount_cents - row.paid_cents),
    status: row.status,
    paid_on: row.paid_on,
    days_late: daysLateOf(row, today),
    version,
  };
}

/**
 * The agreement. When the caller is writing, its charges, and others it is to be given, are locked first, then it:
 * whoever works on charges locks them before anything that hangs on them. Fails with `not_found`, and with
 * `version_conflict` when a proposal is given other charges at this very moment.
 */
export async function requireAgreement(
  context: Context,
  id: string,
  otherChargeIds: readonly string[] = [],
): Promise<AgreementRow> {
  const { db, organizationId, isWriting } = context;
  const ids = isWriting ? await chargeIdsOf(context, id) : [];
  const all = [...new Set([...ids, ...otherChargeIds])];
  if (isWriting && all.length > 0) await requireCharges(context, all);
  const row = await selectAgreement(db, organizationId, id, isWriting);
  if (row === undefined) fail('not_found', { kind: 'agreement', id });
  if (isWriting && row.status === 'proposed' && String(await chargeIdsOf(context, id)) !== String(ids)) {
    fail('version_conflict');
  }
  return row;
}

/** An installment with its agreement, both locked when the caller is writing. Fails with `not_found`. */
export async function requireInstallment(
  context: Context,
  id: string,
): Promise<{ installment: InstallmentRow; agreement: AgreementRow }> {
  const agreementId = await selectAgreementIdOf(context.db, context.organizationId, id);
  if (agreementId === undefined) fail('not_found', { kind: 'installment', id });
  const agreement = await requireAgreement(context, agreementId);
  const installment = (await installmentsOf(context, agreementId)).find((row) => row.id === id);
  return { installment: installment ?? fail('not_found', { kind: 'installment', id }), agreement };
}

/** The installments in order. */
export function installmentsOf(context: Context, agreementId: string): Promise<InstallmentRow[]> {
  return selectInstallments(context.db, context.organizationId, agreementId);
}

/** The charges with their debt on the day of the agreement, due first, first. */
export function sharesOf(context: Context, agreementId: string): Promise<AgreementChargeRow[]> {
  return selectShares(context.db, context.organizationId, agreementId);
}

/** Its charges as they are now, in order of their ids, locked when the caller is writing. */
export async function chargesOf(context: Context, agreementId: string): Promise<ChargeRow[]> {
  return requireCharges(context, await chargeIdsOf(context, agreementId));
}

/** The whole agreement as results and its PDF show it. Fails with `not_found`. */
export async function agreementDetail(context: Context, id: string): Promise<AgreementView> {
  return detailOf(context, await requireAgreement(context, id));
}

/** The whole agreement of a row that was read already. */
export async function detailOf(context: Context, row: AgreementRow): Promise<AgreementView> {
  const charges = await sharesOf(context, row.id);
  const installments = await installmentsOf(context, row.id);
  return {
    ...agreementOf(row),
    charges: charges.map(shownShare),
    schedule: installments.map((one) => installmentOf(one, row.version, context.today)),
  };
}

/** Writes a changed row and records the change. Gives the row as it is now. */
export async function storeAgreement(
  context: WriteContext,
  before: AgreementRow,
  changed: Partial<AgreementRow>,
): Promise<AgreementRow> {
  const { db, organizationId } = context;
  await updateAgreement(db, { ...before, ...changed }, context.now);
  const after = (await selectAgreement(db, organizationId, before.id, true))!;
  context.changed('agreement', before.id, agreementOf(before), agreementOf(after));
  return after;
}

/** The newest ids that start with what was typed. */
export function suggestAgreementIds({ db, organizationId }: Context, typed: string): Promise<string[]> {
  return selectRecentIds(db, organizationId, typed);
}

async function chargeIdsOf(context: Context, agreementId: string): Promise<string[]> {
  const shares = await sharesOf(context, agreementId);
  return shares.map(({ charge_id }) => charge_id);
}

function shownShare(row: AgreementChargeRow): AgreementCharge {
  const { principal_cents, interest_cents, fine_cents, discount_cents } = row;
  return {
    charge_id: row.charge_id,
    description: row.description,
    document_number: row.document_number,
    due_date: row.due_date,
    principal: moneyText(principal_cents),
    interest: moneyText(interest_cents),
    fine: moneyText(fine_cents),
    discount: moneyText(discount_cents),
    negotiated: moneyText(principal_cents + interest_cents + fine_cents - discount_cents),
  };
}
