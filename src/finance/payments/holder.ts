/** Whether the place a payment goes to belongs to the payee, as far as can be told without asking the bank. */

import { cnpjRoot, parseTaxId } from '../../core/documents/tax-id.ts';
import type { PaymentDetails } from '../payables/index.ts';

/** What a payee is known by. */
export interface KnownPayee {
  readonly documentNumber: string | null;
  readonly pixKeys: readonly { readonly type: string; readonly key: string }[];
  readonly bankAccounts: readonly {
    readonly bank_code: string;
    readonly agency: string;
    readonly number: string;
    readonly digit: string;
    readonly holder_document: string;
  }[];
}

export type HolderCheck =
  /** The document of the place is the payee's own. */
  | { readonly result: 'same_document' }
  /** The place is one of those registered for the payee. */
  | { readonly result: 'registered' }
  | { readonly result: 'other_document'; readonly document: string }
  | { readonly result: 'unknown' };

/**
 * Compares the holder of a Pix key or bank account with the payee (MODEL §10); null for codes that name no holder.
 * Another establishment of the same company counts as the same document.
 */
export function holderOf(details: PaymentDetails, payee: KnownPayee): HolderCheck | null {
  switch (details.kind) {
    case 'pix_key':
      return holderOfKey(details.key, isTaxIdType(details.key_type), payee);
    case 'pix_code':
      // In a code a phone has its plus, so a key that reads as a tax id is one.
      return details.key === null ? null : holderOfKey(details.key, true, payee);
    case 'ted': {
      const known = payee.bankAccounts.find(
        (account) =>
          account.bank_code === details.bank_code &&
          account.agency === details.agency &&
          account.number === details.number &&
          account.digit === details.digit,
      );
      const document = details.holder_document ?? known?.holder_document;
      if (document !== undefined && document !== null) return compared(document, payee);
      return { result: 'unknown' };
    }
    default:
      return null;
  }
}

function holderOfKey(key: string, mayBeTaxId: boolean, payee: KnownPayee): HolderCheck {
  const document = mayBeTaxId ? parseTaxId(key) : null;
  if (document !== null) return compared(document.number, payee);
  return { result: payee.pixKeys.some((known) => known.key === key) ? 'registered' : 'unknown' };
}

function compared(document: string, { documentNumber }: KnownPayee): HolderCheck {
  if (documentNumber === null) return { result: 'unknown' };
  const root = cnpjRoot(document);
  const isSame = document === documentNumber || (root !== null && root === cnpjRoot(documentNumber));
  return isSame ? { result: 'same_document' } : { result: 'other_document', document };
}

function isTaxIdType(type: string): boolean {
  return type === 'cpf' || type === 'cnpj';
}
