import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  changedPerson,
  daysSince,
  hasSameBankDetails,
  maskBankAccount,
  maskPixKey,
  newPerson,
  type PersonData,
} from './rules.ts';
import type { BankAccountInput, PersonInput } from './schema.ts';

const account: BankAccountInput = {
  bank_code: '341',
  agency: '0123',
  number: '0012345',
  digit: '6',
  kind: 'checking',
};
const input: PersonInput = {
  name: 'Papelaria Aurora',
  roles: ['supplier'],
  document_number: '12ABC34501DE35',
};

const person = (fields: Partial<PersonInput> = {}): PersonData => newPerson({ ...input, ...fields });

const failure = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return error as { code: string; details: Record<string, unknown> };
  }
  throw new Error('nothing was refused');
};

describe('document and kind', () => {
  test('PITFALL 2: keeps the letters of a CNPJ and takes off its punctuation only', () => {
    expect(person({ document_number: '12.abc.345/01DE-35' })).toMatchObject({
      document_number: '12ABC34501DE35',
      kind: 'legal',
    });
  });

  test('takes eleven digits for a natural person', () => {
    expect(person({ document_number: '529.982.247-25' })).toMatchObject({
      document_number: '52998224725',
      kind: 'natural',
    });
  });

  test('refuses wrong check digits', () => {
    expect(failure(() => person({ document_number: '12ABC34501DE45' }))).toMatchObject({
      code: 'invalid_document_number',
      details: { path: 'document_number' },
    });
  });

  test('needs the kind where no document tells it, and refuses one that contradicts it', () => {
    expect(failure(() => person({ document_number: null })).details).toMatchObject({ path: 'kind' });
    expect(person({ document_number: null, kind: 'natural' }).kind).toBe('natural');
    expect(failure(() => person({ kind: 'natural' }))).toMatchObject({
      code: 'invalid_argument',
      details: { path: 'kind', expected: '"legal", as the document number tells' },
    });
  });

  test('keeps the kind when the document is taken away, and follows a new document', () => {
    const before = person();
    expect(changedPerson(before, { document_number: null })).toMatchObject({
      document_number: null,
      kind: 'legal',
    });
    expect(changedPerson(before, { document_number: '52998224725' }).kind).toBe('natural');
  });
});

describe('Pix keys', () => {
  test('PITFALL 19: asks which type eleven digits are, showing both readings', () => {
    expect(failure(() => person({ pix_keys: [{ key: '11987650034' }] }))).toMatchObject({
      code: 'invalid_argument',
      details: {
        path: 'pix_keys.0.type',
        expected: 'the type of the key: cpf or phone',
        readings: [
          { type: 'cpf', value: '11987650034' },
          { type: 'phone', value: '+5511987650034' },
        ],
      },
    });
    expect(person({ pix_keys: [{ key: '11987650034', type: 'phone' }] }).pix_keys).toEqual([
      { type: 'phone', key: '+5511987650034' },
    ]);
  });

  test('PITFALL 20: takes a random key of any UUID version, in lower case', () => {
    const key = '123E4567-E12B-12D1-A456-426655440000';
    expect(person({ pix_keys: [{ key }] }).pix_keys).toEqual([{ type: 'random', key: key.toLowerCase() }]);
  });

  test('stores a key once however it is written', () => {
    const keys = [{ key: 'Contas@Exemplo.com.br' }, { key: 'contas@exemplo.com.br' }];
    expect(person({ pix_keys: keys }).pix_keys).toEqual([{ type: 'email', key: 'contas@exemplo.com.br' }]);
  });

  test('names the key that is none', () => {
    expect(failure(() => person({ pix_keys: [{ key: '52998224725' }, { key: 'contas' }] }))).toMatchObject({
      code: 'invalid_pix_code',
      details: { path: 'pix_keys.1.key' },
    });
  });

  test('refuses a masked key sent back', () => {
    const masked = maskPixKey({ type: 'email', key: 'contas@exemplo.com.br' }).key;
    expect(failure(() => person({ pix_keys: [{ key: masked }] })).details).toMatchObject({
      path: 'pix_keys.0.key',
      expected: 'the whole key, not a masked one',
    });
  });
});

