/** Why a debtor may not be contacted, and the error that says so. */

import { fail } from '../../core/errors.ts';

/** In the order in which they are looked at: of several, the first is the answer. */
export const blockCodes = [
  // The person.
  'archived',
  'deceased',
  'do_not_contact',
  // The charge.
  'paid',
  'canceled',
  'in_agreement',
  'disputed',
  'promise',
  'legal_hold',
  'paused',
  'not_late_yet',
  // The channel and the contact.
  'channel_off',
  'opted_out',
  'wrong_person',
  'no_contact',
  // The moment; both pass by themselves.
  'window_closed',
  'daily_cap',
] as const;

export type BlockCode = (typeof blockCodes)[number];

/**
 * What the contact is for. `message`: about charges that are due. `task`: somebody of the organization is to act, nothing
 * is sent. `legal`: the prior notice, a report or a protest. `agreement`: a proposal or its installments, which may be
 * about charges that are in an agreement or paused.
 */
export type ContactPurpose = 'message' | 'task' | 'legal' | 'agreement';

export type Clearance =
  | { readonly isCleared: true; readonly contactId: string | null; readonly policyVersion: string }
  | { readonly isCleared: false; readonly code: BlockCode; readonly nextAt: string | null };

/** How many are blocked for each reason, for the preview of an action on many. */
export function countBlocks(clearances: readonly Clearance[]): Partial<Record<BlockCode, number>> {
  const counts: Partial<Record<BlockCode, number>> = {};
  for (const clearance of clearances) {
    if (!clearance.isCleared) counts[clearance.code] = (counts[clearance.code] ?? 0) + 1;
  }
  return counts;
}

/** Throws the error of the block; `chargeId` names the charge where there are several. */
export function failBlocked(code: BlockCode, nextAt: string | null, chargeId: string | null = null): never {
  const which = chargeId === null ? {} : { charge_id: chargeId };
  switch (code) {
    case 'paid':
    case 'canceled':
      return fail('invalid_state', { from: code, allowed: ['pending', 'overdue'], ...which });
    case 'not_late_yet':
      return fail('invalid_state', { from: 'pending', allowed: ['overdue'], ...which });
    case 'in_agreement':
      return fail('charge_in_agreement', which);
    case 'disputed':
      return fail('charge_disputed', which);
    case 'promise':
    case 'legal_hold':
    case 'paused':
      return fail('charge_paused', { reason: code, ...which });
    case 'archived':
    case 'deceased':
    case 'do_not_contact':
    case 'channel_off':
    case 'wrong_person':
      return fail('contact_blocked', { reason: code });
    case 'opted_out':
      return fail('contact_opted_out');
    case 'no_contact':
      return fail('contact_missing');
    case 'window_closed':
      return fail('contact_window_closed', { next: nextAt });
    case 'daily_cap':
      return fail('contact_limit_reached', { next: nextAt });
  }
}
