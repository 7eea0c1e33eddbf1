import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays } from '../../core/dates.ts';
import { readBoleto } from '../../core/documents/boleto.ts';
import { isCnpj } from '../../core/documents/tax-id.ts';
import { createSimulatedDda } from './simulated-dda.ts';

const NOW = new Date('2026-10-01T12:00:00Z');
const account = { bankCode: '341', agency: '1', number: '2', digit: '3', providerId: null };
const ask = (holder: string, from = '2026-08-01', to = '2027-03-01', seed?: string) =>
  createSimulatedDda(seed).announced({ ...account, holderDocument: holder }, from, to, NOW);

describe('a simulated inbox', () => {
  test('gives the same boletos each time, others to other holders and seeds', async () => {
    const first = await ask('00000000000191');
    expect(first.length).toBeGreaterThan(5);
    expect(await ask('00000000000191')).toEqual(first);
    expect(await ask('05813794000126')).not.toEqual(first);
    expect(await ask('00000000000191', undefined, undefined, 'other')).not.toEqual(first);
    // What is asked for decides which are shown, not what they are.
    const part = await ask('00000000000191', '2026-09-01', '2026-09-30');
    expect(first).toEqual(expect.arrayContaining([...part]));
    expect(await ask('00000000000191', '2001-01-01')).toHaveLength(60);
  });

  test('every boleto is valid, the holder is its payer, and its day is within those asked', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 3_000 }),
        fc.integer({ min: 0, max: 120 }),
        async (start, length) => {
          const from = addDays('2024-01-01', start);
          const to = addDays(from, length);
          const found = await ask('00000000000191', from, to);
          for (const boleto of found) {
            expect(boleto.dueDate >= from && boleto.dueDate <= to).toBe(true);
            expect(boleto.payerDocument).toBe('00000000000191');
            expect(isCnpj(boleto.beneficiary.documentNumber)).toBe(true);
            expect(readBoleto(boleto.barcode, boleto.dueDate)).toMatchObject({
              ok: true,
              dueDate: boleto.dueDate,
              amountCents: boleto.amount,
            });
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
