/** What `invoke` needs of the confirmation store, and the pure readings of what a client sent. */

import type { Caller, Place } from './caller.ts';
import type { Fact, Operation } from './operation.ts';
import type { Db } from './ports.ts';

/** The question as it goes to the client: its text, and the sealed state the client echoes. */
export interface Question {
  readonly message: string;
  readonly state: string;
}

/** What a confirmation is bound to. */
export interface Subject {
  readonly operation: Operation;
  readonly caller: Caller;
  readonly place: Place;
  /** Of the validated arguments and the resolved workspace. */
  readonly digest: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The approval in which a person is asked about somebody else's call; the caller is whoever is asked. */
  readonly approvalId?: string;
}

export type OpenedState =
  | { readonly status: 'absent' | 'mismatch' }
  | {
      readonly status: 'valid';
      readonly id: string;
      readonly isExpired: boolean;
      readonly factDigests: Readonly<Record<string, string>>;
    };

export interface QuestionNotes {
  readonly expired?: boolean;
  /** Keys of facts that differ from the question before. */
  readonly changed?: readonly string[];
  /** Minutes since the same action was last confirmed, when that was within ten. */
  readonly recent?: number | null;
  /** From this amount on somebody else has to say yes too. */
  readonly needsSecondPerson?: boolean;
  /** Kept with an approval, which says itself until when it can be answered and by whom. */
  readonly isForRecord?: boolean;
  /** Whose call it is, when that is not the person who is asked. */
  readonly requestedBy?: {
    readonly name: string;
    readonly clientId: string;
    readonly clientName: string | null;
  };
}

export interface Confirmations {
  /** Checks seal and binding; tells nobody which check failed. */
  open(state: string | undefined, subject: Subject, now: Date): OpenedState;
  seal(subject: Subject, facts: readonly Fact[], now: Date): string;
  textOf(subject: Subject, facts: readonly Fact[], notes: QuestionNotes): string;
  changedFacts(before: Readonly<Record<string, string>>, facts: readonly Fact[]): string[];
  /** At most 30 questions a minute for one person and tool; fails with `rate_limited`. */
  limitQuestions(subject: Subject, now: Date): void;
  /** Minutes since this very action was last confirmed, or null; fails with `confirmation_unavailable`. */
  lastUse(db: Db, subject: Subject, now: Date): Promise<number | null>;
  find(id: string, place: Place): Promise<'used' | 'declined' | null>;
  /** Takes the id for this transaction alone. `used` also while another transaction is running it. */
  claim(db: Db, id: string, place: Place): Promise<'free' | 'used' | 'declined'>;
  /** Records the use; the unique key decides races. */
  spend(db: Db, id: string, subject: Subject, now: Date): Promise<void>;
  /** Records that the run failed after the confirmation was spent. */
  fail(db: Db, id: string, place: Place, code: string): Promise<void>;
  /** Best effort: a "no" must not become a "yes" later. */
  decline(id: string, subject: Subject, now: Date): Promise<void>;
}

export type Answer = 'none' | 'accepted' | 'declined' | 'cancelled';

/**
 * Reads `inputResponses` (PROTOCOL T-3): no `confirm` key is no answer; an elicitation result other than
 * accept with `confirm === true` is a "no"; anything else is malformed.
 */
export function classifyAnswer(responses: unknown): Answer | 'malformed' {
  if (responses === undefined) return 'none';
  if (!isPlainObject(responses)) return 'malformed';
  if (!Object.hasOwn(responses, 'confirm')) return 'none';
  const result = responses['confirm'];
  if (!isPlainObject(result)) return 'malformed';
  if (result['action'] === 'cancel') return 'cancelled';
  if (result['action'] === 'decline') return 'declined';
  if (result['action'] !== 'accept') return 'malformed';
  const content = result['content'];
  if (content !== undefined && content !== null && !isPlainObject(content)) return 'malformed';
  const isYes = isPlainObject(content) && Object.hasOwn(content, 'confirm') && content['confirm'] === true;
  return isYes ? 'accepted' : 'declined';
}

/** Whether these client capabilities allow a form: `elicitation: {}` or `elicitation: { form: {…} }`. */
export function isFormCapable(capabilities: unknown): boolean {
  if (!isPlainObject(capabilities)) return false;
  const elicitation = capabilities['elicitation'];
  if (!isPlainObject(elicitation)) return false;
  return Object.keys(elicitation).length === 0 || isPlainObject(elicitation['form']);
}

/** Names of arguments whose values are never shown. */
const secretArguments = new Set(['secret', 'password', 'token']);
const MASK = '••••';

/** The arguments as they may be shown. */
export function maskedArguments(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, secretArguments.has(name) ? MASK : value]),
  );
}

export function isSecretArgument(name: string): boolean {
  return secretArguments.has(name);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
