import { expect, it } from 'vitest';
import { readPaymentCode } from './payment-code.ts';

const TODAY = '2026-10-01';

it('tells boletos from utility bills by the first digit', () => {
  const codes = [
    '34191.23454 67890.123457 67890.123457 8 15100000123456',
    '34198151000001234561234567890123456789012345',
    '83670000001-8 23450012202-8 61015000000-4 00000000001-8',
    '83670000001234500122026101500000000000000001',
  ];
  const kinds = codes.map((code) => {
    const reading = readPaymentCode(code, TODAY);
    return reading.ok ? reading.kind : reading.field;
  });
  expect(kinds).toEqual(['boleto', 'boleto', 'utility', 'utility']);
});

it('PITFALL 9: explains a boleto of 48 digits by its five-digit due factor', () => {
  const reading = readPaymentCode('34191.23454 67890.123457 67890.123457 8 100000000010000', TODAY);
  expect(reading).toMatchObject({ ok: false, field: 'length' });
  expect(reading.ok ? '' : reading.message).toContain('due factor printed with five digits');
});

it('counts the digits of a utility bill that lost one', () => {
  const reading = readPaymentCode('83670000001-8 23450012202-8 61015000000-4 00000000001', TODAY);
  expect(reading).toMatchObject({ ok: false, field: 'length' });
  expect(reading.ok ? '' : reading.message).toContain(
    '48 digits in its typed line or 44 in its barcode; this one has 47',
  );
});

it('refuses text and nothing', () => {
  expect(readPaymentCode('pay me', TODAY)).toMatchObject({ ok: false, field: 'characters' });
  expect(readPaymentCode('', TODAY)).toMatchObject({ ok: false, field: 'length' });
});
