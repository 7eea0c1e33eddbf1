import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createPayer,
  createSupplier,
  type Payer,
  queued,
  runQueued,
  runTask,
} from '../../../test/support/banking.ts';
import { cnpjOf, createCompany } from '../../../test/support/records.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { buildBoleto } from '../../core/documents/boleto.ts';
import { newId } from '../../core/ids.ts';
import { createSimulatedBank } from '../../gateways/bank/index.ts';
import {
  type AnnouncedBoleto,
  type BankPort,
  BankRefused,
  BankUnreachable,
} from '../../gateways/bank/port.ts';

let world: World;
let payer: Payer;
let holder: string;

/** What the bank announces, and what it was told of rejections. */
let announced: AnnouncedBoleto[] = [];
let rejections: { reference: string; reason: string }[] = [];
let onReject: () => void = () => {};

const bank: BankPort = {
  ...createSimulatedBank(),
  dda: {
    async announced({ holderDocument }) {
      return announced.filter(({ payerDocument }) => payerDocument === holderDocument);
    },
    async reject(reference, reason) {
      rejections.push({ reference, reason });
      onReject();
    },
  },
};

beforeAll(async () => {
  world = await openWorld();
  payer = await createPayer(world);
  const [company] = await world.look<{ document_number: string }>(
    'select document_number from companies where id = $1',
    [payer.companyId],
  );
  holder = company!.document_number;
});

afterAll(() => world.close());

let boletos = 0;

function boletoOf(fields: Partial<AnnouncedBoleto> & { cents?: number } = {}): AnnouncedBoleto {
  boletos += 1;
  const { cents = 25_000, dueDate = '2026-10-10' } = fields;
  const { barcode } = buildBoleto({
    bankCode: '237',
    dueDate,
    amountCents: cents,
    freeField: String(boletos).padStart(25, '0'),
  });
  return {
    reference: `REF${boletos}`,
    barcode,
    beneficiary: { name: 'Energia S.A.', documentNumber: cnpjOf(60_000 + boletos) },
    payerDocument: holder,
    documentNumber: `N${boletos}`,
    nominalAmount: cents,
    amount: cents,
    minAmount: null,
    maxAmount: null,
    allowsPartial: false,
    issueDate: '2026-09-20',
    dueDate,
    terms: null,
    status: 'open',
    ...fields,
  };
}

const sync = async (workspaceId = world.workspaceId) =>
  (await runTask(world, bank, 'dda_sync', { organizationId: world.organizationId, workspaceId })).error;

const list = async (filter: object = {}) => (await world.call('finance_dda_boletos_list', filter))['items'];
const get = (id: string, who?: 'stranger' | 'viewer') => world.call('finance_dda_boletos_get', { id }, who);

/** Announces a boleto, reads the inbox and gives its record. */
async function receive(fields: Parameters<typeof boletoOf>[0] = {}) {
  const boleto = boletoOf(fields);
  announced = [boleto];
  expect(await sync()).toBeUndefined();
  const items = await list({ limit: 100 });
  const found = items.find(({ barcode }: { barcode: string }) => barcode === boleto.barcode);
  return { boleto, id: found.id as string, record: found };
}

const bill = (fields: object = {}) =>
  world
    .call('finance_payables_create', {
      company_id: payer.companyId,
      description: 'Luz',
      amount: '250.00',
      due_date: '2026-10-10',
      ...fields,
    })
    .then(({ items }) => items[0]);

