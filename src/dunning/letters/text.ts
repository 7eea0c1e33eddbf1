/** Text on paper: one line at a place, in characters that every reader of PDF has. */

import { formatTaxId } from '../../core/documents/tax-id.ts';
import { printable } from '../../core/text.ts';
import type { Paper } from './paper.ts';

export const REGULAR = 'Helvetica';
const WIDTHS_MAX = 5_000;
const SHORT_MAX = 14;
const BOLD = 'Helvetica-Bold';

export interface Style {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
  readonly isStrong?: boolean;
  readonly align?: 'left' | 'right';
  readonly color?: string;
}

/** One line of text at a place; what does not fit ends with an ellipsis. */
export function put(paper: Paper, text: string, style: Style): void {
  const { x, y, width, size, isStrong = false, align = 'left', color = 'black' } = style;
  const { pdf } = paper;
  pdf
    .font(isStrong ? BOLD : REGULAR)
    .fontSize(size)
    .fillColor(color);
  let shown = printable(text);
  let shownWidth = widthOf(paper, shown, style);
  if (shownWidth > width) {
    shown = `${shown.slice(0, lengthWithin(pdf, shown, width - pdf.widthOfString('…'))).trimEnd()}…`;
    shownWidth = width;
  }
  const shift = align === 'right' ? width - shownWidth : 0;
  // Its own breaking of lines would take longer than everything else together.
  pdf.text(shown, x + shift, y, { lineBreak: false });
}

/** `CNPJ 11.222.333/0001-81` or `CPF …`; null without one. */
export function documentOf(documentNumber: string | null): string | null {
  if (documentNumber === null) return null;
  return `${documentNumber.length === 11 ? 'CPF' : 'CNPJ'} ${formatTaxId(documentNumber)}`;
}

/** Lines of whole words; a word longer than a line is cut where the line ends. */
export function linesOf({ pdf, width }: Paper, text: string, size: number): string[] {
  pdf.font(REGULAR).fontSize(size);
  const lines: string[] = [];
  let current = '';
  for (const word of text.split(' ')) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (pdf.widthOfString(longer) <= width) {
      current = longer;
      continue;
    }
    if (current !== '') lines.push(current);
    current = word;
    while (pdf.widthOfString(current) > width) {
      const length = lengthWithin(pdf, current, width);
      lines.push(current.slice(0, length));
      current = current.slice(length);
    }
  }
  return [...lines, current];
}

/** In the font that is set. Measuring takes most of the time of a table, so short texts are measured once. */
function widthOf({ pdf, widths }: Paper, text: string, { size, isStrong = false }: Style): number {
  if (text.length > SHORT_MAX) return pdf.widthOfString(text);
  const key = `${isStrong ? 1 : 0}/${size}/${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  const width = pdf.widthOfString(text);
  if (widths.size < WIDTHS_MAX) widths.set(key, width);
  return width;
}

/** How many characters fit, at least one. */
function lengthWithin(pdf: PDFKit.PDFDocument, text: string, width: number): number {
  let [fits, tooMany] = [1, text.length];
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if (pdf.widthOfString(text.slice(0, middle)) <= width) fits = middle;
    else tooMany = middle;
  }
  return fits;
}
