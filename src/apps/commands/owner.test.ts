import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWorld, TEST_KEY, type World } from '../../../test/support/world.ts';
import { createPasswords } from '../../identity/passwords.ts';
import { createSignIn } from '../../identity/sign-in.ts';
import type { SignIn } from '../../web/sign-in.ts';
import { readConfig, UsageError } from '../config.ts';
import { consoleUrlOf } from './console-url.ts';
import { createOwner, owner, ownerRequestOf } from './owner.ts';
import { person, resetPerson } from './person.ts';

const PASSWORD = 'barco verde na serra';

let world: World;
let signIn: SignIn;

beforeAll(async () => {
  world = await openWorld();
  signIn = createSignIn({
    database: world.runtime.database.shared,
    secretKeys: [TEST_KEY],
    passwords: createPasswords({ logN: 4, r: 8, p: 1 }),
  });
});

afterAll(() => world.close());

const from = { address: '192.0.2.1', userAgent: '', origin: 'http://localhost:8080' };
const request = (email: string, organization: string) =>
  ownerRequestOf((flag) => ({ email, organization, name: 'First owner' })[flag]);
const reset = async (email: string, removesPasskeys = false) =>
  (await resetPerson(world.runtime, email, removesPasskeys))!;
const accept = (path: string, password = PASSWORD) =>
  signIn.acceptInvitation(path.split('/').at(-1)!, password, from, world.now());
const enter = (email: string, password = PASSWORD) => signIn.withPassword(email, password, from, world.now());

describe('kobana owner create', () => {
  test('makes an organization, its first workspace and an owner who comes in by the link, once', async () => {
    const created = await createOwner(world.runtime, request('First@Example.com', 'Cometa'));
    expect(created.link?.path).toMatch(/^\/console\/invitation\/[\w-]{43}$/);
    expect(created.link?.expiresAt.getTime()).toBe(world.now().getTime() + 86_400_000);
    expect(await signIn.invitation(created.link!.path.split('/').at(-1)!, world.now())).toEqual({
      email: 'first@example.com',
      name: 'First owner',
      organizationName: 'Cometa',
      invitedBy: null,
    });
    expect(await enter('first@example.com')).toEqual({ refused: 'wrong' });
    const result = await accept(created.link!.path);
    const signedIn = await signIn.find((result as { secret: string }).secret, world.now());
    const caller = await signedIn?.callerFor('account');
    expect(caller?.organization).toMatchObject({ id: created.organizationId, name: 'Cometa' });
    expect(caller?.organizationScopes.has('account.owners.write')).toBe(true);
    expect([...caller!.workspaces.values()]).toMatchObject([{ id: created.workspaceId, name: 'Principal' }]);
    expect(await accept(created.link!.path)).toEqual({ refused: 'wrong' });
    expect(await enter('first@example.com')).toHaveProperty('secret');
  });

  test('records that in the chain of the organization', async () => {
    const { organizationId } = await createOwner(world.runtime, request('chain@example.com', 'Chain'));
    const events = await world.look<{ body: string }>('select body from events where tenant_id = $1', [
      organizationId,
    ]);
    expect(events.map(({ body }) => JSON.parse(body))).toMatchObject([
      {
        operation: 'owner_create',
        actor: { clientId: 'command line', surface: 'cli' },
        changes: [{ kind: 'organization' }, { kind: 'workspace' }, { kind: 'person' }],
      },
    ]);
  });

  test('is refused for the same person and organization, and changes nothing then', async () => {
    await createOwner(world.runtime, request('twice@example.com', 'Twice'));
    await expect(createOwner(world.runtime, request('twice@example.com', 'Twice'))).rejects.toThrow(
      UsageError,
    );
    expect(await world.look("select from organizations where name = 'Twice'")).toHaveLength(1);
  });

  test('gives somebody who has a password another organization and no link', async () => {
    const first = await createOwner(world.runtime, request('both@example.com', 'One'));
    await accept(first.link!.path);
    const second = await createOwner(world.runtime, request('both@example.com', 'Two'));
    expect(second).toMatchObject({ userId: first.userId, link: null });
    const entered = await enter('both@example.com');
    const signedIn = (await signIn.find((entered as { secret: string }).secret, world.now()))!;
    expect(signedIn.organization.name).toBe('One');
    const switched = await signIn.switchOrganization(signedIn, second.organizationId, from, world.now());
    expect(await signIn.find(switched!.secret, world.now())).toMatchObject({ organization: { name: 'Two' } });
  });

  test('a link is over after 24 hours', async () => {
    const { link } = await createOwner(world.runtime, request('late@example.com', 'Late'));
    const later = new Date(world.now().getTime() + 86_400_000);
    expect(await signIn.acceptInvitation(link!.path.split('/').at(-1)!, PASSWORD, from, later)).toEqual({
      refused: 'wrong',
    });
  });

  test.each([
    ['nothing', []],
    ['an unknown verb', ['make', '--email', 'a@example.com']],
    ['no e-mail', ['create', '--name', 'A', '--organization', 'B']],
    ['an e-mail that is none', ['create', '--email', 'a', '--name', 'A', '--organization', 'B']],
    ['no name', ['create', '--email', 'a@example.com', '--organization', 'B']],
    ['no organization', ['create', '--email', 'a@example.com', '--name', 'A']],
    [
      'an unknown language',
      ['create', '--email', 'a@example.com', '--name', 'A', '--organization', 'B', '--locale', 'fr'],
    ],
    ['an unknown flag', ['create', '--mail', 'a@example.com']],
  ])('refuses %s before a database is opened', async (_what, words) => {
    await expect(owner(words, readConfig({}))).rejects.toThrow(UsageError);
  });
});

