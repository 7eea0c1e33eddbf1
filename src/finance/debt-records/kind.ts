import type { Context } from '../../core/operation.ts';
import type { Tables } from '../../db/rows.ts';
import type { SearchedKind } from '../../db/search.ts';
import type { Paid } from '../debts/index.ts';

export type SettlementRow = Tables['settlements'];

/** The columns that payables and receivables share. */
export type DebtColumns = Pick<Tables['payables'], keyof Tables['payables'] & keyof Tables['receivables']>;

interface Joined {
  readonly person_name: string;
  readonly person_bank_details_changed_at: string | null;
  /** Effective settlements, oldest first. Null without terms: then nothing accrues and the open amount says all. */
  readonly effective_settlements: readonly Paid[] | null;
}

/** A row with what its record shows of the person. */
export type RowOf<Table extends 'payables' | 'receivables'> = Tables[Table] & Joined;

export type DebtRow = DebtColumns & Joined;

/** The columns that a line of a list is made of, whatever the kind. */
export const itemColumns = [
  'id',
  'company_id',
  'person_id',
  'description',
  'document_number',
  'amount_cents',
  'abatement_cents',
  'withheld_cents',
  'open_cents',
  'due_date',
  'adjusted_due_date',
  'planned_date',
  'status',
  'installment_number',
  'installment_total',
  'category_id',
  'terms',
  'created_at',
  'updated_at',
] as const satisfies (keyof DebtColumns)[];

export type DebtItemRow = Pick<DebtRow, (typeof itemColumns)[number] | keyof Joined>;

/** Where the rows of one kind are. */
export interface DebtPlace {
  readonly table: 'payables' | 'receivables';
  /** What its words are kept under. */
  readonly searchedAs: SearchedKind;
  /** The column of a settlement that names the debt. */
  readonly settlementColumn: 'payable_id' | 'receivable_id';
  /** What only this kind has and a change writes. */
  readonly ownColumns: readonly string[];
  /** What only this kind shows in a list. */
  readonly ownItemColumns: readonly string[];
}

/** What tells payables and receivables apart; all else about their records is one code. */
export interface DebtKind<Row extends DebtRow> extends DebtPlace {
  readonly name: 'payable' | 'receivable';
  readonly role: 'supplier' | 'customer';
  /** The words `supplier` or `customer` as questions label them. */
  readonly personLabel: readonly [portuguese: string, english: string];
  readonly categoryKind: 'expense' | 'income';
  /** Of the entry that a settlement posts. */
  readonly direction: 'debit' | 'credit';
  /** The record as the audit chain keeps it. */
  readonly recorded: (row: Row, context: Pick<Context, 'today' | 'timeZone'>) => unknown;
  readonly recordedSettlement: (row: SettlementRow) => unknown;
}