describe('reading the inbox', () => {
  test('stores each announcement once, however often it is read', async () => {
    const { boleto, record } = await receive({ terms: null, minAmount: 100 });
    expect(record).toMatchObject({
      company_id: payer.companyId,
      account_id: payer.accountId,
      barcode: boleto.barcode,
      typed_line: expect.stringMatching(/^[\d. ]{54}$/),
      beneficiary: { name: 'Energia S.A.', document_number: boleto.beneficiary.documentNumber },
      nominal_amount: '250.00',
      min_amount: '1.00',
      due_date: '2026-10-10',
      status: 'pending',
      external_status: 'open',
      payable_id: null,
      version: 1,
    });
    const before = (await list({ limit: 100 })).length;
    expect(await sync()).toBeUndefined();
    expect(await list({ limit: 100 })).toHaveLength(before);
    expect((await get(record.id))['version']).toBe(1);
  });

  test('renews what the bank says, and never what a person decided', async () => {
    const { boleto, id } = await receive();
    await world.call('finance_dda_boletos_reject', { id, reason: 'não é nosso' });
    announced = [{ ...boleto, amount: 26_000, status: 'overdue' }];
    await sync();
    expect(await get(id)).toMatchObject({ amount: '260.00', status: 'rejected', external_status: 'overdue' });
    await runQueued(world, bank);
  });

  test('PITFALLS 8-11: refuses and counts codes that are wrong, and stores the right ones beside them', async () => {
    const right = [
      // The due factor began anew, and a check digit of 10 is written 0.
      boletoOf({ barcode: '34198100000000100001234567890123456789012345' }),
      boletoOf({ barcode: '23796160000000250000000000000000190000000000' }),
    ];
    const wrong = [
      boletoOf({ barcode: '34197758700000010001790010104351004791020150' }),
      boletoOf({ barcode: '85800000000010050012202610150000000000000001' }),
      boletoOf({ barcode: 'boleto' }),
      boletoOf({ beneficiary: { name: 'X', documentNumber: '12345678901234' } }),
      boletoOf({ nominalAmount: -1 }),
    ];
    announced = [...right, ...wrong];
    expect(await sync()).toBeUndefined();
    const stored = (await list({ limit: 100 })).map(({ barcode }: { barcode: string }) => barcode);
    for (const { barcode } of right) expect(stored).toContain(barcode);
    for (const { barcode } of wrong) expect(stored).not.toContain(barcode);
    const [event] = await world.look<{ body: string }>(
      "select body from events where tenant_id = $1 and body::jsonb->>'operation' = 'dda_sync' order by position desc limit 1",
      [world.workspaceId],
    );
    expect(JSON.parse(event!.body).changes).toContainEqual({
      kind: 'dda_sync',
      id: payer.accountId,
      before: null,
      after: { refused: wrong.length },
    });
  });

  test('keeps out text that a stranger hid in it', async () => {
    const { record } = await receive({
      beneficiary: { name: 'Ban\u202Eco\u0000', documentNumber: cnpjOf(61_000) },
    });
    expect(record.beneficiary.name).toBe('Banco');
  });

  test('a bank that cannot be asked is asked again, and keeps back no other account', async () => {
    const other = await createPayer(world);
    await world.look("update financial_accounts set bank_adapter = 'none' where id = $1", [other.accountId]);
    announced = [boletoOf()];
    expect(await sync()).toMatchObject({ message: expect.stringContaining('no bank adapter') });
    expect((await list({ limit: 100 })).some(({ barcode }: any) => barcode === announced[0]!.barcode)).toBe(
      true,
    );
    await world.look('update financial_accounts set active = false where id = $1', [other.accountId]);
    const { barcode } = boletoOf();
    expect(await sync(world.otherWorkspaceId)).toBeUndefined();
    expect(barcode).toHaveLength(44);
  });

  test('two readings at once store one', async () => {
    announced = [boletoOf(), boletoOf(), boletoOf()];
    expect(await Promise.all([sync(), sync()])).toEqual([undefined, undefined]);
    const found = await world.look('select id from dda_boletos where barcode = any($1)', [
      announced.map(({ barcode }) => barcode),
    ]);
    expect(found).toHaveLength(3);
  });
});

describe('finance_dda_boletos_list', () => {
  test('filters, sorts and pages without losing one', async () => {
    const company = await createCompany(world);
    for (const day of ['2027-01-03', '2027-01-01', '2027-01-02'])
      await receive({ dueDate: day, status: 'overdue' });
    const filter = { due_from: '2027-01-01', due_to: '2027-01-03', limit: 2 };
    const first = await world.call('finance_dda_boletos_list', filter);
    const second = await world.call('finance_dda_boletos_list', { ...filter, cursor: first['next_cursor'] });
    const days = [...first['items'], ...second['items']].map(({ due_date }) => due_date);
    expect(days).toEqual(['2027-01-01', '2027-01-02', '2027-01-03']);
    expect(second['next_cursor']).toBeNull();
    expect(await list({ ...filter, sort: '-due_date', limit: 1 })).toMatchObject([
      { due_date: '2027-01-03' },
    ]);
    expect(await list({ ...filter, external_status: 'open' })).toEqual([]);
    expect(await list({ ...filter, status: 'linked' })).toEqual([]);
    expect(await list({ ...filter, company_id: company })).toEqual([]);
  });

  test('hides the inbox of another tenant', async () => {
    const { id } = await receive();
    expect((await world.call('finance_dda_boletos_list', {}, 'stranger'))['items']).toEqual([]);
    const missing = { code: 'not_found', details: { kind: 'dda_boleto', id } };
    await expect(get(id, 'stranger')).rejects.toMatchObject(missing);
    expect(await get(id, 'viewer')).toMatchObject({ id });
    const payable_id = (await bill({ person_id: await createSupplier(world) })).id;
    for (const [name, args] of [
      ['create_payable', { id }],
      ['link_payable', { id, payable_id }],
      ['reject', { id, reason: 'x' }],
    ] as const) {
      const call = (who: 'stranger' | 'viewer' | 'reader') =>
        world.call(`finance_dda_boletos_${name}`, args, who);
      await expect(call('stranger'), name).rejects.toMatchObject(missing);
      await expect(call('viewer'), name).rejects.toMatchObject({ code: 'forbidden' });
      await expect(call('reader'), name).rejects.toMatchObject({ code: 'insufficient_scope' });
    }
  });
});

