/** On whose behalf a server works: the person of the token, with their rights and no others. */

import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { call, errorOf } from '../support/confirming.ts';
import { type HttpServer, openServer } from '../support/http.ts';
import { callOf, createRawClient, type RawClient } from '../support/raw-client.ts';
import { openWorld, type World } from '../support/world.ts';
import { createRecords, type Records } from './product.ts';

let world: World;
let server: HttpServer;
let client: RawClient;
let records: Records;

beforeAll(async () => {
  world = await openWorld();
  server = await openServer(world);
  client = server.client();
  records = await createRecords(world, 'owner', world.workspaceId);
});
afterAll(async () => {
  await server.close();
  await world.close();
});

describe('the person', () => {
  it('SE-03: statements run as a role that owns nothing and cannot look past the tenant of the person', async () => {
    const role = await world.runtime.database.shared.row(sql`
      select current_user as name, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb
        from pg_roles where rolname = current_user`);
    expect(role).toEqual({
      name: 'kobana_app',
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
    });
    const seen = await world.runtime.database.read(
      { organizationId: world.organizationId, workspaceId: world.otherWorkspaceId },
      (db) => db.rows(sql`select id from payables`),
    );
    expect(seen).toEqual([]);
  });

  it('SE-16: what was done stays on record: the application can neither change nor remove an event', async () => {
    const place = { organizationId: world.organizationId, workspaceId: world.workspaceId };
    for (const statement of [
      sql`update events set operation = 'nothing'`,
      sql`delete from events`,
      sql`delete from access_log`,
    ]) {
      const attempt = world.runtime.database.write(place, (db) => db.run(statement));
      await expect(attempt).rejects.toThrow(/permission denied/);
    }
    const [kept] = await world.look<{ events: number }>('select count(*)::int as events from events');
    expect(kept!.events).toBeGreaterThan(3);
  });

  it('AU-21: a name in an argument or in clientInfo is nobody: the person is the one of the token', async () => {
    const { user } = await world.caller('stranger');
    const claimed = { user_id: user.id, organization_id: 'x' };
    const refused = await client.m('tools/call', callOf('finance_me', claimed));
    expect(errorOf(refused).code).toBe('invalid_argument');
    const meta = { 'io.modelcontextprotocol/clientInfo': { name: user.id, version: '1', user: user.id } };
    const { text } = await client.m('tools/call', callOf('finance_me', {}), { meta });
    expect(text).toBe((await client.m('tools/call', callOf('finance_me', {}))).text);
    expect(text).not.toContain(user.id);
  });

  it('AU-23: a session id opens nothing, since there are no sessions', async () => {
    const nobody = createRawClient(server.url, null);
    const headers = { 'Mcp-Session-Id': world.tokens.owner };
    for (const answer of [
      await nobody.l('tools/list', {}, { headers }),
      await nobody.m('tools/list', {}, { headers }),
    ]) {
      expect(answer.status).toBe(401);
      expect(answer.headers).not.toHaveProperty('mcp-session-id');
    }
  });

  it('AU-22: the cursor of one organization shows another one nothing but its own', async () => {
    for (const amount of ['1.00', '2.00']) {
      await call(client, 'finance_payables_create', {
        company_id: records.company,
        person_id: records.person,
        description: `Conta de ${amount}`,
        amount,
        due_date: '2026-10-20',
      });
    }
    const { next_cursor } = await call(client, 'finance_payables_list', { limit: 1 });
    expect(next_cursor).toEqual(expect.any(String));
    const answer = await server
      .client('stranger')
      .m('tools/call', callOf('finance_payables_list', { limit: 1, cursor: next_cursor }));
    expect(answer.body.result.structuredContent?.items ?? []).toEqual([]);
  });
});

test('AU-13: with write access everything that a read token reads is read too', async () => {
  const [full, reading] = [server.client('owner'), server.client('reader')];
  for (const method of ['resources/list', 'resources/templates/list', 'prompts/list']) {
    expect((await full.m(method)).text).toBe((await reading.m(method)).text);
  }
  const whole = { headers: { 'Kobana-Toolsets': 'all' } };
  const names = async (by: RawClient) =>
    (await by.m('tools/list', {}, whole)).body.result.tools.map((t: any) => t.name);
  const all = await names(full);
  for (const name of await names(reading)) expect(all).toContain(name);
  const uri = `kobana://finance/companies/${records.company}`;
  expect((await full.m('resources/read', { uri })).text).toBe(
    (await reading.m('resources/read', { uri })).text,
  );
});
