/** Entries that nobody has classified: found a stretch at a time, locked, and filled in. */

import type { CivilDate } from '../../core/dates.ts';
import type { Db } from '../../core/ports.ts';
import { all } from '../../db/listing.ts';
import { raw, type Sql, sql } from '../../db/sql.ts';

export type EntryKind = 'financial_transaction' | 'payable' | 'receivable';

interface Source {
  readonly table: string;
  /** By which entries are found. */
  readonly date: string;
  /** Person and notes; a document has its person, and no notes. */
  readonly hasMoreToFill: boolean;
  /** The company whose books the entry is in, as a join; and when those books are open for it. */
  readonly company: string;
  readonly isOpen: string;
  /** States in which an entry still counts. */
  readonly counts: string;
}

const document = (table: string): Source => ({
  table,
  date: 'due_date',
  hasMoreToFill: false,
  company:
    'join companies company on company.workspace_id = entry.workspace_id and company.id = entry.company_id',
  isOpen: `(entry.issue_date is null or entry.issue_date > company.books_closed_until)
    and (entry.competence_month || '-01')::date + interval '1 month' - interval '1 day' > company.books_closed_until`,
  counts: "entry.status <> 'canceled'",
});

const sources: Readonly<Record<EntryKind, Source>> = {
  financial_transaction: {
    table: 'financial_transactions',
    date: 'date',
    hasMoreToFill: true,
    company: `join financial_accounts account
        on account.workspace_id = entry.workspace_id and account.id = entry.account_id
      join companies company on company.workspace_id = entry.workspace_id and company.id = account.company_id`,
    isOpen: 'entry.date > company.books_closed_until',
    counts: 'not entry.ignored',
  },
  payable: document('payables'),
  receivable: document('receivables'),
};

export interface OpenEntry {
  readonly id: string;
  readonly date: CivilDate;
  readonly description: string;
  readonly cost_centers: unknown;
  /** Of entries of accounts only, like the two below. */
  readonly direction?: 'credit' | 'debit';
  readonly person_id?: string | null;
  readonly notes?: string | null;
}

/** Nobody can close books while entries in them are classified; everybody locks companies before anything else. */
export function lockCompanies(db: Db, workspaceId: string): Promise<number> {
  return db.run(sql`
    select 1 from companies where workspace_id = ${workspaceId} order by id for share`);
}

/** The next stretch of unclassified entries in open books, newest first, after the position. */
export function selectUnclassified(
  db: Db,
  workspaceId: string,
  kind: EntryKind,
  filter: { readonly date_from?: string | undefined; readonly date_to?: string | undefined },
  page: { readonly after: { readonly date: CivilDate; readonly id: string } | null; readonly limit: number },
): Promise<OpenEntry[]> {
  const { table, company, isOpen, counts } = sources[kind];
  const date = raw(`entry.${sources[kind].date}`);
  return db.rows<OpenEntry>(sql`
    select ${openColumns(kind)}
      from ${raw(table)} entry ${raw(company)}
     where entry.workspace_id = ${workspaceId} and ${stillOpen(counts)}
       and (company.books_closed_until is null or (${raw(isOpen)}))
       ${all(
         filter.date_from !== undefined && sql`${date} >= ${filter.date_from}::date`,
         filter.date_to !== undefined && sql`${date} <= ${filter.date_to}::date`,
         page.after !== null && sql`(${date}, entry.id) < (${page.after.date}::date, ${page.after.id}::uuid)`,
       )}
     order by ${date} desc, entry.id desc limit ${page.limit}`);
}

/** Those among the entries that are still unclassified, as they are now, kept so until the end. */
export function lockUnclassified(
  db: Db,
  workspaceId: string,
  kind: EntryKind,
  ids: readonly string[],
): Promise<OpenEntry[]> {
  const { table, counts } = sources[kind];
  return db.rows<OpenEntry>(sql`
    select ${openColumns(kind)}
      from ${raw(table)} entry
     where entry.workspace_id = ${workspaceId} and entry.id = any(${ids}::uuid[]) and ${stillOpen(counts)}
     order by entry.id for update of entry`);
}

export interface Filling {
  readonly id: string;
  readonly category_id: string | null;
  readonly person_id: string | null;
  readonly cost_centers: readonly { readonly id: string; readonly percent: number }[] | null;
  readonly notes: string | null;
  /** What the notes add to it. */
  readonly search_text: string | null;
}

/** Fills in what is not null; one statement for a whole stretch. */
export function fillIn(
  db: Db,
  workspaceId: string,
  kind: EntryKind,
  fillings: readonly Filling[],
  now: Date,
): Promise<number> {
  const { table, hasMoreToFill } = sources[kind];
  return db.run(sql`
    update ${raw(table)} entry
       set category_id = coalesce(filled.category_id, entry.category_id),
           classified_by = case when filled.category_id is null then entry.classified_by else 'rule' end,
           cost_centers = coalesce(filled.cost_centers, entry.cost_centers),
           ${raw(
             hasMoreToFill
               ? `person_id = coalesce(filled.person_id, entry.person_id), notes = coalesce(filled.notes, entry.notes),
                  search_text = concat_ws(' ', entry.search_text, filled.search_text),`
               : '',
           )}
           updated_at = ${now}, version = version + 1
      from jsonb_to_recordset(${JSON.stringify(fillings)}::jsonb)
        as filled (id uuid, category_id uuid, person_id uuid, cost_centers jsonb, notes text, search_text text)
     where entry.workspace_id = ${workspaceId} and entry.id = filled.id`);
}

function stillOpen(counts: string): Sql {
  return raw(`entry.category_id is null and entry.classified_by is null and ${counts}`);
}

function openColumns(kind: EntryKind): Sql {
  const { date, hasMoreToFill } = sources[kind];
  return raw(
    `entry.id, entry.${date} as date, entry.description, entry.cost_centers ${
      hasMoreToFill ? ', entry.direction, entry.person_id, entry.notes' : ''
    }`,
  );
}
