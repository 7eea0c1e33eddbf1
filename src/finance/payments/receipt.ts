import { type CivilDate, formatDateBr } from '../../core/dates.ts';
import { formatTaxId } from '../../core/documents/tax-id.ts';
import { type Cents, formatBrl } from '../../core/money.ts';

export interface ReceiptData {
  readonly paymentId: string;
  readonly kind: string;
  readonly amount: Cents;
  readonly settledOn: CivilDate;
  readonly payer: { readonly legal_name: string; readonly document_number: string };
  readonly account: string;
  readonly payee: { readonly name: string; readonly document_number: string | null };
  readonly description: string;
  readonly reference: string;
  readonly authentication: string;
}

const kindNames: Readonly<Record<string, string>> = {
  boleto: 'Boleto',
  utility: 'Conta de consumo ou tributo',
  pix_key: 'Pix por chave',
  pix_code: 'Pix copia e cola',
  ted: 'TED',
};

/** The receipt of a confirmed order as plain text, in Portuguese, as suppliers ask for it. */
export function receiptText(data: ReceiptData): string {
  const lines: [string, string][] = [
    ['Pagador', named(data.payer.legal_name, data.payer.document_number)],
    ['Conta', data.account],
    ['Favorecido', named(data.payee.name, data.payee.document_number)],
    ['Descrição', data.description],
    ['Forma', kindNames[data.kind] ?? data.kind],
    ['Valor', formatBrl(data.amount)],
    ['Data da liquidação', formatDateBr(data.settledOn)],
    ['Referência do banco', data.reference],
    ['Autenticação', data.authentication],
    ['Pagamento', data.paymentId],
  ];
  return `COMPROVANTE DE PAGAMENTO\n\n${lines.map(([label, value]) => `${label}: ${value}`).join('\n')}\n`;
}

function named(name: string, documentNumber: string | null): string {
  return documentNumber === null ? name : `${name} (${formatTaxId(documentNumber)})`;
}
