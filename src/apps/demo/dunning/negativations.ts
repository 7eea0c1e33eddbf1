/** Reports to credit bureaus in every state, with their notices, commands and events. */

import { addBusinessDays } from '../../../core/calendar.ts';
import { addDays, type CivilDate } from '../../../core/dates.ts';
import { lastReportableDay, priorNoticeDays, removalDeadline } from '../../../dunning/contact-law/index.ts';
import { instantOn, laterThan } from '../setting.ts';
import { lateDay } from './charges.ts';
import { type Legal, legalCommand, legalEvent, pickDebtor } from './legal.ts';
import { isTaken, type NotificationRow, type Outbox } from './messages.ts';
import { sendNotice } from './notices.ts';
import { amountsOn, payOff } from './paying.ts';
import { bornIn, type Draft, dayOf, isoOf, msOf, touch } from './setting.ts';
import { beginStory, type Cast, type Story } from './story.ts';

type NegativationRow = Draft<'dunning_negativations'>;

const counts = {
  pending: 4,
  approved: 2,
  notice_sent: 4,
  registered: 5,
  removal_requested: 2,
  removed: 4,
  rejected: 2,
  canceled: 3,
  failed: 2,
} as const;

type Fate = keyof typeof counts;

const bureaus = ['serasa', 'spc', 'boavista', 'quod'] as const;

/** How many days ago each was asked for. */
const askedAgo: Readonly<Record<Fate, readonly [from: number, to: number]>> = {
  pending: [1, 3],
  approved: [2, 4],
  notice_sent: [4, 6],
  registered: [75, 110],
  removal_requested: [80, 100],
  removed: [85, 120],
  rejected: [15, 60],
  canceled: [20, 60],
  failed: [75, 110],
};

export function tellNegativations(cast: Cast, outbox: Outbox, legal: Legal): NegativationRow[] {
  const rows: NegativationRow[] = [];
  for (const [fate, count] of Object.entries(counts) as [Fate, number][]) {
    for (let number = 0; number < count; number += 1) rows.push(tell(cast, outbox, legal, fate, number));
  }
  return rows;
}

function tell(cast: Cast, outbox: Outbox, legal: Legal, fate: Fate, number: number): NegativationRow {
  const { setting } = cast;
  const { random, today, users } = setting;
  const daysAgo = random.integer(...askedAgo[fate]);
  const askedOn = addDays(today, -daysAgo);
  const debtor = pickDebtor(cast, fate === 'approved' ? 'unreachable' : 'by_letter');
  const dueDate = lateDay(setting, daysAgo + 45, daysAgo + 80);
  const story = beginStory(cast, { debtor, dueDate, amount: random.integer(30_000, 250_000) });
  const at = instantOn(askedOn, random);
  const row: NegativationRow = {
    ...bornIn(setting, at),
    charge_id: story.charge.id,
    person_id: story.charge.person_id,
    bureau: bureaus[number % bureaus.length]!,
    amount_cents: amountsOn(setting, story, askedOn).amountDue,
    debt_due_date: dueDate,
    reason: 'Sem resposta aos avisos da régua',
    status: 'pending',
    status_reason: null,
    requested_by: users.collector,
    approved_by: null,
    decided_at: null,
    decision_note: null,
    prior_notice: null,
    waits_until: null,
    registered_at: null,
    expires_on: lastReportableDay(dueDate),
    removal: null,
    removal_deadline: null,
    bureau_reference: null,
    policy_version: setting.policy.version,
  };
  story.legal = { from: msOf(at), to: Number.POSITIVE_INFINITY };
  legalEvent(setting, legal, 'negativation', row.id, at, 'requested');
  tellFate(cast, outbox, legal, story, row, fate);
  if (['rejected', 'canceled', 'removed', 'failed'].includes(fate)) story.legal.to = msOf(row.updated_at);
  else {
    story.charge.legal_kind = 'negativation';
    legal.live.push({
      organization_id: setting.organizationId,
      charge_id: story.charge.id,
      kind: 'negativation',
      action_id: row.id,
    });
  }
  return row;
}

function tellFate(
  cast: Cast,
  outbox: Outbox,
  legal: Legal,
  story: Story,
  row: NegativationRow,
  fate: Fate,
): void {
  const { setting } = cast;
  const { random, users } = setting;
  const note = (at: string, event: string, details: object = {}, reportId: string | null = null) =>
    legalEvent(setting, legal, 'negativation', row.id, at, event, details, reportId);
  if (fate === 'pending') return;
  const decidedAt = laterThan(row.created_at, random.integer(30, 240) * 60_000);
  if (fate === 'canceled') {
    note(decidedAt, 'canceled', { reason: 'requested' });
    change(row, decidedAt, { status: 'canceled', status_reason: 'requested' });
    return;
  }
  const isApproved = fate !== 'rejected';
  note(decidedAt, isApproved ? 'approved' : 'rejected', { by: users.owner });
  change(row, decidedAt, {
    status: isApproved ? 'approved' : 'rejected',
    approved_by: isApproved ? users.owner : null,
    decided_at: decidedAt,
    decision_note: isApproved ? 'Documentação conferida' : 'Cliente em negociação com o comercial',
  });
  if (!isApproved) return;
  if (fate === 'approved') {
    note(decidedAt, 'no_notice_channel');
    change(row, decidedAt, { status_reason: 'no_notice_channel' });
    return;
  }
  const provenOn = giveNotice(cast, outbox, story, row, decidedAt, note);
  if (fate === 'notice_sent') return;
  register(cast, legal, story, row, fate, provenOn, note);
}

