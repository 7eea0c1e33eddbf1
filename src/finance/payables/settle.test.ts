import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createAccount,
  createBill,
  createCompany,
  createSupplier,
  reconcileSettlement,
} from '../../../test/support/records.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import { formatMoney } from '../../core/money.ts';

let world: World;
let company_id: string;
let person_id: string;
let account_id: string;
let id: string;

beforeAll(async () => {
  world = await openWorld();
  company_id = await createCompany(world);
  person_id = await createSupplier(world);
  account_id = await createAccount(world, { company_id, name: 'Main', opening_balance_cents: 100_000 });
});
beforeEach(async () => {
  id = (await createBill(world, { company_id, person_id, due_date: '2026-09-01' }))['id'];
});
afterAll(() => world.close());

const settle = (fields: Record<string, unknown> = {}) =>
  world.call('finance_payables_settle', {
    id,
    account_id,
    paid_at: '2026-09-01',
    amount: '100.00',
    ...fields,
  });

const unsettle = (settlement_id: string, who?: 'owner' | 'reader' | 'viewer' | 'stranger') =>
  world.call('finance_payables_unsettle', { id, settlement_id, reason: 'typed wrongly' }, who);

const get = (as_of?: string) => world.call('finance_payables_get', { id, ...(as_of && { as_of }) });

const bookBalance = async () =>
  (await world.call('finance_financial_accounts_get', { account_id }))['book_balance'];

describe('settling', () => {
  test('pays the bill, posts the debit and says what was paid', async () => {
    const before = Number(await bookBalance());
    const { payable, settlement } = await settle({ method: 'pix' });
    expect(payable).toMatchObject({
      status: 'paid',
      open_amount: '0.00',
      amount_due: '0.00',
      overdue: false,
    });
    expect(settlement).toMatchObject({
      amount: '100.00',
      principal: '100.00',
      discount: '0.00',
      interest: '0.00',
      fine: '0.00',
      paid_at: '2026-09-01',
      method: 'pix',
      payment_id: null,
      status: 'effective',
    });
    expect(Number(await bookBalance())).toBe(before - 100);
    const [entry] = await world.look(
      'select date, direction, amount_cents::int, source, person_id from financial_transactions where id = $1',
      [settlement.transaction_id],
    );
    expect(entry).toMatchObject({
      direction: 'debit',
      amount_cents: 10_000,
      source: 'settlement',
      person_id,
    });
  });

  test('in parts leaves the bill partially paid until the last one', async () => {
    expect((await settle({ amount: '60.00' }))['payable']).toMatchObject({
      status: 'partially_paid',
      open_amount: '40.00',
      overdue: true,
    });
    expect((await settle({ amount: '40.00' }))['payable']).toMatchObject({ status: 'paid' });
  });

  test('PITFALL 26: covers interest first and counts further interest on what is left', async () => {
    const charges = { interest: { kind: 'percent_per_month', value: '1' } };
    id = (
      await createBill(world, { company_id, person_id, due_date: '2026-07-01', amount: '1000.00', charges })
    )['id'];
    const { settlement } = await settle({ amount: '200.00', paid_at: '2026-07-31' });
    expect(settlement).toMatchObject({ interest: '10.00', principal: '190.00' });
    const detail = await get('2026-08-30');
    expect(detail).toMatchObject({ as_of: '2026-08-30', currency: 'BRL', open_amount: '810.00' });
    expect(detail['amounts']).toEqual({
      amount: '1000.00',
      open_principal: '810.00',
      discount: '0.00',
      fine: '0.00',
      interest: '18.10',
      paid: '200.00',
      amount_due: '818.10',
      days_late: 60,
    });
  });

  test('closes a bill paid with a discount given by hand (MODEL §5)', async () => {
    const { payable, settlement } = await settle({ amount: '95.00', discount: '5.00' });
    expect(payable).toMatchObject({ status: 'paid', open_amount: '0.00' });
    expect(settlement).toMatchObject({ principal: '100.00', discount: '5.00' });
  });

  test('takes interest and fine the supplier asked for where nothing was agreed', async () => {
    const { payable, settlement } = await settle({ amount: '103.50', interest: '1.50', fine: '2.00' });
    expect(payable).toMatchObject({ status: 'paid', amount_due: '0.00' });
    expect(settlement).toMatchObject({ principal: '100.00', interest: '1.50', fine: '2.00' });
  });

  test('PITFALL 46: refuses more than is left and names what is', async () => {
    await settle({ amount: '90.00' });
    await expect(settle({ amount: '20.00' })).rejects.toMatchObject({
      code: 'exceeds_open_amount',
      details: { open: '10.00' },
    });
    expect(await get()).toMatchObject({ open_amount: '10.00', settlements: [{ amount: '90.00' }] });
  });

  const refused: [string, Record<string, unknown>, object][] = [
    ['a future date', { paid_at: '2026-10-02' }, { code: 'invalid_argument', details: { path: 'paid_at' } }],
    ['parts that do not add up', { principal: '90.00' }, { code: 'unbalanced' }],
    [
      'an unknown account',
      { account_id: newId() },
      { code: 'not_found', details: { kind: 'financial_account' } },
    ],
    [
      'an unknown receipt',
      { receipt_attachment_id: newId() },
      { code: 'not_found', details: { kind: 'attachment' } },
    ],
    [
      'side door: a bank line, which is reconciling',
      { transaction_id: newId() },
      { code: 'invalid_argument', details: { path: 'transaction_id' } },
    ],
  ];
  test.each(refused)('refuses %s and changes nothing', async (_what, fields, error) => {
    await expect(settle(fields)).rejects.toMatchObject(error);
    expect(await get()).toMatchObject({ status: 'open', settlements: [], version: 1 });
  });

  test('refuses a paid bill, an inactive account and a bill with an order on its way', async () => {
    const inactive = await createAccount(world, { company_id, active: false });
    await expect(settle({ account_id: inactive })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { kind: 'financial_account' },
    });
    const order = await insertOrder(id, 'scheduled');
    await expect(settle()).rejects.toMatchObject({
      code: 'invalid_state',
      details: { kind: 'payment', id: order, from: 'scheduled' },
    });
    await world.look("update payments set status = 'failed' where id = $1", [order]);
    await settle();
    await expect(settle()).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'paid', allowed: ['open', 'partially_paid'] },
    });
  });

  test('invariant 9: refuses a payment dated in a closed month', async () => {
    const closed = await createCompany(world);
    id = (await createBill(world, { company_id: closed, person_id, due_date: '2026-09-10' }))['id'];
    await world.call('finance_companies_update', { id: closed, books_closed_until: '2026-09-30' });
    await expect(settle({ paid_at: '2026-09-30' })).rejects.toMatchObject({
      code: 'books_closed',
      details: { until: '2026-09-30', date: '2026-09-30' },
    });
    expect((await settle({ paid_at: '2026-10-01' }))['payable']).toMatchObject({ status: 'paid' });
  });

  test('refuses a connection that only reads, a role that does not write, and another organization', async () => {
    const args = { id, account_id, paid_at: '2026-09-01', amount: '1.00' };
    await expect(world.call('finance_payables_settle', args, 'reader')).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
    await expect(world.call('finance_payables_settle', args, 'viewer')).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(world.call('finance_payables_settle', args, 'stranger')).rejects.toMatchObject({
      code: 'not_found',
      details: { kind: 'payable', id },
    });
  });

  test('settles once for a repeated idempotency key, and for two calls at the same moment', async () => {
    const first = await settle({ amount: '10.00', idempotency_key: id });
    expect(await settle({ amount: '10.00', idempotency_key: id })).toEqual(first);
    const results = await Promise.allSettled([settle({ amount: '90.00' }), settle({ amount: '90.00' })]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await get()).toMatchObject({ status: 'paid', open_amount: '0.00' });
  });
});

