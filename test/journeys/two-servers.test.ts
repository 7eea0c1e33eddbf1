/** Two servers behind a proxy on one database: when one of them dies, the person finishes on the other. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../bench/processes.ts';
import { noteVerification } from '../../src/identity/sessions.ts';
import { AgentMemory, type Callback, connectAgent, openCallback } from '../support/agent.ts';
import { type Balancer, openBalancer } from '../support/balancer.ts';
import { ask, call, confirm, errorOf, outputOf } from '../support/confirming.ts';
import { createTestBrowser, decide, formOf } from '../support/oauth.ts';
import { type ServeProcess, startServe } from '../support/processes.ts';
import { createRawClient } from '../support/raw-client.ts';
import { createBill, createCompany, createSupplier } from '../support/records.ts';
import { openSession } from '../support/session.ts';
import { openWorld, TEST_KEY, type World } from '../support/world.ts';

const CANCEL = 'finance_payables_cancel';

let world: World;
let balancer: Balancer;
let callback: Callback;
let companyId: string;
let supplierId: string;
let ports: number[];
const servers: (ServeProcess | null)[] = [null, null];

async function start(place: number): Promise<void> {
  servers[place] = await startServe(world.url, [TEST_KEY], ['--port', String(ports[place])], {
    PUBLIC_URL: balancer.origin,
    KOBANA_RATE_LIMITS: 'none',
  });
}

/** Both there, and everything goes to this one for now. */
async function begin(first: number): Promise<void> {
  await Promise.all([0, 1].filter((place) => servers[place] === null).map(start));
  balancer.only(first);
}

/** The one that answered so far is gone without a word; the proxy goes on with the other. */
async function kill(place: number): Promise<void> {
  await servers[place]!.end('SIGKILL');
  servers[place] = null;
  balancer.only(null);
}

async function newBill(): Promise<string> {
  return (await createBill(world, { company_id: companyId, person_id: supplierId, due_date: '2027-01-05' }))[
    'id'
  ];
}

beforeAll(async () => {
  world = await openWorld();
  world.setNow(new Date().toISOString());
  companyId = await createCompany(world);
  supplierId = await createSupplier(world);
  balancer = await openBalancer();
  ports = [await freePort(), await freePort()];
  balancer.use(ports.map((port) => `http://127.0.0.1:${port}`));
  callback = await openCallback();
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server?.end('SIGKILL')));
  callback.close();
  balancer.close();
  await world.close();
});

describe.each([0, 1])('when server %i dies', { timeout: 60_000 }, (place) => {
  test('during a consent, the person decides at the other one, which also gives the token', async () => {
    await begin(place);
    const session = await openSession(world, 'owner');
    const browser = createTestBrowser(balancer.origin);
    browser.signIn(session.cookie);
    const client = await connectAgent({
      url: `${balancer.origin}/finance/mcp`,
      callback,
      memory: new AgentMemory(callback.url, 'Agente'),
      async authorize(asked) {
        const page = await browser.get(asked.href);
        expect(page.status).toBe(200);
        expect(balancer.answeredBy.at(-1)).toBe(place);
        await kill(place);
        const { left } = await decide(browser, page, { workspace: world.workspaceId });
        expect(balancer.answeredBy.at(-1)).toBe(1 - place);
        await fetch(left!);
      },
    });
    const me = (await client.callTool({ name: 'finance_me', arguments: {} })) as any;
    expect(me.structuredContent).toMatchObject({ default_workspace_id: world.workspaceId });
    await client.close();
  });

  test('between the question and the yes, the other one runs the action, once', async () => {
    await begin(place);
    const client = createRawClient(`${balancer.origin}/finance/mcp`, world.tokens.owner);
    const args = { id: await newBill(), reason: 'registered twice' };
    const question = await ask(client, CANCEL, args);
    expect(balancer.answeredBy.at(-1)).toBe(place);
    await kill(place);
    expect(outputOf(await confirm(client, CANCEL, args, question.state))).toMatchObject({
      status: 'canceled',
    });
    expect(balancer.answeredBy.at(-1)).toBe(1 - place);
    await begin(place);
    expect(errorOf(await confirm(client, CANCEL, args, question.state)).code).toBe('confirmation_replayed');
  });

  test('while it runs the action, the yes sent again runs it once in all', async () => {
    await begin(place);
    const client = createRawClient(`${balancer.origin}/finance/mcp`, world.tokens.owner);
    const args = { id: await newBill(), reason: 'registered twice' };
    const { state } = await ask(client, CANCEL, args);
    const first = confirm(client, CANCEL, args, state).catch(() => null);
    // At once for one server, in the middle of it for the other.
    await new Promise((resolve) => setTimeout(resolve, place * 6));
    await kill(place);
    await first;
    const again = await confirm(client, CANCEL, args, state);
    if (again.body.result.isError === true) expect(errorOf(again).code).toBe('confirmation_replayed');
    expect(await call(client, 'finance_payables_get', { id: args.id })).toMatchObject({ status: 'canceled' });
    const events = await call(client, 'finance_events_list', { id: args.id, operation: CANCEL });
    expect(events['items']).toHaveLength(1);
  });

  test('between reading an approval and saying yes, the other one runs it, once', async () => {
    await begin(place);
    const db = world.runtime.database.shared;
    const tenant = { organizationId: world.organizationId, workspaceId: world.workspaceId };
    await world.runtime.database.write(tenant, (bound) =>
      bound.run({
        text: `insert into controls (tenant_id, organization_id, approvals_enabled, updated_at)
               values ($1, $2, true, now()) on conflict (tenant_id) do nothing`,
        values: [world.workspaceId, world.organizationId],
      }),
    );
    const client = createRawClient(`${balancer.origin}/finance/mcp`, world.tokens.owner);
    const args = { id: await newBill(), reason: 'registered twice' };
    const refused = errorOf(
      await client.m('tools/call', { name: CANCEL, arguments: args }, { capabilities: {} }),
    );
    expect(refused.code).toBe('confirmation_required');
    const { id, url } = (refused.details as any).approval;
    const session = await openSession(world, 'colleague');
    const browser = createTestBrowser(balancer.origin);
    browser.signIn(session.cookie);
    const page = await browser.get(url);
    expect(page.text).toContain(CANCEL);
    expect(balancer.answeredBy.at(-1)).toBe(place);
    await kill(place);
    await noteVerification(db, session.id, 'password', `approval:${id}`, new Date());
    const done = await browser.post(page.url, formOf(page.text));
    expect(done.status).toBe(200);
    expect(await call(client, 'finance_approvals_get', { id })).toMatchObject({ status: 'done' });
    expect(await call(client, 'finance_payables_get', { id: args.id })).toMatchObject({ status: 'canceled' });
  });
});
