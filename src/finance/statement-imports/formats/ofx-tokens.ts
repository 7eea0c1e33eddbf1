/**
 * The tags of OFX, SGML (1.x) and XML (2.x) alike, in one pass over the text. Nothing is required to close, a stray
 * ampersand or angle bracket is text, and entities other than the predefined ones stay as they are written: there is
 * no document type here that could define any.
 */

export interface OfxToken {
  /** Capitals, without a namespace. */
  readonly name: string;
  readonly isEnd: boolean;
  /** The text up to the next tag, entities decoded. */
  readonly value: string;
  /** Where the tag begins in the text. */
  readonly offset: number;
}

/** A tag longer than this is text; it bounds how far a lone angle bracket is followed. */
const TAG_LENGTH_MAX = 256;
const TAG = /^<(\/?)(?:[\w-]{1,32}:)?([A-Za-z][\w.-]{0,63})(?:\s[^<>]*)?\/?>/;
const CDATA = '<![CDATA[';
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi;
const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** A tag found in the text, or something to pass over. */
interface Mark {
  readonly start: number;
  readonly end: number;
  readonly tag: { readonly name: string; readonly isEnd: boolean } | null;
}

export function* ofxTokens(text: string): Generator<OfxToken> {
  let mark = nextMark(text, 0);
  while (mark !== null) {
    const { start, end, tag } = mark;
    const next: Mark | null = nextMark(text, end);
    if (tag !== null)
      yield { ...tag, value: valueBetween(text, end, next?.start ?? text.length), offset: start };
    mark = next;
  }
}

/** The line of the text an offset is in, from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** The next tag, comment, instruction or declaration from here on. Text in CDATA holds none of them. */
function nextMark(text: string, from: number): Mark | null {
  for (let at = text.indexOf('<', from); at !== -1; at = text.indexOf('<', at + 1)) {
    const kind = text.charCodeAt(at + 1);
    if (kind === EXCLAMATION || kind === QUESTION) {
      const end = endOfAside(text, at);
      if (end === -1) return null;
      if (!text.startsWith(CDATA, at)) return { start: at, end, tag: null };
      at = end - 1;
      continue;
    }
    const match = TAG.exec(text.slice(at, at + TAG_LENGTH_MAX));
    if (match === null) continue;
    const tag = { name: match[2]!.toUpperCase(), isEnd: match[1] === '/' };
    return { start: at, end: at + match[0].length, tag };
  }
  return null;
}

const EXCLAMATION = 0x21;
const QUESTION = 0x3f;

/** Behind a comment, CDATA, instruction or document type; -1 when it does not end. */
function endOfAside(text: string, at: number): number {
  if (text.startsWith('<!--', at)) return behind(text, '-->', at + 4);
  if (text.startsWith(CDATA, at)) return behind(text, ']]>', at + CDATA.length);
  if (text.startsWith('<?', at)) return behind(text, '?>', at + 2);
  const end = behind(text, '>', at);
  const subset = text.slice(at, end).indexOf('[');
  return end === -1 || subset === -1 ? end : behind(text, ']>', at + subset);
}

function behind(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? -1 : at + mark.length;
}

function valueBetween(text: string, start: number, end: number): string {
  const value = text.slice(start, end).trim();
  if (!value.includes('<') && !value.includes('&')) return value;
  if (!value.includes(CDATA)) return decoded(value);
  return value
    .split(CDATA)
    .map((part, index) => {
      if (index === 0) return decoded(part);
      const close = part.indexOf(']]>');
      return part.slice(0, close) + decoded(part.slice(close + 3));
    })
    .join('')
    .trim();
}

function decoded(text: string): string {
  return text.replace(ENTITY, (whole, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name !== undefined) return named[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hexadecimal!, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
