import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSession, type TestSession } from '../../../test/support/session.ts';
import { openWorld, type Who, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import { purgeIdentity } from '../../identity/purge.ts';
import { insertToken, updateTokensLastUsed } from '../../identity/queries.ts';

let world: World;
let owner: TestSession;
let viewer: TestSession;

beforeAll(async () => {
  world = await openWorld();
  owner = await openSession(world);
  viewer = await openSession(world, 'viewer');
});

afterAll(() => world.close());

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** A connection with one token, as the authorization server leaves them. */
async function connect(who: Who, { expiresAt = new Date('2026-12-01T00:00:00Z') } = {}) {
  const { user, organization } = await world.caller(who);
  const id = newId();
  const grantId = `grant-${id}`;
  const token = `kob_finance_${createHash('sha256').update(id).digest('base64url')}`;
  await world.look(
    `insert into connections (id, grant_id, user_id, organization_id, product, access, workspace_id, client_id, client_name,
                              client_host, is_verified, created_at, expires_at)
     values ($1, $2, $3, $4, 'finance', 'write', $5, 'https://client.example/meta.json', '<b>Client</b>', 'client.example',
             true, $6, $7)`,
    [
      id,
      grantId,
      user.id,
      organization.id,
      who === 'stranger' ? null : world.workspaceId,
      world.now(),
      expiresAt,
    ],
  );
  await insertToken(world.runtime.database.shared, {
    id: newId(),
    secretHash: sha256(token),
    name: 'access',
    userId: user.id,
    organizationId: organization.id,
    product: 'finance',
    access: 'write',
    clientId: 'https://client.example/meta.json',
    workspaceId: null,
    expiresAt,
    connectionId: id,
    isForPrograms: false,
  });
  await world.look(
    `insert into oauth_records (model, id_hash, payload, grant_id) values ('RefreshToken', $1, '{}', $2), ('Grant', $3, '{}', null)`,
    [sha256(`refresh ${id}`), grantId, sha256(grantId)],
  );
  return { id, grantId, token };
}

const authenticate = (token: string) =>
  world.runtime.authenticator.authenticate(token, 'finance', world.now());
const listed = async (session: TestSession, args = {}) => {
  const { items } = await session.account('account_connections_list', { limit: 100, ...args });
  return items.map(({ id }: { id: string }) => id);
};

describe('account_connections_list', () => {
  test('shows what the person let in, and everybody else to nobody but who may', async () => {
    const mine = await connect('viewer');
    const theirs = await connect('colleague');
    expect(await listed(viewer)).toEqual([mine.id]);
    expect(await listed(owner, { whose: 'everybody' })).toEqual(expect.arrayContaining([mine.id, theirs.id]));
    await expect(listed(viewer, { whose: 'everybody' })).rejects.toMatchObject({
      code: 'forbidden',
      details: { required: ['account.connections'] },
    });
    const [item] = (await viewer.account('account_connections_list'))['items'];
    expect(item).toEqual({
      id: mine.id,
      person: { id: viewer.userId, name: 'Person viewer' },
      client_name: '<b>Client</b>',
      client_host: 'client.example',
      is_verified: true,
      product: 'finance',
      access: 'write',
      workspace: { id: world.workspaceId, name: 'Matriz' },
      state: 'live',
      created_at: '2026-10-01T12:00:00Z',
      expires_at: '2026-12-01T00:00:00Z',
      last_used_at: null,
      revoked_at: null,
      revoked_by: null,
    });
  });

  test('shows nothing of another organization', async () => {
    const { id } = await connect('stranger');
    expect(await listed(owner, { whose: 'everybody', state: 'all' })).not.toContain(id);
  });

  test('goes page by page, newest first', async () => {
    const all = await listed(owner, { whose: 'everybody' });
    const paged: string[] = [];
    let cursor: string | null = null;
    do {
      const args: object = { whose: 'everybody', limit: 1, ...(cursor !== null && { cursor }) };
      const page = await owner.account('account_connections_list', args);
      paged.push(...page['items'].map(({ id }: { id: string }) => id));
      cursor = page['next_cursor'];
    } while (cursor !== null);
    expect(paged).toEqual(all);
  });

  test('says when it was used, to the minute at most', async () => {
    const { id } = await connect('viewer');
    const [token] = await world.look<{ id: string }>('select id from tokens where connection_id = $1', [id]);
    await updateTokensLastUsed(world.runtime.database.shared, [token!.id], world.now());
    const { items } = await viewer.account('account_connections_list');
    expect(items.find((item: { id: string }) => item.id === id)).toMatchObject({
      last_used_at: '2026-10-01T12:00:00Z',
    });
  });
});

describe('account_connections_revoke', () => {
  test('ends its tokens at once and makes the authorization server forget it, once', async () => {
    const { id, grantId, token } = await connect('viewer');
    expect(await authenticate(token)).not.toBeNull();
    const first = await viewer.account('account_connections_revoke', { id });
    expect(first).toMatchObject({
      id,
      state: 'ended',
      revoked_at: '2026-10-01T12:00:00Z',
      revoked_by: { id: viewer.userId, name: 'Person viewer' },
    });
    await expect.poll(() => authenticate(token)).toBeNull();
    expect(
      await world.look('select model from oauth_records where grant_id = $1 or id_hash = $2', [
        grantId,
        sha256(grantId),
      ]),
    ).toEqual([]);
    expect(await viewer.account('account_connections_revoke', { id })).toEqual(first);
    const events = await world.look<{ body: string }>(
      "select body from events where tenant_id = $1 and operation = 'account_connections_revoke' order by position",
      [world.organizationId],
    );
    expect(events.map(({ body }) => JSON.parse(body).changes.length)).toEqual([1, 0]);
    expect(await listed(viewer)).not.toContain(id);
    expect(await listed(viewer, { state: 'ended' })).toContain(id);
  });

  test('leaves every other connection alone', async () => {
    const one = await connect('viewer');
    const other = await connect('viewer');
    await viewer.account('account_connections_revoke', { id: one.id });
    expect(await authenticate(other.token)).not.toBeNull();
    expect(
      await world.look('select model from oauth_records where grant_id = $1', [other.grantId]),
    ).toHaveLength(1);
  });

  test("ends other people's for who may, and finds them for nobody else", async () => {
    const { id, token } = await connect('colleague');
    await expect(viewer.account('account_connections_revoke', { id })).rejects.toMatchObject({
      code: 'not_found',
      details: { kind: 'connection' },
    });
    expect(await authenticate(token)).not.toBeNull();
    await owner.account('account_connections_revoke', { id });
    await expect.poll(() => authenticate(token)).toBeNull();
  });

  test('finds none of another organization', async () => {
    const { id } = await connect('stranger');
    for (const strange of [id, newId()]) {
      await expect(owner.account('account_connections_revoke', { id: strange })).rejects.toMatchObject({
        code: 'not_found',
      });
    }
  });

  test('needs no fresh proof: ending is never put off', async () => {
    const { id } = await connect('viewer');
    world.setNow('2026-10-01T13:30:00Z');
    expect(await viewer.account('account_connections_revoke', { id })).toMatchObject({ state: 'ended' });
    world.setNow('2026-10-01T12:00:00Z');
  });
});

test('a connection whose time is over opens nothing', async () => {
  const { id, token } = await connect('viewer', { expiresAt: new Date('2026-09-30T00:00:00Z') });
  expect(await authenticate(token)).toBeNull();
  expect(await listed(viewer, { state: 'ended' })).toContain(id);
});

test('what identity kept for a time is deleted when the time is over, and not before', async () => {
  const shared = world.runtime.database.shared;
  const { id } = await connect('viewer');
  const counts = async () => {
    const [row] = await world.look(
      `select (select count(*)::int from tokens where connection_id = $1) as tokens,
              (select count(*)::int from sessions) as sessions,
              (select count(*)::int from attempts) as attempts,
              (select count(*)::int from passkey_challenges) as challenges,
              (select count(*)::int from tokens where connection_id is null) as own,
              (select count(*)::int from oauth_records where model = 'Old') as records`,
      [id],
    );
    return row;
  };
  await world.look("insert into attempts values ('sign_in:email', 'x', '2026-10-01T12:00:00Z', 1)");
  await world.look(
    "insert into passkey_challenges values ($1, 'sign_in', null, 'x', '2026-10-01T12:05:00Z')",
    [newId()],
  );
  await world.look(
    "insert into oauth_records (model, id_hash, payload, expires_at) values ('Old', 'x', '{}', '2026-10-01T13:00:00Z')",
  );
  const before = await counts();
  await purgeIdentity(shared, world.now());
  expect(await counts()).toEqual(before);
  await purgeIdentity(shared, new Date('2026-10-03T00:00:00Z'));
  expect(await counts()).toEqual({ ...before, attempts: 0, challenges: 0, records: 0 });
  await purgeIdentity(shared, new Date('2027-01-11T00:00:00Z'));
  expect(await counts()).toMatchObject({ tokens: 0, sessions: 0, own: before!['own'] });
});
