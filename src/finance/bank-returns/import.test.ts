/** A return file of a bank against real charges: what was paid is recorded, once, whatever is read twice. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPayer, type Payer, runQueued } from '../../../test/support/banking.ts';
import {
  chargeOf,
  createChargingBank,
  createReceivable,
  issueCharge,
} from '../../../test/support/charging.ts';
import { cnab240Return, cnab400Return, type TestTitle } from '../../../test/support/cnab.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

let world: World;
let payer: Payer;
const { bank } = createChargingBank();

beforeAll(async () => {
  world = await openWorld();
  payer = await createPayer(world);
});
beforeEach(() => world.setNow('2026-10-02T12:00:00Z'));
afterAll(() => world.close());

interface Issued {
  readonly receivableId: string;
  readonly chargeId: string;
  readonly ourNumber: string;
}

/** A receivable of R$ 100,00 due 2026-10-05 whose boleto is out. */
async function issued(fields: object = {}): Promise<Issued> {
  const receivableId = await createReceivable(world, payer, { amountCents: 10_000, ...fields });
  const { id } = await issueCharge(world, payer, receivableId, {
    methods: ['boleto'],
    valid_days_after_due: 60,
  });
  await runQueued(world, bank);
  const charge = await chargeOf(world, id);
  expect(charge['status']).not.toBe('generating');
  return { receivableId, chargeId: id, ourNumber: charge['boleto'].our_number };
}

const paid = (ourNumber: string, changes: Partial<TestTitle> = {}): TestTitle => ({
  ourNumber,
  face: 10_000,
  paid: 10_000,
  on: '01102026',
  ...changes,
});
const fileOf = (bytes: Buffer) => ({ name: 'CB021026.RET', content_base64: bytes.toString('base64') });
const bringIn = (bytes: Buffer, more: object = {}) =>
  world.call('finance_bank_returns_import', { account_id: payer.accountId, file: fileOf(bytes), ...more });
const recordsOf = async (id: string) => (await world.call('finance_bank_returns_get', { id }))['items'];
const receivable = (id: string) => world.call('finance_receivables_get', { id });
const ledger = async () =>
  Number(
    (
      await world.look<{ sum: string }>(
        `select coalesce(sum(case direction when 'credit' then amount_cents else -amount_cents end), 0) as sum
       from financial_transactions where account_id = $1`,
        [payer.accountId],
      )
    )[0]!.sum,
  );

describe('a paid title', () => {
  it('settles the receivable with what the customer paid; the fee is apart and the account gets the rest', async () => {
    const { receivableId, chargeId, ourNumber } = await issued();
    const before = await ledger();
    const bytes = cnab240Return('341', [paid(ourNumber, { credited: 9_750 })]);
    const file = await bringIn(bytes);
    expect(file).toMatchObject({
      already_imported: false,
      counts: { records: 1, settled: 1 },
      layout: 'cnab240',
    });
    expect(await receivable(receivableId)).toMatchObject({ status: 'paid', open_amount: '0.00' });
    expect(await chargeOf(world, chargeId)).toMatchObject({ status: 'paid' });
    expect((await ledger()) - before).toBe(9_750);
    const [record] = await recordsOf(file['id']);
    expect(record).toMatchObject({ outcome: 'settled', charge_id: chargeId, paid: '100.00', fee: '2.50' });
    const [settlement] = await world.look(
      'select *, paid_at::text as paid_on from settlements where id = $1',
      [record.settlement_id],
    );
    expect(settlement).toMatchObject({
      amount_cents: '10000',
      principal_cents: '10000',
      fee_cents: '250',
      paid_on: '2026-10-01',
      charge_id: chargeId,
      method: 'boleto',
    });
  });

  it('in CNAB 400 does the same, late with the interest the bank tells', async () => {
    const { receivableId, ourNumber } = await issued({ dueDate: '2026-09-15' });
    const file = await bringIn(
      cnab400Return('341', [paid(ourNumber, { paid: 9_967, fee: 250, interest: 217 })]),
    );
    expect(file).toMatchObject({ layout: 'cnab400', counts: { settled: 1 } });
    const { settlements, status } = await receivable(receivableId);
    expect(status).toBe('paid');
    expect(settlements).toMatchObject([
      { amount: '102.17', principal: '100.00', interest: '2.17', fee: '2.50' },
    ]);
  });
});

describe('read twice', () => {
  it('the same file adds nothing and gives the import that is there', async () => {
    const { ourNumber } = await issued();
    const bytes = cnab240Return('341', [paid(ourNumber)]);
    const first = await bringIn(bytes);
    const before = await ledger();
    expect(await bringIn(bytes)).toEqual({ ...first, already_imported: true });
    expect(await ledger()).toBe(before);
  });

  it('the same record in another file is replayed, also twice in one file', async () => {
    const { ourNumber, receivableId } = await issued();
    await bringIn(cnab240Return('341', [paid(ourNumber)]));
    const again = await bringIn(
      cnab240Return('341', [paid(ourNumber), paid(ourNumber)], { name: 'OUTRO ARQUIVO' }),
    );
    expect(again['counts']).toMatchObject({ records: 2, settled: 0, replayed: 2 });
    expect((await receivable(receivableId))['settlements']).toHaveLength(1);
  });

  it('at the same moment settles once', async () => {
    const { ourNumber, receivableId } = await issued();
    const bytes = cnab240Return('341', [paid(ourNumber)]);
    const files = await Promise.all([bringIn(bytes), bringIn(bytes)]);
    expect(files.map((file) => file['already_imported']).sort()).toEqual([false, true]);
    expect((await receivable(receivableId))['settlements']).toHaveLength(1);
  });
});

