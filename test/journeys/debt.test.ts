/**
 * A debt from before its due date to its settlement letter, over HTTP and through the worker's jobs: reminders, a
 * promise, a part of the money, an agreement that breaks, a report to a bureau, the payment. Every figure is worked out
 * a second time by debt-reckoning.ts, and the list of messages is the whole list.
 */

import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createSimulatedBureau } from '../../src/gateways/bureau/index.ts';
import type { DunningGateways } from '../../src/gateways/dunning.ts';
import type { MessagePort, OutgoingMessage } from '../../src/gateways/messages/port.ts';
import { createSimulatedMessages } from '../../src/gateways/messages/simulator.ts';
import { createSimulatedNotary } from '../../src/gateways/notary/index.ts';
import { ask, confirm, errorOf, outputOf } from '../support/confirming.ts';
import { type HttpServer, openServer } from '../support/http.ts';
import { callOf, createRawClient, type RawClient } from '../support/raw-client.ts';
import { formCapable, openWorld, type Who, type World } from '../support/world.ts';
import { passUntil, settle } from './debt-days.ts';
import {
  adjusted,
  brl,
  businessDaysLater,
  daysFrom,
  isOpenInSaoPaulo,
  later,
  type Money,
  type Owed,
  type OwnDebt,
  owedOn,
  quotient,
  shared,
  text,
} from './debt-reckoning.ts';

type Json = Record<string, any>;

// Weeks pass within one test.
vi.setConfig({ testTimeout: 120_000 });

const A = { face: 123_456, due: '2026-10-15' };
/** A Saturday before a bank holiday: paying on Tuesday is paying in time. */
const B = { face: 80_000, due: '2026-10-10' };

let world: World;
let server: HttpServer;
let gateways: DunningGateways;
let owner: RawClient;
let colleague: RawClient;
/** Everything that a carrier was handed, with the time. */
const handed: { at: Date; message: OutgoingMessage }[] = [];
const bureau = createSimulatedBureau();

// What one step makes and later ones use.
let person: string;
let rule: string;
let a: string;
let b: string;
let promise: string;
let agreement: string;
let schedule: Json[];
let report: string;
const paidOnA: Money[] = [];
const paidOnB: Money[] = [];

const debtA = (): OwnDebt => ({ ...A, payments: paidOnA });
const debtB = (): OwnDebt => ({ ...B, payments: paidOnB });

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
  server = await openServer(world);
  world.setNow('2026-10-05T12:00:00Z');
  const clientOf = (who: Who) =>
    createRawClient(`http://127.0.0.1:${server.port}/dunning/mcp`, world.tokens[who]);
  owner = clientOf('owner');
  colleague = clientOf('colleague');
  const simulated = createSimulatedMessages({ now: world.now });
  const noting = (port: MessagePort): MessagePort => ({
    ...port,
    send(message) {
      handed.push({ at: world.now(), message });
      return port.send(message);
    },
  });
  gateways = {
    messages: {
      email: noting(simulated.email),
      sms: noting(simulated.sms),
      whatsapp: noting(simulated.whatsapp),
      letter: noting(simulated.letter),
    },
    // Its answers come two days late, for this debtor, and here every one comes twice.
    bureau: {
      ...bureau,
      async collect(query) {
        const { answers, forget } = await bureau.collect(query);
        return { answers: [...answers, ...answers], forget };
      },
    },
    notary: createSimulatedNotary(),
    webhooks: {
      name: 'none',
      send: async () => ({ kind: 'answered', status: 200, text: '', durationMs: 1 }),
    },
  };
});
afterAll(async () => {
  await server.close();
  await world.close();
});

const pass = (instant: string) => passUntil(world, gateways, instant);
const passQuietly = (instant: string) => passUntil(world, gateways, instant, 'quiet');

