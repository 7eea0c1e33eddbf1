/** Passkeys: keys that a person's own device holds, bound to the host of this server. */

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import { newId, parseId } from '../core/ids.ts';
import type { Db } from '../core/ports.ts';
import { cleanOutsideText } from '../core/text.ts';
import type { Origin, PasskeyQuestion } from '../web/sign-in.ts';
import {
  type ChallengePurpose,
  deleteChallenge,
  insertChallenge,
  insertPasskey,
  selectPasskey,
  selectPasskeysOf,
  updatePasskeyUsed,
} from './passkey-queries.ts';

/** Loaded at first use: a server that starts needs no passkey yet. */
const library = () => import('@simplewebauthn/server');

const CHALLENGE_MS = 5 * 60_000;
const PER_PERSON_MAX = 20;
const NAME_MAX = 60;
/** Ed25519, ES256 and RS256: what devices in use make. */
const ALGORITHMS = [-8, -7, -257];
/** What browsers show as whose key it is. */
const SERVER_NAME = 'Kobana';

const base64url = z
  .string()
  .max(16_384)
  .regex(/^[\w-]*$/);
const credential = z.object({
  id: base64url.min(1).max(1_400),
  rawId: base64url,
  type: z.literal('public-key'),
  clientExtensionResults: z.looseObject({}).default({}),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).nullish(),
});
const registrationSchema = credential.extend({
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(32)).max(10).default([]),
  }),
});
const answerSchema = credential.extend({
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.nullish(),
  }),
});

/** A person as their device names them. */
export interface PasskeyOwner {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

/** What a new key is made of. */
export async function registrationQuestion(
  db: Db,
  owner: PasskeyOwner,
  from: Origin,
  now: Date,
): Promise<PasskeyQuestion> {
  const known = await selectPasskeysOf(db, owner.id);
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: SERVER_NAME,
    rpID: hostOf(from),
    userName: owner.email,
    userDisplayName: owner.name,
    userID: new TextEncoder().encode(owner.id),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
    // Discoverable, so that signing in needs no e-mail address; verified, so that having the device is not enough.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return keepChallenge(db, 'register', owner.id, options, now);
}

/** Keeps the new key. False when the answer is not to this question, or the key is known already. */
export async function registerPasskey(
  db: Db,
  owner: PasskeyOwner,
  answer: { readonly challengeId: string; readonly response: unknown; readonly name: string },
  from: Origin,
  now: Date,
): Promise<boolean> {
  const challenge = await takeChallenge(db, answer.challengeId, 'register', owner.id, now);
  const response = registrationSchema.safeParse(answer.response);
  if (challenge === undefined || !response.success) return false;
  const { verifyRegistrationResponse } = await library();
  const verified = await orNull(
    verifyRegistrationResponse({
      response: response.data as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: from.origin,
      expectedRPID: hostOf(from),
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  if (verified === null || !verified.verified) return false;
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  const passkey = {
    id,
    user_id: owner.id,
    name: cleanOutsideText(answer.name, NAME_MAX) || SERVER_NAME,
    public_key: Buffer.from(publicKey),
    sign_count: counter,
    transports: response.data.response.transports,
  };
  return (await insertPasskey(db, passkey, PER_PERSON_MAX, now)) === 1;
}

/** What a key has to sign: any of this server's (null), or one of this person's. */
export async function passkeyQuestion(
  db: Db,
  userId: string | null,
  from: Origin,
  now: Date,
): Promise<PasskeyQuestion> {
  const known = userId === null ? [] : await selectPasskeysOf(db, userId);
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({
    rpID: hostOf(from),
    userVerification: 'required',
    ...(known.length > 0 && { allowCredentials: known.map(({ id, transports }) => ({ id, transports })) }),
  });
  return keepChallenge(db, userId === null ? 'sign_in' : 'verify', userId, options, now);
}

/** Whose key signed the question, or null when none did; asked of one person (`userId`), it is theirs or nobody's. */
export async function answeredBy(
  db: Db,
  userId: string | null,
  answer: { readonly challengeId: string; readonly response: unknown },
  from: Origin,
  now: Date,
): Promise<string | null> {
  const purpose = userId === null ? 'sign_in' : 'verify';
  const challenge = await takeChallenge(db, answer.challengeId, purpose, userId, now);
  const response = answerSchema.safeParse(answer.response);
  if (challenge === undefined || !response.success) return null;
  const passkey = await selectPasskey(db, response.data.id);
  if (passkey === undefined || (userId !== null && passkey.user_id !== userId)) return null;
  const { userHandle } = response.data.response;
  if (typeof userHandle === 'string' && Buffer.from(userHandle, 'base64url').toString() !== passkey.user_id) {
    return null;
  }
  const { verifyAuthenticationResponse } = await library();
  const verified = await orNull(
    verifyAuthenticationResponse({
      response: response.data as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: from.origin,
      expectedRPID: hostOf(from),
      requireUserVerification: true,
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: passkey.sign_count,
      },
    }),
  );
  if (verified === null || !verified.verified) return null;
  const isNext = await updatePasskeyUsed(db, passkey.id, verified.authenticationInfo.newCounter, now);
  return isNext === 1 ? passkey.user_id : null;
}

async function keepChallenge(
  db: Db,
  purpose: ChallengePurpose,
  userId: string | null,
  options: { readonly challenge: string },
  now: Date,
): Promise<PasskeyQuestion> {
  const challengeId = newId();
  const expiresAt = new Date(now.getTime() + CHALLENGE_MS);
  await insertChallenge(db, { id: challengeId, purpose, userId, challenge: options.challenge, expiresAt });
  return { challengeId, options: { ...options } };
}

async function takeChallenge(
  db: Db,
  challengeId: string,
  purpose: ChallengePurpose,
  userId: string | null,
  now: Date,
): Promise<string | undefined> {
  const id = parseId(challengeId);
  return id === null ? undefined : deleteChallenge(db, id, purpose, userId, now);
}

/** The library throws at whatever is not as it should be, a counter that went back included; here that is a no. */
function orNull<T>(verification: Promise<T>): Promise<T | null> {
  return verification.catch(() => null);
}

/** Keys belong to the host: those of another one are not even offered. */
function hostOf({ origin }: Origin): string {
  return new URL(origin).hostname;
}
