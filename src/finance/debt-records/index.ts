/** The records of payables and receivables and of what settles them: one code for both kinds. No tools of its own. */

export { changeMany } from './bulk.ts';
export { registerDebts } from './create.ts';
export type { DebtItemRow, DebtKind, DebtRow, RowOf, SettlementRow } from './kind.ts';
export { debtPage, filterOf, totalsByPerson } from './list.ts';
export { requireDebtAndAccount, requireDebtInOrder } from './locks.ts';
export { cancelDebt, removeDebt, requireCancelableDebt, requireDeletableDebt } from './remove.ts';
export {
  amountDueOf,
  changeDebt,
  debtFacts,
  detailOf,
  findSettlementByExternalId,
  isEffective,
  itemFieldsOf,
  openCentsOf,
  recordFieldsOf,
  requireDebt,
  settlementFieldsOf,
  settlementsOf,
  suggestDebtIds,
} from './resource.ts';
export {
  requireUndoable,
  reverseDebtSettlement,
  type SettlingDraft,
  settleDebt,
  undoingFacts,
} from './settle.ts';
export { setSettlementCharge, setSettlementEntry } from './settlement-entry.ts';
export { checkChange, editedDebt, requireStillUnique } from './update.ts';
