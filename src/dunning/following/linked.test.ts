import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { tokenFor } from '../../../test/contract/product.ts';
import { runDunningQueue } from '../../../test/support/dunning.ts';
import { cnpjOf, createAccount, createCategory, createCompany } from '../../../test/support/records.ts';
import { formCapable, openWorld, type World } from '../../../test/support/world.ts';
import type { Caller } from '../../core/caller.ts';
import type { DunningGateways } from '../../gateways/dunning.ts';
import { createSimulatedMessages } from '../../gateways/messages/simulator.ts';

const NOW = '2026-10-01T12:00:00Z';

let world: World;
let accountant: Caller;
let company: string;
let customer: string;
let customers = 0;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
  accountant = await callerIn('owner');
  company = await createCompany(world);
  await createAccount(world, { company_id: company });
  customer = await newCustomer();
});
afterEach(() => world.setNow(NOW));
afterAll(() => world.close());

async function callerIn(role: 'owner' | 'accountant'): Promise<Caller> {
  const { token } = await tokenFor(world, { role, product: 'finance' });
  return (await world.runtime.authenticator.authenticate(token, 'finance', world.now()))!;
}

/** A call of finance; a destructive one is confirmed. */
async function inFinance(name: string, args: object): Promise<Record<string, any>> {
  const { finance } = world.runtime.invokers;
  const operation = finance.catalogue.byName.get(name)!;
  const call = (confirmation: object) =>
    finance.call(operation, args, accountant, {
      surface: 'mcp',
      confirmation: { capabilities: formCapable, state: undefined, responses: undefined, ...confirmation },
    });
  const first = await call({});
  if (first.kind === 'done') return first.output;
  const responses = { confirm: { action: 'accept', content: { confirm: true } } };
  const second = await call({ state: first.question.state, responses });
  if (second.kind !== 'done') throw new Error('asked again');
  return second.output;
}

async function newCustomer(): Promise<string> {
  customers += 1;
  const person = await inFinance('finance_people_create', {
    name: `Cliente ${customers} Ltda`,
    document_number: cnpjOf(61_000 + customers),
    roles: ['customer'],
    emails: [`cliente${customers}@example.com`],
    phones: ['+5511987654321'],
  });
  return person['id'];
}

async function receivable(fields: object = {}): Promise<string> {
  const made = await inFinance('finance_receivables_create', {
    company_id: company,
    person_id: customer,
    description: 'Mensalidade de setembro',
    amount: '1000.00',
    due_date: '2026-09-01',
    charges: { fine: { kind: 'percent', value: '2' }, interest: { kind: 'percent_per_month', value: '1' } },
    ...fields,
  });
  return made['items'][0].id;
}

const CREATE = 'dunning_charges_create';
const reference = (receivable_id: string) => ({
  finance_receivable: { workspace_id: world.workspaceId, receivable_id },
});

async function linked(fields: object = {}): Promise<{ receivableId: string; chargeId: string }> {
  const receivableId = await receivable(fields);
  const made = await world.call(CREATE, reference(receivableId));
  return { receivableId, chargeId: made['id'] ?? made['charge'].id };
}

const gateways = { messages: createSimulatedMessages() } as unknown as DunningGateways;
async function follow(): Promise<void> {
  const ran = await runDunningQueue(world, gateways);
  expect(ran.filter((task) => task.includes(': '))).toEqual([]);
}
const chargeOf = (id: string) => world.call('dunning_charges_get', { id });
const receivableOf = (id: string) => inFinance('finance_receivables_get', { id });
const settle = (id: string, amount: string, parts: object = {}) =>
  inFinance('finance_receivables_settle', {
    id,
    account_id: accountIdOf,
    amount,
    paid_at: '2026-10-01',
    method: 'pix',
    ...parts,
  });
let accountIdOf: string;
beforeAll(async () => {
  const { items } = await inFinance('finance_financial_accounts_list', {});
  accountIdOf = items[0].id;
});

