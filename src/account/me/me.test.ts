import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callAccount, openSession, type TestSession } from '../../../test/support/session.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import { insertMembership } from '../../identity/queries.ts';

let world: World;
let owner: TestSession;
let viewer: TestSession;

beforeAll(async () => {
  world = await openWorld();
  owner = await openSession(world);
  viewer = await openSession(world, 'viewer');
});

afterAll(() => world.close());

describe('account_me', () => {
  test('tells who is signed in, where, and what they may do there', async () => {
    const me = await owner.account('account_me');
    expect(me).toMatchObject({
      person: { id: owner.userId, name: 'Person owner', email: 'owner@example.com', locale: 'pt-BR' },
      organization: { id: world.organizationId, name: 'Aurora', time_zone: 'America/Sao_Paulo' },
      roles: [{ workspace_id: null, role: 'owner' }],
      session: { id: owner.id, verified_at: '2026-10-01T12:00:00Z', verified_with: 'password' },
    });
    expect(me['scopes']).toContain('account.owners.write');
    expect(me['workspaces'].map(({ name }: { name: string }) => name)).toEqual(['Filial', 'Matriz']);
    expect((await viewer.account('account_me'))['scopes']).not.toContain('account.people');
  });

  test('tells somebody of one workspace about that one', async () => {
    const person = await openSession(world, 'accountant');
    await world.look('delete from memberships where user_id = $1', [person.userId]);
    const { organizationId, workspaceId } = world;
    const role = 'accountant';
    await insertMembership(world.runtime.database.shared, {
      organizationId,
      userId: person.userId,
      workspaceId,
      role,
    });
    expect(await person.account('account_me')).toMatchObject({
      roles: [{ workspace_id: workspaceId, role }],
      scopes: [],
      workspaces: [{ id: workspaceId, scopes: expect.arrayContaining(['finance.payables']) }],
    });
  });

  test('answers a session alone: a token of a product is none', async () => {
    const caller = { ...(await world.caller('owner')), product: 'account' as const };
    await expect(callAccount(world, caller, 'account_me')).rejects.toMatchObject({
      code: 'session_required',
    });
  });
});

describe('account_profile_update', () => {
  test('changes name and language for everything that comes after', async () => {
    const updated = await viewer.account('account_profile_update', {
      name: ' New\u202e name ',
      locale: 'en',
    });
    expect(updated).toMatchObject({ name: 'New name', locale: 'en', email: 'viewer@example.com' });
    expect((await viewer.caller('finance')).user).toMatchObject({ name: 'New name', locale: 'en' });
    await expect
      .poll(async () => (await world.caller('viewer')).user)
      .toMatchObject({ name: 'New name', locale: 'en' });
    expect(await viewer.account('account_profile_update', {})).toEqual(updated);
  });

  test.each([
    ['an empty name', { name: '\u200b' }],
    ['a long one', { name: 'a'.repeat(121) }],
    ['an unknown language', { locale: 'de' }],
    ['anything else', { email: 'other@example.com' }],
  ])('refuses %s', async (_what, args) => {
    await expect(viewer.account('account_profile_update', args)).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });
});

test("account_organizations_list shows the person's own organizations and which one this is", async () => {
  const { organization } = await world.caller('stranger');
  await insertMembership(world.runtime.database.shared, {
    organizationId: organization.id,
    userId: owner.userId,
    workspaceId: null,
    role: 'viewer',
  });
  expect(await owner.account('account_organizations_list')).toEqual({
    items: [
      { id: world.organizationId, name: 'Aurora', is_this_one: true },
      { id: organization.id, name: 'Boreal', is_this_one: false },
    ],
    next_cursor: null,
  });
  expect((await viewer.account('account_organizations_list'))['items']).toHaveLength(1);
});

