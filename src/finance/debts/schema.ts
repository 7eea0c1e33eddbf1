/** Shapes of what is owed, whoever owes it. */

import { z } from 'zod';
import type { Terms } from '../../core/accruals.ts';
import type { CivilDate, CivilMonth } from '../../core/dates.ts';
import { moneyOut } from '../../core/fields.ts';
import type { Cents } from '../../core/money.ts';
import { chargesSchema } from './charges.ts';

export const settlementMethods = ['boleto', 'pix', 'ted', 'cash', 'card', 'debit', 'other'] as const;
export const withholdingKinds = ['iss', 'irrf', 'pis', 'cofins', 'csll', 'inss', 'other'] as const;
export const debtSorts = ['due_date', '-due_date', 'amount', '-amount', 'created_at', '-created_at'] as const;

export type SettlementMethod = (typeof settlementMethods)[number];

/** Withheld at source, as stored. */
export interface Withholding {
  readonly kind: string;
  readonly cents: Cents;
}

/** A share of a cost center, as stored: ten-thousandths of a percent. */
export interface CostCenterShare {
  readonly id: string;
  readonly percent: number;
}

/** A debt to be: checked for form, not yet against the records. Amounts in centavos. */
export interface DebtDraft {
  readonly companyId: string;
  readonly personId: string;
  readonly description: string;
  readonly amountCents: Cents;
  readonly dueDate: CivilDate;
  readonly issueDate?: CivilDate | null | undefined;
  /** Default: the month of the issue date, else of the due date. */
  readonly competenceMonth?: CivilMonth | undefined;
  readonly documentNumber?: string | null | undefined;
  readonly series?: string | null | undefined;
  readonly categoryId?: string | null | undefined;
  readonly costCenters?: readonly CostCenterShare[] | undefined;
  readonly withholdings?: readonly Withholding[] | undefined;
  readonly abatementCents?: Cents | undefined;
  readonly terms?: Terms | null | undefined;
  readonly plannedDate?: CivilDate | null | undefined;
  readonly plannedAccountId?: string | null | undefined;
  /** Drafts of one call with one group id are one plan. */
  readonly installment?:
    | { readonly number: number; readonly total: number; readonly groupId: string }
    | undefined;
  /** The recurrence it is an occurrence of, and its number counted from zero. */
  readonly recurrence?: { readonly id: string; readonly number: number } | undefined;
  /** Who chose the category; default: a person, when there is one. */
  readonly classifiedBy?: 'person' | 'rule' | undefined;
  /** The record that may look like this one without being it. */
  readonly allowDuplicateOf?: string | undefined;
}

/** Fields that a line of a list shows. */
export const itemFields = {
  id: z.string(),
  company_id: z.string(),
  person: z.object({ id: z.string(), name: z.string() }),
  description: z.string(),
  document_number: z.string().nullable(),
  amount: moneyOut().describe('Face value.'),
  open_amount: moneyOut().describe('Principal still open.'),
  amount_due: moneyOut().describe('What paying it off today takes: fine, interest and discount included.'),
  due_date: z.string(),
  planned_date: z.string().nullable(),
  overdue: z.boolean(),
  installment: z.object({ number: z.int(), total: z.int() }).nullable(),
  category_id: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
};

/** Fields that the record has besides those of the line. */
export const recordFields = {
  series: z.string().nullable(),
  issue_date: z.string().nullable(),
  adjusted_due_date: z
    .string()
    .describe('The due date or the next business day; overdue from the day after.'),
  competence_month: z.string(),
  planned_account_id: z.string().nullable(),
  installment_group_id: z.string().nullable(),
  recurrence_id: z.string().nullable(),
  classified_by: z.enum(['person', 'rule']).nullable().describe('Who chose the category.'),
  abatement: moneyOut(),
  withholdings: z.array(z.object({ kind: z.string(), amount: moneyOut() })),
  cost_centers: z.array(z.object({ id: z.string(), percent: z.string() })),
  charges: chargesSchema.nullable(),
  canceled_reason: z.string().nullable(),
  created_by: z.string(),
  version: z.int(),
};

/** Fields that the record with amounts as of a date has besides. */
export const detailFields = {
  currency: z.literal('BRL'),
  as_of: z.string(),
  amounts: z
    .object({
      amount: moneyOut(),
      open_principal: moneyOut(),
      discount: moneyOut(),
      fine: moneyOut(),
      interest: moneyOut(),
      paid: moneyOut(),
      amount_due: moneyOut(),
      days_late: z.int(),
    })
    .describe('On the date `as_of`.'),
  attachments: z.array(z.object({ id: z.string(), file_name: z.string(), content_type: z.string() })),
};

/** Fields of a settlement of either kind. */
export const settlementFields = {
  id: z.string(),
  account_id: z.string(),
  transaction_id: z.string().nullable(),
  paid_at: z.string(),
  amount: moneyOut().describe('Money moved: principal - discount + interest + fine.'),
  principal: moneyOut(),
  discount: moneyOut(),
  interest: moneyOut(),
  fine: moneyOut(),
  method: z.enum(settlementMethods),
  status: z.enum(['effective', 'reversed']),
  reversed_reason: z.string().nullable(),
  created_at: z.string(),
};

export const totalOpenSchema = z.object({ amount: moneyOut(), count: z.int() });

/** What a change of many records answers. */
export const bulkSchema = z.object({
  requested: z.int(),
  succeeded: z.array(z.string()).describe('Ids.'),
  failed: z.array(z.object({ id: z.string(), code: z.string(), message: z.string() })),
});

type Shown<Shape extends z.ZodRawShape> = z.input<z.ZodObject<Shape>>;

export type ItemFields = Shown<typeof itemFields>;
export type RecordFields = Shown<typeof recordFields>;
export type DetailFields = Shown<typeof detailFields>;
export type SettlementFields = Shown<typeof settlementFields>;
