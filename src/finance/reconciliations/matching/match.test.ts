import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { principalOnly, takenBy } from './fit.ts';
import { suggestionsOf } from './match.ts';
import { subsetOf } from './subset.ts';
import type { Candidate, OpenLine, Settings } from './types.ts';

const settings: Settings = { dateToleranceDays: 3, amountTolerance: 0 };
const acme = { personId: 'p1', partyDocument: '11222333000181', partyName: 'Açaí do Norte & Cia Ltda' };
const other = { personId: 'p2', partyDocument: '05813794000126', partyName: 'Outra Comercial' };

let count = 0;

function line(fields: Partial<OpenLine> = {}): OpenLine {
  count += 1;
  return {
    id: `line-${String(count).padStart(5, '0')}`,
    date: '2026-10-05',
    direction: 'debit',
    open: 10_000,
    isWhole: true,
    text: 'LANCAMENTO',
    counterpartyDocument: null,
    endToEndId: null,
    ...fields,
  };
}

function bill(fields: Partial<Candidate> = {}): Candidate {
  count += 1;
  return {
    kind: 'payable',
    id: `bill-${String(count).padStart(5, '0')}`,
    direction: 'debit',
    dates: ['2026-10-05'],
    amount: 10_000,
    dueOn: null,
    personId: null,
    partyDocument: null,
    partyName: null,
    documentNumber: null,
    identifiers: [],
    isCharged: false,
    isConfirmed: false,
    isMutual: null,
    ...fields,
  };
}

const suggest = (lines: OpenLine[], candidates: Candidate[], change: Partial<Settings> = {}) =>
  suggestionsOf(lines, candidates, { ...settings, ...change });

describe('one line and one bill', () => {
  test('of the same person, amount and days are certain', () => {
    const [paid, owed] = [line({ counterpartyDocument: acme.partyDocument }), bill({ ...acme })];
    expect(suggest([paid], [owed])).toMatchObject([
      {
        certainty: 'certain',
        reasons: ['exact_amount', 'same_date', 'counterparty_document'],
        lines: [paid],
        candidates: [owed],
        difference: 0,
      },
    ]);
  });

  test('of another branch of the same company are of the same person', () => {
    const [found] = suggest([line({ counterpartyDocument: '11222333000262' })], [bill(acme)]);
    expect(found).toMatchObject({
      certainty: 'certain',
      reasons: expect.arrayContaining(['counterparty_document']),
    });
  });

  test('of amount and day alone are likely, and no more than possible when there are two', () => {
    expect(suggest([line()], [bill()])).toMatchObject([
      { certainty: 'likely', reasons: ['exact_amount', 'same_date'] },
    ]);
    const two = suggest([line()], [bill(), bill()]);
    expect(two.map(({ certainty }) => certainty)).toEqual(['possible', 'possible']);
  });

  test('further apart than the tolerance are not suggested for the amount alone', () => {
    expect(suggest([line({ date: '2026-10-08' })], [bill()])).toHaveLength(1);
    expect(suggest([line({ date: '2026-10-09' })], [bill()])).toEqual([]);
    expect(suggest([line({ date: '2026-10-06' })], [bill()], { dateToleranceDays: 0 })).toEqual([]);
  });

  test('of which the line names somebody else are not suggested', () => {
    expect(suggest([line({ counterpartyDocument: other.partyDocument })], [bill(acme)])).toEqual([]);
  });

  test('alike twice are never certain, whoever the person is', () => {
    const found = suggest(
      [line({ counterpartyDocument: acme.partyDocument })],
      [bill(acme), bill({ ...acme, dates: ['2026-09-05'] })],
    );
    expect(found.map(({ certainty }) => certainty)).not.toContain('certain');
    expect(found[0]!.candidates[0]!.dates).toEqual(['2026-10-05']);
  });

  test('told by the number of the document, written with zeros and a slash', () => {
    const owed = bill({ ...acme, documentNumber: 'NF 0048231/1' });
    const [found] = suggest([line({ text: 'PGTO 48231 ACAI DO NORTE', date: '2026-10-20' })], [owed]);
    expect(found).toMatchObject({
      certainty: 'certain',
      reasons: ['exact_amount', 'counterparty_name', 'document_number'],
    });
    expect(
      suggest([line({ text: 'PGTO 2026', date: '2026-10-06' })], [bill({ documentNumber: '2026' })])[0],
    ).toMatchObject({ certainty: 'likely' });
  });

  test('on a due date that is no business day are near on the next one', () => {
    const owed = bill({ ...acme, dates: ['2026-10-03', '2026-10-05'] });
    const [found] = suggest([line({ counterpartyDocument: acme.partyDocument })], [owed]);
    expect(found).toMatchObject({ reasons: expect.arrayContaining(['same_date']) });
  });
});

