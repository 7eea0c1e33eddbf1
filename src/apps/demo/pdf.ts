/** PDF files made by hand: small ones, and ones of an exact size. Source: ISO 32000-1, file structure. */

import type { Random } from './random.ts';

/** A page with one line of text (ASCII without brackets). */
export function buildPdf(line: string): Buffer {
  return assemble(Buffer.from(`BT /F1 14 Tf 72 760 Td (${line}) Tj ET`, 'latin1'), []);
}

/** The same page, filled up to exactly `sizeBytes` with a stream of noise, so that it cannot be compressed. */
export function buildPdfOfSize(line: string, sizeBytes: number, random: Random): Buffer {
  const page = Buffer.from(`BT /F1 14 Tf 72 760 Td (${line}) Tj ET`, 'latin1');
  // The lengths printed in the file have as many digits for the full size as for the noise alone.
  const overhead = assemble(page, [Buffer.alloc(sizeBytes)]).length - sizeBytes;
  const file = assemble(page, [noise(sizeBytes - overhead, random)]);
  if (file.length !== sizeBytes) throw new RangeError(`no PDF of ${sizeBytes} bytes can be made`);
  return file;
}

function assemble(page: Buffer, streams: readonly Buffer[]): Buffer {
  const objects: Buffer[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> >> >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ].map((text) => Buffer.from(text, 'latin1'));
  objects.push(...[page, ...streams].map(streamOf));
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n', 'latin1')];
  const offsets: number[] = [];
  let position = parts[0]!.length;
  for (const [index, object] of objects.entries()) {
    const pieces = [Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')];
    offsets.push(position);
    position += pieces.reduce((sum, piece) => sum + piece.length, 0);
    parts.push(...pieces);
  }
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${position}\n%%EOF\n`,
      'latin1',
    ),
  );
  return Buffer.concat(parts);
}

function streamOf(bytes: Buffer): Buffer {
  const head = Buffer.from(`<< /Length ${bytes.length} >>\nstream\n`, 'latin1');
  return Buffer.concat([head, bytes, Buffer.from('\nendstream', 'latin1')]);
}

function noise(length: number, random: Random): Buffer {
  const words = new Uint32Array(Math.ceil(length / 4));
  for (let index = 0; index < words.length; index += 1) words[index] = random.bits();
  return Buffer.from(words.buffer, 0, length);
}
