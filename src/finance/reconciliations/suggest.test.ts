import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { asOwner } from '../../../test/support/database.ts';
import { bookBalance, createLine, createPair, entryOf } from '../../../test/support/lines.ts';
import { createBill, createReceivable, createSupplier } from '../../../test/support/records.ts';
import { insertMonth, type Month, monthOf } from '../../../test/support/statement-month.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const SUGGEST = 'finance_reconciliations_suggest';
const ACCEPT = 'finance_reconciliations_bulk_create';

let world: World;
let person: { id: string; document_number: string };
let companyId: string;
let account: string;
let other: string;
let minutes = 0;

beforeAll(async () => {
  world = await openWorld();
  const id = await createSupplier(world, { roles: ['supplier', 'customer'] });
  person = (await world.call('finance_people_get', { id })) as typeof person;
});
afterAll(() => world.close());
beforeEach(async () => {
  minutes += 1;
  world.setNow(new Date(Date.parse('2026-10-01T12:00:00Z') + minutes * 60_000).toISOString());
  ({ companyId, from: account, to: other } = await createPair(world));
});

let bills = 0;

const bill = async (amount: string, fields: object = {}) => {
  bills += 1;
  const base = {
    company_id: companyId,
    person_id: person.id,
    document_number: `${bills}`,
    due_date: '2026-09-30',
  };
  return (await createBill(world, { ...base, amount, ...fields }))['id'] as string;
};
const line = (amount_cents: number, fields: object = {}) =>
  createLine(world, {
    account_id: account,
    amount_cents,
    counterparty_document: person.document_number,
    ...fields,
  });
const suggest = (fields: object = {}) => world.call(SUGGEST, { account_id: account, ...fields });
const payable = (id: string) => world.call('finance_payables_get', { id });

