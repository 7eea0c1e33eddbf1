import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accountMatch } from './account-match.ts';
import type { Statement, StatementLine } from './formats/reading.ts';
import {
  type BookedLine,
  inDateOrder,
  keyedLines,
  type Limits,
  planDays,
  sharedReferences,
  statementOf,
  wholeDays,
} from './rules.ts';

const RUNS = 1_000;
const open: Limits = {
  openingDate: '2026-01-01',
  booksClosedUntil: null,
  today: '2026-12-31',
  accepted: new Set(),
};

const lineOf = (fields: Partial<StatementLine> = {}): StatementLine => ({
  line: 1,
  date: '2026-08-30',
  direction: 'debit',
  amount: 150,
  description: 'Tarifa',
  reference: null,
  documentNumber: null,
  counterparty: null,
  endToEndId: null,
  ...fields,
});

/** The lines numbered as a file numbers them. */
const fileOf = (...lines: Partial<StatementLine>[]) =>
  lines.map((fields, index) => lineOf({ line: index + 1, ...fields }));

const planOf = (
  lines: readonly StatementLine[],
  booked: readonly BookedLine[],
  limits = open,
  daysAtLeast = 3,
) => {
  const sorted = inDateOrder(lines);
  const shared = sharedReferences(sorted);
  return [...wholeDays(sorted, daysAtLeast)].flatMap((days) =>
    planDays(keyedLines(days), booked, shared, limits),
  );
};

/** The books after the file. */
const after = (
  booked: readonly BookedLine[],
  lines: readonly StatementLine[],
  limits = open,
): BookedLine[] => [
  ...booked,
  ...planOf(lines, booked, limits)
    .filter(({ outcome }) => outcome === 'new')
    .map(({ key, line }, index) => ({
      id: `${booked.length + index}`,
      dedup_key: key,
      bank_reference: line.reference,
    })),
];
const outcomes = (lines: readonly StatementLine[], booked: readonly BookedLine[], limits = open) =>
  planOf(lines, booked, limits).map(({ outcome }) => outcome);
const contents = (booked: readonly BookedLine[]) =>
  booked.map(({ dedup_key, bank_reference }) => `${dedup_key.slice(0, 35)} ${bank_reference}`).sort();

/** What a bank has of an account: movements in the order of their days, each with the reference it keeps. */
const movements = fc
  .array(
    fc.record({
      day: fc.integer({ min: 1, max: 6 }),
      amount: fc.constantFrom(150, 1_000),
      description: fc.constantFrom('Tarifa', 'TARIFA ', 'Venda'),
      direction: fc.constantFrom('credit', 'debit'),
      habit: fc.constantFrom('none', 'unique', 'repeated', 'odd'),
    }),
    { maxLength: 14 },
  )
  .map((all) =>
    all
      .toSorted((left, right) => left.day - right.day)
      .map(({ day, habit, ...fields }, index) =>
        lineOf({
          ...(fields as Partial<StatementLine>),
          date: `2026-08-0${day}`,
          reference: { none: null, unique: `F${index}`, repeated: 'F', odd: `&${index % 2}` }[habit],
        }),
      ),
  );

/** A statement from a day on, up to some movement: the last day may not be over yet. */
const windowOf = (all: readonly StatementLine[]) =>
  fc
    .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: all.length }))
    .map(([day, end]) => all.slice(0, end).filter(({ date }) => date >= `2026-08-0${day}`))
    .map((lines) => fileOf(...lines.map(({ line: _line, ...fields }) => fields)));

