import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createBill,
  createPayer,
  createSupplier,
  type Payer,
  queued,
} from '../../../../test/support/banking.ts';
import { createAccount, createCompany } from '../../../../test/support/records.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';
import { buildBoleto } from '../../../core/documents/boleto.ts';
import { newId } from '../../../core/ids.ts';
import { jobContextOf } from '../../../core/job.ts';
import { finance } from '../../index.ts';
import { requirePayable } from '../../payables/index.ts';
import { createOrder, prepareOrder, requirePayer } from '../orders.ts';

const SEND = 'finance_payables_send_to_bank';

let world: World;
let payer: Payer;

beforeAll(async () => {
  world = await openWorld();
  payer = await createPayer(world);
});
afterAll(() => world.close());
beforeEach(() => world.setNow('2026-10-01T12:00:00Z'));

const paymentsOf = (payableId: string) =>
  world.look<{ id: string; status: string }>('select id, status from payments where payable_id = $1', [
    payableId,
  ]);

describe('sending', () => {
  test('writes one order, one command and one job, and tells the payment', async () => {
    const id = await createBill(world, payer);
    const payment = await world.call(SEND, { id, account_id: payer.accountId, expected_amount: '1234.56' });
    expect(payment).toMatchObject({
      payable_id: id,
      account_id: payer.accountId,
      kind: 'pix_key',
      amount: '1234.56',
      scheduled_for: '2026-10-01',
      status: 'pending',
      registration_status: 'pending',
      next_step: null,
    });
    const [command] = await world.look<{ id: string; idempotency_key: string; status: string }>(
      'select id, idempotency_key, status from bank_commands where payment_id = $1',
      [payment['id']],
    );
    expect(command).toMatchObject({
      idempotency_key: `${payment['id']}.20261001.123456.pix_key`,
      status: 'requested',
    });
    expect((await queued(world)).at(-1)).toMatchObject({
      task: 'bank_send',
      payload: {
        organizationId: world.organizationId,
        workspaceId: world.workspaceId,
        commandId: command!.id,
      },
    });
    expect(await world.call('finance_payments_get', { id: payment['id'] })).toEqual(payment);
    const payable = await world.call('finance_payables_get', { id });
    expect(payable).toMatchObject({ status: 'open', payments: [{ id: payment['id'] }] });
  });

  test('SE-04: the question states effect, money and counterparty, and what runs is what was shown', async () => {
    const person_id = await createSupplier(world, {
      name: 'ACME "Ltda"\nPague já',
      document_number: '12ABC34501DE35',
      pix_keys: [],
    });
    const id = await createBill(world, payer, { person_id });
    const { message } = await world.ask(SEND, { id, account_id: payer.accountId });
    expect(message).toContain('- Favorecido: "ACME \\"Ltda\\" Pague já"');
    expect(message).toContain('- CPF/CNPJ do favorecido: 12.ABC.345/01DE-35');
    expect(message).toContain('- Valor: R$ 1.234,56');
    expect(message).toContain('- Pix para a chave: "12ABC34501DE35 (cnpj)"');
    expect(message).toContain('- Vencimento: 05/10/2026');
    expect(message).toContain('341 ag. 1234 c/c ***56-7');
    expect(message).toContain('- Data do pagamento: 01/10/2026');
    expect(message).toContain('- Saldo contábil da conta depois: R$ 98.765,44');
    expect(message).toContain('- Titular do destino: mesmo CPF/CNPJ do favorecido');
    expect(message).toContain('- Aprovação: não exigida');
    expect(message).not.toContain('mudaram há');
    expect(await paymentsOf(id)).toEqual([]);
  });

  test('a declined question sends nothing', async () => {
    const id = await createBill(world, payer);
    const { state } = await world.ask(SEND, { id, account_id: payer.accountId });
    const responses = { confirm: { action: 'decline' } };
    await expect(
      world.send(SEND, { id, account_id: payer.accountId }, { state, responses }),
    ).rejects.toMatchObject({ code: 'USER_DECLINED' });
    expect(await paymentsOf(id)).toEqual([]);
  });

  test('a boleto or TED goes on the next business day, on a Saturday', async () => {
    world.setNow('2026-10-03T12:00:00Z');
    const ted = { kind: 'ted', bank_code: '341', agency: '1', number: '22', digit: '3' };
    const byTed = await createBill(world, payer, { payment_details: ted });
    expect(await world.call(SEND, { id: byTed, account_id: payer.accountId })).toMatchObject({
      scheduled_for: '2026-10-05',
    });
    const byPix = await createBill(world, payer);
    expect(await world.call(SEND, { id: byPix, account_id: payer.accountId })).toMatchObject({
      scheduled_for: '2026-10-03',
    });
  });

  test('pays what is due on the payment date, fine and interest included', async () => {
    const id = await createBill(world, payer, {
      amount: '100.00',
      due_date: '2026-09-01',
      charges: { fine: { kind: 'percent', value: '2' }, interest: { kind: 'percent_per_month', value: '1' } },
    });
    const args = { id, account_id: payer.accountId, scheduled_for: '2026-10-01' };
    await expect(world.call(SEND, { ...args, expected_amount: '100.00' })).rejects.toMatchObject({
      code: 'amount_changed',
      details: { expected: '100.00', actual: '103.00' },
    });
    expect(await world.call(SEND, { ...args, expected_amount: '103.00' })).toMatchObject({
      amount: '103.00',
    });
  });

  test('takes details given now instead of those of the payable', async () => {
    const id = await createBill(world, payer, { payment_details: undefined });
    await expect(world.call(SEND, { id, account_id: payer.accountId })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'payment_details' },
    });
    const payment_details = { kind: 'pix_key', key: 'pix@example.com' };
    const { message } = await world.ask(SEND, { id, account_id: payer.accountId, payment_details });
    expect(message).toContain('- ATENÇÃO: o titular do destino não foi conferido');
    expect(await world.call(SEND, { id, account_id: payer.accountId, payment_details })).toMatchObject({
      details: { kind: 'pix_key', key: 'pix@example.com', key_type: 'email' },
    });
  });

  test('PITFALL 19: refuses eleven digits that may be CPF or phone, with both readings', async () => {
    const id = await createBill(world, payer);
    const payment_details = { kind: 'pix_key', key: '11987650034' };
    await expect(
      world.call(SEND, { id, account_id: payer.accountId, payment_details }),
    ).rejects.toMatchObject({
      code: 'invalid_argument',
      details: {
        path: 'payment_details.key_type',
        readings: [
          { type: 'cpf', value: '11987650034' },
          { type: 'phone', value: '+5511987650034' },
        ],
      },
    });
    expect(
      await world.call(SEND, {
        id,
        account_id: payer.accountId,
        payment_details: { ...payment_details, key_type: 'phone' },
      }),
    ).toMatchObject({ details: { key: '+5511987650034' } });
  });
});

