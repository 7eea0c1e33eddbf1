import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openSession } from '../../test/support/session.ts';
import { openWorld, TEST_KEY, type Who, type World } from '../../test/support/world.ts';
import type { SignIn } from '../web/sign-in.ts';
import { createPasswords, type Passwords } from './passwords.ts';
import { createSession, findSession } from './sessions.ts';
import { createSignIn } from './sign-in.ts';

const PASSWORD = 'barco verde na serra';
const cheap = createPasswords({ logN: 4, r: 8, p: 1 });

let world: World;
let signIn: SignIn;
let checked = 0;
const logged: string[] = [];
/** Counts what is done, which is what a clock would measure. */
const counting: Passwords = {
  ...cheap,
  isRight: (password, kept) => {
    checked += 1;
    return cheap.isRight(password, kept);
  },
};

beforeAll(async () => {
  world = await openWorld();
  signIn = createSignIn({
    database: world.runtime.database.shared,
    secretKeys: [TEST_KEY],
    passwords: counting,
    logRefusal: (what, facts) => logged.push(JSON.stringify({ what, ...facts })),
  });
  for (const who of ['owner', 'viewer', 'stranger'] as const) await givePassword(who);
});

afterAll(() => world.close());

let minutes = 0;
beforeEach(() => {
  checked = 0;
  // A window of counted attempts of its own for every test.
  minutes += 16;
  world.setNow(new Date(Date.parse('2026-10-01T12:00:00Z') + minutes * 60_000).toISOString());
});

let places = 0;
/** An address of its own for every attempt that does not say otherwise. */
function from(given?: string) {
  places += 1;
  const address = given ?? `192.0.${places >> 8}.${places & 255}`;
  return { address, userAgent: 'Test browser', origin: 'http://localhost:8080' };
}
const emailOf = (who: Who | 'nobody') => `${who}@example.com`;
const withPassword = (who: Who | 'nobody', password: string, place = from()) =>
  signIn.withPassword(emailOf(who), password, place, world.now());

async function givePassword(who: Who, password = PASSWORD): Promise<void> {
  await world.look('update users set password_hash = $1 where email = $2', [
    await cheap.hash(password),
    emailOf(who),
  ]);
}

async function signedIn(who: Who) {
  const { secret } = await openSession(world, who);
  const person = await signIn.find(secret, world.now());
  if (person === null) throw new Error('not signed in');
  return { secret, person };
}

function secretOf(result: object): string {
  if (!('secret' in result)) throw new Error(JSON.stringify(result));
  return result.secret as string;
}

describe('signing in with a password', () => {
  test('gives a session of the person in their organization', async () => {
    const secret = secretOf(await withPassword('viewer', PASSWORD));
    expect(await signIn.find(secret, world.now())).toMatchObject({
      user: { email: 'viewer@example.com', locale: 'pt-BR' },
      organization: { id: world.organizationId, name: 'Aurora' },
      verifiedAt: world.now().toISOString().replace('.000', ''),
      verifiedWith: 'password',
    });
  });

  test('takes the address in any case and with blanks around it', async () => {
    expect(await signIn.withPassword('  VIEWER@Example.com ', PASSWORD, from(), world.now())).toHaveProperty(
      'secret',
    );
  });

  test('says and does the same whoever does not exist, has no password or gave another one', async () => {
    const wrong = { refused: 'wrong' };
    expect(await withPassword('nobody', PASSWORD)).toEqual(wrong);
    expect(checked).toBe(1);
    expect(await withPassword('accountant', PASSWORD)).toEqual(wrong);
    expect(checked).toBe(2);
    expect(await withPassword('viewer', `${PASSWORD}!`)).toEqual(wrong);
    expect(checked).toBe(3);
  });

  test.each([
    ['nothing', '', ''],
    ['text the database cannot hold', 'viewer\0@example.com', 'a\0b'],
    ['halves of characters', '\ud800', '\ud800'],
    ['a very long address', `${'a'.repeat(5_000)}@example.com`, PASSWORD],
    ['a very long password', 'viewer@example.com', 'a'.repeat(60_000)],
  ])('refuses %s like any wrong one', async (_what, email, password) => {
    expect(await signIn.withPassword(email, password, from(), world.now())).toEqual({ refused: 'wrong' });
  });

  test('renews a hash that was made at a lower cost', async () => {
    await world.look('update users set password_hash = $1 where email = $2', [
      await createPasswords({ logN: 3, r: 8, p: 1 }).hash(PASSWORD),
      'owner@example.com',
    ]);
    secretOf(await withPassword('owner', PASSWORD));
    const [row] = await world.look<{ password_hash: string }>(
      "select password_hash from users where email = 'owner@example.com'",
    );
    expect(row?.password_hash).toMatch(/^\$scrypt\$ln=4,/);
    secretOf(await withPassword('owner', PASSWORD));
  });

  test('keeps neither the secret of the session nor the e-mail that was tried', async () => {
    const secret = secretOf(await withPassword('viewer', PASSWORD));
    await withPassword('nobody', PASSWORD);
    const [stored] = await world.look<{ text: string }>(
      "select coalesce(string_agg(a::text, ''), '') || (select string_agg(s::text, '') from sessions s) as text from attempts a",
    );
    expect(stored?.text).not.toContain(secret);
    expect(stored?.text).not.toContain('nobody');
    expect(stored?.text).not.toContain(Buffer.from('nobody').toString('hex'));
  });
});

