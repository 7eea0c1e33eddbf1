/** Boletos that banks announced for a CNPJ (DDA), as Kobana gathered them. */

import { z } from 'zod';
import { firstLateDay, NO_TERMS, type Terms } from '../../../core/accruals.ts';
import { parseTaxId } from '../../../core/documents/tax-id.ts';
import { parsePercent } from '../../../core/money.ts';
import { cleanOutsideText } from '../../../core/text.ts';
import { type AnnouncedBoleto, BankRefused, type DdaDesk } from '../port.ts';
import type { KobanaHttp } from './http.ts';
import { recordsOf } from './pages.ts';
import { announcedStatuses } from './states.ts';
import { civilDate, readAs, reais } from './values.ts';

const PATH = '/v2/payment/dda_bank_billets';
const NAME_MAX = 200;
const DOCUMENT_MAX = 60;

const percentage = z
  .number()
  .transform(parsePercent)
  .refine((value) => value !== null);

const boletoForm = z.object({
  uid: z.string().min(1),
  status: z.string(),
  external_status: z.enum(Object.keys(announcedStatuses) as (keyof typeof announcedStatuses)[]).nullish(),
  barcode: z.string().nullish(),
  our_number: z.string().nullish(),
  nominal_amount: reais.nullish(),
  amount: reais.nullish(),
  min_payment_amount: reais.nullish(),
  max_payment_amount: reais.nullish(),
  allow_parcial_payment: z.boolean().nullish(),
  expire_at: civilDate.nullish(),
  issue_date: civilDate.nullish(),
  beneficiary_name: z.string().nullish(),
  beneficiary_cnpj_cpf: z.string().nullish(),
  owner_cnpj_cpf: z.string().nullish(),
  fine_amount: reais.nullish(),
  fine_percentage: percentage.nullish(),
  fine_date: civilDate.nullish(),
  interest_amount: reais.nullish(),
  interest_percentage: percentage.nullish(),
  interest_date: civilDate.nullish(),
  discount_amount: reais.nullish(),
  discount_date: civilDate.nullish(),
});

type KobanaBoleto = z.output<typeof boletoForm>;

const rejectedForm = z.object({ data: z.object({ status: z.string() }) });

export function createDdaDesk(http: KobanaHttp): DdaDesk {
  return {
    async announced({ holderDocument }, from, to) {
      const found: AnnouncedBoleto[] = [];
      for await (const page of recordsOf(http, PATH, boletoForm)) {
        for (const record of page) {
          const boleto = announcedOf(record);
          if (boleto === undefined || boleto.payerDocument !== holderDocument) continue;
          if (boleto.dueDate >= from && boleto.dueDate <= to) found.push(boleto);
        }
      }
      return found;
    },
    async reject(reference) {
      const path = `${PATH}/${encodeURIComponent(reference)}`;
      const written = await http.write('PUT', `${path}/reject`, undefined, `${reference}.reject`);
      if (written.kind === 'done') return;
      // Refused as well when it was rejected before, which is what was asked for.
      const body = await http.read(path);
      if (body !== null && readAs(rejectedForm, body, `GET ${path}`).data.status === 'rejected') return;
      throw new BankRefused(written.reason);
    },
  };
}

/** Undefined while Kobana still gathers it: without code, amount or day there is nothing to show or pay. */
function announcedOf(record: KobanaBoleto): AnnouncedBoleto | undefined {
  const { barcode, expire_at: dueDate, beneficiary_cnpj_cpf: beneficiary, owner_cnpj_cpf: owner } = record;
  const nominalAmount = record.nominal_amount ?? record.amount;
  if (barcode == null || dueDate == null || nominalAmount == null || beneficiary == null || owner == null) {
    return undefined;
  }
  return {
    reference: record.uid,
    barcode,
    beneficiary: {
      name: cleanOutsideText(record.beneficiary_name ?? '', NAME_MAX),
      documentNumber: parseTaxId(beneficiary)?.number ?? beneficiary,
    },
    payerDocument: parseTaxId(owner)?.number ?? owner,
    documentNumber: record.our_number == null ? null : cleanOutsideText(record.our_number, DOCUMENT_MAX),
    nominalAmount,
    amount: record.amount ?? nominalAmount,
    minAmount: record.min_payment_amount ?? null,
    maxAmount: record.max_payment_amount ?? null,
    allowsPartial: record.allow_parcial_payment ?? false,
    issueDate: record.issue_date ?? null,
    dueDate,
    terms: termsOf(record, dueDate),
    status: announcedStatuses[record.external_status ?? 'open'],
  };
}

/**
 * What was agreed about paying early or late; null where the API leaves it open: a percentage of interest may be a day's
 * or a month's, and dates later than the first late day have no place in our terms.
 */
function termsOf(record: KobanaBoleto, dueDate: string): Terms | null {
  const firstLate = firstLateDay(dueDate, 0);
  const isDeferred = [record.fine_date, record.interest_date].some(
    (date) => date != null && date > firstLate,
  );
  if (isDeferred || (record.interest_percentage ?? 0) > 0) return null;
  const fineCents = record.fine_amount ?? 0;
  const finePercent = record.fine_percentage ?? 0;
  const discountCents = record.discount_amount ?? 0;
  const interestCents = record.interest_amount ?? 0;
  return {
    ...NO_TERMS,
    ...(finePercent > 0 && { fine: { kind: 'percent', percent: finePercent } as const }),
    ...(fineCents > 0 && { fine: { kind: 'fixed', cents: fineCents } as const }),
    ...(interestCents > 0 && {
      interest: { kind: 'fixed_per_day', cents: interestCents, days: 'calendar' } as const,
    }),
    ...(discountCents > 0 &&
      record.discount_date != null && {
        discounts: [{ kind: 'fixed', cents: discountCents, until: record.discount_date } as const],
      }),
  };
}
