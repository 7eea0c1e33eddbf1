/**
 * A credit bureau that shows nothing to anybody: for demonstrations and tests. What it answers follows from the last
 * digit of the debtor's document, the request and the time:
 *
 * - 4: the first call does not get through; 5: it breaks before it arrived; 6: it breaks after it arrived;
 * - 7: every answer comes twice; 8: answers come two days late; 9: registrations are refused;
 * - 3: with the answer to a removal, that to the registration comes once more, after it;
 * - every other digit: the answer is there a minute later.
 */

import type { OfficeRequest, WaitingRequest } from '../office/port.ts';
import { arrivalOf, createSimulatedDoor, type SimulatedRequest } from '../office/simulated.ts';
import type { BureauAnswer, BureauPort } from './port.ts';

export interface SimulatedBureau extends BureauPort {
  /** Everything that arrived, oldest first. */
  readonly requests: readonly SimulatedRequest[];
}

const ANSWERS_AFTER_MS = 60_000;
const LATE_MS = 2 * 86_400_000;

export function createSimulatedBureau(): SimulatedBureau {
  const door = createSimulatedDoor(referenceOf);
  return {
    name: 'simulator',
    requests: door.requests,
    async register(request) {
      return door.take('register', request, arrivalOf(request.debtor.documentNumber));
    },
    async remove(request) {
      return door.take('remove', request, arrivalOf(request.debtorDocument));
    },
    async find({ key }) {
      return door.find(key);
    },
    async collect({ waiting, now }) {
      const answers = waiting
        .filter(({ key }) => door.hasArrived(key))
        .flatMap(answersTo)
        .filter(({ at }) => at <= now);
      return { answers, async forget() {} };
    },
  };
}

function answersTo(waiting: WaitingRequest): BureauAnswer[] {
  const digit = waiting.documentNumber.at(-1);
  const isRefused = digit === '9' && waiting.command === 'register';
  const answer: BureauAnswer = {
    reportId: `${waiting.key}/1`,
    key: waiting.key,
    at: new Date(waiting.askedAt.getTime() + (digit === '8' ? LATE_MS : ANSWERS_AFTER_MS)),
    status: isRefused ? 'refused' : waiting.command === 'remove' ? 'removed' : 'registered',
    reference: referenceOf(waiting),
    reason: isRefused ? 'the document is not of this holder' : null,
  };
  if (digit === '7') return [answer, answer];
  const isBehind = digit === '3' && waiting.command === 'remove';
  return isBehind
    ? [answer, { ...answer, reportId: `${waiting.key}/0`, status: 'registered', at: waiting.askedAt }]
    : [answer];
}

function referenceOf({ actionKey }: Pick<OfficeRequest, 'actionKey'>): string {
  return `SIM${actionKey.replaceAll('-', '').slice(-12).toUpperCase()}`;
}
