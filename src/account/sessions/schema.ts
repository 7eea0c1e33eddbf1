import { z } from 'zod';

export const sessionSchema = z.object({
  id: z.string(),
  is_this_one: z.boolean(),
  user_agent: z.string().describe('What the browser calls itself.'),
  verified_with: z.enum(['password', 'passkey']),
  created_at: z.string(),
  last_seen_at: z.string(),
  expires_at: z.string(),
});
