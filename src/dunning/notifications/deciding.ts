/** What becomes of a message whose time has come; values only. */

import { type BlockCode, blockCodes } from '../contact-gate/index.ts';

/** What the gate says of one charge of a message; of the message itself where it has none. */
export interface Judgement {
  readonly chargeId: string | null;
  readonly reason: BlockCode | null;
  readonly nextAt: string | null;
  readonly contactId: string | null;
}

export type Decision =
  | { readonly kind: 'send'; readonly contactId: string | null; readonly chargeIds: readonly string[] }
  | { readonly kind: 'move'; readonly reason: BlockCode; readonly to: string }
  /** A code of the gate, or of the rule that made it. */
  | { readonly kind: 'skip'; readonly reason: string };

/** How long a message may wait for its time before it says nothing any more. */
const MOVED_DAYS_MAX = 5;
const DAY_MS = 86_400_000;

const aboutOneCharge: ReadonlySet<string> = new Set<BlockCode>([
  'paid',
  'canceled',
  'in_agreement',
  'disputed',
  'promise',
  'legal_hold',
  'paused',
  'not_late_yet',
]);

/**
 * A message goes out about those of its charges that may still be spoken of; one whose text names them itself goes out
 * about all or none. Out of hours, or when the debtor has had the messages of the day, it waits, for five days at most
 * from when it was first due.
 */
export function decide(
  judgements: readonly Judgement[],
  message: { readonly isOwnText: boolean; readonly dueSince: string },
): Decision {
  const isAbout = ({ reason }: Judgement) => reason === null || !aboutOneCharge.has(reason);
  const left = judgements.filter(isAbout);
  const [first] = left;
  if (first === undefined || (message.isOwnText && left.length < judgements.length)) {
    return { kind: 'skip', reason: firstReason(judgements) };
  }
  const { reason, nextAt, contactId } = first;
  if (reason === null) {
    return {
      kind: 'send',
      contactId,
      chargeIds: left.flatMap(({ chargeId }) => (chargeId === null ? [] : [chargeId])),
    };
  }
  const passesByItself = reason === 'window_closed' || reason === 'daily_cap';
  if (!passesByItself || nextAt === null) return { kind: 'skip', reason };
  const latest = Date.parse(message.dueSince) + MOVED_DAYS_MAX * DAY_MS;
  return Date.parse(nextAt) > latest ? { kind: 'skip', reason } : { kind: 'move', reason, to: nextAt };
}

function firstReason(judgements: readonly Judgement[]): BlockCode {
  return blockCodes.find((code) => judgements.some(({ reason }) => reason === code))!;
}
