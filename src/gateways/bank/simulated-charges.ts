/**
 * Boletos and Pix codes of the simulated bank: real codes that no bank knows. What it says follows from the key, the
 * seed and the time; in memory it keeps what cannot follow from them. A key it has no memory of is absent, and
 * sending it again gives the same codes, so a restarted process comes to the same answers.
 */

import { createHash } from 'node:crypto';
import { effectivePaymentDay } from '../../core/accruals.ts';
import { type CivilDate, civilDateAt } from '../../core/dates.ts';
import { buildBoleto } from '../../core/documents/boleto.ts';
import { modulo10Digit } from '../../core/documents/check-digits.ts';
import { buildDynamicPixCode, buildStaticPixCode, readPixKey } from '../../core/documents/pix.ts';
import type { Cents } from '../../core/money.ts';
import {
  type BankDesk,
  BankOutcomeUnknown,
  BankUnreachable,
  type ChargeAnswer,
  type ChargeRequest,
} from './port.ts';

/** How the simulated bank, and the customer behind it, treat a charge. */
export type SimulatedChargeBehaviour =
  /** Open until it is canceled, or paid by `pay`. */
  | 'stays_open'
  /** Paid in full a moment after it was issued. */
  | 'pays'
  /** Paid a moment after it was issued, which the bank tells an hour later. */
  | 'pays_late'
  /** Paid; then an older answer says that it is open; then paid again. */
  | 'answers_out_of_order'
  /** Refused at once. */
  | 'rejects'
  /** The first attempt does not get through. */
  | 'unreachable_once'
  /** The connection breaks after the charge arrived. */
  | 'unknown_accepted'
  /** The connection breaks before the first attempt arrived. */
  | 'unknown_lost';

export interface SimulatedChargesOptions {
  /** Tells one simulated bank from another. */
  readonly seed?: string | undefined;
  /** How long after its issue a charge is paid by itself, in milliseconds. Default 500. */
  readonly delayMs?: number | undefined;
  /** Decides the behaviour instead of the amount. */
  readonly behaviourOf?: ((charge: ChargeRequest) => SimulatedChargeBehaviour) | undefined;
}

export interface SimulatedPayment {
  readonly on: CivilDate;
  /** Default: what the charge is for. */
  readonly amount?: Cents;
  /** Default: none. */
  readonly fee?: Cents;
  readonly method?: 'boleto' | 'pix';
  readonly paymentId?: string;
}

export interface SimulatedCharges extends BankDesk<ChargeRequest, ChargeAnswer> {
  /** The customer pays: from now on the bank says so. A later payment takes the place of the one before. */
  pay(idempotencyKey: string, payment: SimulatedPayment): void;
}

const BANK_TIME_ZONE = 'America/Sao_Paulo';
const DELAY_MS = 500;
const LATE_MS = 3_600_000;
/** Charges remembered; the oldest go first, so memory stays bounded. */
const MEMORY_MAX = 10_000;
const TXID_STATIC_LENGTH = 25;
const TXID_DYNAMIC_LENGTH = 32;
const CHARGES_ADDRESS = 'pix.banco-simulado.example/v2/cobv/';

/**
 * Behaviours by the last four digits of the amount, R$ …90,91 to R$ …90,97, so that a demonstration can choose one;
 * every other charge stays open.
 */
const BEHAVIOUR_BY_AMOUNT: Readonly<Record<number, SimulatedChargeBehaviour>> = {
  9091: 'rejects',
  9092: 'pays',
  9093: 'pays_late',
  9094: 'answers_out_of_order',
  9095: 'unreachable_once',
  9096: 'unknown_accepted',
  9097: 'unknown_lost',
};

interface Memory {
  request: ChargeRequest | undefined;
  attempts: number;
  asked: number;
  isLost: boolean;
  isCanceled: boolean;
  arrivedAt: Date;
  payment: SimulatedPayment | undefined;
}

