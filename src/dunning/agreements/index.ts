/** Agreements: proposals, their installments, what becomes of them. */

import type { Completion, PromptDefinition, ResourceDefinition } from '../../core/surfaces.ts';
import { acceptAgreement } from './operations/accept.ts';
import { cancelAgreement } from './operations/cancel.ts';
import { createAgreement } from './operations/create.ts';
import { getAgreement } from './operations/get.ts';
import { listAgreementInstallments } from './operations/installments-list.ts';
import { listAgreements } from './operations/list.ts';
import { rejectAgreement } from './operations/reject.ts';
import { sendAgreement } from './operations/send.ts';
import { simulateAgreement } from './operations/simulate.ts';
import { updateAgreement } from './operations/update.ts';
import { suggestAgreementIds } from './resource.ts';

export { type Credit, creditsOf, creditsOfCompletion, type Debt, type Receipt } from './credits.ts';
export { dueOf, installmentsOfPlan, partsOf, type Share, spreadDiscount } from './figures.ts';
export { jobs } from './jobs.ts';
export type { InstallmentRow } from './part-queries.ts';
export { type PaidInstallment, payInstallment, unpayInstallment } from './paying.ts';
export type { AgreementRow } from './queries.ts';
export {
  agreementDetail,
  agreementOf,
  installmentOf,
  installmentsOf,
  requireAgreement,
  requireInstallment,
} from './resource.ts';
export { type AgreementView, agreementSchema } from './schema.ts';

export const agreementCompletion: Completion = {
  kind: 'records',
  operation: 'dunning_agreements_list',
  suggest: suggestAgreementIds,
};

export const operations = [
  listAgreements,
  getAgreement,
  simulateAgreement,
  createAgreement,
  updateAgreement,
  sendAgreement,
  acceptAgreement,
  rejectAgreement,
  cancelAgreement,
  listAgreementInstallments,
];

export const resources: ResourceDefinition[] = [
  {
    uri: 'kobana://dunning/agreements/{id}',
    name: 'agreement',
    title: 'Agreement',
    description: 'An agreement with its charges and installments.',
    mimeType: 'application/json',
    operation: 'dunning_agreements_get',
    variable: 'uuid',
    completion: agreementCompletion,
    ttlMs: 0,
  },
];

export const prompts: PromptDefinition[] = [];
