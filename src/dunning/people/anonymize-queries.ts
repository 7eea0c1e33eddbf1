/** Takes personal data out of every record around a debtor; figures, dates and states stay. */

import type { Db } from '../../core/ports.ts';
import { raw, type Sql, sql } from '../../db/sql.ts';

/** Stands where a text about a person stood. */
const ERASED = '[anonimizado]';

/** The last day on which something about the debtor's charges closed; null without any charge. */
export async function selectLastClosing(
  db: Db,
  organizationId: string,
  personId: string,
  timeZone: string,
): Promise<string | null> {
  const row = await db.row<{ closed_on: string | null }>(sql`
    select max(coalesce(paid_on, (updated_at at time zone ${timeZone})::date))::text as closed_on
      from dunning_charges where organization_id = ${organizationId} and person_id = ${personId}`);
  return row!.closed_on;
}

export function deleteContactsOf(db: Db, organizationId: string, personId: string): Promise<number> {
  return db.run(sql`
    delete from dunning_contacts where organization_id = ${organizationId} and person_id = ${personId}`);
}

/** Texts of charges are kept to their numbers: a description may name somebody. */
export function eraseCharges(db: Db, organizationId: string, personId: string): Promise<number> {
  return db.run(sql`
    update dunning_charges
       set description = ${ERASED}, external_id = null, payment_options = '{}', tags = '{}',
           canceled_reason = ${erased('canceled_reason')}, search_text = ''
     where organization_id = ${organizationId} and person_id = ${personId}`);
}

export function erasePayments(db: Db, organizationId: string, personId: string): Promise<number> {
  return db.run(sql`
    update dunning_payments set payer = null, reversed_reason = ${erased('reversed_reason')}
     where organization_id = ${organizationId} and person_id = ${personId}`);
}

export function eraseNotifications(db: Db, organizationId: string, personId: string): Promise<number> {
  return db.run(sql`
    update dunning_notifications
       set rendered = null, own_subject = ${erased('own_subject')}, own_body = ${erased('own_body')}, contact_id = null
     where organization_id = ${organizationId} and person_id = ${personId}`);
}

export function eraseTrail(db: Db, organizationId: string, personId: string): Promise<number> {
  return db.run(sql`
    update dunning_notification_trail t set detail = null
      from dunning_notifications n
     where t.organization_id = ${organizationId} and n.organization_id = t.organization_id
       and n.id = t.notification_id and n.person_id = ${personId} and t.detail is not null`);
}

export function eraseInteractions(db: Db, organizationId: string, personId: string): Promise<number> {
  return db.run(sql`
    update dunning_interactions set summary = ${ERASED}
     where organization_id = ${organizationId} and person_id = ${personId}`);
}

export function erasePromises(db: Db, organizationId: string, personId: string): Promise<number> {
  return db.run(sql`
    update dunning_promises set ended_reason = ${erased('ended_reason')}
     where organization_id = ${organizationId} and person_id = ${personId}`);
}

export function eraseHolds(db: Db, organizationId: string, personId: string): Promise<number> {
  return db.run(sql`
    update dunning_holds h set note = ${erased('note')}
      from dunning_charges c
     where h.organization_id = ${organizationId} and c.organization_id = h.organization_id
       and c.id = h.charge_id and c.person_id = ${personId}`);
}

/** Of a skipped step its code stays, and what a person wrote behind it goes. */
export function eraseStepNotes(db: Db, organizationId: string, personId: string): Promise<number> {
  return db.run(sql`
    update dunning_step_executions set skipped_reason = split_part(skipped_reason, ': ', 1)
     where organization_id = ${organizationId} and skipped_reason like '%: %'
       and charge_id in (select id from dunning_charges
                          where organization_id = ${organizationId} and person_id = ${personId})`);
}

export function eraseAgreements(db: Db, organizationId: string, personId: string): Promise<number> {
  return db.run(sql`
    update dunning_agreements
       set notes = ${erased('notes')}, accepted_by = ${erased('accepted_by')}, evidence = ${erased('evidence')},
           ended_reason = ${erased('ended_reason')}
     where organization_id = ${organizationId} and person_id = ${personId}`);
}

export function eraseDisputes(db: Db, organizationId: string, personId: string): Promise<number> {
  return db.run(sql`
    update dunning_disputes set description = ${ERASED}, resolution = ${erased('resolution')}
     where organization_id = ${organizationId} and person_id = ${personId}`);
}

export function eraseDisputeComments(db: Db, organizationId: string, personId: string): Promise<number> {
  return db.run(sql`
    update dunning_dispute_comments c set body = ${ERASED}
      from dunning_disputes d
     where c.organization_id = ${organizationId} and d.organization_id = c.organization_id
       and d.id = c.dispute_id and d.person_id = ${personId}`);
}

export function eraseNegativations(db: Db, organizationId: string, personId: string): Promise<number> {
  return db.run(sql`
    update dunning_negativations
       set reason = ${erased('reason')}, decision_note = ${erased('decision_note')},
           prior_notice = prior_notice - 'evidence', removal = removal - 'reason'
     where organization_id = ${organizationId} and person_id = ${personId}`);
}

export function eraseProtests(db: Db, organizationId: string, personId: string): Promise<number> {
  return db.run(sql`
    update dunning_protests
       set document_name = null, document_content_type = null, document_sha256 = null, document_bytes = null,
           decision_note = ${erased('decision_note')}
     where organization_id = ${organizationId} and person_id = ${personId}`);
}

/** What bureaus and notaries were told and told back. */
export function eraseLegalCommands(db: Db, organizationId: string, personId: string): Promise<number> {
  return db.run(sql`
    update dunning_legal_commands set request = '{}', answer = null
     where organization_id = ${organizationId} and action_id in (${legalActionsOf(organizationId, personId)})`);
}

export function eraseLegalEvents(db: Db, organizationId: string, personId: string): Promise<number> {
  return db.run(sql`
    update dunning_legal_events set details = '{}'
     where organization_id = ${organizationId} and action_id in (${legalActionsOf(organizationId, personId)})`);
}

/** Deliveries carry the whole record of the debtor, the contact or the charge they tell of. */
export function deleteDeliveries(db: Db, organizationId: string, personId: string): Promise<number> {
  return db.run(sql`
    delete from dunning_webhook_deliveries
     where organization_id = ${organizationId} and status <> 'pending' and payload like ${`%${personId}%`}`);
}

function legalActionsOf(organizationId: string, personId: string): Sql {
  return sql`
    select id from dunning_negativations where organization_id = ${organizationId} and person_id = ${personId}
    union all
    select id from dunning_protests where organization_id = ${organizationId} and person_id = ${personId}`;
}

/** Whether there was a text stays to be seen. */
function erased(column: string): Sql {
  return sql`case when ${raw(column)} is null then null else ${ERASED} end`;
}