describe('MODEL 14.7', () => {
  test('importing a file n times is importing it once', () => {
    fc.assert(
      fc.property(movements, fc.integer({ min: 2, max: 4 }), (all, times) => {
        const file = fileOf(...all.map(({ line: _line, ...fields }) => fields));
        const once = after([], file);
        expect(once).toHaveLength(file.length);
        let books = once;
        for (let time = 1; time < times; time += 1) books = after(books, file);
        expect(books).toEqual(once);
      }),
      { numRuns: RUNS },
    );
  });

  test('importing overlapping files, in any order, is importing their union', () => {
    const files = movements.chain((all) => fc.array(windowOf(all), { minLength: 1, maxLength: 4 }));
    fc.assert(
      fc.property(files, (some) => {
        const books = some.reduce<BookedLine[]>((sum, file) => after(sum, file), []);
        const keys = new Set(some.flatMap((file) => keyedLines(inDateOrder(file)).map(({ key }) => key)));
        expect(books.map(({ dedup_key }) => dedup_key).sort()).toEqual([...keys].sort());
        const reversed = some.toReversed().reduce<BookedLine[]>((sum, file) => after(sum, file), []);
        expect(contents(reversed)).toEqual(contents(books));
      }),
      { numRuns: RUNS },
    );
  });

  test('a file numbered anew by the bank adds nothing, line for line, unless a person accepts lines', () => {
    fc.assert(
      fc.property(movements, (all) => {
        const unique = all.map(({ line: _line, ...fields }, index) => ({
          ...fields,
          reference: `A${index}`,
        }));
        const file = fileOf(...unique);
        const books = after([], file);
        const renumbered = fileOf(...unique.map((fields, index) => ({ ...fields, reference: `B${index}` })));
        expect(new Set(outcomes(renumbered, books))).toEqual(
          new Set(all.length === 0 ? [] : ['probable_duplicate']),
        );
        const accepted = { ...open, accepted: new Set(renumbered.map(({ line }) => line)) };
        const doubled = after(books, renumbered, accepted);
        expect(doubled).toHaveLength(2 * file.length);
        expect(after(doubled, renumbered, accepted)).toEqual(doubled);
        expect(after(doubled, file)).toEqual(doubled);
      }),
      { numRuns: RUNS },
    );
  });

  test('is the same plan however many days are looked at together', () => {
    fc.assert(
      fc.property(movements, fc.integer({ min: 1, max: 20 }), (all, atLeast) => {
        const file = fileOf(...all.map(({ line: _line, ...fields }) => fields));
        const books = after(
          [],
          file.filter((_, index) => index % 2 === 0),
        );
        expect(planOf(file, books, open, atLeast)).toEqual(planOf(file, books, open, 1_000));
      }),
      { numRuns: RUNS },
    );
  });
});

