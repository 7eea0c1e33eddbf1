/** Holds guessing back: so many wrong attempts for one e-mail address and from one network address, and then a pause. */

import { AppError } from '../core/errors.ts';
import type { Db } from '../core/ports.ts';
import type { Refused } from '../web/sign-in.ts';
import { countAttempt, forgetAttempts, secondsLeft, subjectDigestOf, takeBackAttempt } from './attempts.ts';

const WINDOW_MS = 15 * 60_000;
const WRONG_PER_EMAIL_MAX = 10;
const WRONG_PER_ADDRESS_MAX = 30;
const QUESTIONS_PER_ADDRESS_MAX = 300;

const BY_EMAIL = 'sign_in:email';
const BY_ADDRESS = 'sign_in:address';
const QUESTIONS = 'passkey_question:address';

/** Whose attempt it is; without an e-mail address only the network address counts. */
export interface Attempt {
  readonly email: string | null;
  readonly address: string;
}

export interface Guard {
  /** Counts the attempt before it is looked at, so that many at once count as well; refuses it when there were too many. */
  enter(attempt: Attempt, now: Date): Promise<Refused | null>;
  /** It was right: it counts for nobody, and the person's own wrong ones before it are forgotten. */
  succeeded(attempt: Attempt, now: Date): Promise<void>;
  /** Counts a question that anybody may ask for. Fails with `rate_limited`. */
  countQuestion(address: string, now: Date): Promise<void>;
}

export function createGuard(db: Db, secretKey: string): Guard {
  const digestOf = (subject: string) => subjectDigestOf(secretKey, subject);
  const isOver = async (kind: string, subject: string, max: number, now: Date) =>
    (await countAttempt(db, kind, digestOf(subject), now, WINDOW_MS)) > max;
  return {
    async enter({ email, address }, now) {
      // An address that is held back does not go on counting against other people's e-mail addresses.
      const isTooMany =
        (await isOver(BY_ADDRESS, address, WRONG_PER_ADDRESS_MAX, now)) ||
        (email !== null && (await isOver(BY_EMAIL, email, WRONG_PER_EMAIL_MAX, now)));
      return isTooMany ? { refused: 'too_many', retryAfterSeconds: secondsLeft(now, WINDOW_MS) } : null;
    },
    async succeeded({ email, address }, now) {
      await takeBackAttempt(db, BY_ADDRESS, digestOf(address), now, WINDOW_MS);
      if (email !== null) await forgetAttempts(db, BY_EMAIL, digestOf(email));
    },
    async countQuestion(address, now) {
      if (await isOver(QUESTIONS, address, QUESTIONS_PER_ADDRESS_MAX, now)) {
        throw new AppError('rate_limited', { retry_after: secondsLeft(now, WINDOW_MS) });
      }
    },
  };
}