describe('guessing', () => {
  test('is held back for an e-mail address after ten wrong passwords, from wherever, and then let go on', async () => {
    for (let time = 0; time < 10; time += 1) {
      expect(await withPassword('viewer', 'guess')).toEqual({ refused: 'wrong' });
    }
    const held = await withPassword('viewer', PASSWORD);
    expect(held).toMatchObject({ refused: 'too_many' });
    const { retryAfterSeconds } = held as { retryAfterSeconds: number };
    expect(retryAfterSeconds).toBeGreaterThan(0);
    expect(retryAfterSeconds).toBeLessThanOrEqual(900);
    expect(await withPassword('stranger', PASSWORD)).toHaveProperty('secret');
    world.setNow(new Date(world.now().getTime() + retryAfterSeconds * 1_000).toISOString());
    expect(await withPassword('viewer', PASSWORD)).toHaveProperty('secret');
  });

  test('is logged in plain words, with where it came from and not whom it was about', async () => {
    logged.length = 0;
    const place = from('198.51.100.99');
    await withPassword('viewer', 'guess', place);
    await withPassword('nobody', 'guess', place);
    for (let time = 0; time < 28; time += 1) await withPassword('nobody', 'guess', place);
    await withPassword('stranger', PASSWORD, place);
    expect(logged.slice(0, 2)).toEqual(
      Array(2).fill(
        '{"what":"somebody was not let in","why":"a wrong password, passkey or link","address":"198.51.100.99"}',
      ),
    );
    expect(logged.at(-1)).toContain('too many attempts');
    expect(logged.join()).not.toMatch(/example\.com|guess|serra/);
    logged.length = 0;
    await withPassword('viewer', PASSWORD);
    expect(logged).toEqual([]);
  });

  test('is held back the same for an address that nobody has', async () => {
    for (let time = 0; time < 10; time += 1) await withPassword('nobody', 'guess');
    expect(await withPassword('nobody', PASSWORD)).toMatchObject({ refused: 'too_many' });
  });

  test('is held back when all of it comes at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => withPassword('viewer', 'guess')));
    expect(answers.filter((answer) => 'refused' in answer && answer.refused === 'wrong')).toHaveLength(10);
    expect(answers.filter((answer) => 'refused' in answer && answer.refused === 'too_many')).toHaveLength(10);
  });

  test('is held back for a network address after thirty, and a right one in between does not start it anew', async () => {
    const place = from('198.51.100.7');
    for (let time = 0; time < 30; time += 1) {
      if (time % 5 === 0) secretOf(await withPassword('stranger', PASSWORD, place));
      await signIn.withPassword(`someone${time}@example.com`, 'guess', place, world.now());
    }
    expect(await withPassword('stranger', PASSWORD, place)).toMatchObject({ refused: 'too_many' });
    expect(await withPassword('stranger', PASSWORD)).toHaveProperty('secret');
  });

  test('an address held back does not use up the attempts of other people', async () => {
    const place = from('198.51.100.8');
    for (let time = 0; time < 30; time += 1) {
      await signIn.withPassword(`other${time}@example.com`, 'guess', place, world.now());
    }
    for (let time = 0; time < 20; time += 1) await withPassword('viewer', 'guess', place);
    expect(await withPassword('viewer', PASSWORD)).toHaveProperty('secret');
  });

  test('the right password forgets the wrong ones before it', async () => {
    for (let time = 0; time < 9; time += 1) await withPassword('viewer', 'guess');
    secretOf(await withPassword('viewer', PASSWORD));
    for (let time = 0; time < 10; time += 1) {
      expect(await withPassword('viewer', 'guess')).toEqual({ refused: 'wrong' });
    }
  });

  test('is counted for proofs inside a session as well', async () => {
    const { person } = await signedIn('viewer');
    for (let time = 0; time < 10; time += 1) {
      expect(await signIn.verifyPassword(person, 'guess', null, from(), world.now())).toEqual({
        refused: 'wrong',
      });
    }
    expect(await signIn.verifyPassword(person, PASSWORD, null, from(), world.now())).toMatchObject({
      refused: 'too_many',
    });
  });
});

