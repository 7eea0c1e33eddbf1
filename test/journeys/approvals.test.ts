/** A client that cannot ask, over the wire: the call waits, a person in the console says yes, and the agent reads what came of it. */

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { approvalPurposeOf } from '../../src/core/approvals.ts';
import { noteVerification } from '../../src/identity/sessions.ts';
import { createBill, createPayer, type Payer } from '../support/banking.ts';
import { call, effectsOfSending, errorOf, nothingSent, sentOnce } from '../support/confirming.ts';
import { createCharge, createDebtor } from '../support/dunning.ts';
import { type HttpServer, openServer } from '../support/http.ts';
import { callOf, createRawClient, type RawClient } from '../support/raw-client.ts';
import { openSession } from '../support/session.ts';
import { openWorld, type World } from '../support/world.ts';

const SEND = 'finance_payables_send_to_bank';

let world: World;
let server: HttpServer;
let client: RawClient;
let payer: Payer;

beforeAll(async () => {
  world = await openWorld();
  server = await openServer(world);
  client = server.client();
  payer = await createPayer(world);
});
afterAll(async () => {
  await server.close();
  await world.close();
});
beforeEach(() => setControls(world, world.workspaceId, true));

const setControls = (of: World, tenantId: string, isEnabled: boolean) =>
  of.look(
    `insert into controls (tenant_id, organization_id, approvals_enabled, updated_at) values ($1, $2, $3, now())
     on conflict (tenant_id) do update set approvals_enabled = $3`,
    [tenantId, of.organizationId, isEnabled],
  );

/** What a colleague does in the console. */
async function approve(of: World, product: 'finance' | 'dunning', id: string) {
  const session = await openSession(of, 'colleague');
  const { approvals } = of.runtime.invokers[product];
  const workspaceId = product === 'finance' ? of.workspaceId : null;
  const { state, question } = await approvals.open(await session.caller(product), id, workspaceId);
  const db = of.runtime.database.shared;
  await noteVerification(db, session.id, 'password', approvalPurposeOf(id), of.now());
  const done = await approvals.approve(await session.caller(product), id, workspaceId, state!);
  return { question, done };
}

const eras = [
  ['of 2025', (args: object, name = SEND) => client.l('tools/call', callOf(name, args))],
  ['of 2026 without a form', (args: object, name = SEND) => client.m('tools/call', callOf(name, args))],
] as const;

test.each(eras)('a client %s pays with the yes of a colleague, once', async (_era, send) => {
  const bill = await createBill(world, payer);
  const args = { id: bill, account_id: payer.accountId };
  const error = errorOf(await send(args));
  expect(error).toMatchObject({
    code: 'confirmation_required',
    details: {
      required_capabilities: { elicitation: { form: {} } },
      approval: {
        read_with: 'finance_approvals_get',
        url: expect.stringMatching(/^http:.*\/console\/approvals\//),
      },
    },
  });
  const { id } = error.details!['approval'];
  expect(await effectsOfSending(world, bill)).toEqual(nothingSent);
  expect(await call(client, 'finance_approvals_get', { id })).toMatchObject({
    status: 'pending',
    operation: SEND,
    amount: '1234.56',
  });
  const { question } = await approve(world, 'finance', id);
  expect(question).toContain('R$ 1.234,56');
  expect(await effectsOfSending(world, bill)).toEqual(sentOnce);
  const read = await call(client, 'finance_approvals_get', { id });
  expect(read).toMatchObject({ status: 'done', decided_with: 'password', answer: { amount: '1234.56' } });
  expect((await call(client, 'finance_approvals_list', { status: 'done' }))['items'][0]).toMatchObject({
    id,
  });
});

test.each(eras)(
  'with approvals off a client %s gets the promised answer and nothing else',
  async (_era, send) => {
    await setControls(world, world.workspaceId, false);
    const error = errorOf(await send({ nonsense: true }));
    expect(error.details).toEqual({ required_capabilities: { elicitation: { form: {} } } });
  },
);

test('no tool of an MCP connection grants: approvals are only read there', () => {
  for (const { catalogue } of Object.values(world.runtime.invokers)) {
    for (const { name, effect, product } of catalogue.operations) {
      if (name.includes('_approvals_') && product !== 'account')
        expect([name, effect]).toEqual([name, 'read']);
    }
  }
});

test('dunning does the same for an organization', async () => {
  const dunning = await openWorld({ product: 'dunning' });
  const other = await openServer(dunning);
  try {
    await setControls(dunning, dunning.organizationId, true);
    const charge = await createCharge(dunning, { person_id: await createDebtor(dunning, {}) });
    const agent = createRawClient(`http://127.0.0.1:${other.port}/dunning/mcp`, dunning.tokens.owner);
    const error = errorOf(
      await agent.l('tools/call', callOf('dunning_charges_cancel', { id: charge, reason: 'Engano' })),
    );
    const { id, url } = error.details!['approval'];
    expect(url).toMatch(/\/console\/approvals\/[0-9a-f-]{36}$/);
    expect((await approve(dunning, 'dunning', id)).done).toMatchObject({ status: 'done' });
    expect(await call(agent, 'dunning_approvals_get', { id })).toMatchObject({
      status: 'done',
      workspace_id: null,
      answer: { status: 'canceled' },
    });
  } finally {
    await other.close();
    await dunning.close();
  }
});
