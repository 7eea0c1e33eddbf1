/** The one statement that says who may be contacted: for one message, a batch of them, or a whole day's run. */

import { addDays, civilDateAt } from '../../core/dates.ts';
import type { Context } from '../../core/operation.ts';
import { empty, type Sql, sql } from '../../db/sql.ts';
import { STATES } from '../contact-law/index.ts';
import type { Settings } from '../settings/index.ts';
import { NO_STATE, openingsAt, startOfDay } from './openings.ts';

export interface GateOptions {
  /** The moment of the contact. Default: now. */
  readonly at?: Date;
  /**
   * Whether messages that wait to be sent on the day count towards its cap. Default: yes. Whoever sends them counts
   * only those that were sent, or two waiting ones would hold each other back.
   */
  readonly countsWaiting?: boolean;
  /** Minutes that may pass until the contact is made: the hours have to last as long. Default: 0. */
  readonly lasts?: number;
}

/**
 * A select that judges candidates. They come as a select of `candidate_id uuid, person_id uuid, charge_id uuid, channel
 * text, contact_id uuid, purpose text`; charge and contact may be null, and so may the channel of what contacts nobody.
 * Without a contact the best of the channel is chosen. Gives one row for each candidate whose person exists:
 *
 * - `candidate_id`, `person_id`, `charge_id` and `channel` as they came;
 * - `reason`: a `BlockCode`, the first that applies in their order, or null when the contact may be made;
 * - `next_at`: when to try again, for `window_closed` and `daily_cap`;
 * - `contact_id`: the contact to use; null for letters to the person's address and for tasks;
 * - `left_today`: how many messages the person may still have on the day, and `next_day_at`: when the next day opens,
 *   for those who judge several candidates of one person at once.
 */
export function gate(
  context: Context,
  { contactPolicy: policy }: Settings,
  candidates: Sql,
  { at = context.now, countsWaiting = true, lasts = 0 }: GateOptions = {},
): Sql {
  const { organizationId, timeZone } = context;
  const openings = openingsAt(policy, timeZone, at, lasts);
  const day = civilDateAt(at, timeZone);
  const isLater = day > context.today;
  const waiting = countsWaiting
    ? waitingOn(
        organizationId,
        isLater ? startOfDay(day, timeZone) : null,
        startOfDay(addDays(day, 1), timeZone),
      )
    : empty;
  return sql`
    select judged.*,
           case judged.reason
             when 'window_closed' then judged.opens_at
             when 'daily_cap' then judged.next_day_at
           end as next_at
      from (
        select c.candidate_id, c.person_id, c.charge_id, c.channel, contact.contact_id, hours.opens_at, hours.next_day_at,
               greatest(${policy.dailyCapPerPerson}::integer - coalesce(used.total, 0), 0)::integer as left_today,
               case
                 when p.archived_at is not null or p.anonymized_at is not null then 'archived'
                 when p.deceased then 'deceased'
                 when p.do_not_contact and c.channel is not null then 'do_not_contact'
                 when charge.reason is not null then charge.reason
                 when c.channel is null then null
                 when c.purpose <> 'task' and c.channel <> all(${policy.channels}::text[]) then 'channel_off'
                 when not contact.is_usable and contact.has_opted_out then 'opted_out'
                 when not contact.is_usable and contact.has_wrong_person then 'wrong_person'
                 when c.purpose = 'task' then null
                 when not contact.is_usable then 'no_contact'
                 when not hours.is_open then 'window_closed'
                 when used.total >= ${policy.dailyCapPerPerson}
                   or used.on_channel >= (${JSON.stringify(policy.dailyCaps)}::jsonb ->> c.channel)::integer
                   then 'daily_cap'
               end as reason
          from (${candidates}) c
          join dunning_people p on p.organization_id = ${organizationId} and p.id = c.person_id
          left join lateral (${chargeOf(organizationId, day)}) charge on true
          left join unnest(${openings.states}::text[], ${openings.channels}::text[], ${openings.isOpen}::boolean[],
                           ${openings.nextAt}::timestamptz[], ${openings.nextDayAt}::timestamptz[])
                    as hours (state, channel, is_open, opens_at, next_day_at)
            on hours.state = case when p.state = any(${STATES}::text[]) then p.state else ${NO_STATE} end
               and hours.channel = c.channel
          left join lateral (${contactOf(organizationId)}) contact on true
          left join lateral (
            select count(*) as total, count(*) filter (where taken.channel = c.channel) as on_channel
              from (select s.channel
                      from dunning_contact_slots s
                     where s.organization_id = ${organizationId} and s.person_id = c.person_id
                       and s.contact_on = ${day}::date
                    ${waiting}) taken
          ) used on c.purpose <> 'task'
      ) judged`;
}

