import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { queued, runQueued, runTask } from '../../../test/support/banking.ts';
import { bookBalance, closeBooks, createLine, createPair, entryOf } from '../../../test/support/lines.ts';
import { createAccount, createCompany } from '../../../test/support/records.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import { createSimulatedBank, type SimulatedBehaviour } from '../../gateways/bank/index.ts';

const CREATE = 'finance_transfers_create';
const CANCEL = 'finance_transfers_cancel';
const LINK = 'finance_transfers_link';

let world: World;
let companyId: string;
let from: string;
let to: string;
let minutes = 0;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  // A minute each: a person is asked thirty times in one at most.
  minutes += 1;
  world.setNow(new Date(Date.parse('2026-10-01T12:00:00Z') + minutes * 60_000).toISOString());
  ({ companyId, from, to } = await createPair(world));
});

const args = (fields: object = {}) => ({
  from_account_id: from,
  to_account_id: to,
  amount: '1000.00',
  method: 'internal',
  ...fields,
});
const legsOf = (id: string) =>
  world.look<{ id: string; account_id: string; direction: string; date: string; ignored: boolean }>(
    'select id, account_id, direction, date::text, ignored from financial_transactions where transfer_id = $1 order by direction desc',
    [id],
  );
const get = (id: string) => world.call('finance_transfers_get', { id });
const bankOf = (behaviour: SimulatedBehaviour) =>
  createSimulatedBank({ delayMs: 0, behaviourOf: () => behaviour });
const later = (ms: number) => world.setNow(new Date(world.now().getTime() + ms).toISOString());

describe('by hand', () => {
  test('posts both entries at once and moves both balances', async () => {
    const made = await world.call(CREATE, args({ description: 'Reforço de caixa' }));
    expect(made).toMatchObject({
      status: 'confirmed',
      registration_status: 'none',
      date: '2026-10-01',
      amount: '1000.00',
      origin: 'ordered',
    });
    expect(await legsOf(made['id'])).toMatchObject([
      { account_id: from, direction: 'debit', date: '2026-10-01' },
      { account_id: to, direction: 'credit', date: '2026-10-01' },
    ]);
    expect([await bookBalance(world, from), await bookBalance(world, to)]).toEqual(['9000.00', '1000.00']);
    expect(await get(made['id'])).toMatchObject({
      debit: { account_id: from, amount: '1000.00', description: 'Reforço de caixa', source: 'transfer' },
      credit: { account_id: to },
    });
    expect(await world.look('select 1 from bank_commands where transfer_id = $1', [made['id']])).toEqual([]);
  });

  test('is taken back with both entries', async () => {
    const { id } = await world.call(CREATE, args());
    const canceled = await world.call(CANCEL, { id, reason: 'Engano' });
    expect(canceled).toMatchObject({
      status: 'canceled',
      cancel_reason: 'Engano',
      debit_transaction_id: null,
    });
    expect(await legsOf(id)).toEqual([]);
    expect([await bookBalance(world, from), await bookBalance(world, to)]).toEqual(['10000.00', '0.00']);
    await expect(world.call(CANCEL, { id, reason: 'De novo' })).rejects.toMatchObject({
      code: 'invalid_state',
    });
  });

  test('asks with accounts, amount, day and what is left, and says when that is less than nothing', async () => {
    const { message } = await world.ask(CREATE, args({ amount: '10000.01' }));
    expect(message).toContain('- Valor: R$ 10.000,01');
    expect(message).toContain('- Como: só lançamentos: nada é pedido ao banco');
    expect(message).toContain('- Saldo contábil da conta depois: -R$ 0,01');
    expect(message).toContain('- ATENÇÃO: o saldo contábil ficará negativo');
    const other = await createCompany(world, { legal_name: 'Outra "Ltda"' });
    const abroad = await createAccount(world, { company_id: other });
    const between = await world.ask(CREATE, args({ to_account_id: abroad }));
    expect(between.message).toContain('- Empresa que recebe: "Outra \\"Ltda\\""');
    expect(between.message).not.toContain('ATENÇÃO');
  });
});

