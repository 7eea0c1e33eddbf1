/** What `invoke` needs to know of approvals and controls, as types: `src/approvals` keeps them. */

import type { Product, VerificationMethod } from './caller.ts';
import type { Db, Surface, Transaction } from './ports.ts';

/** How long a proof given for one approval counts, in milliseconds. */
export const APPROVAL_PROOF_MS = 60_000;

/** The proof that approving asks for: see `SessionFacts.verifiedFor`. */
export function approvalPurposeOf(approvalId: string): string {
  return `approval:${approvalId}`;
}

/** The page of the console where a person decides on an approval; of dunning when it has no workspace. */
export function approvalPathOf(id: string, workspaceId: string | null): string {
  const query = workspaceId === null ? '' : `?workspace=${workspaceId}`;
  return `/console/approvals/${id}${query}`;
}

/** What a workspace (finance) or an organization (dunning) lets happen. */
export interface Controls {
  /** Whether a call that nobody could confirm may wait for a person's yes in the console. */
  readonly approvalsEnabled: boolean;
  readonly approvalHours: number;
  /** From this amount on a second person has to say yes; null: never. */
  readonly secondPersonFromCents: number | null;
  /** Nothing destructive runs. */
  readonly isFrozen: boolean;
}

export type ApprovalReason = 'client_cannot_ask' | 'second_person';
export type ApprovalStatus = 'pending' | 'done' | 'failed' | 'declined' | 'expired';

/** Whose rows: a workspace's, or an organization's where `workspaceId` is null. */
export interface ApprovalPlace {
  readonly organizationId: string;
  readonly workspaceId: string | null;
}

export interface NewApproval extends ApprovalPlace {
  readonly id: string;
  readonly product: Product;
  readonly operation: string;
  /** As the client sent them, already found valid. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly argumentsDigest: string;
  readonly reason: ApprovalReason;
  readonly question: string;
  readonly amountCents: number | null;
  readonly requestedBy: string;
  readonly tokenId: string | null;
  readonly clientId: string;
  readonly surface: Surface;
  readonly requestedAt: Date;
  readonly expiresAt: Date;
}

/** A call that waits, or waited, for a person. Its status is what it is now: `expired` once its time is over. */
export interface Approval extends Omit<NewApproval, 'requestedAt' | 'expiresAt'> {
  readonly status: ApprovalStatus;
  readonly requestedByName: string;
  /** Of the client, as it named itself; null for a token made by hand and for what is not known. */
  readonly clientName: string | null;
  readonly requestedAt: string;
  readonly expiresAt: string;
  /** As people and clients read it. */
  readonly record: Readonly<Record<string, unknown>>;
}

/** How an approval ended. */
export interface Decision {
  readonly status: 'done' | 'failed' | 'declined';
  readonly decidedBy: string;
  readonly decidedAt: Date;
  readonly decidedWith: VerificationMethod | null;
  readonly declineReason?: string;
  /** Of the operation, without its secrets. */
  readonly answer?: Readonly<Record<string, unknown>>;
  /** The envelope of its failure. */
  readonly error?: unknown;
}

export interface ApprovalStore {
  /** The controls as they are now; the defaults where nobody has set any. */
  controls(db: Db, place: ApprovalPlace): Promise<Controls>;
  /** The same, and they stay so until the transaction ends: whoever sets them waits for it. */
  holdControls(db: Transaction, place: ApprovalPlace): Promise<Controls>;
  /**
   * Records the call, or gives the one of the same person that waits already with the same operation and arguments.
   * Fails with `rate_limited` when too many of theirs wait.
   */
  open(db: Transaction, approval: NewApproval): Promise<{ id: string; expiresAt: string; isNew: boolean }>;
  find(db: Db, place: ApprovalPlace, id: string, now: Date): Promise<Approval | null>;
  /** The same, and nobody else decides it until the transaction ends. */
  lock(db: Transaction, place: ApprovalPlace, id: string, now: Date): Promise<Approval | null>;
  decide(db: Transaction, place: ApprovalPlace, id: string, decision: Decision): Promise<void>;
}

/** By whom and through what a call was made that is to run now. */
export interface Requester {
  readonly product: Product;
  readonly organizationId: string;
  readonly userId: string;
  readonly tokenId: string | null;
  readonly clientId: string;
}
