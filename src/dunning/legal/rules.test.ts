import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../core/dates.ts';
import { AppError } from '../../core/errors.ts';
import { lastReportableDay } from '../contact-law/index.ts';
import {
  completeAddress,
  earliestDateOf,
  failedRules,
  legalChecksOf,
  requireAllowed,
  requireAnotherPerson,
  requireExpectedAmount,
  type Situation,
} from './rules.ts';
import type { LegalRule } from './schema.ts';

const address = { street: 'Rua A', city: 'Santos', state: 'SP', postal_code: '11010000' };

const allowed: Situation = {
  kind: 'negativation',
  today: '2026-10-01',
  charge: {
    status: 'overdue',
    isArchived: false,
    isDisputed: false,
    hasPaymentClaim: false,
    isHeld: false,
    dueDate: '2026-08-03',
    adjustedDueDate: '2026-08-03',
    amountDue: 10_000,
  },
  person: {
    kind: 'natural',
    documentNumber: '52998224725',
    address: completeAddress(address),
    isDeceased: false,
    isArchived: false,
    isReachable: true,
  },
  isCreditorKnown: true,
  minDaysOverdue: 30,
  minAmount: 5_000,
  otherAction: null,
  frozenAmount: null,
  title: null,
};
const protest: Situation = { ...allowed, kind: 'protest', title: { kind: 'DMI', hasDocument: false } };

type Change = { [Key in keyof Situation]?: Partial<Situation[Key]> | Situation[Key] };

function changed(change: Change, from: Situation = allowed): Situation {
  const { charge, person, ...rest } = change;
  return {
    ...from,
    ...rest,
    charge: { ...from.charge, ...charge },
    person: { ...from.person, ...person },
  } as Situation;
}

const failed = (situation: Situation) => failedRules(legalChecksOf(situation));

function codeOf(work: () => void): [string, unknown] {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return [error.code, error.details];
    throw error;
  }
  throw new Error('it was allowed');
}

describe('the rules of reports and protests (MODEL §15)', () => {
  it('an ordinary overdue charge may be reported, and its title protested', () => {
    expect(failed(allowed)).toEqual([]);
    expect(failed(protest)).toEqual([]);
    expect(() => requireAllowed(allowed)).not.toThrow();
  });

  it.each<[LegalRule, Change]>([
    ['not_paid', { charge: { status: 'paid' } }],
    ['not_canceled', { charge: { status: 'canceled' } }],
    ['not_in_agreement', { charge: { status: 'in_agreement' } }],
    ['not_disputed', { charge: { isDisputed: true } }],
    ['no_payment_claim', { charge: { hasPaymentClaim: true } }],
    ['not_paused', { charge: { isHeld: true } }],
    ['not_archived', { charge: { isArchived: true } }],
    ['not_archived', { person: { isArchived: true } }],
    ['not_deceased', { person: { isDeceased: true } }],
    ['document_valid', { person: { documentNumber: null } }],
    ['document_valid', { person: { documentNumber: '52998224724' } }],
    ['document_valid', { person: { kind: 'legal' } }],
    ['notice_possible', { person: { address: null, isReachable: false } }],
    ['creditor_known', { isCreditorKnown: false }],
    ['minimum_amount', { charge: { amountDue: 4_999 } }],
    ['minimum_amount', { minAmount: 0, charge: { amountDue: 0 } }],
    ['days_overdue', { charge: { adjustedDueDate: '2026-09-02' } }],
    ['days_overdue', { minDaysOverdue: 0, charge: { adjustedDueDate: '2026-10-01' } }],
    ['within_five_years', { charge: { dueDate: '2021-09-30', adjustedDueDate: '2021-09-30' } }],
    ['no_other_action', { otherAction: { kind: 'protest', id: 'x' } }],
    ['amount_still_owed', { frozenAmount: 10_001 }],
  ])('%s stands alone against it: %j', (rule, change) => {
    expect(failed(changed(change))).toEqual([rule]);
  });

  it.each<[LegalRule, Change]>([
    ['address_complete', { person: { address: null } }],
    ['title_protestable', { title: { kind: null, hasDocument: true } }],
    ['title_protestable', { title: { kind: 'FAT', hasDocument: true } }],
    ['proof_of_debt', { title: { kind: 'DM', hasDocument: false } }],
    ['proof_of_debt', { title: { kind: 'CTR', hasDocument: false } }],
  ])('%s stands alone against a protest: %j', (rule, change) => {
    expect(failed(changed(change, protest))).toEqual([rule]);
  });

  it('an alphanumeric CNPJ is a valid document of a company', () => {
    expect(failed(changed({ person: { kind: 'legal', documentNumber: '12ABC34501DE35' } }))).toEqual([]);
  });

  it('five years are calendar years: the last day still counts, the next one does not', () => {
    const due = { dueDate: '2021-10-01', adjustedDueDate: '2021-10-01' };
    expect(failed(changed({ charge: due }))).toEqual([]);
    expect(failed(changed({ charge: due, today: '2026-10-02' }))).toEqual(['within_five_years']);
    expect(lastReportableDay('2024-02-29')).toBe('2029-02-28');
  });

  it('days overdue are counted from the adjusted due date, so that nobody is late too soon', () => {
    const due = { dueDate: '2026-08-29', adjustedDueDate: '2026-08-31' };
    expect(failed(changed({ charge: due, today: '2026-09-29' }))).toEqual(['days_overdue']);
    expect(failed(changed({ charge: due, today: '2026-09-30' }))).toEqual([]);
  });
});

