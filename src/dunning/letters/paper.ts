/** Paper of the creditor: A4 pages in Portuguese with head and foot, on which lines, paragraphs and tables are put. */

import { type CivilDate, formatDateBr } from '../../core/dates.ts';
import { printable } from '../../core/text.ts';
import { documentOf, linesOf, put, REGULAR } from './text.ts';

export const MM = 72 / 25.4;

const MARGIN = 15 * MM;
const FOOT = 12 * MM;
const GREY = '#555555';
const RULE_GREY = '#bbbbbb';
const FOOT_SIZE = 8;
const FOOT_GREY = 0.333;
const LINE_GAP = 1.35;
/** Of Helvetica: where the baseline is below the top of a line. */
const ASCENDER = 0.718;

/** Whose letter it is. */
export interface Sender {
  readonly name: string;
  readonly documentNumber: string | null;
  readonly address: string | null;
  readonly phone: string | null;
  readonly email: string | null;
}

export interface PaperOptions {
  readonly title: string;
  readonly sender: Sender;
  /** The day of the letter; the only time that is inside the file, so that one day gives one file. */
  readonly on: CivilDate;
  readonly isLandscape?: boolean;
}

/** The letter while it is written; `y` is where the next thing goes. */
export interface Paper extends Readonly<PaperOptions> {
  readonly pdf: PDFKit.PDFDocument;
  readonly bytes: Promise<Buffer>;
  readonly left: number;
  readonly width: number;
  /** The lowest place for anything but the foot. */
  readonly bottom: number;
  readonly total: Total;
  /** Of short texts, which come again and again in columns of dates and amounts. */
  readonly widths: Map<string, number>;
  y: number;
  pages: number;
}

/** How many pages there are: every page shows the one form, which is written in the end. */
interface Total {
  readonly form: PDFKit.PDFKitReference;
  readonly font: PDFKit.PDFKitReference;
}

export interface Letter {
  readonly bytes: Buffer;
  readonly pages: number;
}

/** A first page with the head of the sender and the title. The library is loaded with the first letter. */
export async function openPaper(options: PaperOptions): Promise<Paper> {
  const { default: PDFDocument } = await import('pdfkit');
  const { sender, title, on, isLandscape = false } = options;
  const pdf = new PDFDocument({
    size: 'A4',
    layout: isLandscape ? 'landscape' : 'portrait',
    margin: 0,
    lang: 'pt-BR',
    info: { Title: title, Author: printable(sender.name), CreationDate: new Date(`${on}T12:00:00Z`) },
  });
  const paper: Paper = {
    ...options,
    pdf,
    bytes: readAll(pdf),
    left: MARGIN,
    width: pdf.page.width - 2 * MARGIN,
    bottom: pdf.page.height - MARGIN - FOOT,
    total: openTotal(pdf),
    widths: new Map(),
    y: MARGIN,
    pages: 1,
  };
  head(paper);
  return paper;
}

/** Ends the last page and gives the file. */
export async function closePaper(paper: Paper): Promise<Letter> {
  const { pdf, total, pages } = paper;
  foot(paper);
  total.font.end(undefined);
  total.form.end(`BT ${FOOT_GREY} g /F ${FOOT_SIZE} Tf 0 0 Td ( ${pages}) Tj ET`);
  pdf.end();
  return { bytes: await paper.bytes, pages };
}

/** Goes on to a new page when less than this height is left. True when it did. */
export function makeRoom(paper: Paper, height: number): boolean {
  if (paper.y + height <= paper.bottom) return false;
  foot(paper);
  // The page that ends here is written out; only the number of pages is still owed to it.
  paper.pdf.addPage();
  paper.pages += 1;
  paper.y = MARGIN;
  put(paper, `${paper.sender.name} - ${paper.title}`, {
    x: paper.left,
    y: paper.y,
    width: paper.width,
    size: FOOT_SIZE,
    color: GREY,
  });
  paper.y += 6 * MM;
  return true;
}

/** A heading of a part of the letter, on a page that has room for this height of it. */
export function heading(paper: Paper, text: string, room: number = 20 * MM): void {
  makeRoom(paper, room);
  paper.y += 3 * MM;
  put(paper, text, { x: paper.left, y: paper.y, width: paper.width, size: 11, isStrong: true });
  paper.y += 7 * MM;
}

