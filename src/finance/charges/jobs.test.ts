import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPayer, type Payer, queued, runQueued, runTask } from '../../../test/support/banking.ts';
import {
  chargeOf,
  createChargingBank,
  createCustomer,
  createReceivable,
  issueCharge,
  keyOf,
} from '../../../test/support/charging.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { readBoleto } from '../../core/documents/boleto.ts';
import { readPixCode } from '../../core/documents/pix.ts';
import type { SimulatedChargeBehaviour } from '../../gateways/bank/simulated-charges.ts';
import { createCapturedMail } from '../../gateways/mail/capture.ts';
import {
  type MailMessage,
  MailOutcomeUnknown,
  MailRefused,
  MailUnreachable,
} from '../../gateways/mail/port.ts';

const CANCEL = 'finance_charges_cancel';

let world: World;
let payer: Payer;

beforeAll(async () => {
  world = await openWorld();
  payer = await createPayer(world);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.setNow('2026-10-01T12:00:00Z');
  await world.look('delete from graphile_worker._private_jobs');
});

const later = (minutes: number) =>
  world.setNow(new Date(world.now().getTime() + minutes * 60_000).toISOString());

async function issued(args: object = {}, draft: object = {}) {
  const receivableId = await createReceivable(world, payer, draft);
  const charge = await issueCharge(world, payer, receivableId, args);
  return { receivableId, id: charge['id'] as string, key: keyOf(charge) };
}

const bankOf = (behaviour: SimulatedChargeBehaviour = 'stays_open') =>
  createChargingBank({ behaviourOf: () => behaviour, delayMs: 0 });

const receivable = async (id: string) =>
  (
    await world.look<{ status: string; open_cents: string; version: number }>(
      'select status, open_cents, version from receivables where id = $1',
      [id],
    )
  )[0]!;

const settlementsOf = (receivableId: string) =>
  world.look('select * from settlements where receivable_id = $1 order by created_at', [receivableId]);

