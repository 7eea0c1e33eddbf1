import { appendEvent } from '../../db/events.ts';
import { createInvitation } from '../../identity/invitations.ts';
import { deletePasskeysOf } from '../../identity/passkey-queries.ts';
import { notifyIdentityChanged, selectUserToEnrol } from '../../identity/queries.ts';
import {
  selectPersonByEmail,
  updatePasswordForgotten,
  updateSessionsEndedOf,
} from '../../identity/sign-in-queries.ts';
import { readFlags } from '../command.ts';
import { type Config, UsageError } from '../config.ts';
import { openHouse } from '../house.ts';
import type { Runtime } from '../runtime.ts';
import { consoleUrlOf } from './console-url.ts';
import { commandLineEvent } from './owner.ts';

const USAGE = 'usage: kobana person reset --email EMAIL [--remove-passkeys] [--json]';

/** Makes a person choose another password, and prints the link for it, once. */
export async function person(words: readonly string[], config: Config): Promise<void> {
  const { positionals, flags } = readFlags(words, {
    email: { type: 'string' },
    'remove-passkeys': { type: 'boolean' },
    json: { type: 'boolean' },
  });
  const email = flags.text('email');
  if (positionals.join(' ') !== 'reset' || email === undefined) throw new UsageError(USAGE);
  const house = await openHouse(config);
  try {
    const link = await resetPerson(house.runtime, email, flags.has('remove-passkeys'));
    const url = link === null ? null : consoleUrlOf(config, link.path);
    const expiresAt = link?.expiresAt.toISOString() ?? null;
    if (flags.has('json')) console.log(JSON.stringify({ url, expires_at: expiresAt }));
    else if (url === null)
      console.log('The person is in no organization; the next invitation lets them choose a password.');
    else
      console.log(
        `${url}\nOpens once, until ${expiresAt}: there the person chooses a password. They are signed out until then.`,
      );
  } finally {
    await house.close();
  }
}

/**
 * The password is worth nothing from now on and every session is over; passkeys stay unless they are to go too, for one
 * may be in the wrong hands. Null for somebody who is in no organization, whose account is as new from now on. Fails with
 * a usage error when nobody has the address.
 */
export async function resetPerson(
  runtime: Runtime,
  email: string,
  removesPasskeys: boolean,
): Promise<{ path: string; expiresAt: Date } | null> {
  const now = runtime.now();
  const { shared } = runtime.database;
  const address = email.trim().toLowerCase();
  const found = await selectPersonByEmail(shared, address);
  if (found === undefined) {
    const known = await selectUserToEnrol(shared, address, '');
    if (known === undefined) throw new UsageError('nobody has this e-mail address');
    await updatePasswordForgotten(shared, known.id);
    await deletePasskeysOf(shared, known.id);
    return null;
  }
  const { id: userId, organization_id: organizationId } = found;
  return runtime.database.write({ organizationId, workspaceId: null }, async (db) => {
    await updatePasswordForgotten(db, userId);
    await updateSessionsEndedOf(db, userId, now);
    if (removesPasskeys) await deletePasskeysOf(db, userId);
    const link = await createInvitation(db, { userId, organizationId, invitedBy: null }, now);
    const after = { password: 'to be chosen', ...(removesPasskeys && { passkeys: 'removed' }) };
    await appendEvent(
      db,
      organizationId,
      commandLineEvent('person_reset', [{ kind: 'person', id: userId, before: null, after }], now),
    );
    await notifyIdentityChanged(db);
    return { path: link.path, expiresAt: link.expiresAt };
  });
}
