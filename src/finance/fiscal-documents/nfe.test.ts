import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FiscalReading, type NfeDocument, readFiscalXml } from './nfe.ts';

const FIXTURES = join(import.meta.dirname, '../../../test/fixtures/nfe');
const KEY = '35260712ABC34501DE35550010000012341123456780';

function file(name: string): Buffer {
  return readFileSync(join(FIXTURES, name));
}

/** The three-installment note with one text in it replaced; fails when the text is not there. */
function changed(from: string | RegExp, to: string, name = 'three-installments.xml'): FiscalReading {
  const before = file(name).toString('utf8');
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  return readFiscalXml(Buffer.from(after, 'utf8'));
}

function noteOf(reading: FiscalReading): NfeDocument {
  if (!reading.ok) throw new Error(`refused: ${reading.code}`);
  if (reading.document.kind !== 'nfe') throw new Error('not a note');
  return reading.document;
}

function warningsOf(reading: FiscalReading): string[] {
  if (!reading.ok) throw new Error(`refused: ${reading.code}`);
  return reading.document.warnings.map(({ code }) => code);
}

function codeOf(reading: FiscalReading): string {
  return reading.ok ? 'accepted' : reading.code;
}

describe('an authorised NF-e', () => {
  it('is read with its parties, net amount and three installments', () => {
    expect(readFiscalXml(file('three-installments.xml'))).toEqual({
      ok: true,
      document: {
        kind: 'nfe',
        accessKey: KEY,
        model: '55',
        number: '1234',
        series: '1',
        issuedAt: '2026-07-10T09:30:00-03:00',
        issuer: { taxId: '12ABC34501DE35', name: 'COMÉRCIO DE PEÇAS & MÁQUINAS EXEMPLO LTDA' },
        recipient: { taxId: '11222333000181', name: 'EMPRESA COMPRADORA EXEMPLO S.A.' },
        totalCents: 123456,
        netCents: 120000,
        installments: [
          { number: '001', dueDate: '2026-08-10', amountCents: 40000 },
          { number: '002', dueDate: '2026-09-10', amountCents: 40000 },
          { number: '003', dueDate: '2026-10-10', amountCents: 40000 },
        ],
        withholdings: null,
        authorization: { protocol: '135260000123456', status: 'authorized' },
        isSignatureVerified: false,
        warnings: [],
      },
    });
  });

  it('is read with one installment and its withholdings', () => {
    const note = noteOf(readFiscalXml(file('one-installment.xml')));
    expect(note.installments).toEqual([{ number: '001', dueDate: '2026-09-15', amountCents: 938500 }]);
    expect([note.totalCents, note.netCents]).toEqual([1000000, 938500]);
    expect(note.withholdings).toEqual({
      pisCents: 6500,
      cofinsCents: 30000,
      csllCents: 10000,
      incomeTaxCents: 15000,
      socialSecurityCents: null,
      serviceTaxCents: null,
    });
    expect(note.warnings).toEqual([]);
  });

  it('keeps its accents when it is written in ISO-8859-1', () => {
    const note = noteOf(readFiscalXml(file('latin-1.xml')));
    expect(note.issuer).toEqual({
      taxId: '05813794000126',
      name: 'PADARIA E CONFEITARIA ESTAÇÃO DO PÃO LTDA',
    });
    expect(note.recipient).toEqual({ taxId: '12ABC34501DE35', name: 'INDÚSTRIA EXEMPLO LTDA' });
    expect(note.installments.map(({ dueDate }) => dueDate)).toEqual(['2026-07-31', '2026-08-31']);
  });

  it('PITFALL 7: keeps identifiers as text, leading zeros and long keys alike', () => {
    const note = noteOf(readFiscalXml(file('one-installment.xml')));
    expect(note.issuer.taxId).toBe('05813794000126');
    expect(note.accessKey).toBe('35260805813794000126550010000020011112233440');
    expect(note.installments[0]?.number).toBe('001');
    expect(noteOf(changed('<nDup>001</nDup>', '<nDup>0E68</nDup>')).installments[0]?.number).toBe('0E68');
  });

  it('is read with namespace prefixes and numeric character references', () => {
    const text = file('three-installments.xml').toString('utf8');
    const prefixed = text
      .replaceAll(/<(\/?)(?=[A-Za-z])/g, '<$1nfe:')
      .replaceAll('xmlns=', 'xmlns:nfe=')
      .replaceAll('COMÉRCIO', 'COM&#201;RCIO')
      .replaceAll('PEÇAS', 'PE&#xC7;AS');
    expect(readFiscalXml(Buffer.from(prefixed))).toEqual(readFiscalXml(file('three-installments.xml')));
  });
});

