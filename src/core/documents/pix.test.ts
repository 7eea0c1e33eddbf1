import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emvElement } from './emv.ts';
import { buildDynamicPixCode, buildStaticPixCode, crc16, type PixCode, readPixCode } from './pix.ts';

const MANUAL =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D';
const SUPPLIER =
  '00020126360014br.gov.bcb.pix011412ABC34501DE355204000053039865406150.005802BR5918FORNECEDOR EXEMPLO6009SAO PAULO62100506NF12346304ECE2';
const PHONE =
  '00020126360014br.gov.bcb.pix0114+5511987654321520400005303986540510.005802BR5913FULANO DE TAL6008BRASILIA62090505T0107630403FA';

function read(code: string): PixCode {
  const reading = readPixCode(code);
  if (!reading.ok) throw new Error(`refused: ${reading.reason}`);
  return reading;
}

function reasonOf(code: string): string {
  const reading = readPixCode(code);
  return reading.ok ? 'accepted' : reading.reason;
}

function warningsOf(code: string): string[] {
  return read(code).warnings.map(({ code: warning }) => warning);
}

/** A code from elements in their order, with its check value; `undefined` leaves one out. */
function code(changes: Record<string, string | undefined> = {}): string {
  const fields: Record<string, string | undefined> = {
    a: emvElement('26', account({ '01': '52998224725' })),
    b: '52040000',
    c: '5303986',
    d: undefined,
    e: '5802BR',
    f: '5913FULANO DE TAL',
    g: '6008BRASILIA',
    h: '62070503***',
    ...changes,
  };
  const ordered = Object.keys(fields).sort();
  return sealed(`000201${ordered.map((name) => fields[name] ?? '').join('')}`);
}

function account(elements: Record<string, string>, arrangement = 'br.gov.bcb.pix'): string {
  const inner = Object.entries(elements).map(([id, value]) => emvElement(id, value));
  return emvElement('00', arrangement) + inner.join('');
}

function sealed(text: string): string {
  return `${text}6304${crc16(Buffer.from(`${text}6304`, 'utf8'))}`;
}