describe('the question warns', () => {
  test('of bank details changed less than seven days ago', async () => {
    const person_id = await createSupplier(world);
    const id = await createBill(world, payer, { person_id });
    await world.look('update people set bank_details_changed_at = $2 where id = $1', [
      person_id,
      '2026-09-29T10:00:00Z',
    ]);
    const args = { id, account_id: payer.accountId };
    expect((await world.ask(SEND, args)).message).toContain(
      '- ATENÇÃO: os dados bancários do favorecido mudaram há 2 dias',
    );
    world.setNow('2026-10-06T10:00:00Z');
    expect((await world.ask(SEND, args)).message).not.toContain('mudaram há');
  });

  test('of a Pix key that belongs to another document', async () => {
    const payment_details = { kind: 'pix_key', key: '00000000000191', key_type: 'cnpj' };
    const id = await createBill(world, payer, { payment_details });
    const { message } = await world.ask(SEND, { id, account_id: payer.accountId });
    expect(message).toContain('- ATENÇÃO: o destino é de outro CPF/CNPJ: 00.000.000/0001-91');
  });

  test('of the same barcode on another bill, whoever the supplier, and of a code with another amount', async () => {
    const { barcode, typedLine } = buildBoleto({
      bankCode: '341',
      dueDate: '2026-10-05',
      amountCents: 50_000,
      freeField: '1234567890123456789012345',
    });
    const details = { kind: 'boleto', code: barcode };
    const first = await createBill(world, payer, { amount: '500.00', payment_details: details });
    const id = await createBill(world, payer, {
      amount: '500.00',
      due_date: '2026-12-01',
      payment_details: details,
      allow_duplicate_of: first,
      charges: { discounts: [{ kind: 'fixed', value: '10.00', until: '2026-12-01' }] },
    });
    const { message } = await world.ask(SEND, { id, account_id: payer.accountId });
    expect(message).toContain(`- Paga o boleto: "${typedLine}"`);
    expect(message).toContain('- Valor: R$ 490,00');
    expect(message).toContain('- ATENÇÃO: o código traz outro valor: R$ 500,00');
    expect(message).toContain(`possível duplicidade: conta a pagar ${first} (05/10/2026)`);
  });

  test('of another payable and another payment that look the same', async () => {
    const person_id = await createSupplier(world);
    const id = await createBill(world, payer, { person_id, amount: '777.00', document_number: '1' });
    const twin = await createBill(world, payer, {
      person_id,
      amount: '777.00',
      document_number: '2',
      due_date: '2026-10-10',
      allow_duplicate_of: id,
    });
    const far = await createBill(world, payer, {
      person_id,
      amount: '777.00',
      document_number: '3',
      due_date: '2026-10-21',
      allow_duplicate_of: id,
    });
    const { message } = await world.ask(SEND, { id, account_id: payer.accountId });
    expect(message).toContain(`- ATENÇÃO: possível duplicidade: conta a pagar ${twin} (10/10/2026)\n`);
    expect(message).not.toContain(far);
    const payment = await world.call(SEND, { id: twin, account_id: payer.accountId });
    const again = await world.ask(SEND, { id, account_id: payer.accountId });
    expect(again.message).toContain(`pagamento ${payment['id']} (01/10/2026)`);
  });
});

