import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createAccount,
  createCategory,
  createCompany,
  createReceivable,
  createSupplier,
  insertCharge,
  reconcileSettlement,
} from '../../../test/support/records.ts';
import { openWorld, type Who, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import { jobContextOf } from '../../core/job.ts';
import { formatMoney } from '../../core/money.ts';
import type { WriteContext } from '../../core/operation.ts';
import { requireAccountAndCompany } from '../accounts/index.ts';
import { reverseDebtSettlement } from '../debt-records/index.ts';
import { finance } from '../index.ts';
import {
  cancelReceivable,
  type ReceiptDraft,
  receivableKind,
  requireReceivable,
  settleReceivable,
} from './index.ts';

let world: World;
let company_id: string;
let person_id: string;
let account_id: string;
let loss_id: string;
let id: string;

beforeAll(async () => {
  world = await openWorld();
  company_id = await createCompany(world);
  person_id = await createSupplier(world, { name: 'Padaria Lua', roles: ['customer'] });
  account_id = await createAccount(world, { company_id, name: 'Main' });
  loss_id = await createCategory(world, { kind: 'expense', name: 'Losses' });
});
beforeEach(async () => {
  id = await sale();
});
afterAll(() => world.close());

const sale = async (fields: Record<string, unknown> = {}) =>
  (await createReceivable(world, { company_id, person_id, due_date: '2026-09-01', ...fields }))['id'];
const settle = (fields: Record<string, unknown> = {}, who?: Who) =>
  world.call(
    'finance_receivables_settle',
    { id, account_id, paid_at: '2026-09-01', amount: '100.00', ...fields },
    who,
  );
const undoArgs = (fields: object) => ({ id, reason: 'typed wrongly', ...fields });
const unsettle = (fields: object, who?: Who) =>
  world.call('finance_receivables_unsettle', undoArgs(fields), who);
const lossArgs = (fields: object = {}) => ({
  id,
  reason: 'bankrupt',
  category_id: loss_id,
  date: '2026-09-30',
  ...fields,
});
const writeOff = (fields: object = {}, who?: Who) =>
  world.call('finance_receivables_write_off', lossArgs(fields), who);
const get = (as_of?: string) => world.call('finance_receivables_get', { id, ...(as_of && { as_of }) });
const bookBalance = async () =>
  Number((await world.call('finance_financial_accounts_get', { account_id }))['book_balance']);
const rowOf = async () =>
  (
    await world.look(
      'select status, open_cents::int as open, settled_cents::int as settled from receivables where id = $1',
      [id],
    )
  )[0];

describe('receiving', () => {
  test('closes the receivable and credits the account with what the bank left of it', async () => {
    const before = await bookBalance();
    const { receivable, settlement } = await settle({ fee: '2.50', method: 'boleto' });
    expect(receivable).toMatchObject({ status: 'paid', open_amount: '0.00', amount_due: '0.00' });
    expect(settlement).toMatchObject({
      amount: '100.00',
      principal: '100.00',
      fee: '2.50',
      credited: '97.50',
      charge_id: null,
      external_id: null,
      status: 'effective',
    });
    expect(await bookBalance()).toBe(before + 97.5);
    const [entry] = await world.look(
      'select direction, amount_cents::int as cents, source, person_id from financial_transactions where id = $1',
      [settlement.transaction_id],
    );
    expect(entry).toEqual({ direction: 'credit', cents: 9750, source: 'settlement', person_id });
  });

  test('a fee of all of it leaves nothing to credit; more than all of it is refused', async () => {
    const before = await bookBalance();
    await expect(settle({ fee: '100.01' })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'fee' },
    });
    const { settlement } = await settle({ fee: '100.00' });
    expect(settlement).toMatchObject({ credited: '0.00', transaction_id: null });
    expect(await bookBalance()).toBe(before);
    expect((await unsettle({ settlement_id: settlement.id }))['receivable']).toMatchObject({
      status: 'open',
    });
  });

  test('PITFALLS 21: 100.00 five days late at 1 % a month with a fine of 2 % is 102.17', async () => {
    const charges = {
      fine: { kind: 'percent', value: '2' },
      interest: { kind: 'percent_per_month', value: '1' },
    };
    id = await sale({ charges });
    expect((await get('2026-09-06'))['amounts']).toMatchObject({
      fine: '2.00',
      interest: '0.17',
      amount_due: '102.17',
      days_late: 5,
    });
    expect((await settle({ paid_at: '2026-09-06', amount: '102.17' }))['settlement']).toMatchObject({
      principal: '100.00',
      fine: '2.00',
      interest: '0.17',
    });
  });

  test('PITFALLS 22: the rate is not rounded before the amount', async () => {
    const charges = { interest: { kind: 'percent_per_month', value: '1' } };
    id = await sale({ amount: '30000.00', charges });
    expect((await get('2026-09-02'))['amounts']).toMatchObject({ interest: '10.00' });
    id = await sale({ amount: '100000.00', charges });
    expect((await get('2026-10-01'))['amounts']).toMatchObject({ interest: '1000.00' });
  });

  test('PITFALLS 24: due on a Saturday, Monday is in time and Tuesday is three days late', async () => {
    const charges = { interest: { kind: 'fixed_per_day', value: '0.10' } };
    id = await sale({ amount: '10.00', due_date: '2021-02-27', charges });
    expect((await get('2021-03-01'))['amounts']).toMatchObject({ amount_due: '10.00', days_late: 0 });
    expect((await get('2021-03-02'))['amounts']).toMatchObject({ amount_due: '10.30', days_late: 3 });
  });

  test('PITFALLS 25: the fine is flat, and neither interest nor the fine runs on the other', async () => {
    const charges = {
      fine: { kind: 'percent', value: '2' },
      interest: { kind: 'percent_per_month', value: '1' },
    };
    id = await sale({ charges });
    expect((await get('2026-10-01'))['amounts']).toMatchObject({
      fine: '2.00',
      interest: '1.00',
      amount_due: '103.00',
    });
  });

  test('PITFALLS 26: covers interest first; further interest runs on what is left', async () => {
    const charges = { interest: { kind: 'percent_per_month', value: '1' } };
    id = await sale({ due_date: '2026-07-01', amount: '1000.00', charges });
    const { settlement } = await settle({ amount: '200.00', paid_at: '2026-07-31' });
    expect(settlement).toMatchObject({ interest: '10.00', principal: '190.00' });
    expect((await get('2026-08-30'))['amounts']).toMatchObject({
      open_principal: '810.00',
      amount_due: '818.10',
    });
  });

  test('PITFALLS 27: a rate of zero wipes nothing', async () => {
    const charges = {
      fine: { kind: 'fixed', value: '50.00' },
      interest: { kind: 'percent_per_month', value: '0' },
    };
    id = await sale({ charges });
    expect((await get('2026-10-01'))['amounts']).toMatchObject({ amount_due: '150.00' });
  });

  test('PITFALLS 46: is measured by what is left; more is refused, with what is open', async () => {
    id = await sale({ amount: '1510.00' });
    await settle({ amount: '1500.00' });
    await expect(settle({ amount: '3300.00' })).rejects.toMatchObject({
      code: 'exceeds_open_amount',
      details: { open: '10.00' },
    });
    expect((await settle({ amount: '10.00' }))['receivable']).toMatchObject({ status: 'paid' });
  });

  const refused: [string, Record<string, unknown>, object][] = [
    ['a future date', { paid_at: '2026-10-02' }, { code: 'invalid_argument', details: { path: 'paid_at' } }],
    ['parts that do not add up', { principal: '90.00' }, { code: 'unbalanced' }],
    ['an unknown account', { account_id: newId() }, { code: 'not_found' }],
    [
      'side door: a line of the bank',
      { transaction_id: newId() },
      { code: 'invalid_argument', details: { path: 'transaction_id' } },
    ],
    ['side door: a charge', { charge_id: newId() }, { details: { path: 'charge_id' } }],
  ];
  test.each(refused)('refuses %s', async (_what, fields, error) => {
    await expect(settle(fields)).rejects.toMatchObject(error);
    expect(await rowOf()).toEqual({ status: 'open', open: 10_000, settled: 0 });
  });

  test('invariant 9: refuses a date of a closed month', async () => {
    const closed = await createCompany(world);
    id = await sale({ company_id: closed, due_date: '2026-09-10' });
    await world.call('finance_companies_update', { id: closed, books_closed_until: '2026-09-30' });
    await expect(settle({ paid_at: '2026-09-30' })).rejects.toMatchObject({ code: 'books_closed' });
    expect((await settle({ paid_at: '2026-10-01' }))['receivable']).toMatchObject({ status: 'paid' });
  });

  test('invariant 9: refuses a closed month of the account, also when the bank kept all and nothing is posted', async () => {
    const closed = await createCompany(world);
    const elsewhere = await createAccount(world, { company_id: closed });
    await world.call('finance_companies_update', { id: closed, books_closed_until: '2026-09-30' });
    for (const fields of [{}, { amount: '100.00', fee: '100.00' }]) {
      await expect(settle({ account_id: elsewhere, paid_at: '2026-09-30', ...fields })).rejects.toMatchObject(
        { code: 'books_closed' },
      );
    }
  });

  test('once for a repeated idempotency key, and for two calls at the same moment', async () => {
    const first = await settle({ amount: '10.00', idempotency_key: id });
    expect(await settle({ amount: '10.00', idempotency_key: id })).toEqual(first);
    const both = await Promise.allSettled([settle({ amount: '90.00' }), settle({ amount: '90.00' })]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await rowOf()).toEqual({ status: 'paid', open: 0, settled: 10_000 });
  });

  test('refuses who may not, and another organization', async () => {
    await expect(settle({}, 'reader')).rejects.toMatchObject({ code: 'insufficient_scope' });
    await expect(settle({}, 'viewer')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(settle({}, 'stranger')).rejects.toMatchObject({
      code: 'not_found',
      details: { kind: 'receivable', id },
    });
  });
});

