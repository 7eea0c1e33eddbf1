import { z } from 'zod';
import type { Caller } from '../../../core/caller.ts';
import { fail, failArgument } from '../../../core/errors.ts';
import { cleanText } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { createToken as create, MAKES_PROGRAMS } from '../../../identity/tokens.ts';
import { workspaceOrAll } from '../../schema.ts';
import { auditOf, requireToken, tokenOf } from '../resource.ts';
import { tokenSchema } from '../schema.ts';

const DAYS_MAX = 366;
const DAY_MS = 86_400_000;
const daysError = `a whole number of days from 1 to ${DAYS_MAX}`;

export const createToken = operation({
  name: 'account_tokens_create',
  title: 'Create token',
  summary: 'Make a token of your own for one product. It is shown once.',
  effect: 'write',
  scope: null,
  needsFreshSession: true,
  onceOnly: ['token'],
  input: {
    name: cleanText(80).describe('What it is for.'),
    product: z.enum(['finance', 'dunning']),
    access: z.enum(['read', 'write']).default('read'),
    workspace_id: workspaceOrAll()
      .default(null)
      .describe('Finance: the only workspace it reaches; null: all of yours.'),
    expires_in_days: z
      .int({ error: daysError })
      .min(1, { error: daysError })
      .max(DAYS_MAX, { error: daysError })
      .default(90),
    is_for_programs: z
      .boolean()
      .default(false)
      .describe('A program holds it: over REST, destructive operations run without a question.'),
  },
  output: tokenSchema.extend({ token: z.string().nullable() }),
  async run(input, context) {
    const { db, caller, organizationId, now, scopes } = context;
    requireReached(caller, input.product, input.workspace_id);
    if (input.is_for_programs) {
      // Acting without a question is for who answers for everybody's connections.
      if (input.access === 'read') failArgument('access', '"write" for a token that acts without a question');
      if (!scopes.has(MAKES_PROGRAMS)) fail('forbidden', { required: [MAKES_PROGRAMS] });
    }
    const { id, token } = await create(db, {
      userId: caller.user.id,
      organizationId,
      product: input.product,
      access: input.access,
      workspaceId: input.workspace_id,
      expiresAt: new Date(now.getTime() + input.expires_in_days * DAY_MS),
      name: input.name,
      isForPrograms: input.is_for_programs,
    });
    const row = await requireToken(context, id, caller.user.id);
    context.changed('token', id, null, auditOf(row));
    return { ...tokenOf(row), token };
  },
});

/** A workspace that the person does not reach is none. */
function requireReached(caller: Caller, product: 'finance' | 'dunning', workspaceId: string | null): void {
  if (workspaceId === null) return;
  if (product === 'dunning') failArgument('workspace_id', 'null: dunning belongs to the whole organization');
  if (!caller.workspaces.has(workspaceId)) failArgument('workspace_id', 'a workspace that you reach');
}
