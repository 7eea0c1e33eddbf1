import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bookBalance, closeBooks, createLine, createPair, entryOf } from '../../../test/support/lines.ts';
import {
  createAccount,
  createBill,
  createReceivable,
  createSupplier,
} from '../../../test/support/records.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';

const CREATE = 'finance_reconciliations_create';
const DELETE = 'finance_reconciliations_delete';

let world: World;
let person: string;
let companyId: string;
let account: string;
let other: string;
let minutes = 0;

beforeAll(async () => {
  world = await openWorld();
  person = await createSupplier(world, { roles: ['supplier', 'customer'] });
});
afterAll(() => world.close());
beforeEach(async () => {
  // A minute each: a person is asked thirty times in one at most.
  minutes += 1;
  world.setNow(new Date(Date.parse('2026-10-01T12:00:00Z') + minutes * 60_000).toISOString());
  ({ companyId, from: account, to: other } = await createPair(world));
});

const bill = async (amount: string, fields: object = {}) =>
  (
    await createBill(world, {
      company_id: companyId,
      person_id: person,
      document_number: newId(),
      amount,
      ...fields,
    })
  )['id'] as string;
const sale = async (amount: string, fields: object = {}) =>
  (
    await createReceivable(world, {
      company_id: companyId,
      person_id: person,
      document_number: newId(),
      amount,
      ...fields,
    })
  )['id'] as string;
const line = (amount_cents: number, fields: object = {}) =>
  createLine(world, { account_id: account, amount_cents, ...fields });
const make = (transactions: object[], documents: object[]) => world.call(CREATE, { transactions, documents });
const refusal = async (transactions: object[], documents: object[]) =>
  world.ask(CREATE, { transactions, documents }).then(
    () => undefined,
    (error) => ({ code: error.code, details: error.details }),
  );
const payable = (id: string) => world.call('finance_payables_get', { id });
const receivable = (id: string) => world.call('finance_receivables_get', { id });
const undo = (id: string) => world.call(DELETE, { id, reason: 'Engano' });

