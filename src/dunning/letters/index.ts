/** Letters on the creditor's paper: statements, settlements, agreements, consents. */

import type { PromptDefinition, ResourceDefinition } from '../../core/surfaces.ts';
import { agreementCompletion } from '../agreements/index.ts';
import { chargeCompletion } from '../charges/index.ts';
import { personCompletion } from '../people/index.ts';
import { agreementPdf } from './agreement-term.ts';
import { fileOf } from './files.ts';
import { agreementTermOf, settlementOf, statementOf } from './gather.ts';
import { termOfAgreement } from './operations/agreements-pdf.ts';
import { settlementOfCharge } from './operations/charges-settlement-pdf.ts';
import { statementOfPerson } from './operations/people-statement-pdf.ts';
import { consentToCancel } from './operations/protests-consent-pdf.ts';
import { settlementPdf } from './settlement.ts';
import { statementPdf } from './statement.ts';

export const operations = [statementOfPerson, settlementOfCharge, termOfAgreement, consentToCancel];

export const resources: ResourceDefinition[] = [
  {
    uri: 'kobana://dunning/people/{id}/statement-pdf',
    name: 'person_statement',
    title: 'Statement of a debtor',
    description: "The debtor's statement of account as of today.",
    mimeType: 'application/pdf',
    operation: 'dunning_people_statement_pdf',
    variable: 'uuid',
    completion: personCompletion,
    file: fileOf(async (context, id) => statementPdf(await statementOf(context, id, context.today))),
    ttlMs: 0,
  },
  {
    uri: 'kobana://dunning/charges/{id}/settlement-pdf',
    name: 'charge_settlement',
    title: 'Settlement letter',
    description: 'The settlement letter of a paid charge.',
    mimeType: 'application/pdf',
    operation: 'dunning_charges_settlement_pdf',
    variable: 'uuid',
    completion: chargeCompletion,
    file: fileOf(async (context, id) => settlementPdf(await settlementOf(context, id))),
    ttlMs: 0,
  },
  {
    uri: 'kobana://dunning/agreements/{id}/pdf',
    name: 'agreement_term',
    title: 'Term of an agreement',
    description: 'The term of an agreement, or the proposal as long as it is not accepted.',
    mimeType: 'application/pdf',
    operation: 'dunning_agreements_pdf',
    variable: 'uuid',
    completion: agreementCompletion,
    file: fileOf(async (context, id) => agreementPdf(await agreementTermOf(context, id))),
    ttlMs: 0,
  },
];

export const prompts: PromptDefinition[] = [];