describe('suggestions', () => {
  test('name lines and documents as people know them, with parts, reasons and what is left over', async () => {
    const charges = {
      fine: { kind: 'percent', value: '2' },
      interest: { kind: 'percent_per_month', value: '1' },
    };
    const owed = await bill('100.00', { due_date: '2026-08-28', description: 'Frete', charges });
    const paid = await line(10_303, { date: '2026-09-28', description: 'PIX ENVIADO' });
    const found = await suggest();
    expect(found).toMatchObject({
      counts: { lines: 1, suggestions: 1, lines_without: 0 },
      date_from: '2026-07-03',
      date_to: '2026-10-01',
      next_cursor: null,
    });
    expect(found['suggestions'][0]).toMatchObject({
      certainty: 'likely',
      reasons: ['exact_amount', 'interest_and_fine', 'counterparty_document'],
      transactions: [{ id: paid, amount: '103.03', date: '2026-09-28', description: 'PIX ENVIADO' }].map(
        (one) => ({
          ...one,
          amount: '103.03',
        }),
      ),
      documents: [
        {
          kind: 'payable',
          id: owed,
          principal: '100.00',
          fine: '2.00',
          interest: '1.03',
          person: { id: person.id },
          description: 'Frete',
        },
      ],
      difference: '0.00',
    });
  });

  test('leave out what is reconciled, ignored, linked, or on its way at a bank', async () => {
    const owed = await bill('55.00');
    const paid = await line(5_500);
    expect((await suggest())['counts']).toMatchObject({ certain: 1 });
    await world.call('finance_financial_transactions_update', { id: paid, ignored: true });
    expect((await suggest())['counts']).toMatchObject({ lines: 0, suggestions: 0 });
    await line(5_500);
    await world.call('finance_payables_cancel', { id: owed, reason: 'x' });
    expect((await suggest())['counts']).toMatchObject({ lines: 1, suggestions: 0, lines_without: 1 });
  });

  test('come in pages that hold each one once, best first', async () => {
    for (const amount of [10, 20, 30, 40, 50]) {
      await bill(`${amount}.00`);
      await line(amount * 100, { counterparty_document: amount > 25 ? person.document_number : undefined });
    }
    const seen: { id: string; score: number }[] = [];
    let cursor: string | undefined;
    do {
      const page = await suggest({ limit: 2, cursor });
      expect(page['counts']).toMatchObject({ certain: 3, likely: 2 });
      seen.push(...page['suggestions']);
      cursor = page['next_cursor'] ?? undefined;
    } while (cursor !== undefined);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(5);
    expect(seen.map(({ score }) => score)).toEqual(seen.map(({ score }) => score).sort((a, b) => b - a));
    await expect(suggest({ cursor: 'x' })).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  test('are of the caller’s own books, and of a period that makes sense', async () => {
    await expect(world.call(SUGGEST, { account_id: account }, 'stranger')).rejects.toMatchObject({
      code: 'not_found',
    });
    for (const fields of [
      { date_from: '2026-10-02' },
      { date_from: '2020-01-01' },
      { date_tolerance_days: 31 },
      { amount_tolerance: '-0.01' },
    ]) {
      await expect(suggest(fields), JSON.stringify(fields)).rejects.toMatchObject({
        code: 'invalid_argument',
      });
    }
  });
});

describe('accepting', () => {
  const idsOf = async (fields: object = {}) =>
    (await suggest(fields))['suggestions'].map(({ id }: { id: string }) => id) as string[];

  test('makes each after one question with count, total and a line each', async () => {
    const owed = [await bill('10.00'), await bill('20.00')];
    await line(1_000);
    await line(2_000);
    const suggestion_ids = await idsOf();
    const { message } = await world.ask(ACCEPT, { suggestion_ids });
    expect(message).toContain('- Conciliações: 2\n');
    expect(message).toContain('- Total: R$ 30,00\n');
    expect(message).toMatch(
      /- Concilia 1: "R\$ \d0,00; 30\/09\/2026 LANCAMENTO; conta a pagar R\$ \d0,00; Supplier/,
    );
    const result = await world.call(ACCEPT, { suggestion_ids });
    expect(result).toMatchObject({ requested: 2, total: '30.00', failed: [] });
    for (const id of owed) expect(await payable(id)).toMatchObject({ status: 'paid' });
    for (const { reconciliation_id: id } of result['succeeded']) {
      expect(await world.call('finance_reconciliations_get', { id })).toMatchObject({ origin: 'suggestion' });
    }
    expect((await suggest())['counts']).toMatchObject({ lines: 0 });
  });

  test('checks each again, and one that fails leaves no trace and holds back no other', async () => {
    const owed = [await bill('10.00'), await bill('20.00'), await bill('30.00')];
    await line(1_000);
    await line(2_000);
    const split = await line(3_000);
    const suggestion_ids = await idsOf();
    await world.call('finance_payables_cancel', { id: owed[0], reason: 'x' });
    await world.call('finance_reconciliations_create', {
      transactions: [{ id: split, amount: '5.00' }],
      documents: [{ kind: 'payable', id: owed[2], principal: '5.00' }],
    });
    const { message } = await world.ask(ACCEPT, { suggestion_ids });
    expect(message).toContain('- Conciliações: 1\n');
    expect(message).toContain('invalid_state');
    const result = await world.call(ACCEPT, { suggestion_ids });
    expect(result).toMatchObject({ requested: 3, total: '20.00', succeeded: [{}] });
    expect(result['failed'].map(({ code }: { code: string }) => code).sort()).toEqual([
      'exceeds_open_amount',
      'invalid_state',
    ]);
    const [event] = await world.look<{ body: string }>(
      'select body from events where operation = $1 order by position desc limit 1',
      [ACCEPT],
    );
    const kinds = JSON.parse(event!.body).changes.map(({ kind }: { kind: string }) => kind);
    expect(kinds.sort()).toEqual(['financial_transaction', 'payable', 'reconciliation', 'settlement']);
    await expect(world.ask(ACCEPT, { suggestion_ids })).rejects.toMatchObject({ code: expect.any(String) });
  });

  test('two suggestions for one line make one of them', async () => {
    const [first, second] = [await bill('10.00'), await bill('10.00')];
    const paid = await line(1_000);
    const suggestion_ids = await idsOf();
    expect(suggestion_ids).toHaveLength(2);
    const result = await world.call(ACCEPT, { suggestion_ids });
    expect(result).toMatchObject({ total: '10.00', failed: [{ code: 'already_reconciled' }] });
    const states = [(await payable(first))['status'], (await payable(second))['status']];
    expect(states.sort()).toEqual(['open', 'paid']);
    expect(await entryOf(world, paid)).toMatchObject({ reconciled_cents: '1000' });
  });

  test('refuses ids that are none, before anything', async () => {
    await bill('10.00');
    await line(1_000);
    const [id] = await idsOf();
    const suggestion_ids = [id!, `${id!.slice(0, -5)}AAAAA`];
    await expect(world.ask(ACCEPT, { suggestion_ids })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'suggestion_ids.1' },
    });
    await expect(world.ask(ACCEPT, { suggestion_ids: [] })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    await expect(world.ask(ACCEPT, { suggestion_ids: [id] }, 'stranger')).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('PITFALLS 41: both sides of an own transfer are suggested as one, from either account, and linked', async () => {
    await line(100_000, { counterparty_document: undefined });
    const there = await createLine(world, { account_id: other, amount_cents: 100_000, direction: 'credit' });
    const before = [await bookBalance(world, account), await bookBalance(world, other)];
    const [mirrored] = (await world.call(SUGGEST, { account_id: other }))['suggestions'];
    const [found] = (await suggest())['suggestions'];
    expect(found).toMatchObject({
      certainty: 'likely',
      reasons: expect.arrayContaining(['own_transfer']),
      documents: [{ kind: 'transaction', id: there, principal: '1000.00' }],
    });
    const result = await world.call(ACCEPT, { suggestion_ids: [mirrored.id] });
    expect(result).toMatchObject({
      succeeded: [{ reconciliation_id: null, transfer_id: expect.any(String) }],
    });
    expect([await bookBalance(world, account), await bookBalance(world, other)]).toEqual(before);
    expect(await entryOf(world, there)).toMatchObject({ transfer_id: result['succeeded'][0].transfer_id });
    expect((await suggest())['counts']).toMatchObject({ lines: 0 });
  });

  test('a receipt less its fee settles the whole receivable', async () => {
    const sale = await createReceivable(world, {
      company_id: companyId,
      person_id: person.id,
      amount: '200.00',
    });
    await line(19_800, { direction: 'credit', date: '2026-10-01' });
    const [found] = (await suggest())['suggestions'];
    expect(found).toMatchObject({ documents: [{ principal: '200.00', fee: '2.00' }], difference: '0.00' });
    await world.call(ACCEPT, { suggestion_ids: [found.id] });
    expect(await world.call('finance_receivables_get', { id: sale['id'] })).toMatchObject({ status: 'paid' });
  });
});

describe('a month of 1,000 lines', () => {
  let month: Month;

  beforeAll(async () => {
    const [company] = await world.look<{ id: string; document_number: string }>(
      'select id, document_number from companies where id = $1',
      [(await createPair(world)).companyId],
    );
    const accounts = await world.look<{ id: string }>(
      'select id from financial_accounts where company_id = $1 order by id',
      [company!.id],
    );
    const place = {
      workspaceId: world.workspaceId,
      userId: world.workspaceId,
      company: { id: company!.id, document: company!.document_number },
      accountId: accounts[0]!.id,
      otherAccountId: accounts[1]!.id,
    };
    month = monthOf(place, 1_000, 7);
    await insertMonth((text, values) => asOwner(world.url, text, values), month);
    account = place.accountId;
  });

  test('has 99 % of what belongs together found, and nothing wrong among what is certain', async () => {
    const [entry] = month.tables['financial_transactions']!;
    const found = new Map<string, string>();
    let cursor: string | undefined;
    do {
      const page = await world.call(SUGGEST, {
        account_id: entry!['account_id'],
        date_from: month.from,
        date_to: month.to,
        limit: 100,
        cursor,
      });
      for (const { certainty, transactions, documents } of page['suggestions']) {
        const ids = [...transactions, ...documents].map(({ id }: { id: string }) => id);
        found.set(ids.sort().join(' '), certainty);
      }
      cursor = page['next_cursor'] ?? undefined;
    } while (cursor !== undefined);
    const planted = new Set(month.planted.map(({ key }) => key));
    const missed = month.planted.filter(({ key }) => !found.has(key));
    expect(missed.length, JSON.stringify(missed.slice(0, 3))).toBeLessThanOrEqual(planted.size / 100);
    const certain = [...found].filter(([, certainty]) => certainty === 'certain').map(([key]) => key);
    expect(certain.filter((key) => !planted.has(key))).toEqual([]);
    expect(certain.length).toBeGreaterThan(planted.size / 2);
  });
});
