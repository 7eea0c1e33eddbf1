import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callAccount, openSession, type TestSession } from '../../../test/support/session.ts';
import { openWorld, TEST_KEY, type Who, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import { createPasswords } from '../../identity/passwords.ts';
import { purgeIdentity } from '../../identity/purge.ts';
import { createSignIn } from '../../identity/sign-in.ts';
import type { SignIn } from '../../web/sign-in.ts';

const PASSWORD = 'barco verde na serra';
const OTHER_PASSWORD = 'trem azul no planalto';
const everywhere = (role: string) => [{ workspace_id: null, role }];

let world: World;
let signIn: SignIn;
let owner: TestSession;
let admin: TestSession;
/** The owner of another organization. */
let stranger: TestSession;

beforeAll(async () => {
  world = await openWorld();
  signIn = createSignIn({
    database: world.runtime.database.shared,
    secretKeys: [TEST_KEY],
    passwords: createPasswords({ logN: 4, r: 8, p: 1 }),
  });
  owner = await openSession(world);
  stranger = await openSession(world, 'stranger');
  await world.look(
    "update memberships set role = 'admin' where user_id = (select id from users where email = 'approver@example.com')",
  );
  admin = await openSession(world, 'approver');
});

afterAll(() => world.close());

let places = 0;
function from() {
  places += 1;
  return { address: `192.0.2.${places % 250}`, userAgent: '', origin: 'http://localhost:8080' };
}

let people = 0;
const invite = (roles: object[] = everywhere('viewer'), by = owner, email?: string) => {
  people += 1;
  const person = { email: email ?? `invited${people}@example.com`, name: `Invited ${people}`, roles };
  return by.account('account_people_invite', person);
};
const secretIn = (invited: Record<string, any>) => String(invited['invitation_path']).split('/').at(-1)!;
const accept = (invited: Record<string, any>, password = PASSWORD) =>
  signIn.acceptInvitation(secretIn(invited), password, from(), world.now());

/** Somebody who was invited and accepted, signed in. */
async function joined(role = 'viewer', by = owner, email?: string) {
  const invited = await invite(everywhere(role), by, email);
  const result = await accept(invited);
  if (!('secret' in result)) throw new Error(JSON.stringify(result));
  const person = (await signIn.find(result.secret, world.now()))!;
  return { id: String(invited['id']), secret: result.secret, person, email: String(invited['email']) };
}

async function idOf(who: Who): Promise<string> {
  return (await world.caller(who)).user.id;
}

async function rolesOf(id: string): Promise<unknown> {
  const { roles } = await owner.account('account_people_get', { id });
  return (roles as { role: string }[]).map(({ role }) => role);
}

async function eventsAbout(id: string): Promise<any[]> {
  const rows = await world.look<{ body: string }>(
    'select body from events where tenant_id = $1 and body like $2 order by position',
    [world.organizationId, `%${id}%`],
  );
  return rows.map(({ body }) => JSON.parse(body));
}

describe('account_people_list', () => {
  test('shows the people of the organization with their roles, page by page', async () => {
    const emails: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await owner.account('account_people_list', { limit: 3, ...(cursor && { cursor }) });
      emails.push(...page['items'].map((item: { email: string }) => item.email));
      cursor = page['next_cursor'] ?? undefined;
    } while (cursor !== undefined);
    expect(emails).toContain('viewer@example.com');
    expect(emails).not.toContain('stranger@example.com');
    expect(new Set(emails).size).toBe(emails.length);
    const [viewer] = (await owner.account('account_people_list', { search: 'VIEWER@' }))['items'];
    expect(viewer).toMatchObject({
      id: await idOf('viewer'),
      name: 'Person viewer',
      status: 'active',
      roles: [{ workspace_id: null, workspace_name: null, role: 'viewer' }],
    });
  });

  test('is for who manages people', async () => {
    const viewer = await openSession(world, 'viewer');
    await expect(viewer.account('account_people_list')).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('shows nobody of another organization', async () => {
    const id = await idOf('stranger');
    await expect(owner.account('account_people_get', { id })).rejects.toMatchObject({ code: 'not_found' });
    expect((await owner.account('account_people_list', { search: 'stranger' }))['items']).toEqual([]);
  });
});

describe('account_people_invite', () => {
  test('gives a link once; accepted, the person is in with the roles given', async () => {
    const invited = await invite([{ workspace_id: world.workspaceId, role: 'finance' }]);
    expect(invited).toMatchObject({
      status: 'invited',
      name: null,
      invitation_path: expect.stringMatching(/^\/console\/invitation\/[\w-]{43}$/),
      roles: [{ workspace_id: world.workspaceId, workspace_name: 'Matriz', role: 'finance' }],
    });
    expect(await signIn.invitation(secretIn(invited), world.now())).toEqual({
      email: invited['email'],
      name: invited['email'],
      organizationName: 'Aurora',
      invitedBy: 'Person owner',
    });
    const result = await accept(invited);
    const person = await signIn.find((result as { secret: string }).secret, world.now());
    const caller = await person?.callerFor('finance');
    expect([...caller!.workspaces.keys()]).toEqual([world.workspaceId]);
    expect(caller?.organizationScopes.size).toBe(0);
    expect(await signIn.invitation(secretIn(invited), world.now())).toBeNull();
    expect(await accept(invited)).toEqual({ refused: 'wrong' });
    expect(await signIn.withPassword(String(invited['email']), PASSWORD, from(), world.now())).toHaveProperty(
      'secret',
    );
  });

  test('records who was invited to what, without the link and without the address', async () => {
    const invited = await invite();
    const [event] = await eventsAbout(String(invited['id']));
    expect(event).toMatchObject({
      operation: 'account_people_invite',
      actor: { userId: owner.userId, clientId: 'console', surface: 'console' },
      changes: [{ kind: 'person', id: invited['id'], before: null, after: { roles: everywhere('viewer') } }],
    });
    expect(JSON.stringify(event)).not.toContain(secretIn(invited));
    expect(JSON.stringify(event)).not.toContain('@example.com');
    const stored = await world.look<{ row: string }>('select i::text as row from invitations i');
    expect(JSON.stringify(stored)).not.toContain(secretIn(invited));
  });

  test('with an idempotency key invites once and shows the link once', async () => {
    const args = {
      email: 'once@example.com',
      name: 'Once',
      roles: everywhere('viewer'),
      idempotency_key: 'invite once',
    };
    const first = await owner.account('account_people_invite', args);
    const second = await owner.account('account_people_invite', args);
    expect(second).toEqual({ ...first, invitation_path: null });
    expect(await accept(first)).toHaveProperty('secret');
  });

  test('again replaces link and roles of who has not accepted, and is refused for who has', async () => {
    const first = await invite(everywhere('viewer'), owner, 'again@example.com');
    const second = await invite(everywhere('accountant'), owner, 'Again@Example.com ');
    expect(second['id']).toBe(first['id']);
    expect(await accept(first)).toEqual({ refused: 'wrong' });
    expect(await accept(second)).toHaveProperty('secret');
    expect(await rolesOf(second['id'])).toEqual(['accountant']);
    await expect(invite(everywhere('viewer'), owner, 'again@example.com')).rejects.toMatchObject({
      code: 'duplicate',
      details: { of: { kind: 'person', id: first['id'] } },
    });
  });

  test('of two acceptances at once, one wins', async () => {
    const invited = await invite();
    const results = await Promise.all([accept(invited), accept(invited, OTHER_PASSWORD), accept(invited)]);
    expect(results.filter((result) => 'secret' in result)).toHaveLength(1);
    expect(results.filter((result) => 'refused' in result && result.refused === 'wrong')).toHaveLength(2);
  });

  test('two invitations of one address at once leave one that works', async () => {
    const both = await Promise.all([
      invite(everywhere('viewer'), owner, 'both@example.com'),
      invite(everywhere('viewer'), admin, 'both@example.com'),
    ]);
    expect(both[0]['id']).toBe(both[1]['id']);
    const results = [await accept(both[0]), await accept(both[1])];
    expect(results.filter((result) => 'secret' in result)).toHaveLength(1);
  });

  test('is over after seven days', async () => {
    const invited = await invite();
    const later = new Date(world.now().getTime() + 7 * 86_400_000);
    expect(await signIn.invitation(secretIn(invited), later)).toBeNull();
    expect(await signIn.acceptInvitation(secretIn(invited), PASSWORD, from(), later)).toEqual({
      refused: 'wrong',
    });
  });

  test('takes no weak password, and stays good for another one', async () => {
    const invited = await invite();
    expect(await accept(invited, 'short')).toEqual({ refused: 'weak', rule: 'too_short' });
    expect(await accept(invited, `my name is invited${people}`)).toEqual({
      refused: 'weak',
      rule: 'about_you',
    });
    expect(await accept(invited)).toHaveProperty('secret');
  });

  test('is not accepted by anybody without the link', async () => {
    await invite();
    for (const secret of ['', 'x', '\0', newId(), 'a'.repeat(43)]) {
      expect(await signIn.invitation(secret, world.now())).toBeNull();
      expect(await signIn.acceptInvitation(secret, PASSWORD, from(), world.now())).toEqual({
        refused: 'wrong',
      });
    }
  });

  test.each([
    ['no address', { email: 'nobody' }, 'email'],
    ['an address with a line break', { email: 'a@example.com\nbcc: b@example.com' }, 'email'],
    ['an empty name', { name: '\u200b' }, 'name'],
    ['no role', { roles: [] }, 'roles'],
    ['an unknown role', { roles: everywhere('root') }, 'roles.0.role'],
    ['two roles in one place', { roles: [...everywhere('viewer'), ...everywhere('finance')] }, 'roles'],
    ['an unknown language', { locale: 'fr' }, 'locale'],
  ])('refuses %s', async (_what, wrong, path) => {
    const args = { email: 'x@example.com', name: 'X', roles: everywhere('viewer'), ...wrong };
    await expect(owner.account('account_people_invite', args)).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path },
    });
  });

  test('refuses workspaces of another organization as if there were none, and owners of a workspace', async () => {
    for (const roles of [
      [{ workspace_id: world.foreignWorkspaceId, role: 'viewer' }],
      [{ workspace_id: newId(), role: 'viewer' }],
      [{ workspace_id: world.workspaceId, role: 'owner' }],
    ]) {
      await expect(invite(roles)).rejects.toMatchObject({
        code: 'invalid_argument',
        details: { path: 'roles.0.workspace_id' },
      });
    }
  });

  test('needs a session, a fresh proof and the right to manage people', async () => {
    const args = { email: 'x@example.com', name: 'X', roles: everywhere('viewer') };
    const viewer = await openSession(world, 'viewer');
    await expect(viewer.account('account_people_invite', args)).rejects.toMatchObject({ code: 'forbidden' });
    const before = world.now();
    world.setNow(new Date(before.getTime() + 301_000).toISOString());
    await expect(owner.account('account_people_invite', args)).rejects.toMatchObject({
      code: 'verification_required',
    });
    world.setNow(before.toISOString());
  });
});

