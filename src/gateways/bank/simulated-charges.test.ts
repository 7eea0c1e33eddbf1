import { describe, expect, test } from 'vitest';
import { readBoleto } from '../../core/documents/boleto.ts';
import { modulo10Digit } from '../../core/documents/check-digits.ts';
import { readPixCode } from '../../core/documents/pix.ts';
import { BankOutcomeUnknown, BankUnreachable, type ChargeRequest } from './port.ts';
import { createSimulatedCharges } from './simulated-charges.ts';

const now = new Date('2026-10-01T12:00:00Z');
const after = (ms: number) => new Date(now.getTime() + ms);

function request(changes: Partial<ChargeRequest> = {}): ChargeRequest {
  const amount = changes.amount ?? 123_456;
  return {
    idempotencyKey: `0192.20261005.${amount}.boleto_pix`,
    methods: ['boleto', 'pix'],
    amount,
    dueDate: '2026-10-05',
    validDaysAfterDue: 0,
    ourNumber: '00000000042',
    terms: null,
    description: 'Mensalidade',
    documentNumber: null,
    account: { bankCode: '341', agency: '1234', number: '1234556', digit: '7', providerId: null },
    payee: { name: 'Padaria São João', documentNumber: '11222333000181', city: 'São Paulo' },
    payer: { name: 'Cliente', documentNumber: '52998224725' },
    ...changes,
  };
}

describe('issuing', () => {
  test('gives codes that follow from key and seed, whatever process is asked', async () => {
    const first = await createSimulatedCharges({ seed: 'a' }).submit(request(), now);
    expect(await createSimulatedCharges({ seed: 'a' }).submit(request(), after(1))).toEqual(first);
    expect(await createSimulatedCharges({ seed: 'b' }).submit(request(), now)).not.toEqual(first);
    expect(first).toMatchObject({ status: 'open', reference: expect.stringMatching(/^SIM[0-9A-F]{12}$/) });
  });

  test('lays the free field out as agency, account, our number and a check digit', async () => {
    const answer = await createSimulatedCharges().submit(request(), now);
    if (answer.status !== 'open') throw new Error(answer.status);
    const boleto = readBoleto(answer.barcode!, '2026-10-01');
    expect(boleto).toMatchObject({ ok: true, amountCents: 123_456, dueDate: '2026-10-05', warnings: [] });
    const places = `1234${'01234556'}${'000000000042'}`;
    expect(boleto.ok && boleto.freeField).toBe(places + modulo10Digit(places));
    expect(readPixCode(answer.pix!.code)).toMatchObject({
      kind: 'static',
      key: '11222333000181',
      merchant: 'Padaria Sao Joao',
      txid: answer.pix!.txid,
    });
  });

  test('keeps fine and interest at an address, in a dynamic code', async () => {
    const terms = { discounts: [], fine: null, interest: { kind: 'none' as const }, graceDays: 0 };
    const answer = await createSimulatedCharges().submit(request({ terms }), now);
    if (answer.status !== 'open') throw new Error(answer.status);
    expect(readPixCode(answer.pix!.code)).toMatchObject({
      kind: 'dynamic',
      url: `pix.banco-simulado.example/v2/cobv/${answer.pix!.txid}`,
    });
    expect(answer.pix!.txid).toMatch(/^[A-Za-z0-9]{26,35}$/);
  });

  test('writes names that no code can hold otherwise', async () => {
    const payee = { name: '漢字', documentNumber: '11222333000181', city: null };
    const answer = await createSimulatedCharges().submit(request({ payee }), now);
    if (answer.status !== 'open') throw new Error(answer.status);
    expect(readPixCode(answer.pix!.code)).toMatchObject({ merchant: 'RECEBEDOR', city: 'BRASIL' });
  });

  test('refuses what a bank refuses', async () => {
    const charges = createSimulatedCharges();
    for (const refused of [
      request({ amount: 109_091 }),
      request({ account: { ...request().account, bankCode: null } }),
      request({ payee: { ...request().payee, documentNumber: '11111111111111' } }),
    ]) {
      const key = `${refused.amount}-${refused.account.bankCode}-${refused.payee.documentNumber}`;
      const answer = await charges.submit({ ...refused, idempotencyKey: key }, now);
      expect(answer).toMatchObject({ status: 'rejected' });
    }
  });
});