describe('a charge of a receivable', () => {
  it('takes over debtor, contacts, amount, day and terms, and owes the same', async () => {
    const { chargeId, receivableId } = await linked();
    const charge = await chargeOf(chargeId);
    expect(charge).toMatchObject({
      amount: '1000.00',
      due_date: '2026-09-01',
      description: 'Mensalidade de setembro',
      source: 'finance',
    });
    const there = await receivableOf(receivableId);
    // Thirty days late: 1000.00 + 20.00 + 10.00.
    expect(there['amounts'].amount_due).toBe('1030.00');
    const balance = await world.call('dunning_charges_balance', { id: chargeId, as_of: '2026-10-01' });
    expect(JSON.stringify(balance)).toContain('1030.00');
    const { items } = await world.call('dunning_person_contacts_list', { person_id: charge['person'].id });
    expect(items.map(({ value }: any) => value)).toEqual(
      expect.arrayContaining(['cliente1@example.com', '+5511987654321']),
    );
  });

  it('is there once for each receivable', async () => {
    const { receivableId, chargeId } = await linked();
    await expect(world.call(CREATE, reference(receivableId))).rejects.toMatchObject({
      code: 'duplicate',
      details: { of: chargeId },
    });
  });

  it('is refused for a receivable out of reach, a workspace of others and one that is paid', async () => {
    const receivableId = await receivable();
    await expect(world.call(CREATE, reference(receivableId), 'stranger')).rejects.toMatchObject({
      code: 'not_found',
    });
    const elsewhere = {
      finance_receivable: { workspace_id: world.otherWorkspaceId, receivable_id: receivableId },
    };
    await expect(world.call(CREATE, elsewhere)).rejects.toMatchObject({ code: 'not_found' });
    await settle(receivableId, '1030.00');
    await expect(world.call(CREATE, reference(receivableId))).rejects.toMatchObject({
      code: 'invalid_state',
    });
  });
});