describe('undoing a settlement', () => {
  test('PITFALL 45: takes back exactly that one', async () => {
    id = (await createBill(world, { company_id, person_id, due_date: '2026-09-01', amount: '1000.00' }))[
      'id'
    ];
    const kept = (await settle({ amount: '600.00' }))['settlement'];
    const undone = (await settle({ amount: '400.00' }))['settlement'];
    const { payable, settlement } = await unsettle(undone.id);
    expect(payable).toMatchObject({ status: 'partially_paid', open_amount: '400.00' });
    expect(settlement).toMatchObject({
      status: 'reversed',
      reversed_reason: 'typed wrongly',
      transaction_id: null,
    });
    expect((await get())['settlements']).toEqual([kept, settlement]);
    const entries = await world.look('select id from financial_transactions where id = any($1::uuid[])', [
      [kept.transaction_id, undone.transaction_id],
    ]);
    expect(entries).toEqual([{ id: kept.transaction_id }]);
  });

  test('gives back the bill and the balance as they were', async () => {
    const { version: _, updated_at: __, settlements: ___, ...before } = await get();
    const balance = await bookBalance();
    const { settlement } = await settle({ amount: '103.50', interest: '1.50', fine: '2.00' });
    await unsettle(settlement.id);
    expect(await get()).toMatchObject(before);
    expect(await bookBalance()).toBe(balance);
  });

  test('asks with the bill, the amount and the date', async () => {
    const { settlement } = await settle();
    const { message } = await world.ask('finance_payables_unsettle', {
      id,
      settlement_id: settlement.id,
      reason: 'typed wrongly',
    });
    expect(message).toContain('Valor do pagamento: R$ 100,00');
    expect(message).toContain('Pago em: 01/09/2026');
    expect(message).toContain('Conta: "Main"');
  });

  test('never asks when the yes would have to fail', async () => {
    const ask = (settlement_id: string) =>
      world.ask('finance_payables_unsettle', { id, settlement_id, reason: 'x' });
    await expect(ask(newId())).rejects.toMatchObject({ code: 'not_found', details: { kind: 'settlement' } });
    const { settlement } = await settle({ amount: '50.00' });
    await world.look('update financial_transactions set reconciled_cents = 1 where id = $1', [
      settlement.transaction_id,
    ]);
    await expect(ask(settlement.id)).rejects.toMatchObject({
      code: 'already_reconciled',
      details: { id: settlement.transaction_id },
    });
    await world.look('update financial_transactions set reconciled_cents = 0 where id = $1', [
      settlement.transaction_id,
    ]);
    await unsettle(settlement.id);
    await expect(ask(settlement.id)).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'reversed', allowed: ['effective'] },
    });
  });

  test('leaves what a reconciliation or a line of the bank stands for', async () => {
    const { settlement } = await settle();
    const reconciliation = await reconcileSettlement(world, { account_id, settlement_id: settlement.id });
    // The entry gave place to the lines of the bank, so the settlement has none of its own.
    await world.look('update settlements set transaction_id = null where id = $1', [settlement.id]);
    await expect(unsettle(settlement.id)).rejects.toMatchObject({
      code: 'already_reconciled',
      details: { kind: 'reconciliation', id: reconciliation },
    });
    await world.look("update reconciliations set status = 'undone' where id = $1", [reconciliation]);
    const entry = settlement.transaction_id;
    await world.look('update settlements set transaction_id = $1 where id = $2', [entry, settlement.id]);
    await world.look('update financial_transactions set superseded_by = id where id = $1', [entry]);
    await expect(unsettle(settlement.id)).rejects.toMatchObject({
      code: 'already_reconciled',
      details: { kind: 'financial_transaction', id: entry },
    });
    await world.look('update financial_transactions set superseded_by = null where id = $1', [entry]);
    await expect(unsettle(settlement.id)).resolves.toBeDefined();
  });

  test('leaves what a bank paid', async () => {
    const { settlement } = await settle();
    const order = await insertOrder(id, 'confirmed');
    await world.look('update settlements set payment_id = $1 where id = $2', [order, settlement.id]);
    await expect(unsettle(settlement.id)).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'paid_by_bank' },
    });
    expect(await get()).toMatchObject({ status: 'paid' });
  });

  test('invariant 9: leaves what was paid in a month closed since', async () => {
    const closing = await createCompany(world);
    id = (await createBill(world, { company_id: closing, person_id, due_date: '2026-09-10' }))['id'];
    const { settlement } = await settle();
    await world.call('finance_companies_update', { id: closing, books_closed_until: '2026-09-01' });
    await expect(unsettle(settlement.id)).rejects.toMatchObject({ code: 'books_closed' });
  });

  test('refuses a connection that only reads, a role that does not write, and another organization', async () => {
    const { settlement } = await settle();
    await expect(unsettle(settlement.id, 'reader')).rejects.toMatchObject({ code: 'insufficient_scope' });
    await expect(unsettle(settlement.id, 'viewer')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(unsettle(settlement.id, 'stranger')).rejects.toMatchObject({ code: 'not_found' });
  });
});

