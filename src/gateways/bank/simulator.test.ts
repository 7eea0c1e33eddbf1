import { describe, expect, test } from 'vitest';
import { type BankOrder, BankOutcomeUnknown, BankUnreachable } from './port.ts';
import { createSimulatedBank, type SimulatedBehaviour } from './simulator.ts';

const morning = new Date('2026-10-01T12:00:00Z');

function orderOf(fields: Partial<BankOrder> & { cents?: number } = {}): BankOrder {
  const { cents = 123456, scheduledFor = '2026-10-01', kind = 'pix_key' } = fields;
  return {
    idempotencyKey: `order-1.${scheduledFor.replaceAll('-', '')}.${cents}.${kind}`,
    kind,
    amount: cents,
    scheduledFor,
    account: { bankCode: '341', agency: '1', number: '2', digit: '3', providerId: null },
    payee: { name: 'Fornecedor', documentNumber: null },
    details: {},
    ...fields,
  };
}

const behaving = (behaviour: SimulatedBehaviour) => createSimulatedBank({ behaviourOf: () => behaviour });
const later = (ms: number) => new Date(morning.getTime() + ms);

describe('an order that settles', () => {
  test('is processed for a moment and then confirmed on its day', async () => {
    const bank = createSimulatedBank();
    const order = orderOf();
    expect(await bank.submit(order, morning)).toMatchObject({ status: 'processing' });
    expect(await bank.find(order.idempotencyKey, later(500))).toMatchObject({
      status: 'confirmed',
      settledOn: '2026-10-01',
    });
  });

  test('acts once per key: a second submit gives the same reference', async () => {
    const bank = createSimulatedBank({ delayMs: 0 });
    const first = await bank.submit(orderOf(), morning);
    expect(await bank.submit(orderOf(), later(60_000))).toEqual(first);
  });

  test('gives the same answer after a restart', async () => {
    const bank = createSimulatedBank({ seed: 's', delayMs: 0 });
    const order = orderOf({ kind: 'boleto', scheduledFor: '2026-10-03' });
    await bank.submit(order, morning);
    const monday = new Date('2026-10-05T12:00:00Z');
    const restarted = createSimulatedBank({ seed: 's', delayMs: 0 });
    expect(await restarted.find(order.idempotencyKey, monday)).toEqual(
      await bank.find(order.idempotencyKey, monday),
    );
    const other = createSimulatedBank({ seed: 't', delayMs: 0 });
    expect(await other.find(order.idempotencyKey, monday)).not.toEqual(
      await bank.find(order.idempotencyKey, monday),
    );
  });

  test('a boleto of a Saturday settles on Monday, a Pix on Saturday', async () => {
    const bank = createSimulatedBank({ delayMs: 0 });
    const boleto = orderOf({ kind: 'boleto', scheduledFor: '2026-10-03' });
    const pix = orderOf({ kind: 'pix_key', scheduledFor: '2026-10-03' });
    expect(await bank.submit(boleto, morning)).toMatchObject({ status: 'scheduled' });
    expect(await bank.submit(pix, morning)).toMatchObject({ status: 'scheduled' });
    const saturday = new Date('2026-10-03T15:00:00Z');
    expect(await bank.find(boleto.idempotencyKey, saturday)).toMatchObject({ status: 'scheduled' });
    expect(await bank.find(pix.idempotencyKey, saturday)).toMatchObject({ settledOn: '2026-10-03' });
    expect(await bank.find(boleto.idempotencyKey, new Date('2026-10-05T15:00:00Z'))).toMatchObject({
      settledOn: '2026-10-05',
    });
  });

  test('takes its days from the zone of the bank, not from UTC', async () => {
    const bank = createSimulatedBank({ delayMs: 0 });
    const order = orderOf({ scheduledFor: '2026-10-02' });
    expect(await bank.submit(order, new Date('2026-10-02T02:00:00Z'))).toMatchObject({ status: 'scheduled' });
  });
});

