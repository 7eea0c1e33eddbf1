import { z } from 'zod';
import { moneyOut } from '../../core/fields.ts';
import { chargesSchema } from '../../finance/debts/index.ts';

export const chargeStatuses = ['pending', 'overdue', 'in_agreement', 'paid', 'canceled'] as const;
export const dunningStates = ['none', 'active', 'paused', 'completed'] as const;
export const chargeSorts = [
  'due_date',
  '-due_date',
  'amount',
  '-amount',
  'created_at',
  '-created_at',
] as const;

/** Kinds of titles as boletos and notaries know them, the commonest of them. */
export const titleKinds = [
  'DM',
  'DMI',
  'DS',
  'DSI',
  'DR',
  'DRI',
  'CH',
  'NP',
  'LC',
  'CCB',
  'CCC',
  'CTR',
  'FAT',
  'ND',
  'RC',
  'OUT',
] as const;

/** Records of one bulk call. */
export const BULK_MAX = 200;

const personOut = z.object({ id: z.string(), name: z.string() }).describe('The debtor.');

/** What does not move with the day: what a change of the record is. */
const settled = {
  id: z.string(),
  person: personOut,
  description: z.string(),
  document_number: z.string().nullable(),
  amount: moneyOut().describe('Face value.'),
  open_principal: moneyOut().describe('Face value less abatement and what was paid of it.'),
  due_date: z.string(),
  status: z.enum(chargeStatuses),
  dunning_state: z.enum(dunningStates).describe('Of its collection rule.'),
  paused_reason: z.string().nullable(),
  disputed: z.boolean(),
  legal_action: z.enum(['negativation', 'protest']).nullable().describe('The live one.'),
  collection_rule_id: z.string().nullable(),
  agreement_id: z.string().nullable(),
  tags: z.array(z.string()),
  archived: z.boolean(),
  external_id: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
};

const ofToday = {
  amount_due: moneyOut().describe('What paying it off today takes: fine, interest and discount included.'),
  days_overdue: z.int().describe('0 up to the adjusted due date.'),
};

export const chargeItemSchema = z
  .object({ ...settled, ...ofToday })
  .meta({ id: 'charge_item', description: 'A charge as lists show it.' });

export type ChargeItem = z.input<typeof chargeItemSchema>;

export const paymentCodesOut = z
  .object({
    barcode: z.string().nullable(),
    typed_line: z.string().nullable(),
    pix_code: z.string().nullable(),
    link: z.string().nullable(),
  })
  .describe('How the debtor can pay.');

const record = {
  adjusted_due_date: z
    .string()
    .describe('The due date or the next business day; overdue from the day after.'),
  title_kind: z.string().nullable(),
  abatement: moneyOut(),
  terms: chargesSchema.nullable(),
  payment_options: paymentCodesOut,
  paid_on: z.string().nullable(),
  canceled_reason: z.string().nullable(),
  rule_started_at: z.string().nullable().describe('Steps before this moment never run.'),
  rule_cycle: z.int(),
  archived_at: z.string().nullable(),
  source: z.enum(['api', 'finance', 'import']),
  finance_receivable: z.object({ workspace_id: z.string(), receivable_id: z.string() }).nullable(),
  created_by: z.string(),
  version: z.int(),
};

/** The record as changes of it are kept. */
export type RecordedCharge = z.input<z.ZodObject<typeof settled & typeof record>>;

export const chargeSchema = z
  .object({ ...settled, ...ofToday, ...record })
  .meta({ id: 'charge', description: 'What a debtor owes.' });

export type Charge = z.input<typeof chargeSchema>;

export const totalOpenSchema = z
  .object({ amount: moneyOut(), count: z.int() })
  .describe('Open principal and number of open charges in the whole filter.');

const warnings = z
  .array(z.string())
  .describe('What deserves a second look: interest_above_one_percent_a_month.');

/** What registering answers. */
export const createdSchema = chargeSchema.extend({
  warnings,
  suggested_rule_id: z
    .string()
    .nullable()
    .describe('The default rule; dunning_charges_bulk_assign_rule applies it.'),
});

/** What changing answers. */
export const warnedSchema = chargeSchema.extend({ warnings });
