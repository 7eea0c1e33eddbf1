/** Boletos and Pix codes issued for receivables; `applyReceipt` serves whoever learns that one was paid. */

import type { ResourceDefinition } from '../../core/surfaces.ts';
import { chargeReceivables } from './operations/bulk-charge.ts';
import { cancelCharge } from './operations/cancel.ts';
import { chargeReceivable } from './operations/charge.ts';
import { getCharge } from './operations/get.ts';
import { listCharges } from './operations/list.ts';
import { cancelReceivable } from './operations/receivables-cancel.ts';
import { resendCharge } from './operations/resend.ts';

export { jobs } from './jobs.ts';
export { applyReceipt, type Receipt, type ReceiptOutcome } from './receipts.ts';
export { ourNumberOf } from './rules.ts';

export const operations = [
  cancelReceivable,
  chargeReceivable,
  chargeReceivables,
  listCharges,
  getCharge,
  cancelCharge,
  resendCharge,
];

export const resources: ResourceDefinition[] = [];
