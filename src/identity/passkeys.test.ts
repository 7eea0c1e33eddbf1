import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAuthenticator, type TestAuthenticator } from '../../test/support/authenticator.ts';
import { openSession } from '../../test/support/session.ts';
import { openWorld, TEST_KEY, type Who, type World } from '../../test/support/world.ts';
import { newId } from '../core/ids.ts';
import type { PasskeyQuestion, SignIn } from '../web/sign-in.ts';
import { createSignIn } from './sign-in.ts';

const ORIGIN = 'http://localhost:8080';
const wrong = { refused: 'wrong' };

let world: World;
let signIn: SignIn;
/** A key of the owner, registered. */
let key: TestAuthenticator;

beforeAll(async () => {
  world = await openWorld();
  signIn = createSignIn({ database: world.runtime.database.shared, secretKeys: [TEST_KEY] });
  key = await registeredKey('owner');
});

afterAll(() => world.close());

let minutes = 0;
beforeEach(() => {
  minutes += 16;
  world.setNow(new Date(Date.parse('2026-10-01T12:00:00Z') + minutes * 60_000).toISOString());
});

const from = (address = '192.0.2.1', origin = ORIGIN) => ({ address, userAgent: 'Test browser', origin });

async function signedIn(who: Who) {
  const { secret } = await openSession(world, who);
  const person = await signIn.find(secret, world.now());
  if (person === null) throw new Error('not signed in');
  return { secret, person };
}

async function registeredKey(who: Who, options?: { counts?: boolean }): Promise<TestAuthenticator> {
  const { person } = await signedIn(who);
  const authenticator = createAuthenticator(ORIGIN, person.user.id, options);
  const question = await signIn.registrationQuestion(person, from(), world.now());
  const response = authenticator.register(question.options);
  const name = `Key of ${who}`;
  const result = await signIn.registerPasskey(
    person,
    question.challengeId,
    response,
    name,
    from(),
    world.now(),
  );
  expect(result).toBe('registered');
  return authenticator;
}

const ask = () => signIn.passkeyQuestion(from(), world.now());
const answer = ({ challengeId }: PasskeyQuestion, response: unknown, place = from()) =>
  signIn.withPasskey(challengeId, response, place, world.now());

describe('registering a passkey', () => {
  test('asks for a key that needs no e-mail address and knows its holder, for this host alone', async () => {
    const { person } = await signedIn('owner');
    const { options } = await signIn.registrationQuestion(person, from(), world.now());
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: 'owner@example.com', displayName: 'Person owner' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: key.id }],
    });
  });

  test('keeps it under a clean name, with when it was used', async () => {
    const { person } = await signedIn('owner');
    const [passkey] = await signIn.passkeysOf(person);
    expect(passkey).toMatchObject({ id: key.id, name: 'Key of owner' });
    await answer(...(await answered()));
    const [used] = await signIn.passkeysOf(person);
    expect(used?.lastUsedAt).toBe(world.now().toISOString().replace('.000', ''));
  });

  test('is refused after five minutes without a proof: who found an open browser makes no key', async () => {
    const { secret } = await signedIn('owner');
    world.setNow(new Date(world.now().getTime() + 301_000).toISOString());
    const person = (await signIn.find(secret, world.now()))!;
    const stale = { code: 'verification_required' };
    await expect(signIn.registrationQuestion(person, from(), world.now())).rejects.toMatchObject(stale);
    await expect(
      signIn.registerPasskey(person, newId(), {}, 'Key', from(), world.now()),
    ).rejects.toMatchObject(stale);
    await expect(signIn.removePasskey(person, key.id, world.now())).rejects.toMatchObject(stale);
    expect(await signIn.passkeysOf(person)).toHaveLength(1);
  });

  test("takes an answer once, to the person's own question, from this origin", async () => {
    const { person } = await signedIn('approver');
    const other = (await signedIn('viewer')).person;
    const made = createAuthenticator(ORIGIN, person.user.id);
    const question = await signIn.registrationQuestion(person, from(), world.now());
    const response = made.register(question.options);
    const register = (who = person) =>
      signIn.registerPasskey(who, question.challengeId, response, 'Key', from(), world.now());
    expect(await register(other)).toEqual(wrong);
    expect(await register()).toBe('registered');
    expect(await register()).toEqual(wrong);
    const again = await signIn.registrationQuestion(person, from(), world.now());
    const elsewhere = createAuthenticator('http://evil.example', person.user.id);
    expect(
      await signIn.registerPasskey(
        person,
        again.challengeId,
        elsewhere.register(again.options),
        'Key',
        from(),
        world.now(),
      ),
    ).toEqual(wrong);
  });

  test("does not take over a key that is somebody else's", async () => {
    const { person } = await signedIn('viewer');
    const question = await signIn.registrationQuestion(person, from(), world.now());
    const response = key.register(question.options);
    expect(
      await signIn.registerPasskey(person, question.challengeId, response, 'Mine', from(), world.now()),
    ).toEqual(wrong);
    const signed = await answer(...(await answered()));
    expect(await signIn.find((signed as { secret: string }).secret, world.now())).toMatchObject({
      user: { email: 'owner@example.com' },
    });
  });
});

