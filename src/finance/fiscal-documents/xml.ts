import { XMLParser, XMLValidator } from 'fast-xml-parser';

export const XML_BYTES_MAX = 10 * 1024 * 1024;
const DEPTH_MAX = 40;
/** A note with the 990 items its layout allows holds about 100,000 elements. */
const ELEMENTS_MAX = 200_000;
const TAG_LENGTH_MAX = 4096;
const DECLARATION_BYTES = 200;
const ATTRIBUTE = '@_';
const TEXT = '#text';

/** Labels of XML declarations by the decoder that reads them. The standard maps ISO-8859-1 to windows-1252. */
const DECODERS = new Map([
  ['utf-8', 'utf-8'],
  ['utf8', 'utf-8'],
  ['iso-8859-1', 'windows-1252'],
  ['iso8859_1', 'windows-1252'],
  ['iso-8859-15', 'iso-8859-15'],
  ['latin1', 'windows-1252'],
  ['windows-1252', 'windows-1252'],
  ['cp1252', 'windows-1252'],
  ['us-ascii', 'windows-1252'],
  ['ascii', 'windows-1252'],
]);

/** An element: its text, or its attributes ("@_name"), text ("#text") and children by name without prefix. */
export type XmlNode = string | { [name: string]: XmlNode | XmlNode[] };
export type XmlFailureCode = 'file_too_large' | 'unsupported_file' | 'unsafe_xml' | 'invalid_xml';
export type XmlFailure = { ok: false; code: XmlFailureCode; message: string };
export type XmlDocument = { ok: true; rootName: string; root: XmlNode; isEncodingWrong: boolean };

/**
 * An XML file read as text values only, never as numbers. Document type and entity declarations are refused, and size,
 * depth, number of elements and length of a tag are limited. Messages quote nothing from the file. Bytes that are not
 * the UTF-8 they claim to be are read as windows-1252 and flagged.
 */
export function readXml(bytes: Uint8Array): XmlDocument | XmlFailure {
  if (bytes.length > XML_BYTES_MAX) return failure('file_too_large', 'The file is larger than 10 MiB.');
  const decoded = decode(bytes);
  if (decoded === null)
    return failure('unsupported_file', 'The file declares a character encoding that is not read here.');
  const { text, isEncodingWrong } = decoded;
  const danger = dangerOf(text);
  if (danger !== null) return danger;
  try {
    const verdict = XMLValidator.validate(text);
    if (verdict !== true) {
      return failure('invalid_xml', `The file is not well-formed XML: look near line ${verdict.err.line}.`);
    }
    return rootOf(parser().parse(text) as Record<string, XmlNode | XmlNode[]>, isEncodingWrong);
  } catch {
    // The parser's own messages quote the file, so they are not passed on.
    return failure('invalid_xml', 'The file is not well-formed XML.');
  }
}

/** The only child on a path of names, or null when one is missing or comes more than once. */
export function childOf(node: XmlNode | null, ...path: string[]): XmlNode | null {
  let current = node;
  for (const name of path) {
    const found = childrenOf(current, name);
    if (found.length !== 1) return null;
    current = found[0]!;
  }
  return current;
}

/** All children with a name, one or many alike. */
export function childrenOf(node: XmlNode | null, name: string): XmlNode[] {
  if (node === null || typeof node === 'string' || !Object.hasOwn(node, name)) return [];
  const found = node[name]!;
  return Array.isArray(found) ? found : [found];
}

/** The text of the only child on a path, trimmed; null when there is none or it is empty. */
export function textOf(node: XmlNode | null, ...path: string[]): string | null {
  const found = childOf(node, ...path);
  const text = typeof found === 'string' ? found : childOf(found, TEXT);
  return typeof text === 'string' && text !== '' ? text : null;
}

/** The value of an attribute, or null. */
export function attributeOf(node: XmlNode | null, name: string): string | null {
  return textOf(node, ATTRIBUTE + name);
}

/** Byte order mark first, then the XML declaration, then UTF-8; null when the declared encoding is not known. */
function decode(bytes: Uint8Array): { text: string; isEncodingWrong: boolean } | null {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return { text: decodeAs('utf-16le', bytes), isEncodingWrong: false };
  if (first === 0xfe && second === 0xff) return { text: decodeAs('utf-16be', bytes), isEncodingWrong: false };
  const hasMark = first === 0xef && second === 0xbb && third === 0xbf;
  const encoding = hasMark ? 'utf-8' : DECODERS.get(declaredEncodingOf(bytes));
  if (encoding === undefined) return null;
  if (encoding !== 'utf-8') return { text: decodeAs(encoding, bytes), isEncodingWrong: false };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), isEncodingWrong: false };
  } catch {
    return { text: decodeAs('windows-1252', bytes), isEncodingWrong: true };
  }
}

function declaredEncodingOf(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, DECLARATION_BYTES)).toString('latin1');
  const declared = /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([^"']*)["']/.exec(start);
  return declared === null ? 'utf-8' : declared[1]!.toLowerCase();
}

function decodeAs(encoding: string, bytes: Uint8Array): string {
  return new TextDecoder(encoding).decode(bytes);
}

/** Refuses before parsing what could make the parser slow or make it read something else than the file. */
function dangerOf(text: string): XmlFailure | null {
  if (/<!\s*(?:DOCTYPE|ENTITY|ELEMENT|ATTLIST|NOTATION)/i.test(text)) {
    return failure(
      'unsafe_xml',
      'The file declares a document type or entities, which no fiscal document does.',
    );
  }
  let elements = 0;
  for (let start = text.indexOf('<'); start !== -1; start = text.indexOf('<', start + 1)) {
    const next = text[start + 1] ?? '';
    if (next === '/' || next === '!' || next === '?') continue;
    elements += 1;
    if (elements > ELEMENTS_MAX)
      return failure('unsafe_xml', `The file has more than ${ELEMENTS_MAX} elements.`);
    if (text.slice(start, start + TAG_LENGTH_MAX).includes('>')) continue;
    if (text.length - start >= TAG_LENGTH_MAX) {
      return failure('unsafe_xml', `The file has a tag longer than ${TAG_LENGTH_MAX} characters.`);
    }
  }
  return null;
}

function parser(): XMLParser {
  return new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: ATTRIBUTE,
    textNodeName: TEXT,
    removeNSPrefix: true,
    // Numbers would lose leading zeros and long keys.
    parseTagValue: false,
    parseAttributeValue: false,
    // Without this the parser leaves numeric character references as they are.
    htmlEntities: true,
    ignoreDeclaration: true,
    ignorePiTags: true,
    maxNestedTags: DEPTH_MAX,
  });
}

function rootOf(
  parsed: Record<string, XmlNode | XmlNode[]>,
  isEncodingWrong: boolean,
): XmlDocument | XmlFailure {
  const [rootName, ...others] = Object.keys(parsed).filter((name) => name !== TEXT);
  if (rootName === undefined) return failure('invalid_xml', 'The file holds no XML element.');
  const root = parsed[rootName]!;
  if (others.length > 0 || Array.isArray(root)) {
    return failure('invalid_xml', 'The file holds more than one XML document.');
  }
  return { ok: true, rootName, root, isEncodingWrong };
}

function failure(code: XmlFailureCode, message: string): XmlFailure {
  return { ok: false, code, message };
}
