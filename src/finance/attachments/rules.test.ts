import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../core/errors.ts';
import { bytesOfUpload, cleanFileName, contentTypeOf, FILE_BYTES_MAX } from './rules.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf8 = (text: string) => Buffer.from(text, 'utf8');

function detailsOf(work: () => unknown): { code: string; details: unknown } {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, details: error.details };
    throw error;
  }
  throw new Error('did not fail');
}

test.each<[string, Buffer, string]>([
  ['PDF', latin1('%PDF-1.7\n%âãÏÓ'), 'application/pdf'],
  ['PDF after a line break', latin1('\r\n%PDF-1.4'), 'application/pdf'],
  ['PNG', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'image/png'],
  ['JPEG', Buffer.from('ffd8ffe000104a464946', 'hex'), 'image/jpeg'],
  ['XML', utf8('<?xml version="1.0" encoding="UTF-8"?><nfeProc>á</nfeProc>'), 'application/xml'],
  ['XML with a byte order mark', utf8('\ufeff<?xml version="1.0"?><a/>'), 'application/xml'],
  ['XML after white space', utf8('\n  <?xml version="1.0"?>\n<a></a>'), 'application/xml'],
  ['XML in ISO-8859-1', latin1('<?xml version="1.0" encoding="ISO-8859-1"?><a>São</a>'), 'application/xml'],
  ['XML without declaration', utf8('<NFe xmlns="x"><a/></NFe>\n'), 'application/xml'],
  ['XML with a comment first', utf8('<?xml version="1.0"?><!-- note --><ns:a x="1"/>'), 'application/xml'],
  ['plain text', utf8('02/10/2026;Café;-10,00\r\n'), 'text/plain'],
  ['text that begins with a bracket', utf8('<- see here'), 'text/plain'],
  ['text in another encoding', latin1('Café'), 'application/octet-stream'],
  ['text with a NUL', utf8('abc\0def'), 'application/octet-stream'],
  ['XML with a NUL', utf8('<?xml version="1.0"?><a>\0</a>'), 'application/octet-stream'],
  ['ZIP', Buffer.from('504b030414000000', 'hex'), 'application/octet-stream'],
  ['GIF', latin1('GIF89a\x01\x00'), 'application/octet-stream'],
  ['HTML', utf8('<!DOCTYPE html><p>x</p>'), 'application/octet-stream'],
  ['HTML without doctype', utf8('<html><script>x</script></html>'), 'application/octet-stream'],
  ['SVG', utf8('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'application/octet-stream'],
  ['SVG behind a declaration', utf8('<?xml version="1.0"?><!-- --><svg:svg />'), 'application/octet-stream'],
  [
    'XML with a stylesheet',
    utf8('<?xml version="1.0"?><?xml-stylesheet href="x"?><a/>'),
    'application/octet-stream',
  ],
  ['nothing', Buffer.alloc(0), 'application/octet-stream'],
])('tells the type of %s from its bytes', (_what, bytes, type) => {
  expect(contentTypeOf(bytes)).toBe(type);
});

test('gives a type of the allow-list for any bytes', () => {
  const allowed = ['application/octet-stream', 'application/pdf', 'application/xml', 'text/plain'];
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 64 }), fc.string().map(utf8)), (bytes) => {
      expect([...allowed, 'image/png', 'image/jpeg']).toContain(contentTypeOf(bytes));
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ['nota.pdf', 'nota.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\x\\recibo.pdf', 'recibo.pdf'],
  ['..', 'file'],
  ['/', 'file'],
  ['.htaccess', 'htaccess'],
  ['recibo\u202efdp.exe', 'recibofdp.exe'],
  ['a\nb\0.pdf', 'a b.pdf'],
  ['nota /\u200b. .', 'file'],
  ['Boleto março (2).pdf', 'Boleto março (2).pdf'],
])('cleans the file name %j', (name, clean) => {
  expect(cleanFileName(name)).toBe(clean);
});

test('never leaves a path, an unseen character or an empty file name', () => {
  const anyName = fc.string({ unit: fc.constantFrom('a', '.', '/', '\\', ' ', '\0', '\u202e', 'é', '\n') });
  fc.assert(
    fc.property(fc.oneof(anyName, fc.string({ unit: 'binary' })), (name) => {
      const clean = cleanFileName(name);
      expect(clean).not.toMatch(/[/\\\p{Cc}\p{Cf}]/u);
      expect(clean).not.toMatch(/^\.|^$|^\s|\s$/);
      expect(cleanFileName(clean)).toBe(clean);
    }),
    { numRuns: 2000 },
  );
});

test('gives back the bytes that were encoded', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 100 }), (bytes) => {
      const content_base64 = Buffer.from(bytes).toString('base64');
      expect(bytesOfUpload({ content_base64 })).toEqual(Buffer.from(bytes));
    }),
    { numRuns: 1000 },
  );
});

test.each(['', 'QQ', 'QR==', 'QUJ='])(
  'refuses the text %j, which is no canonical base64',
  (content_base64) => {
    expect(detailsOf(() => bytesOfUpload({ content_base64 }))).toEqual({
      code: 'invalid_argument',
      details: { path: 'file.content_base64', expected: 'the bytes of the file in standard base64' },
    });
  },
);

test('C-30: takes exactly 10 MiB and refuses one byte more, naming size and limit', () => {
  const atLimit = Buffer.alloc(FILE_BYTES_MAX, 1).toString('base64');
  expect(bytesOfUpload({ content_base64: atLimit })).toHaveLength(10_485_760);
  const above = Buffer.alloc(FILE_BYTES_MAX + 1, 1).toString('base64');
  expect(detailsOf(() => bytesOfUpload({ content_base64: above }))).toEqual({
    code: 'file_too_large',
    details: { size: 10_485_761, limit: 10_485_760 },
  });
});