describe('refuses', () => {
  const refused = (args: object, who?: 'reader' | 'viewer' | 'stranger') => world.call(SEND, args, who);

  test('PITFALL 44: a second live order for a payable, whatever the idempotency key, before asking', async () => {
    const id = await createBill(world, payer);
    const args = { id, account_id: payer.accountId };
    const first = await world.call(SEND, { ...args, idempotency_key: 'one' });
    expect(await world.call(SEND, { ...args, idempotency_key: 'one' })).toEqual(first);
    for (const again of [args, { ...args, idempotency_key: 'two' }]) {
      await expect(world.ask(SEND, again)).rejects.toMatchObject({
        code: 'duplicate',
        details: { kind: 'payment', of: first['id'] },
      });
    }
    expect(await paymentsOf(id)).toHaveLength(1);
  });

  test('the second of two people who confirm at the same moment', async () => {
    const id = await createBill(world, payer);
    const args = { id, account_id: payer.accountId };
    const asked = [await world.ask(SEND, args), await world.ask(SEND, args, 'approver')];
    const results = await Promise.allSettled([
      world.confirm(SEND, args, asked[0]!.state),
      world.confirm(SEND, args, asked[1]!.state, 'approver'),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const lost = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect(lost.reason).toMatchObject({ code: 'duplicate' });
    expect(await paymentsOf(id)).toHaveLength(1);
  });

  test('a payable that waits for approval, was rejected, or is not open', async () => {
    const id = await createBill(world, payer);
    const args = { id, account_id: payer.accountId };
    await world.look("update payables set approval_status = 'pending' where id = $1", [id]);
    await expect(refused(args)).rejects.toMatchObject({ code: 'approval_required' });
    await world.look("update payables set approval_status = 'rejected' where id = $1", [id]);
    await expect(refused(args)).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'rejected' },
    });
    await world.look("update payables set approval_status = 'approved', status = 'canceled' where id = $1", [
      id,
    ]);
    await expect(refused(args)).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'canceled' },
    });
  });

  test('another destination for a payable that was approved with its own', async () => {
    const id = await createBill(world, payer);
    await world.look("update payables set approval_status = 'approved' where id = $1", [id]);
    const args = { id, account_id: payer.accountId };
    const payment_details = { kind: 'pix_key', key: 'pix@example.com' };
    await expect(refused({ ...args, payment_details })).rejects.toMatchObject({ code: 'approval_required' });
    expect((await world.ask(SEND, args)).message).toContain('- Aprovação: aprovada');
  });

  test('an account that is inactive, of another company, or no bank account', async () => {
    const id = await createBill(world, payer);
    const inactive = await createAccount(world, { company_id: payer.companyId, active: false });
    await expect(refused({ id, account_id: inactive })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'inactive' },
    });
    const foreign = await createAccount(world, { company_id: await createCompany(world) });
    await expect(refused({ id, account_id: foreign })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'account_id' },
    });
    const cash = await createAccount(world, { company_id: payer.companyId, kind: 'cash' });
    await expect(refused({ id, account_id: cash })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'account_id' },
    });
    expect(await paymentsOf(id)).toEqual([]);
  });

  test('a date that has passed, is too far away, or lies in closed books', async () => {
    const own = await createPayer(world);
    const id = await createBill(world, own);
    const args = { id, account_id: own.accountId };
    for (const scheduled_for of ['2026-09-30', '2027-10-02']) {
      await expect(refused({ ...args, scheduled_for })).rejects.toMatchObject({
        code: 'invalid_argument',
        details: { path: 'scheduled_for' },
      });
    }
    await world.look("update companies set books_closed_until = '2026-10-31' where id = $1", [own.companyId]);
    await expect(refused({ ...args, scheduled_for: '2026-10-31' })).rejects.toMatchObject({
      code: 'books_closed',
      details: { until: '2026-10-31', date: '2026-10-31' },
    });
    expect(await paymentsOf(id)).toEqual([]);
  });

  test('whoever may not send, and anyone from elsewhere as if nothing were there', async () => {
    const id = await createBill(world, payer);
    const args = { id, account_id: payer.accountId };
    await expect(refused(args, 'reader')).rejects.toMatchObject({ code: 'insufficient_scope' });
    await expect(refused(args, 'viewer')).rejects.toMatchObject({
      code: 'forbidden',
      details: { required: ['finance.payables.write', 'finance.payments.send'] },
    });
    const missing = { code: 'not_found', details: { kind: 'payable' } };
    await expect(refused(args, 'stranger')).rejects.toMatchObject(missing);
    await expect(refused({ ...args, id: newId() })).rejects.toMatchObject(missing);
    await expect(refused({ ...args, account_id: newId() })).rejects.toMatchObject({
      code: 'not_found',
      details: { kind: 'financial_account' },
    });
    expect(await paymentsOf(id)).toEqual([]);
  });
});