type Note = (at: string, event: string, details?: object, reportId?: string | null) => void;

/** A letter counts from its posting. */
function giveNotice(
  { setting }: Cast,
  outbox: Outbox,
  story: Story,
  row: NegativationRow,
  decidedAt: string,
  note: Note,
): CivilDate {
  let at = msOf(decidedAt) + 60_000;
  while (isTaken(outbox, row.person_id, at) && dayOf(at + 86_400_000) < setting.today) at += 86_400_000;
  note(decidedAt, 'notice_queued', { channel: 'letter' });
  const sent: NotificationRow = sendNotice(setting, outbox, story, {
    negativationId: row.id,
    bureau: row.bureau,
    channel: 'letter',
    at,
  });
  const watchedAt = isoOf(at + 600_000);
  const waitingDays = priorNoticeDays(story.debtor.person.state, {});
  const endsOn = addDays(dayOf(sent.sent_at!), waitingDays);
  note(watchedAt, 'notice_sent', { channel: 'letter' });
  note(watchedAt, 'notice_proven', { channel: 'letter', evidence: 'posted', waits_until: endsOn });
  change(row, watchedAt, {
    status: 'notice_sent',
    waits_until: endsOn,
    prior_notice: {
      channel: 'letter',
      contact_id: sent.contact_id,
      notification_id: sent.id,
      sent_at: sent.sent_at,
      delivered_at: null,
      evidence: 'posted',
      waiting_days: waitingDays,
      ends_on: endsOn,
      tried: [],
    },
  });
  return endsOn;
}

function register(
  cast: Cast,
  legal: Legal,
  story: Story,
  row: NegativationRow,
  fate: Fate,
  waitsUntil: CivilDate,
  note: Note,
): void {
  const { setting } = cast;
  const { random, today } = setting;
  const askedAt = instantOn(addDays(waitsUntil, 1), random);
  const answeredAt = laterThan(askedAt, 26 * 3_600_000);
  const reference = `BUR-${random.digits(8)}`;
  const isFailed = fate === 'failed';
  legalCommand(setting, legal, {
    kind: 'negativation',
    actionId: row.id,
    command: 'register',
    status: isFailed ? 'rejected' : 'confirmed',
    at: askedAt,
    endedAt: answeredAt,
    answer: { reference },
    request: { bureau: row.bureau, amount: row.amount_cents, debtDueDate: row.debt_due_date },
  });
  note(askedAt, 'registration_asked');
  note(laterThan(askedAt, 5_000), 'registration_sent');
  if (isFailed) {
    note(answeredAt, 'register_refused', { reason: 'documento divergente' }, `register-${row.id}`);
    change(row, answeredAt, { status: 'failed', status_reason: 'refused_by_bureau' });
    return;
  }
  note(answeredAt, 'registered', { reference }, `registered-${row.id}`);
  change(row, answeredAt, { status: 'registered', registered_at: answeredAt, bureau_reference: reference });
  if (fate === 'registered') return;
  const isDone = fate === 'removed';
  const registeredOn = dayOf(answeredAt);
  const wanted = isDone ? addDays(registeredOn, 4) : addDays(today, -1);
  const paidOn = wanted < today ? wanted : addDays(today, -1);
  const payment = payOff(setting, story, { paidOn, method: 'pix' });
  const stoppedAt = laterThan(payment.created_at, 3_000);
  const deadline = removalDeadline(paidOn);
  const removal = { requested_at: stoppedAt, reason: 'paid', deadline, done_at: null, warned_on: null };
  note(stoppedAt, 'removal_requested', { reason: 'paid' });
  change(row, stoppedAt, {
    status: 'removal_requested',
    status_reason: 'paid',
    removal,
    removal_deadline: deadline,
  });
  const doneAt = instantOn(addBusinessDays(paidOn, 2), random);
  legalCommand(setting, legal, {
    kind: 'negativation',
    actionId: row.id,
    command: 'remove',
    status: isDone ? 'confirmed' : 'requested',
    at: stoppedAt,
    endedAt: isDone ? doneAt : laterThan(stoppedAt, 5_000),
    answer: { reference },
    request: { bureau: row.bureau, reference, reason: 'paid' },
  });
  note(laterThan(stoppedAt, 5_000), 'removal_sent');
  if (!isDone) return;
  note(doneAt, 'removed', {}, `removed-${row.id}`);
  change(row, doneAt, { status: 'removed', removal: { ...removal, done_at: doneAt } });
}

function change(row: NegativationRow, at: string, to: Partial<NegativationRow>): void {
  Object.assign(row, to);
  touch(row, at);
}
