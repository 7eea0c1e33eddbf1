import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildUtilityBill, readUtilityBill, type UtilityBillParts } from './utility-bill.ts';

const digits = (length: number) =>
  fc
    .array(fc.constantFrom(...'0123456789'), { minLength: length, maxLength: length })
    .map((parts) => parts.join(''));
const parts: fc.Arbitrary<UtilityBillParts> = fc.record({
  segmentDigit: fc.constantFrom('1', '2', '3', '4', '5', '7'),
  valueDigit: fc.constantFrom('6' as const, '7' as const, '8' as const, '9' as const),
  amountCents: fc.integer({ min: 1, max: 99_999_999_999 }),
  issuerAndFreeField: digits(29),
});

function fieldOf(code: string): string {
  const reading = readUtilityBill(code);
  return reading.ok ? 'accepted' : reading.field;
}

describe('verified bills', () => {
  it.each([
    ['83670000001-8 23450012202-8 61015000000-4 00000000001-8', 'power_or_gas', 12345],
    ['85810000001-3 23450012202-1 61015000000-1 00000000001-9', 'government', 12345],
    ['85800000000-3 10050012202-0 61015000000-1 00000000001-9', 'government', 1005],
    ['84670000001-7 43590024020-9 02405000243-5 84221010811-9', 'telecom', 14359],
  ])('reads %s from both forms', (typedLine, segment, amountCents) => {
    const barcode = typedLine.replace(/-\d( |$)/g, '');
    const expected = {
      ok: true,
      kind: 'utility',
      barcode,
      typedLine,
      segment,
      amountCents,
      dueDate: null,
      issuerCode: barcode.slice(15, 19),
      freeField: barcode.slice(19),
      warnings: [],
    };
    expect(readUtilityBill(typedLine)).toEqual(expected);
    expect(readUtilityBill(typedLine.replace(/\D/g, ''))).toEqual(expected);
    expect(readUtilityBill(barcode)).toEqual(expected);
  });

  it('PITFALL 12: takes general digit 0 where the boleto rule would want 1, and invents no due date', () => {
    const reading = readUtilityBill('85800000000-3 10050012202-0 61015000000-1 00000000001-9');
    expect(reading).toMatchObject({ ok: true, amountCents: 1005, dueDate: null });
    expect(fieldOf('85810000000-3 10050012202-0 61015000000-1 00000000001-9')).not.toBe('accepted');
  });
});

describe('refused bills', () => {
  it('names the block with the mistake', () => {
    expect(fieldOf('83670000001-9 23450012202-8 61015000000-4 00000000001-8')).toBe('block_1');
    expect(fieldOf('83670000001-8 23450012203-8 61015000000-4 00000000001-8')).toBe('block_2');
    expect(fieldOf('83670000001-8 23450012202-8 61015000001-4 00000000001-8')).toBe('block_3');
    expect(fieldOf('83670000001-8 23450012202-8 61015000000-4 00000000001-7')).toBe('block_4');
    expect(fieldOf('83680000001234500122026101500000000000000001')).toBe('general');
    expect(fieldOf('8367000000123450012202610150000000000000000')).toBe('length');
    expect(fieldOf('8367000000123450012202610150000000000000000x')).toBe('characters');
    expect(fieldOf('34198151000001234561234567890123456789012345')).toBe('block_1');
    expect(fieldOf('83570000001234500122026101500000000000000001')).toBe('block_1');
  });
});

describe('kinds of bills', () => {
  const base = { amountCents: 12345, issuerAndFreeField: '11222333'.padEnd(29, '0') };

  it('reads eight digits of the CNPJ root for companies', () => {
    const { barcode } = buildUtilityBill({ ...base, segmentDigit: '6', valueDigit: '6' });
    expect(readUtilityBill(barcode)).toMatchObject({
      segment: 'company',
      issuerCode: '11222333',
      freeField: '0'.repeat(21),
    });
  });

  it('takes a quantity for no amount', () => {
    const { barcode } = buildUtilityBill({ ...base, segmentDigit: '1', valueDigit: '7' });
    const reading = readUtilityBill(barcode);
    expect(reading).toMatchObject({ ok: true, segment: 'municipality', amountCents: null });
    expect(reading.ok && reading.warnings.map(({ code }) => code)).toEqual(['reference_quantity']);
  });

  it('takes a zero amount for an open one', () => {
    const { barcode } = buildUtilityBill({ ...base, amountCents: 0, segmentDigit: '2', valueDigit: '8' });
    expect(readUtilityBill(barcode)).toMatchObject({ ok: true, amountCents: null, warnings: [] });
  });

  it('warns of bank-internal and unknown segments', () => {
    const codes = ['9', '8'].map((segmentDigit) => {
      const reading = readUtilityBill(buildUtilityBill({ ...base, segmentDigit, valueDigit: '6' }).barcode);
      return reading.ok && reading.warnings.map(({ code }) => code);
    });
    expect(codes).toEqual([['bank_internal'], ['unknown_segment']]);
  });

  it('builds nothing from parts that fit no bill', () => {
    expect(() => buildUtilityBill({ ...base, segmentDigit: '0', valueDigit: '6' })).toThrow(RangeError);
    expect(() => buildUtilityBill({ ...base, segmentDigit: '1', valueDigit: '6', amountCents: -1 })).toThrow(
      RangeError,
    );
    expect(() =>
      buildUtilityBill({ ...base, segmentDigit: '1', valueDigit: '6', issuerAndFreeField: '1' }),
    ).toThrow(RangeError);
  });
});

describe('check digits', () => {
  it('reads back what it builds', () => {
    fc.assert(
      fc.property(parts, (given) => {
        const built = buildUtilityBill(given);
        const hasAmount = given.valueDigit === '6' || given.valueDigit === '8';
        for (const code of [built.barcode, built.typedLine]) {
          const reading = readUtilityBill(code);
          expect(reading).toMatchObject({
            ok: true,
            ...built,
            amountCents: hasAmount ? given.amountCents : null,
          });
          if (reading.ok) expect(reading.issuerCode + reading.freeField).toBe(given.issuerAndFreeField);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('refuses a typed line with one wrong digit under modulo 10', () => {
    const modulo10 = parts.map((given) => ({ ...given, valueDigit: '6' as const }));
    fc.assert(
      fc.property(modulo10, fc.nat(47), fc.integer({ min: 1, max: 9 }), (given, position, step) => {
        // The third digit chooses the rule itself, so a change there is another check.
        fc.pre(position !== 2);
        expect(readUtilityBill(withWrongDigit(given, position, step)).ok).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  it('refuses a typed line with one wrong digit under modulo 11, but where 0 stands for two remainders', () => {
    const modulo11 = parts.map((given) => ({ ...given, valueDigit: '8' as const }));
    fc.assert(
      fc.property(modulo11, fc.nat(47), fc.integer({ min: 1, max: 9 }), (given, position, step) => {
        const line = buildUtilityBill(given).typedLine.replace(/\D/g, '');
        const blockDigit = line[Math.floor(position / 12) * 12 + 11];
        fc.pre(position !== 2 && blockDigit !== '0');
        expect(readUtilityBill(withWrongDigit(given, position, step)).ok).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });
});

function withWrongDigit(given: UtilityBillParts, position: number, step: number): string {
  const line = [...buildUtilityBill(given).typedLine.replace(/\D/g, '')];
  line[position] = String((Number(line[position]) + step) % 10);
  return line.join('');
}
