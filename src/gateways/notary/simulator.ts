/**
 * A notary office that protests nothing: for demonstrations and tests. What it answers follows from the last digit of
 * the debtor's document, the request and the time, on business days:
 *
 * - 4: the first call does not get through; 5: it breaks before it arrived; 6: it breaks after it arrived;
 * - 1: the debtor pays at the office two days after the notice; 2: the title comes back as irregular;
 * - 3: a court suspends the protest on the day after the notice, and the debtor is notified again ten days later;
 * - 7: every answer comes twice, the newest first; 8: the debtor is notified by an edict, five days later than others;
 * - 9: the title is refused;
 * - every other digit: protocol on the day, notice on the next one, protest after the three days to pay.
 *
 * A title is withdrawn when that is asked for before the protest; a protest that was consented to is canceled a day later.
 */

import { addBusinessDays, nextBusinessDay } from '../../core/calendar.ts';
import { type CivilDate, civilDateAt } from '../../core/dates.ts';
import type { OfficeRequest, WaitingRequest } from '../office/port.ts';
import { arrivalOf, createSimulatedDoor, type SimulatedRequest } from '../office/simulated.ts';
import type { NotaryAnswer, NotaryPort, NotaryStatus } from './port.ts';

export interface SimulatedNotary extends NotaryPort {
  /** Everything that arrived, oldest first. */
  readonly requests: readonly SimulatedRequest[];
}

const TIME_ZONE = 'America/Sao_Paulo';
/** An office works through its day in this order, so that two steps of one day keep theirs. */
const HOUR_OF: Partial<Record<NotaryStatus, string>> = { protocoled: '13', notified: '14' };
const COSTS_CENTS = 8_450;
const OFFICE = { name: '1º Tabelionato de Protesto (simulado)', city: 'São Paulo', state: 'SP' };

export function createSimulatedNotary(): SimulatedNotary {
  const door = createSimulatedDoor(referenceOf);
  const take = (command: string, request: OfficeRequest, document: string | null) =>
    door.take(command, request, arrivalOf(document));
  return {
    name: 'simulator',
    requests: door.requests,
    async send(request) {
      return take('send', request, request.debtor.documentNumber);
    },
    async withdraw(request) {
      return take('withdraw', request, request.debtorDocument);
    },
    async authorizeCancellation(request) {
      return take('authorize_cancellation', request, request.debtorDocument);
    },
    async find({ key }) {
      return door.find(key);
    },
    async collect({ waiting, now }) {
      const arrived = waiting.filter(({ key }) => door.hasArrived(key));
      const answers = [...Map.groupBy(arrived, ({ actionKey }) => actionKey).values()]
        .flatMap(answersTo)
        .filter(({ at }) => at <= now);
      return { answers, async forget() {} };
    },
  };
}

/** The whole story of one title, as far as it has been asked for. */
function answersTo(requests: readonly WaitingRequest[]): NotaryAnswer[] {
  const [first] = requests;
  const sent = requests.find(({ command }) => command === 'send');
  const withdrawal = requests.find(({ command }) => command === 'withdraw');
  const consent = requests.find(({ command }) => command === 'authorize_cancellation');
  const story = sent === undefined ? [] : storyOf(sent);
  const end = story.at(-1);
  const isInTime = withdrawal !== undefined && (end === undefined || withdrawal.askedAt < end.at);
  const told = isInTime ? story.filter(({ at }) => at <= withdrawal.askedAt) : story;
  if (withdrawal !== undefined) {
    told.push(stepOf(withdrawal, isInTime ? 'withdrawn' : 'refused', dayOf(withdrawal), withdrawal.askedAt));
  }
  if (consent !== undefined) told.push(stepOf(consent, 'canceled', addBusinessDays(dayOf(consent), 1)));
  return first!.documentNumber.endsWith('7') ? told.toReversed().flatMap((one) => [one, one]) : told;
}

function storyOf(sent: WaitingRequest): NotaryAnswer[] {
  const digit = sent.documentNumber.at(-1);
  const protocoledOn = nextBusinessDay(dayOf(sent));
  const at = (status: NotaryStatus, days: number) =>
    stepOf(sent, status, addBusinessDays(protocoledOn, days));
  if (digit === '9') return [at('refused', 0)];
  const protocoled = at('protocoled', 0);
  switch (digit) {
    case '1':
      return [protocoled, at('notified', 1), { ...at('paid_at_notary', 3), paidAmount: sent.amount }];
    case '2':
      return [at('returned', 1)];
    case '3':
      return [
        protocoled,
        at('notified', 1),
        at('suspended', 2),
        { ...at('notified', 12), reportId: `${sent.key}/notified-again` },
        at('protested', 16),
      ];
    case '8':
      return [protocoled, { ...at('notified', 6), noticeKind: 'edict' }, at('protested', 10)];
    default:
      return [protocoled, at('notified', 1), at('protested', 5)];
  }
}

function stepOf(
  { key, actionKey, askedAt }: WaitingRequest,
  status: NotaryStatus,
  on: CivilDate,
  notBefore: Date = askedAt,
): NotaryAnswer {
  const atOffice = new Date(`${on}T${HOUR_OF[status] ?? '15'}:00:00Z`);
  const hasCosts = ['withdrawn', 'canceled', 'paid_at_notary'].includes(status);
  return {
    reportId: `${key}/${status}`,
    key,
    // Nothing is answered before it was asked.
    at: atOffice > notBefore ? atOffice : new Date(notBefore.getTime() + 60_000),
    status,
    on,
    notary: OFFICE,
    protocol: `P${actionKey.replaceAll('-', '').slice(-8).toUpperCase()}`,
    noticeKind: status === 'notified' ? 'letter' : null,
    paidAmount: null,
    costs: hasCosts ? { amount: COSTS_CENTS, paidBy: status === 'withdrawn' ? 'creditor' : 'debtor' } : null,
    reference: referenceOf({ actionKey }),
    reason: reasonOf(status),
  };
}

function reasonOf(status: NotaryStatus): string | null {
  if (status === 'returned') return 'the title has a formal fault';
  if (status === 'refused') return 'not possible in the state of the title';
  return null;
}

function dayOf({ askedAt }: WaitingRequest): CivilDate {
  return civilDateAt(askedAt, TIME_ZONE);
}

function referenceOf({ actionKey }: Pick<OfficeRequest, 'actionKey'>): string {
  return `SIM${actionKey.replaceAll('-', '').slice(-12).toUpperCase()}`;
}