describe('by a bank', () => {
  beforeEach(() => world.look('delete from graphile_worker._private_jobs'));

  test('leaves one command and one job, and posts nothing before the bank confirms', async () => {
    const made = await world.call(CREATE, args({ method: 'pix' }));
    expect(made).toMatchObject({ status: 'pending', registration_status: 'pending', date: '2026-10-01' });
    const [command] = await world.look('select idempotency_key from bank_commands where transfer_id = $1', [
      made['id'],
    ]);
    expect(command).toEqual({ idempotency_key: `${made['id']}.20261001.100000.pix` });
    expect(await queued(world)).toMatchObject([{ task: 'transfer_send' }]);
    expect(await legsOf(made['id'])).toEqual([]);
    expect(await bookBalance(world, from)).toBe('10000.00');
  });

  test('posts both entries on the bank’s own day, once, however often it answers', async () => {
    world.setNow('2026-10-03T12:00:00Z');
    const bank = bankOf('answers_out_of_order');
    const { id } = await world.call(CREATE, args({ method: 'ted' }));
    expect(await get(id)).toMatchObject({ date: '2026-10-05' });
    await runQueued(world, bank);
    expect(await get(id)).toMatchObject({ status: 'pending', registration_status: 'confirmed' });
    world.setNow('2026-10-05T15:00:00Z');
    for (let asked = 0; asked < 4; asked += 1) await runQueued(world, bank);
    expect(await get(id)).toMatchObject({ status: 'confirmed', bank_settled_on: '2026-10-05' });
    expect((await legsOf(id)).map(({ date }) => date)).toEqual(['2026-10-05', '2026-10-05']);
    const payload = { organizationId: world.organizationId, workspaceId: world.workspaceId, transferId: id };
    await runTask(world, bank, 'transfer_poll', payload);
    expect(await legsOf(id)).toHaveLength(2);
    expect([await bookBalance(world, from), await bookBalance(world, to)]).toEqual(['9000.00', '1000.00']);
  });

  test('that refuses leaves the accounts alone and says why', async () => {
    const { id } = await world.call(CREATE, args({ method: 'pix' }));
    await runQueued(world, bankOf('rejects'));
    expect(await get(id)).toMatchObject({
      status: 'failed',
      registration_status: 'rejected',
      rejected_reason: 'the receiving account does not exist',
    });
    expect(await legsOf(id)).toEqual([]);
  });

  test('SE-13: that was not reached gets it again, one that may have got it is asked', async () => {
    for (const behaviour of ['unreachable_once', 'unknown_accepted', 'unknown_lost'] as const) {
      const bank = bankOf(behaviour);
      const { id } = await world.call(CREATE, args({ method: 'pix', amount: '10.00' }));
      const jobs = await queued(world);
      await runQueued(world, bank);
      if (behaviour === 'unreachable_once') await runTask(world, bank, 'transfer_send', jobs[0]!.payload);
      else
        expect(await get(id)).toMatchObject({
          registration_status: 'unknown',
          next_step: expect.any(String),
        });
      for (let round = 0; round < 4; round += 1) {
        later(5_000);
        await runQueued(world, bank);
      }
      expect(await get(id), behaviour).toMatchObject({ status: 'confirmed' });
      expect(await legsOf(id)).toHaveLength(2);
    }
  });

  test('without a desk for transfers fails with a reason', async () => {
    const { transfers: _, ...bank } = bankOf('settles');
    const { id } = await world.call(CREATE, args({ method: 'pix' }));
    await runQueued(world, bank);
    expect(await get(id)).toMatchObject({
      status: 'failed',
      rejected_reason: expect.stringContaining('transfers'),
    });
  });

  test('waits while the month is closed and is posted when it is open again', async () => {
    const bank = bankOf('settles');
    const { id } = await world.call(CREATE, args({ method: 'pix' }));
    await closeBooks(world, companyId, '2026-10-31');
    await runQueued(world, bank);
    expect(await legsOf(id)).toEqual([]);
    expect(await get(id)).toMatchObject({ status: 'pending' });
    await closeBooks(world, companyId, null);
    await runQueued(world, bank);
    expect(await get(id)).toMatchObject({ status: 'confirmed' });
    expect(await legsOf(id)).toHaveLength(2);
  });

  test('is called off at once while it has not left', async () => {
    const { id } = await world.call(CREATE, args({ method: 'pix' }));
    const { message } = await world.ask(CANCEL, { id, reason: 'Engano' });
    expect(message).toContain('ainda não foi enviada ao banco');
    expect(await world.call(CANCEL, { id, reason: 'Engano' })).toMatchObject({ status: 'canceled' });
    await runQueued(world, bankOf('settles'));
    expect(await get(id)).toMatchObject({ status: 'canceled', cancel_reason: 'Engano' });
    expect(await legsOf(id)).toEqual([]);
  });

  test('is asked to cancel what it has, and has the last word', async () => {
    const bank = bankOf('settles');
    const { id } = await world.call(CREATE, args({ method: 'pix', date: '2026-10-08' }));
    await runQueued(world, bank);
    const asked = await world.call(CANCEL, { id, reason: 'Mudou' });
    expect(asked).toMatchObject({ status: 'pending', cancel_requested_at: expect.any(String) });
    await expect(world.call(CANCEL, { id, reason: 'Mudou' })).rejects.toMatchObject({
      code: 'invalid_state',
    });
    await runQueued(world, bank);
    expect(await get(id)).toMatchObject({ status: 'canceled' });
    const made = await world.call(CREATE, args({ method: 'pix' }));
    await runQueued(world, bank);
    expect(await get(made['id'])).toMatchObject({ status: 'confirmed' });
    await expect(world.call(CANCEL, { id: made['id'], reason: 'Tarde' })).rejects.toMatchObject({
      code: 'invalid_state',
    });
  });
});

