/** What a change of a contact comes to, as values. */

import { fail } from '../../core/errors.ts';
import type { Channel } from '../contact-law/index.ts';
import type { Contact } from './contact-schema.ts';
import { type ContactChange, type ContactRow, requireContactValue } from './contacts.ts';

export interface GivenChange {
  readonly value?: string | undefined;
  readonly label?: string | null | undefined;
  readonly is_primary?: boolean | undefined;
  readonly consent?: Contact['consent'] | undefined;
  readonly validity?: 'unknown' | 'valid' | 'wrong_person' | undefined;
}

/**
 * The change as it is written. Another mailbox or number starts with what is known of it, nothing as a rule. Fails with
 * `invalid_contact`, `duplicate`, and `invalid_state` where a refusal would be lost: it ends by consent only.
 */
export function changeOf(
  row: ContactRow,
  contacts: readonly ContactRow[],
  given: GivenChange,
): ContactChange {
  const { value: text, ...others } = given;
  const value = text === undefined ? undefined : requireContactValue(row.channel as Channel, text, 'value');
  if (value === undefined || value.identity === row.identity) {
    if (row.consent === 'opted_out' && given.consent === 'unknown')
      fail('invalid_state', { from: 'opted_out', allowed: ['given'] });
    return { ...others, value };
  }
  requireNothingRefused(row);
  const alike = contacts.filter(({ id, identity }) => id !== row.id && identity === value.identity);
  const same = alike.find(({ channel }) => channel === row.channel);
  if (same !== undefined) fail('duplicate', { of: same.id });
  const isWrong = alike.some(({ validity }) => validity === 'wrong_person');
  return {
    ...others,
    value,
    consent: given.consent ?? alike[0]?.consent ?? 'unknown',
    validity: isWrong ? 'wrong_person' : (given.validity ?? 'unknown'),
    last_delivered_at: null,
  };
}

/** The record of a refusal is what keeps the mailbox or number from being used again. */
export function requireNothingRefused({ consent, validity }: ContactRow): void {
  const from = consent === 'opted_out' ? 'opted_out' : validity === 'wrong_person' ? 'wrong_person' : null;
  if (from !== null) fail('invalid_state', { from, allowed: ['unknown', 'given'] });
}
