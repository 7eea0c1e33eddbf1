import { addDays, type CivilDate, daysBetween } from '../../core/dates.ts';
import { fail, failArgument } from '../../core/errors.ts';
import type { Cents } from '../../core/money.ts';
import { cleanOutsideText } from '../../core/text.ts';
import { findingsIn, type LintedText } from './lint.ts';
import type { RenderedText } from './render.ts';
import type { TemplateChannel, TemplateLanguage, Warning } from './schema.ts';
import { smsSizeOf } from './sms.ts';
import { unknownVariablesIn, variablesIn } from './variables.ts';
import type { MessageCharge, MessageCreditor, MessageView } from './view.ts';

/** Characters of a body by channel: what a provider takes, and six short messages. */
export const bodyMax: Readonly<Record<TemplateChannel, number>> = {
  email: 10_000,
  letter: 10_000,
  whatsapp: 1_000,
  sms: 918,
};

const LINE_MAX = 10_000;

/**
 * Refuses a text that may not be sent over its channel: a subject where there is none or none where there has to be one
 * (`invalid_argument`), variables that do not exist (`unknown_variable`), threats and whatever tells others of a debt
 * (`unsafe_template`).
 */
export function requireSendable(text: LintedText): void {
  const { channel, subject, body } = text;
  if ((channel === 'email') !== (subject !== null)) {
    failArgument(
      'subject',
      channel === 'email' ? 'a subject: e-mails have one' : 'nothing: only e-mails have a subject',
    );
  }
  if (body.length > bodyMax[channel]) failArgument('body', `text of 1 to ${bodyMax[channel]} characters`);
  const variables = [subject ?? '', body].flatMap((part) => unknownVariablesIn(part, channel));
  if (variables.length > 0) fail('unknown_variable', { variables: [...new Set(variables)] });
  const findings = findingsIn(text).filter(({ isRefused }) => isRefused);
  if (findings.length > 0) {
    fail('unsafe_template', { findings: findings.map(({ code, field, words }) => ({ code, field, words })) });
  }
}

/** Text of several lines without invisible characters; line breaks are LF, no space is left at the ends of lines. */
export function cleanLines(text: string): string {
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => cleanOutsideText(line, LINE_MAX))
    .join('\n')
    .trim();
}

/** What to look at before the text is sent: `rendered` is one message made of it. */
export function warningsOf(text: LintedText, rendered: RenderedText): Warning[] {
  const findings = findingsIn(text).filter(({ isRefused }) => !isRefused);
  return [
    ...findings.map(({ code, field, words }) => ({ code: code as Warning['code'], field, detail: words })),
    ...rendered.empty.map((name) => ({
      code: 'empty_variable' as const,
      field: variablesIn(text.body).some((variable) => variable.name === name)
        ? ('body' as const)
        : ('subject' as const),
      detail: name,
    })),
    ...(text.channel === 'sms' ? smsWarnings(rendered.body) : lengthWarnings(text.channel, rendered.body)),
  ];
}

/** What is longer once its values are in than a template of its channel may be. */
function lengthWarnings(channel: TemplateChannel, body: string): Warning[] {
  if (body.length <= bodyMax[channel]) return [];
  return [{ code: 'too_long', field: 'body', detail: `${body.length} of ${bodyMax[channel]} characters` }];
}

function smsWarnings(body: string): Warning[] {
  const { segments, isPlain } = smsSizeOf(body);
  if (segments === 1) return [];
  return [
    { code: 'several_messages', field: 'body', detail: String(segments) },
    ...(isPlain ? [] : [{ code: 'not_plain_letters' as const, field: 'body' as const, detail: 'accents' }]),
  ];
}

/** Charges that nobody owes. */
export interface Sample {
  readonly amount?: Cents | undefined;
  readonly due_date?: CivilDate | undefined;
  readonly charges?: number | undefined;
}

const SAMPLE_AMOUNT = 10_000;
const SAMPLE_DAYS_LATE = 10;

/** What a template is shown with when there is no charge: made-up ones. */
export function sampleView(given: {
  creditor: MessageCreditor;
  sample: Sample;
  today: CivilDate;
  language: TemplateLanguage;
}): MessageView {
  const { creditor, sample, today, language } = given;
  const isPortuguese = language === 'pt-BR';
  const amountCents = sample.amount ?? SAMPLE_AMOUNT;
  const dueDate = sample.due_date ?? addDays(today, -SAMPLE_DAYS_LATE);
  const charges = Array.from({ length: sample.charges ?? 1 }, (_, index): MessageCharge => {
    return {
      description: isPortuguese ? `Mensalidade ${index + 1}` : `Monthly fee ${index + 1}`,
      documentNumber: `NF-${1001 + index}`,
      dueDate,
      amountCents,
      amountDueCents: amountCents,
      paymentOptions: samplePaymentOptions,
      daysLate: Math.max(0, daysBetween(dueDate, today)),
    };
  });
  return {
    creditor,
    person: { name: isPortuguese ? 'Nome do devedor' : 'Name of the debtor', documentNumber: '52998224725' },
    charges,
    totalDueCents: amountCents * charges.length,
    today,
    language,
  };
}

const samplePaymentOptions = {
  typedLine: '34191.23454 67890.123457 67890.123457 8 15100000123456',
  pixCode: '00020126360014br.gov.bcb.pix',
  link: 'https://example.com/pay',
};
