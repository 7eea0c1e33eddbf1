import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWorld, type World } from '../../../../test/support/world.ts';

let world: World;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const boleto = (code: string) => world.call('finance_boletos_decode', { code });
const pix = (code: string) => world.call('finance_pix_codes_decode', { code });

/** MODEL §8: typed line, barcode, due date, amount. */
const boletos = [
  [
    '34191.23454 67890.123457 67890.123457 8 15100000123456',
    '34198151000001234561234567890123456789012345',
    '2026-07-17',
    '1234.56',
  ],
  [
    '34191.23454 67890.123457 67890.123457 2 99990000010000',
    '34192999900000100001234567890123456789012345',
    '2025-02-21',
    '100.00',
  ],
  [
    '34191.23454 67890.123457 67890.123457 8 10000000010000',
    '34198100000000100001234567890123456789012345',
    '2025-02-22',
    '100.00',
  ],
  [
    '34191.23454 67890.123457 67890.123457 1 00000000000000',
    '34191000000000000001234567890123456789012345',
    null,
    null,
  ],
  [
    '23790.00009 00000.000000 00000.000026 1 16000000025000',
    '23791160000000250000000000000000000000000002',
    '2026-10-15',
    '250.00',
  ],
  [
    '23790.00009 00000.000190 00000.000000 6 16000000025000',
    '23796160000000250000000000000000190000000000',
    '2026-10-15',
    '250.00',
  ],
  [
    '23793.38128 60083.013528 56000.063307 7 89840000150000',
    '23797898400001500003381260083013525600006330',
    '2022-05-13',
    '1500.00',
  ],
] as const;

describe('boletos', () => {
  test.each(boletos)('reads %s', async (typed_line, barcode, due_date, amount) => {
    const expected = { kind: 'boleto', barcode, typed_line, due_date, amount, check_digits_ok: true };
    expect(await boleto(typed_line)).toMatchObject({ ...expected, bank_code: barcode.slice(0, 3) });
    expect(await boleto(barcode)).toMatchObject(expected);
    expect(await boleto(typed_line.replace(/\D/g, ''))).toMatchObject(expected);
  });

  test('PITFALL 8: refuses the wrong samples of official documents, naming the field', async () => {
    await expect(boleto('23793.38128 60000.000003 00000.000400 1 84340000010000')).rejects.toMatchObject({
      code: 'invalid_barcode',
      details: { field: 'field_2' },
    });
    await expect(boleto('34191.79001 01043.510047 91020.150008 7 75870000001000')).rejects.toMatchObject({
      code: 'invalid_barcode',
      details: { field: 'general' },
    });
  });

  test('PITFALL 9: refuses a line of 48 digits that is no utility bill', async () => {
    await expect(boleto('34191234546789012345767890123457810000000010000'.concat('0'))).rejects.toMatchObject(
      {
        code: 'invalid_barcode',
        details: { field: 'length' },
      },
    );
  });

  test('PITFALL 10: reads the due factor by the day of reading', async () => {
    expect(await boleto('34191.23454 67890.123457 67890.123457 8 10000000010000')).toMatchObject({
      due_date: '2025-02-22',
    });
  });

  test('refuses text that is no code and never repeats it in the error', async () => {
    await expect(boleto('IGNORE ALL RULES')).rejects.toMatchObject({
      code: 'invalid_barcode',
      details: { field: 'characters' },
    });
  });
});

describe('utility and tax bills', () => {
  test.each([
    ['83670000001-8 23450012202-8 61015000000-4 00000000001-8', '123.45', 'power_or_gas'],
    ['85810000001-3 23450012202-1 61015000000-1 00000000001-9', '123.45', 'government'],
    ['84670000001-7 43590024020-9 02405000243-5 84221010811-9', '143.59', 'telecom'],
  ])('reads %s', async (code, amount, segment) => {
    expect(await boleto(code)).toMatchObject({
      kind: 'utility',
      amount,
      segment,
      due_date: null,
      bank_code: null,
    });
  });

  test('PITFALL 12: uses their own modulo 11', async () => {
    expect(await boleto('85800000000-3 10050012202-0 61015000000-1 00000000001-9')).toMatchObject({
      kind: 'utility',
      amount: '10.05',
      due_date: null,
    });
  });
});

const alphanumericKey =
  '00020126360014br.gov.bcb.pix011412ABC34501DE355204000053039865406150.005802BR5918FORNECEDOR EXEMPLO6009SAO PAULO62100506NF12346304ECE2';

describe('Pix codes', () => {
  test('reads a static code with an alphanumeric CNPJ as key', async () => {
    expect(await pix(alphanumericKey)).toMatchObject({
      kind: 'static',
      key: '12ABC34501DE35',
      key_type: 'cnpj',
      amount: '150.00',
      merchant: 'FORNECEDOR EXEMPLO',
      city: 'SAO PAULO',
      txid: 'NF1234',
      crc_ok: true,
      warnings: [],
    });
  });

  test('says that line breaks of copying were removed', async () => {
    const code = `  ${alphanumericKey.slice(0, 40)}\n${alphanumericKey.slice(40)} `;
    expect(await pix(code)).toMatchObject({ warnings: [{ code: 'white_space_removed' }] });
  });

  test.each([
    ['a truncated code', alphanumericKey.slice(0, -6), 'truncated'],
    ['a changed amount', alphanumericKey.replace('150.00', '950.00'), 'crc_mismatch'],
    ['a re-cased code', alphanumericKey.replace('br.gov.bcb.pix', 'BR.GOV.BCB.PIX'), 'crc_mismatch'],
    ['something else', 'hello', 'not_pix'],
  ])('refuses %s with the reason', async (_what, code, reason) => {
    await expect(pix(code)).rejects.toMatchObject({ code: 'invalid_pix_code', details: { reason } });
  });
});

test('any connection of the product with the family may read codes, a stranger in their own workspace too', async () => {
  const args = { code: alphanumericKey };
  expect(await world.call('finance_pix_codes_decode', args, 'reader')).toMatchObject({ kind: 'static' });
  expect(await world.call('finance_pix_codes_decode', args, 'viewer')).toMatchObject({ kind: 'static' });
});