describe('doubts about a note', () => {
  it('says that a note without protocol is unproven', () => {
    const reading = readFiscalXml(file('without-protocol.xml'));
    expect(noteOf(reading).authorization).toEqual({ protocol: null, status: 'unproven' });
    expect(noteOf(reading).installments).toEqual([]);
    expect(noteOf(reading).netCents).toBe(25000);
    expect(warningsOf(reading)).toEqual(['no_protocol']);
  });

  it('does not take the protocol of another note for proof', () => {
    const reading = changed(
      `<chNFe>${KEY}</chNFe>`,
      '<chNFe>35260705813794000126550010000012341123456783</chNFe>',
    );
    expect(noteOf(reading).authorization).toEqual({ protocol: null, status: 'unproven' });
    expect(warningsOf(reading)).toEqual(['protocol_mismatch']);
  });

  it('tells a denied note from an authorised one, in time or late', () => {
    const denied = changed('<cStat>100</cStat>', '<cStat>302</cStat>');
    expect(noteOf(denied).authorization.status).toBe('denied');
    expect(warningsOf(denied)).toEqual(['not_authorized']);
    expect(noteOf(changed('<cStat>100</cStat>', '<cStat>150</cStat>')).authorization.status).toBe(
      'authorized',
    );
  });

  it('warns when installments do not add up, and gives them as they are', () => {
    const reading = changed('<vDup>400.00</vDup>', '<vDup>400.01</vDup>');
    expect(noteOf(reading).installments[0]?.amountCents).toBe(40001);
    expect(noteOf(reading).netCents).toBe(120000);
    expect(warningsOf(reading)).toEqual(['installments_do_not_add_up']);
  });

  it('warns of an installment without a real due date', () => {
    const reading = changed('2026-08-10', '2026-02-30');
    expect(noteOf(reading).installments[0]?.dueDate).toBeNull();
    expect(warningsOf(reading)).toEqual(['installment_without_due_date']);
  });

  it('warns when the key tells another number, series, month, model or issuer', () => {
    const changes: [string, string][] = [
      ['<nNF>1234</nNF>', '<nNF>1235</nNF>'],
      ['<serie>1</serie>', '<serie>2</serie>'],
      ['<dhEmi>2026-07-10', '<dhEmi>2026-08-10'],
      ['<mod>55</mod>', '<mod>65</mod>'],
      ['<CNPJ>12ABC34501DE35</CNPJ>', '<CNPJ>05813794000126</CNPJ>'],
    ];
    for (const [from, to] of changes) expect(warningsOf(changed(from, to))).toEqual(['key_mismatch']);
  });

  it('warns of the test environment, entries, returns and wrong tax ids', () => {
    expect(warningsOf(changed('<tpAmb>1</tpAmb>', '<tpAmb>2</tpAmb>'))).toEqual(['test_environment']);
    expect(warningsOf(changed('<tpNF>1</tpNF>', '<tpNF>0</tpNF>'))).toEqual(['inbound_document']);
    expect(warningsOf(changed('<finNFe>1</finNFe>', '<finNFe>4</finNFe>'))).toEqual(['goods_return']);
    expect(warningsOf(changed('<CNPJ>11222333000181', '<CNPJ>11222333000182'))).toEqual(['invalid_tax_id']);
  });

  it('reads a foreign recipient without tax id, and a note without recipient', () => {
    const foreign = changed('<CNPJ>11222333000181</CNPJ>', '<idEstrangeiro>X1</idEstrangeiro>');
    expect(noteOf(foreign).recipient).toEqual({ taxId: null, name: 'EMPRESA COMPRADORA EXEMPLO S.A.' });
    expect(noteOf(changed(/<dest>[\s\S]*<\/dest>/, '')).recipient).toBeNull();
  });

  it('returns names without control or direction characters and capped', () => {
    const reading = changed('EMPRESA COMPRADORA EXEMPLO S.A.', `A&#x202E;B\u200b${'C'.repeat(500)}`);
    expect(noteOf(reading).recipient?.name).toBe(`AB${'C'.repeat(117)}…`);
  });
});

