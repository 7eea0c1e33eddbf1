/** From an order of ours to the record that Kobana takes: one payment or one transfer, in a batch of its own. */

import { readUtilityBill } from '../../../core/documents/utility-bill.ts';
import type { BankAccount, BankOrder, TransferRequest } from '../port.ts';
import { reaisOf } from './values.ts';

/** Payments are found by our key; transfers are looked for in their list. */
export type Family = 'payments' | 'transfers';

export interface KobanaRequest {
  readonly family: Family;
  /** Creating the batch sends it to the bank; a payment outside a batch would stay where it is. */
  readonly path: string;
  readonly body: object;
}

/** Why there is no request for an order: the person reads it. */
export interface Impossible {
  readonly impossible: string;
}

/**
 * Issuers of tax bills by the number that FEBRABAN gave them, as layouts of banks list them (2026). A bill of any
 * other issuer goes as a utility bill: its code says the same.
 */
const taxIssuers: Readonly<Record<string, 'darf' | 'fgts' | 'gps'>> = {
  '0064': 'darf',
  '0153': 'darf',
  '0154': 'darf',
  '0385': 'darf',
  '0179': 'fgts',
  '0180': 'fgts',
  '0181': 'fgts',
  '0239': 'fgts',
  '0451': 'fgts',
  '0270': 'gps',
};

const noAccount: Impossible = { impossible: 'the account that pays has no id at Kobana' };
const noDocument: Impossible = { impossible: 'Kobana needs the CPF or CNPJ of the payee' };
const noPlace: Impossible = { impossible: 'the account that receives has no bank, agency or number' };

/** The request for a payment order. */
export function paymentRequest(order: BankOrder): KobanaRequest | Impossible {
  const source = order.account.providerId;
  if (source === null) return noAccount;
  const details = order.details as Record<string, string>;
  const common = commonOf(order);
  switch (order.kind) {
    case 'boleto':
      return payment(source, 'bank_billet', { ...common, code: details['barcode'] });
    case 'utility':
      return utilityPayment(source, common, details['barcode']!);
    case 'pix_code':
      return payment(source, 'pix', { ...common, qrcode: details['code'] });
    case 'pix_key':
      return keyTransfer(source, order, details);
    case 'ted':
      return tedTransfer(source, order, details);
  }
}

/** The request for a transfer between two accounts of one holder. */
export function transferRequest(request: TransferRequest): KobanaRequest | Impossible {
  const { from, to, holder, method } = request;
  if (from.providerId === null) return noAccount;
  const item = { ...commonOf(request), financial_account_uid: from.providerId, beneficiary: partyOf(holder) };
  if (method === 'internal') {
    const place = placeOf(to, false);
    return place === undefined ? noPlace : transfer(from.providerId, method, { ...item, internal: place });
  }
  const bank_account = placeOf(to, true);
  if (bank_account === undefined) return noPlace;
  const kind = method === 'pix' ? { type: 'bank_account' } : {};
  return transfer(from.providerId, method, { ...item, ...kind, bank_account });
}

function commonOf(order: Pick<BankOrder, 'amount' | 'scheduledFor' | 'idempotencyKey'>) {
  return {
    amount: reaisOf(order.amount),
    scheduled_to: order.scheduledFor,
    external_id: order.idempotencyKey,
  };
}

function payment(source: string, batch: string, item: object): KobanaRequest {
  return {
    family: 'payments',
    path: `/v2/payment/${batch}_batches`,
    body: { financial_account_uid: source, payments: [item] },
  };
}

function transfer(source: string, batch: string, item: object): KobanaRequest {
  return {
    family: 'transfers',
    path: `/v2/transfer/${batch}_batches`,
    body: { financial_account_uid: source, transfers: [item] },
  };
}

function utilityPayment(source: string, common: object, code: string): KobanaRequest {
  const bill = readUtilityBill(code);
  const isTaxed = bill.ok && bill.segment === 'government';
  const kind = isTaxed ? taxIssuers[bill.issuerCode] : undefined;
  return kind === undefined
    ? payment(source, 'utility', { ...common, code })
    : payment(source, 'tax', { ...common, kind, format: 'code', code });
}

function keyTransfer(
  source: string,
  order: BankOrder,
  details: Record<string, string>,
): KobanaRequest | Impossible {
  const { key, key_type } = details;
  // A key that is a CPF or CNPJ names its holder.
  const documentNumber = key_type === 'cpf' || key_type === 'cnpj' ? key! : order.payee.documentNumber;
  if (documentNumber === null) return noDocument;
  const beneficiary = partyOf({ name: order.payee.name, documentNumber });
  return transfer(source, 'pix', {
    ...commonOf(order),
    financial_account_uid: source,
    beneficiary,
    type: 'key',
    key_type,
    key,
  });
}

function tedTransfer(
  source: string,
  order: BankOrder,
  details: Record<string, string | null>,
): KobanaRequest | Impossible {
  const documentNumber = details['holder_document'] ?? order.payee.documentNumber;
  if (documentNumber === null) return noDocument;
  const place = placeOf(
    {
      bankCode: details['bank_code'] ?? null,
      agency: details['agency'] ?? null,
      number: details['number'] ?? null,
      digit: details['digit'] ?? null,
      providerId: null,
    },
    true,
  );
  if (place === undefined) return noPlace;
  const name = details['holder_name'] ?? order.payee.name;
  return transfer(source, 'ted', {
    ...commonOf(order),
    financial_account_uid: source,
    beneficiary: partyOf({ name, documentNumber }),
    bank_account: place,
  });
}

function partyOf({ name, documentNumber }: { name: string; documentNumber: string }) {
  return { name, document_number: documentNumber };
}

/** The account as the API names its parts; undefined when a part that it needs is missing. */
function placeOf({ bankCode, agency, number, digit }: BankAccount, withBank: boolean): object | undefined {
  if (agency === null || number === null || (withBank && bankCode === null)) return undefined;
  return {
    ...(withBank && { compe_number: Number(bankCode) }),
    agency_number: agency,
    account_number: number,
    ...(digit !== null && { account_digit: digit }),
  };
}
