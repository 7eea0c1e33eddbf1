/**
 * A bank that moves no money: for demonstrations and tests. What it says about an order follows from the order's
 * key, the seed and the time, so two processes and a restarted one give the same answers. The key it is given
 * holds date, amount and kind of the order (`<id>.<YYYYMMDD>.<centavos>.<kind>`); in memory it keeps only what
 * cannot follow from them: which attempts were lost, which orders were canceled, how often it was asked. A key it
 * has no memory of counts as one that arrived before a restart.
 */

import { createHash } from 'node:crypto';
import { effectivePaymentDay } from '../../core/accruals.ts';
import type { CivilDate } from '../../core/dates.ts';
import { civilDateAt } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
import {
  type BankDesk,
  type BankOrder,
  type BankOrderStatus,
  BankOutcomeUnknown,
  type BankPort,
  BankUnreachable,
} from './port.ts';
import { createSimulatedCharges } from './simulated-charges.ts';
import { createSimulatedDda } from './simulated-dda.ts';
import { simulatedTransfersOver } from './simulated-transfers.ts';

/** How the simulated bank treats an order. */
export type SimulatedBehaviour =
  /** Scheduled, then confirmed on the scheduled day, or on the next business day for boleto and TED. */
  | 'settles'
  /** Refused at once. */
  | 'rejects'
  /** Accepted, then refused on its day. */
  | 'rejects_on_its_day'
  /** Still processing for an hour on its day. */
  | 'answers_late'
  /** The final answer comes first and older ones follow it. */
  | 'answers_out_of_order'
  /** Every answer comes a second time before the next one. */
  | 'answers_twice'
  /** The first attempt does not get through. */
  | 'unreachable_once'
  /** The connection breaks after the order arrived. */
  | 'unknown_accepted'
  /** The connection breaks before the first attempt arrived. */
  | 'unknown_lost'
  /** Waits for money on its day until it is canceled. */
  | 'awaits_funds';

export interface SimulatorOptions {
  /** Tells one simulated bank from another. */
  readonly seed?: string;
  /** How long an order is processed on its day before it is confirmed, in milliseconds. Default 500. */
  readonly delayMs?: number;
  /** Decides the behaviour instead of the amount. */
  readonly behaviourOf?: (order: SimulatedOrder) => SimulatedBehaviour;
}

interface SimulatedOrder {
  readonly key: string;
  readonly scheduledFor: CivilDate;
  readonly amount: Cents;
  readonly kind: string;
}

/** The bank's own zone decides which day it is. */
const BANK_TIME_ZONE = 'America/Sao_Paulo';
const DELAY_MS = 500;
const LATE_MS = 3_600_000;
/** Orders remembered; the oldest go first, so memory stays bounded. */
const MEMORY_MAX = 10_000;
const KEY_FORM = /^.+\.(\d{4})(\d{2})(\d{2})\.(\d{1,14})\.([a-z_]+)$/;

/**
 * Behaviours by the last four digits of the amount, R$ …90,91 to R$ …90,99, so that a demonstration can choose
 * one; every other amount settles.
 */
const BEHAVIOUR_BY_AMOUNT: Readonly<Record<number, SimulatedBehaviour>> = {
  9091: 'rejects',
  9092: 'rejects_on_its_day',
  9093: 'answers_late',
  9094: 'answers_out_of_order',
  9095: 'unreachable_once',
  9096: 'unknown_accepted',
  9097: 'unknown_lost',
  9098: 'awaits_funds',
  9099: 'answers_twice',
};

/** What does not follow from the key. */
interface Memory {
  attempts: number;
  asked: number;
  isLost: boolean;
  isCanceled: boolean;
  arrivedAt: Date | undefined;
}

/** A simulated bank with all its desks; see the top of the file for what it remembers. */
export function createSimulatedBank(options: SimulatorOptions = {}): BankPort {
  const { seed, delayMs } = options;
  const payments = createPaymentDesk(options);
  return {
    ...payments,
    charges: createSimulatedCharges({ seed, delayMs }),
    transfers: simulatedTransfersOver(payments),
    dda: createSimulatedDda(seed),
  };
}

