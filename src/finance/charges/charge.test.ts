import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPayer, type Payer, queued, runQueued } from '../../../test/support/banking.ts';
import {
  chargeOf,
  createChargingBank,
  createCustomer,
  createReceivable,
  issueCharge,
  workIn,
} from '../../../test/support/charging.ts';
import { createAccount } from '../../../test/support/records.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import { createReceivables, requireReceivable, settleReceivable } from '../receivables/index.ts';

const CHARGE = 'finance_receivables_charge';
const BULK = 'finance_receivables_bulk_charge';
const RESEND = 'finance_charges_resend';
const CANCEL = 'finance_receivables_cancel';

let world: World;
let payer: Payer;

beforeAll(async () => {
  world = await openWorld();
  payer = await createPayer(world);
});
afterAll(() => world.close());
let minutes = 0;
beforeEach(async () => {
  // A person is asked at most thirty times a minute.
  minutes += 1;
  world.setNow(`2026-10-01T12:${String(minutes).padStart(2, '0')}:00Z`);
  await world.look('delete from graphile_worker._private_jobs');
});

const argsFor = (id: string, more: object = {}) => ({
  id,
  account_id: payer.accountId,
  methods: ['boleto', 'pix'],
  ...more,
});

const { bank } = createChargingBank();
const open = async (more: object = {}, draft: object = {}) => {
  const receivableId = await createReceivable(world, payer, draft);
  const charge = await issueCharge(world, payer, receivableId, more);
  await runQueued(world, bank);
  return { receivableId, id: charge['id'] as string };
};

