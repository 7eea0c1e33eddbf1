/** The plain charges of the portfolio: paid in time or late, due, overdue, canceled, paid twice, paid back. */

import { nextBusinessDay, previousBusinessDay } from '../../../core/calendar.ts';
import { addDays, type CivilDate, daysBetween } from '../../../core/dates.ts';
import type { PaymentMethod } from '../../../dunning/charges/index.ts';
import { earlier } from '../plans.ts';
import { instantOn } from '../setting.ts';
import type { Debtor } from './debtors.ts';
import { hold } from './holding.ts';
import { amountsOn, pay, payOff } from './paying.ts';
import { type DunningSetting, isoOf, msOf, touch } from './setting.ts';
import { beginStory, type Cast, type PaymentRow, type Story } from './story.ts';

const CHARGES = 2_000;
const counts = {
  pending: 430,
  overdue: 590,
  paid_late: 250,
  canceled: 55,
  partly_paid: 45,
  paused: 16,
  archived: 24,
} as const;
/** Rare things that happen to payments, so many of each. */
const RARE = 4;
const HISTORY_DAYS = 400;
const LATE_HISTORY_DAYS = 210;

const cancelReasons = ['Venda desfeita', 'Cobrança em duplicidade', 'Serviço não prestado'];
const pauseNotes = [
  'Cliente em viagem, volta no fim do mês',
  'Aguardando retorno do jurídico',
  'Negociação em andamento',
];

export function methodFor({ random }: DunningSetting): PaymentMethod {
  const draw = random.integer(1, 100);
  if (draw <= 45) return 'pix';
  if (draw <= 85) return 'boleto';
  return draw <= 93 ? 'transfer' : 'card';
}

/** Debtors that charges are for, some of them more often than others. */
export function debtorFor({ setting: { random }, debtors }: Cast): Debtor {
  return random.chance(40) ? debtors[random.integer(0, 79)]! : random.pick(debtors);
}

/** A day in the past on which something is late: its adjusted due date is before today. */
export function lateDay({ random, today }: DunningSetting, from: number, to: number): CivilDate {
  return previousBusinessDay(addDays(today, -random.integer(from, to)));
}

export function tellPlainStories(cast: Cast): void {
  const { setting } = cast;
  const { random, today } = setting;
  const times = (count: number, tell: () => void) => {
    for (let done = 0; done < count; done += 1) tell();
  };
  times(counts.pending, () => tellPending(cast));
  times(counts.overdue, () => {
    const dueDate = lateDay(setting, 1, random.chance(78) ? 120 : 330);
    beginStory(cast, { debtor: debtorFor(cast), dueDate, hasRule: !random.chance(8) });
  });
  times(counts.paid_late, () => tellPaidLate(cast));
  times(counts.canceled, () => tellCanceled(cast));
  times(counts.partly_paid, () => tellPartlyPaid(cast));
  times(counts.paused, () => tellPaused(cast));
  times(RARE, () => tellPaidTwice(cast));
  times(RARE, () => tellPaidTooMuch(cast));
  times(RARE, () => tellPaidBack(cast));
  times(counts.archived, () => {
    const story = tellPaidInTime(cast, addDays(today, -random.integer(300, HISTORY_DAYS)));
    const at = instantOn(addDays(today, -random.integer(5, 60)), random);
    story.charge.archived_at = at;
    touch(story.charge, at);
  });
}

/** Whatever is missing to the whole number was paid in time. */
export function fillUp(cast: Cast): void {
  const { random, today } = cast.setting;
  while (cast.stories.length < CHARGES)
    tellPaidInTime(cast, addDays(today, -random.integer(3, HISTORY_DAYS)));
}

function tellPending(cast: Cast): Story {
  const { random, today } = cast.setting;
  // A few are due today, or were due on days that are none for banks.
  const dueDate = random.chance(4) ? today : nextBusinessDay(addDays(today, random.integer(1, 62)));
  return beginStory(cast, { debtor: debtorFor(cast), dueDate, hasRule: !random.chance(8) });
}

function tellPaidInTime(cast: Cast, dueDate: CivilDate): Story {
  const { setting } = cast;
  const { random, today } = setting;
  const story = beginStory(cast, { debtor: debtorFor(cast), dueDate });
  const wanted = addDays(dueDate, -random.integer(0, 6));
  const first = addDays(story.charge.created_at.slice(0, 10), 1);
  const last = addDays(today, -1);
  const paidOn = earlier(first, wanted) === first ? wanted : first;
  payOff(setting, story, { paidOn: earlier(paidOn, last), method: methodFor(setting) });
  return story;
}

function tellPaidLate(cast: Cast): Story {
  const { setting } = cast;
  const { random, today } = setting;
  const dueDate = lateDay(setting, 6, LATE_HISTORY_DAYS);
  const story = beginStory(cast, { debtor: debtorFor(cast), dueDate });
  const wanted = addDays(story.charge.adjusted_due_date, 1 + Math.floor(random.integer(1, 8) ** 2 * 0.8));
  const last = addDays(today, -1);
  payOff(setting, story, { paidOn: earlier(wanted, last), method: methodFor(setting) });
  return story;
}