/** A charges desk of a simulated bank; see the top of the file for what it remembers. */
export function createSimulatedCharges(options: SimulatedChargesOptions = {}): SimulatedCharges {
  const memories = new Map<string, Memory>();
  return {
    async submit(request, now) {
      const memory = memoryOf(memories, request.idempotencyKey, now);
      const behaviour = behaviourOf(options, request);
      memory.request ??= request;
      memory.attempts += 1;
      const isFirst = memory.attempts === 1;
      memory.isLost = isFirst && (behaviour === 'unreachable_once' || behaviour === 'unknown_lost');
      if (memory.isLost) memory.arrivedAt = now;
      if (isFirst && behaviour === 'unreachable_once') {
        throw new BankUnreachable('the simulated bank did not answer the call');
      }
      if (isFirst && (memory.isLost || behaviour === 'unknown_accepted')) {
        throw new BankOutcomeUnknown('the connection to the simulated bank broke');
      }
      return answerOf(options, memory, request, now);
    },
    async find(key, now) {
      const memory = memories.get(key);
      if (memory?.request === undefined || memory.isLost) return { status: 'absent' };
      const found = answerOf(options, memory, memory.request, now);
      memory.asked += 1;
      return found;
    },
    async cancel(key, now) {
      const memory = memoryOf(memories, key, now);
      if (memory.isLost) return { status: 'absent' };
      const current =
        memory.request === undefined ? undefined : answerOf(options, memory, memory.request, now);
      if (current !== undefined && current.status !== 'open') return current;
      memory.isCanceled = true;
      return canceled(options, key);
    },
    pay(key, payment) {
      const memory = memories.get(key);
      if (memory?.request === undefined) throw new Error('no charge with this key was issued here');
      memory.payment = payment;
    },
  };
}

function answerOf(
  options: SimulatedChargesOptions,
  memory: Memory,
  request: ChargeRequest,
  now: Date,
): ChargeAnswer {
  const key = request.idempotencyKey;
  const refusal = refusalOf(options, request);
  if (refusal !== null) return { status: 'rejected', reference: referenceOf(options, key), reason: refusal };
  if (memory.payment !== undefined) return paid(options, request, memory.payment);
  if (memory.isCanceled) return canceled(options, key);
  if (isPaidByNow(options, memory, request, now)) {
    const on = civilDateAt(memory.arrivedAt, BANK_TIME_ZONE);
    return paid(options, request, { on });
  }
  return { status: 'open', reference: referenceOf(options, key), ...codesOf(options, request) };
}

function isPaidByNow(
  options: SimulatedChargesOptions,
  memory: Memory,
  request: ChargeRequest,
  now: Date,
): boolean {
  const age = now.getTime() - memory.arrivedAt.getTime();
  const isDelayOver = age >= (options.delayMs ?? DELAY_MS);
  switch (behaviourOf(options, request)) {
    case 'pays':
      return isDelayOver;
    case 'pays_late':
      return age >= LATE_MS;
    case 'answers_out_of_order':
      return isDelayOver && memory.asked % 2 === 0;
    default:
      return false;
  }
}

/** A boleto counts on a business day, a Pix on its own. */
function paid(
  options: SimulatedChargesOptions,
  request: ChargeRequest,
  payment: SimulatedPayment,
): ChargeAnswer {
  const key = request.idempotencyKey;
  const method = payment.method ?? request.methods[0]!;
  const id = hashOf(options, key, 'payment').slice(0, 20).toUpperCase();
  return {
    status: 'paid',
    reference: referenceOf(options, key),
    paidOn: effectivePaymentDay(method, payment.on),
    amount: payment.amount ?? request.amount,
    fee: payment.fee ?? 0,
    method,
    paymentId: payment.paymentId ?? `${method === 'pix' ? 'E' : 'B'}${id}`,
  };
}

function canceled(options: SimulatedChargesOptions, key: string): ChargeAnswer {
  return {
    status: 'canceled',
    reference: referenceOf(options, key),
    reason: 'canceled at the request of the payee',
  };
}