describe('issuing', () => {
  test('stores codes that say the amount and the date, makes the PDF, and ties it to charge and receivable', async () => {
    const { bank } = bankOf();
    const { id, receivableId } = await issued();
    expect(await runQueued(world, bank)).toEqual(['charge_send']);
    const charge = await chargeOf(world, id);
    expect(charge).toMatchObject({
      status: 'open',
      registration_status: 'confirmed',
      amount: '1234.56',
      due_date: '2026-10-05',
      pay_until: '2026-10-05',
      next_step: null,
      deliveries: [],
      duplicate_receipts: [],
    });
    const boleto = readBoleto(charge['boleto'].typed_line, '2026-10-01');
    expect(boleto).toMatchObject({
      ok: true,
      barcode: charge['boleto'].barcode,
      bankCode: '341',
      amountCents: 123_456,
      dueDate: '2026-10-05',
    });
    expect(readPixCode(charge['pix'].code)).toMatchObject({
      ok: true,
      kind: 'static',
      keyType: 'cnpj',
      amountCents: 123_456,
      txid: charge['pix'].txid,
      warnings: [],
    });
    const file = await world.call('finance_attachments_get', { attachment_id: charge['pdf_attachment_id'] });
    expect(file).toMatchObject({
      file_name: `cobranca-${charge['boleto'].our_number}.pdf`,
      content_type: 'application/pdf',
      kind: 'boleto',
    });
    const links = await world.look(
      'select record_kind, record_id from attachment_links where attachment_id = $1 order by record_kind',
      [charge['pdf_attachment_id']],
    );
    expect(links).toEqual([
      { record_kind: 'charge', record_id: id },
      { record_kind: 'receivable', record_id: receivableId },
    ]);
  });

  test('prints fine and interest as terms, and its Pix code then points to where they are kept', async () => {
    const { bank } = bankOf();
    const { id } = await issued(
      {},
      {
        terms: {
          discounts: [],
          fine: { kind: 'percent', percent: 20_000 },
          interest: { kind: 'percent_per_month', percent: 10_000, days: 'calendar' },
          graceDays: 0,
        },
      },
    );
    await runQueued(world, bank);
    const { pix } = await chargeOf(world, id);
    expect(readPixCode(pix.code)).toMatchObject({ ok: true, kind: 'dynamic', singleUse: true, warnings: [] });
  });

  test('issues one method alone', async () => {
    const { bank } = bankOf();
    const boleto = await issued({ methods: ['boleto'] });
    const pix = await issued({ methods: ['pix'] });
    await runQueued(world, bank);
    expect(await chargeOf(world, boleto.id)).toMatchObject({ status: 'open', pix: null });
    expect(await chargeOf(world, pix.id)).toMatchObject({ status: 'open', boleto: null });
  });

  test('that a bank refuses fails with its reason, calls the message off, and frees the receivable', async () => {
    const { bank } = bankOf('rejects');
    const { id, receivableId } = await issued({ send_to: 'customer' });
    await runQueued(world, bank);
    expect(await chargeOf(world, id)).toMatchObject({
      status: 'failed',
      registration_status: 'rejected',
      rejected_reason: 'the agreement of the payee does not allow it',
      deliveries: [{ status: 'canceled' }],
    });
    expect(await queued(world)).toEqual([]);
    const again = await issueCharge(world, payer, receivableId);
    expect(again).toMatchObject({ status: 'generating' });
    expect(again['id']).not.toBe(id);
  });

  test('at a bank without such a desk fails with a reason', async () => {
    const { bank } = bankOf();
    const { charges: _charges, ...without } = bank;
    const { id } = await issued();
    await runQueued(world, without);
    expect(await chargeOf(world, id)).toMatchObject({ status: 'failed', registration_status: 'failed' });
  });

  test('that did not get through is tried again under the same key', async () => {
    const { bank } = bankOf('unreachable_once');
    const { id } = await issued();
    const [job] = await queued(world);
    expect(await runQueued(world, bank)).toEqual(['charge_send: BankUnreachable']);
    expect(await chargeOf(world, id)).toMatchObject({ status: 'generating' });
    expect(await runTask(world, bank, job!.task, job!.payload)).toEqual({ error: undefined });
    expect(await chargeOf(world, id)).toMatchObject({ status: 'open' });
  });

  test.each(['unknown_accepted', 'unknown_lost'] as const)(
    'whose outcome nobody knows (%s) is asked about until it is open, and has one number',
    async (behaviour) => {
      const { bank } = bankOf(behaviour);
      const { id, receivableId } = await issued();
      await runQueued(world, bank);
      expect(await chargeOf(world, id)).toMatchObject({
        status: 'generating',
        registration_status: 'unknown',
        next_step: expect.stringContaining('Do not charge in another way'),
      });
      await expect(issueCharge(world, payer, receivableId)).rejects.toMatchObject({ code: 'duplicate' });
      for (let round = 0; round < 3; round += 1) {
        later(1);
        await runQueued(world, bank);
      }
      expect(await chargeOf(world, id)).toMatchObject({ status: 'open', registration_status: 'confirmed' });
      expect(await world.look('select id from bank_commands where charge_id = $1', [id])).toHaveLength(1);
    },
  );

  test('refuses codes of an adapter that say another amount, and stays as it was', async () => {
    const { bank, charges } = bankOf();
    const { id } = await issued();
    const other = {
      ...bank,
      charges: {
        ...charges,
        submit: (request: any, now: Date) => charges.submit({ ...request, amount: 1 }, now),
      },
    };
    expect(await runQueued(world, other)).toEqual(['charge_send: Error']);
    expect(await chargeOf(world, id)).toMatchObject({ status: 'generating', boleto: null });
  });
});

