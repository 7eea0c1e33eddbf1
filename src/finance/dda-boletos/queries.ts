import type { CivilDate } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
import type { Position } from '../../core/paging.ts';
import type { Db } from '../../core/ports.ts';
import {
  after,
  all,
  type ListSort,
  orderAndLimit,
  sortsOf,
  type TimeFilters,
  timeFilters,
} from '../../db/listing.ts';
import type { Tables } from '../../db/rows.ts';
import { raw, sql } from '../../db/sql.ts';
import type { BoletoValues } from './rules.ts';
import type { DdaBoletoStatus } from './schema.ts';

/** A boleto with the bill that it is, if there is one; `status` is what both say together. */
export type DdaBoletoRow = Omit<Tables['dda_boletos'], 'status'> & {
  status: DdaBoletoStatus;
  payable_id: string | null;
};

export const ddaBoletoSorts = sortsOf({ due_date: { column: 'due_date', keyForm: 'date' } });

/** Every boleto of the workspace with its bill: a canceled bill leaves it free again. */
const boletos = (workspaceId: string) => sql`(
  select dda_boletos.workspace_id, dda_boletos.id, dda_boletos.company_id, dda_boletos.account_id, barcode, typed_line,
         beneficiary_name, beneficiary_document, payer_document, dda_boletos.document_number, nominal_cents,
         dda_boletos.amount_cents, min_cents, max_cents, allows_partial, dda_boletos.issue_date, dda_boletos.due_date,
         dda_boletos.terms, external_status, reject_reason, rejection_status, rejection_refused_reason, bank_reference,
         dda_boletos.created_by, dda_boletos.created_at, dda_boletos.updated_at, dda_boletos.version,
         payables.id as payable_id,
         case when payables.status = 'paid' then 'paid' when payables.id is not null then 'linked'
              else dda_boletos.status end as status
    from dda_boletos
    left join payables on payables.workspace_id = dda_boletos.workspace_id
                      and payables.dda_boleto_id = dda_boletos.id and payables.status <> 'canceled'
   where dda_boletos.workspace_id = ${workspaceId}) boletos`;

export interface DdaBoletoFilter extends TimeFilters {
  status?: string | undefined;
  external_status?: string | undefined;
  company_id?: string | undefined;
  due_from?: string | undefined;
  due_to?: string | undefined;
}

