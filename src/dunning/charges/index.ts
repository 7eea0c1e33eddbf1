/** What debtors owe. Doors for whoever reads, holds, agrees on, disputes or collects charges. */

import type { Completion, ResourceDefinition } from '../../core/surfaces.ts';
import { suggestChargeIds } from './list.ts';
import { archiveCharge } from './operations/archive.ts';
import { getChargeBalance } from './operations/balance.ts';
import { archiveCharges } from './operations/bulk-archive.ts';
import { cancelCharges } from './operations/bulk-cancel.ts';
import { createCharges } from './operations/bulk-create.ts';
import { updateCharges } from './operations/bulk-update.ts';
import { cancelCharge } from './operations/cancel.ts';
import { createCharge } from './operations/create.ts';
import { getCharge } from './operations/get.ts';
import { listCharges } from './operations/list.ts';
import { pauseCharge } from './operations/pause.ts';
import { getPaymentOptions } from './operations/payment-options.ts';
import { resumeCharge } from './operations/resume.ts';
import { getChargeTimeline } from './operations/timeline.ts';
import { updateCharge } from './operations/update.ts';

export { closeByAgreement, enterAgreement, leaveAgreement } from './agreement.ts';
export { amountDueSql } from './amount-sql.ts';
export { amountsOf, amountsOfMany, type History, historiesOf } from './amounts.ts';
export {
  abateCharge,
  cancelCharge,
  closeCharge,
  freeLegal,
  type LegalKind,
  requireCancelable,
  setDisputed,
  takeLegal,
  withRuleState,
} from './decisions.ts';
export { amountedOf } from './detail.ts';
export { type Amounted, amountsSchema } from './detail-schema.ts';
export { type Hold, holdCharges, holdsOf, releaseCharges } from './holds.ts';
export { jobs } from './jobs.ts';
export type { PaymentRow } from './ledger-queries.ts';
export { chargeFilter, type GivenFilter, selectChargeIds } from './list.ts';
export { paymentOf, paymentsOfCharge } from './payment-resource.ts';
export {
  type Payment,
  type PaymentMethod,
  type PaymentSource,
  paymentKinds,
  paymentMethods,
  paymentSchema,
  paymentStatuses,
} from './payment-schema.ts';
export { prompts } from './prompts.ts';
export type { ChargeRow } from './queries.ts';
export {
  type Entry,
  inOrder,
  laterOf,
  type Owed,
  owedOn,
  type Replay,
  replayOf,
  type StoredTerms,
  type Ways,
} from './reckoning.ts';
export { replayCharge } from './replay.ts';
export {
  changeCharge,
  chargeFacts,
  chargeItemOf,
  chargeOf,
  codesOf,
  FOLLOW_CHARGE_TASK,
  findCharges,
  follow as followCharge,
  recordedCharge,
  requireCharge,
  requireCharges,
} from './resource.ts';
export {
  dunningStateOf,
  type HoldReason,
  isOverdue,
  isStillOpen,
  recoveredOf,
  requireCollectable,
} from './rules.ts';
export {
  BULK_MAX,
  type Charge,
  type ChargeItem,
  chargeItemSchema,
  chargeSchema,
  chargeStatuses,
  titleKinds,
} from './schema.ts';

export const chargeCompletion: Completion = {
  kind: 'records',
  operation: 'dunning_charges_list',
  suggest: suggestChargeIds,
};

export const operations = [
  listCharges,
  getCharge,
  createCharge,
  updateCharge,
  archiveCharge,
  cancelCharge,
  createCharges,
  updateCharges,
  cancelCharges,
  archiveCharges,
  pauseCharge,
  resumeCharge,
  getChargeBalance,
  getPaymentOptions,
  getChargeTimeline,
];

export const resources: ResourceDefinition[] = [
  {
    uri: 'kobana://dunning/charges/{id}',
    name: 'charge',
    title: 'Charge',
    description: 'One charge of a debtor.',
    mimeType: 'application/json',
    operation: 'dunning_charges_get',
    variable: 'uuid',
    completion: chargeCompletion,
    ttlMs: 0,
  },
];
