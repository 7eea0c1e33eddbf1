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
import { type Lock, lockClauses } from './queries.ts';

export type ContactRow = Tables['dunning_contacts'];

/** Every contact of the debtor, the newest first. */
export function selectContacts(
  db: Db,
  organizationId: string,
  personId: string,
  lock: Lock,
): Promise<ContactRow[]> {
  return db.rows<ContactRow>(sql`
    select * from dunning_contacts where organization_id = ${organizationId} and person_id = ${personId}
     order by id desc ${raw(lockClauses[lock])}`);
}

export function selectContact(
  db: Db,
  organizationId: string,
  id: string,
  lock: Lock,
): Promise<ContactRow | undefined> {
  return db.row<ContactRow>(sql`
    select * from dunning_contacts where organization_id = ${organizationId} and id = ${id} ${raw(lockClauses[lock])}`);
}

export type ContactInsert = Omit<ContactRow, 'last_delivered_at' | 'updated_at' | 'version'>;

export function insertContact(db: Db, contact: ContactInsert): Promise<number> {
  return db.run(sql`
    insert into dunning_contacts (organization_id, id, person_id, channel, value, identity, label, is_primary, consent,
                                  consent_changed_at, validity, created_by, created_at, updated_at)
    values (${contact.organization_id}, ${contact.id}, ${contact.person_id}, ${contact.channel}, ${contact.value},
            ${contact.identity}, ${contact.label}, ${contact.is_primary}, ${contact.consent},
            ${contact.consent_changed_at}, ${contact.validity}, ${contact.created_by}, ${contact.created_at},
            ${contact.created_at})`);
}

export function updateContact(db: Db, contact: ContactRow, now: Date): Promise<number> {
  return db.run(sql`
    update dunning_contacts
       set value = ${contact.value}, identity = ${contact.identity}, label = ${contact.label},
           is_primary = ${contact.is_primary}, consent = ${contact.consent},
           consent_changed_at = ${contact.consent_changed_at}, validity = ${contact.validity},
           last_delivered_at = ${contact.last_delivered_at}, updated_at = ${now}, version = version + 1
     where organization_id = ${contact.organization_id} and id = ${contact.id}`);
}

export function deleteContact(db: Db, organizationId: string, id: string): Promise<number> {
  return db.run(sql`delete from dunning_contacts where organization_id = ${organizationId} and id = ${id}`);
}

export const contactSorts = sortsOf({ created_at: { column: 'created_at', keyForm: 'instant' } });

/** Contacts of one debtor are few, so the order needs no index. */
export function selectContactPage(
  db: Db,
  organizationId: string,
  personId: string,
  filter: TimeFilters & { channel?: string | undefined },
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<ContactRow[]> {
  return db.rows<ContactRow>(sql`
    select * from dunning_contacts c
     where organization_id = ${organizationId} and person_id = ${personId}
       ${all(filter.channel !== undefined && sql`channel = ${filter.channel}`)}
       ${timeFilters(filter, 'c')}
       ${after(page.sort, page.position)}
     ${orderAndLimit(page.sort, page.limit)}`);
}

/** Some of the messages that wait to go to this contact. */
export function selectWaitingMessages(
  db: Db,
  organizationId: string,
  personId: string,
  contactId: string,
): Promise<{ kind: string; id: string }[]> {
  return db.rows(sql`
    select 'notification' as kind, id from dunning_notifications
     where organization_id = ${organizationId} and person_id = ${personId} and contact_id = ${contactId}
       and status in ('scheduled', 'queued') limit 5`);
}