describe('cancellation', () => {
  it('is read from event 110111 with the answer of the tax office', () => {
    expect(readFiscalXml(file('cancellation.xml'))).toEqual({
      ok: true,
      document: {
        kind: 'nfe_cancellation',
        accessKey: KEY,
        issuerTaxId: '12ABC34501DE35',
        canceledAt: '2026-07-10T15:02:00-03:00',
        justification: 'Pedido desfeito pelo comprador antes da saída da mercadoria',
        authorization: { protocol: '135260000123999', status: 'authorized' },
        isSignatureVerified: false,
        warnings: [],
      },
    });
  });

  it('is unproven without that answer and denied when it was refused', () => {
    const alone = changed(/<retEvento[\s\S]*<\/retEvento>/, '', 'cancellation.xml');
    expect(alone.ok && alone.document.authorization).toEqual({ protocol: null, status: 'unproven' });
    expect(warningsOf(alone)).toEqual(['no_protocol']);
    const refused = changed('<cStat>135</cStat>', '<cStat>501</cStat>', 'cancellation.xml');
    expect(refused.ok && refused.document.authorization.status).toBe('denied');
  });

  it('does not take the answer to another event or document for proof', () => {
    const other = changed(/(<retEvento[\s\S]*<tpEvento>)110111/, '$1110110', 'cancellation.xml');
    expect(warningsOf(other)).toEqual(['protocol_mismatch']);
  });

  it('is the only event read', () => {
    const reading = changed('<tpEvento>110111', '<tpEvento>110110', 'cancellation.xml');
    expect(reading).toMatchObject({ ok: false, code: 'unsupported_file' });
    expect(reading.ok ? '' : reading.message).toContain('another event of an NF-e');
  });

  it('warns when another than the issuer of the note signed it', () => {
    const reading = changed('<CNPJ>12ABC34501DE35', '<CNPJ>05813794000126', 'cancellation.xml');
    expect(warningsOf(reading)).toEqual(['key_mismatch']);
  });
});

describe('refused files', () => {
  it('refuses document types and entities without reading them', () => {
    expect(codeOf(readFiscalXml(file('doctype-entity.xml')))).toBe('unsafe_xml');
  });

  it('refuses a truncated file and quotes nothing of it', () => {
    const reading = readFiscalXml(file('truncated.xml'));
    expect(reading).toMatchObject({ ok: false, code: 'invalid_xml' });
    expect(reading.ok ? '' : reading.message).toMatch(
      /^The file is not well-formed XML: look near line \d+\.$/,
    );
  });

  it('refuses every beginning of a note', () => {
    const whole = file('three-installments.xml').subarray(0, -1);
    for (let length = 0; length < whole.length - 10; length += 97) {
      expect(readFiscalXml(whole.subarray(0, length)).ok).toBe(false);
    }
  });

  it.each([
    ['<CompNfse xmlns="http://www.abrasf.org.br/nfse.xsd"/>', 'an NFS-e (service invoice)'],
    ['<NFSe versao="1.00"><infNFSe/></NFSe>', 'an NFS-e (service invoice)'],
    ['<cteProc><CTe/></cteProc>', 'a CT-e (transport document)'],
    ['<mdfeProc/>', 'an MDF-e (cargo manifest)'],
    ['<evil-instruction/>', 'another kind of XML'],
    ['<toString/>', 'another kind of XML'],
  ])('names the kind of %s', (text, kind) => {
    const message = `This file is ${kind}. Only an NF-e, an NFC-e or the cancellation of one is read here.`;
    expect(readFiscalXml(Buffer.from(text))).toEqual({ ok: false, code: 'unsupported_file', message });
  });

  it('refuses a note with a wrong access key, without total or with two totals', () => {
    expect(codeOf(changed(`Id="NFe${KEY}"`, `Id="NFe${KEY.slice(0, 43)}1"`))).toBe('invalid_access_key');
    expect(codeOf(changed('<vNF>1234.56</vNF>', ''))).toBe('invalid_document');
    expect(codeOf(changed('<vNF>1234.56</vNF>', '<vNF>1234.56</vNF><vNF>1.00</vNF>'))).toBe(
      'invalid_document',
    );
    expect(codeOf(changed('<vNF>1234.56</vNF>', '<vNF>1.234,56</vNF>'))).toBe('invalid_document');
    expect(codeOf(changed('<vDup>400.00</vDup>', ''))).toBe('invalid_document');
    expect(codeOf(changed(/<infNFe [\s\S]*<\/infNFe>/, ''))).toBe('invalid_document');
    expect(codeOf(changed('<dhEmi>2026-07-10T', '<dhEmi>2026-07-10 '))).toBe('invalid_document');
  });

  it('refuses more installments than the layout allows', () => {
    const many = '<dup><nDup>1</nDup><dVenc>2026-08-10</dVenc><vDup>1.00</vDup></dup>'.repeat(118);
    expect(codeOf(changed('</cobr>', `${many}</cobr>`))).toBe('invalid_document');
    expect(
      noteOf(changed('</cobr>', `${many.slice(0, many.length / 118)}</cobr>`)).installments,
    ).toHaveLength(4);
  });
});