/** A paragraph over the whole width, on as many lines and pages as it takes. */
export function paragraph(paper: Paper, text: string, style: { size?: number; gap?: number } = {}): void {
  const { size = 10.5, gap = 3 * MM } = style;
  for (const line of linesOf(paper, printable(text), size)) {
    makeRoom(paper, size * LINE_GAP);
    put(paper, line, { x: paper.left, y: paper.y, width: paper.width, size });
    paper.y += size * LINE_GAP;
  }
  paper.y += gap;
}

/** A name and a value side by side; a value that is too long ends with an ellipsis. */
export function field(paper: Paper, label: string, value: string): void {
  const height = 6 * MM;
  makeRoom(paper, height);
  const labelWidth = 45 * MM;
  put(paper, label, { x: paper.left, y: paper.y, width: labelWidth, size: 9, color: GREY });
  const x = paper.left + labelWidth;
  put(paper, value, { x, y: paper.y - 0.5, width: paper.width - labelWidth, size: 10 });
  paper.y += height;
}

/** Height of the place to sign. */
export const SIGNATURE = 34 * MM;

/** Where the sender signs, and the other side next to it where there is one. */
export function signatures(paper: Paper, parties: readonly Signing[]): void {
  makeRoom(paper, SIGNATURE);
  paper.y += 16 * MM;
  const top = paper.y;
  const width = paper.width / 2 - 5 * MM;
  for (const [index, { name, documentNumber, note }] of parties.entries()) {
    const x = paper.left + index * (width + 10 * MM);
    paper.y = top;
    line(paper, x, width, '#000000');
    paper.y += 1.5 * MM;
    for (const text of [name, documentOf(documentNumber), note ?? null]) {
      if (text === null) continue;
      put(paper, text, { x, y: paper.y, width, size: 9 });
      paper.y += 4.5 * MM;
    }
  }
}

/** Whoever signs. */
export interface Signing {
  readonly name: string;
  readonly documentNumber: string | null;
  readonly note?: string;
}

/** A line across the page. */
export function rule(paper: Paper, gap: number = 3 * MM): void {
  line(paper, paper.left, paper.width, RULE_GREY);
  paper.y += gap;
}

/** The day and the number of the page; the form that is still empty says of how many. */
function foot(paper: Paper): void {
  const { pdf, on, left, width, total, pages } = paper;
  const y = pdf.page.height - MARGIN - 3 * MM;
  const style = { y, width: width / 2, size: FOOT_SIZE, color: GREY } as const;
  put(paper, `Emitido em ${formatDateBr(on)}`, { ...style, x: left });
  const label = `Página ${pages} de`;
  const room = 6 * MM;
  put(paper, label, { ...style, x: left + width / 2 - room, align: 'right' });
  pdf.page.xobjects['Total'] = total.form;
  const baseline = y + FOOT_SIZE * ASCENDER;
  pdf.addContent(`q 1 0 0 -1 ${(left + width - room).toFixed(2)} ${baseline.toFixed(2)} cm /Total Do Q`);
}

function openTotal(pdf: PDFKit.PDFDocument): Total {
  const font = pdf.ref({ Type: 'Font', Subtype: 'Type1', BaseFont: REGULAR, Encoding: 'WinAnsiEncoding' });
  const form = pdf.ref({
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [0, -FOOT_SIZE, 40, FOOT_SIZE],
    Resources: { Font: { F: font } },
  });
  return { font, form };
}

function head(paper: Paper): void {
  const { sender, left, width } = paper;
  put(paper, sender.name, { x: left, y: paper.y, width, size: 14, isStrong: true });
  paper.y += 6.5 * MM;
  const reached = [documentOf(sender.documentNumber), sender.phone, sender.email].filter(
    (part) => part !== null,
  );
  for (const text of [reached.join(' - '), sender.address ?? '']) {
    if (text === '') continue;
    put(paper, text, { x: left, y: paper.y, width, size: 9, color: GREY });
    paper.y += 4.5 * MM;
  }
  paper.y += 2 * MM;
  rule(paper, 6 * MM);
  put(paper, paper.title, { x: left, y: paper.y, width, size: 15, isStrong: true });
  paper.y += 10 * MM;
}

function line(paper: Paper, x: number, width: number, color: string): void {
  paper.pdf
    .moveTo(x, paper.y)
    .lineTo(x + width, paper.y)
    .lineWidth(0.5)
    .strokeColor(color)
    .stroke();
}

function readAll(pdf: PDFKit.PDFDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
  });
}
