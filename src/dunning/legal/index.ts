/** What reports to credit bureaus and protests have in common: their rules, their records, and the way to an office. */

export {
  type CommandFate,
  dropCommand,
  fateOf,
  queueCommand,
  queueSending,
  SEND_TASKS,
} from './commands.ts';
export { legalEventOf, outsideText, recordAnswer, recordEvent } from './events.ts';
export { type LegalDesk, type LegalSubject, legalJobsOf } from './jobs.ts';
export type { CommandRow } from './queries.ts';
export { lastAnswerAt, liveActionOf, pageOfEvents } from './records.ts';
export {
  completeAddress,
  earliestDateOf,
  failedRules,
  type LegalAddress,
  legalChecksOf,
  requireAllowed,
  requireAnotherPerson,
  requireExpectedAmount,
  type Situation,
} from './rules.ts';
export {
  type LegalCheck,
  type LegalCommand,
  type LegalEvent,
  type LegalKind,
  type LegalRule,
  legalCheckSchema,
  legalEventSchema,
  type TitleKind,
  titleKindCodes,
  titleKinds,
} from './schema.ts';
export { creditorOf, rulesBlockedByGate, type Setting, settingOf } from './situation.ts';
