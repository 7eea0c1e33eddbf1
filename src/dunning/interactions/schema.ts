import { z } from 'zod';
import { id, instant, text } from '../../core/fields.ts';

export const interactionKinds = ['call', 'message', 'visit', 'note', 'email_reply'] as const;
export const directions = ['inbound', 'outbound', 'internal'] as const;
export const outcomes = [
  'reached',
  'no_answer',
  'left_message',
  'wrong_person',
  'promised',
  'refused',
  'disputed',
  'claims_paid',
  'other',
] as const;

const CHARGES_MAX = 50;
const SUMMARY_MAX = 4_000;

/** What a caller says about an interaction. */
export const interactionArguments = {
  charge_ids: z
    .array(id('the charge'))
    .max(CHARGES_MAX)
    .describe('Charges it was about, all of this debtor.'),
  kind: z.enum(interactionKinds),
  direction: z.enum(directions).describe('Who began it; internal for notes of the team.'),
  outcome: z.enum(outcomes).describe('What came of it.'),
  summary: text(SUMMARY_MAX).describe('What was said.'),
  occurred_at: instant().describe('When; default now.'),
};

export const interactionSchema = z
  .object({
    id: z.string(),
    person_id: z.string(),
    person_name: z.string(),
    charge_ids: z.array(z.string()),
    kind: z.enum(interactionKinds),
    direction: z.enum(directions),
    outcome: z.enum(outcomes),
    summary: z.string(),
    occurred_at: z.string(),
    created_by: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    version: z.int(),
  })
  .meta({ id: 'interaction', description: 'A contact with a debtor, or a note about one.' });

export type Interaction = z.infer<typeof interactionSchema>;
