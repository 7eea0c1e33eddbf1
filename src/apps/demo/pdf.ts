/** PDF files made by hand: small ones, and ones of an exact size. Source: ISO 32000-1, file structure. */

import type { Random } from './random.ts';

const NOISE_BLOCK_BYTES = 65_536;

/** A page with one line of text (ASCII without brackets). */
export function buildPdf(line: string): Buffer {
  const { before, after } = around(line, null);
  return Buffer.concat([before, after]);
}

/** The same page in a file of exactly `sizeBytes`: a stream of noise, which no page shows, fills it up. */
export function buildPdfOfSize(line: string, sizeBytes: number, random: Random): Buffer {
  // The numbers printed in the file have as many digits for the whole size as for the noise alone.
  const frame = around(line, sizeBytes);
  const noiseBytes = sizeBytes - frame.before.length - frame.after.length;
  const { before, after } = around(line, noiseBytes);
  if (before.length + noiseBytes + after.length !== sizeBytes) {
    throw new RangeError(`no PDF of ${sizeBytes} bytes can be made`);
  }
  const block = new Uint32Array(NOISE_BLOCK_BYTES / 4).map(() => random.bits());
  // One block again and again: the file is copied into one buffer and nothing of it computed twice.
  const file = Buffer.alloc(sizeBytes, Buffer.from(block.buffer));
  before.copy(file);
  after.copy(file, sizeBytes - after.length);
  return file;
}

/** What comes before and after the bytes of the last stream; without one (null), the whole file. */
function around(line: string, streamBytes: number | null): { before: Buffer; after: Buffer } {
  const page = `BT /F1 14 Tf 72 760 Td (${line}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> >> >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Length ${page.length} >>\nstream\n${page}\nendstream`,
  ];
  const offsets: number[] = [];
  let text = '%PDF-1.4\n';
  for (const [index, object] of objects.entries()) {
    offsets.push(text.length);
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  if (streamBytes === null) return { before: Buffer.from(text), after: endOf(offsets, text.length) };
  offsets.push(text.length);
  text += `6 0 obj\n<< /Length ${streamBytes} >>\nstream\n`;
  const close = '\nendstream\nendobj\n';
  const end = endOf(offsets, text.length + streamBytes + close.length);
  return { before: Buffer.from(text), after: Buffer.concat([Buffer.from(close), end]) };
}

/** The table of where objects begin, which itself begins at `position`. */
function endOf(offsets: readonly number[], position: number): Buffer {
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = offsets.length + 1;
  return Buffer.from(
    `xref\n0 ${size}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${position}\n%%EOF\n`,
  );
}