describe('a receipt', () => {
  const credit = (fields: Partial<OpenLine>) => line({ direction: 'credit', ...fields });
  const charged = (fields: Partial<Candidate> = {}) =>
    bill({
      kind: 'receivable',
      direction: 'credit',
      isCharged: true,
      identifiers: [
        { reason: 'our_number', value: '00000000123' },
        { reason: 'pix_txid', value: 'AbC1234567890123456789012345' },
      ],
      ...acme,
      ...fields,
    });

  test('is told by our number and by the txid, whatever the day', () => {
    const byNumber = credit({ text: 'LIQUIDACAO 00000000123', date: '2026-11-30' });
    expect(suggest([byNumber], [charged()])[0]).toMatchObject({
      certainty: 'certain',
      reasons: ['exact_amount', 'our_number'],
    });
    const byTxid = credit({ text: 'PIX abc1234567890123456789012345', date: '2026-11-30' });
    expect(suggest([byTxid], [charged()])[0]).toMatchObject({ reasons: ['exact_amount', 'pix_txid'] });
    expect(suggest([credit({ text: 'PIX 123', date: '2026-11-30' })], [charged()])).toEqual([]);
  });

  test('less what the bank kept has the fee as a part of its own', () => {
    const [found] = suggest([credit({ text: 'COBRANCA 00000000123', open: 9_751 })], [charged()]);
    expect(found).toMatchObject({
      certainty: 'certain',
      difference: 0,
      parts: [{ principal: 10_000, fee: 249 }],
      reasons: expect.arrayContaining(['bank_fee', 'our_number']),
    });
    expect(suggest([credit({ text: 'COBRANCA 00000000123', open: 8_999 })], [charged()])).toEqual([]);
    expect(suggest([credit({ open: 9_751 })], [charged()])).toMatchObject([{ certainty: 'possible' }]);
  });
});

describe('what accrued', () => {
  const late = (date: string) => ({
    ...principalOnly(10_000),
    ...(date > '2026-10-05' && { fine: 200, interest: Number(date.slice(8)) - 5 }),
  });

  test('up to the day of the line, or the days a bank may take, is part of the amount', () => {
    const owed = bill({ ...acme, dueOn: late });
    const [found] = suggest([line({ date: '2026-10-20', open: 10_215 })], [owed]);
    expect(found).toMatchObject({
      certainty: 'likely',
      parts: [{ principal: 10_000, fine: 200, interest: 15 }],
      reasons: ['exact_amount', 'interest_and_fine'],
    });
    expect(suggest([line({ date: '2026-10-21', open: 10_215 })], [owed])).toHaveLength(1);
    expect(suggest([line({ date: '2026-10-25', open: 10_215 })], [owed])).toEqual([]);
  });

  test('and was not paid leaves the face value', () => {
    const owed = bill({ ...acme, dueOn: late });
    const [found] = suggest([line({ counterpartyDocument: acme.partyDocument, date: '2026-10-20' })], [owed]);
    expect(found).toMatchObject({
      certainty: 'likely',
      parts: [{ principal: 10_000, fine: 0, interest: 0 }],
      reasons: ['face_amount', 'counterparty_document'],
    });
  });
});

describe('what is on record', () => {
  test('a payment that a bank confirmed is certain on its day, one entered by hand is likely', () => {
    const settled = { kind: 'settlement', ...acme } as const;
    expect(suggest([line()], [bill({ ...settled, isConfirmed: true })])).toMatchObject([
      { certainty: 'certain', reasons: expect.arrayContaining(['settlement_recorded', 'confirmed_by_bank']) },
    ]);
    expect(suggest([line()], [bill(settled)])).toMatchObject([{ certainty: 'likely' }]);
  });

  test('PITFALLS 41: a debit here and a credit there are one transfer, certain when either names the other', () => {
    const holder = { partyDocument: acme.partyDocument, partyName: acme.partyName };
    const there = bill({ kind: 'transaction', ...holder });
    expect(suggest([line({ counterpartyDocument: acme.partyDocument })], [there])).toMatchObject([
      { certainty: 'certain', reasons: expect.arrayContaining(['own_transfer', 'counterparty_document']) },
    ]);
    expect(suggest([line()], [there])).toMatchObject([{ certainty: 'likely' }]);
    expect(suggest([line()], [{ ...there, isMutual: false }])).toEqual([]);
    const byPix = {
      ...there,
      identifiers: [{ reason: 'pix_end_to_end_id' as const, value: 'E60701190202610051200ABC' }],
    };
    expect(suggest([line({ endToEndId: 'E60701190202610051200ABC' })], [byPix])).toMatchObject([
      { certainty: 'certain' },
    ]);
    expect(suggest([line({ isWhole: false })], [there])).toEqual([]);
  });
});

