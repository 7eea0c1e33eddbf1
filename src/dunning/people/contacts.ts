import { fail } from '../../core/errors.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import type { Channel } from '../contact-law/index.ts';
import {
  type ContactRow,
  insertContact,
  selectContact,
  selectContacts,
  selectWaitingMessages,
  updateContact,
} from './contact-queries.ts';
import { type ContactValue, contactForms, normaliseContact } from './contact-rules.ts';
import type { Contact } from './contact-schema.ts';
import { lockKey } from './queries.ts';

export type { ContactRow } from './contact-queries.ts';

/** The public record of a row. */
export function contactOf(row: ContactRow): Contact {
  return {
    id: row.id,
    person_id: row.person_id,
    channel: row.channel as Channel,
    value: row.value,
    label: row.label,
    is_primary: row.is_primary,
    consent: row.consent as Contact['consent'],
    consent_changed_at: row.consent_changed_at,
    validity: row.validity as Contact['validity'],
    last_delivered_at: row.last_delivered_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** Every contact of the debtor, the newest first. */
export function contactsOf(context: Context, personId: string): Promise<ContactRow[]> {
  return selectContacts(context.db, context.organizationId, personId, 'none');
}

/** The contact of this organization. Fails with `not_found`. */
export async function requireContact(context: Context, id: string): Promise<ContactRow> {
  const lock = context.isWriting ? 'share' : 'none';
  const row = await selectContact(context.db, context.organizationId, id, lock);
  return row ?? fail('not_found', { kind: 'contact', id });
}

/** The contacts of the debtor to be changed here; others who change one of them wait. */
export async function contactsToChange(context: WriteContext, personId: string): Promise<ContactRow[]> {
  await lockKey(context.db, context.organizationId, `contacts/${personId}`);
  return selectContacts(context.db, context.organizationId, personId, 'update');
}

/** Fails with `in_use` while messages wait to go there: whoever let them go has seen this mailbox or number. */
export async function requireNothingWaiting(context: Context, row: ContactRow): Promise<void> {
  const by = await selectWaitingMessages(context.db, context.organizationId, row.person_id, row.id);
  if (by.length > 0) fail('in_use', { by });
}

export interface ContactDraft {
  readonly channel: Channel;
  readonly value: string;
  readonly label?: string | null | undefined;
  readonly is_primary?: boolean | undefined;
  readonly consent?: Contact['consent'] | undefined;
}

/** The stored form. Fails with `invalid_contact`, naming the argument and what its channel needs. */
export function requireContactValue(channel: Channel, value: string, path: string): ContactValue {
  return (
    normaliseContact(channel, value) ?? fail('invalid_contact', { path, expected: contactForms[channel] })
  );
}

/**
 * Adds contacts to a debtor. One whose mailbox or number the debtor has already keeps what is known of it: a refusal
 * does not go away by adding the number once more. What is wrong fails with `invalid_contact`, what is there already
 * with `duplicate`; with `skip` both are left out instead.
 */
export async function addContacts(
  context: WriteContext,
  personId: string,
  drafts: readonly ContactDraft[],
  otherwise: 'fail' | 'skip' = 'fail',
  pathOf: (index: number) => string = (index) => `contacts.${index}.value`,
): Promise<ContactRow[]> {
  // All are looked at before the first is written.
  const values = drafts.map(({ channel, value }, index) =>
    otherwise === 'skip'
      ? normaliseContact(channel, value)
      : requireContactValue(channel, value, pathOf(index)),
  );
  const added: ContactRow[] = [];
  for (const [index, draft] of drafts.entries()) {
    const value = values[index];
    if (value === null || value === undefined) continue;
    const known = await contactsToChange(context, personId);
    const same = known.find((row) => row.channel === draft.channel && row.identity === value.identity);
    if (same === undefined) added.push(await addContact(context, personId, draft, value, known));
    else if (otherwise === 'fail') fail('duplicate', { of: same.id });
  }
  return added;
}

/** What a contact may become; what is left out stays. */
export interface ContactChange {
  readonly value?: ContactValue | undefined;
  readonly label?: string | null | undefined;
  readonly is_primary?: boolean | undefined;
  readonly consent?: string | undefined;
  readonly validity?: string | undefined;
  readonly last_delivered_at?: string | null | undefined;
}

/**
 * Changes one of the contacts that were locked together. Consent, and that somebody else answers there, hold for
 * every contact of the debtor with the same mailbox or number.
 */
export async function changeContact(
  context: WriteContext,
  contacts: readonly ContactRow[],
  id: string,
  change: ContactChange,
): Promise<ContactRow> {
  const own = contacts.find((row) => row.id === id)!;
  if (change.is_primary === true) await dropPrimary(context, contacts, own);
  const isShared = change.consent !== undefined || change.validity === 'wrong_person';
  const identity = change.value?.identity ?? own.identity;
  const others = contacts.filter((row) => row.id !== id && row.identity === identity);
  if (isShared) {
    const validity = change.validity === 'wrong_person' ? 'wrong_person' : undefined;
    for (const other of others) await write(context, other.id, { consent: change.consent, validity });
  }
  return write(context, own.id, change);
}

/**
 * What became of a contact outside: delivered, bounced, answered by somebody else. Fails with `not_found`. A delivery
 * proves the address, and takes nothing back that a person has said about it.
 */
export async function markContact(
  context: WriteContext,
  contactId: string,
  mark: { validity?: 'valid' | 'bounced' | 'wrong_person'; deliveredAt?: string },
): Promise<ContactRow> {
  const { person_id: personId } = await requireContact({ ...context, isWriting: false }, contactId);
  const contacts = await contactsToChange(context, personId);
  const row =
    contacts.find(({ id }) => id === contactId) ?? fail('not_found', { kind: 'contact', id: contactId });
  const isWrong = row.validity === 'wrong_person' && mark.validity !== 'wrong_person';
  const change: ContactChange = {
    ...(mark.validity !== undefined && !isWrong && { validity: mark.validity }),
    ...(mark.deliveredAt !== undefined && {
      last_delivered_at: laterOf(row.last_delivered_at, mark.deliveredAt),
    }),
  };
  return changeContact(context, contacts, contactId, change);
}

/** Reports come late and out of order; the last delivery stays the last. */
function laterOf(known: string | null, told: string): string {
  return known !== null && Date.parse(known) > Date.parse(told) ? known : told;
}

async function addContact(
  context: WriteContext,
  personId: string,
  draft: ContactDraft,
  { value, identity }: ContactValue,
  known: readonly ContactRow[],
): Promise<ContactRow> {
  const { db, organizationId, now } = context;
  const alike = known.filter((row) => row.identity === identity);
  const inherited = alike[0];
  const isWrong = alike.some(({ validity }) => validity === 'wrong_person');
  const at = now.toISOString();
  const row = {
    organization_id: organizationId,
    id: context.newId(),
    person_id: personId,
    channel: draft.channel,
    value,
    identity,
    label: draft.label ?? null,
    is_primary: draft.is_primary ?? false,
    consent: draft.consent ?? inherited?.consent ?? 'unknown',
    consent_changed_at: draft.consent === undefined ? (inherited?.consent_changed_at ?? null) : at,
    validity: isWrong ? 'wrong_person' : 'unknown',
    created_by: context.caller.user.id,
    created_at: at,
  };
  if (row.is_primary) await dropPrimary(context, known, row);
  if (draft.consent !== undefined) {
    for (const other of alike) await write(context, other.id, { consent: draft.consent });
  }
  await insertContact(db, row);
  const added = await requireContact(context, row.id);
  context.changed('contact', row.id, null, contactOf(added));
  return added;
}

/** A channel has one first choice. */
async function dropPrimary(
  context: WriteContext,
  contacts: readonly ContactRow[],
  { id, channel }: { readonly id: string; readonly channel: string },
): Promise<void> {
  const current = contacts.find((row) => row.is_primary && row.channel === channel && row.id !== id);
  if (current !== undefined) await write(context, current.id, { is_primary: false });
}

/** Writes what differs; nothing and no version when nothing does. */
async function write(context: WriteContext, id: string, change: ContactChange): Promise<ContactRow> {
  // Read anew: one call may change a contact twice, as the first choice that it was and as one of the same number.
  const before = await requireContact(context, id);
  const consent = change.consent ?? before.consent;
  const next: ContactRow = {
    ...before,
    ...change.value,
    label: change.label === undefined ? before.label : change.label,
    is_primary: change.is_primary ?? before.is_primary,
    consent,
    consent_changed_at: consent === before.consent ? before.consent_changed_at : context.now.toISOString(),
    validity: change.validity ?? before.validity,
    last_delivered_at:
      change.last_delivered_at === undefined ? before.last_delivered_at : change.last_delivered_at,
  };
  if (JSON.stringify(next) === JSON.stringify(before)) return before;
  await updateContact(context.db, next, context.now);
  const after = await requireContact(context, before.id);
  context.changed('contact', before.id, contactOf(before), contactOf(after));
  return after;
}