/** A call over HTTP; a destructive tool is asked, and the person says yes. What it queues is done at once. */
async function call(name: string, args: object = {}, client = owner): Promise<Json> {
  const first = await client.m('tools/call', callOf(name, args), { capabilities: formCapable });
  const isAsked = first.body.result?.resultType === 'input_required';
  const output = outputOf(
    isAsked ? await confirm(client, name, args, first.body.result.requestState) : first,
  );
  await settle(world, gateways);
  return output;
}

/** What one charge is, as the tools say it for a day, against the second reckoning. */
async function expectOwed(id: string, debt: OwnDebt, on: string): Promise<void> {
  const own = owedOn(debt, on);
  const balance = await call('dunning_charges_balance', { id, as_of: on });
  const paid = debt.payments.filter((payment) => payment.on <= on).reduce((sum, { cents }) => sum + cents, 0);
  expect(balance, `${id} on ${on}`).toMatchObject({
    principal: text(debt.face),
    adjusted_due_date: adjusted(debt.due),
    fine: { amount: text(own.fineInAll), unpaid: text(own.fine) },
    interest: { amount: text(own.interestInAll), unpaid: text(own.interest) },
    open_principal: text(own.principal),
    paid: text(paid),
    total: text(own.due),
  });
  const allocations = balance['payments'].map(({ interest, fine, principal, excess }: Json) => {
    expect(excess).toBe('0.00');
    return { interest, fine, principal };
  });
  expect(allocations).toEqual(
    own.allocations.map(({ interest, fine, principal }) => ({
      interest: text(interest),
      fine: text(fine),
      principal: text(principal),
    })),
  );
}

const chargeOf = (id: string) => call('dunning_charges_get', { id });
const messages = () =>
  handed.map(({ at, message }) => [at.toISOString().slice(0, 16), message.channel, message.subject] as const);

describe('the debt is registered', () => {
  test('with its debtor and the terms of the house', async () => {
    await call('dunning_settings_update', {
      creditor: { legal_name: 'Aurora Credora Ltda', document_number: '11222333000181' },
      default_terms: {
        fine: { kind: 'percent', value: '2' },
        interest: { kind: 'percent_per_month', value: '1' },
      },
      agreement_default_after_days: 5,
    });
    const made = await call('dunning_people_create', {
      name: 'Devedora Exemplo',
      document_number: '30040050858',
      state: 'SP',
      contacts: [
        { channel: 'email', value: 'slow@example.com' },
        { channel: 'whatsapp', value: '+5511987650001' },
        { channel: 'sms', value: '+5511987650001' },
      ],
    });
    person = made['id'];
    expect(made).toMatchObject({ kind: 'natural', is_consumer: true, state: 'SP' });
  });

  test('by an import that, done again, adds nothing', async () => {
    const charge = (own: typeof A, number: string) => ({
      person_id: person,
      amount: text(own.face),
      due_date: own.due,
      description: `Mensalidade ${number}`,
      document_number: number,
      external_id: `erp-${number}`,
    });
    const charges = [charge(A, 'A'), charge(B, 'B')];
    const { succeeded, failed } = await call('dunning_charges_bulk_create', { charges });
    expect(failed).toEqual([]);
    [a, b] = succeeded.map(({ id }: Json) => id);
    const again = await call('dunning_charges_bulk_create', { charges });
    expect(again['succeeded']).toEqual([]);
    expect(again['failed'].map(({ code, of }: Json) => [code, of])).toEqual([
      ['duplicate', a],
      ['duplicate', b],
    ]);
    expect(await chargeOf(b)).toMatchObject({ status: 'pending', adjusted_due_date: '2026-10-13' });
  });

  test('and put under a rule by a person who read what that means', async () => {
    const template = async (channel: string) => {
      const subject = channel === 'email' ? { subject: 'Aviso de {{creditor_name}}' } : {};
      const { id } = await call('dunning_templates_create', {
        name: `Aviso por ${channel}`,
        channel,
        ...subject,
        body: '{{debtor_name}}: {{charge_description}}, vencimento {{charge_due_date}}, hoje {{charge_amount_due}}. {{creditor_name}}',
      });
      return [channel, id] as const;
    };
    const templates = Object.fromEntries([
      await template('email'),
      await template('whatsapp'),
      await template('sms'),
    ]);
    rule = (await call('dunning_collection_rules_create', { name: 'Régua da casa' }))['id'];
    for (const [offset_days, day_kind, time, channel] of [
      [-3, 'calendar', '10:00', 'email'],
      [1, 'calendar', '09:00', 'whatsapp'],
      [2, 'calendar', '15:00', 'sms'],
      [5, 'business', '10:00', 'email'],
      [12, 'calendar', '10:00', 'whatsapp'],
      [30, 'calendar', '10:00', 'sms'],
      [57, 'calendar', '10:00', 'whatsapp'],
      [89, 'calendar', '10:00', 'email'],
      [95, 'calendar', '10:00', 'sms'],
    ] as const) {
      const template_id = templates[channel];
      const step = { rule_id: rule, offset_days, day_kind, time, action: 'message', channel, template_id };
      await call('dunning_collection_rule_steps_create', step);
    }
    await call('dunning_collection_rules_update', { id: rule, active: true });
    const args = { ids: [a, b], rule_id: rule };
    const { message, state } = await ask(owner, 'dunning_charges_bulk_assign_rule', args);
    expect(message).toContain('Régua da casa');
    expect(message).toContain(brl(A.face + B.face));
    expect((await chargeOf(a))['dunning_state']).toBe('none');
    const { succeeded, first_steps } = outputOf(
      await confirm(owner, 'dunning_charges_bulk_assign_rule', args, state),
    );
    expect(succeeded.toSorted()).toEqual([a, b].toSorted());
    expect(first_steps.map(({ charge_id, at }: Json) => [charge_id, at]).toSorted()).toEqual(
      // Three days before the due date of A is a bank holiday: its reminder waits for the morning after.
      [
        [a, '2026-10-13T11:00:00.000Z'],
        [b, '2026-10-07T13:00:00.000Z'],
      ].toSorted(),
    );
  });
});