describe('a line', () => {
  test('PITFALLS 34: identical rows are movements of their own; older ones stay untouched', () => {
    const august = fileOf({ date: '2026-08-30', reference: 'X' });
    const september = fileOf({ date: '2026-09-01', reference: 'X' }, { date: '2026-09-01', reference: 'X' });
    const books = after(after([], august), september);
    expect(books).toHaveLength(3);
    expect(books[0]).toEqual(after([], august)[0]);
    expect(after(after(books, august), september)).toEqual(books);
  });

  test('is the same with other case, accents and spaces, and another one with another amount, day or direction', () => {
    const books = after([], fileOf({ description: 'Tarifa  de Manutenção' }));
    expect(outcomes(fileOf({ description: 'TARIFA DE MANUTENCAO' }), books)).toEqual(['duplicate']);
    for (const other of [
      { amount: 151 },
      { date: '2026-08-31' },
      { direction: 'credit' as const },
      { description: 'Tarifa' },
    ]) {
      expect(outcomes(fileOf({ description: 'Tarifa de Manutenção', ...other }), books)).toEqual(['new']);
    }
  });

  test('of which there is one more than before is new, whichever reference it has', () => {
    const books = after([], fileOf({ reference: 'A' }));
    expect(outcomes(fileOf({ reference: 'B' }, { reference: 'A' }), books)).toEqual(['new', 'duplicate']);
    expect(outcomes(fileOf({ reference: 'B' }, { reference: 'C' }), books)).toEqual([
      'probable_duplicate',
      'new',
    ]);
    expect(outcomes(fileOf({ reference: null }), books)).toEqual(['probable_duplicate']);
  });

  test('with the reference of another one and other content is taken and flagged, in the books or in the file', () => {
    const books = after([], fileOf({ reference: 'A' }));
    const flags = (lines: StatementLine[], booked: BookedLine[]) =>
      planOf(lines, booked).map(({ outcome, isSuspect }) => [outcome, isSuspect]);
    expect(flags(fileOf({ reference: 'A', amount: 200 }), books)).toEqual([['new', true]]);
    expect(flags(fileOf({ reference: 'B', amount: 200 }, { reference: 'B', amount: 300 }), [])).toEqual([
      ['new', true],
      ['new', true],
    ]);
    expect(flags(fileOf({ reference: 'B' }, { reference: 'B' }), [])).toEqual([
      ['new', false],
      ['new', false],
    ]);
  });

  test('is not taken before the opening of the account, in closed books, or of a day to come', () => {
    const limits = {
      ...open,
      openingDate: '2026-02-01',
      booksClosedUntil: '2026-03-31',
      today: '2026-10-01',
    };
    const dates = ['2026-01-31', '2026-02-01', '2026-03-31', '2026-04-01', '2026-10-01', '2026-10-02'];
    const plan = planOf(fileOf(...dates.map((date) => ({ date }))), [], limits);
    expect(plan.map(({ reason }) => reason)).toEqual([
      'before_opening',
      'books_closed',
      'books_closed',
      null,
      null,
      'after_today',
    ]);
  });

  test('has a key that no odd reference can forge', () => {
    const keys = [null, '-', '#x', 'a b', 'a'.repeat(65), 'plain', '1', '-.1'].map(
      (reference) => keyedLines(fileOf({ reference }))[0]!.key,
    );
    expect(new Set(keys).size).toBe(keys.length);
    for (const key of keys) expect(key).toMatch(/^2026-08-30\.[\da-f]{24}\.[\w:.#-]{1,64}\.1$/);
  });
});

describe('the account of a statement', () => {
  const own = { bank_code: '341', agency: '1234-5', number: '56789', digit: '0' };
  const stated = (number: string | null, bankCode: string | null = '341') => ({
    bankCode,
    agency: null,
    number,
    currency: null,
  });

  test.each([
    ['56789', 'same'],
    ['567890', 'same'],
    ['56789-0', 'same'],
    ['00056789-0', 'same'],
    ['1234567890', 'same'],
    ['12345567890', 'same'],
    ['1234/0056789-0', 'same'],
    ['567891', 'other'],
    ['6789', 'other'],
    ['9956789', 'other'],
    ['', 'unknown'],
    [null, 'unknown'],
  ] as const)('written %s is %s', (number, expected) => {
    expect(accountMatch(stated(number), own)).toBe(expected);
  });

  test('is of another bank when both codes say so', () => {
    expect(accountMatch(stated('567890', '0341'), own)).toBe('same');
    expect(accountMatch(stated('567890', '001'), own)).toBe('other');
    expect(accountMatch(stated('567890', '60701190'), own)).toBe('same');
    expect(accountMatch(stated('567890', null), own)).toBe('same');
    expect(accountMatch(stated('567890'), { ...own, number: null })).toBe('unknown');
  });

  test('is chosen among several; another one is taken only alone and on demand', () => {
    const statement = (number: string | null): Statement => ({
      account: stated(number),
      lines: [],
      skipped: [],
      opening: null,
      closing: null,
    });
    const [ours, other] = [statement('567890'), statement('999')];
    expect(statementOf([other, ours], own, false)).toEqual({ statement: ours, isSure: true });
    expect(statementOf([other], own, true)).toEqual({ statement: other, isSure: false });
    expect(statementOf([statement(null)], own, false)).toMatchObject({ isSure: false });
    for (const statements of [[], [other], [other, statement('998')]]) {
      expect(() => statementOf(statements, own, false)).toThrow(
        expect.objectContaining({
          code: 'invalid_argument',
          details: expect.objectContaining({ path: 'file' }),
        }),
      );
    }
    expect(() => statementOf([other, statement('998')], own, true)).toThrow();
  });

  test('in another currency is refused', () => {
    const statement = (currency: string): Statement => ({
      account: { ...stated('567890'), currency },
      lines: [],
      skipped: [],
      opening: null,
      closing: null,
    });
    expect(() => statementOf([statement('USD')], own, true)).toThrow(
      expect.objectContaining({ details: { path: 'file', expected: 'a statement in reais' } }),
    );
    for (const reais of ['BRL', 'BRC', 'R$']) {
      expect(statementOf([statement(reais)], own, false).isSure).toBe(true);
    }
  });

  test('with two statements of it in one file has the lines of both and the later balance', () => {
    const months = [1, 2].map((month) => ({
      account: stated('567890'),
      lines: fileOf({ date: `2026-0${month}-10` }),
      skipped: [],
      opening: { date: `2026-0${month}-01`, amount: 0 },
      closing: { date: `2026-0${month}-28`, amount: month },
    }));
    expect(statementOf(months, own, false).statement).toMatchObject({
      lines: [{ date: '2026-01-10' }, { date: '2026-02-10' }],
      opening: null,
      closing: { date: '2026-02-28', amount: 2 },
    });
  });
});