test('invariants 1 and 2 hold in the database whatever is settled and undone', async () => {
  const step = fc.record({ share: fc.integer({ min: 1, max: 1_200 }), isUndo: fc.boolean(), pick: fc.nat() });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 1e9 }),
      fc.array(step, { maxLength: 5 }),
      async (amount, steps) => {
        const bill = { company_id, person_id, due_date: '2026-09-01', amount: formatMoney(amount) };
        id = (await createBill(world, bill))['id'];
        const effective: { id: string; principal: number }[] = [];
        for (const { share, isUndo, pick } of steps) {
          const open = amount - effective.reduce((sum, { principal }) => sum + principal, 0);
          if (isUndo && effective.length > 0) {
            const [undone] = effective.splice(pick % effective.length, 1);
            await unsettle(undone!.id);
          } else {
            const money = Math.max(1, Math.floor((open * share) / 1_000));
            const settling = settle({ amount: formatMoney(money) });
            if (money > open) await expect(settling).rejects.toMatchObject({});
            else effective.push({ id: (await settling)['settlement'].id, principal: money });
          }
          const [row] = await world.look<Record<string, unknown>>(
            'select status, open_cents::int, settled_cents::int from payables where id = $1',
            [id],
          );
          const settled = effective.reduce((sum, { principal }) => sum + principal, 0);
          const status = settled === amount ? 'paid' : effective.length > 0 ? 'partially_paid' : 'open';
          expect(row).toEqual({ status, open_cents: amount - settled, settled_cents: settled });
        }
      },
    ),
    { numRuns: 15 },
  );
}, 60_000);

async function insertOrder(payableId: string, status: string): Promise<string> {
  const order = newId();
  await world.look(
    `insert into payments (workspace_id, id, payable_id, account_id, kind, amount_cents, details, scheduled_for,
                           status, registration_status, created_by)
     values ($1, $2, $3, $4, 'pix_key', 10000, '{}', '2026-10-05', $5, 'pending', $1)`,
    [world.workspaceId, order, payableId, account_id, status],
  );
  return order;
}