describe('an invitation of somebody who is known already', () => {
  test('is accepted with the password they have and not with another one, and says so to nobody', async () => {
    const known = await joined('viewer', stranger);
    const invited = await invite(everywhere('viewer'), owner, known.email);
    expect(invited).toMatchObject({ status: 'invited', name: null });
    expect(await signIn.invitation(secretIn(invited), world.now())).toMatchObject({ name: known.email });
    expect(await accept(invited, OTHER_PASSWORD)).toEqual({ refused: 'wrong' });
    expect(await signIn.withPassword(known.email, OTHER_PASSWORD, from(), world.now())).toEqual({
      refused: 'wrong',
    });
    const result = await accept(invited, PASSWORD);
    expect(await signIn.find((result as { secret: string }).secret, world.now())).toMatchObject({
      organization: { name: 'Aurora' },
    });
  });

  test('is accepted once, also when it is tried twice at once', async () => {
    const known = await joined('viewer', stranger);
    const invited = await invite(everywhere('viewer'), owner, known.email);
    const results = await Promise.all([accept(invited), accept(invited)]);
    expect(results.filter((result) => 'secret' in result)).toHaveLength(1);
  });

  test('looks the same to who invites, down to the form of the id', async () => {
    const known = await joined('viewer', stranger);
    const invited = await invite(everywhere('viewer'), owner, known.email);
    const unknown = await invite();
    const formOf = ({ id, email, ...rest }: Record<string, any>) => ({
      ...rest,
      id: id[14],
      invitation_path: rest['invitation_path'].length,
    });
    expect(formOf(invited)).toEqual(formOf(unknown));
    expect(formOf(invited).id).toBe('4');
  });

  test('gives nothing before it is accepted: neither a role nor an organization to change to', async () => {
    const known = await joined('viewer', stranger);
    await invite(everywhere('owner'), owner, known.email);
    expect(
      await signIn.switchOrganization(known.person, world.organizationId, from(), world.now()),
    ).toBeNull();
    const { items } = await stranger.account('account_organizations_list');
    expect(items).toHaveLength(1);
    const again = await signIn.withPassword(known.email, PASSWORD, from(), world.now());
    expect(await signIn.find((again as { secret: string }).secret, world.now())).toMatchObject({
      organization: { name: 'Boreal' },
    });
  });

  test('never sets a password for who forgot theirs: the command line does', async () => {
    const known = await joined('viewer', stranger);
    await world.look('update users set password_hash = null where id = $1', [known.id]);
    const invited = await invite(everywhere('viewer'), owner, known.email);
    expect(await accept(invited)).toEqual({ refused: 'wrong' });
    const [row] = await world.look('select password_hash from users where id = $1', [known.id]);
    expect(row).toEqual({ password_hash: null });
  });

  test('made by two organizations at once, lets neither into the other', async () => {
    const email = 'wanted@example.com';
    const here = await invite(everywhere('admin'), owner, email);
    const there = await invite(everywhere('viewer'), stranger, email);
    // Whoever made the second link uses it themselves.
    const taken = await accept(there, OTHER_PASSWORD);
    const taker = (await signIn.find((taken as { secret: string }).secret, world.now()))!;
    expect(taker.organization.name).toBe('Boreal');
    expect(await signIn.switchOrganization(taker, world.organizationId, from(), world.now())).toBeNull();
    // The first link does not open with another password; nothing of the first organization was reached.
    expect(await accept(here)).toEqual({ refused: 'wrong' });
  });

  test('is guessed at no more often than signing in is', async () => {
    const known = await joined('viewer', stranger);
    const invited = await invite(everywhere('viewer'), owner, known.email);
    for (let time = 0; time < 10; time += 1) {
      expect(await accept(invited, `${OTHER_PASSWORD} ${time}`)).toEqual({ refused: 'wrong' });
      expect(await accept(invited, 'short')).toMatchObject({ refused: 'weak' });
    }
    expect(await accept(invited, PASSWORD)).toMatchObject({ refused: 'too_many' });
  });
});