describe('before and after the due date', () => {
  test('the reminders come when São Paulo may be contacted, moved by a holiday and a Saturday', async () => {
    await pass('2026-10-15T17:00:00Z');
    expect(await chargeOf(a)).toMatchObject({ status: 'pending', amount_due: text(A.face), days_overdue: 0 });
    await pass('2026-10-20T12:00:00Z');
    expect(messages()).toEqual([
      ['2026-10-07T13:00', 'email', 'Aviso de Aurora Credora Ltda'],
      ['2026-10-13T11:00', 'email', 'Aviso de Aurora Credora Ltda'],
      ['2026-10-14T12:00', 'whatsapp', null],
      ['2026-10-15T18:00', 'sms', null],
      ['2026-10-16T12:00', 'whatsapp', null],
      ['2026-10-19T11:00', 'sms', null],
    ]);
  });

  test('each says what is due on the day it leaves', () => {
    const expected = [
      [debtB(), '2026-10-07'],
      [debtA(), '2026-10-13'],
      [debtB(), '2026-10-14'],
      [debtB(), '2026-10-15'],
      [debtA(), '2026-10-16'],
      [debtA(), '2026-10-19'],
    ] as const;
    for (const [index, [debt, on]] of expected.entries()) {
      const { text: said } = handed[index]!.message;
      expect(said.replace(/\u00a0/g, ' ')).toContain(`hoje ${brl(owedOn(debt, on).due)}.`);
      expect(said).toContain(debt.due.split('-').reverse().join('/'));
    }
  });

  test('a late day brings the fine and every day since the due date, a day in time nothing', async () => {
    for (const on of ['2026-10-09', '2026-10-12', '2026-10-13', '2026-10-14', '2026-10-20', '2027-03-01']) {
      await expectOwed(b, debtB(), on);
    }
    for (const on of ['2026-10-15', '2026-10-16', '2026-10-23', '2027-10-15'])
      await expectOwed(a, debtA(), on);
    expect(owedOn(debtB(), '2026-10-13').due).toBe(B.face);
    expect(owedOn(debtB(), '2026-10-14')).toMatchObject({ fine: 1_600, interest: 107 });
  });
});