function tellCanceled(cast: Cast): void {
  const { setting } = cast;
  const { random, today } = setting;
  const story = beginStory(cast, { debtor: debtorFor(cast), dueDate: lateDay(setting, 10, 300) });
  const after = addDays(story.charge.created_at.slice(0, 10), random.integer(1, 20));
  const last = addDays(today, -1);
  cancel(story, instantOn(earlier(after, last), random), random.pick(cancelReasons));
}

/** Calls the charge off at an instant. */
export function cancel(story: Story, at: string, reason: string): void {
  const { charge } = story;
  Object.assign(charge, { status: 'canceled', canceled_reason: reason });
  story.rests.push({ from: msOf(at), to: Number.POSITIVE_INFINITY, code: 'canceled' });
  touch(charge, at);
  if (charge.rule_started_at !== null && msOf(charge.rule_started_at) > msOf(at)) {
    Object.assign(charge, { collection_rule_id: null, rule_started_at: null });
  }
}

function tellPartlyPaid(cast: Cast): void {
  const { setting } = cast;
  const { random } = setting;
  const story = beginStory(cast, { debtor: debtorFor(cast), dueDate: lateDay(setting, 15, 160) });
  const parts = random.integer(1, 2);
  for (let part = 1; part <= parts; part += 1) {
    const paidOn = addDays(story.charge.adjusted_due_date, 5 * part);
    const due = amountsOn(setting, story, paidOn).amountDue;
    if (paidOn < setting.today) pay(setting, story, { paidOn, method: 'pix', amount: Math.ceil(due * 0.3) });
  }
}

function tellPaused(cast: Cast): void {
  const { setting } = cast;
  const { random, today } = setting;
  const story = beginStory(cast, { debtor: debtorFor(cast), dueDate: lateDay(setting, 8, 60) });
  const at = instantOn(addDays(today, -random.integer(1, 6)), random);
  const until = random.chance(50) ? addDays(today, random.integer(2, 20)) : undefined;
  const note = random.pick(pauseNotes);
  hold(setting, story, {
    reason: 'manual',
    sourceId: story.charge.id,
    at,
    note,
    ...(until !== undefined && { until }),
  });
}

/** The debtor paid by boleto and by Pix: the second payment waits to be given back. */
function tellPaidTwice(cast: Cast): void {
  const { setting } = cast;
  const story = tellPaidLate(cast);
  const [payment] = story.payments;
  const wanted = addDays(payment!.paid_on, 2);
  if (wanted >= setting.today) return;
  pay(setting, story, { paidOn: wanted, method: 'pix', amount: payment!.amount_cents, kind: 'duplicate' });
}

function tellPaidTooMuch(cast: Cast): void {
  const { setting } = cast;
  const { random } = setting;
  const story = beginStory(cast, { debtor: debtorFor(cast), dueDate: lateDay(setting, 20, 90) });
  const paidOn = addDays(story.charge.adjusted_due_date, random.integer(2, 9));
  const due = amountsOn(setting, story, paidOn).amountDue;
  const payment = pay(setting, story, { paidOn, method: 'transfer', amount: due + 1_500 });
  story.rests.push({ from: msOf(payment.created_at), to: Number.POSITIVE_INFINITY, code: 'paid' });
}

/** A payment that turned out to be none: the charge opened again and its rule began a new cycle. */
function tellPaidBack(cast: Cast): void {
  const { setting } = cast;
  const { random, today } = setting;
  const story = beginStory(cast, { debtor: debtorFor(cast), dueDate: lateDay(setting, 25, 70) });
  const paidOn = addDays(story.charge.adjusted_due_date, random.integer(3, 9));
  const payment = pay(setting, story, { paidOn, method: 'transfer' });
  const at = instantOn(addDays(today, -random.integer(3, 8)), random);
  takeBack(setting, story, payment, at);
}

function takeBack(setting: DunningSetting, story: Story, payment: PaymentRow, at: string): void {
  const before = amountsOn(setting, story, payment.effective_on).allocations.at(-1)!;
  Object.assign(payment, {
    principal_cents: before.principal,
    discount_cents: before.discount,
    interest_cents: before.interest,
    fine_cents: before.fine,
    recovered_cents: payment.amount_cents,
    days_overdue: daysBetween(story.charge.due_date, payment.paid_on),
    status: 'reversed',
    reversed_at: at,
    reversed_reason: 'Devolvido pelo banco do pagador',
  });
  touch(payment, at);
  story.rests.push({ from: msOf(payment.created_at), to: msOf(at), code: 'paid' });
  const { charge } = story;
  charge.rule_cycle += 1;
  charge.rule_started_at = isoOf(msOf(at));
  touch(charge, at);
}
