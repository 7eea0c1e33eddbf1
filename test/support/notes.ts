/** XML of fiscal documents that tests bring in, made of the fixtures, with right access keys. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accessKeyCheckDigit } from '../../src/core/documents/nfe-key.ts';
import type { Who, World } from './world.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/nfe');
const FIXTURE_KEY = '35260712ABC34501DE35550010000012341123456780';

/** Who issues and who receives the notes made here. */
export const ISSUER = '12ABC34501DE35';
export const RECIPIENT = '11222333000181';

export function fixtureFile(name: string): Buffer {
  return readFileSync(join(FIXTURES, name));
}

/** The access key of the note with this number. */
export function noteKey(number: number): string {
  const first = `35260712ABC34501DE3555001${String(number).padStart(9, '0')}112345678`;
  return `${first}${accessKeyCheckDigit(first)}`;
}

export interface NoteChanges {
  /** Replaces all installments: due date (null for none) and amount in reais. */
  readonly installments?: readonly (readonly [dueDate: string | null, amount: string])[];
  /** Texts replaced in the XML; each must be in it. */
  readonly replace?: Readonly<Record<string, string>>;
}

/** The note of three installments of 400.00 (net 1200.00, total 1234.56) under another number. */
export function noteXml(number: number, changes: NoteChanges = {}): Buffer {
  let xml = fixtureFile('three-installments.xml')
    .toString('utf8')
    .replaceAll(FIXTURE_KEY, noteKey(number))
    .replace('<nNF>1234<', `<nNF>${number}<`);
  if (changes.installments !== undefined) {
    const installments = changes.installments.map(([dueDate, amount], index) => {
      const date = dueDate === null ? '' : `<dVenc>${dueDate}</dVenc>`;
      return `<dup><nDup>${String(index + 1).padStart(3, '0')}</nDup>${date}<vDup>${amount}</vDup></dup>`;
    });
    xml = xml.replace(/<dup>[\s\S]*<\/dup>/, installments.join(''));
  }
  for (const [from, to] of Object.entries(changes.replace ?? {})) {
    if (!xml.includes(from)) throw new Error(`the note has no ${from}`);
    xml = xml.replace(from, to);
  }
  return Buffer.from(xml, 'utf8');
}

/** The registered cancellation of the note with this number. */
export function cancellationXml(number: number, replace: Readonly<Record<string, string>> = {}): Buffer {
  let xml = fixtureFile('cancellation.xml').toString('utf8').replaceAll(FIXTURE_KEY, noteKey(number));
  for (const [from, to] of Object.entries(replace)) {
    if (!xml.includes(from)) throw new Error(`the event has no ${from}`);
    xml = xml.replace(from, to);
  }
  return Buffer.from(xml, 'utf8');
}

/** Brings a file in and gives the answer: the document and its warnings. */
export function importNote(world: World, bytes: Buffer, more: object = {}, who: Who = 'owner') {
  const file = { name: 'nota.xml', content_base64: bytes.toString('base64') };
  return world.call('finance_fiscal_documents_import', { file, ...more }, who);
}

/** How many rows there are of everything an import may write. */
export async function importTraces(world: World): Promise<number[]> {
  const tables = [
    'fiscal_documents',
    'attachments',
    'attachment_contents',
    'attachment_links',
    'people',
    'payables',
  ];
  const counts = tables.map((table) => `(select count(*) from ${table})`).join(' + ');
  const rows = await world.look<{ rows: string; events: string }>(
    `select ${counts} as rows, (select count(*) from events) as events`,
  );
  return [Number(rows[0]!.rows), Number(rows[0]!.events)];
}