describe('a promise', () => {
  test('makes the rule wait: the step of the same day is not sent', async () => {
    const made = await call('dunning_payment_promises_create', {
      charge_ids: [a, b],
      amount: '500.00',
      promised_for: '2026-10-23',
      channel: 'phone',
    });
    promise = made['id'];
    expect(made).toMatchObject({ status: 'open', keep_until: businessDaysLater('2026-10-23', 1) });
    const paused = { dunning_state: 'paused', paused_reason: 'promise' };
    for (const id of [a, b]) expect(await chargeOf(id)).toMatchObject(paused);
    await pass('2026-10-23T18:00:00Z');
    expect(handed).toHaveLength(6);
    const { items } = await call('dunning_step_executions_list', { charge_id: b, limit: 100 });
    expect(
      items.map(({ date, status, skipped_reason }: Json) => [date, status, skipped_reason]).toSorted(),
    ).toEqual([
      ['2026-10-07', 'done', null],
      ['2026-10-14', 'done', null],
      ['2026-10-15', 'done', null],
      ['2026-10-20', 'skipped', 'promise'],
    ]);
  });

  test('is not kept by a part of it, which goes to interest, fine and principal in this order', async () => {
    paidOnA.push({ on: '2026-10-23', cents: 30_000 });
    const { payment, charge } = await call('dunning_payments_create', {
      charge_id: a,
      amount: '300.00',
      paid_at: '2026-10-23',
      method: 'pix',
      end_to_end_id: 'E0000000020261023180000000000001',
    });
    const [{ interest, fine, principal }] = owedOn(debtA(), '2026-10-23').allocations as [Owed];
    expect(payment['allocation']).toEqual({
      interest: text(interest),
      fine: text(fine),
      principal: text(principal),
      discount: '0.00',
      excess: '0.00',
    });
    expect(payment['attribution'].channel).toBe('sms');
    expect(charge).toMatchObject({ status: 'overdue', open_principal: text(A.face - principal) });
    for (const on of ['2026-10-22', '2026-10-23', '2026-10-24', '2026-12-31'])
      await expectOwed(a, debtA(), on);
    await pass('2026-10-26T23:00:00Z');
    expect(await call('dunning_payment_promises_get', { id: promise })).toMatchObject({
      status: 'open',
      paid: '300.00',
    });
  });

  test('broken after its grace, lets the rule go on, without the steps it missed', async () => {
    await pass('2026-10-27T12:00:00Z');
    expect(await call('dunning_payment_promises_get', { id: promise })).toMatchObject({ status: 'broken' });
    expect(await chargeOf(a)).toMatchObject({ dunning_state: 'active', paused_reason: null });
    await pass('2026-10-28T15:00:00Z');
    expect(messages().slice(6)).toEqual([['2026-10-27T13:00', 'whatsapp', null]]);
    expect(handed[6]!.message.text).toContain('Mensalidade A');
  });
});

