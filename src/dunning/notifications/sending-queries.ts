import type { Context } from '../../core/operation.ts';
import type { Db } from '../../core/ports.ts';
import { raw, sql } from '../../db/sql.ts';
import { gate } from '../contact-gate/index.ts';
import type { Settings } from '../settings/index.ts';
import { type NotificationRow, shownColumns, shownTables } from './queries.ts';

/** The hours have to last as long as a batch may take to leave. */
const BATCH_MINUTES = 2;

/** A message with all that sending it needs of its debtor. */
export type SendableRow = NotificationRow & {
  person_document_number: string | null;
  person_language: string;
  person_address: unknown;
  /** Why the rule that made it would not make it any more; null for all others. */
  rule_reason: string | null;
};

const sendableColumns = raw(
  'p.document_number as person_document_number, p.language as person_language, p.address as person_address',
);

/**
 * Messages whose time has come, the oldest first, locked; those that another sender holds are left to it. One that names
 * no version of its template is made of the one in force: that column comes last and counts. One of a rule may have
 * waited for days, in which the charge left the rule, or the step its sense.
 */
export function selectDue(
  { db, organizationId, now, today }: Context,
  limit: number,
): Promise<SendableRow[]> {
  return db.rows<SendableRow>(sql`
    select ${shownColumns}, coalesce(n.template_version, t.text_version) as template_version, ${sendableColumns},
           case
             when x.id is null then null
             when s.deleted_at is not null or not s.active then 'step_removed'
             when not r.active then 'rule_inactive'
             when c.collection_rule_id is distinct from x.rule_id then 'rule_changed'
             when c.rule_cycle <> x.cycle then 'reopened'
             when s.offset_days <= 0 and c.adjusted_due_date < ${today}::date then 'past_due'
           end as rule_reason
      from ${shownTables}
      left join dunning_templates t on t.organization_id = n.organization_id and t.id = n.template_id
      left join dunning_step_executions x on x.organization_id = n.organization_id and x.id = n.execution_id
      left join dunning_rule_steps s on s.organization_id = n.organization_id and s.id = x.step_id
      left join dunning_collection_rules r on r.organization_id = n.organization_id and r.id = x.rule_id
      left join dunning_charges c on c.organization_id = n.organization_id and c.id = x.charge_id
     where n.organization_id = ${organizationId} and n.status in ('scheduled', 'queued')
       and n.scheduled_for <= ${now} and n.claimed_at is null
     order by n.scheduled_for, n.id
     limit ${raw(String(limit))}
       for update of n skip locked`);
}

/** Messages that a sender took and did not report on since, locked. */
export function selectStale(
  db: Db,
  organizationId: string,
  claimedBefore: Date,
  limit: number,
): Promise<NotificationRow[]> {
  return db.rows<NotificationRow>(sql`
    select ${shownColumns}
      from ${shownTables}
     where n.organization_id = ${organizationId} and n.status in ('scheduled', 'queued')
       and n.claimed_at < ${claimedBefore}
     order by n.scheduled_for, n.id
     limit ${raw(String(limit))}
       for update of n skip locked`);
}

export interface JudgedRow {
  readonly candidate_id: string;
  readonly charge_id: string | null;
  readonly reason: string | null;
  readonly next_at: string | null;
  readonly contact_id: string | null;
}

/** What the gate says of the messages now, charge by charge. */
export function selectJudgedMessages(
  context: Context,
  settings: Settings,
  ids: readonly string[],
): Promise<JudgedRow[]> {
  const { organizationId } = context;
  const candidates = sql`
    select n.id as candidate_id, n.person_id, about.charge_id, n.channel, n.contact_id,
           case when n.negativation_id is not null then 'legal'
                when n.agreement_id is not null then 'agreement'
                else 'message'
           end as purpose
      from dunning_notifications n
      left join lateral (
        select n.charge_id where n.charge_count <= 1
        union all
        select nc.charge_id from dunning_notification_charges nc
         where nc.organization_id = ${organizationId} and nc.notification_id = n.id and n.charge_count > 1
      ) about on true
     where n.organization_id = ${organizationId} and n.id = any(${ids}::uuid[])`;
  return context.db.rows<JudgedRow>(
    gate(context, settings, candidates, { countsWaiting: false, lasts: BATCH_MINUTES }),
  );
}

export interface SlotWanted {
  readonly notificationId: string;
  readonly personId: string;
  readonly channel: string;
}

/**
 * Takes the first free place of the day for each message, one for a person at most; gives those that got one. Two senders
 * want the same place of a person, and the key gives it to one: no cap is passed, whatever runs at once. What the gate saw
 * may be older than this statement, so it counts the channel again. In the order of the people, so that senders who wait
 * for each other never wait in a circle.
 */
