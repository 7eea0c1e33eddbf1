/** The desk for charges: Pix alone, which is what the API issues. */

import { z } from 'zod';
import { civilDateAt } from '../../../core/dates.ts';
import { type BankDesk, BankOutcomeUnknown, type ChargeAnswer, type ChargeRequest } from '../port.ts';
import { chargeBody, impossibleCharge, txidOf } from './charge-requests.ts';
import type { KobanaHttp, Query } from './http.ts';
import { afterWriting } from './orders.ts';
import { findByKey, recordsOf } from './pages.ts';
import { BANK_TIME_ZONE, dayOfInstant, madeAt, readAs, reais } from './values.ts';

const PATH = '/v2/charge/pix';
const DAY_MS = 86_400_000;

const chargeForm = z.object({
  uid: z.string().min(1),
  status: z.enum(['opened', 'paid', 'overdue', 'canceled', 'generation_failed']),
  external_id: z.string().nullish(),
  created_at: z.string().nullish(),
  txid: z.string().nullish(),
  amount: reais,
  paid_amount: reais.nullish(),
  paid_at: dayOfInstant.nullish(),
  end_to_end_id: z.string().nullish(),
  qrcode: z.object({ emv: z.string().nullish() }).nullish(),
});

type KobanaCharge = z.output<typeof chargeForm>;

const pixAccountForm = z.object({
  uid: z.string().min(1),
  financial_account_uid: z.string().nullish(),
  status: z.string().nullish(),
  default: z.boolean().nullish(),
});

const receiptForm = z.object({
  uid: z.string().min(1),
  amount: reais,
  paid_at: dayOfInstant,
  bank: z.object({ rate: reais.nullish() }).nullish(),
  duplicated: z.unknown().optional(),
});

export function createChargeDesk(http: KobanaHttp): BankDesk<ChargeRequest, ChargeAnswer> {
  const ask = async (key: string) => {
    const charge = await findCharge(http, key);
    return charge === undefined ? ({ status: 'absent' } as const) : answerOf(http, charge);
  };
  return {
    async submit(request) {
      const impossible = impossibleCharge(request);
      if (impossible !== undefined) return rejected(impossible.impossible);
      // The API promises no more than one order per key for payments only: a charge is looked for before it is made.
      const known = await ask(request.idempotencyKey);
      if (known.status !== 'absent') return known;
      const account = await pixAccountOf(http, request.account.providerId);
      if (account === undefined) return rejected('the account has no active Pix account at Kobana');
      const key = request.idempotencyKey;
      const written = await http.write('POST', PATH, chargeBody(request, account), key);
      return afterWriting(async () => {
        if (written.kind === 'done') return answerOf(http, readAs(chargeForm, written.data, `POST ${PATH}`));
        if (!written.isRepeated) return rejected(written.reason);
        const answer = await ask(key);
        if (answer.status !== 'absent') return answer;
        throw new BankOutcomeUnknown(`POST ${PATH}: taken, but not to be found yet`);
      });
    },
    find: ask,
    async cancel(key) {
      const charge = await findCharge(http, key);
      if (charge === undefined) return { status: 'absent' };
      if (charge.status === 'opened' || charge.status === 'overdue') {
        await http.write('PUT', `${PATH}/${charge.uid}/cancel`, undefined, `${key}.cancel`);
      }
      return ask(key);
    },
  };
}

/** By the id we gave it, and where the bank gave it another one, among the charges made since. */
async function findCharge(http: KobanaHttp, key: string): Promise<KobanaCharge | undefined> {
  const direct = await findByKey(recordsOf(http, PATH, chargeForm, { txid: txidOf(key) }), key);
  if (direct !== undefined) return direct;
  const made = madeAt(key);
  const since: Query =
    made === null ? {} : { created_from: civilDateAt(new Date(made - DAY_MS), BANK_TIME_ZONE) };
  return findByKey(recordsOf(http, PATH, chargeForm, since), key);
}

async function answerOf(http: KobanaHttp, charge: KobanaCharge): Promise<ChargeAnswer> {
  const { uid: reference, txid } = charge;
  switch (charge.status) {
    case 'paid':
      return paidAnswer(http, charge);
    case 'canceled':
      return { status: 'canceled', reference, reason: 'canceled at Kobana' };
    case 'generation_failed':
      return { status: 'rejected', reference, reason: 'the bank did not register the Pix' };
    default: {
      const code = charge.qrcode?.emv ?? '';
      // Registered in the background: until then it has no code, and asking again is all there is to do.
      if (code === '' || txid == null || txid === '') {
        throw new BankOutcomeUnknown('the Pix is still being registered at the bank');
      }
      return { status: 'open', reference, barcode: null, pix: { txid, code } };
    }
  }
}

/** The first receipt tells what the bank kept; a second one for the same charge is a duplicate of it. */
async function paidAnswer(http: KobanaHttp, charge: KobanaCharge): Promise<ChargeAnswer> {
  const query = { payable_type: 'Pix', payable_public_id: charge.uid };
  let receipt: z.output<typeof receiptForm> | undefined;
  for await (const page of recordsOf(http, '/v2/charge/payments', receiptForm, query)) {
    receipt ??= page.find(({ duplicated }) => duplicated == null);
  }
  return {
    status: 'paid',
    reference: charge.uid,
    paidOn: readAs(dayOfInstant, charge.paid_at ?? receipt?.paid_at, 'day of a paid Pix'),
    amount: charge.paid_amount ?? receipt?.amount ?? charge.amount,
    fee: receipt?.bank?.rate ?? 0,
    method: 'pix',
    paymentId: charge.end_to_end_id ?? receipt?.uid ?? charge.uid,
  };
}

/** The active Pix account over a financial account; the standard one where there are several. */
async function pixAccountOf(http: KobanaHttp, financialAccount: string | null): Promise<string | undefined> {
  if (financialAccount === null) return undefined;
  const found: z.output<typeof pixAccountForm>[] = [];
  for await (const page of recordsOf(http, '/v2/charge/pix_accounts', pixAccountForm)) {
    found.push(...page.filter((account) => account.financial_account_uid === financialAccount));
  }
  const active = found.filter(({ status }) => status === 'active');
  return (active.find((account) => account.default === true) ?? active[0])?.uid;
}

function rejected(reason: string): ChargeAnswer {
  return { status: 'rejected', reference: '', reason };
}