describe('account_people_update', () => {
  test('changes what tokens and sessions may do from the next call on', async () => {
    const person = await joined('finance');
    expect((await person.person.callerFor('finance'))?.organizationScopes.has('finance.payables.write')).toBe(
      true,
    );
    const updated = await owner.account('account_people_update', {
      id: person.id,
      roles: [{ workspace_id: world.otherWorkspaceId, role: 'viewer' }],
    });
    expect(updated['roles']).toEqual([
      { workspace_id: world.otherWorkspaceId, workspace_name: 'Filial', role: 'viewer' },
    ]);
    const caller = (await person.person.callerFor('finance'))!;
    expect([...caller.workspaces.keys()]).toEqual([world.otherWorkspaceId]);
    expect((await eventsAbout(person.id)).at(-1)).toMatchObject({
      operation: 'account_people_update',
      changes: [
        {
          before: { roles: everywhere('finance') },
          after: { roles: [{ workspace_id: world.otherWorkspaceId, role: 'viewer' }] },
        },
      ],
    });
  });

  test('keeps since when the person belongs to the organization', async () => {
    const person = await joined();
    const before = await owner.account('account_people_get', { id: person.id });
    world.setNow(new Date(world.now().getTime() + 60_000).toISOString());
    const after = await owner.account('account_people_update', {
      id: person.id,
      roles: everywhere('finance'),
    });
    expect(after['joined_at']).toBe(before['joined_at']);
  });

  test('repeated changes nothing more', async () => {
    const person = await joined();
    const args = { id: person.id, roles: everywhere('collections') };
    expect(await owner.account('account_people_update', args)).toEqual(
      await owner.account('account_people_update', args),
    );
  });

  test('lets administrators make everything but owners, and touch none', async () => {
    const person = await joined();
    await admin.account('account_people_update', { id: person.id, roles: everywhere('admin') });
    const refused = { code: 'forbidden', details: { required: ['account.owners.write'] } };
    const make = (id: string, role: string) =>
      admin.account('account_people_update', { id, roles: everywhere(role) });
    await expect(make(person.id, 'owner')).rejects.toMatchObject(refused);
    await expect(make(admin.userId, 'owner')).rejects.toMatchObject(refused);
    await expect(make(await idOf('several'), 'viewer')).rejects.toMatchObject(refused);
    await expect(invite(everywhere('owner'), admin)).rejects.toMatchObject(refused);
    await expect(admin.account('account_people_remove', { id: await idOf('several') })).rejects.toMatchObject(
      refused,
    );
    const invited = await invite(everywhere('owner'));
    await expect(invite(everywhere('viewer'), admin, String(invited['email']))).rejects.toMatchObject(
      refused,
    );
  });

  test('finds nobody of another organization, invited or not', async () => {
    const abroad = await joined('viewer', stranger);
    for (const id of [abroad.id, newId()]) {
      for (const name of ['account_people_update', 'account_people_remove']) {
        const args = name.endsWith('update') ? { id, roles: everywhere('viewer') } : { id };
        await expect(owner.account(name, args)).rejects.toMatchObject({
          code: 'not_found',
          details: { kind: 'person' },
        });
      }
    }
  });
});

