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
import type { RecurrenceKind } from './schema.ts';

export type RecurrenceRow = Tables['recurrences'];

/** Open future entries of one recurrence; the horizon allows for far fewer. */
const ENTRIES_MAX = 200;

export const recurrenceSorts = sortsOf({ created_at: { column: 'created_at', keyForm: 'instant' } });

export interface RecurrenceFilter extends TimeFilters {
  kind?: string | undefined;
  active?: boolean | undefined;
}

export function selectRecurrences(
  db: Db,
  workspaceId: string,
  filter: RecurrenceFilter,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<RecurrenceRow[]> {
  return db.rows<RecurrenceRow>(sql`
    select * from recurrences
     where workspace_id = ${workspaceId}
       ${all(
         filter.kind !== undefined && sql`kind = ${filter.kind}`,
         filter.active !== undefined && sql`(status = 'active') = ${filter.active}`,
       )}
       ${timeFilters(filter, 'recurrences')}
       ${after(page.sort, page.position)}
     ${orderAndLimit(page.sort, page.limit)}`);
}

/** `lock` keeps it as it is; entries that refer to it may still be changed meanwhile. */
export function selectRecurrence(
  db: Db,
  workspaceId: string,
  id: string,
  lock: boolean,
): Promise<RecurrenceRow | undefined> {
  return db.row<RecurrenceRow>(sql`
    select * from recurrences
     where workspace_id = ${workspaceId} and id = ${id} ${raw(lock ? 'for no key update' : '')}`);
}

/** Active recurrences whose next occurrence is due to be registered, after the position. */
export function selectToCome(
  db: Db,
  workspaceId: string,
  until: CivilDate,
  page: { after: { next_on: CivilDate; id: string } | null; limit: number },
): Promise<{ id: string; next_on: CivilDate }[]> {
  return db.rows(sql`
    select id, next_on from recurrences
     where workspace_id = ${workspaceId} and status = 'active' and next_on <= ${until}::date
       ${all(page.after !== null && sql`(next_on, id) > (${page.after.next_on}::date, ${page.after.id}::uuid)`)}
     order by next_on, id limit ${page.limit}`);
}

export function insertRecurrence(
  db: Db,
  recurrence: Omit<RecurrenceRow, 'created_at' | 'updated_at' | 'version'>,
  now: Date,
): Promise<number> {
  return db.run(sql`
    insert into recurrences (workspace_id, id, kind, template, frequency, anchor_day, start_date, end_date, occurrences,
                             non_business_day, next_number, next_on, held_by, status, end_reason, template_by,
                             created_by, created_at, updated_at)
    values (${recurrence.workspace_id}, ${recurrence.id}, ${recurrence.kind},
            ${JSON.stringify(recurrence.template)}::jsonb, ${recurrence.frequency}, ${recurrence.anchor_day},
            ${recurrence.start_date}, ${recurrence.end_date}, ${recurrence.occurrences},
            ${recurrence.non_business_day}, ${recurrence.next_number}, ${recurrence.next_on}, ${recurrence.held_by},
            ${recurrence.status}, ${recurrence.end_reason}, ${recurrence.template_by}, ${recurrence.created_by},
            ${now}, ${now})`);
}

export function updateRecurrence(db: Db, recurrence: RecurrenceRow, now: Date): Promise<number> {
  return db.run(sql`
    update recurrences
       set template = ${JSON.stringify(recurrence.template)}::jsonb, anchor_day = ${recurrence.anchor_day},
           end_date = ${recurrence.end_date}, occurrences = ${recurrence.occurrences},
           non_business_day = ${recurrence.non_business_day}, next_number = ${recurrence.next_number},
           next_on = ${recurrence.next_on}, held_by = ${recurrence.held_by}, status = ${recurrence.status},
           end_reason = ${recurrence.end_reason}, template_by = ${recurrence.template_by}, updated_at = ${now},
           version = version + 1
     where workspace_id = ${recurrence.workspace_id} and id = ${recurrence.id}`);
}

/** Where the entries of a kind are, and when one of them is on its way to be paid. */
const places: Readonly<Record<RecurrenceKind, { table: string; isLive: string }>> = {
  payable: {
    table: 'payables',
    isLive: `exists (select 1 from payments where payments.workspace_id = entry.workspace_id
      and payments.payable_id = entry.id
      and payments.status in ('pending', 'awaiting_approval', 'awaiting_funds', 'scheduled', 'processing'))`,
  },
  receivable: {
    table: 'receivables',
    isLive: `exists (select 1 from charges where charges.workspace_id = entry.workspace_id
      and charges.receivable_id = entry.id and charges.status in ('generating', 'open'))`,
  },
};

/** What was registered and is open, due after today, without settlement and without order or charge on its way. */
export function selectOpenEntries(
  db: Db,
  workspaceId: string,
  recurrence: { id: string; kind: string },
  today: CivilDate,
): Promise<{ id: string; amount_cents: Cents }[]> {
  const { table, isLive } = places[recurrence.kind as RecurrenceKind];
  return db.rows(sql`
    select entry.id, entry.amount_cents
      from ${raw(table)} entry
     where entry.workspace_id = ${workspaceId} and entry.recurrence_id = ${recurrence.id}
       and entry.status = 'open' and entry.due_date > ${today}::date and not ${raw(isLive)}
     order by entry.company_id, entry.due_date, entry.id limit ${ENTRIES_MAX}`);
}
