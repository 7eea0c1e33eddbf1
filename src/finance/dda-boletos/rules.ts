/** Decisions about announced boletos, without database. */

import type { CivilDate } from '../../core/dates.ts';
import { addDays } from '../../core/dates.ts';
import { readBoleto } from '../../core/documents/boleto.ts';
import { parseTaxId } from '../../core/documents/tax-id.ts';
import { fail } from '../../core/errors.ts';
import { CENTS_MAX, type Cents } from '../../core/money.ts';
import { cleanOutsideText } from '../../core/text.ts';
import type { AnnouncedBoleto } from '../../gateways/bank/port.ts';
import type { DdaBoletoStatus } from './schema.ts';

/** Bills due this many days before or after the boleto may be the same debt. */
export const NEAR_DAYS = 10;
/** As may bills that differ from it by this part of its amount, in percent: fine, interest or an estimate. */
export const NEAR_PERCENT = 10;

/** Boletos due in these days are read anew each time, the past ones for what became of them. */
const DAYS_BACK = 60;
const DAYS_AHEAD = 180;

const NAME_MAX = 200;
const DOCUMENT_MAX = 60;
const REFERENCE_MAX = 100;

/** States in which the bank still takes a payment. */
const payable = ['open', 'overdue'] as const;

export interface BoletoState {
  readonly status: DdaBoletoStatus;
  readonly external_status: string;
}

/** The columns that a bank's announcement fills. */
export interface BoletoValues {
  readonly barcode: string;
  readonly typed_line: string;
  readonly beneficiary_name: string;
  readonly beneficiary_document: string;
  readonly payer_document: string;
  readonly document_number: string | null;
  readonly nominal_cents: Cents;
  readonly amount_cents: Cents;
  readonly min_cents: Cents | null;
  readonly max_cents: Cents | null;
  readonly allows_partial: boolean;
  readonly issue_date: CivilDate | null;
  readonly due_date: CivilDate;
  readonly terms: AnnouncedBoleto['terms'];
  readonly external_status: AnnouncedBoleto['status'];
  readonly bank_reference: string;
}

/** The first and the last due date that are asked for. */
export function daysToRead(today: CivilDate): { from: CivilDate; to: CivilDate } {
  return { from: addDays(today, -DAYS_BACK), to: addDays(today, DAYS_AHEAD) };
}

/**
 * What is stored of an announcement; null when its code is no valid boleto, its parties or amounts make no sense, or
 * it is against somebody else. `today` decides which cycle the due factor means.
 */
export function valuesOf(boleto: AnnouncedBoleto, holder: string, today: CivilDate): BoletoValues | null {
  const reading = readBoleto(boleto.barcode, today);
  const beneficiary = parseTaxId(boleto.beneficiary.documentNumber);
  const amounts = [boleto.nominalAmount, boleto.amount, boleto.minAmount ?? 0, boleto.maxAmount ?? 0];
  if (!reading.ok || beneficiary === null || boleto.payerDocument !== holder) return null;
  if (!amounts.every((cents) => Number.isSafeInteger(cents) && cents >= 0 && cents <= CENTS_MAX)) return null;
  return {
    barcode: reading.barcode,
    typed_line: reading.typedLine,
    beneficiary_name: cleanOutsideText(boleto.beneficiary.name, NAME_MAX),
    beneficiary_document: beneficiary.number,
    payer_document: holder,
    document_number: textOrNull(boleto.documentNumber, DOCUMENT_MAX),
    nominal_cents: boleto.nominalAmount,
    amount_cents: boleto.amount,
    min_cents: boleto.minAmount,
    max_cents: boleto.maxAmount,
    allows_partial: boleto.allowsPartial,
    issue_date: boleto.issueDate,
    due_date: boleto.dueDate,
    terms: boleto.terms,
    external_status: boleto.status,
    bank_reference: cleanOutsideText(boleto.reference, REFERENCE_MAX),
  };
}

/** Fails with `invalid_state` unless nothing was decided about it and the bank still takes a payment. */
export function requireUndecided(boleto: BoletoState): void {
  if (boleto.status !== 'pending') fail('invalid_state', { from: boleto.status, allowed: ['pending'] });
}

/** Fails with `invalid_state` unless the bank still takes a payment. */
export function requirePayable({ external_status: from }: BoletoState): void {
  if (!(payable as readonly string[]).includes(from)) fail('invalid_state', { from, allowed: payable });
}

/** Fails with `invalid_state` when it can no longer be refused: it was decided about, or is paid or gone at the bank. */
export function requireRejectable(boleto: BoletoState): void {
  requireUndecided(boleto);
  const allowed = [...payable, 'blocked'];
  const { external_status: from } = boleto;
  if (!allowed.includes(from)) fail('invalid_state', { from, allowed });
}

function textOrNull(text: string | null, max: number): string | null {
  return text === null ? null : cleanOutsideText(text, max) || null;
}
