import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cnpjCheckDigits,
  cnpjRoot,
  cpfCheckDigits,
  formatTaxId,
  isCnpj,
  isCpf,
  maskTaxId,
  normaliseTaxId,
  parseTaxId,
} from './tax-id.ts';

const CPFS = ['111.444.777-35', '529.982.247-25', '000.000.001-91', '987.654.321-00'];
const CNPJS = [
  '12ABC34501DE35',
  '00000000000191',
  '05813794000126',
  '11222333000181',
  'A1B2C3D4000193',
  '1ABCDEFGHIJK97',
  '7ZX9K2M4000336',
  'AB12CD34000001',
  'AB12CD34000770',
  'ZZZZZZZZZZZZ62',
];
const letterOrDigit = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const digit = fc.constantFrom(...'0123456789');

describe('CPF', () => {
  it.each(CPFS)('accepts %s with and without its mask', (text) => {
    const number = text.replace(/\D/g, '');
    expect(parseTaxId(text)).toEqual({ kind: 'cpf', number });
    expect(isCpf(number)).toBe(true);
    expect(formatTaxId(number)).toBe(text);
  });

  it.each([...'0123456789'])('refuses eleven times %s', (one) => {
    expect(parseTaxId(one.repeat(11))).toBeNull();
  });

  it('refuses a wrong check digit, a missing digit and a letter', () => {
    expect(parseTaxId('529.982.247-26')).toBeNull();
    expect(parseTaxId('5299822472')).toBeNull();
    expect(parseTaxId('5299822472S')).toBeNull();
  });

  it('accepts any nine digits with computed check digits', () => {
    fc.assert(
      fc.property(fc.array(digit, { minLength: 9, maxLength: 9 }), (digits) => {
        fc.pre(new Set(digits).size > 1);
        const number = digits.join('') + cpfCheckDigits(digits.join(''));
        expect(parseTaxId(formatTaxId(number))).toEqual({ kind: 'cpf', number });
      }),
      { numRuns: 1000 },
    );
  });
});

describe('CNPJ', () => {
  it.each(CNPJS)('accepts %s', (number) => {
    expect(parseTaxId(number)).toEqual({ kind: 'cnpj', number });
    expect(parseTaxId(formatTaxId(number))).toEqual({ kind: 'cnpj', number });
  });

  it('PITFALL 1: values letters from A = 17, so the official example has check digits 35', () => {
    expect(cnpjCheckDigits('12ABC34501DE')).toBe('35');
    expect(parseTaxId('12.ABC.345/01DE-35')).toEqual({ kind: 'cnpj', number: '12ABC34501DE35' });
    expect(parseTaxId('12.ABC.345/01DE-45')).toBeNull();
  });

  it('PITFALL 2: keeps the letters when it takes off the mask, and upper-cases once', () => {
    expect(normaliseTaxId(' 12.ABC.345/01DE-35 ')).toBe('12ABC34501DE35');
    expect(normaliseTaxId('12.abc.345/01de-35')).toBe('12ABC34501DE35');
    expect(isCnpj('12abc34501de35')).toBe(false);
  });

  it('does not turn letters of other alphabets into ASCII ones', () => {
    expect(parseTaxId('1ABCDEFGHıJK97')).toBeNull();
    expect(parseTaxId('1ABCDEFGHIJK97')).not.toBeNull();
  });

  it('PITFALL 3: excludes no letter', () => {
    expect(parseTaxId('FOUQI000000107')).toEqual({ kind: 'cnpj', number: 'FOUQI000000107' });
  });

  it('PITFALL 4: accepts a root of zeros and refuses all zeros', () => {
    expect(isCnpj('00000000000191')).toBe(true);
    expect(isCnpj('00000000000000')).toBe(false);
    expect(isCnpj('11111111111111')).toBe(false);
  });

  it('refuses the letter O for a zero and letters in the last two places', () => {
    expect(parseTaxId('12ABC345O1DE35')).toBeNull();
    expect(parseTaxId('12ABC34501DEA5')).toBeNull();
    expect(parseTaxId('12ABC34501DE3B')).toBeNull();
  });

  it('accepts any twelve characters with computed check digits', () => {
    fc.assert(
      fc.property(fc.array(letterOrDigit, { minLength: 12, maxLength: 12 }), (characters) => {
        fc.pre(new Set(characters).size > 1);
        const first = characters.join('');
        const number = first + cnpjCheckDigits(first);
        expect(parseTaxId(formatTaxId(number).toLowerCase())).toEqual({ kind: 'cnpj', number });
      }),
      { numRuns: 2000 },
    );
  });
});

describe('showing tax ids', () => {
  it('hides all of a CPF but its middle, shows a CNPJ whole and hides anything else', () => {
    expect(maskTaxId('52998224725')).toBe('***.982.247-**');
    expect(maskTaxId('12ABC34501DE35')).toBe('12.ABC.345/01DE-35');
    expect(maskTaxId('529982247')).toBe('***');
  });

  it('leaves text that is no stored tax id as it is', () => {
    expect(formatTaxId('529982247')).toBe('529982247');
  });

  it('gives the root of a CNPJ only', () => {
    expect(cnpjRoot('12ABC34501DE35')).toBe('12ABC345');
    expect(cnpjRoot('52998224725')).toBeNull();
  });
});
