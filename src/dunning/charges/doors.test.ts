/** What other slices do to charges, each through its door. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCharge, createDebtor, runDunningJob } from '../../../test/support/dunning.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import { jobContextOf } from '../../core/job.ts';
import type { WriteContext } from '../../core/operation.ts';
import { dunning } from '../index.ts';
import {
  abateCharge,
  amountsOf,
  type ChargeRow,
  closeByAgreement,
  closeCharge,
  enterAgreement,
  freeLegal,
  holdCharges,
  leaveAgreement,
  releaseCharges,
  replayCharge,
  requireCharge,
  requireCharges,
  setDisputed,
  takeLegal,
} from './index.ts';

const NOW = '2026-10-01T12:00:00Z';

let world: World;
let person: string;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
  person = await createDebtor(world);
});
beforeEach(() => world.setNow(NOW));
afterAll(() => world.close());

const charge = (fields: object = {}) => createCharge(world, { person_id: person, ...fields });
const get = (id: string) => world.call('dunning_charges_get', { id });
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('was not refused'),
    (error) => ({ code: error.code, ...error.details }),
  );

function write<T>(work: (context: WriteContext) => Promise<T>): Promise<T> {
  const place = {
    organizationId: world.organizationId,
    workspaceId: null,
    timeZone: 'America/Sao_Paulo',
  };
  const ports = world.runtime.portsOf(dunning.catalogue);
  return jobContextOf(ports, 'test', {}, place, undefined).write(work);
}

const changed = (id: string, work: (context: WriteContext, row: ChargeRow) => Promise<unknown>) =>
  write(async (context) => work(context, await requireCharge(context, id)));

async function createRule(): Promise<string> {
  const id = newId();
  await world.look(
    `insert into dunning_collection_rules (organization_id, id, name, created_by) values ($1, $2, 'Régua', $1)`,
    [world.organizationId, id],
  );
  return id;
}

async function createAgreement(): Promise<string> {
  const id = newId();
  await world.look(
    `insert into dunning_agreements (organization_id, id, person_id, status, as_of, original_total_cents, discount_cents,
                                     negotiated_total_cents, valid_until, default_after_days, accepted_at, created_by)
     values ($1, $2, $3, 'active', '2026-10-01', 10000, 0, 10000, '2026-12-01', 15, now(), $1)`,
    [world.organizationId, id, person],
  );
  return id;
}

/** A payment of an installment of the agreement. */
async function createReceipt(agreementId: string, cents: number): Promise<string> {
  const [installment, id] = [newId(), newId()];
  await world.look(
    `insert into dunning_installments (organization_id, id, agreement_id, number, due_date, adjusted_due_date, amount_cents,
                                       status)
     values ($1, $2, $3, (select count(*) + 1 from dunning_installments where agreement_id = $3), '2026-10-05',
             '2026-10-05', $4, 'open')`,
    [world.organizationId, installment, agreementId, cents],
  );
  await world.look(
    `insert into dunning_payments (organization_id, id, person_id, agreement_id, installment_id, amount_cents, paid_on,
                                   effective_on, method, principal_cents, kind, created_by)
     values ($1, $2, $3, $4, $5, $6, '2026-10-01', '2026-10-01', 'pix', $6, 'regular', $1)`,
    [world.organizationId, id, person, agreementId, installment, cents],
  );
  return id;
}

async function credit(agreementId: string, chargeId: string, cents: number, discount = 0): Promise<string> {
  const payment = discount > 0 ? null : await createReceipt(agreementId, cents);
  await world.look(
    `insert into dunning_agreement_credits (organization_id, id, agreement_id, charge_id, payment_id, credited_on,
                                            amount_cents, discount_cents)
     values ($1, $2, $3, $4, $5, '2026-10-01', $6, $7)`,
    [world.organizationId, newId(), agreementId, chargeId, payment, cents, discount],
  );
  return payment ?? '';
}

