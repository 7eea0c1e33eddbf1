/** A charge on paper: one A4 page in Portuguese with the slip of the boleto and the Pix code. */

import bwip from 'bwip-js/node';
import PDFDocument from 'pdfkit';
import { type CivilDate, formatDateBr } from '../../core/dates.ts';
import { modulo11Digit } from '../../core/documents/check-digits.ts';
import { itfElements } from '../../core/documents/itf.ts';
import { formatTaxId } from '../../core/documents/tax-id.ts';
import { formatBrl } from '../../core/money.ts';
import { printable } from '../../core/text.ts';
import { type Agreed, instructionsOf } from './words.ts';

const MM = 72 / 25.4;
const LEFT = 15 * MM;
const WIDTH = 180 * MM;
const ROW = 9 * MM;
const FOOT = 285 * MM;
/** FEBRABAN, boleto layout: the bars are 103 mm long and 13 mm high. */
const BARS_LENGTH = 103 * MM;
const BARS_HEIGHT = 13 * MM;
const QR_SIZE = 42 * MM;
const GREY = '#555555';
const INSTRUCTIONS_MAX = 8;

export interface ChargeDocument extends Agreed {
  readonly company: { readonly legal_name: string; readonly document_number: string };
  readonly customer: { readonly name: string; readonly document_number: string | null };
  readonly description: string;
  readonly documentNumber: string | null;
  readonly ourNumber: string;
  readonly issuedOn: CivilDate;
  readonly boleto: {
    readonly barcode: string;
    readonly typedLine: string;
    readonly agency: string | null;
    readonly account: string | null;
  } | null;
  readonly pixCode: string | null;
  /** Becomes the time of creation inside the file. */
  readonly now: Date;
}

type Pdf = PDFKit.PDFDocument;

/** The file. The same document gives the same text, whatever characters its names hold. */
export async function chargePdf(charge: ChargeDocument): Promise<Buffer> {
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    lang: 'pt-BR',
    info: { Title: 'Cobrança', Author: printable(charge.company.legal_name), CreationDate: charge.now },
  });
  const bytes = readAll(pdf);
  let y = header(pdf, charge);
  y = summary(pdf, charge, y);
  if (charge.pixCode !== null) y = pix(pdf, charge.pixCode, y);
  if (charge.boleto === null) instructions(pdf, charge, y);
  else slip(pdf, charge, charge.boleto, y);
  foot(pdf, charge.issuedOn);
  pdf.end();
  return bytes;
}

/** Where the bars of a barcode stand and how wide they are, in points; spaces are what is between them. */
export function barsOf(barcode: string, left: number): { x: number; width: number }[] {
  const elements = itfElements(barcode);
  const unit = BARS_LENGTH / elements.reduce((sum, modules) => sum + modules, 0);
  const bars: { x: number; width: number }[] = [];
  let x = left;
  for (const [index, modules] of elements.entries()) {
    if (index % 2 === 0) bars.push({ x, width: modules * unit });
    x += modules * unit;
  }
  return bars;
}

function header(pdf: Pdf, { company, boleto, pixCode }: ChargeDocument): number {
  const y = 15 * MM;
  const kind = boleto === null ? 'Pix' : pixCode === null ? 'Boleto' : 'Boleto e Pix';
  line(pdf, company.legal_name, { x: LEFT, y, width: 140 * MM, size: 14, font: 'Helvetica-Bold' });
  line(pdf, `CNPJ ${formatTaxId(company.document_number)}`, { x: LEFT, y: y + 6.5 * MM, width: 140 * MM });
  line(pdf, kind, { x: LEFT + 140 * MM, y, width: 40 * MM, size: 14, align: 'right' });
  return rule(pdf, y + 13 * MM);
}

function summary(pdf: Pdf, charge: ChargeDocument, y: number): number {
  const { customer, amount, dueDate, ourNumber, documentNumber, description } = charge;
  const name = named(customer.name, customer.document_number);
  field(pdf, 'Cliente', name, { x: LEFT, y, width: 120 * MM });
  field(pdf, 'Vencimento', formatDateBr(dueDate), { x: LEFT + 120 * MM, y, width: 30 * MM, isStrong: true });
  field(pdf, 'Valor', formatBrl(amount), { x: LEFT + 150 * MM, y, width: 30 * MM, isStrong: true });
  const below = y + ROW;
  field(pdf, 'Referente a', description, { x: LEFT, y: below, width: 100 * MM });
  field(pdf, 'Documento', documentNumber ?? '-', { x: LEFT + 100 * MM, y: below, width: 45 * MM });
  field(pdf, 'Nosso número', ourNumber, { x: LEFT + 145 * MM, y: below, width: 35 * MM });
  return rule(pdf, below + ROW + 2 * MM);
}

function pix(pdf: Pdf, code: string, y: number): number {
  qr(pdf, code, LEFT, y);
  const x = LEFT + QR_SIZE + 8 * MM;
  const width = WIDTH - QR_SIZE - 8 * MM;
  line(pdf, 'Pague com Pix', { x, y, width, size: 12, font: 'Helvetica-Bold' });
  line(pdf, 'Aponte a câmera do aplicativo do seu banco para o código ao lado ou copie o texto:', {
    x,
    y: y + 6 * MM,
    width,
  });
  pdf
    .font('Courier')
    .fontSize(8)
    .text(code, x, y + 12 * MM, { width, height: 30 * MM });
  return rule(pdf, y + QR_SIZE + 4 * MM);
}

