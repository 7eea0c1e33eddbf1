import { z } from 'zod';
import { cleanText } from '../../core/fields.ts';

export const workspaceSchema = z.object({
  id: z.string(),
  name: z.string(),
  time_zone: z.string(),
  created_at: z.string(),
});

export const organizationSchema = z.object({ id: z.string(), name: z.string() });

export const nameArgument = cleanText(80);