describe('a connection that breaks', () => {
  test('before it arrived: unreachable, then open', async () => {
    const charges = createSimulatedCharges();
    const lost = request({ amount: 109_095 });
    await expect(charges.submit(lost, now)).rejects.toThrow(BankUnreachable);
    expect(await charges.find(lost.idempotencyKey, now)).toEqual({ status: 'absent' });
    expect(await charges.submit(lost, now)).toMatchObject({ status: 'open' });
  });

  test('with an unknown outcome: absent when it was lost, open when it arrived', async () => {
    const charges = createSimulatedCharges();
    for (const [amount, status] of [
      [109_096, 'open'],
      [109_097, 'absent'],
    ] as const) {
      const sent = request({ amount });
      await expect(charges.submit(sent, now)).rejects.toThrow(BankOutcomeUnknown);
      expect(await charges.find(sent.idempotencyKey, now)).toMatchObject({ status });
      expect(await charges.submit(sent, now)).toMatchObject({ status: 'open' });
    }
  });

  test('of a key that was never seen: absent, and canceling it is done', async () => {
    const charges = createSimulatedCharges();
    expect(await charges.find('x', now)).toEqual({ status: 'absent' });
    expect(await charges.cancel('x', now)).toMatchObject({ status: 'canceled' });
  });
});

describe('a customer', () => {
  test('pays by amount at once, late, or told out of order, with one id', async () => {
    const charges = createSimulatedCharges();
    const statusesOf = async (amount: number, ...times: number[]) => {
      const sent = request({ amount });
      await charges.submit(sent, now);
      const found = [];
      for (const ms of times) found.push(await charges.find(sent.idempotencyKey, after(ms)));
      const ids = new Set(found.flatMap((answer) => (answer.status === 'paid' ? [answer.paymentId] : [])));
      expect(ids.size).toBeLessThanOrEqual(1);
      return found.map(({ status }) => status);
    };
    expect(await statusesOf(109_092, 100, 600, 700)).toEqual(['open', 'paid', 'paid']);
    expect(await statusesOf(109_093, 600, 3_600_000)).toEqual(['open', 'paid']);
    expect(await statusesOf(109_094, 600, 700, 800)).toEqual(['paid', 'open', 'paid']);
    expect(await statusesOf(123_456, 600, 86_400_000)).toEqual(['open', 'open']);
  });

  test('pays a boleto on a weekend: it counts on the next business day, a Pix on its own', async () => {
    const charges = createSimulatedCharges();
    const sent = request();
    await charges.submit(sent, now);
    charges.pay(sent.idempotencyKey, { on: '2026-10-10', fee: 190, method: 'boleto' });
    expect(await charges.find(sent.idempotencyKey, now)).toMatchObject({ paidOn: '2026-10-13', fee: 190 });
    charges.pay(sent.idempotencyKey, { on: '2026-10-10', method: 'pix', paymentId: 'E2' });
    expect(await charges.find(sent.idempotencyKey, now)).toMatchObject({
      paidOn: '2026-10-10',
      paymentId: 'E2',
      amount: 123_456,
    });
    expect(() => charges.pay('unknown', { on: '2026-10-10' })).toThrow();
  });

  test('who paid before it was canceled has paid', async () => {
    const charges = createSimulatedCharges();
    const sent = request();
    await charges.submit(sent, now);
    charges.pay(sent.idempotencyKey, { on: '2026-10-01' });
    expect(await charges.cancel(sent.idempotencyKey, now)).toMatchObject({ status: 'paid' });
    const other = request({ amount: 5_000 });
    await charges.submit(other, now);
    expect(await charges.cancel(other.idempotencyKey, now)).toMatchObject({ status: 'canceled' });
    expect(await charges.find(other.idempotencyKey, now)).toMatchObject({ status: 'canceled' });
  });
});