/** A question and the right answer to it. */
async function answered(
  overrides?: Parameters<TestAuthenticator['answer']>[1],
): Promise<[PasskeyQuestion, unknown]> {
  const question = await ask();
  return [question, key.answer(question.options, overrides)];
}

describe('signing in with a passkey', () => {
  test('needs no e-mail address and gives a session of its owner', async () => {
    const result = await answer(...(await answered()));
    const person = await signIn.find((result as { secret: string }).secret, world.now());
    expect(person).toMatchObject({ user: { email: 'owner@example.com' }, verifiedWith: 'passkey' });
  });

  test('takes an answer once', async () => {
    const [question, response] = await answered();
    const results = await Promise.all([answer(question, response), answer(question, response)]);
    expect(results.filter((result) => 'secret' in result)).toHaveLength(1);
    expect(await answer(question, response)).toEqual(wrong);
  });

  test('is refused after five minutes', async () => {
    const [question, response] = await answered();
    world.setNow(new Date(world.now().getTime() + 300_000).toISOString());
    expect(await answer(question, response)).toEqual(wrong);
  });

  test('is refused from another page, or to a host this is not', async () => {
    expect(await answer(...(await answered({ origin: 'http://evil.example' })))).toEqual(wrong);
    const [question, response] = await answered();
    expect(await answer(question, response, from('192.0.2.1', 'http://other.example'))).toEqual(wrong);
  });

  test('is refused where the device did not check who holds it', async () => {
    expect(await answer(...(await answered({ isVerified: false })))).toEqual(wrong);
  });

  test('is refused when the counter went back: the key may have been copied', async () => {
    const [first, response] = await answered({ counter: 1_000 });
    expect(await answer(first, response)).toHaveProperty('secret');
    expect(await answer(...(await answered({ counter: 999 })))).toEqual(wrong);
    expect(await answer(...(await answered({ counter: 1_000 })))).toEqual(wrong);
    expect(await answer(...(await answered({ counter: 1_001 })))).toHaveProperty('secret');
    await world.look('update passkeys set sign_count = 0 where id = $1', [key.id]);
  });

  test('works with a key that does not count', async () => {
    const synced = await registeredKey('colleague', { counts: false });
    for (let time = 0; time < 2; time += 1) {
      const question = await ask();
      expect(await answer(question, synced.answer(question.options))).toHaveProperty('secret');
    }
  });

  test.each([
    ['nothing', null],
    ['text', 'yes'],
    ['an empty answer', {}],
    ['one of nobody', { id: 'eA', rawId: 'eA', type: 'public-key', response: {} }],
    [
      'one of a key nobody has',
      {
        id: 'eA',
        rawId: 'eA',
        type: 'public-key',
        response: { clientDataJSON: '', authenticatorData: '', signature: '' },
      },
    ],
  ])('refuses %s', async (_what, response) => {
    expect(await answer(await ask(), response)).toEqual(wrong);
    expect(await answer({ challengeId: 'not an id', options: {} }, response)).toEqual(wrong);
  });

  test('refuses an answer signed with another key, or said to be of another person', async () => {
    const question = await ask();
    const forged = createAuthenticator(ORIGIN, 'x').answer(question.options) as object;
    expect(await answer(question, { ...forged, id: key.id, rawId: key.id })).toEqual(wrong);
    const [asked, response] = await answered();
    const said = structuredClone(response) as { response: { userHandle: string } };
    said.response.userHandle = Buffer.from(newId()).toString('base64url');
    expect(await answer(asked, said)).toEqual(wrong);
  });

  test('is held back for a network address after thirty wrong answers', async () => {
    for (let time = 0; time < 30; time += 1) {
      expect(await answer(await ask(), {}, from('203.0.113.9'))).toEqual(wrong);
    }
    const [question, response] = await answered();
    expect(await answer(question, response, from('203.0.113.9'))).toMatchObject({ refused: 'too_many' });
    expect(await answer(question, response)).toHaveProperty('secret');
  });

  test('asks one address no more than three hundred questions in a quarter of an hour', async () => {
    const place = from('203.0.113.10');
    for (let time = 0; time < 300; time += 1) await signIn.passkeyQuestion(place, world.now());
    await expect(signIn.passkeyQuestion(place, world.now())).rejects.toMatchObject({
      code: 'rate_limited',
      details: { retry_after: expect.any(Number) },
    });
  });
});

