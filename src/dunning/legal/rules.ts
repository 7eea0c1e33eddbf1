/** What a charge and its debtor must be for a report or a protest; no clock, no database. */

import { addDays, type CivilDate } from '../../core/dates.ts';
import { isCnpj, isCpf } from '../../core/documents/tax-id.ts';
import { type ErrorDetails, fail } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import type { Cents } from '../../core/money.ts';
import { lastReportableDay } from '../contact-law/index.ts';
import { type LegalCheck, type LegalKind, type LegalRule, legalRules, titleKinds } from './schema.ts';

export interface LegalAddress {
  readonly street: string;
  readonly number: string | null;
  readonly complement: string | null;
  readonly district: string | null;
  readonly city: string;
  readonly state: string;
  readonly postalCode: string;
}

/** Everything that decides, read at one moment. */
export interface Situation {
  readonly kind: LegalKind;
  readonly today: CivilDate;
  readonly charge: {
    readonly status: string;
    readonly isArchived: boolean;
    readonly isDisputed: boolean;
    /** An open dispute that says it was paid. */
    readonly hasPaymentClaim: boolean;
    /** For any reason but a legal action. */
    readonly isHeld: boolean;
    readonly dueDate: CivilDate;
    readonly adjustedDueDate: CivilDate;
    readonly amountDue: Cents;
  };
  readonly person: {
    readonly kind: 'natural' | 'legal';
    readonly documentNumber: string | null;
    readonly address: LegalAddress | null;
    readonly isDeceased: boolean;
    readonly isArchived: boolean;
    /** Over a channel other than letters. */
    readonly isReachable: boolean;
  };
  readonly isCreditorKnown: boolean;
  readonly minDaysOverdue: number;
  readonly minAmount: Cents;
  readonly otherAction: { readonly kind: LegalKind; readonly id: string } | null;
  /** Of an action that exists: what was frozen when it was asked for. */
  readonly frozenAmount: Cents | null;
  /** Protests only. */
  readonly title: { readonly kind: string | null; readonly hasDocument: boolean } | null;
}

/** Every rule that bears on this kind of action, in one order. */
export function legalChecksOf(situation: Situation): LegalCheck[] {
  const { charge, person, kind } = situation;
  const isReport = kind === 'negativation';
  const met: [LegalRule, boolean][] = [
    ['not_paid', charge.status !== 'paid'],
    ['not_canceled', charge.status !== 'canceled'],
    ['not_in_agreement', charge.status !== 'in_agreement'],
    ['not_disputed', !charge.isDisputed],
    ['no_payment_claim', !charge.hasPaymentClaim],
    ['not_paused', !charge.isHeld],
    ['not_archived', !charge.isArchived && !person.isArchived],
    ['not_deceased', !person.isDeceased],
    ['document_valid', hasValidDocument(person)],
    isReport
      ? ['notice_possible', person.address !== null || person.isReachable]
      : ['address_complete', person.address !== null],
    ['creditor_known', situation.isCreditorKnown],
    ['minimum_amount', charge.amountDue >= Math.max(1, situation.minAmount)],
    ['days_overdue', situation.today >= firstDayOf(situation)],
    ['within_five_years', situation.today <= lastReportableDay(charge.dueDate)],
    ['no_other_action', situation.otherAction === null],
  ];
  if (situation.frozenAmount !== null) {
    met.push(['amount_still_owed', charge.amountDue >= situation.frozenAmount]);
  }
  if (situation.title !== null) {
    const { kind: title, hasDocument } = situation.title;
    met.push(['title_protestable', title !== null && isTitleKind(title)]);
    met.push(['proof_of_debt', hasDocument || (title !== null && isByIndication(title))]);
  }
  return met.map(([code, is_met]) => ({ code, is_met, meaning: legalRules[code] }));
}

/** The codes of the rules that stand against it. */
export function failedRules(checks: readonly LegalCheck[]): LegalRule[] {
  return checks.filter(({ is_met }) => !is_met).map(({ code }) => code);
}

/** The first day on which it may be asked for as far as time decides; null when another rule stands against it. */
export function earliestDateOf(situation: Situation, checks: readonly LegalCheck[]): CivilDate | null {
  if (failedRules(checks).some((code) => code !== 'days_overdue')) return null;
  const first = firstDayOf(situation);
  const isTooSoon = situation.today < first;
  const earliest = isTooSoon ? first : situation.today;
  return earliest <= lastReportableDay(situation.charge.dueDate) ? earliest : null;
}

/** Fails with the error of the rule that tells most, else with `legal_check_failed`; all rules are in the details. */
export function requireAllowed(situation: Situation, checks = legalChecksOf(situation)): void {
  const failed = failedRules(checks);
  if (failed.length === 0) return;
  const details: ErrorDetails = { failed };
  const other = situation.otherAction;
  if (other !== null) fail('legal_action_exists', { ...details, kind: other.kind, id: other.id });
  if (failed.includes('not_disputed') || failed.includes('no_payment_claim'))
    fail('charge_disputed', details);
  if (failed.includes('not_in_agreement')) fail('charge_in_agreement', details);
  if (failed.includes('within_five_years')) fail('debt_too_old', details);
  fail('legal_check_failed', details);
}

/** Fails with `amount_changed` when the amount is not the one a person has seen. */
export function requireExpectedAmount(expected: Cents | undefined, actual: Cents): void {
  if (expected === undefined || expected === actual) return;
  fail('amount_changed', { expected: moneyText(expected), actual: moneyText(actual) });
}

/** Fails with `same_person_approval`: whoever asked for it does not decide on it. */
export function requireAnotherPerson(requestedBy: string, userId: string): void {
  if (requestedBy === userId) fail('same_person_approval');
}

/** A postal address a letter reaches; null when a part it needs is missing. */
export function completeAddress(address: unknown): LegalAddress | null {
  if (typeof address !== 'object' || address === null) return null;
  const part = (name: string): string | null => {
    const value = (address as Record<string, unknown>)[name];
    return typeof value === 'string' && value.trim() !== '' ? value : null;
  };
  const [street, city, state, postalCode] = ['street', 'city', 'state', 'postal_code'].map(part);
  if (!street || !city || !state || !postalCode) return null;
  return {
    street,
    number: part('number'),
    complement: part('complement'),
    district: part('district'),
    city,
    state,
    postalCode,
  };
}

/** The first day after the adjusted due date that is late enough. */
function firstDayOf({ charge, minDaysOverdue }: Situation): CivilDate {
  return addDays(charge.adjustedDueDate, Math.max(1, minDaysOverdue));
}

function hasValidDocument({ kind, documentNumber }: Situation['person']): boolean {
  if (documentNumber === null) return false;
  return kind === 'natural' ? isCpf(documentNumber) : isCnpj(documentNumber);
}

function isTitleKind(kind: string): kind is keyof typeof titleKinds {
  return Object.hasOwn(titleKinds, kind);
}

function isByIndication(kind: string): boolean {
  return isTitleKind(kind) && titleKinds[kind].isByIndication;
}
