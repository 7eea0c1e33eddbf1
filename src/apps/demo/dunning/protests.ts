/** Protests in every state, with what the notary office told. */

import { addBusinessDays } from '../../../core/calendar.ts';
import { type CivilDate, daysBetween } from '../../../core/dates.ts';
import { instantOn, laterThan } from '../setting.ts';
import { lateDay } from './charges.ts';
import { hold } from './holding.ts';
import { type Legal, legalCommand, legalEvent, pickDebtor } from './legal.ts';
import { amountsOn, pay, payOff } from './paying.ts';
import { bornIn, type Draft, dayOf, msOf, touch } from './setting.ts';
import { beginStory, type Cast, type Story } from './story.ts';

type ProtestRow = Draft<'dunning_protests'>;

/** How many of each, and how many business days ago they were asked for. */
const plans = {
  pending: [4, 2],
  approved: [2, 4],
  sent: [2, 3],
  protocoled: [2, 3],
  notified: [2, 4],
  suspended: [2, 20],
  protested: [4, 25],
  cancellation_authorized: [2, 30],
  canceled: [2, 40],
  rejected: [2, 15],
  returned: [2, 20],
  paid_at_notary: [3, 30],
  withdrawn: [2, 25],
} as const;

type Fate = keyof typeof plans;

const over: readonly string[] = ['canceled', 'rejected', 'returned', 'paid_at_notary', 'withdrawn'];
const HOUR_MS = 3_600_000;

export function tellProtests(cast: Cast, legal: Legal): ProtestRow[] {
  const rows: ProtestRow[] = [];
  for (const [fate, [count, ago]] of Object.entries(plans) as [Fate, readonly [number, number]][]) {
    for (let number = 0; number < count; number += 1) rows.push(tell(cast, legal, fate, ago + number));
  }
  return rows;
}

function tell(cast: Cast, legal: Legal, fate: Fate, businessDaysAgo: number): ProtestRow {
  const { setting } = cast;
  const { random, today, users } = setting;
  const askedOn = addBusinessDays(today, -businessDaysAgo);
  const daysAgo = daysBetween(askedOn, today);
  const debtor = pickDebtor(cast, 'by_letter');
  const titleKind = debtor.person.kind === 'legal' ? 'DMI' : 'DSI';
  const story = beginStory(cast, {
    debtor,
    dueDate: lateDay(setting, daysAgo + 35, daysAgo + 70),
    amount: random.integer(60_000, 600_000),
    titleKind,
  });
  const at = instantOn(askedOn, random);
  const row: ProtestRow = {
    ...bornIn(setting, at),
    charge_id: story.charge.id,
    person_id: story.charge.person_id,
    title_kind: titleKind,
    amount_cents: amountsOn(setting, story, askedOn).amountDue,
    debt_due_date: story.charge.due_date,
    document_name: null,
    document_content_type: null,
    document_sha256: null,
    document_bytes: null,
    status: 'pending',
    status_reason: null,
    requested_by: users.collector,
    approved_by: null,
    decided_at: null,
    decision_note: null,
    notary: null,
    protocol: null,
    protocoled_on: null,
    notified_on: null,
    notice_kind: null,
    deadline_on: null,
    protested_on: null,
    costs: null,
    notary_reference: null,
    policy_version: setting.policy.version,
  };
  story.legal = { from: msOf(at), to: Number.POSITIVE_INFINITY };
  legalEvent(setting, legal, 'protest', row.id, at, 'requested');
  tellFate(cast, legal, story, row, fate);
  if (over.includes(fate)) story.legal.to = msOf(row.updated_at);
  else {
    story.charge.legal_kind = 'protest';
    legal.live.push({
      organization_id: setting.organizationId,
      charge_id: story.charge.id,
      kind: 'protest',
      action_id: row.id,
    });
  }
  return row;
}

function tellFate(cast: Cast, legal: Legal, story: Story, row: ProtestRow, fate: Fate): void {
  const { setting } = cast;
  const { random, users } = setting;
  if (fate === 'pending') return;
  const decidedAt = laterThan(row.created_at, random.integer(20, 90) * 60_000);
  const isApproved = fate !== 'rejected';
  legalEvent(setting, legal, 'protest', row.id, decidedAt, isApproved ? 'approved' : 'rejected', {
    by: users.owner,
  });
  change(row, decidedAt, {
    status: isApproved ? 'approved' : 'rejected',
    approved_by: isApproved ? users.owner : null,
    decided_at: decidedAt,
    decision_note: isApproved ? 'Título conferido' : 'Valor não compensa as custas',
  });
  if (!isApproved) return;
  if (fate === 'approved') {
    waitPaused(cast, legal, story, row, decidedAt);
    return;
  }
  const sentAt = laterThan(decidedAt, 60_000);
  const answered = fate === 'sent' ? 'requested' : fate === 'returned' ? 'rejected' : 'confirmed';
  const reference = `CRA-${random.digits(8)}`;
  legalCommand(setting, legal, {
    kind: 'protest',
    actionId: row.id,
    command: 'send',
    status: answered,
    at: decidedAt,
    endedAt: sentAt,
    answer: { reference },
    request: { titleKind: row.title_kind, amount: row.amount_cents, debtDueDate: row.debt_due_date },
  });
  legalEvent(setting, legal, 'protest', row.id, sentAt, 'send_taken');
  change(row, sentAt, { status: 'sent', notary_reference: reference });
  if (fate !== 'sent') answer(cast, legal, story, row, fate);
}

