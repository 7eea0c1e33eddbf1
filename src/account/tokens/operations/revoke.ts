import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { revokeToken as revoke } from '../../../identity/tokens.ts';
import { userToEndFor } from '../../whose.ts';
import { auditOf, requireToken, tokenOf } from '../resource.ts';
import { tokenSchema } from '../schema.ts';

export const revokeToken = operation({
  name: 'account_tokens_revoke',
  title: 'Revoke token',
  summary: 'End a token at once: the next call with it is refused. Done again, it changes nothing.',
  effect: 'write',
  scope: null,
  hints: { idempotent: true },
  input: { id: id('the token') },
  output: tokenSchema,
  async run(input, context) {
    const userId = userToEndFor(context);
    const before = await requireToken(context, input.id, userId);
    await revoke(context.db, before.id, context.now);
    const after = await requireToken(context, before.id, userId);
    if (before.revoked_at === null) context.changed('token', before.id, auditOf(before), auditOf(after));
    return tokenOf(after);
  },
});
