/** The message that offers a proposal to the debtor. */

import type { Context } from '../../core/operation.ts';
import { amountsOfMany } from '../charges/index.ts';
import { requireCleared } from '../contact-gate/index.ts';
import { type ContactRow, type PersonRow, requireContact, requirePerson } from '../people/index.ts';
import { settingsOf } from '../settings/index.ts';
import { type MessageView, messageChargeOf, messageCreditorOf, plainMessage } from '../templates/index.ts';
import { type Proposal, requireProposal } from './accepting.ts';
import { requireAgreement } from './resource.ts';

/** Channels with room for a schedule. */
export const proposalChannels = ['email', 'whatsapp', 'letter'] as const;

export interface Offer {
  readonly proposal: Proposal;
  readonly person: PersonRow;
  /** Null for a letter to the address of the debtor. */
  readonly contact: ContactRow | null;
  readonly subject: string;
  readonly body: string;
}

/**
 * The proposal as the debtor is to read it. Fails as `requireProposal` does, and with the error of whatever stands
 * against contacting the debtor on the channel now.
 */
export async function requireOffer(
  context: Context,
  given: { id: string; channel: (typeof proposalChannels)[number]; contact_id?: string | undefined },
): Promise<Offer> {
  const { person_id: personId } = await requireAgreement({ ...context, isWriting: false }, given.id);
  // A debtor is locked before charges.
  const person = await requirePerson(context, personId);
  const proposal = await requireProposal(context, given.id);
  const { contactId } = await requireCleared(context, {
    personId,
    chargeId: null,
    channel: given.channel,
    contactId: given.contact_id ?? null,
    purpose: 'agreement',
  });
  const contact = contactId === null ? null : await requireContact(context, contactId);
  return { proposal, person, contact, ...plainMessage('agreement', await viewOf(context, proposal, person)) };
}

/** What is due on each charge is said as of the day of the proposal, so that it adds up to its total. */
async function viewOf(
  context: Context,
  { agreement, charges, installments }: Proposal,
  person: PersonRow,
): Promise<MessageView> {
  const amounts = await amountsOfMany(context, charges, agreement.as_of);
  return {
    creditor: messageCreditorOf(await settingsOf(context)),
    person: { name: person.name, documentNumber: person.document_number },
    charges: charges.map((row) => messageChargeOf(row, amounts.get(row.id)!)),
    totalDueCents: agreement.original_total_cents,
    agreement: {
      originalTotalCents: agreement.original_total_cents,
      discountCents: agreement.discount_cents,
      negotiatedTotalCents: agreement.negotiated_total_cents,
      installments: installments.map(({ number, due_date: dueDate, amount_cents: amountCents }) => ({
        number,
        dueDate,
        amountCents,
      })),
      validUntil: agreement.valid_until,
    },
    today: context.today,
    language: person.language === 'en' ? 'en' : 'pt-BR',
  };
}