describe('finance_dda_boletos_get', () => {
  test('shows the bills it may be, likeliest first, and none that it cannot be', async () => {
    const { boleto, id } = await receive({ dueDate: '2026-11-10' });
    const person_id = await createSupplier(world, {
      document_number: boleto.beneficiary.documentNumber,
      pix_keys: [],
    });
    const near = await bill({ person_id, amount: '260.00', due_date: '2026-11-12', document_number: 'a' });
    const same = await bill({ person_id, due_date: '2026-11-05', document_number: 'b' });
    const far = await bill({ person_id, due_date: '2026-11-25', document_number: 'c' });
    const dear = await bill({ person_id, amount: '300.00', due_date: '2026-11-10', document_number: 'd' });
    const other = await bill({ person_id: await createSupplier(world), due_date: '2026-11-10' });
    const coded = await bill({
      person_id: await createSupplier(world),
      payment_details: { kind: 'boleto', code: boleto.barcode },
    });
    const { probable_payables: probable } = await get(id);
    expect(probable.map((each: any) => [each.id, each.reason])).toEqual([
      [coded.id, 'same_barcode'],
      [same.id, 'same_amount'],
      [near.id, 'near_amount'],
    ]);
    const ids = probable.map((each: any) => each.id);
    for (const { id: unlikely } of [far, dear, other]) expect(ids).not.toContain(unlikely);
  });
});

