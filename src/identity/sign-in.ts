/** Signing in: passwords, passkeys and invitations, with attempts counted for every process together. */

import type { VerificationMethod } from '../core/caller.ts';
import { fail } from '../core/errors.ts';
import type { Db } from '../core/ports.ts';
import type { Origin, Refused, SignedIn, SignIn, Weak } from '../web/sign-in.ts';
import { createGuard, type Guard } from './guard.ts';
import { invitationHashOf } from './invitations.ts';
import { deletePasskey, selectPasskeysOf } from './passkey-queries.ts';
import { answeredBy, passkeyQuestion, registerPasskey, registrationQuestion } from './passkeys.ts';
import { brokenRule, createPasswords, type Passwords } from './passwords.ts';
import { notifyIdentityChanged } from './queries.ts';
import {
  createSession,
  endSession,
  findSession,
  formWordOf,
  isFreshProof,
  noteVerification,
} from './sessions.ts';
import {
  type InvitationRow,
  selectInvitation,
  selectIsMember,
  selectPersonByEmail,
  selectPersonById,
  updateInvitationUsed,
  updateInvitationUsedAndPassword,
  updateOtherSessionsEnded,
  updatePasswordHash,
  updateSessionReplaced,
} from './sign-in-queries.ts';

const EMAIL_MAX = 320;

const wrong: Refused = { refused: 'wrong' };

export interface SignInOptions {
  readonly database: Db;
  /** The keys that attempts are counted under, newest first; no e-mail address is stored for counting. */
  readonly secretKeys: readonly string[];
  /** Hears in plain words that somebody was not let in; never who it was said to be. */
  readonly logRefusal?: (what: string, facts: Readonly<Record<string, string>>) => void;
  /** Default: scrypt at its full cost. */
  readonly passwords?: Passwords;
}

/** What every way of signing in stands on. */
interface Door {
  readonly db: Db;
  readonly passwords: Passwords;
  readonly guard: Guard;
  readonly logRefusal: (what: string, facts: Readonly<Record<string, string>>) => void;
}

export function createSignIn(options: SignInOptions): SignIn {
  const { database: db, secretKeys, passwords = createPasswords(), logRefusal = () => {} } = options;
  const door: Door = { db, passwords, guard: createGuard(db, secretKeys[0]!), logRefusal };
  return {
    ...sessionsOf(door),
    ...byPassword(door),
    ...byPasskey(door),
    ...byInvitation(door),
  };
}

function sessionsOf({ db }: Door): Pick<SignIn, 'find' | 'signOut' | 'switchOrganization'> {
  return {
    async find(secret, now) {
      const session = await findSession(db, secret, now);
      if (session === null) return null;
      const { row, callerFor } = session;
      return {
        sessionId: row.id,
        user: { id: row.user_id, name: row.user_name, email: row.user_email, locale: row.user_locale },
        organization: { id: row.organization_id, name: row.organization_name },
        verifiedAt: row.verified_at,
        verifiedWith: row.verified_with,
        formWord: formWordOf(secret),
        callerFor,
      };
    },
    signOut: (person, now) => endSession(db, person.sessionId, now),
    async switchOrganization(person, organizationId, from, now) {
      if (!(await selectIsMember(db, organizationId, person.user.id))) return null;
      // Only one request takes the session's place, and none that of a session that was ended meanwhile.
      const ended = await updateSessionReplaced(db, person.sessionId, now);
      if (ended === undefined) return null;
      const { secret } = await createSession(
        db,
        {
          userId: person.user.id,
          organizationId,
          verifiedWith: person.verifiedWith,
          // Going elsewhere proves nothing, and gives no more time.
          verifiedAt: new Date(person.verifiedAt),
          expiresAt: new Date(ended.expires_at),
          userAgent: from.userAgent,
        },
        now,
      );
      return { secret };
    },
  };
}

function byPassword(door: Door): Pick<SignIn, 'withPassword' | 'verifyPassword' | 'changePassword'> {
  const { db, passwords } = door;
  return {
    async withPassword(emailText, password, from, now) {
      const email = emailOf(emailText);
      return guarded(door, email, from, now, async () => {
        const person = await selectPersonByEmail(db, email);
        const kept = person?.password_hash ?? null;
        if (!(await passwords.isRight(password, kept)) || person === undefined || kept === null) return wrong;
        if (passwords.isOutdated(kept)) {
          await updatePasswordHash(db, person.id, kept, await passwords.hash(password));
        }
        return start(db, person.id, person.organization_id, 'password', from, now);
      });
    },
    verifyPassword: (person, password, purpose, from, now) =>
      guarded(door, inSession(person), from, now, async () => {
        const kept = (await selectPersonById(db, person.user.id))?.password_hash ?? null;
        if (!(await passwords.isRight(password, kept))) return wrong;
        await noteVerification(db, person.sessionId, 'password', purpose, now);
        return 'verified' as const;
      }),
    changePassword: (person, current, next, from, now) =>
      guarded(door, inSession(person), from, now, async () => {
        const kept = (await selectPersonById(db, person.user.id))?.password_hash ?? null;
        if (!(await passwords.isRight(current, kept)) || kept === null) return wrong;
        const rule = brokenRule(next, person.user);
        if (rule !== null) return { refused: 'weak', rule } satisfies Weak;
        const changed = await updatePasswordHash(db, person.user.id, kept, await passwords.hash(next));
        if (changed === 0) return wrong;
        await updateOtherSessionsEnded(db, person.user.id, person.sessionId, now);
        await noteVerification(db, person.sessionId, 'password', null, now);
        await notifyIdentityChanged(db);
        return 'changed' as const;
      }),
  };
}

