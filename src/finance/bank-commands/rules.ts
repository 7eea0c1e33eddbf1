/** Decisions about commands to banks, without database. */

import type { CivilDate } from '../../core/dates.ts';

/** Longer than any call to a bank may take: a command marked as sent before it is no longer on its way. */
const ON_ITS_WAY_MS = 600_000;
const RETRY_FIRST_MS = 2_000;
const RETRY_FIRST_FOR_MS = 60_000;
const RETRY_SOON_MS = 60_000;
const RETRY_SOON_FOR_MS = 3_600_000;
const RETRY_LATER_MS = 900_000;
const RETRY_BEFORE_DAY_MS = 3_600_000;

export type CommandStatus = 'requested' | 'confirmed' | 'failed' | 'unknown';

/** When to ask the bank again: often at first, rarely for what is meant for a day still to come. */
export function nextAskAt(scheduledFor: CivilDate, sentAt: string | null, now: Date, today: CivilDate): Date {
  const age = sentAt === null ? 0 : now.getTime() - Date.parse(sentAt);
  let waitMs = RETRY_LATER_MS;
  if (age < RETRY_FIRST_FOR_MS) waitMs = RETRY_FIRST_MS;
  else if (scheduledFor > today) waitMs = RETRY_BEFORE_DAY_MS;
  else if (age < RETRY_SOON_FOR_MS) waitMs = RETRY_SOON_MS;
  return new Date(now.getTime() + waitMs);
}

/** True when the sending is over and nobody recorded what the bank said. */
export function isUnanswered(command: { status: string; sent_at: string | null }, now: Date): boolean {
  const { status, sent_at: sentAt } = command;
  if (status === 'unknown') return true;
  return status === 'requested' && sentAt !== null && now.getTime() - Date.parse(sentAt) > ON_ITS_WAY_MS;
}

/** How a command ends with an answer. */
export function statusAfterAnswer(answer: { status: string }): CommandStatus {
  return answer.status === 'rejected' || answer.status === 'absent' ? 'failed' : 'confirmed';
}