describe('behaviours', () => {
  test('rejects at once', async () => {
    expect(await behaving('rejects').submit(orderOf(), morning)).toMatchObject({ status: 'rejected' });
  });

  test('rejects on its day', async () => {
    const bank = behaving('rejects_on_its_day');
    const order = orderOf({ scheduledFor: '2026-10-02' });
    expect(await bank.submit(order, morning)).toMatchObject({ status: 'scheduled' });
    expect(await bank.find(order.idempotencyKey, later(86_400_000))).toMatchObject({ status: 'rejected' });
  });

  test('answers late', async () => {
    const bank = behaving('answers_late');
    await bank.submit(orderOf(), morning);
    expect(await bank.find(orderOf().idempotencyKey, later(3_599_000))).toMatchObject({
      status: 'processing',
    });
    expect(await bank.find(orderOf().idempotencyKey, later(3_600_000))).toMatchObject({
      status: 'confirmed',
    });
  });

  test('answers out of order', async () => {
    const bank = behaving('answers_out_of_order');
    await bank.submit(orderOf(), morning);
    const seen: string[] = [];
    for (let asked = 0; asked < 4; asked += 1) {
      seen.push((await bank.find(orderOf().idempotencyKey, later(1_000))).status);
    }
    expect(seen).toEqual(['confirmed', 'scheduled', 'confirmed', 'processing']);
  });

  test('answers everything twice', async () => {
    const bank = behaving('answers_twice');
    const first = await bank.submit(orderOf(), morning);
    expect(first).toMatchObject({ status: 'processing' });
    expect(await bank.find(orderOf().idempotencyKey, later(60_000))).toEqual(first);
    const last = await bank.find(orderOf().idempotencyKey, later(120_000));
    expect(last).toMatchObject({ status: 'confirmed' });
    expect(await bank.find(orderOf().idempotencyKey, later(180_000))).toEqual(last);
  });

  test('SE-13: is unreachable once and knows nothing of that attempt', async () => {
    const bank = behaving('unreachable_once');
    await expect(bank.submit(orderOf(), morning)).rejects.toBeInstanceOf(BankUnreachable);
    expect(await bank.find(orderOf().idempotencyKey, morning)).toEqual({ status: 'absent' });
    expect(await bank.submit(orderOf(), morning)).toMatchObject({ status: 'processing' });
  });

  test('breaks the connection after accepting, and before', async () => {
    const accepted = behaving('unknown_accepted');
    await expect(accepted.submit(orderOf(), morning)).rejects.toBeInstanceOf(BankOutcomeUnknown);
    expect(await accepted.find(orderOf().idempotencyKey, later(1_000))).toMatchObject({
      status: 'confirmed',
    });
    const lost = behaving('unknown_lost');
    await expect(lost.submit(orderOf(), morning)).rejects.toBeInstanceOf(BankOutcomeUnknown);
    expect(await lost.find(orderOf().idempotencyKey, later(1_000))).toEqual({ status: 'absent' });
  });

  test('waits for funds until it is canceled', async () => {
    const bank = behaving('awaits_funds');
    const key = orderOf().idempotencyKey;
    expect(await bank.submit(orderOf(), morning)).toMatchObject({ status: 'awaiting_funds' });
    expect(await bank.find(key, later(86_400_000))).toMatchObject({ status: 'awaiting_funds' });
    expect(await bank.cancel(key, later(86_400_000))).toMatchObject({ status: 'canceled' });
    expect(await bank.find(key, later(86_400_001))).toMatchObject({ status: 'canceled' });
  });

  test('a confirmed order cannot be canceled any more', async () => {
    const bank = createSimulatedBank({ delayMs: 0 });
    await bank.submit(orderOf(), morning);
    expect(await bank.cancel(orderOf().idempotencyKey, morning)).toMatchObject({ status: 'confirmed' });
  });

  test('can be chosen by the amount', async () => {
    const bank = createSimulatedBank();
    expect(await bank.submit(orderOf({ cents: 19_091 }), morning)).toMatchObject({ status: 'rejected' });
    expect(await bank.submit(orderOf({ cents: 9_098 }), morning)).toMatchObject({ status: 'awaiting_funds' });
  });
});

test('has a desk for everything that slices ask of banks, with one seed for all', async () => {
  const bank = createSimulatedBank({ seed: 's', delayMs: 0 });
  expect(await bank.charges!.find('nothing.20261001.100.pix', morning)).toEqual({ status: 'absent' });
  const account = { bankCode: '341', agency: '1', number: '2', digit: '3', providerId: null };
  const asked = [
    { ...account, holderDocument: '12ABC34501DE35' },
    '2026-10-01',
    '2026-10-20',
    morning,
  ] as const;
  const announced = await bank.dda!.announced(...asked);
  expect(announced.length).toBeGreaterThan(0);
  expect(await createSimulatedBank({ seed: 's' }).dda!.announced(...asked)).toEqual(announced);
  expect(await createSimulatedBank({ seed: 't' }).dda!.announced(...asked)).not.toEqual(announced);
  const request = {
    idempotencyKey: 'transfer-1.20261001.5000.pix',
    method: 'pix',
    amount: 5_000,
    scheduledFor: '2026-10-01',
    from: account,
    to: { ...account, number: '9' },
    holder: { name: 'Empresa', documentNumber: '12ABC34501DE35' },
    description: null,
  } as const;
  expect(await bank.transfers!.submit(request, morning)).toMatchObject({ status: 'confirmed' });
  expect(await bank.transfers!.find(request.idempotencyKey, morning)).toMatchObject({
    settledOn: '2026-10-01',
  });
});

test('refuses a key that it did not make', async () => {
  await expect(createSimulatedBank().find('other', morning)).rejects.toThrow('keys that hold');
});