function byPasskey(
  door: Door,
): Pick<
  SignIn,
  | 'passkeyQuestion'
  | 'withPasskey'
  | 'verifyQuestion'
  | 'verifyPasskey'
  | 'registrationQuestion'
  | 'registerPasskey'
  | 'passkeysOf'
  | 'removePasskey'
> {
  const { db, guard } = door;
  return {
    async passkeyQuestion(from, now) {
      await guard.countQuestion(from.address, now);
      return passkeyQuestion(db, null, from, now);
    },
    withPasskey: (challengeId, response, from, now) =>
      guarded(door, null, from, now, async () => {
        const userId = await answeredBy(db, null, { challengeId, response }, from, now);
        const person = userId === null ? undefined : await selectPersonById(db, userId);
        if (person === undefined) return wrong;
        return start(db, person.id, person.organization_id, 'passkey', from, now);
      }),
    verifyQuestion: (person, from, now) => passkeyQuestion(db, person.user.id, from, now),
    verifyPasskey: (person, challengeId, response, purpose, from, now) =>
      guarded(door, null, from, now, async () => {
        const userId = await answeredBy(db, person.user.id, { challengeId, response }, from, now);
        if (userId === null) return wrong;
        await noteVerification(db, person.sessionId, 'passkey', purpose, now);
        return 'verified' as const;
      }),
    async registrationQuestion(person, from, now) {
      requireFresh(person, now);
      return registrationQuestion(db, person.user, from, now);
    },
    async registerPasskey(person, challengeId, response, name, from, now) {
      requireFresh(person, now);
      const isKept = await registerPasskey(db, person.user, { challengeId, response, name }, from, now);
      return isKept ? 'registered' : wrong;
    },
    async passkeysOf(person) {
      const rows = await selectPasskeysOf(db, person.user.id);
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        createdAt: row.created_at,
        lastUsedAt: row.last_used_at,
      }));
    },
    async removePasskey(person, id, now) {
      requireFresh(person, now);
      await deletePasskey(db, person.user.id, id);
    },
  };
}

function byInvitation(door: Door): Pick<SignIn, 'invitation' | 'acceptInvitation'> {
  const { db } = door;
  const find = (secret: string, now: Date) => selectInvitation(db, invitationHashOf(secret), now);
  return {
    async invitation(secret, now) {
      const row = await find(secret, now);
      if (row === undefined) return null;
      return {
        email: row.email,
        // Whoever holds the link may be who invited: what a person is called elsewhere is not theirs to read.
        name: row.invited_by === null ? row.user_name : row.email,
        organizationName: row.organization_name,
        invitedBy: row.inviter_name,
      };
    },
    async acceptInvitation(secret, password, from, now) {
      const row = await find(secret, now);
      if (row === undefined) return wrong;
      // Whoever it is: the answer must not tell whether the person has a password already.
      const name = row.invited_by === null ? row.user_name : '';
      const rule = brokenRule(password, { email: row.email, name });
      if (rule !== null) return { refused: 'weak', rule } satisfies Weak;
      return guarded(door, row.email, from, now, async () => {
        if (!(await isAcceptedWith(door, row, password, now))) return wrong;
        await notifyIdentityChanged(db);
        return start(db, row.user_id, row.organization_id, 'password', from, now);
      });
    },
  };
}

/** Uses the invitation up, by the password it sets or the one the person has; of two at once, one is too late. */
async function isAcceptedWith(
  { db, passwords }: Door,
  row: InvitationRow,
  password: string,
  now: Date,
): Promise<boolean> {
  if (row.chooses_password) {
    return (await updateInvitationUsedAndPassword(db, row, await passwords.hash(password), now)) === 1;
  }
  return (
    (await passwords.isRight(password, row.password_hash)) &&
    (await updateInvitationUsed(db, row.id, now)) === 1
  );
}

/** Counts the attempt, and takes that back when it was not wrong. Refusals are logged with the address they came from. */
async function guarded<T>(
  { guard, logRefusal }: Door,
  email: string | null,
  from: Origin,
  now: Date,
  attempt: () => Promise<T>,
): Promise<T | Refused> {
  const subjects = { email, address: from.address };
  const refused = await guard.enter(subjects, now);
  const result = refused ?? (await attempt());
  if (refused === null && result !== wrong) {
    await guard.succeeded(subjects, now);
  } else {
    const why = refused === null ? 'a wrong password, passkey or link' : 'too many attempts';
    logRefusal('somebody was not let in', { why, address: from.address });
  }
  return result;
}

async function start(
  db: Db,
  userId: string,
  organizationId: string,
  verifiedWith: VerificationMethod,
  from: Origin,
  now: Date,
): Promise<{ secret: string }> {
  const { userAgent } = from;
  const { secret } = await createSession(db, { userId, organizationId, verifiedWith, userAgent }, now);
  return { secret };
}

/** Counted apart from the address, so that whoever guesses outside does not keep the person from saying yes inside. */
function inSession({ user }: SignedIn): string {
  return `signed in: ${user.id}`;
}

function requireFresh(person: SignedIn, now: Date): void {
  if (!isFreshProof(person.verifiedAt, now)) fail('verification_required');
}

/** As it is stored; the database cannot hold U+0000. */
function emailOf(text: string): string {
  return text.replaceAll('\0', '').trim().toLowerCase().slice(0, EMAIL_MAX);
}
