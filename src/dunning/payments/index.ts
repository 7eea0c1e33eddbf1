/** What debtors paid. Doors for whoever records a payment or takes one back. */

import type { PromptDefinition, ResourceDefinition } from '../../core/surfaces.ts';
import { createPayment } from './operations/create.ts';
import { getPayment } from './operations/get.ts';
import { listPayments } from './operations/list.ts';
import { reversePayment } from './operations/reverse.ts';

export { type PaymentRow, paymentOf, paymentsOfCharge } from '../charges/index.ts';
export { type Payer, type PaymentDraft, recordPayment } from './record.ts';
export { requirePayment } from './resource.ts';
export { reversePayment } from './reverse.ts';
export { usedCentsOf } from './rules.ts';

export const operations = [listPayments, getPayment, createPayment, reversePayment];

export const resources: ResourceDefinition[] = [];

export const prompts: PromptDefinition[] = [];
