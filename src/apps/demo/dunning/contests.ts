/** Disputes, promises and what was talked about. */

import { addBusinessDays } from '../../../core/calendar.ts';
import { addDays } from '../../../core/dates.ts';
import { percentOf } from '../../../core/money.ts';
import { idAt, instantOn, laterThan } from '../setting.ts';
import { cancel, debtorFor, lateDay } from './charges.ts';
import { hold, release } from './holding.ts';
import { amountsOn, payOff } from './paying.ts';
import { atTime, bornIn, type Draft, dayOf, msOf, type Row, touch } from './setting.ts';
import { beginStory, type Cast, type Story } from './story.ts';

export interface Contests {
  readonly disputes: Row<'dunning_disputes'>[];
  readonly comments: Row<'dunning_dispute_comments'>[];
  readonly promises: Row<'dunning_promises'>[];
  readonly interactions: Row<'dunning_interactions'>[];
}

type DisputeRow = Draft<'dunning_disputes'>;

const disputeCounts = {
  open: 12,
  under_review: 6,
  upheld: 6,
  partially_upheld: 8,
  dismissed: 8,
  withdrawn: 5,
} as const;

const claims = [
  ['already_paid', 'Diz que pagou por transferência e vai enviar o comprovante.'],
  ['wrong_amount', 'O valor cobrado não é o do contrato.'],
  ['not_delivered', 'A mercadoria não foi entregue por inteiro.'],
  ['quality', 'Parte dos itens veio com defeito.'],
  ['not_recognized', 'Não reconhece a compra.'],
  ['other', 'Pede uma cópia da nota fiscal antes de pagar.'],
] as const;

const promiseCounts = { open: 22, kept: 34, broken: 26, canceled: 8 } as const;
const NOTES = 150;

const resolutions = {
  upheld: 'Conferido com a expedição: procede.',
  partially_upheld: 'Procede em parte: abatido o que não foi entregue.',
  dismissed: 'Entrega confirmada com assinatura; não procede.',
  withdrawn: 'O cliente reconheceu a cobrança.',
} as const;

const talks = [
  ['call', 'outbound', 'no_answer', 'Não atendeu; tentar à tarde.'],
  ['call', 'outbound', 'left_message', 'Recado deixado com o setor financeiro.'],
  ['call', 'outbound', 'reached', 'Vai verificar com o sócio e retorna.'],
  ['call', 'inbound', 'claims_paid', 'Diz que já pagou; aguardando o comprovante.'],
  ['message', 'inbound', 'other', 'Pediu a segunda via do boleto.'],
  ['email_reply', 'inbound', 'other', 'Perguntou sobre parcelamento.'],
  ['call', 'outbound', 'refused', 'Não pretende pagar os juros.'],
  ['note', 'internal', 'other', 'Cliente antigo, costuma pagar no fim do mês.'],
  ['visit', 'outbound', 'reached', 'Conversa com a gerente; proposta por escrito.'],
] as const;

export function tellContests(cast: Cast): Contests {
  const made: Contests = { disputes: [], comments: [], promises: [], interactions: [] };
  for (const [status, count] of Object.entries(disputeCounts)) {
    for (let number = 0; number < count; number += 1)
      tellDispute(cast, made, status as keyof typeof disputeCounts, number);
  }
  for (const [status, count] of Object.entries(promiseCounts)) {
    for (let number = 0; number < count; number += 1)
      tellPromise(cast, made, status as keyof typeof promiseCounts);
  }
  return made;
}

function tellDispute(cast: Cast, made: Contests, status: keyof typeof disputeCounts, number: number): void {
  const { setting } = cast;
  const { random, today, users } = setting;
  const isOpen = status === 'open' || status === 'under_review';
  const story = beginStory(cast, {
    debtor: debtorFor(cast),
    dueDate: lateDay(setting, isOpen ? 15 : 50, isOpen ? 60 : 110),
  });
  const at = instantOn(addDays(today, -random.integer(isOpen ? 2 : 25, isOpen ? 10 : 40)), random);
  const [reason, description] = claims[number % claims.length]!;
  const amount = story.charge.amount_cents;
  const disputed =
    status === 'partially_upheld' || reason === 'wrong_amount' ? percentOf(amount, 300_000) : null;
  const row: DisputeRow = {
    ...bornIn(setting, at),
    charge_id: story.charge.id,
    person_id: story.charge.person_id,
    reason,
    description,
    disputed_cents: status === 'upheld' ? null : disputed,
    status: 'open',
    resolution: null,
    adjusted_cents: null,
    resolved_by: null,
    resolved_at: null,
  };
  made.disputes.push(row);
  made.comments.push(
    comment(cast, row, laterThan(at, 3_600_000), 'Pedido o comprovante de entrega à expedição.'),
  );
  hold(setting, story, { reason: 'dispute', sourceId: row.id, at });
  story.charge.is_disputed = true;
  talk(cast, made, story, at, ['call', 'inbound', 'disputed', description]);
  if (status === 'open') return;
  const reviewedAt = instantOn(addDays(dayOf(at), 1), random);
  if (dayOf(reviewedAt) < today) touch(row, reviewedAt);
  row.status = 'under_review';
  if (isOpen) return;
  const resolvedAt = instantOn(addDays(dayOf(at), random.integer(3, 12)), random);
  Object.assign(row, {
    status,
    resolution: resolutions[status as keyof typeof resolutions],
    resolved_by: users.owner,
    resolved_at: resolvedAt,
  });
  touch(row, resolvedAt);
  made.comments.push(comment(cast, row, resolvedAt, 'Resposta enviada ao cliente.'));
  story.charge.is_disputed = false;
  if (status === 'upheld') {
    row.adjusted_cents = 0;
    cancel(story, resolvedAt, 'Contestação procedente');
  }
  if (status === 'partially_upheld') {
    row.adjusted_cents = amount - disputed!;
    story.charge.abatement_cents = disputed!;
    story.abatedAt = msOf(resolvedAt);
  }
  release(story, row.id, resolvedAt);
  if (status !== 'upheld' && number % 2 === 0) {
    payOff(setting, story, { paidOn: addDays(dayOf(resolvedAt), 4), method: 'pix' });
  }
}

