import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createBill, createPayer, type Payer } from '../../../test/support/banking.ts';
import { openSession } from '../../../test/support/session.ts';
import {
  type ConsoleServer,
  openConsole,
  type Visited,
  type Visitor,
} from '../../../test/support/visitor.ts';
import { openWorld, type Who, type World } from '../../../test/support/world.ts';
import { AppError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { createInvitation } from '../../identity/invitations.ts';

const PASSWORD = 'uma frase longa o bastante';
const SEND = 'finance_payables_send_to_bank';

let world: World;
let server: ConsoleServer;
let payer: Payer;
let approver: Visitor;
let place: string;

beforeAll(async () => {
  world = await openWorld();
  server = await openConsole(world);
  payer = await createPayer(world);
  place = `?workspace=${world.workspaceId}`;
  const owner = await signedIn('owner');
  const controls = `/console/settings/controls/finance${place}`;
  await owner.get(controls);
  const enabled = { do: 'save', approvals_enabled: 'yes', approval_hours: '24' };
  expect(await owner.post(controls, enabled)).toMatchObject({ status: 303 });
  const { user } = await world.caller('approver');
  const request = { userId: user.id, organizationId: world.organizationId, invitedBy: null };
  const { path } = await createInvitation(world.runtime.database.shared, request, world.now());
  const fields = { password: PASSWORD, password_again: PASSWORD };
  expect(await server.visitor().post(path, fields)).toMatchObject({ status: 303 });
});
afterAll(async () => {
  await server.close();
  await world.close();
});
beforeEach(async () => {
  approver = await signedIn('approver');
});

async function signedIn(who: Who): Promise<Visitor> {
  return server.visitor((await openSession(world, who)).secret);
}

/** What a client that cannot ask leaves behind: the id of the approval, and the bill. */
async function request(
  fields: Record<string, unknown> = {},
  who: Who = 'owner',
): Promise<{ id: string; bill: string }> {
  const bill = await createBill(world, payer, fields);
  const args = { id: bill, account_id: payer.accountId };
  const refused: unknown = await world
    .send(SEND, args, { capabilities: {} }, who)
    .catch((error: unknown) => error);
  if (!(refused instanceof AppError) || refused.details?.['approval'] === undefined) throw refused;
  return { id: (refused.details!['approval'] as { id: string }).id, bill };
}

const pathOf = (id: string) => `/console/approvals/${id}${place}`;
const stateIn = ({ text }: Visited) => /name="state" value="([^"]+)"/.exec(text)?.[1] ?? '';
const ordersOf = (bill: string) => world.look('select 1 from payments where payable_id = $1', [bill]);

