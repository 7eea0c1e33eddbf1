/** The law on contacting and reporting debtors, as values and pure functions. */

export {
  type Channel,
  type ContactPolicy,
  channels,
  hoursOn,
  instantAt,
  lawfulHours,
  nextContactAt,
  overlap,
  timeZoneOf,
} from './hours.ts';
export {
  DEFAULT_STATE,
  type Hours,
  INTEREST_WARNING,
  LAW_VERSION,
  PROTEST_BUSINESS_DAYS,
  REMOVAL_BUSINESS_DAYS,
  STATES,
  type Weekday,
  type WeekHours,
} from './law.ts';
export { lastReportableDay, priorNoticeDays, removalDeadline, yearsAfter } from './limits.ts';
export { isFineAboveConsumerLimit, type TermsWarning, termsWarnings } from './terms.ts';
