import { describe, expect, it } from 'vitest';
import { accessKeyCheckDigit, accessKeyModelName, readAccessKey } from './nfe-key.ts';

const LETTERS = '35260712ABC34501DE35550010000012341123456780';
const NUMERIC = '35260705813794000126550010000012341123456783';

function reasonOf(text: string): string {
  const reading = readAccessKey(text);
  return reading.ok ? 'accepted' : reading.reason;
}

describe('verified access keys', () => {
  it.each([
    [LETTERS, 'SP', '2026-07', { kind: 'cnpj', number: '12ABC34501DE35' }, '55', '1', '1234'],
    [NUMERIC, 'SP', '2026-07', { kind: 'cnpj', number: '05813794000126' }, '55', '1', '1234'],
    [
      '35260805813794000126550010000020011112233440',
      'SP',
      '2026-08',
      { kind: 'cnpj', number: '05813794000126' },
      '55',
      '1',
      '2001',
    ],
    [
      '41261000011144477735559200000000171876543212',
      'PR',
      '2026-10',
      { kind: 'cpf', number: '11144477735' },
      '55',
      '920',
      '17',
    ],
    [
      '41191111812498000103650050000010451515607994',
      'PR',
      '2019-11',
      { kind: 'cnpj', number: '11812498000103' },
      '65',
      '5',
      '1045',
    ],
  ])('reads the parts of %s', (accessKey, state, issuedMonth, issuer, model, series, number) => {
    expect(readAccessKey(accessKey)).toEqual({
      ok: true,
      accessKey,
      stateCode: accessKey.slice(0, 2),
      state,
      issuedMonth,
      issuer,
      model,
      modelName: model === '55' ? 'NF-e' : 'NFC-e',
      series,
      number,
      emissionType: accessKey[34],
      code: accessKey.slice(35, 43),
      checkDigit: accessKey[43],
    });
  });

  it('ignores the spaces of a printed key and upper-cases letters', () => {
    const printed = LETTERS.toLowerCase().replace(/(.{4})/g, '$1 ');
    expect(readAccessKey(printed)).toEqual(readAccessKey(LETTERS));
  });
});

describe('refused access keys', () => {
  it('PITFALL 5: accepts letters in positions 7 to 18 only, and never a dot', () => {
    expect(reasonOf(LETTERS)).toBe('accepted');
    for (let position = 0; position < 44; position += 1) {
      const replaced = (character: string) =>
        LETTERS.slice(0, position) + character + LETTERS.slice(position + 1);
      expect(reasonOf(replaced('.'))).toBe('characters');
      const isLetterPlace = position >= 6 && position < 18;
      if (!isLetterPlace) expect(reasonOf(replaced('A'))).toBe('characters');
      expect(reasonOf(replaced(' '))).toBe('length');
    }
  });

  it('PITFALL 6: prints a remainder of 0 as the one digit 0, and refuses keys of 43 digits', () => {
    expect(accessKeyCheckDigit('3526080581379400012655001000002008111223344')).toBe('0');
    expect(reasonOf('35260805813794000126550010000020081112233440')).toBe('accepted');
    expect(reasonOf('3526080581379400012655001000002001112233440')).toBe('length');
  });

  it('tells what is wrong', () => {
    expect(reasonOf(`${LETTERS.slice(0, 43)}1`)).toBe('check_digit');
    expect(reasonOf(withDigit(`99${NUMERIC.slice(2, 43)}`))).toBe('state');
    expect(reasonOf(withDigit(`352613${NUMERIC.slice(6, 43)}`))).toBe('month');
    expect(reasonOf(withDigit(`35260705813794000127${NUMERIC.slice(20, 43)}`))).toBe('issuer');
    expect(reasonOf('')).toBe('length');
  });

  it('names the models', () => {
    expect(['55', '57', '65', '67', '99', 'toString'].map(accessKeyModelName)).toEqual([
      'NF-e',
      'CT-e',
      'NFC-e',
      'CT-e OS',
      null,
      null,
    ]);
  });
});

function withDigit(first43: string): string {
  return first43 + accessKeyCheckDigit(first43);
}
