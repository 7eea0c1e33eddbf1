/** How a debtor can pay: boleto, Pix code, address. Checked as they come in, compared with what is due. Pure. */

import { z } from 'zod';
import { readBoleto } from '../../core/documents/boleto.ts';
import { readPixCode } from '../../core/documents/pix.ts';
import { fail, failArgument } from '../../core/errors.ts';
import { text } from '../../core/fields.ts';
import type { Cents } from '../../core/money.ts';

const LINK_MAX = 500;
const linkError = `an https address of at most ${LINK_MAX} characters`;

export const paymentCodesArgument = z
  .strictObject({
    barcode: text(60).optional(),
    typed_line: text(80).optional(),
    pix_code: text(800).optional(),
    link: z
      .url({ protocol: /^https$/, error: linkError })
      .max(LINK_MAX, { error: linkError })
      .optional(),
  })
  .describe('How the debtor can pay; replaces all of it.');

/** Codes as stored. */
export interface StoredCodes {
  readonly barcode: string | null;
  readonly typed_line: string | null;
  readonly pix_code: string | null;
  readonly link: string | null;
}

/** A way to pay, and the amount that its code asks for; null when the payer says it. */
export interface Way {
  readonly method: 'boleto' | 'pix' | 'link';
  readonly code: string;
  readonly amountCents: Cents | null;
  /** The last day that the code itself names. */
  readonly dueDate: string | null;
}

/**
 * The checked form of what a caller sent; barcode and typed line each give the other. `today` decides which cycle a
 * due factor means. Fails with `invalid_barcode`, `invalid_pix_code`, or `invalid_argument` for two codes of a boleto
 * that are not of the same one.
 */
export function readCodes(given: z.output<typeof paymentCodesArgument>, today: string): StoredCodes {
  const typed = boletoOf(given.typed_line, 'typed_line', today);
  const barcode = boletoOf(given.barcode, 'barcode', today);
  if (typed !== null && barcode !== null && typed.barcode !== barcode.barcode) {
    failArgument('payment_options.barcode', 'the barcode of the typed line, or only one of the two');
  }
  const boleto = typed ?? barcode;
  return {
    barcode: boleto?.barcode ?? null,
    typed_line: boleto?.typedLine ?? null,
    pix_code: given.pix_code === undefined ? null : checkedPixCode(given.pix_code),
    link: given.link ?? null,
  };
}

/** The ways to pay by stored codes, the boleto first. */
export function waysToPay({ typed_line, pix_code, link }: StoredCodes, today: string): Way[] {
  const ways: Way[] = [];
  if (typed_line !== null) {
    const boleto = boletoOf(typed_line, 'typed_line', today)!;
    const { amountCents, dueDate } = boleto;
    ways.push({ method: 'boleto', code: boleto.typedLine, amountCents, dueDate });
  }
  if (pix_code !== null) {
    const pix = readPixCode(pix_code);
    // The charge behind a dynamic code decides by itself, so the amount printed in it binds nothing.
    const amountCents = pix.ok && pix.kind === 'static' ? pix.amountCents : null;
    ways.push({ method: 'pix', code: pix_code, amountCents, dueDate: null });
  }
  if (link !== null) ways.push({ method: 'link', code: link, amountCents: null, dueDate: null });
  return ways;
}

function boletoOf(code: string | undefined, field: string, today: string) {
  if (code === undefined) return null;
  const boleto = readBoleto(code, today);
  if (!boleto.ok) return fail('invalid_barcode', { path: `payment_options.${field}`, field: boleto.field });
  return boleto;
}

function checkedPixCode(code: string): string {
  const pix = readPixCode(code);
  if (!pix.ok) fail('invalid_pix_code', { path: 'payment_options.pix_code', reason: pix.reason });
  return code.trim().replace(/[\r\n]+/g, '');
}