export function selectDdaBoletos(
  db: Db,
  workspaceId: string,
  filter: DdaBoletoFilter,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<DdaBoletoRow[]> {
  return db.rows<DdaBoletoRow>(sql`
    select * from ${boletos(workspaceId)}
     where true
       ${all(
         filter.status !== undefined && sql`status = ${filter.status}`,
         filter.external_status !== undefined && sql`external_status = ${filter.external_status}`,
         filter.company_id !== undefined && sql`company_id = ${filter.company_id}`,
         filter.due_from !== undefined && sql`due_date >= ${filter.due_from}::date`,
         filter.due_to !== undefined && sql`due_date <= ${filter.due_to}::date`,
       )}
       ${timeFilters(filter, 'boletos')}
       ${after(page.sort, page.position)}
     ${orderAndLimit(page.sort, page.limit)}`);
}

/** The state of a boleto with its bill. */
export function selectDdaBoleto(db: Db, workspaceId: string, id: string): Promise<DdaBoletoRow | undefined> {
  return db.row<DdaBoletoRow>(sql`select * from ${boletos(workspaceId)} where id = ${id}`);
}

/** Keeps the row as it is until the transaction ends, so that what is decided about it is decided once. */
export function lockDdaBoleto(db: Db, workspaceId: string, id: string): Promise<{ id: string } | undefined> {
  return db.row<{ id: string }>(sql`
    select id from dda_boletos where workspace_id = ${workspaceId} and id = ${id} for update`);
}

export interface ProbablePayableRow {
  id: string;
  description: string;
  amount_cents: Cents;
  due_date: CivilDate;
  status: string;
  reason: 'same_barcode' | 'same_amount' | 'near_amount';
}

/**
 * Bills of the company that are no other boleto's: with its barcode, or of its beneficiary, due near its day and for
 * its amount or one near it. Likeliest first.
 */
export function selectProbablePayables(
  db: Db,
  boleto: DdaBoletoRow,
  near: { days: number; percent: number },
  limit: number,
): Promise<ProbablePayableRow[]> {
  const { workspace_id, company_id, barcode, beneficiary_document, due_date } = boleto;
  const { nominal_cents: nominal, amount_cents: amount } = boleto;
  return db.rows<ProbablePayableRow>(sql`
    select id, description, amount_cents, due_date, status, reason from (
      select payables.id, description, amount_cents, due_date, status,
             case when payment_details->>'barcode' = ${barcode} then 'same_barcode'
                  when amount_cents in (${nominal}::bigint, ${amount}::bigint) then 'same_amount'
                  else 'near_amount' end as reason,
             abs(due_date - ${due_date}::date) as days_apart
        from payables
        join people on people.workspace_id = payables.workspace_id and people.id = payables.person_id
       where payables.workspace_id = ${workspace_id} and payables.company_id = ${company_id}
         and payables.status <> 'canceled' and payables.dda_boleto_id is null
         and (payment_details->>'barcode' = ${barcode}
              or (people.document_number = ${beneficiary_document}
                  and coalesce(payment_details->>'barcode', ${barcode}) = ${barcode}
                  and due_date between ${due_date}::date - ${near.days}::int and ${due_date}::date + ${near.days}::int
                  and abs(amount_cents - ${nominal}::bigint) * 100 <= ${nominal}::bigint * ${near.percent}::int))
    ) probable
     order by case reason when 'same_barcode' then 1 when 'same_amount' then 2 else 3 end, days_apart, id
     limit ${limit}`);
}

/** Another bill that is paid by this code; a canceled one is none. */
export function selectOtherBillOfBarcode(
  db: Db,
  workspaceId: string,
  barcode: string,
  payableId: string,
): Promise<{ id: string } | undefined> {
  return db.row<{ id: string }>(sql`
    select id from payables
     where workspace_id = ${workspaceId} and payment_details->>'barcode' = ${barcode}
       and id <> ${payableId} and status <> 'canceled'
     order by id limit 1`);
}

export function updateBillBoleto(
  db: Db,
  workspaceId: string,
  payableId: string,
  boletoId: string,
  now: Date,
): Promise<number> {
  return db.run(sql`
    update payables set dda_boleto_id = ${boletoId}, updated_at = ${now}, version = version + 1
     where workspace_id = ${workspaceId} and id = ${payableId}`);
}

/** The stored rows of these codes, locked in one order. */
export function selectByBarcodesForUpdate(
  db: Db,
  workspaceId: string,
  barcodes: readonly string[],
): Promise<Tables['dda_boletos'][]> {
  return db.rows(sql`
    select * from dda_boletos
     where workspace_id = ${workspaceId} and barcode = any(${barcodes}::text[])
     order by barcode
       for update`);
}

/** 0 when the code is there already, also by somebody who stores it at this moment. */
export function insertDdaBoleto(
  db: Db,
  place: { workspaceId: string; id: string; companyId: string; accountId: string; createdBy: string },
  values: BoletoValues,
  now: Date,
): Promise<number> {
  return db.run(sql`
    insert into dda_boletos (
      workspace_id, id, company_id, account_id, barcode, typed_line, beneficiary_name, beneficiary_document,
      payer_document, document_number, nominal_cents, amount_cents, min_cents, max_cents, allows_partial, issue_date,
      due_date, terms, status, external_status, bank_reference, created_by, created_at, updated_at)
    values (
      ${place.workspaceId}, ${place.id}, ${place.companyId}, ${place.accountId}, ${values.barcode},
      ${values.typed_line}, ${values.beneficiary_name}, ${values.beneficiary_document}, ${values.payer_document},
      ${values.document_number}, ${values.nominal_cents}, ${values.amount_cents}, ${values.min_cents},
      ${values.max_cents}, ${values.allows_partial}, ${values.issue_date}::date, ${values.due_date}::date,
      ${values.terms === null ? null : JSON.stringify(values.terms)}::jsonb, 'pending', ${values.external_status},
      ${values.bank_reference}, ${place.createdBy}, ${now}, ${now})
    on conflict (workspace_id, barcode) do nothing`);
}

/** What the bank may say anew of a boleto; what was decided about it stays. */
export function updateAnnounced(
  db: Db,
  workspaceId: string,
  id: string,
  values: BoletoValues,
  now: Date,
): Promise<number> {
  return db.run(sql`
    update dda_boletos
       set nominal_cents = ${values.nominal_cents}, amount_cents = ${values.amount_cents},
           min_cents = ${values.min_cents}, max_cents = ${values.max_cents},
           allows_partial = ${values.allows_partial}, due_date = ${values.due_date}::date,
           terms = ${values.terms === null ? null : JSON.stringify(values.terms)}::jsonb,
           external_status = ${values.external_status}, bank_reference = ${values.bank_reference},
           updated_at = ${now}, version = version + 1
     where workspace_id = ${workspaceId} and id = ${id}`);
}

export function updateRejected(
  db: Db,
  workspaceId: string,
  id: string,
  reason: string,
  now: Date,
): Promise<number> {
  return db.run(sql`
    update dda_boletos
       set status = 'rejected', reject_reason = ${reason}, rejection_status = 'requested',
           updated_at = ${now}, version = version + 1
     where workspace_id = ${workspaceId} and id = ${id}`);
}

export function updateRejection(
  db: Db,
  workspaceId: string,
  id: string,
  outcome: { status: 'confirmed' | 'refused'; reason: string | null },
  now: Date,
): Promise<number> {
  return db.run(sql`
    update dda_boletos
       set rejection_status = ${outcome.status}, rejection_refused_reason = ${outcome.reason},
           updated_at = ${now}, version = version + 1
     where workspace_id = ${workspaceId} and id = ${id}`);
}

export interface HolderRow {
  account_id: string;
  company_id: string;
  document_number: string;
  bank_adapter: string;
  bank_adapter_account: string | null;
  bank_code: string | null;
  agency: string | null;
  number: string | null;
  digit: string | null;
}

/**
 * The account by which each company is asked about, one per bank adapter: what is announced for a CNPJ is the same at
 * each of its accounts there.
 */
export function selectHolders(db: Db, workspaceId: string): Promise<HolderRow[]> {
  return db.rows<HolderRow>(sql`
    select distinct on (companies.id, accounts.bank_adapter)
           accounts.id as account_id, companies.id as company_id, companies.document_number, accounts.bank_adapter,
           accounts.bank_adapter_account, accounts.bank_code, accounts.agency, accounts.number, accounts.digit
      from financial_accounts accounts
      join companies on companies.workspace_id = accounts.workspace_id and companies.id = accounts.company_id
     where accounts.workspace_id = ${workspaceId} and accounts.active and companies.active
       and accounts.kind in ('checking', 'savings', 'payment')
     order by companies.id, accounts.bank_adapter, accounts.created_at, accounts.id`);
}

/** How a boleto can be refused at its bank. */
export interface RejectionRow {
  rejection_status: string | null;
  reject_reason: string | null;
  bank_reference: string | null;
  bank_adapter: string | null;
}

/** `lock` keeps two runs of one job from recording two outcomes. */
export function selectRejection(
  db: Db,
  workspaceId: string,
  id: string,
  lock: boolean,
): Promise<RejectionRow | undefined> {
  return db.row<RejectionRow>(sql`
    select rejection_status, reject_reason, bank_reference,
           (select bank_adapter from financial_accounts
             where workspace_id = ${workspaceId} and id = dda_boletos.account_id) as bank_adapter
      from dda_boletos
     where workspace_id = ${workspaceId} and id = ${id} ${raw(lock ? 'for update' : '')}`);
}
