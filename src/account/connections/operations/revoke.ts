import { fail } from '../../../core/errors.ts';
import { id } from '../../../core/fields.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { revokeConnection as revoke } from '../../../identity/connections.ts';
import { userToEndFor } from '../../whose.ts';
import { selectConnection } from '../queries.ts';
import { connectionOf } from '../resource.ts';
import { connectionSchema } from '../schema.ts';

export const revokeConnection = operation({
  name: 'account_connections_revoke',
  title: 'Revoke connection',
  summary:
    'End a connection at once: the next call of its client is refused. Done again, it changes nothing.',
  effect: 'write',
  scope: null,
  hints: { idempotent: true },
  input: { id: id('the connection') },
  output: connectionSchema,
  async run(input, context) {
    const before = await requireConnection(context, input.id);
    const isRevoked = await revoke(context.db, before.id, context.caller.user.id, context.now);
    const after = await requireConnection(context, before.id);
    if (isRevoked) {
      context.changed(
        'connection',
        before.id,
        { client_name: before.client_name, person_id: before.user_id, revoked_at: before.revoked_at },
        { client_name: after.client_name, person_id: after.user_id, revoked_at: after.revoked_at },
      );
    }
    return connectionOf(after);
  },
});

async function requireConnection(context: Context, connectionId: string) {
  const { db, organizationId, now } = context;
  const found = await selectConnection(db, organizationId, connectionId, userToEndFor(context), now);
  return found ?? fail('not_found', { kind: 'connection' });
}
