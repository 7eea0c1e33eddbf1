import type { Db } from '../../core/ports.ts';
import type { Tables } from '../../db/rows.ts';
import { raw, sql } from '../../db/sql.ts';
import type { PayableRow } from './queries.ts';

export type PaymentRow = Tables['payments'];

/** Columns of a payable that are written; the rest is generated or set by the database. */
export type NewPayable = Omit<
  Tables['payables'],
  'open_cents' | 'created_at' | 'updated_at' | 'version' | 'settled_cents'
>;

const insertedColumns = raw(
  [
    'workspace_id, id, company_id, person_id, description, amount_cents, abatement_cents, withheld_cents',
    'issue_date, due_date, adjusted_due_date, competence_month, planned_date, planned_account_id',
    'document_number, series, installment_number, installment_total, installment_group_id, category_id',
    'cost_centers, withholdings, terms, payment_details, status, approval_status, approval_by, approval_at',
    'approval_reason, canceled_reason, fiscal_document_id, needs_review, recurrence_id, recurrence_number',
    'dda_boleto_id, classified_by, search_text, created_by',
  ].join(', '),
);

/** One statement for a whole plan, with the same text whatever the number of rows. */
export function insertPayables(db: Db, payables: readonly NewPayable[], now: Date): Promise<number> {
  return db.run(sql`
    insert into payables (${insertedColumns}, created_at, updated_at)
    select ${insertedColumns}, ${now}::timestamptz, ${now}::timestamptz
      from jsonb_populate_recordset(null::payables, ${JSON.stringify(payables)}::jsonb)`);
}

export function updatePayable(db: Db, payable: PayableRow, now: Date): Promise<number> {
  return db.run(sql`
    update payables
       set person_id = ${payable.person_id}, description = ${payable.description},
           amount_cents = ${payable.amount_cents}, abatement_cents = ${payable.abatement_cents},
           withheld_cents = ${payable.withheld_cents}, settled_cents = ${payable.settled_cents},
           issue_date = ${payable.issue_date}, due_date = ${payable.due_date},
           adjusted_due_date = ${payable.adjusted_due_date}, competence_month = ${payable.competence_month},
           planned_date = ${payable.planned_date}, planned_account_id = ${payable.planned_account_id},
           document_number = ${payable.document_number}, series = ${payable.series},
           category_id = ${payable.category_id}, cost_centers = ${JSON.stringify(payable.cost_centers)}::jsonb,
           withholdings = ${JSON.stringify(payable.withholdings)}::jsonb,
           terms = ${jsonOrNull(payable.terms)}::jsonb,
           payment_details = ${jsonOrNull(payable.payment_details)}::jsonb,
           status = ${payable.status}, approval_status = ${payable.approval_status},
           approval_by = ${payable.approval_by}, approval_at = ${payable.approval_at},
           approval_reason = ${payable.approval_reason}, canceled_reason = ${payable.canceled_reason},
           fiscal_document_id = ${payable.fiscal_document_id}, needs_review = ${payable.needs_review},
           dda_boleto_id = ${payable.dda_boleto_id}, classified_by = ${payable.classified_by},
           search_text = ${payable.search_text}, updated_at = ${now}, version = version + 1
     where workspace_id = ${payable.workspace_id} and id = ${payable.id}`);
}

export function deletePayable(db: Db, workspaceId: string, id: string): Promise<number> {
  return db.run(sql`delete from payables where workspace_id = ${workspaceId} and id = ${id}`);
}

/** The files stay; only their ties to the payable go. */
export function deleteAttachmentLinks(db: Db, workspaceId: string, payableId: string): Promise<number> {
  return db.run(sql`
    delete from attachment_links
     where workspace_id = ${workspaceId} and record_kind = 'payable' and record_id = ${payableId}`);
}

export interface DuplicateKey {
  readonly personId: string;
  readonly documentNumber: string | null;
  readonly series: string | null;
  readonly amounts: readonly number[];
  readonly barcode: string | null;
  /** Left out: the payable itself and the other installments of its plan. */
  readonly exceptId: string | null;
  readonly exceptGroupId: string | null;
}

/** Payables that look like the same bill, oldest first; canceled ones do not count. */
export function selectDuplicates(
  db: Db,
  workspaceId: string,
  key: DuplicateKey,
): Promise<{ id: string; installment_group_id: string | null }[]> {
  return db.rows(sql`
    select id, installment_group_id from payables
     where workspace_id = ${workspaceId} and status <> 'canceled'
       and id is distinct from ${key.exceptId}::uuid
       and (${key.exceptGroupId}::uuid is null or installment_group_id is distinct from ${key.exceptGroupId}::uuid)
       and ((person_id = ${key.personId} and document_number = ${key.documentNumber}::text
             and series is not distinct from ${key.series}::text and amount_cents = any(${key.amounts}::bigint[]))
            or payment_details->>'barcode' = ${key.barcode}::text)
     order by id limit 100`);
}

export function selectLivePayment(
  db: Db,
  workspaceId: string,
  payableId: string,
): Promise<PaymentRow | undefined> {
  return db.row<PaymentRow>(sql`
    select * from payments
     where workspace_id = ${workspaceId} and payable_id = ${payableId}
       and status in ('pending', 'awaiting_approval', 'awaiting_funds', 'scheduled', 'processing')`);
}

export function selectPaymentsOf(db: Db, workspaceId: string, payableId: string): Promise<PaymentRow[]> {
  return db.rows<PaymentRow>(sql`
    select * from payments where workspace_id = ${workspaceId} and payable_id = ${payableId} order by id`);
}

/** Makes a person a supplier; 0 when they are one already, and then nothing is locked. */
export function addSupplierRole(db: Db, workspaceId: string, personId: string, now: Date): Promise<number> {
  return db.run(sql`
    update people set roles = array_append(roles, 'supplier'), updated_at = ${now}, version = version + 1
     where workspace_id = ${workspaceId} and id = ${personId} and not 'supplier' = any(roles)`);
}

/** The rules of the workspace; the table is outside row-level security, so both keys are named. */
export async function selectWorkspaceSettings(
  db: Db,
  organizationId: string,
  workspaceId: string,
): Promise<unknown> {
  const row = await db.row<{ settings: unknown }>(sql`
    select settings from workspaces where organization_id = ${organizationId} and id = ${workspaceId}`);
  return row?.settings;
}

function jsonOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