describe('kobana person reset', () => {
  test('ends password and sessions at once, and lets the person choose another password, once', async () => {
    const created = await createOwner(world.runtime, request('lost@example.com', 'Lost'));
    const { secret } = (await accept(created.link!.path)) as { secret: string };
    const first = await reset(' LOST@example.com');
    const link = await reset('lost@example.com');
    expect(await signIn.find(secret, world.now())).toBeNull();
    expect(await enter('lost@example.com')).toEqual({ refused: 'wrong' });
    expect(await accept(first.path, 'trem azul no planalto')).toEqual({ refused: 'wrong' });
    expect(await accept(link.path, 'trem azul no planalto')).toHaveProperty('secret');
    expect(await accept(link.path)).toEqual({ refused: 'wrong' });
    expect(await enter('lost@example.com', 'trem azul no planalto')).toHaveProperty('secret');
    const events = await world.look<{ body: string }>(
      "select body from events where tenant_id = $1 and operation = 'person_reset'",
      [created.organizationId],
    );
    expect(events).toHaveLength(2);
    expect(JSON.stringify(events)).not.toContain(link.path.split('/').at(-1));
  });

  test('takes the passkeys only when told to', async () => {
    const { userId } = await createOwner(world.runtime, request('keys@example.com', 'Keys'));
    await world.look(
      "insert into passkeys (id, user_id, name, public_key, sign_count, created_at) values ('k', $1, 'K', '', 0, now())",
      [userId],
    );
    const passkeys = () => world.look('select from passkeys where user_id = $1', [userId]);
    await reset('keys@example.com');
    expect(await passkeys()).toHaveLength(1);
    await reset('keys@example.com', true);
    expect(await passkeys()).toHaveLength(0);
  });

  test('of somebody who left every organization lets the next invitation choose a password', async () => {
    const { userId, link } = await createOwner(world.runtime, request('left@example.com', 'Left'));
    await accept(link!.path);
    await world.look('delete from memberships where user_id = $1', [userId]);
    expect(await resetPerson(world.runtime, 'left@example.com', false)).toBeNull();
    const again = await createOwner(world.runtime, request('left@example.com', 'Back'));
    expect(again).toMatchObject({ userId, link: { path: expect.any(String) } });
    expect(await accept(again.link!.path, 'trem azul no planalto')).toHaveProperty('secret');
  });

  test('is refused for an address nobody has, and for words that are not ours', async () => {
    await expect(resetPerson(world.runtime, 'nobody@example.com', false)).rejects.toThrow(UsageError);
    for (const words of [[], ['reset'], ['invite', '--email', 'a@example.com'], ['reset', '--mail', 'a']]) {
      await expect(person(words, readConfig({}))).rejects.toThrow(UsageError);
    }
  });
});

describe('the address of the console', () => {
  test.each([
    [{}, 'http://localhost:3333/x'],
    [{ HOST: '0.0.0.0', PORT: '80' }, 'http://localhost:80/x'],
    [{ PUBLIC_URL: 'https://books.example' }, 'https://books.example/x'],
  ])('of %j is %s', (environment, url) => {
    const config = readConfig(environment);
    expect(consoleUrlOf(config, '/x').replace(/:\d+(?=\/)/, ':N')).toBe(url.replace(/:\d+(?=\/)/, ':N'));
  });
});