describe('an agreement', () => {
  const NEGOTIATED = 170_001;

  test('is proposed for what is due on the day, its discount spread to the centavo', async () => {
    const [ofA, ofB] = [owedOn(debtA(), '2026-10-28'), owedOn(debtB(), '2026-10-28')];
    const original = ofA.due + ofB.due;
    const discount = original - NEGOTIATED;
    const simulated = await call('dunning_agreements_simulate', {
      charge_ids: [a, b],
      installments: 2,
      first_due_date: '2026-11-20',
      discount: text(discount),
    });
    expect(simulated['original_total']).toBe(text(original));
    expect(simulated['options'].at(-1)).toMatchObject({ negotiated_total: '1700.01', installment: '850.01' });
    const made = await call('dunning_agreements_create', {
      person_id: person,
      charge_ids: [a, b],
      negotiated_total: '1700.01',
      discount: text(discount),
      installments: [
        { due_date: '2026-11-20', amount: '850.01' },
        { due_date: '2026-12-04', amount: '850.00' },
      ],
      valid_until: '2026-10-30',
    });
    agreement = made['id'];
    schedule = made['schedule'];
    expect(made).toMatchObject({
      status: 'proposed',
      as_of: '2026-10-28',
      original_total: text(original),
      discount: text(discount),
      negotiated_total: '1700.01',
      next_due_date: '2026-11-20',
    });
    const extras = [ofA.interest + ofA.fine, ofB.interest + ofB.fine];
    const offExtras = Math.min(discount, extras[0]! + extras[1]!);
    const first = shared(offExtras, extras);
    const second = shared(discount - offExtras, [ofA.principal, ofB.principal]);
    const shares = new Map<string, Json>(made['charges'].map((share: Json) => [share['charge_id'], share]));
    for (const [index, [id, owed]] of (
      [
        [a, ofA],
        [b, ofB],
      ] as const
    ).entries()) {
      const off = first[index]! + second[index]!;
      expect(shares.get(id)).toMatchObject({
        principal: text(owed.principal),
        interest: text(owed.interest),
        fine: text(owed.fine),
        discount: text(off),
        negotiated: text(owed.due - off),
      });
    }
  });

  test('is sent, and accepted by a person who saw its figures', async () => {
    await call('dunning_agreements_send', { id: agreement, channel: 'email' });
    await settle(world, gateways);
    expect(messages().slice(7)).toEqual([['2026-10-28T15:00', 'email', expect.any(String)]]);
    expect(handed[7]!.message.subject).not.toMatch(/\d/);
    expect(handed[7]!.message.text.replace(/\u00a0/g, ' ')).toContain(brl(NEGOTIATED));
    await pass('2026-10-29T14:00:00Z');
    const args = {
      id: agreement,
      accepted_by: 'A própria',
      evidence: 'Por telefone',
      expected_total: '1700.01',
    };
    const { message, state } = await ask(owner, 'dunning_agreements_accept', args);
    for (const said of [brl(NEGOTIATED), brl(85_001), '20/11/2026'])
      expect(message.replace(/\u00a0/g, ' ')).toContain(said);
    const accepted = outputOf(await confirm(owner, 'dunning_agreements_accept', args, state));
    expect(accepted['status']).toBe('active');
    await settle(world, gateways);
    for (const id of [a, b]) expect(await chargeOf(id)).toMatchObject({ status: 'in_agreement' });
    const second = await owner.m(
      'tools/call',
      callOf('dunning_agreements_create', {
        person_id: person,
        charge_ids: [a],
        negotiated_total: '1.00',
        installments: [{ due_date: '2026-11-20', amount: '1.00' }],
        valid_until: '2026-10-30',
      }),
    );
    expect(errorOf(second).code).toBe('charge_in_agreement');
  });

  test('is paid in time on the business day after the holiday on which it falls due', async () => {
    await passQuietly('2026-11-23T18:00:00Z');
    const { items } = await call('dunning_agreement_installments_list', { agreement_id: agreement });
    expect(items.map(({ days_late, status }: Json) => [days_late, status])).toEqual([
      [0, 'open'],
      [0, 'open'],
    ]);
    const { payment } = await call('dunning_payments_create', {
      installment_id: schedule[0]!['id'],
      amount: '850.01',
      paid_at: '2026-11-23',
      method: 'boleto',
      expected_amount: '850.01',
    });
    expect(payment).toMatchObject({ kind: 'regular', needs_refund: false });
    expect(payment['attribution'].channel).toBeNull();
    expect(await call('dunning_agreements_get', { id: agreement })).toMatchObject({
      status: 'active',
      paid_total: '850.01',
      next_due_date: '2026-12-04',
    });
  });

  test('nothing is sent while it stands, and it stands until its last day of grace', async () => {
    await passQuietly('2026-12-09T23:30:00Z');
    expect(handed).toHaveLength(8);
    expect(await call('dunning_agreements_get', { id: agreement })).toMatchObject({ status: 'active' });
    const { items } = await call('dunning_agreement_installments_list', { agreement_id: agreement });
    expect(items.map(({ days_late }: Json) => days_late)).toEqual([0, 5]);
  });

  test('MODEL §14.20: broken, it gives back the whole debt less what was paid under it, no centavo twice', async () => {
    await pass('2026-12-10T12:00:00Z');
    expect(await call('dunning_agreements_get', { id: agreement })).toMatchObject({
      status: 'broken',
      ended_by: 'time',
      paid_total: '850.01',
    });
    // The installment pays the charge due first, as far as something was due on it that day; the rest goes to A.
    const onB = Math.min(85_001, owedOn(debtB(), '2026-11-23').due);
    paidOnB.push({ on: '2026-11-23', cents: onB });
    paidOnA.push({ on: '2026-11-23', cents: 85_001 - onB });
    for (const on of ['2026-11-23', '2026-12-10', '2027-01-14']) {
      await expectOwed(a, debtA(), on);
      await expectOwed(b, debtB(), on);
    }
    expect(await chargeOf(b)).toMatchObject({ status: 'paid', paid_on: '2026-11-23', amount_due: '0.00' });
    expect(await chargeOf(a)).toMatchObject({
      status: 'overdue',
      dunning_state: 'active',
      amount_due: text(owedOn(debtA(), '2026-12-10').due),
    });
  });
});