describe('charging', () => {
  test('writes one charge, one command and one job, numbered in turn', async () => {
    const own = await createPayer(world);
    const first = await issueCharge(world, own, await createReceivable(world, own));
    const id = await createReceivable(world, own);
    const charge = await issueCharge(world, own, id, {
      expected_amount: '1234.56',
      valid_days_after_due: 30,
    });
    expect(charge).toMatchObject({
      receivable_id: id,
      account_id: own.accountId,
      methods: ['boleto', 'pix'],
      amount: '1234.56',
      due_date: '2026-10-05',
      pay_until: '2026-11-04',
      status: 'generating',
      registration_status: 'pending',
      boleto: null,
      pix: null,
      pdf_uri: null,
      deliveries: [],
    });
    const numbers = await world.look<{ our_number: string }>(
      'select our_number from charges where id = any($1) order by our_number',
      [[first['id'], charge['id']]],
    );
    expect(numbers.map(({ our_number }) => our_number)).toEqual(['00000000001', '00000000002']);
    const [command] = await world.look('select id, idempotency_key from bank_commands where charge_id = $1', [
      charge['id'],
    ]);
    expect(command).toMatchObject({ idempotency_key: `${charge['id']}.20261005.123456.boleto_pix` });
    expect((await queued(world)).at(-1)).toMatchObject({ task: 'charge_send' });
    expect(await chargeOf(world, charge['id'])).toEqual(charge);
  });

  test('asks with customer, amount, methods, dates, account and e-mail, in text of others quoted', async () => {
    const personId = await createCustomer(world, {
      name: 'Padaria "Sol"',
      emails: ['contas@example.com'],
      document_number: '12ABC34501DE35',
    });
    const id = await createReceivable(world, payer, { personId });
    const { message } = await world.ask(CHARGE, argsFor(id, { send_to: 'customer' }));
    expect(message).toContain('- Cliente: "Padaria \\"Sol\\""');
    expect(message).toContain('- CPF/CNPJ do cliente: 12.ABC.345/01DE-35');
    expect(message).toContain('- Valor: R$ 1.234,56');
    expect(message).toContain('- Forma de pagamento: boleto e Pix');
    expect(message).toContain('- Conta a receber: "Mensalidade"');
    expect(message).toContain('- Vencimento: 05/10/2026');
    expect(message).toContain('- Pode ser pago até: 05/10/2026');
    expect(message).toContain('- Será enviado para: "contas@example.com"');
    expect(message).not.toContain('ATENÇÃO');
    const silent = await world.ask(CHARGE, argsFor(id));
    expect(silent.message).toContain('- E-mail: não será enviado');
  });

  test('points out an address that is not registered, and sends only to it', async () => {
    const id = await createReceivable(world, payer);
    const args = argsFor(id, { send_to: 'Outro@Example.com' });
    const { message, state } = await world.ask(CHARGE, args);
    expect(message).toContain('- Será enviado para: "outro@example.com"');
    expect(message).toContain('- ATENÇÃO: o endereço não está no cadastro do cliente');
    const charge = await world.confirm(CHARGE, args, state);
    expect(charge['deliveries']).toMatchObject([{ recipient: 'outro@example.com', status: 'queued' }]);
  });

  test('charges what is still open of a partly paid one, without discounts', async () => {
    const id = await createReceivable(world, payer, {
      terms: {
        discounts: [{ kind: 'fixed', cents: 1000, until: '2026-10-05' }],
        fine: { kind: 'percent', percent: 20_000 },
        interest: { kind: 'none' },
        graceDays: 0,
      },
    });
    await world.look(
      "update receivables set settled_cents = 23456, status = 'partially_paid' where id = $1",
      [id],
    );
    const charge = await issueCharge(world, payer, id);
    expect(charge).toMatchObject({ amount: '1000.00' });
    const [row] = await world.look<{ terms: any }>('select terms from charges where id = $1', [charge['id']]);
    expect(row!.terms).toMatchObject({ discounts: [], fine: { percent: 20_000 } });
  });

  test.each([
    ['no method', { methods: [] }, 'methods'],
    ['one method twice', { methods: ['pix', 'pix'] }, 'methods'],
    ['another method', { methods: ['card'] }, 'methods.0'],
    ['an address that is none', { send_to: 'someone' }, 'send_to'],
    ['an address with a second header', { send_to: 'a@example.com\r\nBcc: b@example.com' }, 'send_to'],
    ['too many days', { valid_days_after_due: 366 }, 'valid_days_after_due'],
    ['an amount of zero', { expected_amount: '0.00' }, 'expected_amount'],
  ])('refuses %s', async (_what, more, path) => {
    await expect(world.call(CHARGE, argsFor(newId(), more))).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path },
    });
  });

  test('refuses another amount than the one seen', async () => {
    const id = await createReceivable(world, payer);
    await expect(world.call(CHARGE, argsFor(id, { expected_amount: '1234.55' }))).rejects.toMatchObject({
      code: 'amount_changed',
      details: { expected: '1234.55', actual: '1234.56' },
    });
  });

  test('refuses an account that cannot issue it: inactive, cash, of another company, without a bank', async () => {
    const id = await createReceivable(world, payer);
    const company_id = payer.companyId;
    const refusal = async (account_id: string) =>
      world.ask(CHARGE, argsFor(id, { account_id })).then(
        () => 'asked',
        ({ code, details }) => `${code} ${details.path ?? details.from}`,
      );
    expect(await refusal(await createAccount(world, { company_id, active: false }))).toBe(
      'invalid_state inactive',
    );
    expect(await refusal(await createAccount(world, { company_id, kind: 'cash' }))).toBe(
      'invalid_argument account_id',
    );
    expect(await refusal((await createPayer(world)).accountId)).toBe('invalid_argument account_id');
    const bare = await createAccount(world, { company_id });
    await world.look('update financial_accounts set bank_code = null where id = $1', [bare]);
    expect(await refusal(bare)).toBe('invalid_argument account_id');
  });

  test('refuses a boleto for a customer without CPF or CNPJ and for an amount that has no room in it', async () => {
    const personId = await createCustomer(world, { document_number: null, kind: 'natural' });
    const nameless = await createReceivable(world, payer, { personId });
    const large = await createReceivable(world, payer, { amountCents: 10_000_000_000 });
    for (const id of [nameless, large]) {
      await expect(world.ask(CHARGE, argsFor(id))).rejects.toMatchObject({
        code: 'invalid_argument',
        details: { path: 'methods' },
      });
      await expect(world.ask(CHARGE, argsFor(id, { methods: ['pix'] }))).resolves.toBeDefined();
    }
  });

  test('refuses one that nobody could pay any more, and says how many days it takes', async () => {
    // Due on a Friday: until then, and a Monday is three days later.
    const id = await createReceivable(world, payer, { dueDate: '2026-09-25' });
    await expect(world.ask(CHARGE, argsFor(id))).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'valid_days_after_due', expected: 'at least 6: the receivable was due on 2026-09-25' },
    });
    await expect(world.ask(CHARGE, argsFor(id, { valid_days_after_due: 6 }))).resolves.toBeDefined();
  });

  test('refuses to send it to a customer without an address', async () => {
    const personId = await createCustomer(world, { emails: [] });
    const id = await createReceivable(world, payer, { personId });
    await expect(world.ask(CHARGE, argsFor(id, { send_to: 'customer' }))).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'send_to' },
    });
  });

  test('refuses a receivable that is paid or canceled', async () => {
    const id = await createReceivable(world, payer);
    await world.call(CANCEL, { id, reason: 'mistake' });
    await expect(world.ask(CHARGE, argsFor(id))).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'canceled' },
    });
  });

  test('refuses the wrong scopes and hides it from another workspace', async () => {
    const id = await createReceivable(world, payer);
    await expect(world.call(CHARGE, argsFor(id), 'reader')).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
    await expect(world.call(CHARGE, argsFor(id), 'accountant')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(world.call(CHARGE, argsFor(id), 'stranger')).rejects.toMatchObject({ code: 'not_found' });
    const charge = await issueCharge(world, payer, id);
    for (const name of ['finance_charges_get', 'finance_charges_cancel', RESEND]) {
      const args = { id: charge['id'], ...(name === 'finance_charges_cancel' && { reason: 'x' }) };
      await expect(world.call(name, args, 'stranger')).rejects.toMatchObject({ code: 'not_found' });
    }
    const list = await world.call('finance_charges_list', {}, 'stranger');
    expect(list['items']).toEqual([]);
  });

  test('with one key is one charge, whatever is repeated', async () => {
    const id = await createReceivable(world, payer);
    const args = argsFor(id, { idempotency_key: newId() });
    const first = await world.call(CHARGE, args);
    expect(await world.call(CHARGE, args)).toEqual(first);
    await expect(world.call(CHARGE, { ...args, methods: ['pix'] })).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
  });
});

