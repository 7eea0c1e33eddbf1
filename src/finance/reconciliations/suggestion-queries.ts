/** What suggestions are made of: each kind of record in one statement, whatever its number. */

import type { CivilDate } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
import type { Db } from '../../core/ports.ts';
import { type BooksVersion, booksVersion } from '../../db/listing.ts';
import { raw, type Sql, sql } from '../../db/sql.ts';

/** The account whose lines are looked at, and the days. */
export interface Window {
  readonly accountId: string;
  readonly companyId: string;
  readonly from: CivilDate;
  readonly to: CivilDate;
  readonly toleranceDays: number;
}

export interface LineRow {
  id: string;
  account_id: string;
  date: CivilDate;
  direction: string;
  amount_cents: Cents;
  reconciled_cents: Cents;
  description: string;
  notes: string | null;
  document_number: string | null;
  bank_reference: string | null;
  counterparty_name: string | null;
  counterparty_document: string | null;
  end_to_end_id: string | null;
}

const lineColumns = `entry.id, entry.account_id, entry.date, entry.direction, entry.amount_cents, entry.reconciled_cents,
  entry.description, entry.notes, entry.document_number, entry.bank_reference, entry.counterparty_name,
  entry.counterparty_document, entry.end_to_end_id`;

const isOpenLine = `entry.source in ('import', 'manual') and not entry.ignored and entry.transfer_id is null
  and entry.reconciled_cents < entry.amount_cents`;

/** Lines of the account with something left, oldest first; one more than the limit, to know whether there are more. */
export function selectOpenLines(
  db: Db,
  workspaceId: string,
  { accountId, from, to }: Window,
  limit: number,
): Promise<LineRow[]> {
  return db.rows<LineRow>(sql`
    select ${raw(lineColumns)}
      from financial_transactions entry
     where entry.workspace_id = ${workspaceId} and entry.account_id = ${accountId}
       and entry.date between ${from}::date and ${to}::date and ${raw(isOpenLine)}
     order by entry.date, entry.id limit ${limit + 1}`);
}

export interface ChargeNames {
  our_number: string;
  pix_txid: string | null;
  end_to_end_id: string | null;
}

export interface SettledParts {
  paid_at: CivilDate;
  amount: Cents;
  principal: Cents;
  discount: Cents;
  interest: Cents;
  fine: Cents;
}

export interface DocumentRow {
  id: string;
  person_id: string;
  amount_cents: Cents;
  abatement_cents: Cents;
  withheld_cents: Cents;
  open_cents: Cents;
  due_date: CivilDate;
  adjusted_due_date: CivilDate;
  planned_date: CivilDate | null;
  description: string;
  document_number: string | null;
  terms: unknown;
  settled: SettledParts[] | null;
  charges: ChargeNames[] | null;
}

/** Open documents of the company due within the days; payables with an order on its way are left to the order. */
export function selectOpenDocuments(
  db: Db,
  workspaceId: string,
  kind: 'payable' | 'receivable',
  companyId: string,
  dueFrom: CivilDate,
  dueTo: CivilDate,
  limit: number,
): Promise<DocumentRow[]> {
  return db.rows<DocumentRow>(sql`
    select document.id, document.person_id, document.amount_cents, document.abatement_cents,
           document.withheld_cents, document.open_cents, document.due_date, document.adjusted_due_date, document.planned_date, document.description,
           document.document_number, document.terms, settled.parts as settled,
           ${kind === 'receivable' ? raw('charged.names') : raw('null::jsonb')} as charges
      from ${raw(`${kind}s`)} document
      left join lateral (
        select jsonb_agg(jsonb_build_object(
                 'paid_at', paid_at, 'amount', amount_cents, 'principal', principal_cents, 'discount', discount_cents,
                 'interest', interest_cents, 'fine', fine_cents) order by paid_at, id) as parts
          from settlements
         where workspace_id = ${workspaceId} and ${raw(`${kind}_id`)} = document.id and status = 'effective'
      ) settled on document.status = 'partially_paid' and document.terms is not null
      ${kind === 'receivable' ? chargeNames(workspaceId) : noLiveOrder(workspaceId)}
       and document.workspace_id = ${workspaceId} and document.company_id = ${companyId}
       and document.status in ('open', 'partially_paid')
       and document.due_date between ${dueFrom}::date and ${dueTo}::date
     order by document.due_date, document.id limit ${limit + 1}`);
}

/** Each receivable's own charges by the index: a join of all of them was planned anew as a loop over loops. */
function chargeNames(workspaceId: string): Sql {
  return sql`
      left join lateral (
        select jsonb_agg(jsonb_build_object(
                 'our_number', our_number, 'pix_txid', pix_txid, 'end_to_end_id', end_to_end_id) order by id) as names
          from charges
         where workspace_id = ${workspaceId} and receivable_id = document.id and status in ('open', 'paid')
      ) charged on true
     where true`;
}

function noLiveOrder(workspaceId: string): Sql {
  return sql`
     where not exists (
       select 1 from payments
        where workspace_id = ${workspaceId} and payable_id = document.id
          and status in ('pending', 'awaiting_approval', 'awaiting_funds', 'scheduled', 'processing'))`;
}

export interface PersonRow {
  id: string;
  name: string;
  document_number: string | null;
}

/** Joined to everything else above, the people were read once for each row: nobody knows beforehand how many there are. */
export function selectPeople(db: Db, workspaceId: string, ids: readonly string[]): Promise<PersonRow[]> {
  return db.rows<PersonRow>(sql`
    select id, name, document_number from people
     where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`);
}