/** What of the charge stands against the contact; an agreement may be talked about whatever holds its charges. */
function chargeOf(organizationId: string, day: string): Sql {
  return sql`
    select coalesce(
             case
               when ch.status in ('paid', 'canceled') then ch.status
               when ch.status = 'in_agreement' and c.purpose <> 'agreement' then 'in_agreement'
               when ch.is_disputed then 'disputed'
               when ch.dunning_state = 'paused' and c.purpose <> 'agreement' then
                 case ch.paused_reason
                   when 'agreement' then 'in_agreement'
                   when 'dispute' then 'disputed'
                   when 'promise' then 'promise'
                   when 'legal' then
                     case when c.purpose = 'legal' then (${holdBehindLegal(organizationId)}) else 'legal_hold' end
                   else 'paused'
                 end
             end,
             case
               when c.purpose = 'legal' and ch.status = 'pending' and ch.adjusted_due_date >= ${day}::date
                 then 'not_late_yet'
             end
           ) as reason
      from dunning_charges ch
     where ch.organization_id = ${organizationId} and ch.id = c.charge_id`;
}

/** A legal step is not held by its own hold, which is shown before those that count less. */
function holdBehindLegal(organizationId: string): Sql {
  return sql`
    select case when bool_or(h.reason = 'promise') then 'promise'
                when bool_or(h.reason in ('manual', 'contact')) then 'paused' end
      from dunning_holds h
     where h.organization_id = ${organizationId} and h.charge_id = ch.id`;
}

/**
 * The contact to use: the one asked for, else the primary one, else the newest. An opt-out counts for the identity,
 * whichever contact of the person it was said for. A letter goes to the person's address, whether or not it is among
 * the contacts as well.
 */
function contactOf(organizationId: string): Sql {
  return sql`
    select found.contact_id, coalesce(found.has_opted_out, false) as has_opted_out,
           coalesce(found.has_wrong_person, false) as has_wrong_person,
           case when c.channel = 'letter'
             then p.address is not null and (found.contact_id is not null or found.total = 0)
             else found.contact_id is not null
           end as is_usable
      from (
        select count(*) as total, bool_or(k.is_opted_out) as has_opted_out,
               bool_or(k.validity = 'wrong_person') as has_wrong_person,
               (array_agg(k.id order by k.is_primary desc, k.id desc)
                 filter (where not k.is_opted_out and k.validity not in ('bounced', 'wrong_person')))[1] as contact_id
          from (
            select own.id, own.channel, own.is_primary, own.validity,
                   bool_or(own.consent = 'opted_out') over (partition by own.identity) as is_opted_out
              from dunning_contacts own
             where own.organization_id = ${organizationId} and own.person_id = c.person_id
          ) k
         where k.channel = c.channel and (c.contact_id is null or k.id = c.contact_id)
      ) found`;
}

/**
 * Messages of the person that wait for their turn on the day. The state is written so that the index of all waiting
 * messages cannot serve: without statistics it is taken for each person anew, which is quadratic on a big day.
 */
function waitingOn(organizationId: string, from: Date | null, until: Date): Sql {
  return sql`
    union all
    select n.channel
      from dunning_notifications n
     where n.organization_id = ${organizationId} and n.person_id = c.person_id
       and n.status || '' in ('scheduled', 'queued') and n.claimed_at is null and n.id <> c.candidate_id
       and n.scheduled_for < ${until} and (${from}::timestamptz is null or n.scheduled_for >= ${from}::timestamptz)`;
}