describe('proving again with a passkey', () => {
  test("takes the person's own key for the purpose named, and nobody else's", async () => {
    const { person, secret } = await signedIn('owner');
    const strange = await registeredKey('stranger');
    const verify = async (authenticator: TestAuthenticator) => {
      const question = await signIn.verifyQuestion(person, from(), world.now());
      const response = authenticator.answer(question.options);
      return signIn.verifyPasskey(person, question.challengeId, response, 'approval:1', from(), world.now());
    };
    expect(await verify(strange)).toEqual(wrong);
    expect(await verify(key)).toBe('verified');
    const caller = await (await signIn.find(secret, world.now()))?.callerFor('finance');
    expect(caller?.session).toMatchObject({ verifiedWith: 'passkey', verifiedFor: 'approval:1' });
  });

  test('does not take an answer to the question of signing in, nor the other way round', async () => {
    const { person } = await signedIn('owner');
    const [question, response] = await answered();
    const { challengeId } = question;
    expect(await signIn.verifyPasskey(person, challengeId, response, null, from(), world.now())).toEqual(
      wrong,
    );
    const verification = await signIn.verifyQuestion(person, from(), world.now());
    expect(await answer(verification, key.answer(verification.options))).toEqual(wrong);
  });

  test("offers only the person's keys", async () => {
    const { person } = await signedIn('owner');
    const { options } = await signIn.verifyQuestion(person, from(), world.now());
    expect(options).toMatchObject({ allowCredentials: [{ id: key.id }], userVerification: 'required' });
  });
});

test("a passkey that was removed opens nothing; nobody removes another person's", async () => {
  const gone = await registeredKey('reader');
  const mine = (await signedIn('reader')).person;
  const other = (await signedIn('viewer')).person;
  await signIn.removePasskey(other, gone.id, world.now());
  expect(await signIn.passkeysOf(mine)).toHaveLength(1);
  await signIn.removePasskey(mine, gone.id, world.now());
  await signIn.removePasskey(mine, gone.id, world.now());
  expect(await signIn.passkeysOf(mine)).toEqual([]);
  const question = await ask();
  expect(await answer(question, gone.answer(question.options))).toEqual(wrong);
});