export interface RecordedRow {
  id: string;
  direction: 'credit' | 'debit';
  paid_at: CivilDate;
  amount_cents: Cents;
  person_id: string;
  description: string;
  document_number: string | null;
  external_id: string | null;
  our_number: string | null;
  pix_txid: string | null;
  end_to_end_id: string | null;
  is_confirmed: boolean;
}

/** Settlements of the account whose entry is still ours: no line has taken its place. */
export function selectRecorded(
  db: Db,
  workspaceId: string,
  { accountId }: Window,
  paidFrom: CivilDate,
  paidTo: CivilDate,
  limit: number,
): Promise<RecordedRow[]> {
  return db.rows<RecordedRow>(sql`
    select settlement.id, case when settlement.payable_id is null then 'credit' else 'debit' end as direction,
           settlement.paid_at, settlement.amount_cents - settlement.fee_cents as amount_cents,
           coalesce(payable.person_id, receivable.person_id) as person_id,
           coalesce(payable.description, receivable.description) as description,
           coalesce(payable.document_number, receivable.document_number) as document_number,
           settlement.external_id, charge.our_number, charge.pix_txid, charge.end_to_end_id,
           (settlement.payment_id is not null or settlement.charge_id is not null) as is_confirmed
      from settlements settlement
      join financial_transactions entry
        on entry.workspace_id = settlement.workspace_id and entry.id = settlement.transaction_id
       and entry.source in ('settlement', 'payment') and not entry.ignored
      left join payables payable
        on payable.workspace_id = settlement.workspace_id and payable.id = settlement.payable_id
      left join receivables receivable
        on receivable.workspace_id = settlement.workspace_id and receivable.id = settlement.receivable_id
      left join charges charge
        on charge.workspace_id = settlement.workspace_id and charge.id = settlement.charge_id
     where settlement.workspace_id = ${workspaceId} and settlement.account_id = ${accountId}
       and settlement.status = 'effective' and settlement.amount_cents > settlement.fee_cents
       and settlement.paid_at between ${paidFrom}::date and ${paidTo}::date
     order by settlement.paid_at, settlement.id limit ${limit + 1}`);
}

export interface OwnTransferRow {
  id: string;
  direction: 'credit' | 'debit';
  date: CivilDate;
  amount_cents: Cents;
  description: string | null;
  other_document: string;
  other_name: string;
  is_confirmed: boolean;
}

/** Transfers that were made, whose entry in this account is still ours. */
export function selectOwnTransfers(
  db: Db,
  workspaceId: string,
  { accountId }: Window,
  from: CivilDate,
  to: CivilDate,
  limit: number,
): Promise<OwnTransferRow[]> {
  return db.rows<OwnTransferRow>(sql`
    select transfer.id, entry.direction, entry.date, entry.amount_cents, transfer.description,
           company.document_number as other_document, company.legal_name as other_name,
           transfer.method <> 'internal' as is_confirmed
      from financial_transactions entry
      join transfers transfer on transfer.workspace_id = entry.workspace_id and transfer.id = entry.transfer_id
      join financial_accounts other
        on other.workspace_id = transfer.workspace_id
       and other.id = case entry.direction when 'debit' then transfer.to_account_id else transfer.from_account_id end
      join companies company on company.workspace_id = other.workspace_id and company.id = other.company_id
     where entry.workspace_id = ${workspaceId} and entry.account_id = ${accountId} and entry.source = 'transfer'
       and not entry.ignored and entry.date between ${from}::date and ${to}::date
       and transfer.status = 'confirmed'
     order by entry.date, entry.id limit ${limit + 1}`);
}

export type OtherLineRow = LineRow & { other_document: string; other_name: string };

/** Whole lines of other own accounts that a line of this one could be the other side of. */
export function selectOtherLines(
  db: Db,
  workspaceId: string,
  { accountId, from, to, toleranceDays }: Window,
  limit: number,
): Promise<OtherLineRow[]> {
  return db.rows<OtherLineRow>(sql`
    select ${raw(lineColumns)}, company.document_number as other_document, company.legal_name as other_name
      from financial_transactions entry
      join financial_accounts account on account.workspace_id = entry.workspace_id and account.id = entry.account_id
      join companies company on company.workspace_id = account.workspace_id and company.id = account.company_id
     where entry.workspace_id = ${workspaceId} and entry.account_id <> ${accountId}
       and entry.date between ${from}::date - ${toleranceDays}::int and ${to}::date + ${toleranceDays}::int
       and ${raw(isOpenLine)} and entry.reconciled_cents = 0
       and (entry.amount_cents, entry.direction) in (
         select mine.amount_cents, case mine.direction when 'debit' then 'credit' else 'debit' end
           from financial_transactions mine
          where mine.workspace_id = ${workspaceId} and mine.account_id = ${accountId}
            and mine.date between ${from}::date and ${to}::date
            and mine.source in ('import', 'manual') and not mine.ignored and mine.transfer_id is null
            and mine.reconciled_cents = 0)
     order by entry.date, entry.id limit ${limit + 1}`);
}

/** The version of the books now. */
export async function selectBooksVersion(db: Db, workspaceId: string): Promise<number | null> {
  const row = await db.row<BooksVersion>(sql`select ${booksVersion(workspaceId)}`);
  return row!.books_version;
}