describe('pausing and resuming', () => {
  const pause = (id: string, args: object = {}) =>
    world.call('dunning_charges_pause', { id, reason: 'a pedido', ...args });

  it('stops the rule, and lets only steps still to come run afterwards', async () => {
    const id = await charge({ collection_rule_id: await createRule() });
    expect(await pause(id)).toMatchObject({ dunning_state: 'paused', paused_reason: 'manual' });
    expect((await get(id)).holds).toMatchObject([{ reason: 'manual', until: null, note: 'a pedido' }]);
    world.setNow('2026-10-05T15:00:00Z');
    expect(await world.call('dunning_charges_resume', { id })).toMatchObject({
      dunning_state: 'active',
      paused_reason: null,
      rule_started_at: '2026-10-05T15:00:00Z',
    });
  });

  it('changes the last day when it is paused again, and nothing when it is resumed again', async () => {
    const id = await charge();
    await pause(id, { until: '2026-10-10' });
    await pause(id, { until: '2026-10-20' });
    expect((await get(id)).holds).toMatchObject([{ until: '2026-10-20' }]);
    const resumed = await world.call('dunning_charges_resume', { id });
    expect(resumed).toMatchObject({ dunning_state: 'none' });
    expect(await world.call('dunning_charges_resume', { id })).toEqual(resumed);
  });

  it('keeps waiting while another reason stands', async () => {
    const id = await charge({ collection_rule_id: await createRule() });
    await pause(id);
    const promise = newId();
    await write((context) => holdCharges(context, [id], { reason: 'promise', sourceId: promise }));
    expect(await get(id)).toMatchObject({ paused_reason: 'promise' });
    await write((context) => releaseCharges(context, { reason: 'promise', sourceId: promise }));
    expect(await get(id)).toMatchObject({ dunning_state: 'paused', paused_reason: 'manual' });
    expect(await world.call('dunning_charges_resume', { id })).toMatchObject({ dunning_state: 'active' });
  });

  it('refuses what is not collected any more, and a last day that is past', async () => {
    const id = await charge();
    expect(await refusal(pause(id, { until: '2026-09-30' }))).toMatchObject({
      code: 'invalid_argument',
      path: 'until',
    });
    await world.call('dunning_charges_cancel', { id, reason: 'x' });
    expect(await refusal(pause(id))).toMatchObject({ code: 'invalid_state' });
    expect(await refusal(world.call('dunning_charges_resume', { id: newId() }))).toMatchObject({
      code: 'not_found',
    });
  });

  it('goes on by itself the day after the last day', async () => {
    const rule = await createRule();
    const [first, second] = [
      await charge({ collection_rule_id: rule }),
      await charge({ collection_rule_id: rule }),
    ];
    await pause(first, { until: '2026-10-02' });
    await pause(second, { until: '2026-10-03' });
    const run = () => runDunningJob(world, undefined as never, 'dunning_lift_holds');
    world.setNow('2026-10-03T03:01:00Z');
    expect(await run()).toBeUndefined();
    expect(await get(first)).toMatchObject({
      dunning_state: 'active',
      rule_started_at: '2026-10-03T03:01:00Z',
      holds: [],
    });
    expect(await get(second)).toMatchObject({ dunning_state: 'paused' });
    expect(await run()).toBeUndefined();
    expect((await get(first)).version).toBe(3);
  });
});

describe('agreements', () => {
  const entered = async (fields: object = {}) => {
    const id = await charge(fields);
    const agreement = await createAgreement();
    await changed(id, (context, row) => enterAgreement(context, [row], agreement));
    return { id, agreement };
  };

  it('stop the rule of their charges, which nothing else may enter or change', async () => {
    const { id, agreement } = await entered({ collection_rule_id: await createRule() });
    expect(await get(id)).toMatchObject({
      status: 'in_agreement',
      agreement_id: agreement,
      dunning_state: 'paused',
      paused_reason: 'agreement',
    });
    const other = await createAgreement();
    for (const work of [
      () => changed(id, (context, row) => enterAgreement(context, [row], other)),
      () => changed(id, (context, row) => abateCharge(context, row, 1)),
      () =>
        world.call('dunning_payments_create', {
          charge_id: id,
          amount: '1.00',
          paid_at: '2026-10-01',
          method: 'pix',
        }),
      () => world.call('dunning_charges_cancel', { id, reason: 'x' }),
    ]) {
      expect(await refusal(work())).toMatchObject({ code: 'charge_in_agreement' });
    }
  });

  it('PITFALLS 49: what was paid under a broken one counts, what was taken back does not', async () => {
    const { id, agreement } = await entered({ collection_rule_id: await createRule() });
    const payment = await credit(agreement, id, 3_000);
    world.setNow('2026-10-02T12:00:00Z');
    await changed(id, (context, row) => leaveAgreement(context, [row]));
    expect(await get(id)).toMatchObject({
      status: 'overdue',
      amount_due: '70.00',
      agreement_id: null,
      dunning_state: 'active',
      rule_started_at: '2026-10-02T12:00:00Z',
    });
    await world.look("update dunning_payments set status = 'reversed' where id = $1", [payment]);
    await write((context) => replayCharge(context, id));
    expect(await get(id)).toMatchObject({ status: 'overdue', amount_due: '100.00' });
  });

  it('close their charges when they are completed, and take them back when a payment was none', async () => {
    const { id, agreement } = await entered();
    await credit(agreement, id, 8_000);
    await credit(agreement, id, 0, 2_000);
    await changed(id, (context, row) => closeByAgreement(context, [row]));
    expect(await get(id)).toMatchObject({
      status: 'paid',
      paid_on: '2026-10-01',
      open_principal: '0.00',
      agreement_id: agreement,
      amounts: { paid: '80.00', discount: '20.00' },
    });
    await world.look('delete from dunning_agreement_credits where charge_id = $1', [id]);
    await changed(id, (context, row) => enterAgreement(context, [row], agreement));
    expect(await get(id)).toMatchObject({
      status: 'in_agreement',
      open_principal: '100.00',
      paid_on: null,
    });
  });

  it('give up no more than was agreed: what else is open stays open', async () => {
    const { id, agreement } = await entered();
    await credit(agreement, id, 7_000);
    await credit(agreement, id, 0, 2_000);
    await changed(id, (context, row) => closeByAgreement(context, [row]));
    expect(await get(id)).toMatchObject({ status: 'overdue', amount_due: '10.00' });
  });

  it('are told in one record each, without a state in between', async () => {
    const { id, agreement } = await entered();
    await credit(agreement, id, 10_000);
    await changed(id, (context, row) => closeByAgreement(context, [row]));
    const rows = await world.look<{ body: string }>(
      `select body from events e join event_records c on c.tenant_id = e.tenant_id and c.position = e.position
        where c.record_id = $1 order by e.position`,
      [id],
    );
    const states = rows.flatMap(({ body }) =>
      JSON.parse(body).changes.map((change: any) => [change.before.status, change.after.status]),
    );
    expect(states).toEqual([
      ['overdue', 'in_agreement'],
      ['in_agreement', 'paid'],
    ]);
  });
});

