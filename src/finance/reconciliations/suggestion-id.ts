/** A suggestion as text: all that accepting it takes, so that nothing has to be kept between asking and accepting. */

import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { CENTS_MAX, type Cents } from '../../core/money.ts';
import { type CandidateKind, candidateKinds, type Parts } from './matching/types.ts';

const VERSION = 1;
const ID_BYTES = 16;
/** Tells a mistyped id from a good one; it keeps nobody out, and everything is checked again. */
const CHECK_BYTES = 3;
const PARTS_MAX = 100;

/** Longer texts are no ids of ours. */
export const SUGGESTION_ID_MAX = 2_000;

const partNames = ['principal', 'discount', 'interest', 'fine', 'fee'] as const;

/** Which lines and which records, with their amounts in centavos. */
export interface SuggestionKey {
  readonly lines: readonly { readonly id: string; readonly amount: Cents }[];
  readonly documents: readonly {
    readonly kind: CandidateKind;
    readonly id: string;
    readonly parts: Parts;
  }[];
}

/** The id of a suggestion. */
export function encodeSuggestion({ lines, documents }: SuggestionKey): string {
  const bytes: number[] = [VERSION, lines.length];
  for (const { id, amount } of lines) bytes.push(...bytesOfId(id), ...bytesOfNumber(amount));
  bytes.push(documents.length);
  for (const { kind, id, parts } of documents) {
    bytes.push(candidateKinds.indexOf(kind), ...bytesOfId(id));
    const mask = partNames.reduce((sum, name, bit) => (parts[name] > 0 ? sum | (1 << bit) : sum), 0);
    bytes.push(mask);
    for (const name of partNames) if (parts[name] > 0) bytes.push(...bytesOfNumber(parts[name]));
  }
  const body = Buffer.from(bytes);
  return Buffer.concat([body, checkOf(body)]).toString('base64url');
}

/** What an id stands for; null when it is none of ours. */
export function decodeSuggestion(text: string): SuggestionKey | null {
  if (text.length > SUGGESTION_ID_MAX || !/^[A-Za-z0-9_-]+$/.test(text)) return null;
  const all = Buffer.from(text, 'base64url');
  const body = all.subarray(0, -CHECK_BYTES);
  if (all.length <= CHECK_BYTES || !checkOf(body).equals(all.subarray(-CHECK_BYTES))) return null;
  try {
    return read(body);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function read(body: Buffer): SuggestionKey {
  let at = 0;
  const byte = (): number => body.readUInt8(at++);
  const number = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const next = byte();
      value += (next & 127) * scale;
      if (value > CENTS_MAX) throw new RangeError('an amount that is too large');
      if (next < 128) return value;
    }
  };
  const id = (): string => {
    const hex = body.subarray(at, at + ID_BYTES).toString('hex');
    at += ID_BYTES;
    if (hex.length !== ID_BYTES * 2) throw new RangeError('an id that is cut off');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  };
  const each = <Item>(item: () => Item): Item[] => {
    const count = byte();
    if (count === 0 || count > PARTS_MAX) throw new RangeError('no such number of parts');
    return Array.from({ length: count }, item);
  };
  if (byte() !== VERSION) throw new RangeError('another version');
  const lines = each(() => ({ id: id(), amount: number() }));
  const documents = each(() => {
    const kind = candidateKinds[byte()];
    if (kind === undefined) throw new RangeError('no such kind');
    const documentId = id();
    const mask = byte();
    const parts = Object.fromEntries(
      partNames.map((name, bit) => [name, (mask >> bit) & 1 ? number() : 0]),
    ) as unknown as Parts;
    return { kind, id: documentId, parts };
  });
  if (at !== body.length) throw new RangeError('something is left over');
  return { lines, documents };
}

function bytesOfId(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

/** Seven bits a byte, the lowest first. */
function bytesOfNumber(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

function checkOf(body: Buffer): Buffer {
  return createHash('sha256').update(body).digest().subarray(0, CHECK_BYTES);
}
