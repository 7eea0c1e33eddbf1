/** Charges, installments and credits of agreements, and the payments made on them. */

import type { CivilDate } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
import type { Position } from '../../core/paging.ts';
import type { Db } from '../../core/ports.ts';
import { after, all, type ListSort, orderAndLimit, sortsOf } from '../../db/listing.ts';
import type { Tables } from '../../db/rows.ts';
import { sql } from '../../db/sql.ts';
import type { Credit } from './credits.ts';
import type { Share } from './figures.ts';
import type { InstallmentStatus } from './schema.ts';

export type InstallmentRow = Tables['dunning_installments'] & { status: InstallmentStatus };

/** A charge of an agreement with what names it. */
export type AgreementChargeRow = Tables['dunning_agreement_charges'] & {
  description: string;
  document_number: string | null;
  due_date: CivilDate;
};

/** What an installment's payment put to use. */
export interface ReceiptRow {
  readonly id: string;
  readonly installment_id: string;
  readonly paid_on: CivilDate;
  readonly effective_on: CivilDate;
  readonly used_cents: Cents;
}

export const installmentSorts = sortsOf({ number: { column: 'number', keyForm: 'integer' } });

export function insertShares(
  db: Db,
  organizationId: string,
  agreementId: string,
  shares: readonly Share[],
): Promise<number> {
  return db.run(sql`
    insert into dunning_agreement_charges (organization_id, agreement_id, charge_id, principal_cents, interest_cents,
                                           fine_cents, discount_cents)
    select ${organizationId}, ${agreementId}, share.*
      from unnest(${shares.map(({ chargeId }) => chargeId)}::uuid[],
                  ${shares.map(({ principal }) => principal)}::bigint[],
                  ${shares.map(({ interest }) => interest)}::bigint[], ${shares.map(({ fine }) => fine)}::bigint[],
                  ${shares.map(({ discount }) => discount)}::bigint[]) share`);
}

export function deleteShares(db: Db, organizationId: string, agreementId: string): Promise<number> {
  return db.run(sql`
    delete from dunning_agreement_charges
     where organization_id = ${organizationId} and agreement_id = ${agreementId}`);
}

/** A live charge is in no other live agreement: the key is the rule (MODEL §14.13). */
export function updateSharesLive(
  db: Db,
  organizationId: string,
  agreementId: string,
  isLive: boolean,
): Promise<number> {
  return db.run(sql`
    update dunning_agreement_charges set is_live = ${isLive}
     where organization_id = ${organizationId} and agreement_id = ${agreementId}`);
}

/** Due first, first. */
export function selectShares(
  db: Db,
  organizationId: string,
  agreementId: string,
): Promise<AgreementChargeRow[]> {
  return db.rows<AgreementChargeRow>(sql`
    select share.*, charge.description, charge.document_number, charge.due_date
      from dunning_agreement_charges share
      join dunning_charges charge
        on charge.organization_id = share.organization_id and charge.id = share.charge_id
     where share.organization_id = ${organizationId} and share.agreement_id = ${agreementId}
     order by charge.due_date, charge.id`);
}

export function insertInstallments(db: Db, installments: readonly InstallmentRow[]): Promise<number> {
  return db.run(sql`
    insert into dunning_installments (organization_id, id, agreement_id, number, due_date, adjusted_due_date,
                                      amount_cents, status)
    select organization_id, id, agreement_id, number, due_date, adjusted_due_date, amount_cents, status
      from jsonb_populate_recordset(null::dunning_installments, ${JSON.stringify(installments)}::jsonb)`);
}

export function deleteInstallments(db: Db, organizationId: string, agreementId: string): Promise<number> {
  return db.run(sql`
    delete from dunning_installments where organization_id = ${organizationId} and agreement_id = ${agreementId}`);
}

export function selectInstallments(
  db: Db,
  organizationId: string,
  agreementId: string,
): Promise<InstallmentRow[]> {
  return db.rows<InstallmentRow>(sql`
    select * from dunning_installments
     where organization_id = ${organizationId} and agreement_id = ${agreementId}
     order by number`);
}