test('guesses of somebody outside do not keep a person who is signed in from proving that it is them', async () => {
  const { person } = await signedIn('viewer');
  for (let time = 0; time < 10; time += 1) await withPassword('viewer', 'guess');
  expect(await withPassword('viewer', PASSWORD)).toMatchObject({ refused: 'too_many' });
  expect(await signIn.verifyPassword(person, PASSWORD, null, from(), world.now())).toBe('verified');
});

describe('a session', () => {
  test('is over after two hours without a page, and after twelve in any case', async () => {
    const secret = secretOf(await withPassword('viewer', PASSWORD));
    const start = world.now().getTime();
    const after = (hours: number) => signIn.find(secret, new Date(start + hours * 3_600_000));
    for (let hours = 0; hours < 12; hours += 1.9) expect(await after(hours)).not.toBeNull();
    expect(await after(12)).toBeNull();
    const idle = secretOf(await withPassword('viewer', PASSWORD));
    expect(await signIn.find(idle, new Date(start + 2.1 * 3_600_000))).toBeNull();
  });

  test('ends when the person signs out, and with it what was remembered of it', async () => {
    const { secret, person } = await signedIn('viewer');
    const caller = await person.callerFor('account');
    await signIn.signOut(person, world.now());
    expect(await signIn.find(secret, world.now())).toBeNull();
    expect(await world.runtime.authenticator.refresh(caller!, world.now())).toBeNull();
  });

  test.each([[''], ['x'], ['\0'.repeat(43)], ['kob_finance_x']])('is not found by %j', async (secret) => {
    expect(await signIn.find(secret, world.now())).toBeNull();
  });

  test('notes a fresh proof and what it was for; a wrong one changes nothing', async () => {
    const { secret, person } = await signedIn('viewer');
    const started = world.now();
    world.setNow(new Date(started.getTime() + 600_000).toISOString());
    const purpose = 'approval:0192';
    expect(await signIn.verifyPassword(person, 'guess', purpose, from(), world.now())).toEqual({
      refused: 'wrong',
    });
    expect((await findSession(world.runtime.database.shared, secret, world.now()))?.row).toMatchObject({
      verified_at: started.toISOString().replace('.000', ''),
      verified_for: null,
    });
    expect(await signIn.verifyPassword(person, PASSWORD, purpose, from(), world.now())).toBe('verified');
    const caller = await (await signIn.find(secret, world.now()))?.callerFor('finance');
    expect(caller?.session).toMatchObject({
      verifiedAt: world.now().toISOString().replace('.000', ''),
      verifiedFor: purpose,
    });
  });

  test('changes to another organization only where the person has a role, and proves nothing by it', async () => {
    const { person } = await signedIn('viewer');
    const started = world.now();
    const abroad = (await world.caller('stranger')).organization.id;
    expect(await signIn.switchOrganization(person, abroad, from(), world.now())).toBeNull();
    await world.look(
      "insert into memberships (organization_id, user_id, role) values ($1, $2, 'accountant')",
      [abroad, person.user.id],
    );
    world.setNow(new Date(started.getTime() + 600_000).toISOString());
    const switched = await signIn.switchOrganization(person, abroad, from(), world.now());
    const there = await signIn.find(secretOf(switched!), world.now());
    expect(there).toMatchObject({
      organization: { id: abroad, name: 'Boreal' },
      verifiedAt: started.toISOString().replace('.000', ''),
    });
    expect((await there?.callerFor('account'))?.organization.id).toBe(abroad);
    expect(await signIn.find((await signedIn('viewer')).secret, world.now())).toMatchObject({
      organization: { name: 'Aurora' },
    });
    await world.look('delete from memberships where organization_id = $1 and user_id = $2', [
      abroad,
      person.user.id,
    ]);
  });
});