describe('two lines of two statements', () => {
  const lines = async (amount = 100_000) => ({
    debit_transaction_id: await createLine(world, { account_id: from, amount_cents: amount }),
    credit_transaction_id: await createLine(world, {
      account_id: to,
      amount_cents: amount,
      direction: 'credit',
      date: '2026-10-01',
    }),
  });

  test('PITFALLS 41: become one transfer, balances unchanged, neither income nor expense', async () => {
    const ids = await lines();
    const before = [await bookBalance(world, from), await bookBalance(world, to)];
    const { message } = await world.ask(LINK, ids);
    expect(message).toContain('- Valor: R$ 1.000,00');
    expect(message).toContain('- Saída: "LANCAMENTO"');
    const linked = await world.call(LINK, ids);
    expect(linked).toMatchObject({ origin: 'linked', status: 'confirmed', date: '2026-09-30', ...ids });
    expect([await bookBalance(world, from), await bookBalance(world, to)]).toEqual(before);
    for (const id of Object.values(ids)) {
      expect(await entryOf(world, id)).toMatchObject({ transfer_id: linked['id'], reconciled_cents: '0' });
    }
    const unreconciled = await world.call('finance_financial_transactions_list', {
      account_id: from,
      reconciled: false,
    });
    expect(unreconciled['items']).toEqual([]);
    const summary = await world.call('finance_financial_transactions_summary', {
      date_from: '2026-09-01',
      date_to: '2026-10-31',
      group_by: ['direction'],
    });
    expect(JSON.stringify(summary['groups'])).not.toContain('1000.00');
  });

  test('are let go of exactly as they were', async () => {
    const ids = await lines();
    const before = await Promise.all(Object.values(ids).map((id) => entryOf(world, id)));
    const { id } = await world.call(LINK, ids);
    const canceled = await world.call(CANCEL, { id, reason: 'Não é' });
    expect(canceled).toMatchObject({ status: 'canceled', debit_transaction_id: null });
    for (const entry of before) {
      const { updated_at: _, version: __, ...was } = entry;
      expect(await entryOf(world, entry['id'])).toMatchObject(was);
    }
    expect(await world.call(LINK, ids)).toMatchObject({ status: 'confirmed' });
  });

  test('are refused when they do not match, are taken, or are somebody else’s', async () => {
    const ids = await lines();
    const other = await createLine(world, { account_id: to, amount_cents: 99_999, direction: 'credit' });
    await expect(world.ask(LINK, { ...ids, credit_transaction_id: other })).rejects.toMatchObject({
      code: 'unbalanced',
      details: { left: '1000.00', right: '999.99', difference: '0.01' },
    });
    await world.call(LINK, ids);
    await expect(world.ask(LINK, ids)).rejects.toMatchObject({ code: 'already_reconciled' });
    await expect(world.ask(LINK, ids, 'stranger')).rejects.toMatchObject({ code: 'not_found' });
    await expect(world.ask(LINK, { ...ids, debit_transaction_id: newId() })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('MODEL §14.9: are neither linked nor let go of in closed books', async () => {
    const ids = await lines();
    await closeBooks(world, companyId, '2026-09-30');
    await expect(world.ask(LINK, ids)).rejects.toMatchObject({ code: 'books_closed' });
    await closeBooks(world, companyId, null);
    const { id } = await world.call(LINK, ids);
    await closeBooks(world, companyId, '2026-09-30');
    await expect(world.ask(CANCEL, { id, reason: 'x' })).rejects.toMatchObject({ code: 'books_closed' });
  });
});

describe('refused', () => {
  test('what no transfer can be', async () => {
    for (const [fields, code] of [
      [{ to_account_id: from }, 'invalid_argument'],
      [{ amount: '0.00' }, 'invalid_argument'],
      [{ date: '2026-10-02' }, 'invalid_argument'],
      [{ date: '2025-12-31' }, 'invalid_argument'],
      [{ method: 'doc' }, 'invalid_argument'],
      [{ to_account_id: newId() }, 'not_found'],
    ] as const) {
      await expect(world.ask(CREATE, args(fields)), JSON.stringify(fields)).rejects.toMatchObject({ code });
    }
  });

  test('an account out of use, closed books, an account no bank moves money of', async () => {
    await closeBooks(world, companyId, '2026-10-01');
    await expect(world.ask(CREATE, args())).rejects.toMatchObject({ code: 'books_closed' });
    await closeBooks(world, companyId, null);
    const cash = await createAccount(world, { company_id: companyId, kind: 'cash' });
    await expect(world.ask(CREATE, args({ method: 'pix', to_account_id: cash }))).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'to_account_id' },
    });
    expect(await world.call(CREATE, args({ to_account_id: cash }))).toMatchObject({ status: 'confirmed' });
    const idle = await createAccount(world, { company_id: companyId, active: false });
    await expect(world.ask(CREATE, args({ to_account_id: idle }))).rejects.toMatchObject({
      code: 'invalid_state',
    });
  });

  test('whoever may not send, and whoever is of another organization', async () => {
    await expect(world.ask(CREATE, args(), 'viewer')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(world.ask(CREATE, args(), 'reader')).rejects.toMatchObject({ code: 'insufficient_scope' });
    await expect(world.ask(CREATE, args(), 'stranger')).rejects.toMatchObject({ code: 'not_found' });
    const { id } = await world.call(CREATE, args());
    await expect(world.call('finance_transfers_get', { id }, 'stranger')).rejects.toMatchObject({
      code: 'not_found',
    });
    const { items } = await world.call('finance_transfers_list', {}, 'stranger');
    expect(items).toEqual([]);
  });
});

test('a repeated call with its key moves the money once', async () => {
  const call = args({ idempotency_key: newId() });
  const first = await world.call(CREATE, call);
  expect(await world.call(CREATE, call)).toEqual(first);
  expect(await bookBalance(world, from)).toBe('9000.00');
});

test('MODEL §14.6: transfers change no total of the workspace', async () => {
  const total = async () => {
    const { items } = await world.call('finance_financial_accounts_list', { company_id: companyId });
    const balances = await Promise.all(items.map(({ id }: { id: string }) => bookBalance(world, id)));
    return balances.reduce((sum, balance) => sum + Math.round(Number(balance) * 100), 0);
  };
  const before = await total();
  await world.call(CREATE, args({ amount: '123.45' }));
  await world.call(CREATE, args({ from_account_id: to, to_account_id: from, amount: '0.01' }));
  expect(await total()).toBe(before);
});

test('transfers crossing each other are all booked, whatever answers come at once', async () => {
  const ids: string[] = [];
  for (const fields of [{}, { from_account_id: to, to_account_id: from }, {}, {}]) {
    ids.push((await world.call(CREATE, args({ method: 'pix', amount: '1.00', ...fields })))['id']);
  }
  const { organizationId, workspaceId } = world;
  const bank = bankOf('settles');
  const outcomes = await Promise.all(
    ids.map((transferId) =>
      runTask(world, bank, 'transfer_poll', { organizationId, workspaceId, transferId }),
    ),
  );
  expect(outcomes.map(({ error }) => error)).toEqual(ids.map(() => undefined));
  expect(await bookBalance(world, from)).toBe('9998.00');
});

test('lists by account, status and day, in pages', async () => {
  const made = [];
  for (const day of ['2026-09-28', '2026-09-29', '2026-09-30']) {
    made.push((await world.call(CREATE, args({ date: day })))['id']);
  }
  const list = (filter: object) => world.call('finance_transfers_list', { account_id: from, ...filter });
  const ids = async (filter: object) => (await list(filter))['items'].map(({ id }: { id: string }) => id);
  expect(await ids({})).toEqual([...made].reverse());
  expect(await ids({ date_from: '2026-09-29', sort: 'date' })).toEqual(made.slice(1));
  expect(await ids({ status: 'pending' })).toEqual([]);
  const first = await list({ limit: 2 });
  expect(await ids({ limit: 2, cursor: first['next_cursor'] })).toEqual([made[0]]);
});
