import { z } from 'zod';
import { fail } from '../../../core/errors.ts';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { endSession } from '../../../identity/sessions.ts';
import { selectSession } from '../queries.ts';

export const revokeSession = operation({
  name: 'account_sessions_revoke',
  title: 'Sign out a session',
  summary: 'Sign yourself out in one browser, at once. Done again, it changes nothing.',
  effect: 'write',
  scope: null,
  hints: { idempotent: true },
  input: { id: id('the session') },
  output: z.object({ id: z.string(), ended: z.literal(true) }),
  async run(input, context) {
    const { db, organizationId, caller, now } = context;
    const before =
      (await selectSession(db, organizationId, caller.user.id, input.id)) ??
      fail('not_found', { kind: 'session' });
    await endSession(db, before.id, now);
    if (before.ended_at === null) {
      context.changed('session', before.id, { ended_at: null }, { ended_at: now.toISOString() });
    }
    return { id: before.id, ended: true as const };
  },
});
