import type { CivilDate } from '../../core/dates.ts';
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
import type { NegativationState, NoticeMessage } from './rules.ts';
import type { BureauName } from './schema.ts';

export type NegativationRow = Omit<Tables['dunning_negativations'], keyof NegativationState | 'bureau'> &
  NegativationState & { readonly bureau: BureauName; readonly person_name: string };

export const negativationSorts = sortsOf({ created_at: { column: 'n.created_at', keyForm: 'instant' } });

export interface NegativationFilter extends TimeFilters {
  status?: string | undefined;
  bureau?: string | undefined;
  person_id?: string | undefined;
  charge_id?: string | undefined;
}

const withPerson = raw(
  'dunning_negativations n join dunning_people p on p.organization_id = n.organization_id and p.id = n.person_id',
);

export function selectNegativations(
  db: Db,
  organizationId: string,
  filter: NegativationFilter,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<NegativationRow[]> {
  return db.rows<NegativationRow>(sql`
    select n.*, p.name as person_name from ${withPerson}
     where n.organization_id = ${organizationId}
       ${all(
         filter.status !== undefined && sql`n.status = ${filter.status}`,
         filter.bureau !== undefined && sql`n.bureau = ${filter.bureau}`,
         filter.person_id !== undefined && sql`n.person_id = ${filter.person_id}`,
         filter.charge_id !== undefined && sql`n.charge_id = ${filter.charge_id}`,
       )}
       ${timeFilters(filter, 'n')}
       ${after(page.sort, page.position, 'n.id')}
     ${orderAndLimit(page.sort, page.limit, 'n.id')}`);
}

/** `lock` keeps the row as it is until the transaction ends. */
export function selectNegativation(
  db: Db,
  organizationId: string,
  id: string,
  lock: boolean,
): Promise<NegativationRow | undefined> {
  return db.row<NegativationRow>(sql`
    select n.*, p.name as person_name from ${withPerson}
     where n.organization_id = ${organizationId} and n.id = ${id} ${raw(lock ? 'for update of n' : '')}`);
}

export function insertNegativation(
  db: Db,
  row: Pick<
    NegativationRow,
    | 'organization_id'
    | 'id'
    | 'charge_id'
    | 'person_id'
    | 'bureau'
    | 'amount_cents'
    | 'debt_due_date'
    | 'reason'
    | 'expires_on'
    | 'policy_version'
    | 'requested_by'
  >,
  now: Date,
): Promise<number> {
  return db.run(sql`
    insert into dunning_negativations (organization_id, id, charge_id, person_id, bureau, amount_cents, debt_due_date,
                                       reason, status, requested_by, expires_on, policy_version, created_by, created_at,
                                       updated_at)
    values (${row.organization_id}, ${row.id}, ${row.charge_id}, ${row.person_id}, ${row.bureau}, ${row.amount_cents},
            ${row.debt_due_date}::date, ${row.reason}, 'pending', ${row.requested_by}, ${row.expires_on}::date,
            ${row.policy_version}, ${row.requested_by}, ${now}, ${now})`);
}

/** Everything but what was frozen when it was asked for. */
export function updateNegativation(db: Db, row: NegativationRow, now: Date): Promise<number> {
  return db.run(sql`
    update dunning_negativations
       set status = ${row.status}, status_reason = ${row.status_reason}, approved_by = ${row.approved_by},
           decided_at = ${row.decided_at}::timestamptz, decision_note = ${row.decision_note},
           prior_notice = ${json(row.prior_notice)}::jsonb, waits_until = ${row.waits_until}::date,
           registered_at = ${row.registered_at}::timestamptz, removal = ${json(row.removal)}::jsonb,
           removal_deadline = ${row.removal_deadline}::date, bureau_reference = ${row.bureau_reference},
           policy_version = ${row.policy_version}, updated_at = ${now}, version = version + 1
     where organization_id = ${row.organization_id} and id = ${row.id}`);
}

/** The message that carries a notice, as it stands. */
export function selectNoticeMessage(
  db: Db,
  organizationId: string,
  notificationId: string,
): Promise<NoticeMessage | undefined> {
  return db.row<NoticeMessage>(sql`
    select m.status, m.sent_at, m.delivered_at, m.read_at, coalesce(k.validity = 'wrong_person', false) as is_wrong_person
      from dunning_notifications m
      left join dunning_contacts k on k.organization_id = m.organization_id and k.id = m.contact_id
     where m.organization_id = ${organizationId} and m.id = ${notificationId}`);
}

/** Reports whose notice may have news: it moved since they were written, or its proof is overdue. */
export function selectToWatch(
  db: Db,
  organizationId: string,
  sentBefore: Date,
  limit: number,
): Promise<{ id: string; charge_id: string }[]> {
  return db.rows(sql`
    select n.id, n.charge_id
      from dunning_negativations n
      join dunning_notifications m
        on m.organization_id = n.organization_id and m.id = (n.prior_notice ->> 'notification_id')::uuid
      left join dunning_contacts k on k.organization_id = m.organization_id and k.id = m.contact_id
     where n.organization_id = ${organizationId} and n.status in ('approved', 'notice_sent') and n.removal is null
       and case
             when n.waits_until is not null then m.status in ('failed', 'bounced') or k.validity = 'wrong_person'
             when n.status_reason = 'no_notice_channel' then false
             when k.validity = 'wrong_person' then true
             when m.status in ('failed', 'bounced', 'canceled', 'skipped') then true
             when m.delivered_at is not null or m.read_at is not null then true
             else m.sent_at is not null
                  and (n.prior_notice ->> 'sent_at' is null or m.sent_at < ${sentBefore}::timestamptz)
           end
     order by n.id limit ${limit}`);
}

/**
 * Reports for which the day itself may bring a step, or whose charge is no longer simply owed; page by page in the order
 * of their ids.
 */
export function selectForDay(
  db: Db,
  organizationId: string,
  day: { today: CivilDate; expiringBy: CivilDate; afterId: string | null },
  limit: number,
): Promise<{ id: string; charge_id: string }[]> {
  return db.rows(sql`
    select n.id, n.charge_id
      from dunning_live_legal_actions l
      join dunning_negativations n on n.organization_id = l.organization_id and n.id = l.action_id
      join dunning_charges c on c.organization_id = l.organization_id and c.id = l.charge_id
     where l.organization_id = ${organizationId} and l.kind = 'negativation'
       and (c.status in ('paid', 'canceled', 'in_agreement') or n.status in ('pending', 'approved', 'removal_requested')
            or (n.status = 'notice_sent'
                and (n.waits_until is null or n.waits_until < ${day.today}::date
                     or n.expires_on < ${day.today}::date))
            or (n.status = 'registered' and n.expires_on <= ${day.expiringBy}::date))
       and (${day.afterId}::uuid is null or n.id > ${day.afterId}::uuid)
     order by n.id limit ${limit}`);
}

/** What happened to a charge beside itself: disputes won since the report, and installments paid of its agreement. */
export function selectGrounds(
  db: Db,
  organizationId: string,
  chargeId: string,
  since: string,
): Promise<
  { is_dispute_upheld: boolean; has_paid_installment: boolean; paid_on: CivilDate | null } | undefined
> {
  return db.row(sql`
    select exists (select from dunning_disputes d
                    where d.organization_id = c.organization_id and d.charge_id = c.id
                      and d.status in ('upheld', 'partially_upheld') and d.resolved_at >= ${since}::timestamptz)
             as is_dispute_upheld,
           exists (select from dunning_installments i
                    where i.organization_id = c.organization_id and i.agreement_id = c.agreement_id
                      and i.status = 'paid') as has_paid_installment,
           c.paid_on
      from dunning_charges c
     where c.organization_id = ${organizationId} and c.id = ${chargeId}`);
}

function json(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
