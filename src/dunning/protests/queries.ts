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
import type { ProtestState } from './rules.ts';

/** Everything but the bytes of the document. */
export type ProtestRow = Omit<Tables['dunning_protests'], keyof ProtestState | 'document_bytes'> &
  ProtestState & { readonly person_name: string };

export const protestSorts = sortsOf({ created_at: { column: 't.created_at', keyForm: 'instant' } });

export interface ProtestFilter extends TimeFilters {
  status?: string | undefined;
  person_id?: string | undefined;
  charge_id?: string | undefined;
}

/** The bytes of the document, up to 2 MiB each, are read only where they are sent. */
const columns = raw(
  [
    't.organization_id, t.id, t.charge_id, t.person_id, t.title_kind, t.amount_cents, t.debt_due_date',
    't.document_name, t.document_content_type, t.document_sha256, t.status, t.status_reason, t.requested_by',
    't.approved_by, t.decided_at, t.decision_note, t.notary, t.protocol, t.protocoled_on, t.notified_on',
    't.notice_kind, t.deadline_on, t.protested_on, t.costs, t.notary_reference, t.policy_version, t.created_by',
    't.created_at, t.updated_at, t.version, p.name as person_name',
  ].join(', '),
);

const withPerson = raw(
  'dunning_protests t join dunning_people p on p.organization_id = t.organization_id and p.id = t.person_id',
);

export function selectProtests(
  db: Db,
  organizationId: string,
  filter: ProtestFilter,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<ProtestRow[]> {
  return db.rows<ProtestRow>(sql`
    select ${columns} from ${withPerson}
     where t.organization_id = ${organizationId}
       ${all(
         filter.status !== undefined && sql`t.status = ${filter.status}`,
         filter.person_id !== undefined && sql`t.person_id = ${filter.person_id}`,
         filter.charge_id !== undefined && sql`t.charge_id = ${filter.charge_id}`,
       )}
       ${timeFilters(filter, 't')}
       ${after(page.sort, page.position, 't.id')}
     ${orderAndLimit(page.sort, page.limit, 't.id')}`);
}

/** `lock` keeps the row as it is until the transaction ends. */
export function selectProtest(
  db: Db,
  organizationId: string,
  id: string,
  lock: boolean,
): Promise<ProtestRow | undefined> {
  return db.row<ProtestRow>(sql`
    select ${columns} from ${withPerson}
     where t.organization_id = ${organizationId} and t.id = ${id} ${raw(lock ? 'for update of t' : '')}`);
}

export function selectDocumentBytes(
  db: Db,
  organizationId: string,
  id: string,
): Promise<{ document_bytes: Buffer | null } | undefined> {
  return db.row(sql`
    select document_bytes from dunning_protests where organization_id = ${organizationId} and id = ${id}`);
}

export function insertProtest(
  db: Db,
  row: Pick<
    Tables['dunning_protests'],
    | 'organization_id'
    | 'id'
    | 'charge_id'
    | 'person_id'
    | 'title_kind'
    | 'amount_cents'
    | 'debt_due_date'
    | 'document_name'
    | 'document_content_type'
    | 'document_sha256'
    | 'document_bytes'
    | 'policy_version'
    | 'requested_by'
  >,
  now: Date,
): Promise<number> {
  return db.run(sql`
    insert into dunning_protests (organization_id, id, charge_id, person_id, title_kind, amount_cents, debt_due_date,
                                  document_name, document_content_type, document_sha256, document_bytes, status,
                                  requested_by, policy_version, created_by, created_at, updated_at)
    values (${row.organization_id}, ${row.id}, ${row.charge_id}, ${row.person_id}, ${row.title_kind},
            ${row.amount_cents}, ${row.debt_due_date}::date, ${row.document_name}, ${row.document_content_type},
            ${row.document_sha256}, ${row.document_bytes}, 'pending', ${row.requested_by}, ${row.policy_version},
            ${row.requested_by}, ${now}, ${now})`);
}

/** Everything but what was frozen when it was asked for. */
export function updateProtest(db: Db, row: ProtestRow, now: Date): Promise<number> {
  return db.run(sql`
    update dunning_protests
       set status = ${row.status}, status_reason = ${row.status_reason}, approved_by = ${row.approved_by},
           decided_at = ${row.decided_at}::timestamptz, decision_note = ${row.decision_note},
           notary = ${json(row.notary)}::jsonb, protocol = ${row.protocol},
           protocoled_on = ${row.protocoled_on}::date, notified_on = ${row.notified_on}::date,
           notice_kind = ${row.notice_kind}, deadline_on = ${row.deadline_on}::date,
           protested_on = ${row.protested_on}::date, costs = ${json(row.costs)}::jsonb,
           notary_reference = ${row.notary_reference}, policy_version = ${row.policy_version}, updated_at = ${now},
           version = version + 1
     where organization_id = ${row.organization_id} and id = ${row.id}`);
}

/** Live protests that wait to be sent, or of charges that something happened to; page by page in the order of their ids. */
export function selectForDay(
  db: Db,
  organizationId: string,
  afterId: string | null,
  limit: number,
): Promise<{ id: string; charge_id: string }[]> {
  return db.rows(sql`
    select l.action_id as id, l.charge_id
      from dunning_live_legal_actions l
      join dunning_charges c on c.organization_id = l.organization_id and c.id = l.charge_id
      join dunning_protests t on t.organization_id = l.organization_id and t.id = l.action_id
     where l.organization_id = ${organizationId} and l.kind = 'protest'
       and (t.status in ('approved', 'cancellation_authorized') or c.status in ('paid', 'canceled', 'in_agreement') or c.is_disputed)
       and (${afterId}::uuid is null or l.action_id > ${afterId}::uuid)
     order by l.action_id limit ${limit}`);
}

function json(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
