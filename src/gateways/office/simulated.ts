/**
 * What simulated offices share: how a request arrives. Answers follow from what the request says and from the time, so a
 * restarted process gives the same ones; kept in memory is only which attempts were lost.
 */

import {
  type FoundRequest,
  OfficeOutcomeUnknown,
  type OfficeRequest,
  OfficeUnreachable,
  type TakenRequest,
} from './port.ts';

/** How a request gets to the office. */
export type SimulatedArrival =
  | 'arrives'
  /** The first attempt does not get through. */
  | 'unreachable_once'
  /** The connection breaks before the first attempt arrived. */
  | 'unknown_lost'
  /** The connection breaks after the request arrived. */
  | 'unknown_taken';

export interface SimulatedRequest {
  readonly command: string;
  readonly request: OfficeRequest;
}

/** Requests and keys remembered; the oldest go first, so memory stays bounded. */
const MEMORY_MAX = 10_000;

/** By the last digit of the debtor's document; every other digit arrives. */
const ARRIVALS: Readonly<Record<string, SimulatedArrival>> = {
  4: 'unreachable_once',
  5: 'unknown_lost',
  6: 'unknown_taken',
};

export function arrivalOf(documentNumber: string | null): SimulatedArrival {
  return ARRIVALS[documentNumber?.at(-1) ?? ''] ?? 'arrives';
}

export interface SimulatedDoor {
  /** Everything that arrived, oldest first. */
  readonly requests: SimulatedRequest[];
  take(command: string, request: OfficeRequest, arrival: SimulatedArrival): TakenRequest;
  find(key: string): FoundRequest;
  hasArrived(key: string): boolean;
}

/** The door of one office. A key it has no memory of counts as one that arrived before a restart. */
export function createSimulatedDoor(referenceOf: (request: OfficeRequest) => string): SimulatedDoor {
  const attempts = new Map<string, number>();
  const lost = new Set<string>();
  const requests: SimulatedRequest[] = [];
  return {
    requests,
    take(command, request, arrival) {
      const { key } = request;
      const attempt = (attempts.get(key) ?? 0) + 1;
      attempts.set(key, attempt);
      forgetOldest(attempts, lost);
      const isFirst = attempt === 1;
      if (isFirst && arrival === 'unreachable_once') {
        lost.add(key);
        throw new OfficeUnreachable('the simulated office did not answer the call');
      }
      if (isFirst && arrival === 'unknown_lost') {
        lost.add(key);
        throw new OfficeOutcomeUnknown('the connection to the simulated office broke');
      }
      lost.delete(key);
      if (!requests.some((known) => known.request.key === key)) requests.push({ command, request });
      if (requests.length > MEMORY_MAX) requests.shift();
      if (isFirst && arrival === 'unknown_taken') {
        throw new OfficeOutcomeUnknown('the connection to the simulated office broke');
      }
      return { reference: referenceOf(request) };
    },
    find: (key) => (lost.has(key) ? { state: 'absent' } : { state: 'taken', reference: null }),
    hasArrived: (key) => !lost.has(key),
  };
}

function forgetOldest(attempts: Map<string, number>, lost: Set<string>): void {
  if (attempts.size <= MEMORY_MAX) return;
  const oldest = attempts.keys().next().value!;
  attempts.delete(oldest);
  lost.delete(oldest);
}
