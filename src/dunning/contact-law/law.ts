/**
 * What the law says on contacting and reporting debtors, in one dated table. Whoever reviews it changes this file and
 * its date, nothing else. Settings of an organization may only be stricter.
 */

import type { Percent } from '../../core/money.ts';

/** The month of the last review; part of the policy that every contact records. */
export const LAW_VERSION = '2026-03';

/** From `from` until just before `to`, both HH:MM of the debtor's own clock; `24:00` is midnight at the day's end. */
export interface Hours {
  readonly from: string;
  readonly to: string;
}

/** 0 = Sunday to 6 = Saturday. */
export type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6;

/** By weekday; null: closed all day. */
export type WeekHours = Readonly<Record<Weekday, Hours | null>>;

export interface StateLaw {
  readonly timeZone: string;
  readonly hours: WeekHours;
  /** Days between the proven notice and the report to a bureau. */
  readonly priorNoticeDays: number;
}

/** Where the debtor's state is not known: the strictest of the common rules, on the clock of most debtors. */
export const DEFAULT_STATE = 'SP';

/** Years from the due date after which a debt is reported no longer (CDC art. 43 §§1 and 5; STJ Súmula 323). */
export const REPORTABLE_YEARS = 5;

/** Business days in which a report of a paid debt is removed (STJ Súmula 548). */
export const REMOVAL_BUSINESS_DAYS = 5;

/** Business days from the notice until the protest (Lei 9.492/97 art. 12; state rules count from the notice). */
export const PROTEST_BUSINESS_DAYS = 3;

/** The greatest fine of a consumer's debt (CDC art. 52 §1). */
export const CONSUMER_FINE_MAX: Percent = 20_000;

/** Interest a month above which a court may reduce it. */
export const INTEREST_WARNING: Percent = 10_000;

const weekdays = (hours: Hours, saturday: Hours | null): WeekHours => ({
  0: null,
  1: hours,
  2: hours,
  3: hours,
  4: hours,
  5: hours,
  6: saturday,
});

/** The law of SP and AL; taken for every state that has none of its own, because it is a common measure of decency. */
const common = weekdays({ from: '08:00', to: '20:00' }, { from: '08:00', to: '14:00' });

/** The law of RJ names Monday to Friday only. */
const rio = weekdays({ from: '09:00', to: '19:00' }, null);

/** The law of ES names Monday to Friday only. */
const espiritoSanto = weekdays({ from: '08:00', to: '19:00' }, null);

/** The law of AM ends the day at 19:00; its other hours are the common ones, which is worth a second look at its text. */
const amazonas = weekdays({ from: '08:00', to: '19:00' }, { from: '08:00', to: '14:00' });

/**
 * Days of prior notice: 10 is the use of the bureaus (CDC art. 43 §2 names none). The longer ones of MT, PE, PI and SP
 * are those that a large provider prints; the texts of the states deserve a second look before they are relied on.
 */
const NOTICE_DAYS = 10;

const state = (
  timeZone: string,
  { hours = common, priorNoticeDays = NOTICE_DAYS }: Partial<StateLaw> = {},
): StateLaw => ({ timeZone, hours, priorNoticeDays });

export const law: Readonly<Record<string, StateLaw>> = {
  AC: state('America/Rio_Branco'),
  AL: state('America/Maceio'),
  AM: state('America/Manaus', { hours: amazonas }),
  AP: state('America/Belem'),
  BA: state('America/Bahia'),
  CE: state('America/Fortaleza'),
  DF: state('America/Sao_Paulo'),
  ES: state('America/Sao_Paulo', { hours: espiritoSanto }),
  GO: state('America/Sao_Paulo'),
  MA: state('America/Fortaleza'),
  MG: state('America/Sao_Paulo'),
  MS: state('America/Campo_Grande'),
  MT: state('America/Cuiaba', { priorNoticeDays: 45 }),
  PA: state('America/Belem'),
  PB: state('America/Fortaleza'),
  PE: state('America/Recife', { priorNoticeDays: 20 }),
  PI: state('America/Fortaleza', { priorNoticeDays: 15 }),
  PR: state('America/Sao_Paulo'),
  RJ: state('America/Sao_Paulo', { hours: rio }),
  RN: state('America/Fortaleza'),
  RO: state('America/Porto_Velho'),
  RR: state('America/Boa_Vista'),
  RS: state('America/Sao_Paulo'),
  SC: state('America/Sao_Paulo'),
  SE: state('America/Maceio'),
  SP: state('America/Sao_Paulo', { priorNoticeDays: 20 }),
  TO: state('America/Araguaina'),
};

/** The 27 states of Brazil, the Federal District among them. */
export const STATES: readonly string[] = Object.keys(law);