describe('check value', () => {
  it('gives 29B1 for the standard check text', () => {
    expect(crc16(Buffer.from('123456789'))).toBe('29B1');
  });

  it('PITFALL 15: keeps the leading zero and refuses a check value without it', () => {
    expect(crc16(Buffer.from(PHONE.slice(0, -4)))).toBe('03FA');
    expect(read(PHONE)).toMatchObject({
      key: '+5511987654321',
      keyType: 'phone',
      amountCents: 1000,
      txid: 'T0107',
    });
    expect(reasonOf(PHONE.replace(/03FA$/, '3FA'))).toBe('truncated');
  });

  it('PITFALL 16: counts UTF-8 bytes', () => {
    const withNote = code({ a: emvElement('26', account({ '01': '52998224725', '02': 'Cobrança março' })) });
    expect(withNote.slice(-4)).toBe('4DCD');
    expect(read(withNote).note).toBe('Cobrança março');
    const latin1 = crc16(Buffer.from(withNote.slice(0, -4), 'latin1'));
    expect(latin1).toBe('2028');
    expect(reasonOf(withNote.slice(0, -4) + latin1)).toBe('crc_mismatch');
  });

  it('PITFALL 17: checks the text as received and compares the arrangement without case', () => {
    const lower = code();
    const upper = code({ a: emvElement('26', account({ '01': '52998224725' }, 'BR.GOV.BCB.PIX')) });
    expect([lower.slice(-4), upper.slice(-4)]).toEqual(['F0A1', 'F7FD']);
    expect(read(lower).key).toBe('52998224725');
    expect(read(upper).key).toBe('52998224725');
    expect(reasonOf(lower.toUpperCase())).toBe('crc_mismatch');
  });

  it('refuses one changed character anywhere', () => {
    fc.assert(
      fc.property(
        fc.nat(SUPPLIER.length - 1),
        fc.constantFrom(...'0123456789ABCXYZ '),
        (position, character) => {
          fc.pre(SUPPLIER[position] !== character);
          // A space in front or behind is taken off as a trace of copying, and the rest no longer fits.
          expect(readPixCode(SUPPLIER.slice(0, position) + character + SUPPLIER.slice(position + 1)).ok).toBe(
            false,
          );
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('verified codes', () => {
  it("reads the manual's static sample", () => {
    expect(readPixCode(MANUAL)).toEqual({
      ok: true,
      kind: 'static',
      key: '123e4567-e12b-12d1-a456-426655440000',
      keyType: 'random',
      url: null,
      amountCents: null,
      merchant: 'Fulano de Tal',
      city: 'BRASILIA',
      txid: null,
      note: null,
      singleUse: false,
      crcOk: true,
      warnings: [],
    });
  });

  it('reads an alphanumeric CNPJ as the key, and builds the same code', () => {
    expect(read(SUPPLIER)).toMatchObject({
      key: '12ABC34501DE35',
      keyType: 'cnpj',
      amountCents: 15000,
      merchant: 'FORNECEDOR EXEMPLO',
      city: 'SAO PAULO',
      txid: 'NF1234',
      warnings: [],
    });
    const parts = { merchant: 'FORNECEDOR EXEMPLO', city: 'SAO PAULO', amountCents: 15000, txid: 'NF1234' };
    expect(buildStaticPixCode({ ...parts, key: '12.ABC.345/01DE-35' })).toBe(SUPPLIER);
  });

  it('reads a dynamic single-use code and says that its amount does not bind', () => {
    const url = 'pix.example.com/qr/v2/9d36b84fc70b478fb95c12729b90ca25';
    const dynamic = code({ '0': '010212', a: emvElement('26', account({ '25': url })), d: '540510.00' });
    expect(read(dynamic)).toMatchObject({
      kind: 'dynamic',
      url,
      key: null,
      keyType: null,
      singleUse: true,
      amountCents: 1000,
    });
    expect(warningsOf(dynamic)).toEqual(['amount_not_binding']);
  });

  it('skips unknown ids and other accounts, and mentions another arrangement', () => {
    const withOthers = code({
      '0': emvElement('26', 'someone else'),
      a: emvElement('30', account({ '01': '52998224725' })),
      i: '6402pt',
    });
    expect(read(withOthers)).toMatchObject({ key: '52998224725', keyType: 'cpf', warnings: [] });
    const recurring = code({ i: emvElement('80', account({ '25': 'pix.example.com/rec/1' })) });
    expect(warningsOf(recurring)).toEqual(['other_arrangement']);
  });
});

describe('lenient reading', () => {
  it('takes off white space and line breaks of copying, and says so', () => {
    const copied = ` ${SUPPLIER.slice(0, 60)}\r\n${SUPPLIER.slice(60)}\n`;
    expect(read(copied).amountCents).toBe(15000);
    expect(warningsOf(copied)).toEqual(['white_space_removed']);
  });

  it('PITFALL 18: accepts accents in the name with a warning and writes none', () => {
    const accented = code({ f: emvElement('59', 'JOÃO & CIA LTDA') });
    expect(read(accented).merchant).toBe('JOÃO & CIA LTDA');
    expect(warningsOf(accented)).toEqual(['accented_text']);
    const parts = { key: '52998224725', city: 'São Paulo', txid: 'A1' };
    const written = buildStaticPixCode({ ...parts, merchant: 'JOÃO & CIA LTDA COMÉRCIO DE ALIMENTOS' });
    expect(written).toContain('5924JOAO & CIA LTDA COMERCIO6009Sao Paulo');
    expect(read(written).warnings).toEqual([]);
  });

  it('reads lengths that count bytes, with a warning', () => {
    const name = 'JOÃO & CIA LTDA';
    const inBytes = code({ f: `59${Buffer.byteLength(name)}${name}` });
    expect(read(inBytes)).toMatchObject({ merchant: name, city: 'BRASILIA' });
    expect(warningsOf(inBytes)).toEqual(['lengths_in_bytes', 'accented_text']);
  });

  it('warns of a lower-case check value, long text, a missing name, an odd key and an odd transaction id', () => {
    expect(warningsOf(MANUAL.replace(/1D3D$/, '1d3d'))).toEqual(['crc_lower_case']);
    expect(warningsOf(code({ f: emvElement('59', 'N'.repeat(26)) }))).toEqual(['text_too_long']);
    expect(warningsOf(code({ f: undefined }))).toEqual(['field_missing']);
    expect(warningsOf(code({ a: emvElement('26', account({ '01': '52998224726' })) }))).toEqual([
      'unknown_key',
    ]);
    expect(warningsOf(code({ h: emvElement('62', emvElement('05', 'NF-1')) }))).toEqual(['unusual_txid']);
  });

  it('returns no bidirectional mark or control of a name', () => {
    expect(read(code({ f: emvElement('59', 'ACME\u202E\u0007LTDA') })).merchant).toBe('ACMELTDA');
  });

  it('takes an amount of zero for an open one', () => {
    expect(read(code({ d: '54040.00' })).amountCents).toBeNull();
    expect(read(code({ d: '540210' })).amountCents).toBe(1000);
    expect(read(code({ d: '540410.5' })).amountCents).toBe(1050);
  });
});

describe('refused codes', () => {
  it('gives a stable reason', () => {
    expect(reasonOf('')).toBe('not_pix');
    expect(reasonOf('34191.23454 67890.123457 67890.123457 8 15100000123456')).toBe('not_pix');
    expect(reasonOf(code({ a: emvElement('26', account({ '01': 'x' }, 'com.example')) }))).toBe('not_pix');
    expect(reasonOf(SUPPLIER.slice(0, 100))).toBe('truncated');
    expect(reasonOf(SUPPLIER.replace('150.00', '950.00'))).toBe('crc_mismatch');
    expect(reasonOf(sealed('00020126990014br.gov.bcb.pix'))).toBe('malformed');
    expect(reasonOf(code({ d: '540510.00540599.00' }))).toBe('repeated_field');
    expect(reasonOf(code({ i: emvElement('27', account({ '01': '11144477735' })) }))).toBe('repeated_field');
    expect(reasonOf(code({ a: emvElement('26', account({})) }))).toBe('no_key_or_url');
    expect(
      reasonOf(code({ a: emvElement('26', account({ '01': '52998224725', '25': 'a.example/x' })) })),
    ).toBe('key_and_url');
    expect(reasonOf(code({ a: emvElement('26', account({ '25': 'https://a.example/x' })) }))).toBe(
      'invalid_url',
    );
    expect(reasonOf(code({ d: '540510,00' }))).toBe('invalid_amount');
    expect(reasonOf(code({ c: '5303840' }))).toBe('currency_not_brl');
    expect(reasonOf(code({ e: '5802US' }))).toBe('country_not_br');
    expect(reasonOf('0'.repeat(1025))).toBe('too_long');
  });

  it('refuses every beginning of a code', () => {
    for (let length = 0; length < SUPPLIER.length; length += 1) {
      expect(readPixCode(SUPPLIER.slice(0, length)).ok).toBe(false);
    }
  });
});

describe('written codes', () => {
  const asciiName = fc.stringMatching(/^[A-Z][A-Z0-9 ]{0,40}$/);
  const key = fc.constantFrom(
    '52998224725',
    '12ABC34501DE35',
    '+5511987654321',
    'contas@exemplo.com.br',
    '123e4567-e12b-12d1-a456-426655440000',
  );

  it('reads back what it builds', () => {
    fc.assert(
      fc.property(
        key,
        fc.option(fc.integer({ min: 1, max: 999_999_999_999 })),
        asciiName,
        asciiName,
        fc.option(fc.stringMatching(/^[A-Za-z0-9]{1,25}$/)),
        fc.option(fc.string({ unit: 'binary', maxLength: 100 })),
        (givenKey, amountCents, merchant, city, txid, note) => {
          const written = buildStaticPixCode({ key: givenKey, amountCents, merchant, city, txid, note });
          const cut = (text: string, max: number) => text.replace(/ +/g, ' ').trim().slice(0, max).trim();
          expect(readPixCode(written)).toMatchObject({
            ok: true,
            kind: 'static',
            key: givenKey,
            amountCents,
            merchant: cut(merchant, 25),
            city: cut(city, 15),
            txid,
            crcOk: true,
            warnings: [],
          });
          expect(/^[\x20-\x7e]*$/.test(written)).toBe(true);
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('cuts a note to what the account field holds', () => {
    const email = `${'a'.repeat(64)}@exemplo.com`;
    const written = buildStaticPixCode({
      key: email,
      merchant: 'ACME',
      city: 'SAO PAULO',
      note: 'pagamento da fatura',
    });
    expect(read(written)).toMatchObject({ key: email, keyType: 'email', note: null });
  });

  it('reads back the dynamic code it builds: one payment, no amount, no transaction id of its own', () => {
    const url = 'pix.exemplo.com/v2/cobv/8b3da2f39a4140d1a91abd93113bd441';
    const written = buildDynamicPixCode({ url, merchant: 'João & Cia', city: 'São Paulo' });
    expect(read(written)).toEqual({
      ok: true,
      kind: 'dynamic',
      key: null,
      keyType: null,
      url,
      amountCents: null,
      merchant: 'Joao & Cia',
      city: 'Sao Paulo',
      txid: null,
      note: null,
      singleUse: true,
      crcOk: true,
      warnings: [],
    });
    expect(written.startsWith('000201010212')).toBe(true);
    expect(written).toContain('62070503***6304');
  });

  it('builds no dynamic code of an address with a scheme, without a path, or too long', () => {
    const receiver = { merchant: 'ACME', city: 'SAO PAULO' };
    for (const url of ['https://exemplo.com/a', 'exemplo.com', `exemplo.com/${'a'.repeat(66)}`]) {
      expect(() => buildDynamicPixCode({ ...receiver, url })).toThrow(RangeError);
    }
  });

  it('builds nothing from a key, amount or transaction id that no code may hold', () => {
    const parts = { key: '52998224725', merchant: 'ACME', city: 'SAO PAULO' };
    expect(() => buildStaticPixCode({ ...parts, key: '11987650034' })).toThrow(RangeError);
    expect(() => buildStaticPixCode({ ...parts, amountCents: 0 })).toThrow(RangeError);
    expect(() => buildStaticPixCode({ ...parts, amountCents: 10.5 })).toThrow(RangeError);
    expect(() => buildStaticPixCode({ ...parts, txid: 'NF-1' })).toThrow(RangeError);
    expect(() => buildStaticPixCode({ ...parts, merchant: '漢字' })).toThrow(RangeError);
  });
});
