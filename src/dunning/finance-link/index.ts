/** Charges that stand for receivables of finance. No tools of its own. */

export {
  FOLLOW_RECEIVABLE_TASK,
  followReceivable,
  type LinkedCharge,
  type LinkedPerson,
  linkCharge,
  receivableDraft,
} from './link.ts';
export { type FinanceReference, financeReferenceSchema } from './schema.ts';