describe('a report to a credit bureau', () => {
  const waitingDays = 20;
  const noticeOn = '2026-12-15';
  let frozen: string;

  test('is asked for by one person, and not approved by the same one', async () => {
    await pass('2026-12-11T18:00:00Z');
    expect(messages().slice(8)).toEqual([['2026-12-11T13:00', 'whatsapp', null]]);
    const check = await call('dunning_negativations_check', { charge_id: a, bureau: 'serasa' });
    frozen = text(owedOn(debtA(), '2026-12-11').due);
    expect(check).toMatchObject({ is_allowed: true, amount: frozen, waiting_days: waitingDays });
    const request = { charge_id: a, bureau: 'serasa', expected_amount: frozen };
    const made = await call('dunning_negativations_create', request);
    report = made['id'];
    expect(made).toMatchObject({ status: 'pending', amount: frozen, expires_on: '2031-10-15' });
    const paid = await owner.m(
      'tools/call',
      callOf('dunning_negativations_create', { charge_id: b, bureau: 'serasa' }),
      { capabilities: formCapable },
    );
    expect(errorOf(paid).details).toMatchObject({ failed: expect.arrayContaining(['not_paid']) });
    const decision = { id: report, status: 'approved', note: 'Conferido' };
    const own = await owner.m('tools/call', callOf('dunning_negativations_update', decision), {
      capabilities: formCapable,
    });
    expect(errorOf(own).code).toBe('same_person_approval');
  });

  test('approved at night, tells the debtor in the morning; the proof of delivery starts the waiting', async () => {
    await pass('2026-12-15T01:00:00Z');
    const decision = { id: report, status: 'approved', note: 'Conferido' };
    expect(await call('dunning_negativations_update', decision, colleague)).toMatchObject({
      status: 'approved',
    });
    expect(handed).toHaveLength(9);
    await pass(`${noticeOn}T11:30:00Z`);
    expect(messages().slice(9)).toEqual([[`${noticeOn}T11:00`, 'email', expect.any(String)]]);
    expect((await call('dunning_negativations_get', { id: report }))['prior_notice']).toMatchObject({
      delivered_at: null,
      ends_on: null,
    });
    await pass(`${noticeOn}T15:00:00Z`);
    expect(await call('dunning_negativations_get', { id: report })).toMatchObject({
      status: 'notice_sent',
      prior_notice: {
        channel: 'email',
        evidence: 'delivered',
        delivered_at: `${noticeOn}T12:00:00Z`,
        waiting_days: waitingDays,
        ends_on: later(noticeOn, waitingDays),
      },
    });
    const { text: said } = handed[9]!.message;
    expect(said).toContain('Serasa');
    expect(said.replace(/\u00a0/g, ' ')).toContain(brl(owedOn(debtA(), noticeOn).due));
  });

  test('MODEL §14.18: leaves for the bureau on the day after the waiting, and is registered once when told twice', async () => {
    const lastDay = later(noticeOn, waitingDays);
    await passQuietly(`${lastDay}T23:30:00Z`);
    expect(bureau.requests).toHaveLength(0);
    await pass(`${later(lastDay, 1)}T12:00:00Z`);
    expect(bureau.requests).toMatchObject([{ command: 'register' }]);
    expect(await call('dunning_negativations_get', { id: report })).toMatchObject({ status: 'notice_sent' });
    await pass(`${later(lastDay, 3)}T12:00:00Z`);
    expect(await call('dunning_negativations_get', { id: report })).toMatchObject({
      status: 'registered',
      amount: frozen,
    });
    const { items } = await call('dunning_negativation_events_list', { negativation_id: report, limit: 100 });
    expect(items.filter(({ event }: Json) => event === 'registered')).toHaveLength(1);
    expect(await chargeOf(a)).toMatchObject({ status: 'overdue', legal_action: 'negativation' });
  });

  test('is removed when the debt is paid, before the fifth business day', async () => {
    await passQuietly('2027-01-14T18:00:00Z');
    expect(messages().slice(10)).toEqual([['2027-01-12T13:00', 'email', 'Aviso de Aurora Credora Ltda']]);
    const { due } = owedOn(debtA(), '2027-01-14');
    const { payment, charge } = await call('dunning_payments_create', {
      charge_id: a,
      amount: text(due),
      paid_at: '2027-01-14',
      method: 'pix',
      expected_amount: text(due),
    });
    paidOnA.push({ on: '2027-01-14', cents: due });
    expect(charge).toMatchObject({ status: 'paid', paid_on: '2027-01-14', amount_due: '0.00' });
    const last = owedOn(debtA(), '2027-01-14').allocations.at(-1)!;
    expect(payment['allocation']).toMatchObject({
      interest: text(last.interest),
      fine: '0.00',
      principal: text(last.principal),
    });
    expect(payment['attribution'].channel).toBe('email');
    const deadline = businessDaysLater('2027-01-14', 5);
    expect(await call('dunning_negativations_get', { id: report })).toMatchObject({
      status: 'removal_requested',
      removal: { reason: 'paid', deadline, done_at: null },
    });
    expect(bureau.requests.map(({ command }) => command)).toEqual(['register', 'remove']);
    await pass('2027-01-19T15:00:00Z');
    const removed = await call('dunning_negativations_get', { id: report });
    expect(removed).toMatchObject({ status: 'removed', status_reason: 'paid' });
    expect(removed['removal'].done_at.slice(0, 10) <= deadline).toBe(true);
    expect(await chargeOf(a)).toMatchObject({ legal_action: null });
  });
});