describe('sessions', () => {
  test('are listed for their person, and ended at once, once', async () => {
    const other = await openSession(world);
    const { items } = await owner.account('account_sessions_list');
    expect(items).toContainEqual({
      id: owner.id,
      is_this_one: true,
      user_agent: 'test',
      verified_with: 'password',
      created_at: '2026-10-01T12:00:00Z',
      last_seen_at: '2026-10-01T12:00:00Z',
      expires_at: '2026-10-02T00:00:00Z',
    });
    expect(items.find(({ id }: { id: string }) => id === other.id)).toMatchObject({ is_this_one: false });
    const ended = await owner.account('account_sessions_revoke', { id: other.id });
    expect(ended).toEqual({ id: other.id, ended: true });
    await expect(other.account('account_me')).rejects.toThrow('over');
    expect(await owner.account('account_sessions_revoke', { id: other.id })).toEqual(ended);
    const left = (await owner.account('account_sessions_list'))['items'];
    expect(left.map(({ id }: { id: string }) => id)).not.toContain(other.id);
  });

  test("of other people are not found, the owner's neither", async () => {
    const stranger = await openSession(world, 'stranger');
    for (const session of [viewer, stranger]) {
      await expect(session.account('account_sessions_revoke', { id: owner.id })).rejects.toMatchObject({
        code: 'not_found',
        details: { kind: 'session' },
      });
    }
    await expect(owner.account('account_sessions_revoke', { id: viewer.id })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('workspaces', () => {
  test('are listed for who reaches them', async () => {
    const { items } = await viewer.account('account_workspaces_list');
    expect(items.map(({ name }: { name: string }) => name)).toEqual(['Filial', 'Matriz']);
    const stranger = await openSession(world, 'stranger');
    expect((await stranger.account('account_workspaces_list'))['items']).toMatchObject([{ name: 'Sede' }]);
  });

  test('are created and changed; who has a role in the whole organization reaches them at once', async () => {
    const created = await owner.account('account_workspaces_create', {
      name: 'Projetos',
      time_zone: 'America/Manaus',
    });
    expect(created).toMatchObject({ name: 'Projetos', time_zone: 'America/Manaus' });
    const reached = (await viewer.caller('finance')).workspaces.get(created['id']);
    expect(reached).toMatchObject({ name: 'Projetos', timeZone: 'America/Manaus' });
    const args = { id: created['id'], name: 'Obras' };
    const changed = await owner.account('account_workspaces_update', args);
    expect(changed).toEqual({ ...created, name: 'Obras' });
    expect(await owner.account('account_workspaces_update', args)).toEqual(changed);
    const events = await world.look<{ body: string }>(
      "select body from events where tenant_id = $1 and operation like 'account_workspaces%' order by position",
      [world.organizationId],
    );
    expect(events.map(({ body }) => JSON.parse(body).changes[0])).toMatchObject([
      { kind: 'workspace', before: null, after: { name: 'Projetos' } },
      { before: { name: 'Projetos' }, after: { name: 'Obras', time_zone: 'America/Manaus' } },
      { before: { name: 'Obras' }, after: { name: 'Obras' } },
    ]);
  });

  test.each([
    ['no name', { name: '' }, 'name'],
    ['a time zone that is none', { name: 'X', time_zone: 'Mars/Olympus' }, 'time_zone'],
  ])('are refused with %s', async (_what, args, path) => {
    await expect(owner.account('account_workspaces_create', args)).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path },
    });
  });

  test('are managed by owners and administrators of this organization only', async () => {
    const approver = await openSession(world, 'approver');
    for (const [name, args] of [
      ['account_workspaces_create', { name: 'X' }],
      ['account_workspaces_update', { id: world.workspaceId, name: 'X' }],
      ['account_organization_update', { name: 'X' }],
    ] as const) {
      await expect(approver.account(name, args)).rejects.toMatchObject({ code: 'forbidden' });
    }
    for (const id of [world.foreignWorkspaceId, newId()]) {
      await expect(owner.account('account_workspaces_update', { id, name: 'X' })).rejects.toMatchObject({
        code: 'not_found',
      });
    }
  });
});

test('account_organization_update renames the organization for everybody in it', async () => {
  expect(await owner.account('account_organization_update', { name: 'Aurora S.A.' })).toEqual({
    id: world.organizationId,
    name: 'Aurora S.A.',
  });
  expect((await viewer.account('account_me'))['organization']).toMatchObject({ name: 'Aurora S.A.' });
  world.setNow('2026-10-01T12:06:00Z');
  await expect(owner.account('account_organization_update', { name: 'X' })).rejects.toMatchObject({
    code: 'verification_required',
  });
});