function slip(
  pdf: Pdf,
  charge: ChargeDocument,
  boleto: NonNullable<ChargeDocument['boleto']>,
  top: number,
): void {
  const { company, customer, amount, dueDate, ourNumber, documentNumber, issuedOn } = charge;
  const right = LEFT + 130 * MM;
  const bank = boleto.barcode.slice(0, 3);
  line(pdf, `Banco ${bank}-${modulo11Digit(bank)}`, {
    x: LEFT,
    y: top,
    width: 30 * MM,
    size: 12,
    font: 'Helvetica-Bold',
  });
  line(pdf, boleto.typedLine, {
    x: LEFT + 30 * MM,
    y: top,
    width: 150 * MM,
    size: 12,
    font: 'Helvetica-Bold',
    align: 'right',
  });
  let y = rule(pdf, top + 6 * MM, 1.5 * MM);
  const place = 'Em qualquer banco, lotérica ou aplicativo';
  const rows: [string, string, string, string][] = [
    ['Local de pagamento', place, 'Vencimento', formatDateBr(dueDate)],
    ['Beneficiário', named(company.legal_name, company.document_number), 'Valor', formatBrl(amount)],
    ['Documento', documentNumber ?? '-', 'Nosso número', ourNumber],
    ['Emitido em', formatDateBr(issuedOn), 'Agência e conta do beneficiário', placeOf(boleto)],
    ['Pagador', named(customer.name, customer.document_number), 'Espécie', 'R$'],
  ];
  for (const [label, value, otherLabel, otherValue] of rows) {
    field(pdf, label, value, { x: LEFT, y, width: 128 * MM });
    field(pdf, otherLabel, otherValue, { x: right, y, width: 50 * MM });
    y = rule(pdf, y + ROW - 1 * MM, 1.5 * MM);
  }
  y = instructions(pdf, charge, y);
  pdf.fillColor('black');
  // Five millimetres stay free on both sides of the bars.
  for (const { x, width } of barsOf(boleto.barcode, LEFT + 5 * MM)) {
    pdf.rect(x, y + 2 * MM, width, BARS_HEIGHT).fill();
  }
  const label = 'Autenticação mecânica - ficha de compensação';
  line(pdf, label, {
    x: LEFT + 115 * MM,
    y: y + 2 * MM,
    width: 65 * MM,
    size: 7,
    align: 'right',
    color: GREY,
  });
}

function instructions(pdf: Pdf, charge: ChargeDocument, y: number): number {
  const sentences = instructionsOf(charge).slice(0, INSTRUCTIONS_MAX);
  line(pdf, 'Instruções', { x: LEFT, y, width: WIDTH, size: 7, color: GREY });
  for (const [index, sentence] of sentences.entries()) {
    line(pdf, sentence, { x: LEFT, y: y + (3.5 + 5 * index) * MM, width: WIDTH });
  }
  return rule(pdf, y + (4 + 5 * sentences.length) * MM);
}

function foot(pdf: Pdf, issuedOn: CivilDate): void {
  line(pdf, `Emitido em ${formatDateBr(issuedOn)}`, {
    x: LEFT,
    y: FOOT,
    width: 90 * MM,
    size: 8,
    color: GREY,
  });
  line(pdf, 'Página 1 de 1', {
    x: LEFT + 90 * MM,
    y: FOOT,
    width: 90 * MM,
    size: 8,
    align: 'right',
    color: GREY,
  });
}

/** Every module of the code as a square; four modules around it stay white. */
function qr(pdf: Pdf, text: string, left: number, top: number): void {
  const [matrix] = bwip.raw('qrcode', text, 'eclevel=M');
  if (matrix === undefined || !('pixs' in matrix)) throw new Error('the code gave no matrix');
  const { pixs, pixx } = matrix;
  const unit = QR_SIZE / pixx;
  pdf.fillColor('black');
  for (const [index, isDark] of pixs.entries()) {
    if (isDark === 0) continue;
    // A touch wider than a module, or viewers show hairs of white between neighbours.
    const size = unit * 1.02;
    pdf.rect(left + (index % pixx) * unit, top + Math.floor(index / pixx) * unit, size, size);
  }
  pdf.fill();
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** A small label with its value below; a value that does not fit ends with an ellipsis. */
function field(pdf: Pdf, label: string, value: string, place: Place & { isStrong?: boolean }): void {
  const width = place.width - 2 * MM;
  line(pdf, label, { ...place, width, size: 7, color: GREY });
  const font = place.isStrong === true ? 'Helvetica-Bold' : 'Helvetica';
  line(pdf, value, { x: place.x, y: place.y + 3 * MM, width, size: 10, font });
}

function line(
  pdf: Pdf,
  text: string,
  style: Place & { size?: number; font?: string; align?: 'left' | 'right'; color?: string },
): void {
  const { x, y, width, size = 9, font = 'Helvetica', align = 'left', color = 'black' } = style;
  pdf.font(font).fontSize(size).fillColor(color);
  pdf.text(printable(text), x, y, { width, height: size, align, ellipsis: true });
}

/** A line across the page; gives where the next text begins. */
function rule(pdf: Pdf, y: number, gap: number = 4 * MM): number {
  pdf
    .moveTo(LEFT, y)
    .lineTo(LEFT + WIDTH, y)
    .lineWidth(0.5)
    .strokeColor('#999999')
    .stroke();
  return y + gap;
}

function named(name: string, documentNumber: string | null): string {
  return documentNumber === null ? name : `${name} (${formatTaxId(documentNumber)})`;
}

function placeOf({ agency, account }: NonNullable<ChargeDocument['boleto']>): string {
  return [agency, account].filter((part) => part !== null).join(' / ') || '-';
}

function readAll(pdf: Pdf): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
  });
}
