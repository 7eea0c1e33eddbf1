/** Shapes that several slices of the account share. */

import { z } from 'zod';
import { id, listArguments } from '../core/fields.ts';

/** A workspace, or null where something holds for all of them. */
export const workspaceSummarySchema = z.object({ id: z.string(), name: z.string() }).nullable();

export const personSummarySchema = z.object({ id: z.string(), name: z.string() });

/** The arguments of lists whose rows are not changed once they are there. */
export const pageArguments = { cursor: listArguments.cursor, limit: listArguments.limit };

/** Whose records a list shows. */
export const whoseArgument = z
  .enum(['me', 'everybody'])
  .default('me')
  .describe('Your own, or those of everybody in the organization, which needs the right to see them.');

/** What is over stays in view for who asks for it. */
export const stateArgument = z.enum(['live', 'ended', 'all']).default('live');

const timeZones = new Set(Intl.supportedValuesOf('timeZone'));

export const timeZone = () => {
  const error = 'a time zone by its IANA name, such as "America/Sao_Paulo"';
  return z.string({ error }).refine((value) => timeZones.has(value), { error });
};

/** A workspace, or null for all of them. */
export const workspaceOrAll = () => id('the workspace').nullable();

/** A summary out of two columns of a row. */
export function summaryOf(id: string | null, name: string | null): { id: string; name: string } | null {
  return id === null ? null : { id, name: name ?? '' };
}
