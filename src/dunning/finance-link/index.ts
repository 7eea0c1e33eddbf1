/** Charges that stand for receivables of finance. No tools of its own. */

export {
  FOLLOW_RECEIVABLE_TASK,
  followReceivable,
  linkCharge,
  receivableDraft,
} from './link.ts';
export { type FinanceReference, financeReferenceSchema } from './schema.ts';