describe('finance_dda_boletos_create_payable', () => {
  const create = (id: string, fields: object = {}) =>
    world.call('finance_dda_boletos_create_payable', { id, ...fields });

  test('makes the bill with code, terms and a new supplier; sends nothing', async () => {
    const before = (await queued(world)).length;
    const { boleto, id } = await receive({
      terms: {
        discounts: [],
        fine: { kind: 'percent', percent: 20_000 },
        interest: { kind: 'none' },
        graceDays: 0,
      },
    });
    const made = await create(id);
    expect(made).toMatchObject({ status: 'linked', probable_payables: [] });
    const payable = await world.call('finance_payables_get', { id: made['payable_id'] });
    expect(payable).toMatchObject({
      amount: '250.00',
      due_date: '2026-10-10',
      description: 'Boleto: Energia S.A.',
      document_number: boleto.documentNumber,
      dda_boleto_id: id,
      payment_details: { kind: 'boleto', barcode: boleto.barcode },
      charges: { fine: { kind: 'percent', value: '2' } },
      status: 'open',
    });
    const person = await world.call('finance_people_get', { id: payable['person'].id });
    expect(person).toMatchObject({ document_number: boleto.beneficiary.documentNumber, roles: ['supplier'] });
    expect(await queued(world)).toHaveLength(before);
    await expect(create(id)).rejects.toMatchObject({ code: 'invalid_state', details: { from: 'linked' } });
  });

  test('reads as paid once its bill is, and as free once its bill is canceled', async () => {
    const { id } = await receive();
    const { payable_id: payableId } = await create(id);
    await world.call('finance_payables_settle', {
      id: payableId,
      account_id: payer.accountId,
      paid_at: '2026-10-01',
      amount: '250.00',
      method: 'boleto',
    });
    expect(await get(id)).toMatchObject({ status: 'paid', payable_id: payableId });
    expect((await list({ status: 'paid', limit: 100 })).map((each: any) => each.id)).toContain(id);
    const free = await receive();
    const canceled = await create(free.id);
    await world.call('finance_payables_cancel', { id: canceled['payable_id'], reason: 'engano' });
    expect(await get(free.id)).toMatchObject({ status: 'pending', payable_id: null });
    expect(await create(free.id)).toMatchObject({ status: 'linked' });
  });

  test('MODEL §14.10: a bill with the same code or number is there already', async () => {
    const { boleto, id } = await receive();
    const known = await bill({
      person_id: await createSupplier(world),
      payment_details: { kind: 'boleto', code: boleto.barcode },
    });
    await expect(create(id)).rejects.toMatchObject({
      code: 'duplicate',
      details: { kind: 'payable', of: known.id },
    });
    expect(await get(id)).toMatchObject({ status: 'pending' });
  });

  test('is refused for what the bank no longer lets be paid, in closed books, and without an amount', async () => {
    for (const status of ['paid', 'canceled', 'written_off', 'blocked'] as const) {
      const { id } = await receive({ status });
      await expect(create(id)).rejects.toMatchObject({ code: 'invalid_state', details: { from: status } });
    }
    const open = await receive({ cents: 0 });
    await expect(create(open.id)).rejects.toMatchObject({ code: 'invalid_state' });
    const { id } = await receive();
    await world.look("update companies set books_closed_until = '2026-10-31' where id = $1", [
      payer.companyId,
    ]);
    await expect(create(id)).rejects.toMatchObject({ code: 'books_closed' });
    await world.look('update companies set books_closed_until = null where id = $1', [payer.companyId]);
    await expect(create(id, { category_id: newId() })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('of two people at the same moment one makes the bill; the same key makes it once', async () => {
    const { id } = await receive();
    const results = await Promise.allSettled([create(id), create(id)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const bills = await world.look('select id from payables where dda_boleto_id = $1', [id]);
    expect(bills).toHaveLength(1);
    const again = await receive();
    const first = await create(again.id, { idempotency_key: 'dda-1' });
    expect(await create(again.id, { idempotency_key: 'dda-1' })).toEqual(first);
  });
});

describe('finance_dda_boletos_link_payable', () => {
  const link = (id: string, payable_id: string) =>
    world.call('finance_dda_boletos_link_payable', { id, payable_id });

  test('ties it to the bill and gives it the code, which has to be approved anew', async () => {
    const { boleto, id } = await receive();
    const person_id = await createSupplier(world);
    const { id: payableId } = await bill({ person_id });
    await world.look("update payables set approval_status = 'approved' where id = $1", [payableId]);
    const linked = await link(id, payableId);
    expect(linked).toMatchObject({ status: 'linked', payable_id: payableId });
    const payable = await world.call('finance_payables_get', { id: payableId });
    expect(payable).toMatchObject({
      dda_boleto_id: id,
      payment_details: { kind: 'boleto', barcode: boleto.barcode },
      amount: '250.00',
    });
    expect(payable['approval_status']).not.toBe('approved');
    expect(await link(id, payableId)).toEqual(linked);
  });

  test('leaves alone a bill that says how it is paid, is paid, or is of another amount', async () => {
    const person_id = await createSupplier(world);
    const byPix = await bill({
      person_id,
      document_number: 'p1',
      payment_details: { kind: 'pix_key', key: 'a@example.com' },
    });
    const dearer = await bill({ person_id, document_number: 'p2', amount: '260.00' });
    const paid = await bill({ person_id, document_number: 'p3' });
    await world.call('finance_payables_settle', {
      id: paid.id,
      account_id: payer.accountId,
      paid_at: '2026-10-01',
      amount: '250.00',
      method: 'boleto',
    });
    for (const [payable, kind, status] of [
      [byPix, 'pix_key', 'linked'],
      [dearer, undefined, 'linked'],
      [paid, undefined, 'paid'],
    ] as const) {
      const { id } = await receive();
      expect(await link(id, payable.id)).toMatchObject({ status });
      const after = await world.call('finance_payables_get', { id: payable.id });
      expect(after['payment_details']?.kind).toBe(kind);
    }
  });

  test('refuses whatever would be paid twice or is not the same debt', async () => {
    const { boleto, id } = await receive();
    const person_id = await createSupplier(world);
    const mine = await bill({ person_id, document_number: 'm1' });
    const twin = await bill({
      person_id,
      document_number: 'm2',
      payment_details: { kind: 'boleto', code: boleto.barcode },
    });
    await expect(link(id, mine.id)).rejects.toMatchObject({ code: 'duplicate', details: { of: twin.id } });
    expect(await link(id, twin.id)).toMatchObject({ payable_id: twin.id });
    await expect(link(id, mine.id)).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'linked' },
    });
    const second = await receive();
    await expect(link(second.id, twin.id)).rejects.toMatchObject({
      code: 'in_use',
      details: { by: [{ kind: 'dda_boleto', id }] },
    });
    const elsewhere = await bill({
      person_id,
      document_number: 'm3',
      company_id: await createCompany(world),
    });
    const otherCode = await bill({
      person_id,
      document_number: 'm4',
      payment_details: { kind: 'boleto', code: boletoOf().barcode },
    });
    const { id: canceled } = await bill({ person_id, document_number: 'm5' });
    await world.call('finance_payables_cancel', { id: canceled, reason: 'x' });
    for (const unfit of [elsewhere.id, otherCode.id]) {
      await expect(link(second.id, unfit)).rejects.toMatchObject({
        code: 'invalid_argument',
        details: { path: 'payable_id' },
      });
    }
    await expect(link(second.id, canceled)).rejects.toMatchObject({ code: 'invalid_state' });
    await expect(link(second.id, newId())).rejects.toMatchObject({
      code: 'not_found',
      details: { kind: 'payable' },
    });
    expect(await get(second.id)).toMatchObject({ status: 'pending' });
  });

  test('of two boletos for one bill at the same moment one is tied to it', async () => {
    const [first, second] = [await receive(), await receive()];
    const { id: payableId } = await bill({ person_id: await createSupplier(world) });
    const results = await Promise.allSettled([link(first.id, payableId), link(second.id, payableId)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [, { reason }] = results.sort((a, b) => (a.status < b.status ? -1 : 1)) as [any, any];
    expect(reason).toMatchObject({ code: expect.stringMatching(/in_use|duplicate/) });
  });
});

describe('finance_dda_boletos_reject', () => {
  const reject = (id: string) => world.call('finance_dda_boletos_reject', { id, reason: 'não é nosso' });

  test('asks first, showing who would be paid; then tells the bank through the worker', async () => {
    const { boleto, id, record } = await receive();
    const { message } = await world.ask('finance_dda_boletos_reject', { id, reason: 'não é nosso' });
    expect(message).toContain('- Beneficiário: "Energia S.A."');
    expect(message).toContain('- Valor: R$ 250,00');
    expect(message).toContain('- Vencimento: 10/10/2026');
    expect(message).toContain(record.typed_line);
    expect(message).toContain('não pode ser desfeito');
    expect(await reject(id)).toMatchObject({ status: 'rejected', rejection_status: 'requested' });
    rejections = [];
    expect(await runQueued(world, bank)).toEqual(['dda_reject']);
    expect(rejections).toEqual([{ reference: boleto.reference, reason: 'não é nosso' }]);
    expect(await get(id)).toMatchObject({ status: 'rejected', rejection_status: 'confirmed' });
    // A second run finds nothing left to do.
    const payload = { organizationId: world.organizationId, workspaceId: world.workspaceId, boletoId: id };
    expect(await runTask(world, bank, 'dda_reject', payload)).toEqual({ error: undefined });
    expect(rejections).toHaveLength(1);
  });

  test('is final: neither rejected again, nor billed, nor linked', async () => {
    const { id } = await receive();
    await reject(id);
    await runQueued(world, bank);
    const refused = { code: 'invalid_state', details: { from: 'rejected' } };
    await expect(reject(id)).rejects.toMatchObject(refused);
    await expect(world.call('finance_dda_boletos_create_payable', { id })).rejects.toMatchObject(refused);
    const { id: payable_id } = await bill({ person_id: await createSupplier(world) });
    await expect(world.call('finance_dda_boletos_link_payable', { id, payable_id })).rejects.toMatchObject(
      refused,
    );
  });

  test('is refused for what has a bill or is gone at the bank', async () => {
    const { id } = await receive();
    await world.call('finance_dda_boletos_create_payable', { id });
    await expect(reject(id)).rejects.toMatchObject({ code: 'invalid_state', details: { from: 'linked' } });
    const paid = await receive({ status: 'paid' });
    await expect(reject(paid.id)).rejects.toMatchObject({ code: 'invalid_state', details: { from: 'paid' } });
  });

  test('is tried again while the bank does not answer, and keeps its refusal', async () => {
    const { id } = await receive();
    await reject(id);
    const payload = { organizationId: world.organizationId, workspaceId: world.workspaceId, boletoId: id };
    onReject = () => {
      throw new BankUnreachable('no');
    };
    expect(await runQueued(world, bank)).toEqual(['dda_reject: BankUnreachable']);
    expect(await get(id)).toMatchObject({ rejection_status: 'requested' });
    onReject = () => {
      throw new BankRefused('já liberado para pagamento');
    };
    await runTask(world, bank, 'dda_reject', payload);
    onReject = () => {};
    expect(await get(id)).toMatchObject({
      status: 'rejected',
      rejection_status: 'refused',
      rejection_refused_reason: 'já liberado para pagamento',
    });
  });

  test('says so when the bank of the account takes no rejections', async () => {
    const { id } = await receive();
    await reject(id);
    const { dda: _, ...plain } = bank;
    expect(await runQueued(world, plain)).toEqual(['dda_reject']);
    expect(await get(id)).toMatchObject({ rejection_status: 'refused' });
  });
});
