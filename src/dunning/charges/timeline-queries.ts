import type { Position } from '../../core/paging.ts';
import type { Db } from '../../core/ports.ts';
import { after, type ListSort, orderAndLimit, sortsOf } from '../../db/listing.ts';
import { type Sql, sql } from '../../db/sql.ts';

export const timelineSorts = sortsOf({ at: { column: 't.at', keyForm: 'instant' } });

export interface TimelineRow {
  readonly at: string;
  /** Unique in the timeline, also where one record is in it twice. */
  readonly id: string;
  readonly kind: string;
  readonly record_id: string;
  readonly event: string;
  readonly amount_cents: number | null;
  readonly channel: string | null;
  /** What a person wrote about it. */
  readonly note: string | null;
  readonly actor_id: string | null;
}

/** One page of all that happened to a charge, put together from the records of every kind. */
export function selectTimeline(
  db: Db,
  organizationId: string,
  chargeId: string,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<TimelineRow[]> {
  const parts = [
    chargeEvents,
    payments,
    messages,
    steps,
    holds,
    disputes,
    agreements,
    legalEvents,
    interactions,
    promises,
  ].map((part) => part(organizationId, chargeId));
  const all = parts.reduce((sum, part) => sql`${sum} union all ${part}`);
  return db.rows<TimelineRow>(sql`
    select t.* from (
      -- An id of its own for each line: of two lines about one record the second would be lost at the edge of a page.
      select at, md5(record_id::text || event || at::text)::uuid as id, kind, record_id, event, amount_cents, channel,
             note, actor_id
        from (${all}) found (at, kind, record_id, event, amount_cents, channel, note, actor_id)
       where at is not null
    ) t
    where true ${after(page.sort, page.position, 't.id')}
    ${orderAndLimit(page.sort, page.limit, 't.id')}`);
}

/** What was done to the charge itself; changes that other records stand for are told by those. */
function chargeEvents(organizationId: string, chargeId: string): Sql {
  return sql`
    select e.at, 'charge', ${chargeId}::uuid, e.operation, null::bigint, null::text, null::text, e.actor_id
      from event_records c
      join events e on e.tenant_id = c.tenant_id and e.position = c.position
     where c.tenant_id = ${organizationId} and c.kind = 'charge' and c.record_id = ${chargeId}`;
}

function payments(organizationId: string, chargeId: string): Sql {
  return sql`
    select p.created_at, 'payment', p.id, case p.kind when 'duplicate' then 'duplicate_recorded' else 'recorded' end,
           p.amount_cents::bigint, p.channel, null, p.created_by
      from dunning_payments p where p.organization_id = ${organizationId} and p.charge_id = ${chargeId}
    union all
    select p.reversed_at, 'payment', p.id, 'reversed', p.amount_cents::bigint, null, p.reversed_reason, null
      from dunning_payments p
     where p.organization_id = ${organizationId} and p.charge_id = ${chargeId} and p.status = 'reversed'`;
}

/** A message shows once, where it got to. */
function messages(organizationId: string, chargeId: string): Sql {
  return sql`
    select coalesce(n.read_at, n.delivered_at, n.sent_at, n.updated_at), 'notification', n.id, n.status, null, n.channel,
           n.status_reason, n.created_by
      from dunning_notifications n
     where n.organization_id = ${organizationId}
       and (n.charge_id = ${chargeId}
            or n.id in (select notification_id from dunning_notification_charges
                         where organization_id = ${organizationId} and charge_id = ${chargeId}))`;
}

/** Steps that send are told by their messages, unless they came to nothing. */
function steps(organizationId: string, chargeId: string): Sql {
  return sql`
    select coalesce(e.done_at, e.updated_at), 'step_execution', e.id, e.status, null, e.channel, e.skipped_reason, null
      from dunning_step_executions e
     where e.organization_id = ${organizationId} and e.charge_id = ${chargeId} and e.status <> 'scheduled'
       and (e.action <> 'message' or e.status <> 'done')`;
}

function holds(organizationId: string, chargeId: string): Sql {
  return sql`
    select h.created_at, 'hold', h.source_id, 'held_' || h.reason, null, null, h.note, h.created_by
      from dunning_holds h where h.organization_id = ${organizationId} and h.charge_id = ${chargeId}`;
}

function disputes(organizationId: string, chargeId: string): Sql {
  return sql`
    select d.created_at, 'dispute', d.id, 'opened', d.disputed_cents, null, d.description, d.created_by
      from dunning_disputes d where d.organization_id = ${organizationId} and d.charge_id = ${chargeId}
    union all
    select d.resolved_at, 'dispute', d.id, d.status, d.adjusted_cents, null, d.resolution, d.resolved_by
      from dunning_disputes d where d.organization_id = ${organizationId} and d.charge_id = ${chargeId}`;
}

function agreements(organizationId: string, chargeId: string): Sql {
  const ofCharge = sql`
    dunning_agreement_charges c
      join dunning_agreements a on a.organization_id = c.organization_id and a.id = c.agreement_id
     where c.organization_id = ${organizationId} and c.charge_id = ${chargeId}`;
  const columns = sql`a.negotiated_total_cents::bigint, null::text`;
  return sql`
    select a.created_at, 'agreement', a.id, 'proposed', ${columns}, a.notes, a.created_by from ${ofCharge}
    union all
    select a.accepted_at, 'agreement', a.id, 'accepted', ${columns}, null, null from ${ofCharge}
    union all
    select a.ended_at, 'agreement', a.id, a.status, ${columns}, a.ended_reason, null from ${ofCharge}`;
}

function legalEvents(organizationId: string, chargeId: string): Sql {
  return sql`
    select l.at, l.kind, l.action_id, l.event, null, null, null, null
      from dunning_legal_events l
     where l.organization_id = ${organizationId}
       and l.action_id in (select id from dunning_negativations
                            where organization_id = ${organizationId} and charge_id = ${chargeId}
                           union all
                           select id from dunning_protests
                            where organization_id = ${organizationId} and charge_id = ${chargeId})`;
}

/** Those of the debtor that name the charge: a person has few, a list of ids has no index. */
function interactions(organizationId: string, chargeId: string): Sql {
  return sql`
    select i.occurred_at, 'interaction', i.id, i.kind || '_' || i.direction, null, null, i.summary, i.created_by
      from dunning_interactions i
     where i.organization_id = ${organizationId} and ${ofDebtor(organizationId, chargeId)}
       and ${chargeId}::uuid = any(i.charge_ids)`;
}

function promises(organizationId: string, chargeId: string): Sql {
  const theirs = sql`
    dunning_promises i where i.organization_id = ${organizationId} and ${ofDebtor(organizationId, chargeId)}
                         and ${chargeId}::uuid = any(i.charge_ids)`;
  return sql`
    select i.created_at, 'promise', i.id, 'made', i.amount_cents::bigint, i.channel, null, i.created_by from ${theirs}
    union all
    select i.ended_at, 'promise', i.id, i.status, i.paid_cents::bigint, null, i.ended_reason, null from ${theirs}`;
}

function ofDebtor(organizationId: string, chargeId: string): Sql {
  return sql`i.person_id = (select person_id from dunning_charges
                             where organization_id = ${organizationId} and id = ${chargeId})`;
}