describe('account_people_remove', () => {
  test('signs the person out and ends their tokens at once, in this organization only', async () => {
    const person = await joined('finance');
    const session = await openSessionOf(person.secret);
    const created = await session('account_tokens_create', { name: 'Laptop', product: 'finance' });
    const { authenticator } = world.runtime;
    expect(await authenticator.authenticate(created['token'], 'finance', world.now())).not.toBeNull();
    const invited = await invite(everywhere('viewer'), stranger, person.email);
    const abroad = await accept(invited);
    expect(await owner.account('account_people_remove', { id: person.id })).toEqual({
      id: person.id,
      removed: true,
    });
    await expect.poll(() => authenticator.authenticate(created['token'], 'finance', world.now())).toBeNull();
    expect(await signIn.find(person.secret, world.now())).toBeNull();
    expect(await signIn.find((abroad as { secret: string }).secret, world.now())).not.toBeNull();
    await expect(owner.account('account_people_remove', { id: person.id })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect((await eventsAbout(person.id)).at(-1)).toMatchObject({
      operation: 'account_people_remove',
      changes: [{ before: { roles: everywhere('finance') }, after: null }],
    });
  });

  test('takes an invitation back', async () => {
    const invited = await invite();
    await owner.account('account_people_remove', { id: invited['id'] });
    expect(await signIn.invitation(secretIn(invited), world.now())).toBeNull();
    expect(await accept(invited)).toEqual({ refused: 'wrong' });
  });

  test('lets the same person be invited again, with the password they had', async () => {
    const person = await joined();
    await owner.account('account_people_remove', { id: person.id });
    expect(await signIn.withPassword(person.email, PASSWORD, from(), world.now())).toEqual({
      refused: 'wrong',
    });
    const invited = await invite(everywhere('viewer'), owner, person.email);
    expect(await accept(invited, OTHER_PASSWORD)).toEqual({ refused: 'wrong' });
    expect(await accept(invited, PASSWORD)).toHaveProperty('secret');
  });
});

async function openSessionOf(secret: string) {
  const caller = (await (await signIn.find(secret, world.now()))?.callerFor('account'))!;
  return (name: string, args: object) => callAccount(world, caller, name, args);
}

describe('the last owner', () => {
  test('stays: alone they are neither removed nor made anything else', async () => {
    await joined('admin', stranger);
    // An owner who has not accepted is none yet.
    await invite(everywhere('owner'), stranger);
    const { userId: id } = stranger;
    await expect(stranger.account('account_people_remove', { id })).rejects.toMatchObject({
      code: 'last_owner',
    });
    await expect(
      stranger.account('account_people_update', { id, roles: everywhere('admin') }),
    ).rejects.toMatchObject({ code: 'last_owner' });
    await stranger.account('account_people_update', { id, roles: everywhere('owner') });
  });

  test('of two owners who remove each other at the same time, one stays', async () => {
    const second = await joined('owner', stranger);
    const session = await openSessionOf(second.secret);
    const results = await Promise.allSettled([
      stranger.account('account_people_update', { id: second.id, roles: everywhere('viewer') }),
      session('account_people_update', { id: stranger.userId, roles: everywhere('viewer') }),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const owners = await world.look(
      `select m.user_id from memberships m
        where m.organization_id = (select organization_id from workspaces where id = $1) and m.role = 'owner'
          and not exists (select from invitations i where i.user_id = m.user_id and i.organization_id = m.organization_id
                           and i.invited_by is not null and i.used_at is null)`,
      [world.foreignWorkspaceId],
    );
    expect(owners).toHaveLength(1);
  });

  test('of two owners who step down at the same time, one stays', async () => {
    const ids = [await idOf('colleague'), owner.userId];
    const others = await world.look<{ user_id: string }>(
      "select user_id from memberships where organization_id = $1 and role = 'owner' and user_id <> all($2::uuid[])",
      [world.organizationId, ids],
    );
    for (const { user_id: id } of others) {
      await owner.account('account_people_update', { id, roles: everywhere('viewer') });
    }
    const colleague = await openSession(world, 'colleague');
    const stepDown = (session: TestSession) =>
      session.account('account_people_update', { id: session.userId, roles: everywhere('viewer') });
    const results = await Promise.allSettled([stepDown(owner), stepDown(colleague)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'last_owner' },
    });
  });
});

test('an invitation nobody accepted goes away with its roles, long after it was over', async () => {
  const [row] = await world.look<{ id: string; user_id: string; organization_id: string }>(
    'select id, user_id, organization_id from invitations where used_at is null and invited_by is not null limit 1',
  );
  const membership = () =>
    world.look('select from memberships where user_id = $1 and organization_id = $2', [
      row!.user_id,
      row!.organization_id,
    ]);
  await purgeIdentity(world.runtime.database.shared, new Date(world.now().getTime() + 36 * 86_400_000));
  expect(await membership()).toHaveLength(1);
  await purgeIdentity(world.runtime.database.shared, new Date(world.now().getTime() + 38 * 86_400_000));
  expect(await membership()).toHaveLength(0);
  expect(await world.look('select from invitations where id = $1', [row!.id])).toHaveLength(0);
});
