/** What the console needs of identity: who somebody is, and proof that they are there. `identity` supplies it. */

import type { Caller, Domain, Locale, VerificationMethod } from '../core/caller.ts';

/** A person signed in. */
export interface SignedIn {
  readonly sessionId: string;
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly locale: Locale;
  };
  readonly organization: { readonly id: string; readonly name: string };
  /** When and how they last proved to be there. */
  readonly verifiedAt: string;
  readonly verifiedWith: VerificationMethod;
  /** The word that forms of this session carry. */
  readonly formWord: string;
  callerFor(domain: Domain): Promise<Caller | null>;
}

/** Why nobody was let in; `wrong` says the same whoever does not exist, has no password or gave another one. */
export type Refused =
  | { readonly refused: 'wrong' }
  | { readonly refused: 'too_many'; readonly retryAfterSeconds: number };

/** What a password that may not be chosen breaks; the lengths are those of `PASSWORD_LENGTH`. */
export type PasswordRule = 'too_short' | 'too_long' | 'common' | 'about_you';

/** In characters. */
export const PASSWORD_LENGTH = { min: 12, max: 256 } as const;

export interface Weak {
  readonly refused: 'weak';
  readonly rule: PasswordRule;
}

/** Where an attempt comes from. */
export interface Origin {
  /** For counting attempts. */
  readonly address: string;
  readonly userAgent: string;
  /** Such as `https://books.example`; passkeys are bound to its host. */
  readonly origin: string;
}

/** What the browser's passkey functions take, as JSON, and the id under which the answer is checked. */
export interface PasskeyQuestion {
  readonly challengeId: string;
  readonly options: Readonly<Record<string, unknown>>;
}

export interface Invitation {
  readonly email: string;
  /** As the page addresses them: the e-mail until they are in, because the name may be known from elsewhere. */
  readonly name: string;
  readonly organizationName: string;
  readonly invitedBy: string | null;
}

export interface PasskeyFacts {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

export interface SignIn {
  find(secret: string, now: Date): Promise<SignedIn | null>;
  /** Gives the secret of the new session. */
  withPassword(
    email: string,
    password: string,
    from: Origin,
    now: Date,
  ): Promise<{ secret: string } | Refused>;
  /** Fails with `rate_limited` when one address asks for too many. */
  passkeyQuestion(from: Origin, now: Date): Promise<PasskeyQuestion>;
  withPasskey(
    challengeId: string,
    response: unknown,
    from: Origin,
    now: Date,
  ): Promise<{ secret: string } | Refused>;
  signOut(person: SignedIn, now: Date): Promise<void>;
  /** A fresh proof for `purpose`, such as `approval:<id>`; null: for whatever comes next in the session. */
  verifyPassword(
    person: SignedIn,
    password: string,
    purpose: string | null,
    from: Origin,
    now: Date,
  ): Promise<'verified' | Refused>;
  verifyQuestion(person: SignedIn, from: Origin, now: Date): Promise<PasskeyQuestion>;
  verifyPasskey(
    person: SignedIn,
    challengeId: string,
    response: unknown,
    purpose: string | null,
    from: Origin,
    now: Date,
  ): Promise<'verified' | Refused>;
  /**
   * This, registering and removing fail with `verification_required` when the last proof is older than five minutes:
   * who found an open browser must not make a key of their own.
   */
  registrationQuestion(person: SignedIn, from: Origin, now: Date): Promise<PasskeyQuestion>;
  registerPasskey(
    person: SignedIn,
    challengeId: string,
    response: unknown,
    name: string,
    from: Origin,
    now: Date,
  ): Promise<'registered' | Refused>;
  passkeysOf(person: SignedIn): Promise<readonly PasskeyFacts[]>;
  removePasskey(person: SignedIn, id: string, now: Date): Promise<void>;
  /** Sets another password, given the present one, and ends the person's other sessions. */
  changePassword(
    person: SignedIn,
    current: string,
    next: string,
    from: Origin,
    now: Date,
  ): Promise<'changed' | Refused | Weak>;
  /** The invitation behind a link, or null when it is none, was used or is too old. */
  invitation(secret: string, now: Date): Promise<Invitation | null>;
  /**
   * Joins the organization and signs in: somebody new by choosing a password, somebody who is known already by giving
   * the one they have, so that an invitation never takes an account over. The page asks both in the same words.
   */
  acceptInvitation(
    secret: string,
    password: string,
    from: Origin,
    now: Date,
  ): Promise<{ secret: string } | Refused | Weak>;
  /** A session in another organization of the person instead of this one, or null where they have no role there. */
  switchOrganization(
    person: SignedIn,
    organizationId: string,
    from: Origin,
    now: Date,
  ): Promise<{ secret: string } | null>;
}
