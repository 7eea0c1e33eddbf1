import { z } from 'zod';
import { cleanText } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { notifyIdentityChanged } from '../../../identity/queries.ts';
import { updateUser } from '../queries.ts';
import { userSchema } from '../schema.ts';

export const updateProfile = operation({
  name: 'account_profile_update',
  title: 'Change profile',
  summary: 'Your name, as others see it, and the language of pages and questions.',
  effect: 'write',
  scope: null,
  hints: { idempotent: true },
  input: {
    name: cleanText(120).optional(),
    locale: z.enum(['pt-BR', 'en']).optional(),
  },
  output: userSchema,
  async run(input, { db, caller, changed }) {
    const { id, email, name, locale } = caller.user;
    const after = { name: input.name ?? name, locale: input.locale ?? locale };
    await updateUser(db, id, after);
    await notifyIdentityChanged(db);
    changed('person', id, { name, locale }, after);
    return { id, email, ...after };
  },
});
