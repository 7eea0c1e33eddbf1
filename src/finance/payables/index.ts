/** Payables: what the companies owe. Doors for whoever registers bills (`createPayables`) or pays them (`settlePayable`). */

import type { Completion, PromptDefinition, ResourceDefinition } from '../../core/surfaces.ts';
import { suggestDebtIds } from '../debt-records/index.ts';
import { approvePayable } from './operations/approve.ts';
import { updatePayables } from './operations/bulk-update.ts';
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
import { payableKind } from './resource.ts';

export { amountDueOf, openCentsOf, type SettlementRow } from '../debt-records/index.ts';
export { isStillOpen } from '../debts/index.ts';
export { cancelPayable, requireCancelable } from './cancel.ts';
export { createPayables, type PayableDraft } from './create.ts';
export { requireNoLiveOrder } from './orders.ts';
export {
  barcodeOf,
  boundAmountOf,
  type PaymentDetails,
  paymentDetailsArgument,
  readPaymentDetails,
  requireRepeatable,
  shownPaymentDetails,
} from './payment-details.ts';
export { type PayableRow, payableKind, payableOf, recordedPayable, requirePayable } from './resource.ts';
export { type SettlementDraft, settlePayable } from './settle.ts';
export { changePayable } from './update.ts';

export const payableCompletion: Completion = {
  kind: 'records',
  operation: 'finance_payables_list',
  suggest: suggestDebtIds(payableKind),
};

export const operations = [
  listPayables,
  getPayable,
  createPayable,
  updatePayable,
  updatePayables,
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