describe('bank accounts', () => {
  test('belong to the person unless another holder is named', () => {
    const accounts = [account, { ...account, number: '99', holder_document: '529.982.247-25' }];
    expect(person({ bank_accounts: accounts }).bank_accounts).toEqual([
      { ...account, ispb: null, agency_digit: null, holder_document: '12ABC34501DE35' },
      { ...account, number: '99', ispb: null, agency_digit: null, holder_document: '52998224725' },
    ]);
  });

  test('need a holder when the person has no document', () => {
    const given = { document_number: null, kind: 'legal', bank_accounts: [account] } as const;
    expect(failure(() => person({ ...given, bank_accounts: [account] })).details).toMatchObject({
      path: 'bank_accounts.0.holder_document',
    });
  });

  test('refuse a wrong holder and an account of zeros', () => {
    expect(failure(() => person({ bank_accounts: [{ ...account, holder_document: '1' }] }))).toMatchObject({
      code: 'invalid_document_number',
      details: { path: 'bank_accounts.0.holder_document' },
    });
    expect(failure(() => person({ bank_accounts: [{ ...account, number: '000' }] })).details).toMatchObject({
      path: 'bank_accounts.0.number',
    });
  });
});

describe('whether bank details differ', () => {
  const details = fc.record({
    bank_accounts: fc.uniqueArray(
      fc.record({
        bank_code: fc.constantFrom('001', '341'),
        ispb: fc.constantFrom(null, '60701190'),
        agency: fc.constantFrom('1', '0001'),
        agency_digit: fc.constantFrom(null, '0'),
        number: fc.constantFrom('1', '01', '11'),
        digit: fc.constantFrom('1', 'X'),
        kind: fc.constantFrom('checking' as const, 'savings' as const),
        holder_document: fc.constantFrom('52998224725', '12ABC34501DE35'),
      }),
      { maxLength: 4, selector: (value) => JSON.stringify(value) },
    ),
    pix_keys: fc.uniqueArray(
      fc.constantFrom(
        { type: 'cpf' as const, key: '11987650034' },
        { type: 'phone' as const, key: '+5511987650034' },
        { type: 'email' as const, key: 'a@example.com' },
      ),
      { maxLength: 3, selector: (value) => value.type },
    ),
  });

  test('does not depend on the order of accounts, keys or fields', () => {
    fc.assert(
      fc.property(details, (one) => {
        const turned = {
          bank_accounts: one.bank_accounts
            .map((item) => Object.fromEntries(Object.entries(item).reverse()) as typeof item)
            .reverse(),
          pix_keys: [...one.pix_keys].reverse(),
        };
        expect(hasSameBankDetails(one, turned)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('sees every added, removed or changed account and key', () => {
    fc.assert(
      fc.property(details, details, (one, other) => {
        const sorted = (value: typeof one) => [
          value.bank_accounts.map((item) => JSON.stringify(item)).sort(),
          value.pix_keys.map((item) => JSON.stringify(item)).sort(),
        ];
        const isEqual = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
        expect(hasSameBankDetails(one, other)).toBe(isEqual);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('masks', () => {
  const stored = { ...account, ispb: null, agency_digit: null, holder_document: '52998224725' };

  test('show the last two characters of an account and nothing of a short one', () => {
    expect(maskBankAccount(stored)).toMatchObject({ number: '***45', holder_document: '***.982.247-**' });
    expect(maskBankAccount({ ...stored, number: '123' }).number).toBe('***');
  });

  test.each([
    ['cpf', '52998224725', '***.982.247-**'],
    ['cnpj', '12ABC34501DE35', '12.ABC.345/01DE-35'],
    ['phone', '+5511987650034', '+5511***34'],
    ['email', 'contas@exemplo.com.br', 'c***@exemplo.com.br'],
    ['random', '123e4567-e12b-12d1-a456-426655440000', '***00'],
  ] as const)('show a %s key as far as its type allows', (type, key, shown) => {
    expect(maskPixKey({ type, key })).toEqual({ type, key: shown });
  });

  test('never show the number of an account, whatever its length', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{3,20}$/), (number) => {
        const shown = maskBankAccount({ ...stored, number }).number;
        expect(shown).toMatch(/^\*{3}(\d\d)?$/);
        expect(shown).not.toContain(number);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('days since the bank details changed', () => {
  const now = new Date('2026-10-08T12:00:00Z');

  test('counts whole days, so that "less than 7" never ends early', () => {
    expect(daysSince('2026-10-01T12:00:00Z', now)).toBe(7);
    expect(daysSince('2026-10-01T12:00:01Z', now)).toBe(6);
    expect(daysSince('2026-10-08T12:00:05Z', now)).toBe(0);
  });

  test('is null when they never changed', () => {
    expect(daysSince(null, now)).toBeNull();
  });
});
