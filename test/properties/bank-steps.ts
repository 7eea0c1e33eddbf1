/** What is asked of a bank and what it answers, in any order: orders, charges, transfers. */

import { formatMoney } from '../../src/core/money.ts';
import { applyChargeAnswer } from '../../src/finance/charges/answers.ts';
import { applyReceipt } from '../../src/finance/charges/index.ts';
import { applyBankAnswer } from '../../src/finance/payments/index.ts';
import { transferSubject } from '../../src/finance/transfers/subject.ts';
import { receiptName } from './books.ts';
import type { Ended, Ledger } from './ledger.ts';
import { cents, debtOf, isLine, isTried, pick, reason, type Step } from './step.ts';

const answers = (day: string) => [
  { status: 'confirmed' as const, reference: 'R', authentication: 'A', settledOn: day },
  { status: 'confirmed' as const, reference: 'R', authentication: 'A', settledOn: '2026-10-01' },
  { status: 'rejected' as const, reference: 'R', reason: 'no such account' },
  { status: 'canceled' as const, reference: 'R', reason: 'as asked' },
  { status: 'processing' as const, reference: 'R' },
  { status: 'scheduled' as const, reference: 'R' },
  { status: 'absent' as const },
];

export function send(ledger: Ledger, step: Step): Promise<Ended> {
  const { id, company_id } = debtOf(ledger, step, 'payable');
  const own = ledger.books.accounts.filter(({ companyId }) => companyId === company_id);
  return ledger.call('finance_payables_send_to_bank', { id, account_id: pick(own, step.other)!.id });
}

export async function answerOrder(ledger: Ledger, { which, way, day }: Step): Promise<Ended | null> {
  const order = pick(ledger.state.payments, which);
  if (order === undefined) return null;
  return ledger.tried(() => applyBankAnswer(ledger.context, order.id, pick(answers(day), way)!));
}

export async function cancelOrder(ledger: Ledger, { which }: Step): Promise<Ended | null> {
  const order = pick(ledger.state.payments, which);
  return order === undefined ? null : ledger.call('finance_payments_cancel', { id: order.id, reason });
}

export function charge(ledger: Ledger, step: Step): Promise<Ended> {
  const { id, company_id } = debtOf(ledger, step, 'receivable');
  const own = ledger.books.accounts.filter(({ companyId }) => companyId === company_id);
  const args = { id, account_id: pick(own, step.other)!.id, methods: ['pix'], valid_days_after_due: 60 };
  return ledger.call('finance_receivables_charge', args);
}

/** One of two payments of a charge, so that many are told twice, by the bank or by a return file. */
export async function receive(
  ledger: Ledger,
  { which, other, way, share, day }: Step,
): Promise<Ended | null> {
  const { context, state } = ledger;
  const paid = pick(state.charges, which);
  if (paid === undefined) return null;
  const amount = cents(paid.amount, share);
  // No two charges are paid by one payment.
  const own = state.charges.filter(({ receivable_id }) => receivable_id === paid.receivable_id);
  const name = receiptName(2 * own.indexOf(paid) + (other % 2), paid.receivable_id);
  if (way > 7) await reconcileFirst(ledger, paid.receivable_id, name);
  return ledger.tried(() =>
    applyReceipt(context, paid.id, {
      paidOn: day,
      amount,
      fee: [0, 0, 3, amount][way % 4]!,
      method: 'pix',
      externalId: way % 4 === 3 ? `cnab:${paid.id}` : name,
      ...(way === 5 && { interest: 1 }),
      ...(way === 6 && { discount: 1 }),
    }),
  );
}

/** The statement with the money comes before the bank tells of the charge. */
async function reconcileFirst(ledger: Ledger, receivableId: string, name: string): Promise<void> {
  const line = ledger.state.entries.find((entry) => isLine(entry) && entry.end_to_end_id === name);
  const owed = ledger.state.debts.find(({ id }) => id === receivableId);
  if (line === undefined || owed === undefined || owed.open === 0) return;
  const amount = formatMoney(Math.min(line.rest, owed.open));
  await ledger.call('finance_reconciliations_create', {
    transactions: [{ id: line.id, amount }],
    documents: [{ kind: 'receivable', id: receivableId, principal: amount }],
  });
}

export async function answerCharge(ledger: Ledger, { which, way }: Step): Promise<Ended | null> {
  const asked = pick(ledger.state.charges, which);
  if (asked === undefined) return null;
  const status = (['canceled', 'rejected'] as const)[way % 2]!;
  return ledger.tried(() => applyChargeAnswer(ledger.context, asked.id, { status, reference: 'R', reason }));
}

export async function cancelCharge(ledger: Ledger, { which }: Step): Promise<Ended | null> {
  const live = pick(ledger.state.charges, which);
  return live === undefined ? null : ledger.call('finance_charges_cancel', { id: live.id, reason });
}

/** By hand or by the bank; sums are those of lines, so that a line can be one of its sides. */
export function transfer(ledger: Ledger, step: Step): Promise<Ended> {
  const { which, other, way, day } = step;
  const { accounts } = ledger.books;
  const line = pick(ledger.state.entries, which)!;
  const isByHand = way % 3 > 0;
  const args = {
    from_account_id: line.direction === 'debit' ? line.account_id : pick(accounts, other)!.id,
    to_account_id: line.direction === 'debit' ? pick(accounts, other)!.id : line.account_id,
    amount: formatMoney(line.amount),
    ...(isByHand && { date: day }),
    method: isByHand ? 'internal' : 'pix',
  };
  return ledger.undoably(
    () => ledger.call('finance_transfers_create', args),
    ({ id }) => ledger.call('finance_transfers_cancel', { id, reason }),
    isTried(step),
  );
}

export async function answerTransfer(ledger: Ledger, { which, way, day }: Step): Promise<Ended | null> {
  const ordered = pick(ledger.state.transfers, which);
  if (ordered === undefined) return null;
  const answer = pick(answers(day), way)!;
  return ledger.tried(() => transferSubject.apply(ledger.context, ordered.id, answer));
}

export async function cancelTransfer(ledger: Ledger, { which }: Step): Promise<Ended | null> {
  const made = pick(ledger.state.transfers, which);
  return made === undefined ? null : ledger.call('finance_transfers_cancel', { id: made.id, reason });
}
