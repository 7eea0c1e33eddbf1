/** What a file that was read becomes: the values of a new document, or the error that says why it is refused. */

import { fail, failArgument } from '../../core/errors.ts';
import type { Cents } from '../../core/money.ts';
import type { FiscalReading, NfeCancellation, NfeDocument, NfeWithholdings } from './nfe.ts';
import type { Warning, WithholdingKind } from './schema.ts';

const READ_KINDS = ['the XML of an NF-e', 'the XML of an NFC-e', 'the XML of the cancellation of one'];
const FILE_PATH = 'file.content_base64';

/** An event that concerns nothing real: other issuer, or the tax office's test environment. */
const VOID_EVENT = new Set(['key_mismatch', 'test_environment']);

const withheldKinds: Readonly<Record<keyof NfeWithholdings, WithholdingKind>> = {
  pisCents: 'pis',
  cofinsCents: 'cofins',
  csllCents: 'csll',
  incomeTaxCents: 'irrf',
  socialSecurityCents: 'inss',
  serviceTaxCents: 'iss',
};

/** The money of a document and what was noticed about it. */
export interface ReceivedAmounts {
  readonly net_cents: Cents;
  readonly withholdings: readonly { kind: WithholdingKind; amount_cents: Cents }[];
  readonly installments: readonly { number: string; due_date: string | null; amount_cents: Cents }[];
  readonly warnings: readonly Warning[];
}

/**
 * The document or event in a file. Fails with `unsupported_file` for kinds that are not read and for XML with a
 * document type or entities, with `invalid_argument` for XML that is broken or lacks what a document must have.
 */
export function requireReading(reading: FiscalReading): NfeDocument | NfeCancellation {
  if (!reading.ok) {
    const { code, message: reason } = reading;
    if (code === 'file_too_large') fail('file_too_large', { reason });
    if (code === 'unsupported_file' || code === 'unsafe_xml') {
      fail('unsupported_file', { expected: READ_KINDS, reason });
    }
    fail('invalid_argument', {
      path: FILE_PATH,
      expected: 'a complete XML of an NF-e or its cancellation',
      reason,
    });
  }
  const { document } = reading;
  if (document.kind === 'nfe' && Number.isNaN(Date.parse(document.issuedAt))) {
    failArgument(FILE_PATH, 'an XML whose moment of issue is a real one');
  }
  return document;
}

/**
 * Fails with `invalid_argument` unless the tax office registered the event: anybody can write one, and a document
 * never comes back from canceled.
 */
export function requireRegistered(event: NfeCancellation): void {
  const isVoid = event.warnings.some(({ code }) => VOID_EVENT.has(code));
  if (isVoid || event.authorization.status !== 'authorized') {
    failArgument(
      FILE_PATH,
      'a cancellation by the issuer, with the answer by which the tax office registered it',
    );
  }
}

/**
 * What is to be paid. Installments and a printed net amount stand as they are; where the document prints neither, its
 * withheld taxes are deducted from the total.
 */
export function receivedAmounts(document: NfeDocument): ReceivedAmounts {
  const { totalCents, netCents, installments } = document;
  const withholdings = withholdingsOf(document.withholdings);
  const withheld = withholdings.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  const warnings: Warning[] = [...document.warnings];
  const isGross = withheld > 0 && netCents === totalCents;
  const isDeducted = isGross && installments.length === 0 && withheld < totalCents;
  if (isDeducted) {
    const message = 'The document prints no net amount; its withheld taxes were deducted from the total.';
    warnings.push({ code: 'withholdings_deducted', message });
  } else if (isGross) {
    const message = 'The document withholds taxes but bills its full total: check what is to be paid.';
    warnings.push({ code: 'withholdings_not_deducted', message });
  }
  return {
    net_cents: isDeducted ? totalCents - withheld : netCents,
    withholdings,
    installments: installments.map(({ number, dueDate, amountCents }) => ({
      number,
      due_date: dueDate,
      amount_cents: amountCents,
    })),
    warnings,
  };
}

/** What is noticed about the two parties; both only warn (MODEL §12). */
export function partyWarnings(
  document: NfeDocument,
  company: { document_number: string } | undefined,
  isIssuerKnown: boolean,
): Warning[] {
  const warnings: Warning[] = [];
  if (company === undefined) {
    const message = 'The recipient is none of the companies of this workspace.';
    warnings.push({ code: 'recipient_not_ours', message });
  } else if (company.document_number !== document.recipient?.taxId) {
    warnings.push({
      code: 'recipient_differs',
      message: 'The document names another recipient than the company given.',
    });
  }
  if (!isIssuerKnown) {
    const message = 'The issuer is not among the people; making payables of the document registers it.';
    warnings.push({ code: 'issuer_not_registered', message });
  }
  return warnings;
}

function withholdingsOf(
  withholdings: NfeWithholdings | null,
): { kind: WithholdingKind; amount_cents: Cents }[] {
  if (withholdings === null) return [];
  return (Object.keys(withheldKinds) as (keyof NfeWithholdings)[]).flatMap((name) => {
    const amount_cents = withholdings[name] ?? 0;
    return amount_cents > 0 ? [{ kind: withheldKinds[name], amount_cents }] : [];
  });
}