describe('a payment', () => {
  test('settles the receivable once, with the fee of the bank apart', async () => {
    const { bank, charges } = bankOf();
    const { id, key, receivableId } = await issued();
    await runQueued(world, bank);
    charges.pay(key, { on: '2026-10-02', fee: 190, paymentId: 'B1' });
    later(60);
    expect(await runQueued(world, bank)).toEqual(['charge_poll']);
    expect(await chargeOf(world, id)).toMatchObject({ status: 'paid', paid_on: '2026-10-02' });
    expect(await receivable(receivableId)).toMatchObject({ status: 'paid' });
    const [settlement, ...more] = await settlementsOf(receivableId);
    expect(more).toEqual([]);
    expect(settlement).toMatchObject({ charge_id: id, external_id: 'B1', method: 'boleto' });
    const [entry] = await world.look<Record<string, unknown>>(
      'select direction, amount_cents, date, source from financial_transactions where id = $1',
      [settlement!['transaction_id']],
    );
    expect(entry).toMatchObject({ direction: 'credit', source: 'payment' });
    expect(Number(entry!['amount_cents'])).toBe(123_456 - 190);
    expect(await queued(world)).toEqual([]);
  });

  test('by Pix keeps its end-to-end id', async () => {
    const { bank, charges } = bankOf();
    const { id, key } = await issued();
    await runQueued(world, bank);
    charges.pay(key, { on: '2026-10-03', method: 'pix', paymentId: 'E00000000202610031200abcdefghijk' });
    later(60);
    await runQueued(world, bank);
    expect(await chargeOf(world, id)).toMatchObject({
      status: 'paid',
      paid_on: '2026-10-03',
      pix: { end_to_end_id: 'E00000000202610031200abcdefghijk' },
    });
  });

  test.each(['pays', 'answers_out_of_order'] as const)(
    'counts once however it is told (%s)',
    async (behaviour) => {
      const { bank } = bankOf(behaviour);
      const { id, receivableId } = await issued();
      for (let round = 0; round < 4; round += 1) {
        await runQueued(world, bank);
        later(2);
      }
      expect(await chargeOf(world, id)).toMatchObject({ status: 'paid', duplicate_receipts: [] });
      expect(await settlementsOf(receivableId)).toHaveLength(1);
    },
  );

  test('told an hour late is dated with its own day', async () => {
    const { bank } = bankOf('pays_late');
    const { id } = await issued();
    await runQueued(world, bank);
    later(30);
    await runQueued(world, bank);
    expect(await chargeOf(world, id)).toMatchObject({ status: 'open' });
    world.setNow('2026-10-02T12:00:00Z');
    await runQueued(world, bank);
    expect(await chargeOf(world, id)).toMatchObject({ status: 'paid', paid_on: '2026-10-01' });
  });

  test('in a closed month waits until the books are opened', async () => {
    const own = await createPayer(world);
    const { bank, charges } = bankOf();
    const receivableId = await createReceivable(world, own);
    const charge = await issueCharge(world, own, receivableId);
    await runQueued(world, bank);
    charges.pay(keyOf(charge), { on: '2026-10-02' });
    await world.look("update companies set books_closed_until = '2026-10-31' where id = $1", [own.companyId]);
    later(60);
    expect(await runQueued(world, bank)).toEqual(['charge_poll']);
    expect(await chargeOf(world, charge['id'])).toMatchObject({ status: 'open' });
    await world.look('update companies set books_closed_until = null where id = $1', [own.companyId]);
    later(61);
    await runQueued(world, bank);
    expect(await chargeOf(world, charge['id'])).toMatchObject({ status: 'paid', paid_on: '2026-10-02' });
  });
});

describe('canceling', () => {
  test('a charge that was never sent is canceled at once, with its message, and frees the receivable', async () => {
    const { id, receivableId } = await issued({ send_to: 'customer' });
    const { message } = await world.ask(CANCEL, { id, reason: 'wrong' });
    expect(message).toContain('- Valor: R$ 1.234,56');
    expect(message).toContain('a cobrança ainda não foi enviada ao banco; é cancelada na hora');
    expect(await world.call(CANCEL, { id, reason: 'wrong' })).toMatchObject({
      status: 'canceled',
      cancel_reason: 'wrong',
    });
    expect(await chargeOf(world, id)).toMatchObject({ deliveries: [{ status: 'canceled' }] });
    const { bank } = bankOf();
    expect(await runQueued(world, bank)).toEqual(['charge_send']);
    expect(await chargeOf(world, id)).toMatchObject({ status: 'canceled' });
    expect(await issueCharge(world, payer, receivableId)).toMatchObject({ status: 'generating' });
  });

  test('is final only once the bank says so', async () => {
    const { bank } = bankOf();
    const { id, receivableId } = await issued();
    await runQueued(world, bank);
    expect(await world.call(CANCEL, { id, reason: 'wrong' })).toMatchObject({
      status: 'open',
      cancel_requested_at: '2026-10-01T12:00:00Z',
      next_step: expect.stringContaining('may still be paid'),
    });
    await expect(issueCharge(world, payer, receivableId)).rejects.toMatchObject({ code: 'duplicate' });
    await expect(world.ask(CANCEL, { id, reason: 'x' })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'cancel_requested' },
    });
    await runQueued(world, bank);
    expect(await chargeOf(world, id)).toMatchObject({ status: 'canceled', cancel_reason: 'wrong' });
    await expect(world.ask(CANCEL, { id, reason: 'x' })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'canceled' },
    });
    expect(await receivable(receivableId)).toMatchObject({ status: 'open' });
  });

  test('comes too late for a charge that the customer has paid: it settles', async () => {
    const { bank, charges } = bankOf();
    const { id, key, receivableId } = await issued();
    await runQueued(world, bank);
    charges.pay(key, { on: '2026-10-01' });
    await world.call(CANCEL, { id, reason: 'wrong' });
    await runQueued(world, bank);
    expect(await chargeOf(world, id)).toMatchObject({ status: 'paid' });
    expect(await receivable(receivableId)).toMatchObject({ status: 'paid' });
  });

  test('PITFALLS 13: a charge due on a holiday is overdue only after the next business day, and time alone never cancels it', async () => {
    const { bank, charges } = bankOf();
    world.setNow('2026-10-09T12:00:00Z');
    // 12 October 2026 is a Monday and a holiday.
    const { id, key } = await issued({}, { dueDate: '2026-10-12' });
    await runQueued(world, bank);
    expect(await chargeOf(world, id)).toMatchObject({ pay_until: '2026-10-13' });
    const statuses: Record<string, string> = {};
    for (const day of ['13', '14', '30']) {
      world.setNow(`2026-10-${day}T12:00:00Z`);
      await runQueued(world, bank);
      statuses[day] = (await chargeOf(world, id))['status'];
    }
    expect(statuses).toEqual({ 13: 'open', 14: 'overdue', 30: 'overdue' });
    charges.pay(key, { on: '2026-10-13' });
    world.setNow('2026-10-30T13:00:00Z');
    await runQueued(world, bank);
    expect(await chargeOf(world, id)).toMatchObject({ status: 'paid', paid_on: '2026-10-13' });
  });
});

