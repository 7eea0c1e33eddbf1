/** What a message may tell, as values; and the words they become in each language. */

import { type CivilDate, formatDateBr } from '../../core/dates.ts';
import { formatTaxId, maskTaxId } from '../../core/documents/tax-id.ts';
import { type Cents, formatBrl, formatMoney } from '../../core/money.ts';
import { cleanOutsideText } from '../../core/text.ts';
import type { TemplateLanguage } from './schema.ts';

const NAME_MAX = 200;
const DESCRIPTION_MAX = 300;
const ADDRESS_MAX = 300;
const CODE_MAX = 600;
const LINK_MAX = 500;

export interface MessageParty {
  readonly name: string;
  readonly documentNumber: string | null;
}

export interface MessageCreditor extends MessageParty {
  readonly address: string | null;
  readonly phone: string | null;
  readonly email: string | null;
}

/** How a charge can be paid. */
export interface PaymentOptions {
  readonly typedLine: string | null;
  readonly pixCode: string | null;
  readonly link: string | null;
}

export interface MessageCharge {
  readonly description: string;
  readonly documentNumber: string | null;
  readonly dueDate: CivilDate;
  /** Face value. */
  readonly amountCents: Cents;
  /** On the day of the view. */
  readonly amountDueCents: Cents;
  readonly paymentOptions: PaymentOptions;
  readonly daysLate: number;
}

export interface MessageAgreement {
  readonly originalTotalCents: Cents;
  readonly discountCents: Cents;
  readonly negotiatedTotalCents: Cents;
  readonly installments: readonly {
    readonly number: number;
    readonly dueDate: CivilDate;
    readonly amountCents: Cents;
  }[];
  readonly validUntil: CivilDate;
}

/** What a prior notice announces. */
export interface MessageNotice {
  /** The credit bureau, as people know it. */
  readonly bureau: string;
  /** Days that pass between the notice and the report. */
  readonly waitingDays: number;
}

export interface MessageView {
  readonly creditor: MessageCreditor;
  readonly person: MessageParty;
  readonly charges: readonly MessageCharge[];
  readonly totalDueCents: Cents;
  /** For our own text of a proposal; templates have no variables of it, because no message made of one is about it. */
  readonly agreement?: MessageAgreement | null;
  /** For our own text of a prior notice. */
  readonly notice?: MessageNotice | null;
  readonly today: CivilDate;
  readonly language: TemplateLanguage;
}

/** The texts of variables; those of a charge once for each. Data: never read as a template again. */
export interface Values {
  readonly shared: Readonly<Record<string, string>>;
  readonly charges: readonly Readonly<Record<string, string>>[];
}

/** The text of every variable for one message. What has no value is the empty text. */
export function messageValues(view: MessageView): Values {
  const { creditor, person, charges, language, today } = view;
  return {
    shared: {
      debtor_name: asData(person.name, NAME_MAX),
      debtor_document: person.documentNumber === null ? '' : maskTaxId(person.documentNumber),
      creditor_name: asData(creditor.name, NAME_MAX),
      creditor_document: creditor.documentNumber === null ? '' : formatTaxId(creditor.documentNumber),
      creditor_address: asData(creditor.address, ADDRESS_MAX),
      creditor_phone: asData(creditor.phone, NAME_MAX),
      creditor_email: asData(creditor.email, NAME_MAX),
      today: dateIn(language, today),
      charge_count: String(charges.length),
      charges: chargeLines(view).join('\n'),
      total_due: moneyIn(language, view.totalDueCents),
    },
    charges: charges.map((charge) => chargeValues(charge, language)),
  };
}

/** An amount as people write it: "R$ 1.234,56" or "R$ 1,234.56". */
export function moneyIn(language: TemplateLanguage, cents: Cents): string {
  if (language === 'pt-BR') return formatBrl(cents);
  return formatMoney(cents).replace(/^(-?)(\d+)/, (_all, sign: string, reais: string) => {
    return `${sign}R$ ${reais.replace(/\B(?=(\d{3})+$)/g, ',')}`;
  });
}

/** A date as people write it; in English the form that no reader takes for another day. */
export function dateIn(language: TemplateLanguage, date: CivilDate): string {
  return language === 'pt-BR' ? formatDateBr(date) : date;
}

/** A line for each charge, with its own amount due. */
export function chargeLines({ charges, language }: MessageView): string[] {
  const due = language === 'pt-BR' ? 'vencimento' : 'due';
  return charges.map((charge) => {
    const {
      charge_description: what,
      charge_number: number,
      charge_due_date: date,
    } = chargeValues(charge, language);
    const named = number === '' ? what : `${what} (${number})`;
    return `- ${named}, ${due} ${date}: ${moneyIn(language, charge.amountDueCents)}`;
  });
}

/** A line for each installment. */
export function installmentLines({ installments }: MessageAgreement, language: TemplateLanguage): string[] {
  return installments.map(
    ({ number, dueDate, amountCents }) =>
      `${number}: ${dateIn(language, dueDate)}, ${moneyIn(language, amountCents)}`,
  );
}

/**
 * Text of others on one line, its double braces parted: whatever a message is made of stays text even where the message
 * is read as a template once more.
 */
export function asData(text: string | null, max: number): string {
  if (text === null) return '';
  return cleanOutsideText(text, max).replace(/(?<=\{)(?=\{)|(?<=\})(?=\})/g, ' ');
}

function chargeValues(charge: MessageCharge, language: TemplateLanguage) {
  const { paymentOptions } = charge;
  return {
    charge_description: asData(charge.description, DESCRIPTION_MAX),
    charge_number: asData(charge.documentNumber, NAME_MAX),
    charge_due_date: dateIn(language, charge.dueDate),
    charge_amount: moneyIn(language, charge.amountCents),
    charge_amount_due: moneyIn(language, charge.amountDueCents),
    charge_days_late: String(charge.daysLate),
    charge_typed_line: asData(paymentOptions.typedLine, CODE_MAX),
    charge_pix_code: asData(paymentOptions.pixCode, CODE_MAX),
    charge_link: asData(paymentOptions.link, LINK_MAX),
  };
}