test('the database itself keeps a second live order from a payable, whatever the code above does', async () => {
  const id = await createBill(world, payer);
  const place = {
    organizationId: world.organizationId,
    workspaceId: world.workspaceId,
    timeZone: 'America/Sao_Paulo',
  };
  const context = jobContextOf(world.runtime.portsOf(finance.catalogue), 'test', {}, place, null);
  const sendTwice = context.write(async (write) => {
    const payable = await requirePayable(write, id);
    const order = await prepareOrder(write, payable, await requirePayer(write, payer.accountId), {});
    await createOrder(write, order);
    await createOrder(write, order);
  });
  await expect(sendTwice).rejects.toMatchObject({ code: 'duplicate', details: { kind: 'payment' } });
  expect(await paymentsOf(id)).toEqual([]);
});

describe('SE-05: asks again, naming what changed,', () => {
  async function answerAfter(change: (id: string, personId: string) => Promise<unknown>) {
    const person_id = await createSupplier(world);
    const id = await createBill(world, payer, { person_id });
    const args = { id, account_id: payer.accountId };
    const { state } = await world.ask(SEND, args);
    await change(id, person_id);
    const responses = { confirm: { action: 'accept', content: { confirm: true } } };
    const outcome = await world.send(SEND, args, { state, responses });
    expect(await paymentsOf(id)).toEqual([]);
    if (outcome.kind !== 'ask') throw new Error('not asked again');
    return outcome.question.message;
  }

  test('when the amount changed', async () => {
    const message = await answerAfter((id) =>
      world.look('update payables set amount_cents = 200000 where id = $1', [id]),
    );
    expect(message).toContain('Algo mudou desde a pergunta anterior:\n- Valor: R$ 2.000,00');
  });

  test('when the destination changed', async () => {
    const message = await answerAfter((id) =>
      world.look(
        `update payables set payment_details = '{"kind":"pix_key","key":"other@example.com","key_type":"email"}' where id = $1`,
        [id],
      ),
    );
    expect(message).toContain(
      '- Pix para a chave: "other@example.com (email)" (mudou desde a pergunta anterior)',
    );
  });

  test('when the bank details of the supplier changed', async () => {
    const message = await answerAfter((_id, personId) =>
      world.call('finance_people_update', {
        id: personId,
        pix_keys: [{ type: 'email', key: 'new@example.com' }],
      }),
    );
    expect(message).toContain('- ATENÇÃO: os dados bancários do favorecido mudaram há 0 dias');
  });

  test('when the amount grew at midnight', async () => {
    const id = await createBill(world, payer, {
      amount: '30000.00',
      due_date: '2026-09-01',
      charges: { interest: { kind: 'percent_per_month', value: '1' } },
    });
    const args = { id, account_id: payer.accountId };
    world.setNow('2026-10-02T02:58:00Z');
    const { message, state } = await world.ask(SEND, args);
    expect(message).toContain('- Valor: R$ 30.300,00');
    world.setNow('2026-10-02T03:01:00Z');
    const responses = { confirm: { action: 'accept', content: { confirm: true } } };
    const outcome = await world.send(SEND, args, { state, responses });
    expect(outcome).toMatchObject({ kind: 'ask' });
    expect((outcome as { question: { message: string } }).question.message).toContain(
      '- Valor: R$ 30.310,00',
    );
  });
});

