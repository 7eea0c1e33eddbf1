/** Arguments that registering and changing a charge take, and the draft they describe. */

import { z } from 'zod';
import type { Terms } from '../../core/accruals.ts';
import type { CivilDate } from '../../core/dates.ts';
import { failArgument } from '../../core/errors.ts';
import { date, id, money } from '../../core/fields.ts';
import type { Cents } from '../../core/money.ts';
import type { InputOf } from '../../core/operation.ts';
import { chargesArgument, termsOf } from '../../finance/debts/index.ts';
import { cleanText } from '../../finance/schema.ts';
import { type FinanceReference, financeReferenceSchema } from '../finance-link/index.ts';
import { paymentCodesArgument, readCodes, type StoredCodes } from './payment-codes.ts';
import { DUE_YEAR_MAX, DUE_YEAR_MIN } from './rules.ts';
import { BULK_MAX, titleKinds } from './schema.ts';

const TAGS_MAX = 20;

const dueDateError = `a date as YYYY-MM-DD, from ${DUE_YEAR_MIN} to ${DUE_YEAR_MAX}`;

const dueDate = () =>
  date().refine(
    (value) => Number(value.slice(0, 4)) >= DUE_YEAR_MIN && Number(value.slice(0, 4)) <= DUE_YEAR_MAX,
    {
      error: dueDateError,
    },
  );

const tagsArgument = z
  .array(cleanText(40), { error: `a list of at most ${TAGS_MAX} words` })
  .max(TAGS_MAX, { error: `at most ${TAGS_MAX}` })
  .transform((words) => [...new Set(words)]);

const shared = {
  document_number: cleanText(60).describe('Number on the invoice or contract.'),
  title_kind: z.enum(titleKinds).describe('Kind of title, as boletos and notaries name it.'),
  terms: chargesArgument,
  payment_options: paymentCodesArgument,
  external_id: cleanText(100).describe('Your own id, unique here.'),
  tags: tagsArgument.describe('Replaces all.'),
};

/** What a new charge is made of. */
export const newChargeArguments = {
  person_id: id('the debtor').optional(),
  amount: money().optional(),
  due_date: dueDate().optional(),
  description: cleanText(300).optional().describe('What is owed for.'),
  document_number: shared.document_number.optional(),
  title_kind: shared.title_kind.optional(),
  terms: shared.terms.optional().describe('Default: those of the settings.'),
  payment_options: shared.payment_options.optional(),
  external_id: shared.external_id.optional(),
  tags: shared.tags.optional(),
  finance_receivable: financeReferenceSchema
    .optional()
    .describe('Instead of debtor, amount, date and description: all of it from finance.'),
};

/** What may change of a charge; null takes away what need not be there. */
export const changeArguments = {
  due_date: dueDate().optional(),
  description: cleanText(300).optional().describe('What is owed for.'),
  document_number: shared.document_number.nullable().optional(),
  title_kind: shared.title_kind.nullable().optional(),
  terms: shared.terms.nullable().optional().describe('Fine, interest and discounts, all of them anew.'),
  payment_options: shared.payment_options.optional(),
  external_id: shared.external_id.nullable().optional(),
  tags: shared.tags.optional(),
};

/** What may change of many at once. */
export const bulkChangeArguments = {
  tags: changeArguments.tags,
  terms: changeArguments.terms,
  payment_options: changeArguments.payment_options,
};

/** Ids of one bulk call. */
export const idsArgument = z
  .array(id('the charge'), { error: `a list of 1 to ${BULK_MAX} ids` })
  .min(1, { error: 'at least one id' })
  .max(BULK_MAX, { error: `at most ${BULK_MAX} ids` });

export type NewChargeInput = InputOf<typeof newChargeArguments>;
export type ChargeChanges = InputOf<typeof changeArguments>;

/** A charge to be: checked for form, not yet against the records. */
export interface ChargeDraft {
  readonly personId: string;
  readonly amountCents: Cents;
  readonly dueDate: CivilDate;
  readonly description: string;
  readonly documentNumber?: string | null | undefined;
  readonly titleKind?: string | null | undefined;
  /** Undefined: those of the settings. */
  readonly terms?: Terms | null | undefined;
  readonly codes?: StoredCodes | undefined;
  readonly externalId?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly receivable?: FinanceReference | undefined;
  readonly source?: 'api' | 'finance' | 'import' | undefined;
}

/** What the arguments add to a charge, wherever debtor and amount come from. */
export function extrasOf(given: NewChargeInput, today: CivilDate): Partial<ChargeDraft> {
  return {
    ...(given.title_kind !== undefined && { titleKind: given.title_kind }),
    ...(given.terms !== undefined && { terms: termsOf(given.terms) }),
    ...(given.payment_options !== undefined && { codes: readCodes(given.payment_options, today) }),
    ...(given.external_id !== undefined && { externalId: given.external_id }),
    ...(given.tags !== undefined && { tags: given.tags }),
  };
}

/** The draft that the arguments describe. Fails with `invalid_argument` for what is missing. */
export function draftOf(given: NewChargeInput, today: CivilDate): ChargeDraft {
  return {
    personId: given.person_id ?? failArgument('person_id', 'the id of the debtor, a UUID'),
    amountCents: given.amount ?? failArgument('amount', 'an amount in reais, such as "1234.56"'),
    dueDate: given.due_date ?? failArgument('due_date', dueDateError),
    description: given.description ?? failArgument('description', 'text of 1 to 300 characters'),
    documentNumber: given.document_number,
    ...extrasOf(given, today),
  };
}