describe('a line and what it paid', () => {
  test('settles an open bill on the day of the line, posting nothing', async () => {
    const [id, paid] = [await bill('100.00'), await line(10_000, { date: '2026-09-29' })];
    const before = await bookBalance(world, account);
    const made = await make([{ id: paid, amount: '100.00' }], [{ kind: 'payable', id }]);
    expect(made).toMatchObject({
      account_id: account,
      direction: 'debit',
      total: '100.00',
      origin: 'manual',
      status: 'active',
      transactions: [{ id: paid, amount: '100.00' }],
      documents: [{ kind: 'payable', id, made_settlement: true, amount: '100.00' }],
    });
    const { status, settlements } = await payable(id);
    expect(status).toBe('paid');
    expect(settlements).toMatchObject([{ transaction_id: paid, paid_at: '2026-09-29', amount: '100.00' }]);
    expect(await entryOf(world, paid)).toMatchObject({ reconciled_cents: '10000', ignored: false });
    expect(await bookBalance(world, account)).toBe(before);
    expect(await world.call('finance_reconciliations_get', { id: made['id'] })).toEqual(made);
  });

  test('keeps discount, interest, fine and fee apart', async () => {
    const owed = await bill('100.00');
    const debit = await line(9_850);
    await make(
      [{ id: debit, amount: '98.50' }],
      [{ kind: 'payable', id: owed, principal: '100.00', discount: '5.00', interest: '1.50', fine: '2.00' }],
    );
    expect((await payable(owed))['settlements'][0]).toMatchObject({
      amount: '98.50',
      principal: '100.00',
      discount: '5.00',
      interest: '1.50',
      fine: '2.00',
    });
    const due = await sale('200.00');
    const credit = await line(19_750, { direction: 'credit', end_to_end_id: 'E1' });
    await make([{ id: credit, amount: '197.50' }], [{ kind: 'receivable', id: due, fee: '2.50' }]);
    const { status, settlements } = await receivable(due);
    expect(status).toBe('paid');
    expect(settlements[0]).toMatchObject({ amount: '200.00', fee: '2.50', method: 'pix' });
  });

  test('may be one for many, many for one, and in part', async () => {
    const bills = [await bill('10.00'), await bill('20.00'), await bill('30.00')];
    const one = await line(7_000);
    await make(
      [{ id: one, amount: '60.00' }],
      bills.map((id) => ({ kind: 'payable', id })),
    );
    expect(await entryOf(world, one)).toMatchObject({ reconciled_cents: '6000' });
    for (const id of bills)
      expect((await payable(id))['settlements'][0]).toMatchObject({ transaction_id: one });
    const big = await bill('50.00');
    const [first, second] = [
      await line(2_000, { date: '2026-09-01' }),
      await line(1_500, { date: '2026-09-02' }),
    ];
    await make(
      [
        { id: first, amount: '20.00' },
        { id: second, amount: '15.00' },
      ],
      [{ kind: 'payable', id: big, principal: '35.00' }],
    );
    const { status, open_amount, settlements } = await payable(big);
    expect({ status, open_amount }).toEqual({ status: 'partially_paid', open_amount: '15.00' });
    expect(settlements).toMatchObject([{ transaction_id: null, paid_at: '2026-09-02' }]);
    await make([{ id: one, amount: '10.00' }], [{ kind: 'payable', id: big, principal: '10.00' }]);
    expect(await payable(big)).toMatchObject({ open_amount: '5.00' });
  });

  test('takes the place of the entry that a recorded payment posted', async () => {
    const id = await bill('80.00');
    const { settlement } = await world.call('finance_payables_settle', {
      id,
      account_id: account,
      paid_at: '2026-09-28',
      amount: '80.00',
    });
    const ours = settlement['transaction_id'];
    expect(await bookBalance(world, account)).toBe('9920.00');
    const paid = await line(8_000, { date: '2026-09-30' });
    expect(await bookBalance(world, account)).toBe('9840.00');
    const made = await make([{ id: paid, amount: '80.00' }], [{ kind: 'settlement', id: settlement.id }]);
    expect(made['documents']).toMatchObject([{ kind: 'settlement', made_settlement: false }]);
    expect(await bookBalance(world, account)).toBe('9920.00');
    expect(await entryOf(world, ours)).toMatchObject({ ignored: true, superseded_by: paid });
    expect((await payable(id))['settlements']).toMatchObject([{ id: settlement.id, transaction_id: paid }]);
    await expect(
      world.ask('finance_payables_unsettle', { id, settlement_id: settlement.id, reason: 'x' }),
    ).rejects.toMatchObject({ code: 'already_reconciled' });
    expect(
      await refusal(
        [{ id: await line(8_000), amount: '80.00' }],
        [{ kind: 'settlement', id: settlement.id }],
      ),
    ).toMatchObject({ code: 'already_reconciled', details: { reconciliation_id: made['id'] } });
    await undo(made['id']);
    expect(await entryOf(world, ours)).toMatchObject({ ignored: false, superseded_by: null });
    expect((await payable(id))['settlements']).toMatchObject([{ status: 'effective', transaction_id: ours }]);
    // Nothing of the undone link keeps the payment or the line from being taken back.
    await world.call('finance_payables_unsettle', { id, settlement_id: settlement.id, reason: 'x' });
    expect(await payable(id)).toMatchObject({ status: 'open' });
  });

  test('takes the place of one side of a transfer, and gives it back', async () => {
    const transfer = await world.call('finance_transfers_create', {
      from_account_id: account,
      to_account_id: other,
      amount: '40.00',
      method: 'internal',
      date: '2026-09-29',
    });
    const paid = await line(4_000);
    const made = await make([{ id: paid, amount: '40.00' }], [{ kind: 'transfer', id: transfer['id'] }]);
    expect(await world.call('finance_transfers_get', { id: transfer['id'] })).toMatchObject({
      debit_transaction_id: paid,
      credit_transaction_id: transfer['credit_transaction_id'],
    });
    expect(await entryOf(world, paid)).toMatchObject({ transfer_id: transfer['id'] });
    expect([await bookBalance(world, account), await bookBalance(world, other)]).toEqual([
      '9960.00',
      '40.00',
    ]);
    await expect(
      world.ask('finance_transfers_cancel', { id: transfer['id'], reason: 'x' }),
    ).rejects.toMatchObject({ code: 'already_reconciled' });
    expect(
      await refusal([{ id: await line(4_000), amount: '40.00' }], [{ kind: 'transfer', id: transfer['id'] }]),
    ).toMatchObject({ code: 'already_reconciled' });
    await undo(made['id']);
    expect(await entryOf(world, paid)).toMatchObject({ transfer_id: null, reconciled_cents: '0' });
    expect(await world.call('finance_transfers_get', { id: transfer['id'] })).toMatchObject({
      debit_transaction_id: transfer['debit_transaction_id'],
    });
  });
});