describe('reading orders', () => {
  test('lists by status, payable and date, and pages without losing one', async () => {
    const own = await createPayer(world);
    const ids: string[] = [];
    for (const scheduled_for of ['2026-11-03', '2026-11-04', '2026-11-05']) {
      const id = await createBill(world, own);
      ids.push((await world.call(SEND, { id, account_id: own.accountId, scheduled_for }))['id']);
    }
    const filter = { account_id: own.accountId, status: 'pending', sort: 'scheduled_for', limit: 2 };
    const first = await world.call('finance_payments_list', filter);
    const second = await world.call('finance_payments_list', { ...filter, cursor: first['next_cursor'] });
    expect([...first['items'], ...second['items']].map(({ id }) => id)).toEqual(ids);
    expect(second['next_cursor']).toBeNull();
    const dated = { account_id: own.accountId, scheduled_from: '2026-11-04', scheduled_to: '2026-11-04' };
    expect((await world.call('finance_payments_list', dated))['items']).toHaveLength(1);
    expect((await world.call('finance_payments_list', { ...filter, kind: 'boleto' }))['items']).toEqual([]);
  });

  test('masks bank details for whoever may not see them, and hides an order from elsewhere', async () => {
    const payment_details = { kind: 'pix_key', key: 'pix@example.com' };
    const id = await createBill(world, payer, { payment_details });
    const payment = await world.call(SEND, { id, account_id: payer.accountId });
    expect(payment['details'].key).toBe('pix@example.com');
    const masked = await world.call('finance_payments_get', { id: payment['id'] }, 'viewer');
    expect(masked['details'].key).not.toContain('pix@');
    const missing = { code: 'not_found', details: { kind: 'payment' } };
    await expect(world.call('finance_payments_get', { id: payment['id'] }, 'stranger')).rejects.toMatchObject(
      missing,
    );
    await expect(world.call('finance_payments_get', { id: newId() })).rejects.toMatchObject(missing);
  });
});