export function selectInstallmentPage(
  db: Db,
  organizationId: string,
  agreementId: string,
  status: string | undefined,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<InstallmentRow[]> {
  return db.rows<InstallmentRow>(sql`
    select * from dunning_installments
     where organization_id = ${organizationId} and agreement_id = ${agreementId}
       ${all(status !== undefined && sql`status = ${status}`)}
       ${after(page.sort, page.position)}
     ${orderAndLimit(page.sort, page.limit)}`);
}

export async function selectAgreementIdOf(
  db: Db,
  organizationId: string,
  installmentId: string,
): Promise<string | undefined> {
  const row = await db.row<{ agreement_id: string }>(sql`
    select agreement_id from dunning_installments
     where organization_id = ${organizationId} and id = ${installmentId}`);
  return row?.agreement_id;
}

/** Writes what is paid of some installments, in one statement. */
export function updateInstallments(
  db: Db,
  organizationId: string,
  installments: readonly InstallmentRow[],
): Promise<number> {
  return db.run(sql`
    update dunning_installments i
       set paid_cents = changed.paid_cents, paid_on = changed.paid_on, status = changed.status
      from jsonb_populate_recordset(null::dunning_installments, ${JSON.stringify(installments)}::jsonb) changed
     where i.organization_id = ${organizationId} and i.id = changed.id`);
}

/** Those of a proposal that nobody will pay. */
export function updateInstallmentsCanceled(
  db: Db,
  organizationId: string,
  agreementId: string,
): Promise<number> {
  return db.run(sql`
    update dunning_installments set status = 'canceled'
     where organization_id = ${organizationId} and agreement_id = ${agreementId} and status = 'open'`);
}

/**
 * What counts of an agreement's payments, in the order they were recorded; one that is being recorded counts whatever
 * its row says of its use so far.
 */
export function selectReceipts(
  db: Db,
  organizationId: string,
  agreementId: string,
  recordingId: string | null = null,
): Promise<ReceiptRow[]> {
  return db.rows<ReceiptRow>(sql`
    select id, installment_id, paid_on, effective_on, amount_cents - excess_cents as used_cents
      from dunning_payments
     where organization_id = ${organizationId} and agreement_id = ${agreementId} and status = 'confirmed'
       and (id = ${recordingId} or (kind <> 'duplicate' and amount_cents > excess_cents))
     order by id`);
}

export interface ShownPaymentRow {
  readonly id: string;
  readonly installment_id: string;
  readonly paid_on: CivilDate;
  readonly amount_cents: Cents;
  readonly status: string;
}

/** Payments that name one of these installments, reversed ones too. */
export function selectPaymentsOf(
  db: Db,
  organizationId: string,
  agreementId: string,
  installmentIds: readonly string[],
): Promise<ShownPaymentRow[]> {
  return db.rows<ShownPaymentRow>(sql`
    select id, installment_id, paid_on, amount_cents, status from dunning_payments
     where organization_id = ${organizationId} and agreement_id = ${agreementId}
       and installment_id = any(${installmentIds}::uuid[])
     order by paid_on, id limit 1000`);
}

/** `paymentId` null is the discount that closes a charge. */
export interface NewCredit extends Omit<Credit, 'paymentId'> {
  readonly id: string;
  readonly paymentId: string | null;
  readonly discount: Cents;
}

export function insertCredits(
  db: Db,
  organizationId: string,
  agreementId: string,
  credits: readonly NewCredit[],
): Promise<number> {
  return db.run(sql`
    insert into dunning_agreement_credits (organization_id, agreement_id, id, charge_id, payment_id, credited_on,
                                           amount_cents, discount_cents)
    select ${organizationId}, ${agreementId}, credit.*
      from unnest(${credits.map(({ id }) => id)}::uuid[], ${credits.map(({ chargeId }) => chargeId)}::uuid[],
                  ${credits.map(({ paymentId }) => paymentId)}::uuid[], ${credits.map(({ on }) => on)}::date[],
                  ${credits.map(({ cents }) => cents)}::bigint[],
                  ${credits.map(({ discount }) => discount)}::bigint[]) credit`);
}

/** Credits of one payment, or all of the agreement. */
export function deleteCredits(
  db: Db,
  organizationId: string,
  agreementId: string,
  paymentId?: string,
): Promise<number> {
  return db.run(sql`
    delete from dunning_agreement_credits
     where organization_id = ${organizationId} and agreement_id = ${agreementId}
       ${all(paymentId !== undefined && sql`payment_id = ${paymentId}`)}`);
}