describe('refused', () => {
  test('amounts that do not add up, with both sums and the difference', async () => {
    const [id, paid] = [await bill('100.00'), await line(9_999)];
    expect(await refusal([{ id: paid, amount: '99.99' }], [{ kind: 'payable', id }])).toEqual({
      code: 'unbalanced',
      details: { left: '99.99', right: '100.00', difference: '-0.01' },
    });
  });

  test('more than a line or a document has left, and what is full already', async () => {
    const [id, paid] = [await bill('100.00'), await line(10_000)];
    const whole = [{ kind: 'payable', id }];
    expect(await refusal([{ id: paid, amount: '100.01' }], whole)).toMatchObject({
      code: 'exceeds_open_amount',
    });
    const more = [{ kind: 'payable', id, principal: '100.01' }];
    expect(await refusal([{ id: paid, amount: '100.00' }], more)).toMatchObject({
      code: 'exceeds_open_amount',
    });
    await make([{ id: paid, amount: '100.00' }], whole);
    expect(
      await refusal([{ id: paid, amount: '1.00' }], [{ kind: 'payable', id: await bill('1.00') }]),
    ).toMatchObject({
      code: 'already_reconciled',
    });
    expect(await refusal([{ id: await line(10_000), amount: '100.00' }], whole)).toMatchObject({
      code: 'invalid_state',
    });
  });

  test('lines and documents that do not go together', async () => {
    const [owed, due] = [await bill('10.00'), await sale('10.00')];
    const debit = { id: await line(1_000), amount: '10.00' };
    const credit = { id: await line(1_000, { direction: 'credit' }), amount: '10.00' };
    const elsewhere = { id: await line(1_000, { account_id: other }), amount: '10.00' };
    expect(await refusal([debit], [{ kind: 'receivable', id: due }])).toMatchObject({
      code: 'invalid_argument',
    });
    expect(await refusal([credit], [{ kind: 'payable', id: owed }])).toMatchObject({
      code: 'invalid_argument',
    });
    expect(await refusal([debit, credit], [{ kind: 'payable', id: owed }])).toMatchObject({
      code: 'invalid_argument',
    });
    expect(await refusal([debit, elsewhere], [{ kind: 'payable', id: owed }])).toMatchObject({
      code: 'invalid_argument',
    });
    const { settlement } = await world.call('finance_payables_settle', {
      id: owed,
      account_id: other,
      paid_at: '2026-09-28',
      amount: '10.00',
    });
    expect(await refusal([debit], [{ kind: 'settlement', id: settlement.id }])).toMatchObject({
      code: 'invalid_argument',
      details: { path: 'documents.0.id' },
    });
    const entry = { id: settlement.transaction_id, amount: '10.00' };
    expect(await refusal([entry], [{ kind: 'payable', id: await bill('10.00') }])).toMatchObject({
      code: 'invalid_state',
    });
  });

  test('a bill with an order on its way', async () => {
    const id = await bill('10.00');
    await world.look(
      `insert into payments (workspace_id, id, payable_id, account_id, kind, amount_cents, details, scheduled_for,
                             status, registration_status, created_by)
       values ($1, $2, $3, $4, 'pix_key', 1000, '{}', '2026-10-01', 'processing', 'confirmed', $1)`,
      [world.workspaceId, newId(), id, account],
    );
    expect(
      await refusal([{ id: await line(1_000), amount: '10.00' }], [{ kind: 'payable', id }]),
    ).toMatchObject({
      code: 'invalid_state',
      details: { kind: 'payment' },
    });
  });

  test('MODEL §14.9: anything in closed books, making and undoing', async () => {
    const [id, paid] = [await bill('10.00'), await line(1_000)];
    await closeBooks(world, companyId, '2026-09-30');
    const sides = [[{ id: paid, amount: '10.00' }], [{ kind: 'payable', id }]] as const;
    expect(await refusal([...sides[0]], [...sides[1]])).toMatchObject({ code: 'books_closed' });
    await closeBooks(world, companyId, null);
    const made = await make([...sides[0]], [...sides[1]]);
    await closeBooks(world, companyId, '2026-09-30');
    await expect(world.ask(DELETE, { id: made['id'], reason: 'x' })).rejects.toMatchObject({
      code: 'books_closed',
    });
  });

  test('whoever may not, and records of others', async () => {
    const args = {
      transactions: [{ id: await line(1_000), amount: '10.00' }],
      documents: [{ kind: 'payable', id: await bill('10.00') }],
    };
    await expect(world.ask(CREATE, args, 'viewer')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(world.ask(CREATE, args, 'stranger')).rejects.toMatchObject({ code: 'not_found' });
    const made = await world.call(CREATE, args);
    for (const [name, more] of [
      ['finance_reconciliations_get', {}],
      [DELETE, { reason: 'x' }],
    ] as const) {
      await expect(world.send(name, { id: made['id'], ...more }, {}, 'stranger')).rejects.toMatchObject({
        code: 'not_found',
      });
    }
    const missing = [{ kind: 'settlement', id: newId() }];
    expect(await refusal([{ id: await line(1), amount: '0.01' }], missing)).toMatchObject({
      code: 'not_found',
    });
    await expect(world.ask(CREATE, { ...args, documents: [] })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });
});

test('asks with the account, every line, every document in its parts, and the total', async () => {
  const id = await bill('100.00', { description: 'Aluguel "central"' });
  const paid = await line(10_300, { description: 'PIX ENVIADO\nACME' });
  const { message } = await world.ask(CREATE, {
    transactions: [{ id: paid, amount: '103.00' }],
    documents: [{ kind: 'payable', id, interest: '1.00', fine: '2.00' }],
  });
  expect(message).toContain('- Total: R$ 103,00');
  expect(message).toContain('- Linha do extrato: "R$ 103,00; 30/09/2026; PIX ENVIADO\\nACME"');
  expect(message).toMatch(
    /- Baixa a conta a pagar: "R\$ 103,00; juros R\$ 1,00; multa R\$ 2,00; Supplier \d+; /,
  );
  expect(message).toContain('Aluguel \\"central\\""');
});

test('PITFALLS 45: undoing one of two leaves the other as it is', async () => {
  const id = await bill('1000.00');
  const paid = await line(100_000);
  const first = await make([{ id: paid, amount: '600.00' }], [{ kind: 'payable', id, principal: '600.00' }]);
  const second = await make([{ id: paid, amount: '400.00' }], [{ kind: 'payable', id, principal: '400.00' }]);
  expect(await payable(id)).toMatchObject({ status: 'paid' });
  expect((await world.ask(DELETE, { id: second['id'], reason: 'Engano' })).message).toContain(
    'desfaz só esta conciliação; 1 baixa(s)',
  );
  const undone = await undo(second['id']);
  expect(undone).toMatchObject({ status: 'undone', undone_reason: 'Engano', undone_by: expect.any(String) });
  expect(await payable(id)).toMatchObject({ status: 'partially_paid', open_amount: '400.00' });
  expect(await world.call('finance_reconciliations_get', { id: first['id'] })).toEqual(first);
  expect(await entryOf(world, paid)).toMatchObject({ reconciled_cents: '60000' });
  await expect(undo(second['id'])).rejects.toMatchObject({ code: 'invalid_state' });
  const again = await make([{ id: paid, amount: '400.00' }], [{ kind: 'payable', id, principal: '400.00' }]);
  expect(again).toMatchObject({ status: 'active' });
});

test('two people reconciling one line at once: one of them is told', async () => {
  const paid = await line(1_000);
  const calls = [];
  for (const id of [await bill('10.00'), await bill('10.00')]) {
    const args = { transactions: [{ id: paid, amount: '10.00' }], documents: [{ kind: 'payable', id }] };
    calls.push({ args, state: (await world.ask(CREATE, args)).state });
  }
  const outcomes = await Promise.allSettled(
    calls.map(({ args, state }) => world.confirm(CREATE, args, state)),
  );
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(failed).toHaveLength(1);
  expect(failed[0]!.reason).toMatchObject({ code: 'already_reconciled' });
  expect(await entryOf(world, paid)).toMatchObject({ reconciled_cents: '1000' });
});

test('a repeated call with its key reconciles once', async () => {
  const args = {
    transactions: [{ id: await line(1_000), amount: '10.00' }],
    documents: [{ kind: 'payable', id: await bill('10.00') }],
    idempotency_key: newId(),
  };
  const first = await world.call(CREATE, args);
  expect(await world.call(CREATE, args)).toEqual(first);
});

test('lists by account, document, line, day and state, in pages', async () => {
  const made: { id: string; line: string; bill: string }[] = [];
  for (const day of ['2026-09-01', '2026-09-02', '2026-09-03']) {
    const [paid, id] = [await line(1_000, { date: day }), await bill('10.00')];
    const { id: reconciliation } = await make([{ id: paid, amount: '10.00' }], [{ kind: 'payable', id }]);
    made.push({ id: reconciliation, line: paid, bill: id });
  }
  const list = (filter: object) =>
    world.call('finance_reconciliations_list', { account_id: account, ...filter });
  const ids = async (filter: object) => (await list(filter))['items'].map(({ id }: { id: string }) => id);
  const all = made.map(({ id }) => id);
  expect(await ids({ sort: 'created_at' })).toEqual(all);
  expect(await ids({ transaction_id: made[1]!.line })).toEqual([all[1]]);
  expect(await ids({ document_id: made[2]!.bill })).toEqual([all[2]]);
  expect(await ids({ date_from: '2026-09-02', date_to: '2026-09-02' })).toEqual([all[1]]);
  await undo(all[0]!);
  expect(await ids({ status: 'undone' })).toEqual([all[0]]);
  const page = await list({ limit: 2 });
  expect(await ids({ limit: 2, cursor: page['next_cursor'] })).toEqual([all[0]]);
  const empty = await createAccount(world, { company_id: companyId });
  expect(await ids({ account_id: empty })).toEqual([]);
});
