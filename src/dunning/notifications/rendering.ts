/** Messages as the debtor reads them: texts, and the figures of the day they leave. */

import type { CivilDate } from '../../core/dates.ts';
import type { Context } from '../../core/operation.ts';
import type { Amounts } from '../../core/terms.ts';
import { amountsOfMany, type ChargeRow, requireCharges } from '../charges/index.ts';
import type { Settings } from '../settings/index.ts';
import {
  type MessageText,
  messageChargeOf,
  messageCreditorOf,
  messageValues,
  renderText,
  versionKey,
  versionTexts,
} from '../templates/index.ts';

export interface Recipient {
  readonly name: string;
  readonly documentNumber: string | null;
}

/** A text and the language that dates and amounts in it are written in. */
export interface Wording extends MessageText {
  readonly language: 'pt-BR' | 'en';
}

export interface Owed {
  readonly row: ChargeRow;
  readonly amounts: Amounts;
}

/** Subject and body of one message. */
export function renderMessage(
  settings: Settings,
  wording: Wording,
  message: { readonly person: Recipient; readonly charges: readonly Owed[]; readonly today: CivilDate },
): MessageText {
  const { person, charges, today } = message;
  const values = messageValues({
    creditor: messageCreditorOf(settings),
    person: { name: person.name, documentNumber: person.documentNumber },
    charges: charges.map(({ row, amounts }) => messageChargeOf(row, amounts)),
    totalDueCents: totalDueOf(charges),
    today,
    language: wording.language,
  });
  const { subject, body } = renderText(wording, values);
  return { subject, body };
}

/** What the charges come to together, in centavos. */
export function totalDueOf(charges: readonly Owed[]): number {
  return charges.reduce((sum, { amounts }) => sum + amounts.amountDue, 0);
}

/** The charges with what is owed on a date, by their ids: a few statements whatever their number, no locks. */
export async function owedOf(
  context: Context,
  chargeIds: readonly string[],
  on: CivilDate = context.today,
): Promise<ReadonlyMap<string, Owed>> {
  const reading = { ...context, isWriting: false };
  const rows = await requireCharges(reading, [...new Set(chargeIds)]);
  const amounts = await amountsOfMany(reading, rows, on);
  return new Map(rows.map((row) => [row.id, { row, amounts: amounts.get(row.id)! }]));
}

interface Worded {
  readonly template_id: string | null;
  readonly template_version: number | null;
  readonly own_subject: string | null;
  readonly own_body: string | null;
}

/** Finds the text of each message: its own, or that of the version of its template. Undefined when there is none. */
export async function wordingsOf<Row extends Worded>(
  context: Context,
  rows: readonly Row[],
): Promise<(row: Row & { readonly person_language: string }) => Wording | undefined> {
  const versions = rows.flatMap(({ template_id: templateId, template_version: textVersion }) =>
    templateId === null || textVersion === null ? [] : [{ templateId, textVersion }],
  );
  const texts = await versionTexts({ ...context, isWriting: false }, versions);
  return (row) => {
    if (row.own_body !== null) {
      return {
        subject: row.own_subject,
        body: row.own_body,
        language: row.person_language === 'en' ? 'en' : 'pt-BR',
      };
    }
    if (row.template_id === null || row.template_version === null) return undefined;
    return texts.get(versionKey({ templateId: row.template_id, textVersion: row.template_version }));
  };
}
