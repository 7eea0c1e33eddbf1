/** How much speaks for a line and a record belonging together, and whether that is enough to be certain. */

import { cnpjRoot } from '../../../core/documents/tax-id.ts';
import type { Fit } from './fit.ts';
import type { Candidate, OpenLine, Reason, Settings } from './types.ts';
import type { Words } from './word-index.ts';
import { documentKeyOf, isTelling } from './words.ts';

const AMOUNT = { due: 50, face: 45, fee: 40, near: 40 } as const;
const FACE_LATE = 35;
/** What accrued up to one day is hardly met by chance. */
const ACCRUED = 10;
const IDENTIFIER = 45;
const PARTY_DOCUMENT = 25;
const PARTY_NAME = 12;
const NUMBER_TELLING = 25;
const NUMBER_SHORT = 12;
const SAME_DATE = 15;
const NEAR_DATE = 10;
const FAR_DAYS = 45;
const FAR = -10;
const RECORDED = 10;
const CONFIRMED = 5;
/** The line names somebody else. */
const CONFLICT = -45;

/** What a line and a record have in common besides the amount. */
export interface Ties {
  readonly reasons: readonly Reason[];
  readonly weight: number;
  readonly daysApart: number;
  readonly isNear: boolean;
  readonly hasConflict: boolean;
  readonly byIdentifier: boolean;
  readonly byDocument: boolean;
  readonly byName: boolean;
  readonly byNumber: boolean;
}

/** True when a document number is that of the holder, or of another establishment of the same company. */
export function isSameHolder(left: string, right: string): boolean {
  if (left === right) return true;
  const root = cnpjRoot(left);
  return root !== null && root === cnpjRoot(right);
}

/** Everything but the amount. */
export function tiesOf(
  line: OpenLine,
  candidate: Candidate,
  words: Words,
  daysApart: number,
  settings: Settings,
): Ties {
  const reasons: Reason[] = [];
  let weight = 0;
  const add = (reason: Reason, points: number) => {
    reasons.push(reason);
    weight += points;
  };
  const isNear = daysApart <= settings.dateToleranceDays;
  if (daysApart === 0) add('same_date', SAME_DATE);
  else if (isNear) add('near_date', NEAR_DATE - Math.min(daysApart, 5));
  else if (daysApart > FAR_DAYS) weight += FAR;

  const identifier = words.identifierIn(line, candidate);
  if (identifier !== null) add(identifier, IDENTIFIER);
  const { counterpartyDocument } = line;
  const { partyDocument } = candidate;
  const isCompared = counterpartyDocument !== null && partyDocument !== null;
  const byDocument = isCompared && isSameHolder(counterpartyDocument, partyDocument);
  const hasConflict = (isCompared && !byDocument) || candidate.isMutual === false;
  const byName = !byDocument && words.nameIn(line, candidate);
  if (byDocument) add('counterparty_document', PARTY_DOCUMENT);
  else if (byName) add('counterparty_name', PARTY_NAME);
  if (hasConflict) weight += CONFLICT;

  const key = documentKeyOf(candidate.documentNumber);
  const isNumbered = key !== null && words.hasNumber(line, key);
  if (isNumbered) add('document_number', isTelling(key) ? NUMBER_TELLING : NUMBER_SHORT);
  if (candidate.kind === 'settlement') add('settlement_recorded', RECORDED);
  if (candidate.kind === 'transfer' || candidate.kind === 'transaction') reasons.push('own_transfer');
  if (candidate.isConfirmed) add('confirmed_by_bank', CONFIRMED);
  const byNumber = isNumbered && isTelling(key);
  const byIdentifier = identifier !== null;
  return { reasons, weight, daysApart, isNear, hasConflict, byIdentifier, byDocument, byName, byNumber };
}

/** What the amounts add, and their reasons. */
export function amountWeight(fit: Fit, ties: Ties): { weight: number; reasons: Reason[] } {
  switch (fit.how) {
    case 'due': {
      const { interest, fine, discount } = fit.parts;
      const extras: Reason[] = [];
      if (interest + fine > 0) extras.push('interest_and_fine');
      if (discount > 0) extras.push('discount');
      const accrued = extras.length > 0 ? ACCRUED : 0;
      return { weight: AMOUNT.due + accrued, reasons: ['exact_amount', ...extras] };
    }
    case 'face':
      return { weight: ties.isNear ? AMOUNT.face : FACE_LATE, reasons: ['face_amount'] };
    case 'fee':
      return { weight: AMOUNT.fee, reasons: ['bank_fee'] };
    case 'near':
      return { weight: AMOUNT.near, reasons: ['amount_near'] };
  }
}

/** Whether one line and one record tie strongly enough to be certain, as long as nothing rivals them. */
export function isStrongPair(fit: Fit, ties: Ties, candidate: Candidate): boolean {
  if (ties.hasConflict || fit.how === 'near') return false;
  if (ties.byIdentifier) return true;
  if (fit.how === 'fee' || (fit.how === 'face' && !ties.isNear)) return false;
  if (ties.byDocument && (ties.isNear || ties.byNumber)) return true;
  if (ties.byNumber && (ties.isNear || ties.byName)) return true;
  return candidate.isConfirmed && ties.daysApart === 0;
}