describe('looked at from the end', () => {
  test('nothing was ever sent outside the hours, nor while promised, agreed or paid, nor twice a day', async () => {
    expect(handed).toHaveLength(11);
    for (const { at } of handed) expect(isOpenInSaoPaulo(at), at.toISOString()).toBe(true);
    expect(new Set(handed.map(({ at }) => at.toISOString().slice(0, 10))).size).toBe(11);
    const { items } = await call('dunning_notifications_list', {
      person_id: person,
      limit: 100,
      sort: 'created_at',
    });
    expect(items.map(({ sent_at }: Json) => Date.parse(sent_at))).toEqual(
      handed.map(({ at }) => at.getTime()),
    );
    const triggers = items.map(({ trigger, status }: Json) => [
      trigger,
      status === 'sent' ? 'sent' : 'arrived',
    ]);
    expect(triggers).toEqual([
      ...Array.from({ length: 7 }, () => ['rule', 'arrived']),
      ['agreement', 'arrived'],
      ['rule', 'arrived'],
      ['prior_notice', 'arrived'],
      ['rule', 'arrived'],
    ]);
  });

  test('the metrics count every centavo that came in late, once', async () => {
    const { allocations } = owedOn(debtA(), '2027-01-14');
    const [first, , last] = allocations as [Owed, Owed, Owed];
    const amounts = [30_000, 85_001, paidOnA[2]!.cents] as const;
    const total = amounts.reduce((sum, cents) => sum + cents, 0);
    const weights = [first.principal, 85_001, last.principal].map(BigInt);
    // The installment settles the charges of its agreement, the oldest of which is B.
    const days = [
      daysFrom(A.due, '2026-10-23'),
      daysFrom(B.due, '2026-11-23'),
      daysFrom(A.due, '2027-01-14'),
    ].map(BigInt);
    const weighted = days.reduce((sum, day, index) => sum + day * weights[index]!, 0n);
    const metrics = await call('dunning_metrics_recovery', { months: 6 });
    expect(metrics).toMatchObject({
      as_of: '2027-01-19',
      recovered: { amount: text(total), payments: 3 },
      still_overdue: { amount: '0.00', charges: 0, installments: 0 },
      recovery_rate: { recovered: text(total), recovered_and_overdue: text(total) },
      average_days_overdue: {
        days: quotient(
          weighted,
          weights.reduce((sum, weight) => sum + weight, 0n),
        ),
      },
      // Three messages before the first money on A; four on A and three on B, on average, before that of the agreement.
      average_steps: { steps: '3.50', steps_total: 7, first_payments: 2 },
    });
    expect(Number(metrics['recovery_rate'].percent)).toBe(100);
    expect(metrics['by_month'].map(({ month, amount }: Json) => [month, amount])).toEqual([
      ['2026-08', '0.00'],
      ['2026-09', '0.00'],
      ['2026-10', text(amounts[0])],
      ['2026-11', text(amounts[1])],
      ['2026-12', '0.00'],
      ['2027-01', text(amounts[2])],
    ]);
    const by = (list: Json[], key: string) =>
      Object.fromEntries(list.map((one) => [one[key], one['amount']]));
    expect(by(metrics['by_method'], 'method')).toEqual({
      pix: text(amounts[0] + amounts[2]),
      boleto: text(amounts[1]),
    });
    expect(by(metrics['by_channel'], 'channel')).toEqual({
      sms: text(amounts[0]),
      none: text(amounts[1]),
      email: text(amounts[2]),
    });
  });

  test('the settlement letter says what was owed, what was paid, and when', async () => {
    const described = await call('dunning_charges_settlement_pdf', { id: a });
    const { body } = await owner.m('resources/read', { uri: described['resource_uri'] });
    const [{ blob, mimeType }] = body.result.contents;
    expect(mimeType).toBe('application/pdf');
    const bytes = Buffer.from(blob, 'base64');
    expect(bytes.length).toBe(described['size']);
    const pdf = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
    const said = pdf.text.replace(/\s+/g, ' ');
    const { fineInAll, interestInAll } = owedOn(debtA(), '2027-01-14');
    const paid = paidOnA.reduce((sum, { cents }) => sum + cents, 0);
    expect(paid).toBe(A.face + fineInAll + interestInAll);
    for (const part of [
      'Carta de quitação',
      'foi integralmente quitada em 14/01/2027',
      'CPF 300.400.508-58',
      `Valor original ${brl(A.face)}`,
      `Multa ${brl(fineInAll)}`,
      `Juros ${brl(interestInAll)}`,
      `Total pago ${brl(paid)}`,
      ...paidOnA.map(({ on }) => on.split('-').reverse().join('/')),
      ...paidOnA.map(({ cents }) => brl(cents).slice(3)),
    ]) {
      expect(said).toContain(part);
    }
  });
});
