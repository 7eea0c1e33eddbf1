import { z } from 'zod';
import { id } from '../../core/fields.ts';

/** A receivable of finance, as a caller names it. */
export const financeReferenceSchema = z
  .strictObject({ workspace_id: id('the workspace'), receivable_id: id('the receivable') })
  .meta({ id: 'finance_receivable', description: 'An open receivable of finance.' });

export type FinanceReference = z.output<typeof financeReferenceSchema>;
