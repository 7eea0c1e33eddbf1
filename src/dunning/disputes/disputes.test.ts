import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCharge, createDebtor } from '../../../test/support/dunning.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

let world: World;
let debtor: string;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
  debtor = await createDebtor(world);
});
afterAll(() => world.close());

const CREATE = 'dunning_disputes_create';
const UPDATE = 'dunning_disputes_update';

async function dispute(fields: object = {}, charge?: string) {
  const chargeId =
    charge ?? (await createCharge(world, { person_id: debtor, due_date: '2026-10-20', status: 'pending' }));
  const made = await world.call(CREATE, {
    charge_id: chargeId,
    reason: 'wrong_amount',
    description: 'O valor combinado era outro.',
    ...fields,
  });
  return { id: made['id'] as string, chargeId, made };
}

const chargeRow = async (id: string) =>
  (
    await world.look(
      `select status, is_disputed, dunning_state, abatement_cents::int, open_cents::int
         from dunning_charges where id = $1`,
      [id],
    )
  )[0];

describe('opening', () => {
  it('holds the charge and marks it, and resolves nothing', async () => {
    const { made, chargeId } = await dispute({ disputed_amount: '30.00' });
    expect(made).toMatchObject({
      status: 'open',
      disputed_amount: '30.00',
      charge_amount: '100.00',
      resolution: null,
      adjusted_amount: null,
    });
    expect(await chargeRow(chargeId)).toMatchObject({ is_disputed: true, abatement_cents: 0 });
    const holds = await world.look('select reason, source_id from dunning_holds where charge_id = $1', [
      chargeId,
    ]);
    expect(holds).toEqual([{ reason: 'dispute', source_id: made['id'] }]);
  });

  it('MODEL §14.13: is refused for a charge that has one already, also when two come at once', async () => {
    const { id, chargeId } = await dispute();
    await expect(dispute({}, chargeId)).rejects.toMatchObject({ code: 'duplicate', details: { of: id } });
    const fresh = await createCharge(world, { person_id: debtor });
    const both = await Promise.allSettled([dispute({}, fresh), dispute({}, fresh)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('is refused for more than the charge is worth, for charges of others and for a status of its own', async () => {
    const charge_id = await createCharge(world, { person_id: debtor });
    const args = { charge_id, reason: 'other', description: 'x' };
    await expect(world.call(CREATE, { ...args, disputed_amount: '100.01' })).rejects.toMatchObject({
      code: 'exceeds_open_amount',
      details: { open: '100.00' },
    });
    await expect(world.call(CREATE, args, 'stranger')).rejects.toMatchObject({ code: 'not_found' });
    await expect(world.call(CREATE, { ...args, status: 'dismissed' })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });
});

describe('deciding', () => {
  it('states the charge, the decision and the new worth, and needs a reason', async () => {
    const { id } = await dispute();
    await expect(world.ask(UPDATE, { id, status: 'dismissed' })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'resolution' },
    });
    const question = await world.ask(UPDATE, {
      id,
      status: 'partially_upheld',
      adjusted_amount: '70.00',
      resolution: 'Desconto combinado por e-mail.',
    });
    expect(question.message).toContain('R$ 70,00');
    expect(question.message).toContain('"Desconto combinado por e-mail."');
  });

  it('dismissed lets collection go on with the charge as it was', async () => {
    const { id, chargeId } = await dispute();
    const after = await world.call(UPDATE, { id, status: 'dismissed', resolution: 'Contrato assinado.' });
    expect(after).toMatchObject({
      status: 'dismissed',
      adjusted_amount: null,
      resolution: 'Contrato assinado.',
    });
    expect(after['resolved_at']).not.toBeNull();
    expect(await chargeRow(chargeId)).toMatchObject({
      status: 'pending',
      is_disputed: false,
      open_cents: 10_000,
    });
    expect(await world.look('select 1 from dunning_holds where charge_id = $1', [chargeId])).toEqual([]);
  });

  it('partially upheld lowers the charge, upheld without an amount calls it off', async () => {
    const one = await dispute();
    await world.call(UPDATE, {
      id: one.id,
      status: 'partially_upheld',
      adjusted_amount: '70.00',
      resolution: 'Desconto.',
    });
    expect(await chargeRow(one.chargeId)).toMatchObject({
      status: 'pending',
      abatement_cents: 3_000,
      open_cents: 7_000,
    });
    const other = await dispute();
    await world.call(UPDATE, { id: other.id, status: 'upheld', resolution: 'Não houve entrega.' });
    expect(await chargeRow(other.chargeId)).toMatchObject({ status: 'canceled', is_disputed: false });
  });

  const pay = (charge_id: string, amount: string) =>
    world.call('dunning_payments_create', { charge_id, amount, paid_at: '2026-10-01', method: 'pix' });
  const uphold = (id: string) =>
    world.call(UPDATE, { id, status: 'upheld', resolution: 'Não houve entrega.' });

  it('MODEL §15: what was paid on a charge that proves to be nothing is to be given back', async () => {
    for (const amount of ['60.00', '100.00']) {
      const { id, chargeId } = await dispute();
      await pay(chargeId, amount);
      const args = { id, status: 'upheld', resolution: 'Não houve entrega.' };
      const { message } = await world.ask(UPDATE, args);
      expect(message).toContain(`A devolver ao devedor: R$ ${amount.replace('.', ',')}`);
      expect(await uphold(id)).toMatchObject({ status: 'upheld', adjusted_amount: '0.00' });
      expect(await world.call('dunning_charges_get', { id: chargeId })).toMatchObject({
        status: 'paid',
        abatement: '100.00',
        amount_due: '0.00',
        disputed: false,
        payments: [{ kind: 'excess', needs_refund: true, allocation: { principal: '0.00', excess: amount } }],
      });
    }
  });

  it('upheld leaves a charge that was called off meanwhile as it is', async () => {
    const { id, chargeId } = await dispute();
    await world.call('dunning_charges_cancel', { id: chargeId, reason: 'Emitida por engano' });
    await uphold(id);
    expect(await chargeRow(chargeId)).toMatchObject({ status: 'canceled', is_disputed: false });
  });

  it('goes by way of a review, with a note in the thread, and never back', async () => {
    const { id } = await dispute();
    await world.call(UPDATE, { id, status: 'under_review', note: 'Pedir o contrato.' });
    const { items } = await world.call('dunning_dispute_comments_list', { dispute_id: id });
    expect(items.map(({ body }: any) => body)).toEqual(['Pedir o contrato.']);
    await world.call(UPDATE, { id, status: 'withdrawn', resolution: 'O devedor desistiu.' });
    await expect(world.ask(UPDATE, { id, status: 'dismissed', resolution: 'x' })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'withdrawn' },
    });
    await expect(world.ask(UPDATE, { id, status: 'withdrawn' }, 'stranger')).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('runs once: a second confirmed decision finds it decided', async () => {
    const { id } = await dispute();
    const args = { id, status: 'dismissed', resolution: 'x' };
    const [one, other] = [await world.ask(UPDATE, args), await world.ask(UPDATE, args)];
    await world.confirm(UPDATE, args, one.state);
    await expect(world.confirm(UPDATE, args, other.state)).rejects.toMatchObject({ code: 'invalid_state' });
  });
});

it('a comment resolves nothing, and its thread is of this organization only', async () => {
  const { id } = await dispute();
  const comment = await world.call('dunning_dispute_comments_create', {
    dispute_id: id,
    body: 'Ligar amanhã.',
  });
  expect(comment).toMatchObject({ dispute_id: id, body: 'Ligar amanhã.' });
  expect((await world.call('dunning_disputes_get', { id }))['status']).toBe('open');
  await expect(
    world.call('dunning_dispute_comments_list', { dispute_id: id }, 'stranger'),
  ).rejects.toMatchObject({ code: 'not_found' });
});

it('the list is by status, debtor and charge, newest first', async () => {
  const person = await createDebtor(world);
  const charge = await createCharge(world, { person_id: person });
  const { id } = await dispute({}, charge);
  const ids = async (args: object) =>
    (await world.call('dunning_disputes_list', args))['items'].map((item: any) => item.id);
  expect(await ids({ person_id: person })).toEqual([id]);
  expect(await ids({ charge_id: charge, status: 'open' })).toEqual([id]);
  expect(await ids({ charge_id: charge, status: 'upheld' })).toEqual([]);
});
