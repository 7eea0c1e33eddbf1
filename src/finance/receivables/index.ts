/** Receivables: what the companies are owed. Doors for whoever registers, settles, reverses or cancels them. */

import type { Completion, PromptDefinition, ResourceDefinition } from '../../core/surfaces.ts';
import { suggestDebtIds } from '../debt-records/index.ts';
import { updateReceivables } from './operations/bulk-update.ts';
import { createReceivable } from './operations/create.ts';
import { deleteReceivable } from './operations/delete.ts';
import { getReceivable } from './operations/get.ts';
import { listReceivables } from './operations/list.ts';
import { settleReceivable } from './operations/settle.ts';
import { unsettleReceivable } from './operations/unsettle.ts';
import { updateReceivable } from './operations/update.ts';
import { writeOffReceivable } from './operations/write-off.ts';
import { overdueReceivables } from './prompts.ts';
import { receivableKind } from './resource.ts';

export { amountDueOf, openCentsOf } from '../debt-records/index.ts';
export { cancelReceivable, requireCancelable } from './cancel.ts';
export { createReceivables, type ReceivableDraft } from './create.ts';
export {
  type ElsewhereReceipt,
  receiptsOf,
  reverseElsewhere,
  settleElsewhere,
} from './recorded-elsewhere.ts';
export {
  type ReceivableRow,
  receivableKind,
  receivableOf,
  recordedReceivable,
  requireReceivable,
} from './resource.ts';
export { receivableSchema } from './schema.ts';
export { type ReceiptDraft, settleReceivable } from './settle.ts';

export const receivableCompletion: Completion = {
  kind: 'records',
  operation: 'finance_receivables_list',
  suggest: suggestDebtIds(receivableKind),
};

export const operations = [
  listReceivables,
  getReceivable,
  createReceivable,
  updateReceivable,
  updateReceivables,
  deleteReceivable,
  writeOffReceivable,
  settleReceivable,
  unsettleReceivable,
];

export const resources: ResourceDefinition[] = [
  {
    uri: 'kobana://finance/receivables/{id}',
    name: 'receivable',
    title: 'Receivable',
    description: 'A receivable.',
    mimeType: 'application/json',
    operation: 'finance_receivables_get',
    variable: 'uuid',
    completion: receivableCompletion,
    ttlMs: 0,
  },
];

export const prompts: PromptDefinition[] = [overdueReceivables];