/** Approved, and held back while the charge is paused. */
function waitPaused({ setting }: Cast, legal: Legal, story: Story, row: ProtestRow, decidedAt: string): void {
  const heldAt = laterThan(decidedAt, -600_000);
  hold(setting, story, {
    reason: 'manual',
    sourceId: story.charge.id,
    at: heldAt,
    note: 'Cliente pediu uns dias',
  });
  legalEvent(setting, legal, 'protest', row.id, decidedAt, 'sending_waits', { failed: ['not_paused'] });
  change(row, decidedAt, { status_reason: 'not_paused' });
}

function answer(cast: Cast, legal: Legal, story: Story, row: ProtestRow, fate: Fate): void {
  const { setting } = cast;
  const { random } = setting;
  const told = (on: CivilDate, status: string, to: Partial<ProtestRow>): string => {
    const at = on === dayOf(row.updated_at) ? laterThan(row.updated_at, HOUR_MS) : instantOn(on, random);
    legalEvent(setting, legal, 'protest', row.id, at, status, { on }, `${status}-${row.id}`);
    change(row, at, { status, ...to });
    return at;
  };
  const asked = (
    command: 'withdraw' | 'authorize_cancellation',
    at: string,
    reason: string,
    isDone: boolean,
  ) => {
    legalCommand(setting, legal, {
      kind: 'protest',
      actionId: row.id,
      command,
      status: isDone ? 'confirmed' : 'requested',
      at,
      endedAt: laterThan(at, isDone ? 24 * HOUR_MS : 5_000),
      answer: { reference: row.notary_reference },
      request: { protocol: row.protocol, reference: row.notary_reference, reason },
    });
    const event = command === 'withdraw' ? 'withdrawal_asked' : 'cancellation_authorized';
    legalEvent(setting, legal, 'protest', row.id, at, event, { reason });
  };
  const day = (count: number) => addBusinessDays(dayOf(row.created_at), count);
  if (fate === 'returned') {
    told(day(1), 'returned', { status_reason: 'returned_by_office' });
    return;
  }
  const { city, state } = story.debtor.person.address as { city: string; state: string };
  told(day(1), 'protocoled', {
    protocol: `P${random.digits(8)}`,
    protocoled_on: day(1),
    notary: { name: `1º Tabelionato de Protesto de ${city}`, city, state },
    costs: { amount_cents: 4_850, paid_by: 'debtor' },
  });
  if (fate === 'protocoled') return;
  told(day(2), 'notified', {
    notified_on: day(2),
    notice_kind: 'letter',
    deadline_on: addBusinessDays(day(2), 3),
  });
  switch (fate) {
    case 'notified':
      return;
    case 'suspended':
      told(day(4), 'suspended', {});
      return;
    case 'paid_at_notary':
      payAtNotary(cast, story, row, told(day(4), 'paid_at_notary', {}));
      return;
    case 'withdrawn': {
      const at = laterThan(row.updated_at, 2 * HOUR_MS);
      asked('withdraw', at, 'requested', true);
      change(row, at, { status_reason: 'requested' });
      told(day(4), 'withdrawn', {});
      return;
    }
    default:
  }
  told(day(6), 'protested', { protested_on: day(6) });
  if (fate === 'protested') return;
  const payment = payOff(setting, story, { paidOn: day(14), method: 'pix' });
  const at = laterThan(payment.created_at, 3_000);
  asked('authorize_cancellation', at, 'paid', fate === 'canceled');
  change(row, at, { status: 'cancellation_authorized', status_reason: 'paid' });
  if (fate === 'canceled') told(day(18), 'canceled', {});
}

/** Money at the notary is money on the charge: all that was asked for, and what has run up since stays open. */
function payAtNotary({ setting }: Cast, story: Story, row: ProtestRow, at: string): void {
  const on = dayOf(at);
  const due = amountsOn(setting, story, on).amountDue;
  const payment = pay(setting, story, {
    paidOn: on,
    method: 'notary',
    amount: due,
    at: laterThan(at, 2_000),
    externalId: `protest/${row.id}`,
    source: 'notary',
  });
  story.rests.push({ from: msOf(payment.created_at), to: Number.POSITIVE_INFINITY, code: 'paid' });
}

function change(row: ProtestRow, at: string, to: Partial<ProtestRow>): void {
  Object.assign(row, to);
  touch(row, at);
}