/** What a bank would refuse; null when it issues the charge. */
function refusalOf(options: SimulatedChargesOptions, request: ChargeRequest): string | null {
  if (behaviourOf(options, request) === 'rejects') return 'the agreement of the payee does not allow it';
  const { bankCode } = request.account;
  if (request.methods.includes('boleto') && !/^\d{3}$/.test(bankCode ?? '')) {
    return 'the account has no bank that issues boletos';
  }
  if (request.methods.includes('pix') && !readPixKey(request.payee.documentNumber).ok) {
    return 'the document of the payee is not a Pix key';
  }
  return null;
}

function codesOf(
  options: SimulatedChargesOptions,
  request: ChargeRequest,
): Pick<Extract<ChargeAnswer, { status: 'open' }>, 'barcode' | 'pix'> {
  return {
    barcode: request.methods.includes('boleto') ? barcodeOf(request) : null,
    pix: request.methods.includes('pix') ? pixOf(options, request) : null,
  };
}

/**
 * The free field of this bank: agency (4 digits), account (8, the last ones), our number (12), and a check digit
 * (modulo 10) over the 24 before it.
 */
function barcodeOf({ account, amount, dueDate, ourNumber }: ChargeRequest): string {
  const places = digitsOf(account.agency, 4) + digitsOf(account.number, 8) + digitsOf(ourNumber, 12);
  const freeField = places + modulo10Digit(places);
  return buildBoleto({ bankCode: account.bankCode!, dueDate, amountCents: amount, freeField }).barcode;
}

/** Fine, interest and discount live at an address; a code that holds its own amount cannot say them. */
function pixOf(options: SimulatedChargesOptions, request: ChargeRequest): { txid: string; code: string } {
  const { amount, payee, terms, idempotencyKey } = request;
  const hash = hashOf(options, idempotencyKey, 'txid').toUpperCase();
  const receiver = {
    merchant: writable(payee.name) ?? 'RECEBEDOR',
    city: writable(payee.city ?? '') ?? 'BRASIL',
  };
  if (terms !== null) {
    const txid = hash.slice(0, TXID_DYNAMIC_LENGTH);
    return { txid, code: buildDynamicPixCode({ ...receiver, url: `${CHARGES_ADDRESS}${txid}` }) };
  }
  const txid = hash.slice(0, TXID_STATIC_LENGTH);
  const key = payee.documentNumber;
  return { txid, code: buildStaticPixCode({ ...receiver, key, amountCents: amount, txid }) };
}

/** The text when at least one letter or digit of it can stand in a code. */
function writable(text: string): string | undefined {
  return /[A-Za-z0-9]/.test(text.normalize('NFD')) ? text : undefined;
}

function digitsOf(text: string | null, length: number): string {
  return (text ?? '').replace(/\D/g, '').slice(-length).padStart(length, '0');
}

function behaviourOf(options: SimulatedChargesOptions, request: ChargeRequest): SimulatedChargeBehaviour {
  return options.behaviourOf?.(request) ?? BEHAVIOUR_BY_AMOUNT[request.amount % 10_000] ?? 'stays_open';
}

function memoryOf(memories: Map<string, Memory>, key: string, now: Date): Memory {
  const known = memories.get(key);
  if (known !== undefined) return known;
  const memory: Memory = {
    request: undefined,
    attempts: 0,
    asked: 0,
    isLost: false,
    isCanceled: false,
    arrivedAt: now,
    payment: undefined,
  };
  memories.set(key, memory);
  if (memories.size > MEMORY_MAX) memories.delete(memories.keys().next().value!);
  return memory;
}

function referenceOf(options: SimulatedChargesOptions, key: string): string {
  return `SIM${hashOf(options, key, 'reference').slice(0, 12).toUpperCase()}`;
}

function hashOf(options: SimulatedChargesOptions, key: string, purpose: string): string {
  return createHash('sha256')
    .update(`${options.seed ?? ''} charge ${purpose} ${key}`)
    .digest('hex');
}
