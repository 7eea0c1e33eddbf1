/** The filter that the list and the summary share. */

import { z } from 'zod';
import { id, moneyOrZero, text } from '../../core/fields.ts';
import type { Context } from '../../core/operation.ts';
import { planSearch, type Search } from '../../db/search.ts';
import { directions } from './schema.ts';

export const filterArguments = {
  account_id: id('the financial account').optional(),
  company_id: id('the company whose accounts they are of').optional(),
  direction: z.enum(directions).optional().describe('Money in (credit) or out (debit).'),
  reconciled: z.boolean().optional().describe('With all of the amount reconciled.'),
  classified: z.boolean().optional().describe('With a category.'),
  category_id: id('the category').optional(),
  person_id: id('the person').optional(),
  amount_abs_from: moneyOrZero().optional().describe('Whatever the direction.'),
  amount_abs_to: moneyOrZero().optional().describe('Whatever the direction.'),
  search: text(100).optional().describe('Description, notes, counterparty, or document number.'),
};

/** The filter with its search planned. Fails with `invalid_argument` for too short a text. */
export async function withSearch<Given extends { search?: string | undefined }>(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  { search, ...given }: Given,
): Promise<Omit<Given, 'search'> & { search?: Search }> {
  if (search === undefined) return given;
  return { ...given, search: await planSearch(db, workspaceId, 't', search) };
}