describe('a message', () => {
  const deliveryOf = async (id: string) => (await chargeOf(world, id))['deliveries'][0];
  const failing = (...errors: Error[]) => {
    const sent: MailMessage[] = [];
    return {
      sent,
      async send(message: MailMessage) {
        const error = errors.shift();
        if (error !== undefined) throw error;
        sent.push(message);
      },
    };
  };

  test('leaves once the charge is open, with the PDF, and tells no debt in its subject', async () => {
    const { bank } = bankOf();
    const mail = createCapturedMail();
    const customer = await createCustomer(world, {
      name: 'Conceição & Filhos <Ltda>',
      emails: ['financeiro@example.com', 'outro@example.com'],
    });
    const { id } = await issued({ send_to: 'customer' }, { personId: customer });
    expect(await deliveryOf(id)).toMatchObject({ status: 'queued', recipient: 'financeiro@example.com' });
    expect(await runQueued(world, bank, mail)).toEqual(['charge_send']);
    later(1);
    expect(await runQueued(world, bank, mail)).toContain('charge_deliver');
    expect(await deliveryOf(id)).toMatchObject({ status: 'sent', attempts: 1, failed_reason: null });
    const [message, ...more] = mail.messages;
    expect(more).toEqual([]);
    const charge = await chargeOf(world, id);
    expect(message!.to).toBe('financeiro@example.com');
    expect(message!.subject).toMatch(/^Company \d+: seu documento de pagamento$/);
    expect(message!.subject).not.toMatch(/1\.234|Mensalidade|Conceição/);
    expect(message!.text).toContain('Olá, Conceição & Filhos <Ltda>.');
    expect(message!.text).toContain('Valor: R$ 1.234,56');
    expect(message!.text).toContain('Vencimento: 05/10/2026');
    expect(message!.text).toContain(charge['boleto'].typed_line);
    expect(message!.text).toContain(charge['pix'].code);
    expect(message!.html).toContain('Conceição &#38; Filhos &#60;Ltda&#62;');
    expect(message!.attachments[0]!.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('waits while the workspace is frozen, and leaves once when it is not any more', async () => {
    const { bank } = bankOf();
    const mail = createCapturedMail();
    const { id } = await issued({ send_to: 'frozen@example.com' });
    await runQueued(world, bank, mail);
    const freeze = (at: Date | null) =>
      world.look(
        `insert into controls (tenant_id, organization_id, frozen_at, updated_at) values ($1, $2, $3, now())
         on conflict (tenant_id) do update set frozen_at = $3`,
        [world.workspaceId, world.organizationId, at],
      );
    await freeze(world.now());
    for (let minute = 0; minute < 3; minute += 1) {
      later(1);
      expect(await runQueued(world, bank, mail)).toContain('charge_deliver');
    }
    expect(mail.messages).toEqual([]);
    expect(await deliveryOf(id)).toMatchObject({ status: 'queued', attempts: 0 });
    await freeze(null);
    await runQueued(world, bank, mail);
    await runQueued(world, bank, mail);
    expect(mail.messages).toHaveLength(1);
    expect(await deliveryOf(id)).toMatchObject({ status: 'sent', attempts: 1 });
  });

  test('that a server refuses for good has failed, with what it said', async () => {
    const { bank } = bankOf();
    const mail = failing(new MailRefused('550 no such person'));
    const { id } = await issued({ send_to: 'customer' });
    await runQueued(world, bank, mail);
    await runQueued(world, bank, mail);
    expect(await deliveryOf(id)).toMatchObject({ status: 'failed', failed_reason: '550 no such person' });
    expect((await queued(world)).map(({ task }) => task)).toEqual(['charge_poll']);
  });

  test('that did not get through is sent again, and has failed after ten attempts', async () => {
    const { bank } = bankOf();
    const down = () => new MailUnreachable('nobody listens');
    const mail = failing(down(), down());
    const { id } = await issued({ send_to: 'customer' });
    await runQueued(world, bank, mail);
    const job = (await queued(world)).find(({ task }) => task === 'charge_deliver')!;
    const run = async (port: typeof mail) => (await runTask(world, bank, job.task, job.payload, port)).error;
    expect(await run(mail)).toBeInstanceOf(MailUnreachable);
    expect(await deliveryOf(id)).toMatchObject({ status: 'queued', attempts: 1 });
    expect(await run(mail)).toBeInstanceOf(MailUnreachable);
    expect(await run(mail)).toBeUndefined();
    expect(await deliveryOf(id)).toMatchObject({ status: 'sent', attempts: 3 });
    expect(mail.sent).toHaveLength(1);
    expect(await run(mail)).toBeUndefined();
    expect(mail.sent).toHaveLength(1);

    const lost = await issued({ send_to: 'customer' });
    await world.look('update charge_deliveries set attempts = 9 where charge_id = $1', [lost.id]);
    await runQueued(world, bank, failing());
    await world.look("update charge_deliveries set status = 'queued', attempts = 9 where charge_id = $1", [
      lost.id,
    ]);
    const last = (await queued(world)).find(({ task }) => task === 'charge_deliver')!;
    expect((await runTask(world, bank, last.task, last.payload, failing(down()))).error).toBeUndefined();
    expect(await deliveryOf(lost.id)).toMatchObject({ status: 'failed', attempts: 10 });
  });

  test.each([
    ['the connection broke', [new MailOutcomeUnknown('broke')]],
    ['the process died while sending', [new TypeError('died')]],
  ])('of which nobody knows whether it was taken is not sent again by itself: %s', async (_what, errors) => {
    const { bank } = bankOf();
    const mail = failing(...errors);
    const { id } = await issued({ send_to: 'customer' });
    await runQueued(world, bank, mail);
    const job = (await queued(world)).find(({ task }) => task === 'charge_deliver')!;
    await runQueued(world, bank, mail);
    for (let again = 0; again < 2; again += 1) await runTask(world, bank, job.task, job.payload, mail);
    expect(await deliveryOf(id)).toMatchObject({ status: 'unknown' });
    expect(mail.sent).toEqual([]);
    // A person may ask for another one.
    await world.call('finance_charges_resend', { id });
    await runQueued(world, bank, mail);
    expect(mail.sent).toHaveLength(1);
    const { deliveries } = await chargeOf(world, id);
    expect(deliveries.map(({ status }: { status: string }) => status).sort()).toEqual(['sent', 'unknown']);
  });

  test('about a charge that was paid meanwhile does not leave', async () => {
    const { bank, charges } = bankOf();
    const mail = createCapturedMail();
    const { id, key } = await issued({ send_to: 'customer' });
    await runQueued(world, bank, mail);
    const job = (await queued(world)).find(({ task }) => task === 'charge_deliver')!;
    await world.look('delete from graphile_worker._private_jobs where id = $1', [job.id]);
    charges.pay(key, { on: '2026-10-01' });
    later(60);
    await runQueued(world, bank, mail);
    await runTask(world, bank, job.task, job.payload, mail);
    expect(await deliveryOf(id)).toMatchObject({ status: 'canceled' });
    expect(mail.messages).toEqual([]);
  });
});
