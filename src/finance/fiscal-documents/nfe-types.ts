import type { ReadingWarning } from '../../core/documents/reading.ts';
import type { XmlFailureCode } from './xml.ts';

export type FiscalWarning =
  | 'encoding_mismatch'
  | 'no_protocol'
  | 'protocol_mismatch'
  | 'not_authorized'
  | 'installments_do_not_add_up'
  | 'installment_without_due_date'
  | 'key_mismatch'
  | 'invalid_tax_id'
  | 'test_environment'
  | 'inbound_document'
  | 'goods_return';

export type FiscalParty = { taxId: string | null; name: string };
export type NfeInstallment = { number: string; dueDate: string | null; amountCents: number };

/** Taxes the payer keeps back, in centavos; null where the document tells none. */
export type NfeWithholdings = {
  pisCents: number | null;
  cofinsCents: number | null;
  csllCents: number | null;
  incomeTaxCents: number | null;
  socialSecurityCents: number | null;
  serviceTaxCents: number | null;
};

export type NfeDocument = {
  kind: 'nfe';
  accessKey: string;
  /** "55" (NF-e) or "65" (NFC-e). */
  model: string;
  number: string;
  series: string;
  /** Instant with offset, as written. */
  issuedAt: string;
  issuer: { taxId: string; name: string };
  /** Null when the document names none, as an NFC-e may. */
  recipient: FiscalParty | null;
  totalCents: number;
  /** What is to be paid: the invoice's net amount, or the total when there is none. */
  netCents: number;
  /** Empty when the document tells no installment: one bill then. */
  installments: NfeInstallment[];
  withholdings: NfeWithholdings | null;
  authorization: { protocol: string | null; status: 'authorized' | 'unproven' | 'denied' };
  isSignatureVerified: false;
  warnings: ReadingWarning<FiscalWarning>[];
};

export type NfeCancellation = {
  kind: 'nfe_cancellation';
  /** Key of the document that is cancelled. */
  accessKey: string;
  issuerTaxId: string;
  /** Instant with offset, as written; null when the event tells none. */
  canceledAt: string | null;
  justification: string;
  /** Registration of the event at the tax office. */
  authorization: NfeDocument['authorization'];
  isSignatureVerified: false;
  warnings: ReadingWarning<FiscalWarning>[];
};

export type FiscalFailure = {
  ok: false;
  code: XmlFailureCode | 'invalid_access_key' | 'invalid_document';
  message: string;
};
export type FiscalReading = { ok: true; document: NfeDocument | NfeCancellation } | FiscalFailure;
