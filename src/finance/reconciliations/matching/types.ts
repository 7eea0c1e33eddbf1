/** What is matched: lines of statements on one side, records of ours on the other. Amounts in centavos. */

import type { CivilDate } from '../../../core/dates.ts';
import type { Cents } from '../../../core/money.ts';

export type Direction = 'credit' | 'debit';

/** A line of the account with something left to reconcile. */
export interface OpenLine {
  readonly id: string;
  readonly date: CivilDate;
  readonly direction: Direction;
  /** What is not reconciled yet. */
  readonly open: Cents;
  /** True while nothing of it is reconciled. */
  readonly isWhole: boolean;
  /** Everything the bank wrote about it. */
  readonly text: string;
  readonly counterpartyDocument: string | null;
  readonly endToEndId: string | null;
}

/** What a record takes of a line: `principal - discount + interest + fine - fee`. */
export interface Parts {
  readonly principal: Cents;
  readonly discount: Cents;
  readonly interest: Cents;
  readonly fine: Cents;
  readonly fee: Cents;
}

export const candidateKinds = ['payable', 'receivable', 'settlement', 'transfer', 'transaction'] as const;
export type CandidateKind = (typeof candidateKinds)[number];

/** What a record is called outside: by any of these a line names it. */
export interface Identifier {
  readonly reason: 'our_number' | 'pix_txid' | 'pix_end_to_end_id';
  readonly value: string;
}

/** A record that a line may be about. */
export interface Candidate {
  /** `transaction`: a line of another own account, to be linked as a transfer. */
  readonly kind: CandidateKind;
  readonly id: string;
  /** Of the line it would be. */
  readonly direction: Direction;
  /** When the line is to be expected; the first one is the record's own date. */
  readonly dates: readonly CivilDate[];
  /** Principal still open, or the amount on record. */
  readonly amount: Cents;
  /** What paying it off takes on a date, where that is not always the principal. */
  readonly dueOn: ((date: CivilDate) => Parts) | null;
  readonly personId: string | null;
  /** CPF or CNPJ of the other side; null where it is not known. */
  readonly partyDocument: string | null;
  readonly partyName: string | null;
  readonly documentNumber: string | null;
  readonly identifiers: readonly Identifier[];
  /** Receivables with a charge: the bank may keep a fee. */
  readonly isCharged: boolean;
  /** A bank said that it made it, so that a line has to come. */
  readonly isConfirmed: boolean;
  /** Own transfers: whether the other line names the holder of this account; null when it names nobody. */
  readonly isMutual: boolean | null;
}

export interface Settings {
  readonly dateToleranceDays: number;
  readonly amountTolerance: Cents;
}

export const certainties = ['certain', 'likely', 'possible'] as const;
export type Certainty = (typeof certainties)[number];

export const reasons = [
  'exact_amount',
  'face_amount',
  'amount_near',
  'interest_and_fine',
  'discount',
  'bank_fee',
  'same_date',
  'near_date',
  'counterparty_document',
  'counterparty_name',
  'our_number',
  'pix_txid',
  'pix_end_to_end_id',
  'document_number',
  'settlement_recorded',
  'confirmed_by_bank',
  'own_transfer',
  'several_documents',
  'several_lines',
] as const;
export type Reason = (typeof reasons)[number];

/** Lines and records that belong together, as far as can be told. */
export interface Match {
  readonly lines: readonly OpenLine[];
  readonly candidates: readonly Candidate[];
  /** One for each record. */
  readonly parts: readonly Parts[];
  /** Lines minus records. */
  readonly difference: Cents;
  readonly reasons: readonly Reason[];
  /** The sum of what speaks for it; not bounded. */
  readonly weight: number;
  /** Enough to be certain, unless something else is nearly as good. */
  readonly isStrong: boolean;
  readonly daysApart: number;
}

export interface Suggestion extends Match {
  readonly certainty: Certainty;
  /** 0 to 100; from 90 on exactly the certain ones. */
  readonly score: number;
}