it('PITFALLS 43: another payment of a paid boleto is a duplicate: the charge stays, the refund is flagged', async () => {
  const { ourNumber, receivableId, chargeId } = await issued();
  await bringIn(cnab240Return('341', [paid(ourNumber)]));
  const second = await bringIn(cnab240Return('341', [paid(ourNumber, { on: '02102026' })]));
  expect(second['counts']).toMatchObject({ settled: 0, duplicate_payment: 1 });
  expect((await receivable(receivableId))['settlements']).toHaveLength(1);
  const refunds = await world.look(
    'select status, amount_cents from duplicate_receipts where charge_id = $1',
    [chargeId],
  );
  expect(refunds).toEqual([{ status: 'to_refund', amount_cents: '10000' }]);
});

it('good records go in, the others are named: unknown, other occurrences, broken, closed months', async () => {
  const one = await issued();
  const two = await issued();
  const records = cnab240Return('341', [
    paid(one.ourNumber),
    paid('99999999999'),
    paid(two.ourNumber, { occurrence: '02', paid: 0 }),
    paid('77'),
  ])
    .toString('latin1')
    .split('\r\n');
  records[9] = records[9]!.slice(0, 100);
  const file = await bringIn(Buffer.from(records.join('\r\n'), 'latin1'));
  expect(file['counts']).toEqual({
    records: 5,
    settled: 1,
    duplicate_payment: 0,
    noted: 1,
    replayed: 0,
    unknown_charge: 1,
    unreadable: 2,
    refused: 0,
  });
  expect(
    (await recordsOf(file['id'])).map(({ line, outcome }: { line: number; outcome: string }) => [
      line,
      outcome,
    ]),
  ).toEqual([
    [3, 'settled'],
    [5, 'unknown_charge'],
    [7, 'noted'],
    [9, 'unreadable'],
    [10, 'unreadable'],
  ]);
  const bad = await world.call('finance_bank_returns_get', {
    id: file['id'],
    outcome: 'unreadable',
    after_line: 9,
  });
  expect(bad['items'].map(({ line }: { line: number }) => line)).toEqual([10]);
});

it('MODEL §14.9: a payment in a closed month is refused and can be read again once the month is open', async () => {
  const { ourNumber, receivableId } = await issued();
  const close = (books_closed_until: string | null) =>
    world.call('finance_companies_update', { id: payer.companyId, books_closed_until });
  await close('2026-10-01');
  const bytes = cnab240Return('341', [paid(ourNumber)]);
  const refused = await bringIn(bytes);
  expect(refused['counts']).toMatchObject({ settled: 0, refused: 1 });
  expect((await recordsOf(refused['id']))[0]).toMatchObject({ outcome: 'refused', reason: 'books_closed' });
  expect((await receivable(receivableId))['status']).toBe('open');
  await close(null);
  const again = await bringIn(cnab240Return('341', [paid(ourNumber)], { name: 'DE NOVO' }));
  expect(again['counts']).toMatchObject({ settled: 1 });
});

it('a dry run shows what would happen and changes nothing', async () => {
  const { ourNumber, receivableId } = await issued();
  const bytes = cnab240Return('341', [paid(ourNumber)]);
  expect((await bringIn(bytes, { dry_run: true }))['counts']).toMatchObject({ settled: 1 });
  expect((await receivable(receivableId))['status']).toBe('open');
  expect((await bringIn(bytes))['already_imported']).toBe(false);
});

describe('refused as a whole', () => {
  it('a file of another bank names the bank', async () => {
    await expect(bringIn(cnab240Return('237', []))).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'account_id', expected: expect.stringContaining('237') },
    });
  });

  it('what is no return file leaves nothing', async () => {
    await expect(bringIn(Buffer.from('id;valor\n1;2\n'))).rejects.toMatchObject({ code: 'unsupported_file' });
  });

  it('by a connection that may only read, a role that may not, and another organization', async () => {
    const args = { account_id: payer.accountId, file: fileOf(cnab240Return('341', [])) };
    await expect(world.call('finance_bank_returns_import', args, 'reader')).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
    await expect(world.call('finance_bank_returns_import', args, 'viewer')).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(world.call('finance_bank_returns_import', args, 'stranger')).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

it('lists the files with their counts, newest first, of this workspace only', async () => {
  const { items } = await world.call('finance_bank_returns_list', { account_id: payer.accountId, limit: 2 });
  expect(items).toHaveLength(2);
  expect(items[0].created_at >= items[1].created_at).toBe(true);
  expect((await world.call('finance_bank_returns_list', {}, 'stranger'))['items']).toEqual([]);
  const file = await world.call('finance_attachments_list', {
    linked_to: { kind: 'bank_return', id: items[0].id },
  });
  expect(file['items']).toHaveLength(1);
});