describe('what is paid on one side', () => {
  it('in finance is paid in dunning, once, and undone when it is undone there', async () => {
    const { receivableId, chargeId } = await linked();
    const { settlement } = await settle(receivableId, '1030.00');
    await follow();
    expect(await chargeOf(chargeId)).toMatchObject({ status: 'paid' });
    await follow();
    const { items } = await world.call('dunning_payments_list', { charge_id: chargeId });
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ amount: '1030.00', source: 'finance', status: 'confirmed' });
    await inFinance('finance_receivables_unsettle', {
      id: receivableId,
      settlement_id: settlement.id,
      reason: 'Lançado em duplicidade',
    });
    await follow();
    expect(await chargeOf(chargeId)).toMatchObject({ status: 'overdue' });
  });

  it('in dunning is settled in finance in the same parts, once, and reversed with it', async () => {
    const { receivableId, chargeId } = await linked();
    const paid = await world.call('dunning_payments_create', {
      charge_id: chargeId,
      amount: '230.00',
      paid_at: '2026-10-01',
      method: 'pix',
    });
    await follow();
    await follow();
    const there = await receivableOf(receivableId);
    expect(there['status']).toBe('partially_paid');
    expect(there['settlements']).toHaveLength(1);
    expect(there['settlements'][0]).toMatchObject({
      amount: '230.00',
      interest: '10.00',
      fine: '20.00',
      principal: '200.00',
    });
    await world.call('dunning_payments_reverse', { id: paid['id'] ?? paid['payment'].id, reason: 'Estorno' });
    await follow();
    const after = await receivableOf(receivableId);
    expect(after['status']).toBe('open');
    expect(after['amounts'].amount_due).toBe('1030.00');
    const charge = await world.call('dunning_charges_balance', { id: chargeId, as_of: '2026-10-01' });
    expect(JSON.stringify(charge)).toContain('1030.00');
  });

  it('in finance is taken back there, not here, or the two would say different things', async () => {
    const { receivableId, chargeId } = await linked();
    await settle(receivableId, '1030.00');
    await follow();
    const { items } = await world.call('dunning_payments_list', { charge_id: chargeId });
    await expect(
      world.ask('dunning_payments_reverse', { id: items[0].id, reason: 'Estorno' }),
    ).rejects.toMatchObject({ code: 'invalid_state', details: { from: 'recorded_by_finance' } });
    expect(await chargeOf(chargeId)).toMatchObject({ status: 'paid' });
  });

  it('in dunning and undone in finance is undone here, and told anew it is no second payment', async () => {
    const { receivableId, chargeId } = await linked();
    const paid = { charge_id: chargeId, amount: '1030.00', paid_at: '2026-10-01', method: 'pix' };
    const { payment } = await world.call('dunning_payments_create', paid);
    await follow();
    const { settlements } = await receivableOf(receivableId);
    await inFinance('finance_receivables_unsettle', {
      id: receivableId,
      settlement_id: settlements[0].id,
      reason: 'Conta errada',
    });
    await follow();
    expect(await chargeOf(chargeId)).toMatchObject({ status: 'overdue', amount_due: '1030.00' });
    await settle(receivableId, '1030.00');
    await follow();
    const { items } = await world.call('dunning_payments_list', { charge_id: chargeId });
    expect(items.map(({ id, kind, status }: any) => [id === payment.id, kind, status]).sort()).toEqual([
      [false, 'regular', 'confirmed'],
      [true, 'regular', 'reversed'],
    ]);
    expect(await chargeOf(chargeId)).toMatchObject({ status: 'paid' });
    expect((await receivableOf(receivableId))['status']).toBe('paid');
  });

  it('with a discount that finance gave is not asked for the discount', async () => {
    const { receivableId, chargeId } = await linked();
    await settle(receivableId, '980.00', {
      principal: '1000.00',
      discount: '50.00',
      interest: '10.00',
      fine: '20.00',
    });
    await follow();
    expect((await receivableOf(receivableId))['status']).toBe('paid');
    expect(await chargeOf(chargeId)).toMatchObject({ status: 'canceled', amount_due: '0.00' });
    const { items } = await world.call('dunning_payments_list', { charge_id: chargeId });
    expect(items).toMatchObject([{ amount: '980.00', kind: 'regular', needs_refund: false }]);
  });

  it('on both sides and reversed here is owed again, although finance has not heard of it yet', async () => {
    const { receivableId, chargeId } = await linked();
    const paid = { charge_id: chargeId, amount: '530.00', paid_at: '2026-10-01', method: 'pix' };
    const { payment } = await world.call('dunning_payments_create', paid);
    await follow();
    await settle(receivableId, '500.00');
    await follow();
    expect(await chargeOf(chargeId)).toMatchObject({ status: 'paid' });
    await world.call('dunning_payments_reverse', { id: payment.id, reason: 'Devolvido' });
    await follow();
    expect(await chargeOf(chargeId)).toMatchObject({ status: 'overdue' });
    expect((await receivableOf(receivableId))['status']).toBe('partially_paid');
  });

  it('before they were tied together is taken over, too', async () => {
    const receivableId = await receivable();
    await settle(receivableId, '530.00');
    const made = await world.call(CREATE, reference(receivableId));
    await follow();
    const { items } = await world.call('dunning_payments_list', {
      charge_id: made['id'] ?? made['charge'].id,
    });
    expect(items[0]).toMatchObject({ amount: '530.00' });
  });
});

it('a receivable that is written off calls its charge off', async () => {
  const { receivableId, chargeId } = await linked();
  const category_id = await createCategory(world, { kind: 'expense' });
  await inFinance('finance_receivables_write_off', {
    id: receivableId,
    reason: 'Incobrável',
    category_id,
    date: '2026-10-01',
  });
  await follow();
  expect(await chargeOf(chargeId)).toMatchObject({ status: 'canceled' });
});