describe('sums', () => {
  test('one line for all bills of a person around its day is certain', () => {
    const bills = [
      bill({ ...acme, amount: 1_000 }),
      bill({ ...acme, amount: 2_000 }),
      bill({ ...acme, amount: 4_000 }),
    ];
    const paid = line({ open: 7_000, counterpartyDocument: acme.partyDocument });
    expect(suggest([paid], bills)).toMatchObject([
      {
        certainty: 'certain',
        reasons: expect.arrayContaining(['several_documents']),
        candidates: expect.arrayContaining(bills),
      },
    ]);
  });

  test('one line for some of them is found, and is not certain', () => {
    const bills = [1_000, 2_100, 4_300, 9_900].map((amount) => bill({ ...acme, amount }));
    const paid = line({ open: 5_300, counterpartyDocument: acme.partyDocument });
    const [found] = suggest([paid], bills);
    expect(found!.certainty).not.toBe('certain');
    expect(found!.candidates.map(({ amount }) => amount).sort()).toEqual([1_000, 4_300]);
  });

  test('bills of one person on one day are found without a name', () => {
    const bills = [bill({ ...acme, amount: 1_234 }), bill({ ...acme, amount: 4_321 })];
    expect(suggest([line({ open: 5_555 })], bills)).toMatchObject([
      { reasons: expect.arrayContaining(['several_documents']) },
    ]);
  });

  test('several lines of a person for one bill, certain when each names it', () => {
    const owed = bill({ ...acme, amount: 9_000, documentNumber: '77123' });
    const lines = [2_000, 3_000, 4_000].map((open) =>
      line({ open, counterpartyDocument: acme.partyDocument }),
    );
    expect(suggest(lines, [owed])).toMatchObject([
      {
        certainty: 'likely',
        reasons: expect.arrayContaining(['several_lines']),
        parts: [{ principal: 9_000 }],
      },
    ]);
    const naming = lines.map((one) => ({ ...one, text: 'PARCIAL NF 77123' }));
    expect(suggest(naming, [owed])[0]).toMatchObject({ certainty: 'certain' });
  });

  test('a sum is the smallest choice, and knows whether it is the only one', () => {
    expect(subsetOf([100, 200, 300, 400], 500)).toEqual({ positions: expect.any(Array), isOnly: false });
    expect(subsetOf([1, 2, 4, 8, 16], 21)).toEqual({ positions: [0, 2, 4], isOnly: true });
    expect(subsetOf([500, 1], 500)).toBeNull();
    expect(subsetOf([3, 5], 7)).toBeNull();
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 2, maxLength: 24 }),
        fc.integer({ min: 1, max: 5_000_000 }),
        (amounts, total) => {
          const found = subsetOf(amounts, total);
          if (found === null) return;
          expect(found.positions.reduce((sum, at) => sum + amounts[at]!, 0)).toBe(total);
          expect(found.positions.length).toBeLessThanOrEqual(12);
          expect(new Set(found.positions).size).toBe(found.positions.length);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

test('what is near enough is possible, and says how far it is', () => {
  const paid = line({ open: 10_050 });
  expect(suggest([paid], [bill()])).toEqual([]);
  expect(suggest([paid], [bill()], { amountTolerance: 50 })).toMatchObject([
    { certainty: 'possible', difference: 50, reasons: ['amount_near', 'same_date'] },
  ]);
});

test('nothing is used twice by what is certain, everything adds up, and the order of the books does not matter', () => {
  const person = fc.constantFrom(acme, other);
  const day = fc.integer({ min: 1, max: 9 }).map((n) => `2026-10-0${n}`);
  const amount = fc.constantFrom(1_000, 2_000, 3_000, 5_000);
  const lines = fc.array(
    fc
      .record({ who: fc.option(person), date: day, open: amount })
      .map(({ who, ...rest }) => line({ ...rest, counterpartyDocument: who?.partyDocument ?? null })),
    { maxLength: 8 },
  );
  const bills = fc.array(
    fc
      .record({ who: person, date: day, amount, kind: fc.constantFrom('payable', 'settlement') })
      .map(({ who, date, kind, ...rest }) =>
        bill({ ...rest, ...who, kind: kind as 'payable', dates: [date] }),
      ),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(lines, bills, (someLines, someBills) => {
      const found = suggestionsOf(someLines, someBills, settings);
      const certain = found.filter(({ certainty }) => certainty === 'certain');
      const used = certain.flatMap((one) => [...one.lines, ...one.candidates].map(({ id }) => id));
      expect(new Set(used).size).toBe(used.length);
      for (const one of found) {
        const left = one.lines.reduce((sum, { open }) => sum + open, 0);
        const right = one.parts.reduce((sum, parts) => sum + takenBy(parts), 0);
        expect(left - right).toBe(one.difference);
        expect(one.score >= 90).toBe(one.certainty === 'certain');
        if (one.certainty === 'certain') continue;
        expect([...one.lines, ...one.candidates].some(({ id }) => used.includes(id))).toBe(false);
      }
      const again = suggestionsOf([...someLines].reverse(), [...someBills].reverse(), settings);
      expect(again.filter(({ certainty }) => certainty === 'certain').length).toBe(certain.length);
    }),
    { numRuns: 1_000 },
  );
});
