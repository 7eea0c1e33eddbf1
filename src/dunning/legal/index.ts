/** What reports to credit bureaus and protests have in common: their rules, their records, and the way to an office. */

export { dropCommand, fateOf, queueCommand } from './commands.ts';
export { outsideText, recordAnswer, recordEvent } from './events.ts';
export { type LegalDesk, type LegalSubject, legalJobsOf } from './jobs.ts';
export type { CommandRow } from './queries.ts';
export { lastAnswerAt, liveActionOf, pageOfEvents } from './records.ts';
export {
  completeAddress,
  earliestDateOf,
  failedRules,
  legalChecksOf,
  requireAllowed,
  requireAnotherPerson,
  requireExpectedAmount,
} from './rules.ts';
export {
  type LegalRule,
  legalCheckSchema,
  legalEventSchema,
  type TitleKind,
  titleKindCodes,
} from './schema.ts';
export { creditorOf, rulesBlockedByGate, type Setting, settingOf } from './situation.ts';
