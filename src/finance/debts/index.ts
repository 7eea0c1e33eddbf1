/** What payables and receivables have in common, as values: terms, parts, installments, states. No tools, no tables. */

export {
  bulkArguments,
  changeArguments,
  type DebtChanges,
  type DebtWords,
  draftOf,
  filterArguments,
  newArguments,
  settlementArguments,
} from './arguments.ts';
export { chargesArgument, chargesOf, chargesSchema, termsOf } from './charges.ts';
export { installmentsOf } from './installments.ts';
export {
  amountsOf,
  baseOf,
  bookDatesOf,
  competenceMonthOf,
  type DebtColumnsEdited,
  differs,
  distinct,
  groupsOf,
  isOverdue,
  isStillOpen,
  type Paid,
  requireActive,
  requireStatus,
  type StatedParts,
  settlementParts,
  statusAfterSettlement,
  type Touched,
  touchedBy,
  withheldCentsOf,
} from './rules.ts';
export {
  bulkSchema,
  type CostCenterShare,
  type DebtDraft,
  type DetailFields,
  debtSorts,
  detailFields,
  type ItemFields,
  itemFields,
  type RecordFields,
  recordFields,
  type SettlementFields,
  type SettlementMethod,
  settlementFields,
  totalOpenSchema,
  type Withholding,
} from './schema.ts';