describe('disputes, abatements and legal actions', () => {
  it('mark the charge', async () => {
    const id = await charge();
    await changed(id, (context, row) => setDisputed(context, row, true));
    expect(await get(id)).toMatchObject({ disputed: true });
  });

  it('take off of the face value: fine and interest run on the rest, payments are gone through again', async () => {
    const terms = {
      discounts: [],
      fine: { kind: 'percent', percent: 20_000 },
      interest: { kind: 'none' },
      graceDays: 0,
    };
    const id = await charge({ terms });
    await world.call('dunning_payments_create', {
      charge_id: id,
      amount: '60.00',
      paid_at: '2026-10-01',
      method: 'pix',
    });
    await changed(id, (context, row) => abateCharge(context, row, 5_000));
    expect(await get(id)).toMatchObject({
      status: 'paid',
      abatement: '50.00',
      amounts: { fine: '1.00', paid: '51.00' },
      payments: [
        {
          kind: 'excess',
          needs_refund: true,
          allocation: { principal: '50.00', fine: '1.00', excess: '9.00' },
        },
      ],
    });
    const args = [id, (context: WriteContext, row: ChargeRow) => abateCharge(context, row, 10_001)] as const;
    expect(await refusal(changed(...args))).toMatchObject({ code: 'exceeds_open_amount', open: '100.00' });
  });

  it('call off what is left of a charge given up elsewhere, and what was paid stays paid', async () => {
    const id = await charge();
    const args = { charge_id: id, amount: '60.00', paid_at: '2026-10-01', method: 'pix' };
    const { payment } = await world.call('dunning_payments_create', args);
    await changed(id, (context, row) => closeCharge(context, row, 'baixada'));
    expect(await get(id)).toMatchObject({
      status: 'canceled',
      amount_due: '0.00',
      payments: [{ id: payment.id, kind: 'regular', allocation: { principal: '60.00', excess: '0.00' } }],
    });
  });

  it('MODEL §14.13: at most one legal action lives on a charge, whoever is first', async () => {
    const id = await charge();
    const [first, second] = [newId(), newId()];
    const take = (kind: 'negativation' | 'protest', action: string) =>
      changed(id, (context, row) => takeLegal(context, row, kind, action));
    const tried = await Promise.allSettled([take('negativation', first), take('protest', second)]);
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const won = (await get(id)).legal_action === 'negativation' ? first : second;
    expect(await refusal(take('protest', newId()))).toMatchObject({ code: 'legal_action_exists', id: won });
    await write((context) => freeLegal(context, id, newId()));
    expect((await get(id)).legal_action).not.toBeNull();
    await write((context) => freeLegal(context, id, won));
    expect((await get(id)).legal_action).toBeNull();
    await take('protest', newId());
  });

  it('are followed: one waiting job for a charge, however much happened to it', async () => {
    const id = await charge();
    const waiting = () =>
      world.look(
        `select j.payload from graphile_worker._private_jobs j
           join graphile_worker._private_tasks t on t.id = j.task_id
          where t.identifier = 'dunning_follow_charge' and j.payload->>'chargeId' = $1`,
        [id],
      );
    await changed(id, (context, row) => setDisputed(context, row, true));
    await changed(id, (context, row) => setDisputed(context, row, false));
    expect(await waiting()).toEqual([{ payload: { organizationId: world.organizationId, chargeId: id } }]);
  });

  it('reads many charges with their amounts, and says which one there is not', async () => {
    const ids = [await charge(), await charge({ amount_cents: 7_000 })];
    await write(async (context) => {
      const rows = await requireCharges(context, [...ids].reverse());
      expect(rows.map(({ id }) => id)).toEqual(ids);
      expect((await amountsOf(context, rows[1]!)).amountDue).toBe(7_000);
    });
    const missing = newId();
    expect(await refusal(write((context) => requireCharges(context, [...ids, missing])))).toMatchObject({
      code: 'not_found',
      id: missing,
    });
  });
});
