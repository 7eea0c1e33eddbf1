import { describe, expect, it } from 'vitest';
import { attributeOf, childOf, childrenOf, readXml, textOf, XML_BYTES_MAX, type XmlNode } from './xml.ts';

function rootOf(text: string | Uint8Array): XmlNode {
  const xml = readXml(typeof text === 'string' ? Buffer.from(text) : text);
  if (!xml.ok) throw new Error(`refused: ${xml.code}`);
  return xml.root;
}

function codeOf(text: string | Uint8Array): string {
  const xml = readXml(typeof text === 'string' ? Buffer.from(text) : text);
  return xml.ok ? 'accepted' : xml.code;
}

describe('values', () => {
  it('PITFALL 7: are text as written', () => {
    const root = rootOf(
      `<a Id="007"><n>05813794000126</n><k>${'3'.repeat(44)}</k><e>0E68</e><t>true</t></a>`,
    );
    expect([textOf(root, 'n'), textOf(root, 'k'), textOf(root, 'e'), textOf(root, 't')]).toEqual([
      '05813794000126',
      '3'.repeat(44),
      '0E68',
      'true',
    ]);
    expect(attributeOf(root, 'Id')).toBe('007');
  });

  it('are found one or many, and a repeated single child is none', () => {
    const root = rootOf('<a><b>1</b><c>2</c><c>3</c><d x="1">4</d><e/></a>');
    expect(childrenOf(root, 'b')).toEqual(['1']);
    expect(childrenOf(root, 'c')).toEqual(['2', '3']);
    expect(childOf(root, 'c')).toBeNull();
    expect(textOf(root, 'd')).toBe('4');
    expect(textOf(root, 'e')).toBeNull();
    expect(textOf(root, 'missing', 'deeper')).toBeNull();
    expect(childOf(root, 'toString')).toBeNull();
  });

  it('are decoded once, and CDATA not at all', () => {
    expect(textOf(rootOf('<a><b>J&#195;O &amp;#65; &lt;</b></a>'), 'b')).toBe('JÃO &#65; <');
    expect(textOf(rootOf('<a><b><![CDATA[<z>&amp;]]></b></a>'), 'b')).toBe('<z>&amp;');
  });
});

describe('encodings', () => {
  const latin1 = (declaration: string) =>
    Buffer.from(`${declaration}<a>PÃO €</a>`.replace('€', '\u0080'), 'latin1');

  it('follow the declaration, and ISO-8859-1 is read as windows-1252', () => {
    expect(rootOf(latin1('<?xml version="1.0" encoding="ISO-8859-1"?>'))).toBe('PÃO €');
    expect(rootOf(latin1("<?xml version='1.0' encoding='Windows-1252'?>"))).toBe('PÃO €');
  });

  it('are UTF-8 without a declaration and with a byte order mark, whatever is declared', () => {
    expect(rootOf('<a>PÃO €</a>')).toBe('PÃO €');
    expect(rootOf('\ufeff<?xml version="1.0" encoding="ISO-8859-1"?><a>PÃO €</a>')).toBe('PÃO €');
    expect(rootOf(Buffer.from('\ufeff<a>PÃO €</a>', 'utf16le'))).toBe('PÃO €');
    expect(rootOf(Buffer.from('\ufeff<a>PÃO €</a>', 'utf16le').swap16())).toBe('PÃO €');
  });

  it('that lie are read as windows-1252 and flagged', () => {
    const xml = readXml(latin1('<?xml version="1.0" encoding="UTF-8"?>'));
    expect(xml).toMatchObject({ ok: true, root: 'PÃO €', isEncodingWrong: true });
    expect(readXml(Buffer.from('<a/>'))).toMatchObject({ ok: true, isEncodingWrong: false });
  });

  it('that are not known are refused', () => {
    expect(codeOf('<?xml version="1.0" encoding="IBM037"?><a/>')).toBe('unsupported_file');
    expect(codeOf('<?xml version="1.0" encoding="constructor"?><a/>')).toBe('unsupported_file');
  });
});

describe('limits', () => {
  it('refuse document types and entities wherever they stand', () => {
    expect(codeOf('<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>')).toBe('unsafe_xml');
    expect(codeOf('<a/><!doctype a>')).toBe('unsafe_xml');
    expect(codeOf(Buffer.from('\ufeff<!DOCTYPE a><a/>', 'utf16le'))).toBe('unsafe_xml');
  });

  it('refuse more than 10 MiB before reading', () => {
    expect(codeOf(Buffer.alloc(XML_BYTES_MAX + 1, '<a>'))).toBe('file_too_large');
  });

  it('refuse deep nesting, too many elements and endless tags', () => {
    expect(codeOf('<a>'.repeat(30) + '</a>'.repeat(30))).toBe('accepted');
    expect(codeOf('<a>'.repeat(60) + '</a>'.repeat(60))).toBe('invalid_xml');
    expect(codeOf(`<a>${'<b/>'.repeat(200_000)}</a>`)).toBe('unsafe_xml');
    expect(codeOf(`<a ${'b="1" '.repeat(1000)}/>`)).toBe('unsafe_xml');
  });

  it.each([
    '',
    'text',
    '<a>',
    '<a><b></a></b>',
    '<a/><b/>',
    '<a/><a/>',
    '<a>&</a>',
    '<a b=1/>',
    '\u0000\u0001',
  ])('refuse what is no single well-formed document: %j', (text) => {
    expect(codeOf(text)).toBe('invalid_xml');
  });

  it('refuse names that could reach into objects', () => {
    expect(codeOf('<a><__proto__><x>1</x></__proto__></a>')).toBe('invalid_xml');
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
  });
});
