import { AppError, fail, failArgument } from '../../core/errors.ts';
import { cleanOutsideText } from '../../core/text.ts';

/** Of decoded bytes, inclusive: 10 MiB (PROTOCOL C-30). */
export const FILE_BYTES_MAX = 10 * 1024 * 1024;

const FILE_NAME_MAX = 200;
/** Enough to see the declaration and the root element behind a licence comment. */
const HEAD_BYTES = 4096;
const UNKNOWN_TYPE = 'application/octet-stream';
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const JPEG = Buffer.from('ffd8ff', 'hex');
const BYTE_ORDER_MARK = Buffer.from('efbbbf', 'hex');

/** C0 controls other than tab, line feed, form feed and carriage return, and DEL: no text file has them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROLS = /[\x00-\x08\x0b\x0e-\x1f\x7f]/;

/** Declarations, comments, instructions and a document type, all of which may stand before the root element. */
const PROLOG = /^(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!doctype[^>[]*(?:\[[\s\S]*?\]\s*)?>)*/i;
const ROOT = /^<(?:[\w.-]+:)?([\w.-]+)[\s/>]/;

/** Markup that a viewer runs instead of showing; served under a type that no viewer opens. */
const ACTIVE_ROOTS = new Set(['html', 'svg', 'script', 'stylesheet', 'body', 'head', 'iframe', 'xdp']);
const STYLESHEET = /<\?xml-stylesheet/i;

/**
 * The content type of a file, from its bytes alone: PDF, PNG, JPEG, XML or plain UTF-8 text. Everything else, and
 * markup that a viewer would run (HTML, SVG, XML with a stylesheet), is `application/octet-stream`, because what an
 * uploader chooses must not become active content (PROTOCOL C-32).
 */
export function contentTypeOf(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length === 0) return UNKNOWN_TYPE;
  if (startsWith(buffer, PNG)) return 'image/png';
  if (startsWith(buffer, JPEG)) return 'image/jpeg';
  const body = startsWith(buffer, BYTE_ORDER_MARK) ? buffer.subarray(BYTE_ORDER_MARK.length) : buffer;
  // Latin-1 keeps one character a byte, so that markup is found whatever encoding it declares.
  const head = body.subarray(0, HEAD_BYTES).toString('latin1').trimStart();
  if (head.startsWith('%PDF-')) return 'application/pdf';
  if (head.startsWith('<')) {
    const markup = markupTypeOf(head, buffer);
    if (markup !== null) return markup;
  }
  return isPlainText(buffer) ? 'text/plain' : UNKNOWN_TYPE;
}

/**
 * The bytes of an uploaded file. `content_base64` has passed the alphabet check; here it must also be canonical, so
 * that one file has one text. Fails with `file_too_large` above 10 MiB, before anything is decoded.
 */
export function bytesOfUpload(file: { content_base64: string }): Buffer {
  const content = file.content_base64;
  const padding = content.endsWith('==') ? 2 : content.endsWith('=') ? 1 : 0;
  const size = (content.length / 4) * 3 - padding;
  if (size > FILE_BYTES_MAX) fail('file_too_large', { size, limit: FILE_BYTES_MAX });
  const lastGroup = content.slice(-4);
  const isCanonical = Buffer.from(lastGroup, 'base64').toString('base64') === lastGroup;
  if (size <= 0 || content.length % 4 !== 0 || !isCanonical) {
    failArgument('file.content_base64', 'the bytes of the file in standard base64');
  }
  return Buffer.from(content, 'base64');
}

/** A file name without path and without characters a reader cannot see; "file" when nothing is left of it. */
export function cleanFileName(name: string): string {
  const last = cleanOutsideText(name, Number.MAX_SAFE_INTEGER).split(/[/\\]/).at(-1)!.trim();
  const bare = last.replace(/^[.\s]+/, '');
  return cleanOutsideText(bare === '' ? 'file' : bare, FILE_NAME_MAX);
}

/** Fails with `in_use` when records stand on the file: it is the XML of a document or the proof of a payment. */
export function requireUnused(users: readonly { kind: string; id: string }[]): void {
  if (users.length > 0) throw new AppError('in_use', { by: users });
}

/** XML, markup that runs, or null when the angle bracket means nothing. */
function markupTypeOf(head: string, buffer: Buffer): string | null {
  const prolog = PROLOG.exec(head)![0];
  const root = ROOT.exec(head.slice(prolog.length))?.[1]?.toLowerCase();
  const isDeclared = /^<\?xml[\s?]/.test(head);
  if (buffer.includes(0)) return UNKNOWN_TYPE;
  if (STYLESHEET.test(prolog) || /<!doctype\s+html/i.test(prolog)) return UNKNOWN_TYPE;
  if (root !== undefined && ACTIVE_ROOTS.has(root)) return UNKNOWN_TYPE;
  if (isDeclared && root !== undefined) return 'application/xml';
  const isClosed = buffer.subarray(-HEAD_BYTES).toString('latin1').trimEnd().endsWith('>');
  return root !== undefined && isClosed && isPlainText(buffer) ? 'application/xml' : null;
}

function isPlainText(buffer: Buffer): boolean {
  const text = buffer.toString('utf8');
  // Bytes that are not UTF-8 were replaced while decoding, so they do not come back.
  return !CONTROLS.test(text) && Buffer.from(text, 'utf8').equals(buffer);
}

function startsWith(buffer: Buffer, magic: Buffer): boolean {
  return buffer.subarray(0, magic.length).equals(magic);
}
