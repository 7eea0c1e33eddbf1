import { fail } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import type { Context } from '../../core/operation.ts';
import type { ContactRow } from './contact-queries.ts';
import { contactOf, contactsOf } from './contacts.ts';
import type { ListedPersonRow } from './queries.ts';
import { type PersonRow, personOf } from './resource.ts';
import { maskDocument } from './rules.ts';
import type { PersonDetail, PersonItem } from './schema.ts';
import { selectTotals, selectUnfinished } from './totals-queries.ts';

/** A line of a list. */
export function personItemOf(row: ListedPersonRow): PersonItem {
  const { id, name, kind, state, external_id, tags, do_not_contact, deceased, status } = personOf(row);
  return {
    id,
    name,
    kind,
    document_number: maskDocument(row.document_number),
    state,
    external_id,
    tags,
    do_not_contact,
    deceased,
    status,
    open_amount: moneyText(row.open_cents),
    open_count: row.open_count,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** The record with its contacts, what its debts add up to, and what stands against contact. */
export async function personDetailOf(context: Context, row: PersonRow): Promise<PersonDetail> {
  const { db, organizationId, today } = context;
  const contacts = await contactsOf(context, row.id);
  const totals = await selectTotals(db, organizationId, row.id, today);
  return {
    ...personOf(row),
    contacts: contacts.map(contactOf),
    totals: {
      open_amount: moneyText(totals.open_cents),
      open_count: totals.open_count,
      overdue_amount: moneyText(totals.overdue_cents),
      overdue_count: totals.overdue_count,
      in_agreement_amount: moneyText(totals.in_agreement_cents),
      in_agreement_count: totals.in_agreement_count,
      last_payment:
        totals.last_paid_on === null
          ? null
          : { paid_on: totals.last_paid_on, amount: moneyText(totals.last_paid_cents!) },
      live_agreements: totals.live_agreements,
      open_disputes: totals.open_disputes,
      open_promises: totals.open_promises,
      live_legal_actions: totals.live_legal_actions,
    },
    blocks: blocksOf(row, contacts),
  };
}

/** Refuses a debtor with an open charge or a live legal action. */
export async function requireFinished({ db, organizationId }: Context, personId: string): Promise<void> {
  const by = await selectUnfinished(db, organizationId, personId);
  if (by.length > 0) fail('in_use', { by });
}

function blocksOf(row: PersonRow, contacts: readonly ContactRow[]): PersonDetail['blocks'] {
  const blocks: PersonDetail['blocks'] = [];
  const add = (reason: PersonDetail['blocks'][number]['reason'], contactId: string | null = null) =>
    blocks.push({ reason, contact_id: contactId });
  if (row.archived_at !== null) add('archived');
  if (row.deceased) add('deceased');
  if (row.do_not_contact) add('do_not_contact');
  for (const { id, consent, validity } of contacts) {
    if (consent === 'opted_out') add('opted_out', id);
    if (validity === 'bounced' || validity === 'wrong_person') add(validity, id);
  }
  return blocks;
}
