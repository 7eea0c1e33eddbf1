/** Texts of our own, for messages that need no template: a proposal of agreement, and the notice before a report. */

import { formatTaxId } from '../../core/documents/tax-id.ts';
import { asData, chargeLines, dateIn, installmentLines, type MessageView, moneyIn } from './view.ts';

export type PlainKind = 'agreement' | 'prior_notice';

const NAME_MAX = 200;
const LINE_MAX = 300;

/** Subject and body in the language of the view; the subject tells nothing of a debt. */
export function plainMessage(kind: PlainKind, view: MessageView): { subject: string; body: string } {
  const texts = kind === 'agreement' ? agreementOf(view) : priorNoticeOf(view, figuresOf(view));
  return messageOf(view, texts);
}

/** A prior notice that waits to be sent: it names variables instead of amounts, which are then those of that day. */
export function plainNotice(view: Omit<MessageView, 'charges' | 'totalDueCents'>): {
  subject: string;
  body: string;
} {
  return messageOf(view, priorNoticeOf(view, { total: '{{total_due}}', lines: ['{{charges}}'] }));
}

function messageOf(
  view: Pick<MessageView, 'creditor' | 'person' | 'language'>,
  texts: Texts,
): { subject: string; body: string } {
  const paragraphs = [greetingOf(view), ...texts.paragraphs, signatureOf(view)];
  const body = paragraphs
    .map((lines) => lines.filter((line) => line !== '').join('\n'))
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');
  const creditor = asData(view.creditor.name, NAME_MAX);
  return { subject: creditor === '' ? texts.subject : `${creditor}: ${texts.subject}`, body };
}

/** What is owed, as a notice says it. */
interface Figures {
  readonly total: string;
  readonly lines: readonly string[];
}

const figuresOf = (view: MessageView): Figures => ({
  total: moneyIn(view.language, view.totalDueCents),
  lines: chargeLines(view),
});

interface Texts {
  /** What follows the name of the creditor. */
  readonly subject: string;
  readonly paragraphs: readonly (readonly string[])[];
}

function agreementOf(view: MessageView): Texts {
  const { agreement, language } = view;
  if (agreement === null || agreement === undefined) throw new TypeError('a proposal needs its agreement');
  const money = (cents: number) => moneyIn(language, cents);
  const until = dateIn(language, agreement.validUntil);
  const hasDiscount = agreement.discountCents > 0;
  if (language === 'en') {
    return {
      subject: 'a proposal for you',
      paragraphs: [
        ['We propose an agreement on the following:', ...chargeLines(view)],
        [
          hasDiscount ? `Total before the discount: ${money(agreement.originalTotalCents)}` : '',
          hasDiscount ? `Discount: ${money(agreement.discountCents)}` : '',
          `Total of the proposal: ${money(agreement.negotiatedTotalCents)}`,
        ],
        ['Installments:', ...installmentLines(agreement, language)],
        [`The proposal is open until ${until}. Nothing changes unless you accept it.`],
      ],
    };
  }
  return {
    subject: 'uma proposta para você',
    paragraphs: [
      ['Propomos um acordo sobre o seguinte:', ...chargeLines(view)],
      [
        hasDiscount ? `Total antes do desconto: ${money(agreement.originalTotalCents)}` : '',
        hasDiscount ? `Desconto: ${money(agreement.discountCents)}` : '',
        `Total da proposta: ${money(agreement.negotiatedTotalCents)}`,
      ],
      ['Parcelas:', ...installmentLines(agreement, language)],
      [`A proposta vale até ${until}. Nada muda se você não a aceitar.`],
    ],
  };
}

/** Says who announces what, of which debt, and how to object: what CDC art. 43 §2 asks of the notice. */
function priorNoticeOf(
  { notice, language }: Pick<MessageView, 'notice' | 'language'>,
  { total, lines }: Figures,
): Texts {
  const days = notice?.waitingDays ?? null;
  if (language === 'en') {
    const bureau = notice ? `the credit bureau ${notice.bureau}` : 'a credit bureau';
    const when =
      days === null ? 'after the time the law gives you' : `${days} days after you receive this notice`;
    return {
      subject: 'important notice for you',
      paragraphs: [
        [`We have not found the payment of the following, ${total} today:`, ...lines],
        [`If it stays unpaid, it may be registered with ${bureau}, ${when}.`],
        ['If you have paid, or do not recognise it, tell us: it is not registered while we look into it.'],
      ],
    };
  }
  const bureau = notice ? `na ${notice.bureau}` : 'em um cadastro de proteção ao crédito';
  const when =
    days === null ? 'depois do prazo que a lei lhe dá' : `${days} dias depois de você receber este aviso`;
  return {
    subject: 'comunicado importante para você',
    paragraphs: [
      [`Não localizamos o pagamento do seguinte, ${total} hoje:`, ...lines],
      [`Se continuar sem pagamento, poderá ser registrado ${bureau}, ${when}.`],
      ['Se já pagou, ou se não o reconhece, fale conosco: não é registrado enquanto verificamos.'],
    ],
  };
}

function greetingOf({ person, language }: Pick<MessageView, 'person' | 'language'>): string[] {
  const name = asData(person.name, NAME_MAX);
  return [language === 'en' ? `Dear ${name},` : `Olá, ${name}.`];
}

/** Who writes, and how to answer. */
function signatureOf({ creditor }: Pick<MessageView, 'creditor'>): string[] {
  const { name, documentNumber, phone, email, address } = creditor;
  const document = documentNumber === null ? null : `CNPJ ${formatTaxId(documentNumber)}`;
  return [name, document, phone, email, address].map((line) => asData(line, LINE_MAX));
}