describe('MODEL §14.8: one live charge per receivable', () => {
  test('a second one is refused while the first lives', async () => {
    const { id, receivableId } = await open();
    await expect(world.ask(CHARGE, argsFor(receivableId))).rejects.toMatchObject({
      code: 'duplicate',
      details: { kind: 'charge', of: id },
    });
  });

  test('of five people who say yes at the same moment, one charges', async () => {
    for (let round = 0; round < 2; round += 1) {
      const id = await createReceivable(world, payer);
      const args = argsFor(id);
      const asked = await Promise.all(Array.from({ length: 5 }, () => world.ask(CHARGE, args)));
      const outcomes = await Promise.allSettled(asked.map(({ state }) => world.confirm(CHARGE, args, state)));
      const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(failed.map(({ reason }) => reason.code)).toEqual(Array.from({ length: 4 }, () => 'duplicate'));
      expect(await world.look('select id from charges where receivable_id = $1', [id])).toHaveLength(1);
    }
  });

  test('numbers given at the same moment differ', async () => {
    const own = await createPayer(world);
    const ids = await Promise.all(Array.from({ length: 4 }, () => createReceivable(world, own)));
    const charges = await Promise.all(ids.map((id) => issueCharge(world, own, id)));
    const numbers = await world.look<{ our_number: string }>(
      'select our_number from charges where account_id = $1 order by our_number',
      [own.accountId],
    );
    expect(charges).toHaveLength(4);
    expect(numbers.map(({ our_number }) => Number(our_number))).toEqual([1, 2, 3, 4]);
  });

  test('the table itself holds it, also for code that does not look', async () => {
    const { id } = await open();
    await expect(
      world.look(
        `insert into charges (workspace_id, id, receivable_id, account_id, methods, amount_cents, due_date, our_number,
                              status, registration_status, created_by)
         select workspace_id, $2, receivable_id, account_id, methods, amount_cents, due_date, 'x', 'open', 'pending', $2
           from charges where id = $1`,
        [id, newId()],
      ),
    ).rejects.toThrow('charges_one_live');
  });
});

