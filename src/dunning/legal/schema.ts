import { z } from 'zod';

export const legalKinds = ['negativation', 'protest'] as const;
export type LegalKind = (typeof legalKinds)[number];

export const legalCommands = ['register', 'remove', 'send', 'withdraw', 'authorize_cancellation'] as const;
export type LegalCommand = (typeof legalCommands)[number];

/** What is asked against a debtor; the others take it back. */
export const commandsAgainst: readonly LegalCommand[] = ['register', 'send'];

/** Titles that notary offices protest, by the code of the trade; by indication: the data of the title alone. */
export const titleKinds = {
  DM: { name: 'duplicate of goods', isByIndication: false },
  DMI: { name: 'duplicate of goods by indication', isByIndication: true },
  DS: { name: 'duplicate of services', isByIndication: false },
  DSI: { name: 'duplicate of services by indication', isByIndication: true },
  DR: { name: 'rural duplicate', isByIndication: false },
  DRI: { name: 'rural duplicate by indication', isByIndication: true },
  CH: { name: 'cheque', isByIndication: false },
  NP: { name: 'promissory note', isByIndication: false },
  LC: { name: 'bill of exchange', isByIndication: false },
  CCB: { name: 'bank credit note', isByIndication: false },
  CCC: { name: 'commercial credit note', isByIndication: false },
  CTR: { name: 'contract', isByIndication: false },
} as const satisfies Record<string, { name: string; isByIndication: boolean }>;

export type TitleKind = keyof typeof titleKinds;

export const titleKindCodes = Object.keys(titleKinds) as [TitleKind, ...TitleKind[]];

/** Every rule that a report or a protest has to keep, with the sentence that says when it is met. */
export const legalRules = {
  not_paid: 'The charge is not paid.',
  not_canceled: 'The charge is not canceled.',
  not_in_agreement: 'The charge is in no agreement.',
  not_disputed: 'The charge is not disputed.',
  no_payment_claim: 'Nobody says, unanswered, that it was paid already.',
  not_paused: 'Collection of the charge is not paused.',
  not_archived: 'Neither the charge nor the debtor is archived.',
  not_deceased: 'The debtor is not marked as deceased.',
  document_valid: 'The debtor has a valid CPF or CNPJ of the right kind.',
  address_complete: 'The address of the debtor has street, city, state and postal code.',
  notice_possible: 'There is a way to give prior notice: a complete address, or a usable contact.',
  creditor_known: 'The settings name the creditor with its CNPJ or CPF.',
  minimum_amount: 'The amount due reaches the minimum of the settings.',
  days_overdue: 'The charge is overdue for as long as the settings ask.',
  within_five_years: 'The debt is no more than five calendar years past its due date.',
  no_other_action: 'There is no other live report or protest of the charge.',
  amount_still_owed: 'What is owed still reaches the amount asked for.',
  title_protestable: 'The title is of a kind that notary offices protest.',
  proof_of_debt: 'There is a document that proves the debt, or the title goes by indication.',
} as const;

export type LegalRule = keyof typeof legalRules;

export const legalCheckSchema = z
  .object({
    code: z.enum(Object.keys(legalRules) as [LegalRule, ...LegalRule[]]),
    is_met: z.boolean(),
    meaning: z.string(),
  })
  .meta({ id: 'legal_check', description: 'One rule and whether it is met.' });

export type LegalCheck = z.infer<typeof legalCheckSchema>;

export const legalEventSchema = z
  .object({
    id: z.string(),
    at: z.string(),
    event: z.string().describe('What happened, as a code.'),
    is_from_office: z.boolean().describe('Told by the bureau or the notary office.'),
    details: z.record(z.string(), z.unknown()).describe('Texts in it come from outside.'),
  })
  .meta({ id: 'legal_event', description: 'Something that happened to a report or a protest.' });

export type LegalEvent = z.infer<typeof legalEventSchema>;
