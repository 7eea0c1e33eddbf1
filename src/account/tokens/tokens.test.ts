import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSession, type TestSession } from '../../../test/support/session.ts';
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

const authenticate = (token: string, product: 'finance' | 'dunning' = 'finance') =>
  world.runtime.authenticator.authenticate(token, product, world.now());
const create = (args: object = {}, session = viewer) =>
  session.account('account_tokens_create', { name: 'Laptop', product: 'finance', ...args });

describe('account_tokens_create', () => {
  test('gives a token of the person, once', async () => {
    const args = { access: 'write', expires_in_days: 30, idempotency_key: 'one token' };
    const created = await create({ ...args, workspace_id: world.workspaceId });
    expect(created).toMatchObject({
      name: 'Laptop',
      person: { id: viewer.userId, name: 'Person viewer' },
      product: 'finance',
      access: 'write',
      workspace: { id: world.workspaceId, name: 'Matriz' },
      is_for_programs: false,
      state: 'live',
      expires_at: '2026-10-31T12:00:00Z',
    });
    const caller = await authenticate(created['token']);
    expect(caller?.user.id).toBe(viewer.userId);
    expect([...caller!.workspaces.keys()]).toEqual([world.workspaceId]);
    expect(await authenticate(created['token'], 'dunning')).toBeNull();
    const again = await create({ ...args, workspace_id: world.workspaceId });
    expect(again).toEqual({ ...created, token: null });
  });

  test('is recorded, and kept nowhere in clear', async () => {
    const { id, token } = await create();
    const [event] = await world.look<{ body: string }>(
      'select body from events where tenant_id = $1 and body like $2',
      [world.organizationId, `%${id}%`],
    );
    expect(JSON.parse(event!.body)).toMatchObject({
      operation: 'account_tokens_create',
      changes: [{ kind: 'token', id, before: null, after: { name: 'Laptop', person_id: viewer.userId } }],
    });
    expect(event!.body).not.toContain(token);
    expect(JSON.stringify(await world.look('select t::text as t from tokens t'))).not.toContain(token);
    expect(JSON.stringify(await world.look('select k::text as k from idempotency_keys k'))).not.toContain(
      'kob_',
    );
  });

  test('reads only unless write is asked for, for 90 days', async () => {
    expect(await create()).toMatchObject({
      access: 'read',
      expires_at: '2026-12-30T12:00:00Z',
      workspace: null,
    });
  });

  test.each([
    ['an empty name', { name: ' ' }, 'name'],
    ['an unknown product', { product: 'account' }, 'product'],
    ['no day', { expires_in_days: 0 }, 'expires_in_days'],
    ['more than a year', { expires_in_days: 367 }, 'expires_in_days'],
    ['a workspace of dunning', { product: 'dunning', workspace_id: newId() }, 'workspace_id'],
    ['a workspace that does not exist', { workspace_id: newId() }, 'workspace_id'],
    ['a program that only reads', { is_for_programs: true }, 'access'],
  ])('refuses %s', async (_what, args, path) => {
    await expect(create(args, owner)).rejects.toMatchObject({ code: 'invalid_argument', details: { path } });
  });

  test('refuses workspaces the person does not reach like those that do not exist', async () => {
    await world.look('delete from memberships where user_id = $1', [viewer.userId]);
    const { shared } = world.runtime.database;
    const { organizationId, otherWorkspaceId: workspaceId } = world;
    await insertMembership(shared, { organizationId, userId: viewer.userId, workspaceId, role: 'viewer' });
    for (const id of [world.workspaceId, world.foreignWorkspaceId, newId()]) {
      await expect(create({ workspace_id: id })).rejects.toMatchObject({
        code: 'invalid_argument',
        details: { path: 'workspace_id', expected: 'a workspace that you reach' },
      });
    }
    expect(await create({ workspace_id: workspaceId })).toMatchObject({ workspace: { name: 'Filial' } });
  });

  test('makes tokens for programs only for who answers for everybody', async () => {
    const args = { access: 'write', is_for_programs: true };
    const approver = await openSession(world, 'approver');
    await expect(create(args, approver)).rejects.toMatchObject({
      code: 'forbidden',
      details: { required: ['account.connections.write'] },
    });
    const { token } = await create(args, owner);
    expect(await authenticate(token)).toMatchObject({ isForPrograms: true });
  });

  test('a token for programs acts without a question only while its person could make one', async () => {
    const colleague = await openSession(world, 'colleague');
    const { token } = await create({ access: 'write', is_for_programs: true }, colleague);
    expect(await authenticate(token)).toMatchObject({ isForPrograms: true });
    await owner.account('account_people_update', {
      id: colleague.userId,
      roles: [{ workspace_id: null, role: 'finance' }],
    });
    const isForPrograms = async () => (await authenticate(token))?.isForPrograms;
    await expect.poll(isForPrograms).toBeUndefined();
    expect((await authenticate(token))?.user.id).toBe(colleague.userId);
  });

  test('needs a fresh proof', async () => {
    world.setNow('2026-10-01T12:05:01Z');
    await expect(create()).rejects.toMatchObject({ code: 'verification_required' });
    world.setNow('2026-10-01T12:00:00Z');
  });
});

describe('account_tokens_list and account_tokens_revoke', () => {
  const listed = async (session: TestSession, args = {}) => {
    const { items } = await session.account('account_tokens_list', { limit: 100, ...args });
    return items.map(({ id }: { id: string }) => id);
  };

  test("show one's own, and everybody's to who may see them", async () => {
    const { id } = await create();
    const mine = await create({}, owner);
    expect(await listed(viewer)).toContain(id);
    expect(await listed(viewer)).not.toContain(mine['id']);
    expect(await listed(owner, { whose: 'everybody' })).toEqual(expect.arrayContaining([id, mine['id']]));
    await expect(listed(viewer, { whose: 'everybody' })).rejects.toMatchObject({ code: 'forbidden' });
    const page = await owner.account('account_tokens_list', { whose: 'everybody', limit: 100 });
    expect(JSON.stringify(page)).not.toContain('kob_');
    expect(
      page['items'].every((item: { person: { name: string } }) => item.person.name !== 'Person stranger'),
    ).toBe(true);
  });

  test('end a token at once, once', async () => {
    const { id, token } = await create();
    expect(await authenticate(token)).not.toBeNull();
    const first = await viewer.account('account_tokens_revoke', { id });
    expect(first).toMatchObject({ state: 'ended', revoked_at: '2026-10-01T12:00:00Z' });
    await expect.poll(() => authenticate(token)).toBeNull();
    expect(await viewer.account('account_tokens_revoke', { id })).toEqual(first);
    expect(await listed(viewer)).not.toContain(id);
    expect(await listed(viewer, { state: 'ended' })).toContain(id);
  });

  test("end other people's for who may, and find them for nobody else, nor those of another organization", async () => {
    const { id } = await create({}, owner);
    const stranger = await openSession(world, 'stranger');
    for (const session of [viewer, stranger]) {
      await expect(session.account('account_tokens_revoke', { id })).rejects.toMatchObject({
        code: 'not_found',
        details: { kind: 'token' },
      });
    }
    const theirs = await create();
    expect(await owner.account('account_tokens_revoke', { id: theirs['id'] })).toMatchObject({
      state: 'ended',
    });
  });
});
