/** Payables: what the companies owe. Doors for whoever registers bills (`createPayables`) or pays them (`settlePayable`). */

import type { Completion, PromptDefinition, ResourceDefinition } from '../../core/surfaces.ts';
import { approvePayable } from './operations/approve.ts';
import { cancelPayable } from './operations/cancel.ts';
import { createPayable } from './operations/create.ts';
import { deletePayable } from './operations/delete.ts';
import { getPayable } from './operations/get.ts';
import { listPayables } from './operations/list.ts';
import { rejectPayable } from './operations/reject.ts';
import { settlePayable } from './operations/settle.ts';
import { unsettlePayable } from './operations/unsettle.ts';
import { updatePayable } from './operations/update.ts';
import { overduePayables } from './prompts.ts';
import { suggestPayableIds } from './resource.ts';

export { createPayables, type PayableDraft } from './create.ts';
export {
  barcodeOf,
  boundAmountOf,
  type PaymentDetails,
  paymentDetailsArgument,
  readPaymentDetails,
  shownPaymentDetails,
} from './payment-details.ts';
export type { PayableRow } from './queries.ts';
export { amountDueOf, openCentsOf, payableOf, recordedPayable, requirePayable } from './resource.ts';
export { approvalRulesOf, isOverdue, isStillOpen } from './rules.ts';
export { type SettlementDraft, settlePayable } from './settle.ts';
export type { SettlementRow } from './settlement-queries.ts';

export const payableCompletion: Completion = {
  kind: 'records',
  operation: 'finance_payables_list',
  suggest: suggestPayableIds,
};

export const operations = [
  listPayables,
  getPayable,
  createPayable,
  updatePayable,
  deletePayable,
  cancelPayable,
  approvePayable,
  rejectPayable,
  settlePayable,
  unsettlePayable,
];

export const resources: ResourceDefinition[] = [
  {
    uri: 'kobana://finance/payables/{id}',
    name: 'payable',
    title: 'Payable',
    description: 'A payable.',
    mimeType: 'application/json',
    operation: 'finance_payables_get',
    variable: 'uuid',
    completion: payableCompletion,
    ttlMs: 0,
  },
];

export const prompts: PromptDefinition[] = [overduePayables];
