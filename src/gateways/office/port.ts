/** What credit bureaus and notary offices have in common as jobs see them. */

/** What is asked of an office. It acts once for a key, however often it is asked. */
export interface OfficeRequest {
  /** The id of the command. */
  readonly key: string;
  /** The id of the report or protest it is about; equal for everything that is ever asked about it. */
  readonly actionKey: string;
  readonly organizationId: string;
}

export interface OfficeAddress {
  readonly street: string;
  readonly number: string | null;
  readonly complement: string | null;
  readonly district: string | null;
  readonly city: string;
  readonly state: string;
  readonly postalCode: string;
}

export interface Creditor {
  readonly name: string;
  readonly documentNumber: string;
}

export interface Debtor {
  readonly name: string;
  readonly kind: 'natural' | 'legal';
  readonly documentNumber: string;
  readonly address: OfficeAddress | null;
}

/** The office has it; its name for the matter, when it gave one at once. */
export interface TakenRequest {
  readonly reference: string | null;
}

/** What the office says of a key whose outcome is unknown. `unknowable`: it cannot be asked. */
export type FoundRequest =
  | { readonly state: 'absent' }
  | { readonly state: 'taken'; readonly reference: string | null }
  | { readonly state: 'unknowable' };

/** A request whose matter is not over, so that answers to it may still come. */
export interface WaitingRequest {
  readonly key: string;
  readonly actionKey: string;
  readonly command: string;
  readonly askedAt: Date;
  /** Of the debtor. */
  readonly documentNumber: string;
  readonly amount: number;
}

export interface CollectQuery {
  readonly organizationId: string;
  /** For offices that are asked one by one; those that deliver answers by themselves need not look at it. */
  readonly waiting: readonly WaitingRequest[];
  readonly now: Date;
}

/** What every answer says; it may come late, twice and out of order. */
export interface OfficeAnswer {
  /** The office's own name of this answer, equal when it tells it again. */
  readonly reportId: string;
  /** The key of the request it answers. */
  readonly key: string;
  readonly at: Date;
  /** The office's name for the matter. */
  readonly reference: string | null;
  /** A short code or sentence of the office; data, never shown as ours. */
  readonly reason: string | null;
}

export interface Collected<Answer> {
  readonly answers: readonly Answer[];
  /** Called once they are recorded: they need not be told again. */
  forget(): Promise<void>;
}

/** The office refused it for good. */
export class OfficeRefused extends Error {
  override readonly name = 'OfficeRefused';
}

/** It surely did not arrive: it may be sent again. */
export class OfficeUnreachable extends Error {
  override readonly name = 'OfficeUnreachable';
}

/** It may have arrived: asked for with `find`, never sent again by itself. */
export class OfficeOutcomeUnknown extends Error {
  override readonly name = 'OfficeOutcomeUnknown';
}