describe('undoing a receipt', () => {
  test('PITFALLS 45: takes back exactly that one, and its entry', async () => {
    const before = await bookBalance();
    const kept = (await settle({ amount: '60.00' }))['settlement'];
    const undone = (await settle({ amount: '40.00', fee: '1.00' }))['settlement'];
    const { receivable, settlement } = await unsettle({ settlement_id: undone.id });
    expect(receivable).toMatchObject({ status: 'partially_paid', open_amount: '40.00' });
    expect(settlement).toMatchObject({ status: 'reversed', reversed_reason: 'typed wrongly' });
    expect((await get())['settlements']).toEqual([kept, settlement]);
    expect(await bookBalance()).toBe(before + 60);
  });

  test('asks with the customer, the amount, the date and the account', async () => {
    const { settlement } = await settle();
    const { message } = await world.ask(
      'finance_receivables_unsettle',
      undoArgs({ settlement_id: settlement.id }),
    );
    for (const line of ['Cliente: "Padaria Lua"', 'R$ 100,00', 'Pago em: 01/09/2026', 'Conta: "Main"']) {
      expect(message).toContain(line);
    }
  });

  test('leaves what a reconciliation or the line of a bank stands for', async () => {
    const { settlement } = await settle();
    const attempt = () =>
      world.ask('finance_receivables_unsettle', undoArgs({ settlement_id: settlement.id }));
    const reconciliation = await reconcileSettlement(world, { account_id, settlement_id: settlement.id });
    // The entry gave place to the lines of the bank, so the settlement has none of its own.
    await world.look('update settlements set transaction_id = null where id = $1', [settlement.id]);
    await expect(attempt()).rejects.toMatchObject({
      code: 'already_reconciled',
      details: { kind: 'reconciliation', id: reconciliation },
    });
    await world.look("update reconciliations set status = 'undone' where id = $1", [reconciliation]);
    await world.look('update settlements set transaction_id = $1 where id = $2', [
      settlement.transaction_id,
      settlement.id,
    ]);
    await world.look('update financial_transactions set superseded_by = id where id = $1', [
      settlement.transaction_id,
    ]);
    await expect(attempt()).rejects.toMatchObject({
      code: 'already_reconciled',
      details: { kind: 'financial_transaction', id: settlement.transaction_id },
    });
    await world.look('update financial_transactions set superseded_by = null where id = $1', [
      settlement.transaction_id,
    ]);
    expect((await unsettle({ settlement_id: settlement.id }))['receivable']).toMatchObject({
      status: 'open',
    });
  });

  test('leaves what came by a charge, and names neither or both as wrong', async () => {
    const { settlement } = await settle();
    const charge = await insertCharge(world, { receivable_id: id, account_id, status: 'paid' });
    await world.look('update settlements set charge_id = $1 where id = $2', [charge, settlement.id]);
    await expect(unsettle({ settlement_id: settlement.id })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'received_by_charge' },
    });
    const wrong = { code: 'invalid_argument', details: { path: 'settlement_id' } };
    await expect(unsettle({})).rejects.toMatchObject(wrong);
    await expect(unsettle({ settlement_id: settlement.id, write_off: true })).rejects.toMatchObject(wrong);
    await expect(unsettle({ settlement_id: newId() })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('invariant 9: leaves what was received in a month closed since', async () => {
    const closing = await createCompany(world);
    id = await sale({ company_id: closing });
    const { settlement } = await settle();
    await world.call('finance_companies_update', { id: closing, books_closed_until: '2026-09-01' });
    await expect(unsettle({ settlement_id: settlement.id })).rejects.toMatchObject({ code: 'books_closed' });
  });

  test('refuses who may not, and another organization', async () => {
    const { settlement } = await settle();
    const undo = (who: Who) => unsettle({ settlement_id: settlement.id }, who);
    await expect(undo('reader')).rejects.toMatchObject({ code: 'insufficient_scope' });
    await expect(undo('viewer')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(undo('stranger')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('writing off', () => {
  test('gives up what is left, and nothing more is owed', async () => {
    await settle({ amount: '30.00' });
    const balance = await bookBalance();
    const receivable = await writeOff();
    const { user } = await world.caller('owner');
    expect(receivable).toMatchObject({
      status: 'written_off',
      open_amount: '0.00',
      amount_due: '0.00',
      overdue: false,
      write_off: {
        amount: '70.00',
        reason: 'bankrupt',
        category_id: loss_id,
        date: '2026-09-30',
        by: user.id,
        at: '2026-10-01T12:00:00.000Z',
      },
    });
    expect(await bookBalance()).toBe(balance);
    expect((await get())['amounts']).toMatchObject({ open_principal: '0.00', amount_due: '0.00' });
    await expect(settle({ amount: '1.00' })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'written_off' },
    });
  });

  test('is taken back exactly, what was received stays received', async () => {
    const { settlement } = await settle({ amount: '30.00' });
    const { version: _, updated_at: __, ...before } = await get();
    await writeOff();
    await expect(unsettle({ settlement_id: settlement.id })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'written_off' },
    });
    const { message } = await world.ask('finance_receivables_unsettle', undoArgs({ write_off: true }));
    expect(message).toContain('Baixado como perda: R$ 70,00');
    expect(await unsettle({ write_off: true })).toMatchObject({
      receivable: { status: 'partially_paid', write_off: null },
      settlement: null,
    });
    expect(await get()).toMatchObject(before);
    await expect(unsettle({ write_off: true })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'partially_paid', allowed: ['written_off'] },
    });
  });

  test('asks with the loss, its category and its date', async () => {
    const { message } = await world.ask('finance_receivables_write_off', lossArgs());
    for (const line of [
      'Cliente: "Padaria Lua"',
      'Valor da perda: R$ 100,00',
      'Categoria da perda: "Losses"',
      'Data da baixa: 30/09/2026',
    ]) {
      expect(message).toContain(line);
    }
  });

  test('is never asked when the yes would have to fail', async () => {
    const ask = (fields: object = {}) => world.ask('finance_receivables_write_off', lossArgs(fields));
    await expect(ask({ date: '2026-10-02' })).rejects.toMatchObject({ details: { path: 'date' } });
    const income = await createCategory(world, { kind: 'income' });
    await expect(ask({ category_id: income })).rejects.toMatchObject({ code: 'invalid_argument' });
    const charge = await insertCharge(world, { receivable_id: id, account_id, status: 'generating' });
    await expect(ask()).rejects.toMatchObject({
      code: 'invalid_state',
      details: { kind: 'charge', id: charge },
    });
    const closed = await createCompany(world);
    id = await sale({ company_id: closed });
    await world.call('finance_companies_update', { id: closed, books_closed_until: '2026-09-30' });
    await expect(ask()).rejects.toMatchObject({ code: 'books_closed' });
    await expect(ask({ date: '2026-10-01' })).resolves.toBeDefined();
    await settle({ paid_at: '2026-10-01' });
    await expect(ask({ date: '2026-10-01' })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'paid' },
    });
  });

  test('invariant 9: is not taken back in a month closed since', async () => {
    const closing = await createCompany(world);
    id = await sale({ company_id: closing });
    await writeOff();
    await world.call('finance_companies_update', { id: closing, books_closed_until: '2026-09-30' });
    await expect(unsettle({ write_off: true })).rejects.toMatchObject({ code: 'books_closed' });
  });

  test('happens once for two confirmed calls, and for nobody who may not', async () => {
    await expect(writeOff({}, 'reader')).rejects.toMatchObject({ code: 'insufficient_scope' });
    await expect(writeOff({}, 'viewer')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(writeOff({}, 'stranger')).rejects.toMatchObject({ code: 'not_found' });
    const questions = await Promise.all(
      [1, 2].map(() => world.ask('finance_receivables_write_off', lossArgs())),
    );
    const both = await Promise.allSettled(
      questions.map(({ state }) => world.confirm('finance_receivables_write_off', lossArgs(), state)),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('the doors', () => {
  const inJob = <T>(work: (context: WriteContext) => Promise<T>): Promise<T> => {
    const { organizationId, workspaceId } = world;
    const place = { organizationId, workspaceId, timeZone: 'America/Sao_Paulo' };
    return jobContextOf(world.runtime.portsOf(finance.catalogue), 'test', {}, place, {}).write(work);
  };

  test('keep what a bank received beyond what is due as interest, and refuse the same payment twice', async () => {
    const receive = (fields: Partial<ReceiptDraft> = {}) =>
      inJob(async (context) => {
        const { account } = await requireAccountAndCompany(context, account_id);
        return settleReceivable(context, await requireReceivable(context, id), {
          account,
          paidAt: '2026-09-01',
          amount: 6_000,
          method: 'pix',
          transactionSource: 'payment',
          externalId: `E${id}`,
          ...fields,
        });
      });
    const first = await receive();
    await expect(receive()).rejects.toMatchObject({
      code: 'duplicate',
      details: { kind: 'settlement', of: first.id },
    });
    expect(await receive({ externalId: `F${id}`, amount: 4_100 })).toMatchObject({
      principal_cents: 4_000,
      interest_cents: 100,
    });
    expect(await rowOf()).toEqual({ status: 'paid', open: 0, settled: 10_000 });
  });

  test('a line of the bank posts nothing, and stays when its settlement is taken back', async () => {
    const before = await bookBalance();
    const settled = await inJob(async (context) => {
      const { account } = await requireAccountAndCompany(context, account_id);
      return settleReceivable(context, await requireReceivable(context, id), {
        account,
        paidAt: '2026-09-01',
        amount: 10_000,
        fee: 100,
        method: 'pix',
        transactionSource: 'settlement',
        bankLine: { id: null },
      });
    });
    await reconcileSettlement(world, { account_id, settlement_id: settled.id });
    const reverse = (entry: 'remove' | 'keep') =>
      inJob(async (context) =>
        reverseDebtSettlement(
          context,
          receivableKind,
          await requireReceivable(context, id),
          settled.id,
          'undone',
          entry,
        ),
      );
    await expect(reverse('remove')).rejects.toMatchObject({ code: 'already_reconciled' });
    expect(await reverse('keep')).toMatchObject({
      settlement: { status: 'reversed', reversed_reason: 'undone' },
      debt: { status: 'open' },
    });
    expect(await rowOf()).toEqual({ status: 'open', open: 10_000, settled: 0 });
    expect(await bookBalance()).toBe(before);
    await expect(reverse('keep')).rejects.toMatchObject({ code: 'invalid_state' });
  });

  test('call off what is open, not what is partly received', async () => {
    const cancel = () =>
      inJob(async (context) =>
        cancelReceivable(context, await requireReceivable(context, id), 'sale called off'),
      );
    const { settlement } = await settle({ amount: '10.00' });
    await expect(cancel()).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'partially_paid', allowed: ['open'] },
    });
    await unsettle({ settlement_id: settlement.id });
    expect(await cancel()).toMatchObject({ status: 'canceled', canceled_reason: 'sale called off' });
    expect(await get()).toMatchObject({ status: 'canceled', amount_due: '0.00' });
  });
});

test('invariants 1 and 2 hold in the database whatever is received, given up and taken back', async () => {
  const step = fc.record({
    share: fc.integer({ min: 1, max: 1_200 }),
    kind: fc.constantFrom('receive', 'receive', 'undo', 'loss'),
    pick: fc.nat(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 1e9 }),
      fc.array(step, { maxLength: 5 }),
      async (amount, steps) => {
        id = await sale({ amount: formatMoney(amount) });
        const effective: { id: string; principal: number }[] = [];
        const settledNow = () => effective.reduce((sum, { principal }) => sum + principal, 0);
        for (const { share, kind, pick } of steps) {
          const open = amount - settledNow();
          if (kind === 'loss' && open > 0) {
            expect(await writeOff()).toMatchObject({ status: 'written_off', open_amount: '0.00' });
            await unsettle({ write_off: true });
          } else if (kind === 'undo' && effective.length > 0) {
            const [undone] = effective.splice(pick % effective.length, 1);
            await unsettle({ settlement_id: undone!.id });
          } else {
            const money = Math.max(1, Math.floor((open * share) / 1_000));
            const settling = settle({ amount: formatMoney(money) });
            if (money > open) await expect(settling).rejects.toMatchObject({});
            else effective.push({ id: (await settling)['settlement'].id, principal: money });
          }
          const settled = settledNow();
          const status = settled === amount ? 'paid' : effective.length > 0 ? 'partially_paid' : 'open';
          expect(await rowOf()).toEqual({ status, open: amount - settled, settled });
        }
      },
    ),
    { numRuns: 5 },
  );
}, 60_000);
