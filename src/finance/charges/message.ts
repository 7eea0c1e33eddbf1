/** The message that carries a charge to its customer. Its subject names the sender and tells nothing of the debt. */

import { formatDateBr } from '../../core/dates.ts';
import { formatBrl } from '../../core/money.ts';
import { cleanOutsideText } from '../../core/text.ts';
import { type Agreed, instructionsOf } from './words.ts';

const NAME_MAX = 120;
const DESCRIPTION_MAX = 300;

export interface ChargeMessage extends Agreed {
  readonly companyName: string;
  readonly customerName: string;
  readonly description: string;
  readonly typedLine: string | null;
  readonly pixCode: string | null;
}

/** Subject, plain text and HTML in Portuguese. */
export function messageOf(charge: ChargeMessage): { subject: string; text: string; html: string } {
  const company = cleanOutsideText(charge.companyName, NAME_MAX);
  const paragraphs = paragraphsOf(charge, company);
  const text = `${paragraphs.map((lines) => lines.join('\n')).join('\n\n')}\n`;
  const blocks = paragraphs.map((lines) => `<p>${lines.map(escapeHtml).join('<br>')}</p>`);
  return {
    subject: `${company}: seu documento de pagamento`,
    text,
    html: `<!doctype html><html lang="pt-BR"><body>${blocks.join('')}</body></html>`,
  };
}

function paragraphsOf(charge: ChargeMessage, company: string): string[][] {
  const { typedLine, pixCode } = charge;
  return [
    [`Olá, ${cleanOutsideText(charge.customerName, NAME_MAX)}.`],
    [
      `${company} enviou um documento de pagamento, que está no anexo.`,
      `Referente a: ${cleanOutsideText(charge.description, DESCRIPTION_MAX)}`,
      `Valor: ${formatBrl(charge.amount)}`,
      `Vencimento: ${formatDateBr(charge.dueDate)}`,
    ],
    ...(typedLine === null ? [] : [['Linha digitável do boleto:', typedLine]]),
    ...(pixCode === null ? [] : [['Pix copia e cola:', pixCode]]),
    instructionsOf(charge),
  ];
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
