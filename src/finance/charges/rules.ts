/** Decisions about charges, without database. */

import { adjustedDueDateOf, lastFreeDay, type Terms } from '../../core/accruals.ts';
import { previousBusinessDay } from '../../core/calendar.ts';
import { addDays, type CivilDate } from '../../core/dates.ts';
import { readBoleto } from '../../core/documents/boleto.ts';
import { readPixCode } from '../../core/documents/pix.ts';
import { fail, failArgument } from '../../core/errors.ts';
import type { Cents } from '../../core/money.ts';
import { cleanOutsideText } from '../../core/text.ts';
import type { Absent, ChargeAnswer } from '../../gateways/bank/port.ts';
import type { Charge, ChargeMethod } from './schema.ts';

export type ChargeStatus = 'generating' | 'open' | 'paid' | 'canceled' | 'failed';

const liveStatuses: readonly string[] = ['generating', 'open'] satisfies ChargeStatus[];
const OUR_NUMBER_LENGTH = 11;
const REASON_MAX = 500;
/** From this amount on a boleto has no place for its due date. */
const BOLETO_CENTS_MAX = 9_999_999_999;

/** The part of a charge that an answer of the bank may change. */
export interface ChargeState {
  readonly status: ChargeStatus;
  readonly registration_status: Charge['registration_status'];
  readonly amount_cents: Cents;
  readonly due_date: CivilDate;
  readonly methods: readonly ChargeMethod[];
  readonly bank_reference: string | null;
  readonly barcode: string | null;
  readonly typed_line: string | null;
  readonly pix_txid: string | null;
  readonly pix_code: string | null;
  readonly rejected_reason: string | null;
  readonly cancel_reason: string | null;
}

/** Whether it can still be paid; a receivable has at most one such charge (MODEL §14, invariant 8). */
export function isLive(status: string): boolean {
  return liveStatuses.includes(status);
}

/** The status as people see it: an open charge is overdue after its due date or the next business day. */
export function shownStatusOf(
  charge: { status: ChargeStatus; due_date: CivilDate },
  today: CivilDate,
): Charge['status'] {
  return charge.status === 'open' && adjustedDueDateOf(charge.due_date) < today ? 'overdue' : charge.status;
}

/** The latest due date that makes an open charge overdue today. */
export function lastOverdueDueDate(today: CivilDate): CivilDate {
  return previousBusinessDay(addDays(today, -1));
}

/**
 * The charge after an answer other than `paid`; the same object when it changes nothing. Answers come late, twice
 * and out of order: a charge only moves forward, and a final one not at all. Throws on codes that are none or say
 * another amount or date, which an adapter must not give.
 */
export function chargeAfterAnswer<State extends ChargeState>(
  charge: State,
  answer: Exclude<ChargeAnswer, { status: 'paid' }> | Absent,
  today: CivilDate,
): State {
  if (answer.status === 'absent' || !isLive(charge.status)) return charge;
  const bank_reference = answer.reference;
  if (answer.status === 'open') {
    if (charge.status !== 'generating') return charge;
    const codes = codesOf(charge, answer, today);
    return { ...charge, status: 'open', registration_status: 'confirmed', bank_reference, ...codes };
  }
  const reason = cleanOutsideText(answer.reason, REASON_MAX);
  if (answer.status === 'canceled') {
    const cancel_reason = charge.cancel_reason ?? reason;
    return { ...charge, status: 'canceled', registration_status: 'confirmed', bank_reference, cancel_reason };
  }
  if (charge.status !== 'generating') return charge;
  const refused = { status: 'failed', registration_status: 'rejected', rejected_reason: reason } as const;
  return { ...charge, ...refused, bank_reference };
}

/** Whether a final answer says something else than what is on record. */
export function isContradiction(charge: ChargeState, answer: { status: string }): boolean {
  if (answer.status === 'rejected') return charge.status !== 'generating' && charge.status !== 'failed';
  return answer.status === 'canceled' && !isLive(charge.status) && charge.status !== 'canceled';
}

/** Fails with `invalid_state` when it can no longer be called off, or a cancellation is on its way. */
export function requireCancelable(charge: { status: string; cancel_requested_at: string | null }): void {
  if (!isLive(charge.status)) fail('invalid_state', { from: charge.status, allowed: liveStatuses });
  if (charge.cancel_requested_at !== null) {
    fail('invalid_state', { from: 'cancel_requested', allowed: liveStatuses });
  }
}

/** Fails with `invalid_state` unless the customer can pay it. */
export function requireSendable(charge: { status: string; cancel_requested_at: string | null }): void {
  const from = charge.cancel_requested_at === null ? charge.status : 'cancel_requested';
  if (from !== 'open') fail('invalid_state', { from, allowed: ['open'] });
}