export async function insertSlots(
  { db, organizationId, today, now }: Context,
  { contactPolicy: policy }: Settings,
  wanted: readonly SlotWanted[],
): Promise<Set<string>> {
  if (wanted.length === 0) return new Set();
  const caps = JSON.stringify(policy.dailyCaps);
  const rows = await db.rows<{ notification_id: string }>(sql`
    insert into dunning_contact_slots
      (organization_id, person_id, contact_on, ordinal, notification_id, channel, policy_version, taken_at)
    select ${organizationId}::uuid, w.person_id, ${today}::date, free.ordinal, w.notification_id, w.channel,
           ${policy.version}, ${now}
      from unnest(${wanted.map(({ personId }) => personId)}::uuid[],
                  ${wanted.map(({ notificationId }) => notificationId)}::uuid[],
                  ${wanted.map(({ channel }) => channel)}::text[])
             as w (person_id, notification_id, channel)
      join lateral (
        select min(place) as ordinal
          from generate_series(1, ${policy.dailyCapPerPerson}::integer) place
         where not exists (select from dunning_contact_slots s
                            where s.organization_id = ${organizationId} and s.person_id = w.person_id
                              and s.contact_on = ${today}::date and s.ordinal = place)
      ) free on free.ordinal is not null
     where (${caps}::jsonb ->> w.channel) is null
        or (select count(*) from dunning_contact_slots s
             where s.organization_id = ${organizationId} and s.person_id = w.person_id
               and s.contact_on = ${today}::date and s.channel = w.channel) < (${caps}::jsonb ->> w.channel)::integer
     order by w.person_id
    on conflict do nothing
    returning notification_id`);
  return new Set(rows.map(({ notification_id }) => notification_id));
}

/** Gives back the places of messages that did not reach anybody. */
export function deleteSlots(
  db: Db,
  organizationId: string,
  notificationIds: readonly string[],
): Promise<number> {
  return db.run(sql`
    delete from dunning_contact_slots
     where organization_id = ${organizationId} and notification_id = any(${notificationIds}::uuid[])`);
}

export interface Claimed {
  readonly id: string;
  readonly contactId: string | null;
  readonly templateVersion: number | null;
  readonly rendered: { readonly subject: string | null; readonly body: string };
}

/** Marks messages as being sent, with the text that is sent, the contact it goes to and the policy that allows it. */
export function updateClaimed(
  { db, organizationId, now }: Context,
  claim: { readonly id: string; readonly policyVersion: string },
  messages: readonly Claimed[],
): Promise<number> {
  return db.run(sql`
    update dunning_notifications n
       set status = 'queued', queued_at = coalesce(n.queued_at, ${now}), claimed_at = ${now}, claim_id = ${claim.id},
           contact_id = m.contact_id, template_version = m.template_version, rendered = m.rendered,
           policy_version = ${claim.policyVersion}
      from unnest(${messages.map(({ id }) => id)}::uuid[],
                  ${messages.map(({ contactId }) => contactId)}::uuid[],
                  ${messages.map(({ templateVersion }) => templateVersion)}::integer[],
                  ${messages.map(({ rendered }) => JSON.stringify(rendered))}::jsonb[])
             as m (id, contact_id, template_version, rendered)
     where n.organization_id = ${organizationId} and n.id = m.id`);
}

/** Renews the claim of somebody who looks after messages that another sender left. */
export function updateClaims(
  { db, organizationId, now }: Context,
  claimId: string,
  ids: readonly string[],
): Promise<number> {
  return db.run(sql`
    update dunning_notifications set claimed_at = ${now}, claim_id = ${claimId}
     where organization_id = ${organizationId} and id = any(${ids}::uuid[])`);
}

/** The addresses and numbers of contacts. */
export function selectContactValues(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<{ id: string; value: string }[]> {
  return db.rows<{ id: string; value: string }>(sql`
    select id, value from dunning_contacts where organization_id = ${organizationId} and id = any(${ids}::uuid[])`);
}

/** How many times handing each message over came to nothing that is known. */
export function selectAttempts(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<{ notification_id: string; attempts: number }[]> {
  return db.rows<{ notification_id: string; attempts: number }>(sql`
    select notification_id, count(*)::integer as attempts from dunning_notification_trail
     where organization_id = ${organizationId} and notification_id = any(${ids}::uuid[]) and status in ('unreachable', 'unknown')
     group by notification_id`);
}

/** A step whose message was not sent has not been done. */
export function updateExecutions(
  db: Db,
  organizationId: string,
  ends: readonly { executionId: string; status: 'skipped' | 'failed'; reason: string }[],
  now: Date,
): Promise<number> {
  return db.run(sql`
    update dunning_step_executions x
       set status = e.status, skipped_reason = e.reason, updated_at = ${now}, version = x.version + 1
      from unnest(${ends.map(({ executionId }) => executionId)}::uuid[],
                  ${ends.map(({ status }) => status)}::text[],
                  ${ends.map(({ reason }) => reason)}::text[]) as e (id, status, reason)
     where x.organization_id = ${organizationId} and x.id = e.id`);
}

/** How long after a message was made its carrier is still asked about it. */
const AWAITED_DAYS = 5;

/** Messages of a channel that its carrier may report more of, oldest first, page by page. */
export function selectAwaited(
  { db, organizationId, now }: Context,
  of: { readonly channel: string; readonly provider: string },
  after: { created_at: string; id: string } | null,
  limit: number,
): Promise<{ id: string; created_at: string }[]> {
  const from = new Date(now.getTime() - AWAITED_DAYS * 86_400_000);
  return db.rows<{ id: string; created_at: string }>(sql`
    select id, created_at from dunning_notifications
     where organization_id = ${organizationId} and created_at >= ${from}
       and status in ('sent', 'delivered') and channel = ${of.channel} and provider = ${of.provider}
       and (${after?.created_at ?? null}::timestamptz is null
            or (created_at, id) > (${after?.created_at ?? null}::timestamptz, ${after?.id ?? null}::uuid))
     order by created_at, id
     limit ${raw(String(limit))}`);
}
