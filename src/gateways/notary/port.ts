/** Notary offices as jobs see them, through whoever hands titles to them. */

import type { CivilDate } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
import type {
  Collected,
  CollectQuery,
  Creditor,
  Debtor,
  FoundRequest,
  OfficeAnswer,
  OfficeRequest,
  TakenRequest,
} from '../office/port.ts';

/** A title to be protested. */
export interface ProtestRequest extends OfficeRequest {
  /** DM, DS, NP and the like. */
  readonly titleKind: string;
  readonly amount: Cents;
  readonly debtDueDate: CivilDate;
  readonly titleNumber: string | null;
  readonly creditor: Creditor;
  readonly debtor: Debtor;
  /** Proof of the debt. */
  readonly document: {
    readonly name: string;
    readonly contentType: string;
    /** Of the bytes, as hexadecimal digits. */
    readonly sha256: string;
    readonly base64: string;
  } | null;
}

/** To withdraw a title before the protest, or to consent to the cancellation of a protest. */
export interface ProtestChangeRequest extends OfficeRequest {
  readonly protocol: string | null;
  readonly reference: string | null;
  /** Null when it is no longer kept. */
  readonly debtorDocument: string | null;
  readonly creditor: Creditor | null;
  readonly reason: string;
}

export type NotaryStatus =
  | 'protocoled'
  | 'notified'
  | 'protested'
  | 'returned'
  | 'paid_at_notary'
  | 'suspended'
  | 'withdrawn'
  | 'canceled'
  | 'refused';

export interface NotaryAnswer extends OfficeAnswer {
  readonly status: NotaryStatus;
  /** The day on which it happened. */
  readonly on: CivilDate;
  readonly notary: { readonly name: string; readonly city: string; readonly state: string } | null;
  readonly protocol: string | null;
  /** `notified` only. */
  readonly noticeKind: 'letter' | 'electronic' | 'edict' | null;
  /** `paid_at_notary` only: what the debtor paid on the title, without costs. */
  readonly paidAmount: Cents | null;
  readonly costs: { readonly amount: Cents; readonly paidBy: 'debtor' | 'creditor' } | null;
}

export interface NotaryPort {
  /** For example `simulator` or `files`. */
  readonly name: string;
  /** Resolves when the office took it. Throws `OfficeRefused`, `OfficeUnreachable` or `OfficeOutcomeUnknown`. */
  send(request: ProtestRequest, now: Date): Promise<TakenRequest>;
  /** Like `send`. */
  withdraw(request: ProtestChangeRequest, now: Date): Promise<TakenRequest>;
  /** Like `send`. */
  authorizeCancellation(request: ProtestChangeRequest, now: Date): Promise<TakenRequest>;
  find(request: { organizationId: string; key: string }): Promise<FoundRequest>;
  /** Answers that wait for this organization, oldest first. */
  collect(query: CollectQuery): Promise<Collected<NotaryAnswer>>;
}