describe('approving', () => {
  test('shows the question from live records, takes the password, and runs once', async () => {
    const { id, bill } = await request();
    const list = await approver.get(`/console/approvals${place}`);
    expect(list.text).toContain(`/console/approvals/${id}`);
    expect(list.text).toContain('Enviar pagamento ao banco');
    const page = await approver.get(pathOf(id));
    expect(page.text).toContain('R$ 1.234,56');
    expect(page.text).toContain('Person owner');
    expect(page.text).toContain('O aplicativo não consegue perguntar a uma pessoa.');
    const done = await approver.post(pathOf(id), { state: stateIn(page), password: PASSWORD });
    expect(done).toMatchObject({ status: 303, location: pathOf(id) });
    const after = await approver.follow(done);
    expect(after.text).toContain('Aprovado. A ação foi feita.');
    expect(after.text).toContain('Person approver, com senha');
    expect(after.text).not.toContain('name="password"');
    expect(await ordersOf(bill)).toHaveLength(1);

    const again = await approver.post(pathOf(id), { state: stateIn(page), password: PASSWORD });
    expect(again.status).toBe(409);
    expect(await ordersOf(bill)).toHaveLength(1);
    const pending = await approver.get(`/console/approvals${place}`);
    expect(pending.text).not.toContain(id);
    expect((await approver.get(`/console/approvals${place}&status=all`)).text).toContain(id);
  });

  test('needs a proof of this moment: being signed in is not enough, nor is another password', async () => {
    const { id, bill } = await request();
    const state = stateIn(await approver.get(pathOf(id)));
    for (const [password, said] of [
      ['', 'Informe sua senha ou use sua passkey.'],
      ['wrong', 'A senha não confere.'],
    ] as const) {
      const reply = await approver.post(pathOf(id), { state, password });
      expect(reply.status).toBe(403);
      expect(reply.text).toContain(said);
      expect(reply.text).toContain('href="#password"');
    }
    expect(await ordersOf(bill)).toEqual([]);
  });

  test('asks again when the records say something else than they did, and runs nothing', async () => {
    const { id, bill } = await request();
    const state = stateIn(await approver.get(pathOf(id)));
    await world.call('finance_payables_update', { id: bill, amount: '2000.00' });
    const changed = await approver.post(pathOf(id), { state, password: PASSWORD });
    expect(changed.status).toBe(409);
    expect(changed.text).toContain('Algo mudou desde que você abriu esta página.');
    expect(changed.text).toContain('R$ 2.000,00');
    expect(await ordersOf(bill)).toEqual([]);
    const done = await approver.post(pathOf(id), { state: stateIn(changed), password: PASSWORD });
    expect(done.status).toBe(303);
    expect(await ordersOf(bill)).toHaveLength(1);
  });

  test('names the application by what it calls itself, and what is none in words of ours', async () => {
    const { id } = await request();
    expect((await approver.get(pathOf(id))).text).toContain('<dd>um token pessoal</dd>');
    const { user, organization } = await world.caller('owner');
    await world.look(
      `insert into connections (id, grant_id, user_id, organization_id, product, access, client_id, client_name,
                                client_host, is_verified, created_at, expires_at)
       values ($1::uuid, $1::text, $2, $3, 'finance', 'write', 'CnL2xax', '<b>Agente</b>', 'x.example', false, now(), '2030-01-01')`,
      [newId(), user.id, organization.id],
    );
    await world.look("update approvals set client_id = 'CnL2xax' where id = $1", [id]);
    const { text } = await approver.get(pathOf(id));
    expect(text).toContain('<dd>&lt;b&gt;Agente&lt;/b&gt;</dd>');
    expect(text).not.toContain('CnL2xax');
  });

  test('quotes what others wrote, in the question and in the page', async () => {
    const { id } = await request({ description: '</pre><script>alert(1)</script>' });
    const page = await approver.get(pathOf(id));
    expect(page.text).not.toContain('<script>alert');
    expect(page.text).toContain('&lt;/pre&gt;&lt;script&gt;alert(1)');
  });
});

test('declining takes a reason, which whoever asked reads, and nothing runs', async () => {
  const { id, bill } = await request();
  await approver.get(pathOf(id));
  const declined = await approver.post(`/console/approvals/${id}/decline${place}`, {
    reason: 'Fornecedor errado',
  });
  expect((await approver.follow(declined)).text).toContain('Fornecedor errado');
  expect(await world.call('finance_approvals_get', { id })).toMatchObject({
    status: 'declined',
    decline_reason: 'Fornecedor errado',
  });
  expect(await ordersOf(bill)).toEqual([]);
});

test('one of another workspace or organization, or none at all, is not there', async () => {
  const { id } = await request();
  const stranger = await signedIn('stranger');
  for (const path of [
    pathOf(id),
    `/console/approvals/${id}`,
    `/console/approvals/${id}?workspace=${world.foreignWorkspaceId}`,
  ]) {
    const seen = await stranger.get(path);
    expect(seen.status, path).toBe(404);
    expect(seen.text).not.toContain('Enviar pagamento');
    expect((await stranger.post(path, { state: 'x', password: PASSWORD })).status, path).toBe(404);
  }
  const elsewhere = `/console/approvals/${id}?workspace=${world.otherWorkspaceId}`;
  expect((await approver.get(elsewhere)).status).toBe(404);
  expect((await approver.get(pathOf(newId()))).status).toBe(404);
  expect((await approver.get(pathOf('x'))).status).toBe(404);
});

test('a form of another session, or posted from another site, decides nothing', async () => {
  const { id, bill } = await request();
  const state = stateIn(await approver.get(pathOf(id)));
  const fields = { state, password: PASSWORD };
  expect((await approver.post(pathOf(id), { ...fields, form_word: 'x' })).status).toBe(403);
  const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
  expect((await approver.post(pathOf(id), fields, foreign)).status).toBe(403);
  expect(await ordersOf(bill)).toEqual([]);
  expect(await world.call('finance_approvals_get', { id })).toMatchObject({ status: 'pending' });
});

test('the timeline shows the question, the answer, and who proved to be there', async () => {
  const accountant = await signedIn('accountant');
  const page = await accountant.get(`/console/timeline${place}&of=finance&operation=${SEND}`);
  expect(page.text).toContain('enviou um pagamento ao banco');
  expect(page.text).toContain('Sim, de Person approver, com senha');
  expect(page.text).toContain('Confirmado por uma pessoa');
});