test('a session that changes between organizations ends when it would have ended, and not at all once it is over', async () => {
  const { person } = await signedIn('viewer');
  const start = world.now().getTime();
  const later = new Date(start + 11 * 3_600_000);
  const switched = await signIn.switchOrganization(person, person.organization.id, from(), later);
  const secret = secretOf(switched!);
  expect(await signIn.find(secret, new Date(start + 11.9 * 3_600_000))).not.toBeNull();
  expect(await signIn.find(secret, new Date(start + 12 * 3_600_000))).toBeNull();
  expect(await signIn.switchOrganization(person, person.organization.id, from(), later)).toBeNull();
});

describe('changing the password', () => {
  const NEXT = 'trem azul no planalto';
  const change = async (current: string, next: string, who: Who = 'viewer') => {
    const { person, secret } = await signedIn(who);
    return { result: await signIn.changePassword(person, current, next, from(), world.now()), secret };
  };

  test('needs the present one, and a new one that may be chosen', async () => {
    expect((await change('guess', NEXT)).result).toEqual({ refused: 'wrong' });
    expect((await change(PASSWORD, 'short')).result).toEqual({ refused: 'weak', rule: 'too_short' });
    expect((await change(PASSWORD, 'viewer at the window')).result).toEqual({
      refused: 'weak',
      rule: 'about_you',
    });
    secretOf(await withPassword('viewer', PASSWORD));
  });

  test('ends the sessions elsewhere and not this one', async () => {
    const elsewhere = secretOf(await withPassword('viewer', PASSWORD));
    const { result, secret } = await change(PASSWORD, NEXT);
    expect(result).toBe('changed');
    expect(await signIn.find(elsewhere, world.now())).toBeNull();
    expect(await signIn.find(secret, world.now())).not.toBeNull();
    expect(await withPassword('viewer', PASSWORD)).toEqual({ refused: 'wrong' });
    secretOf(await withPassword('viewer', NEXT));
    await givePassword('viewer');
  });

  test('of two at once, one is made', async () => {
    const { person } = await signedIn('viewer');
    const results = await Promise.all(
      [NEXT, 'lua cheia no cerrado'].map((next) =>
        signIn.changePassword(person, PASSWORD, next, from(), world.now()),
      ),
    );
    expect(results.filter((result) => result === 'changed')).toHaveLength(1);
    await givePassword('viewer');
  });
});

test('a session started for a proof in the past is as old as the proof', async () => {
  const db = world.runtime.database.shared;
  const { user, organization } = await world.caller('viewer');
  const verifiedAt = new Date(world.now().getTime() - 3_600_000);
  const { secret } = await createSession(
    db,
    { userId: user.id, organizationId: organization.id, verifiedWith: 'passkey', verifiedAt, userAgent: '' },
    world.now(),
  );
  expect((await findSession(db, secret, world.now()))?.row.verified_at).toBe(
    verifiedAt.toISOString().replace('.000', ''),
  );
});