function comment(
  { setting }: Cast,
  { id }: DisputeRow,
  at: string,
  body: string,
): Row<'dunning_dispute_comments'> {
  const { organizationId, random, users } = setting;
  return {
    organization_id: organizationId,
    id: idAt(at, random),
    dispute_id: id,
    body,
    created_by: users.collector,
    created_at: at,
  };
}

function tellPromise(cast: Cast, made: Contests, status: keyof typeof promiseCounts): void {
  const { setting } = cast;
  const { random, today } = setting;
  const story = beginStory(cast, {
    debtor: debtorFor(cast),
    dueDate: lateDay(setting, 12, status === 'open' ? 60 : 110),
  });
  const daysAgo = status === 'open' ? random.integer(1, 4) : random.integer(16, 45);
  const late = story.charge.adjusted_due_date;
  const wanted = addDays(today, -daysAgo);
  const promisedOn = wanted > late ? wanted : addDays(late, 1);
  const at = instantOn(promisedOn, random);
  const promisedFor = status === 'open' ? addDays(today, random.integer(0, 6)) : addDays(promisedOn, 5);
  const keepUntil = addBusinessDays(promisedFor, 1);
  const row: Draft<'dunning_promises'> = {
    ...bornIn(setting, at),
    person_id: story.charge.person_id,
    charge_ids: [story.charge.id],
    amount_cents: amountsOn(setting, story, promisedOn).amountDue,
    promised_for: promisedFor,
    promised_on: promisedOn,
    keep_until: keepUntil,
    channel: random.pick(['phone', 'whatsapp', 'email']),
    status: 'open',
    paid_cents: 0,
    ended_at: null,
    ended_reason: null,
  };
  made.promises.push(row);
  hold(setting, story, { reason: 'promise', sourceId: row.id, at, until: keepUntil });
  talk(cast, made, story, at, ['call', 'outbound', 'promised', 'Prometeu pagar na data combinada.']);
  if (status === 'open') return;
  const end = (endedAt: string, given: Partial<Draft<'dunning_promises'>>) => {
    Object.assign(row, { status, ended_at: endedAt, ...given });
    touch(row, endedAt);
    release(story, row.id, endedAt);
  };
  if (status === 'broken') end(atTime(addDays(keepUntil, 1), '00:06'), {});
  if (status === 'canceled') {
    end(instantOn(addDays(promisedOn, 2), random), { ended_reason: 'Cliente pediu para negociar um acordo' });
  }
  if (status === 'kept') {
    const payment = payOff(setting, story, { paidOn: promisedFor, method: 'pix' });
    const used = payment.amount_cents;
    // It was promised for what was due on the day it was given, and interest has run since.
    end(laterThan(payment.created_at, 2_000), { paid_cents: used });
  }
}

/** Calls and notes about charges that are late. */
export function tellTalks(cast: Cast, made: Contests): void {
  const { random, today } = cast.setting;
  const late = cast.stories.filter(
    ({ charge, payments }) => charge.adjusted_due_date < addDays(today, -5) && payments.length === 0,
  );
  for (let number = 0; number < NOTES; number += 1) {
    const story = random.pick(late);
    const daysAgo = random.integer(1, Math.min(150, 4 + number));
    const day = addDays(today, -daysAgo);
    if (day <= story.charge.created_at.slice(0, 10)) continue;
    talk(cast, made, story, instantOn(day, random), talks[number % talks.length]!);
  }
}

function talk(
  { setting }: Cast,
  { interactions }: Contests,
  { charge }: Story,
  at: string,
  [kind, direction, outcome, summary]: readonly [string, string, string, string],
): void {
  interactions.push({
    ...bornIn(setting, at),
    person_id: charge.person_id,
    charge_ids: [charge.id],
    kind,
    direction,
    outcome,
    summary,
    occurred_at: at,
  });
}
