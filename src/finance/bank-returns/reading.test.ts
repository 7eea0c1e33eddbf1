import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cnab240Return, cnab400Return } from '../../../test/support/cnab.ts';
import { readReturnFile } from './reading.ts';
import { receiptOf, replayKeyOf } from './rules.ts';

const TITLE = { ourNumber: '123', documentNumber: 'NF 77', face: 10_000, paid: 10_217, interest: 217 };

describe('CNAB 240', () => {
  it('reads the pair of T and U: what was paid, what was credited, and the fee between them', () => {
    const file = readReturnFile(
      cnab240Return('001', [{ ...TITLE, credited: 9_967, on: '01102026', creditedOn: '02102026' }]),
    );
    expect(file).toEqual({
      layout: 'cnab240',
      bankCode: '001',
      agreement: '1234567',
      fileDate: '2026-10-02',
      sequenceNumber: '000042',
      titles: [
        {
          line: 3,
          ourNumber: '123',
          documentNumber: 'NF 77',
          occurrence: '06',
          occurredOn: '2026-10-01',
          creditedOn: '2026-10-02',
          face: 10_000,
          paid: 10_217,
          credited: 9_967,
          fee: 250,
          interest: 217,
          discount: 0,
          abatement: 0,
        },
      ],
      unreadable: [],
    });
  });

  it('PITFALLS 42: a Latin-1 "Ç" or "É" in a record moves no field, whatever encoding an editor saved it in', () => {
    const latin = cnab240Return('341', [TITLE], { name: 'COBRANÇA E AÇÕES ÉPICAS' });
    const plain = cnab240Return('341', [TITLE], { name: 'COBRANCA E ACOES EPICAS' });
    const utf8 = Buffer.from(latin.toString('latin1'), 'utf8');
    expect(latin.length).toBe(plain.length);
    expect(readReturnFile(latin)).toEqual(readReturnFile(plain));
    expect(readReturnFile(utf8)).toEqual(readReturnFile(plain));
  });

  it('takes the good records and lists the broken ones by line', () => {
    const records = cnab240Return('001', [
      TITLE,
      { ...TITLE, ourNumber: '124' },
      { ...TITLE, ourNumber: '125' },
    ])
      .toString('latin1')
      .split('\r\n');
    records[2] = records[2]!.slice(0, 200);
    records[4] = records[4]!.replace('124 ', '    ');
    const file = readReturnFile(Buffer.from(records.join('\r\n'), 'latin1'));
    expect(file.titles.map(({ ourNumber }) => ourNumber)).toEqual(['125']);
    expect(file.unreadable).toEqual([
      { line: 3, reason: 'length' },
      { line: 4, reason: 'unpaired' },
      { line: 5, reason: 'our_number' },
    ]);
  });

  it('accepts LF alone and the end-of-file mark of DOS', () => {
    const bytes = cnab240Return('001', [TITLE]);
    const unix = Buffer.from(`${bytes.toString('latin1').replaceAll('\r\n', '\n')}\x1a`, 'latin1');
    expect(readReturnFile(unix)).toEqual(readReturnFile(bytes));
  });

  it('refuses a file that is not whole, a remittance, and anything else', () => {
    const whole = cnab240Return('001', [TITLE]).toString('latin1');
    const half = Buffer.from(whole.split('\r\n').slice(0, 4).join('\r\n'), 'latin1');
    expect(() => readReturnFile(half)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', details: expect.objectContaining({ line: 4 }) }),
    );
    const remittance = Buffer.from(`${whole.slice(0, 142)}1${whole.slice(143)}`, 'latin1');
    for (const bytes of [
      remittance,
      Buffer.from('PK\x03\x04'),
      Buffer.from('a;b;c\n1;2;3\n'),
      Buffer.alloc(10),
    ]) {
      expect(() => readReturnFile(bytes)).toThrow(expect.objectContaining({ code: 'unsupported_file' }));
    }
  });
});

describe('CNAB 400', () => {
  it('PITFALLS 42: reads a header with "COBRANÇA" as 400 bytes', () => {
    const bytes = cnab400Return('237', [TITLE], { ourNumberAt: 71, length: 11 });
    expect(bytes.indexOf('\r\n')).toBe(400);
    const file = readReturnFile(bytes);
    expect(file).toMatchObject({
      layout: 'cnab400',
      bankCode: '237',
      fileDate: '2026-10-02',
      unreadable: [],
    });
    expect(file.titles).toMatchObject([
      { ourNumber: '123', paid: 10_217, fee: 0, face: 10_000, occurredOn: '2026-10-01' },
    ]);
  });

  it('paid is not credited: where the layout tells the credited amount, the fee is added to it', () => {
    const [title] = readReturnFile(cnab400Return('341', [{ ...TITLE, paid: 9_967, fee: 250 }])).titles;
    expect(title).toMatchObject({ paid: 10_217, credited: 9_967, fee: 250 });
  });

  it('knows where each bank keeps our number', () => {
    const layouts = {
      '001': [64, 17, '7'],
      '104': [57, 17, '1'],
      '237': [71, 11, '1'],
      '341': [63, 8, '1'],
    } as const;
    for (const [bank, [ourNumberAt, length, detail]] of Object.entries(layouts)) {
      const file = readReturnFile(cnab400Return(bank, [TITLE], { ourNumberAt, length, detail }));
      expect(
        file.titles.map(({ ourNumber }) => ourNumber),
        bank,
      ).toEqual(['123']);
    }
  });
});

describe('what a title means', () => {
  const file = { bankCode: '341', agreement: '1', fileDate: '2026-10-02' } as const;
  const title = readReturnFile(cnab240Return('341', [{ ...TITLE, credited: 9_967 }])).titles[0]!;

  it.each(['06', '17', '08'])('occurrence %s is money', (occurrence) => {
    expect(receiptOf(file, { ...title, occurrence }, '2026-10-03')).toEqual({
      paidOn: '2026-10-01',
      amount: 10_217,
      fee: 250,
      interest: 217,
      discount: undefined,
    });
  });

  it.each(['02', '03', '09', '10', '19', '23', '28'])('occurrence %s creates no receipt', (occurrence) => {
    expect(receiptOf(file, { ...title, occurrence }, '2026-10-03')).toBeNull();
  });

  it('08 at another bank is no payment', () => {
    expect(receiptOf({ ...file, bankCode: '237' }, { ...title, occurrence: '08' }, '2026-10-03')).toBeNull();
  });

  it('leaves the parts to the terms when those of the bank do not explain the amount', () => {
    expect(receiptOf(file, { ...title, interest: 100 }, '2026-10-03')).toMatchObject({
      amount: 10_217,
      interest: undefined,
      discount: undefined,
    });
  });

  it('tells records apart by number, occurrence, day and amount, and only by them', () => {
    fc.assert(
      fc.property(
        fc.record({ ourNumber: fc.stringMatching(/^[1-9]\d{0,10}$/), paid: fc.nat(), line: fc.nat() }),
        fc.record({ ourNumber: fc.stringMatching(/^[1-9]\d{0,10}$/), paid: fc.nat(), line: fc.nat() }),
        (left, right) => {
          const isSame = left.ourNumber === right.ourNumber && left.paid === right.paid;
          const keys = [left, right].map((changes) => replayKeyOf(file, { ...title, ...changes }));
          return (keys[0] === keys[1]) === isSame;
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