describe('charging many', () => {
  test('makes one charge each, names what is refused, and asks with every line', async () => {
    const ids = [await createReceivable(world, payer), await createReceivable(world, payer)];
    const { receivableId: charged } = await open();
    const unknown = newId();
    const args = {
      ids: [...ids, charged, unknown, ids[0]],
      methods: ['pix'],
      account_id: payer.accountId,
      send: true,
      expected_total: '2469.12',
    };
    const { message, state } = await world.ask(BULK, args);
    expect(message).toContain('- Cobranças: 2');
    expect(message).toContain('- Total: R$ 2.469,12');
    for (const id of ids) expect(message).toContain(`- Cobra ${id}: "R$ 1.234,56; 05/10/2026; Cliente`);
    expect(message).toContain(`- ${charged}: não será cobrado: duplicate`);
    expect(message).toContain(`- ${unknown}: não será cobrado: not_found`);
    const result = await world.confirm(BULK, args, state);
    expect(result).toMatchObject({ requested: 4, total: '2469.12' });
    expect(result['succeeded'].map(({ id }: { id: string }) => id).sort()).toEqual([...ids].sort());
    expect(result['failed'].map(({ code }: { code: string }) => code).sort()).toEqual([
      'duplicate',
      'not_found',
    ]);
    for (const { charge_id } of result['succeeded']) {
      expect(await chargeOf(world, charge_id)).toMatchObject({
        status: 'generating',
        methods: ['pix'],
        deliveries: [{ status: 'queued' }],
      });
    }
  });

  test('asks again when a line of the list changed before the yes', async () => {
    const personId = await createCustomer(world);
    const ids = [await createReceivable(world, payer, { personId }), await createReceivable(world, payer)];
    const args = { ids, methods: ['pix'], account_id: payer.accountId, send: true };
    const { state } = await world.ask(BULK, args);
    await world.call('finance_people_update', { id: personId, emails: ['outro@example.com'] });
    const responses = { confirm: { action: 'accept', content: { confirm: true } } };
    const outcome = await world.send(BULK, args, { state, responses });
    expect(outcome).toMatchObject({ kind: 'ask' });
    expect(outcome.kind === 'ask' && outcome.question.message).toContain(
      'Algo mudou desde a pergunta anterior',
    );
  });

  test('takes a list with one yes that is longer than a state has room for', async () => {
    const personId = await createCustomer(world);
    const drafts = Array.from({ length: 60 }, (_, index) => ({
      companyId: payer.companyId,
      personId,
      description: 'Mensalidade',
      amountCents: 1_000,
      dueDate: '2026-10-05',
      documentNumber: String(index),
    }));
    const ids = (await workIn(world).write((context) => createReceivables(context, drafts))).map(
      ({ id }) => id,
    );
    const result = await world.call(BULK, { ids, methods: ['pix'], account_id: payer.accountId });
    expect(result).toMatchObject({ requested: 60, total: '600.00', failed: [] });
    expect(result['succeeded']).toHaveLength(60);
  });

  test('refuses another total, more than 200, and a yes that could do nothing', async () => {
    const id = await createReceivable(world, payer);
    const args = { ids: [id], methods: ['pix'], account_id: payer.accountId };
    await expect(world.ask(BULK, { ...args, expected_total: '1.00' })).rejects.toMatchObject({
      code: 'amount_changed',
    });
    await expect(world.ask(BULK, { ...args, ids: Array.from({ length: 201 }, newId) })).rejects.toMatchObject(
      { code: 'invalid_argument', details: { path: 'ids' } },
    );
    await expect(world.ask(BULK, { ...args, ids: [newId()] })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('shows a dry run and leaves nothing behind', async () => {
    const id = await createReceivable(world, payer);
    const args = { ids: [id], methods: ['boleto'], account_id: payer.accountId, dry_run: true };
    const plan = await world.call(BULK, args);
    expect(plan).toMatchObject({ requested: 1, succeeded: [{ id }], failed: [] });
    expect(await world.look('select id from charges where receivable_id = $1', [id])).toEqual([]);
    expect(await queued(world)).toEqual([]);
  });
});

describe('listing', () => {
  test('filters by status, overdue included, by receivable, customer, account and due date, in pages', async () => {
    const own = await createPayer(world);
    const personId = await createCustomer(world);
    const ids: string[] = [];
    for (const dueDate of ['2026-10-05', '2026-10-09', '2026-10-12', '2026-10-20']) {
      const receivableId = await createReceivable(world, own, { personId, dueDate });
      ids.push((await issueCharge(world, own, receivableId))['id']);
    }
    await runQueued(world, bank);
    const idsOf = async (args: object) =>
      (await world.call('finance_charges_list', { account_id: own.accountId, ...args }))['items'].map(
        ({ id }: { id: string }) => ids.indexOf(id),
      );
    expect(await idsOf({ sort: 'due_date' })).toEqual([0, 1, 2, 3]);
    expect(await idsOf({})).toEqual([3, 2, 1, 0]);
    // Tuesday the 13th: Friday's is overdue; Monday the 12th was a holiday, so what was due on it is not.
    world.setNow('2026-10-13T12:00:00Z');
    expect(await idsOf({ status: 'overdue', sort: 'due_date' })).toEqual([0, 1]);
    expect(await idsOf({ status: 'open', sort: 'due_date' })).toEqual([2, 3]);
    expect(await idsOf({ status: 'generating' })).toEqual([]);
    expect(await idsOf({ person_id: personId, due_from: '2026-10-06', due_to: '2026-10-12' })).toEqual([
      2, 1,
    ]);
    const { items } = await world.call('finance_charges_list', { status: 'overdue', person_id: personId });
    expect(items.every(({ status }: { status: string }) => status === 'overdue')).toBe(true);
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await world.call('finance_charges_list', {
        account_id: own.accountId,
        limit: 3,
        sort: '-due_date',
        ...(cursor !== undefined && { cursor }),
      });
      seen.push(...page['items'].map(({ id }: { id: string }) => ids.indexOf(id)));
      cursor = page['next_cursor'] ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual([3, 2, 1, 0]);
  });
});

describe('sending again', () => {
  test('is a new message to the first address, or to the one given', async () => {
    const { id } = await open({ send_to: 'customer' });
    const { message } = await world.ask(RESEND, { id });
    expect(message).toMatch(/- Será enviado para: "contas\d+@example.com"/);
    expect(message).toContain('- Valor: R$ 1.234,56');
    const charge = await world.call(RESEND, { id, to: 'novo@example.com' });
    expect(charge['deliveries']).toHaveLength(2);
    expect(charge['deliveries'][0]).toMatchObject({ recipient: 'novo@example.com', status: 'queued' });
    expect((await world.ask(RESEND, { id, to: 'novo@example.com' })).message).toContain('ATENÇÃO');
  });

  test('is refused unless the customer can pay it', async () => {
    const { id } = await open();
    await world.call('finance_charges_cancel', { id, reason: 'x' });
    await expect(world.ask(RESEND, { id })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'cancel_requested', allowed: ['open'] },
    });
    const generating = await issueCharge(world, payer, await createReceivable(world, payer));
    await expect(world.ask(RESEND, { id: generating['id'] })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'generating' },
    });
    await expect(world.call(RESEND, { id }, 'accountant')).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('calling off a receivable', () => {
  test('asks the bank to cancel its live charge too', async () => {
    const { id, receivableId } = await open();
    const { message } = await world.ask(CANCEL, { id: receivableId, reason: 'mistake' });
    expect(message).toContain('pede ao banco o cancelamento da cobrança');
    expect(await world.call(CANCEL, { id: receivableId, reason: 'mistake' })).toMatchObject({
      status: 'canceled',
      canceled_reason: 'mistake',
    });
    expect(await chargeOf(world, id)).toMatchObject({
      status: 'open',
      cancel_requested_at: world.now().toISOString().replace('.000', ''),
    });
    await runQueued(world, bank);
    expect(await chargeOf(world, id)).toMatchObject({ status: 'canceled' });
  });

  test('cancels a charge that never left at once, and needs none', async () => {
    const receivableId = await createReceivable(world, payer);
    const charge = await issueCharge(world, payer, receivableId);
    await world.call(CANCEL, { id: receivableId, reason: 'mistake' });
    expect(await chargeOf(world, charge['id'])).toMatchObject({ status: 'canceled' });
    const bare = await createReceivable(world, payer);
    expect(await world.call(CANCEL, { id: bare, reason: 'mistake' })).toMatchObject({ status: 'canceled' });
    await expect(world.call(CANCEL, { id: bare, reason: 'mistake' })).rejects.toMatchObject({
      code: 'invalid_state',
    });
  });

  test('is refused once part was received, in closed books, and for those who may not', async () => {
    const own = await createPayer(world);
    const id = await createReceivable(world, own);
    await expect(world.call(CANCEL, { id, reason: 'x' }, 'stranger')).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(world.call(CANCEL, { id, reason: 'x' }, 'accountant')).rejects.toMatchObject({
      code: 'forbidden',
    });
    await world.look("update companies set books_closed_until = '2026-10-31' where id = $1", [own.companyId]);
    await expect(world.ask(CANCEL, { id, reason: 'x' })).rejects.toMatchObject({ code: 'books_closed' });
    await world.look('update companies set books_closed_until = null where id = $1', [own.companyId]);
    await workIn(world).write(async (context) => {
      const [account] = await context.db.rows<any>({
        text: 'select * from financial_accounts where workspace_id = $1 and id = $2',
        values: [world.workspaceId, own.accountId],
      });
      await settleReceivable(context, await requireReceivable(context, id), {
        account,
        paidAt: '2026-10-01',
        amount: 100,
        method: 'cash',
        transactionSource: 'settlement',
      });
    });
    await expect(world.ask(CANCEL, { id, reason: 'x' })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'partially_paid' },
    });
  });
});