/** Fails with `invalid_argument` for a boleto of an amount or a customer that no bank issues one for. */
export function requireBoletoPossible(
  methods: readonly ChargeMethod[],
  amount: Cents,
  documentNumber: string | null,
): void {
  if (!methods.includes('boleto')) return;
  if (documentNumber === null) {
    failArgument('methods', 'pix alone: the customer has no CPF or CNPJ, which a boleto needs');
  }
  if (amount > BOLETO_CENTS_MAX) {
    failArgument('methods', 'pix alone: a boleto has no room for R$ 100 million or more');
  }
}

/**
 * What is printed about paying early or late. Once part was paid, the discounts were for the whole and stay out; if
 * it is late too, the fine was owed with that part and is not asked for again.
 */
export function printedTerms(
  terms: Terms | null,
  debt: { status: string; due_date: CivilDate },
  today: CivilDate,
): Terms | null {
  if (terms === null || debt.status !== 'partially_paid') return terms;
  const isLate = today > lastFreeDay(debt.due_date, terms.graceDays);
  return { ...terms, discounts: [], fine: isLate ? null : terms.fine };
}

/** Ours, digits only: what banks and their returns name a charge by, whatever zeros they put before it. */
export function ourNumberOf(number: number | string): string {
  return String(number).padStart(OUR_NUMBER_LENGTH, '0');
}

/** Our key for a charge at the bank: equal for every attempt. It tells what was confirmed: day, centavos, methods. */
export function chargeKeyOf(charge: {
  id: string;
  due_date: CivilDate;
  amount_cents: Cents;
  methods: readonly string[];
}): string {
  const { id, due_date, amount_cents, methods } = charge;
  return `${id}.${due_date.replaceAll('-', '')}.${amount_cents}.${[...methods].sort().join('_')}`;
}

/** Our key for the request to cancel a charge, which is made once. */
export function cancelKeyOf(charge: { id: string }): string {
  return `${charge.id}.cancel`;
}

/**
 * Whether a payment is one told before: by its id, or, when one was told by a return file and the other by the bank
 * itself, which name it differently, by its day and amount.
 */
export function isSamePayment(
  known: { external_id: string | null; paid_on: CivilDate; amount_cents: Cents },
  told: { externalId: string | null; paidOn: CivilDate; amount: Cents },
): boolean {
  if (known.external_id === told.externalId) return told.externalId !== null;
  const isOtherWay = isOfFile(known.external_id) !== isOfFile(told.externalId);
  return isOtherWay && known.paid_on === told.paidOn && known.amount_cents === told.amount;
}

function isOfFile(externalId: string | null): boolean {
  return externalId?.startsWith('cnab:') ?? false;
}

/** Where a message goes: an address, or `customer` for the first one registered, which is the one people use. */
export function recipientOf(
  path: string,
  sendTo: string,
  registered: readonly string[],
): { address: string; isRegistered: boolean } {
  if (sendTo !== 'customer') return { address: sendTo, isRegistered: registered.includes(sendTo) };
  const [first] = registered;
  if (first === undefined) failArgument(path, 'an e-mail address: the customer has none registered');
  return { address: first, isRegistered: true };
}

function codesOf(
  charge: ChargeState,
  answer: Extract<ChargeAnswer, { status: 'open' }>,
  today: CivilDate,
): Pick<ChargeState, 'barcode' | 'typed_line' | 'pix_txid' | 'pix_code'> {
  const { barcode, pix } = answer;
  if ((barcode === null) === charge.methods.includes('boleto'))
    throw new Error('the bank gave no such boleto');
  if ((pix === null) === charge.methods.includes('pix')) throw new Error('the bank gave no such Pix code');
  const boleto = barcode === null ? null : readBoleto(barcode, today);
  if (boleto !== null) {
    if (!boleto.ok) throw new Error(`the bank gave a barcode that is none: ${boleto.field}`);
    requireSame(boleto.amountCents, charge.amount_cents, 'the barcode says another amount');
    requireSame(boleto.dueDate, charge.due_date, 'the barcode says another due date');
  }
  const code = pix === null ? null : readPixCode(pix.code);
  if (code !== null) {
    if (!code.ok) throw new Error(`the bank gave a Pix code that is none: ${code.reason}`);
    if (code.kind === 'static')
      requireSame(code.amountCents, charge.amount_cents, 'the Pix code says another amount');
  }
  return {
    barcode: boleto?.barcode ?? null,
    typed_line: boleto?.typedLine ?? null,
    pix_txid: pix?.txid ?? null,
    pix_code: pix?.code ?? null,
  };
}

/** A code may leave it out; if it says something, it is the same. */
function requireSame(said: unknown, expected: unknown, message: string): void {
  if (said !== null && said !== expected) throw new Error(message);
}