describe('the earliest date', () => {
  const dateOf = (situation: Situation) => earliestDateOf(situation, legalChecksOf(situation));

  it('is today once time allows it, the first day late enough before', () => {
    expect(dateOf(allowed)).toBe('2026-10-01');
    const due = { dueDate: '2026-09-25', adjustedDueDate: '2026-09-25' };
    expect(dateOf(changed({ charge: due }))).toBe('2026-10-25');
  });

  it('is none while a rule other than time stands against it', () => {
    expect(dateOf(changed({ charge: { status: 'paid' } }))).toBeNull();
    expect(dateOf(changed({ charge: { dueDate: '2020-01-01' } }))).toBeNull();
  });

  it('is the first day on which the rules are met', () => {
    const days = fc.integer({ min: -400, max: 400 });
    fc.assert(
      fc.property(days, fc.integer({ min: 0, max: 365 }), (daysLate, minDaysOverdue) => {
        const dueDate = addDays('2026-10-01', -daysLate);
        const situation = changed({ minDaysOverdue, charge: { dueDate, adjustedDueDate: dueDate } });
        const earliest = dateOf(situation)!;
        expect(failed({ ...situation, today: earliest })).toEqual([]);
        expect(earliest >= situation.today).toBe(true);
        if (earliest > situation.today) {
          expect(failed({ ...situation, today: addDays(earliest, -1) })).toEqual(['days_overdue']);
        }
      }),
    );
  });
});

describe('refusals', () => {
  it('names the rule that tells most, with all of them in the details', () => {
    const refused = (change: Change) => codeOf(() => requireAllowed(changed(change)));
    expect(refused({ otherAction: { kind: 'protest', id: 'p1' }, charge: { isDisputed: true } })).toEqual([
      'legal_action_exists',
      { failed: ['not_disputed', 'no_other_action'], kind: 'protest', id: 'p1' },
    ]);
    expect(refused({ charge: { isDisputed: true } })[0]).toBe('charge_disputed');
    expect(refused({ charge: { hasPaymentClaim: true } })[0]).toBe('charge_disputed');
    expect(refused({ charge: { status: 'in_agreement' } })[0]).toBe('charge_in_agreement');
    expect(refused({ charge: { dueDate: '2019-01-01' } })[0]).toBe('debt_too_old');
    expect(refused({ person: { isDeceased: true }, charge: { amountDue: 1 } })).toEqual([
      'legal_check_failed',
      { failed: ['not_deceased', 'minimum_amount'] },
    ]);
  });

  it('refuses exactly when a rule is not met, whatever the situation', () => {
    const situations = fc.record({
      status: fc.constantFrom('pending', 'overdue', 'paid', 'canceled', 'in_agreement'),
      isDisputed: fc.boolean(),
      isHeld: fc.boolean(),
      isDeceased: fc.boolean(),
      hasOther: fc.boolean(),
      amountDue: fc.integer({ min: 0, max: 20_000 }),
      daysLate: fc.integer({ min: -10, max: 2_000 }),
    });
    fc.assert(
      fc.property(situations, (given) => {
        const dueDate = addDays('2026-10-01', -given.daysLate);
        const { status, isDisputed, isHeld, amountDue, isDeceased } = given;
        const situation = changed({
          charge: { status, isDisputed, isHeld, amountDue, dueDate, adjustedDueDate: dueDate },
          person: { isDeceased },
          otherAction: given.hasOther ? { kind: 'protest', id: 'x' } : null,
        });
        const mayGo =
          ['pending', 'overdue'].includes(status) &&
          !isDisputed &&
          !isHeld &&
          !isDeceased &&
          !given.hasOther &&
          amountDue >= 5_000 &&
          given.daysLate >= 30 &&
          '2026-10-01' <= lastReportableDay(dueDate);
        if (mayGo) requireAllowed(situation);
        else codeOf(() => requireAllowed(situation));
      }),
    );
  });

  it('the amount a person has seen has to be the one of now', () => {
    expect(() => requireExpectedAmount(undefined, 5)).not.toThrow();
    expect(() => requireExpectedAmount(5, 5)).not.toThrow();
    expect(codeOf(() => requireExpectedAmount(500, 501))).toEqual([
      'amount_changed',
      { expected: '5.00', actual: '5.01' },
    ]);
  });

  it('MODEL §14.17: whoever asked does not decide', () => {
    expect(codeOf(() => requireAnotherPerson('a', 'a'))[0]).toBe('same_person_approval');
    expect(() => requireAnotherPerson('a', 'b')).not.toThrow();
  });
});

it('an address a letter reaches has street, city, state and postal code', () => {
  expect(completeAddress(address)).toEqual({
    street: 'Rua A',
    number: null,
    complement: null,
    district: null,
    city: 'Santos',
    state: 'SP',
    postalCode: '11010000',
  });
  for (const part of Object.keys(address)) {
    expect(completeAddress({ ...address, [part]: undefined })).toBeNull();
    expect(completeAddress({ ...address, [part]: ' ' })).toBeNull();
  }
  expect([completeAddress(null), completeAddress('Rua A'), completeAddress(7)]).toEqual([null, null, null]);
});