function createPaymentDesk(options: SimulatorOptions): BankDesk<BankOrder, BankOrderStatus> {
  const memories = new Map<string, Memory>();
  const answer = (key: string, now: Date) => statusOf(options, key, memoryOf(memories, key), now);
  return {
    async submit(order, now) {
      const memory = memoryOf(memories, order.idempotencyKey);
      const behaviour = behaviourOf(options, orderOf(order.idempotencyKey));
      memory.attempts += 1;
      if (behaviour === 'unreachable_once' && memory.attempts === 1) {
        memory.isLost = true;
        throw new BankUnreachable('the simulated bank did not answer the call');
      }
      memory.isLost = behaviour === 'unknown_lost' && memory.attempts === 1;
      if (!memory.isLost) memory.arrivedAt ??= now;
      if (memory.attempts === 1 && (memory.isLost || behaviour === 'unknown_accepted')) {
        throw new BankOutcomeUnknown('the connection to the simulated bank broke');
      }
      return answer(order.idempotencyKey, now);
    },
    async find(key, now) {
      const found = answer(key, now);
      memoryOf(memories, key).asked += 1;
      return found;
    },
    async cancel(key, now) {
      const memory = memoryOf(memories, key);
      const current = answer(key, now);
      if (current.status === 'scheduled' || current.status === 'awaiting_funds') memory.isCanceled = true;
      return answer(key, now);
    },
  };
}

function statusOf(options: SimulatorOptions, key: string, memory: Memory, now: Date): BankOrderStatus {
  if (memory.isLost) return { status: 'absent' };
  const order = orderOf(key);
  const reference = `SIM${hashOf(options, key, 'reference').slice(0, 12).toUpperCase()}`;
  if (memory.isCanceled)
    return { status: 'canceled', reference, reason: 'canceled at the request of the payer' };
  const behaviour = behaviourOf(options, order);
  if (behaviour === 'rejects') {
    return { status: 'rejected', reference, reason: 'the receiving account does not exist' };
  }
  const today = civilDateAt(now, BANK_TIME_ZONE);
  const settlesOn = settlementDayOf(order, memory);
  if (today < settlesOn) return { status: 'scheduled', reference };
  if (behaviour === 'awaits_funds') return { status: 'awaiting_funds', reference };
  if (behaviour === 'rejects_on_its_day') {
    return { status: 'rejected', reference, reason: 'the receiver refused the payment' };
  }
  // Final first, then older answers: whoever records them must not move backwards.
  if (behaviour === 'answers_out_of_order' && memory.asked % 2 === 1) {
    return { status: memory.asked % 4 === 1 ? 'scheduled' : 'processing', reference };
  }
  if (behaviour === 'answers_twice' && memory.asked === 0) return { status: 'processing', reference };
  const wait = behaviour === 'answers_late' ? LATE_MS : (options.delayMs ?? DELAY_MS);
  if (memory.arrivedAt !== undefined && now.getTime() - memory.arrivedAt.getTime() < wait) {
    return { status: 'processing', reference };
  }
  const authentication = hashOf(options, key, 'authentication').slice(0, 32).toUpperCase();
  return { status: 'confirmed', reference, authentication, settledOn: settlesOn };
}

/** A Pix settles on its own day; everything else on a business day. Never before the day the order arrived. */
function settlementDayOf(order: SimulatedOrder, { arrivedAt }: Memory): CivilDate {
  const arrivedOn = arrivedAt === undefined ? order.scheduledFor : civilDateAt(arrivedAt, BANK_TIME_ZONE);
  const isLate = arrivedOn > order.scheduledFor;
  const method = order.kind.startsWith('pix') ? 'pix' : 'boleto';
  return effectivePaymentDay(method, isLate ? arrivedOn : order.scheduledFor);
}

function behaviourOf(options: SimulatorOptions, order: SimulatedOrder): SimulatedBehaviour {
  return options.behaviourOf?.(order) ?? BEHAVIOUR_BY_AMOUNT[order.amount % 10_000] ?? 'settles';
}

function orderOf(key: string): SimulatedOrder {
  const match = KEY_FORM.exec(key);
  if (match === null) throw new Error('the simulated bank needs keys that hold date, amount and kind');
  const [, year, month, day, amount, kind = ''] = match;
  return { key, scheduledFor: `${year}-${month}-${day}`, amount: Number(amount), kind };
}

function memoryOf(memories: Map<string, Memory>, key: string): Memory {
  const known = memories.get(key);
  if (known !== undefined) return known;
  const memory: Memory = {
    attempts: 0,
    asked: 0,
    isLost: false,
    isCanceled: false,
    arrivedAt: undefined,
  };
  memories.set(key, memory);
  if (memories.size > MEMORY_MAX) memories.delete(memories.keys().next().value!);
  return memory;
}

function hashOf(options: SimulatorOptions, key: string, purpose: string): string {
  return createHash('sha256')
    .update(`${options.seed ?? ''} ${purpose} ${key}`)
    .digest('hex');
}
