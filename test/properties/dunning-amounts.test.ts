/** What charges are worth: the sum in the database against the replay, and the replay against its own rules. */

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Interest, Terms } from '../../src/core/accruals.ts';
import { adjustedDueDateOf } from '../../src/core/accruals.ts';
import { addDays } from '../../src/core/dates.ts';
import { newId } from '../../src/core/ids.ts';
import { sql } from '../../src/db/sql.ts';
import { amountDueSql } from '../../src/dunning/charges/amount-sql.ts';
import {
  type Entry,
  inOrder,
  type Ledger,
  type Owed,
  owedOn,
  replayOf,
  type Ways,
} from '../../src/dunning/charges/reckoning.ts';
import { createDebtor } from '../support/dunning.ts';
import { openWorld, type World } from '../support/world.ts';

const FIRST_DAY = '2024-12-01';

const day = (max: number) => fc.integer({ min: 0, max }).map((days) => addDays(FIRST_DAY, days));
const percent = fc.oneof(fc.integer({ min: 0, max: 9_999_999 }), fc.constantFrom(0, 333, 10_000, 20_000));
const dayKind = fc.constantFrom('calendar' as const, 'business' as const);

const interest: fc.Arbitrary<Interest> = fc.oneof(
  fc.constant({ kind: 'none' as const }),
  fc.record({
    kind: fc.constant('fixed_per_day' as const),
    cents: fc.integer({ min: 1, max: 900 }),
    days: dayKind,
  }),
  fc.record({
    kind: fc.constantFrom('percent_per_day', 'percent_per_month', 'percent_per_year'),
    percent,
    days: dayKind,
  }),
);

const discount = fc.oneof(
  fc.record({
    kind: fc.constant('fixed' as const),
    cents: fc.integer({ min: 1, max: 5_000 }),
    until: day(200),
  }),
  fc.record({ kind: fc.constant('percent' as const), percent, until: day(200) }),
  fc.record(
    {
      kind: fc.constant('fixed_per_day' as const),
      cents: fc.integer({ min: 1, max: 90 }),
      days: dayKind,
      until: day(200),
    },
    { requiredKeys: ['kind', 'cents', 'days'] },
  ),
  fc.record(
    {
      kind: fc.constant('percent_per_day' as const),
      percent: fc.integer({ min: 0, max: 9_000 }),
      days: dayKind,
      until: day(200),
    },
    { requiredKeys: ['kind', 'percent', 'days'] },
  ),
);

const terms: fc.Arbitrary<Terms> = fc.record({
  discounts: fc.array(discount, { maxLength: 3 }),
  fine: fc.oneof(
    fc.constant(null),
    fc.record({ kind: fc.constant('fixed' as const), cents: fc.integer({ min: 0, max: 5_000 }) }),
    fc.record({ kind: fc.constant('percent' as const), percent }),
  ),
  interest,
  graceDays: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20 })),
});

const ways: fc.Arbitrary<Ways> = fc.record({
  interestFrom: fc.constantFrom('original', 'adjusted'),
  allocationOrder: fc.constantFrom(
    'interest_fine_principal',
    'fine_interest_principal',
    'interest_principal_fine',
  ),
});

const entry: fc.Arbitrary<Entry> = fc
  .record({
    paid_on: day(260),
    wait: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 4 })),
    amount_cents: fc.oneof(fc.integer({ min: 1, max: 4_000 }), fc.integer({ min: 1, max: 120_000 })),
    waives: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 30_000 })),
  })
  .map(({ paid_on, wait, amount_cents, waives }) => ({
    payment_id: null,
    discount_cents: waives,
    paid_on,
    effective_on: addDays(paid_on, wait),
    amount_cents: waives > 0 ? 0 : amount_cents,
  }));

interface Case {
  readonly owed: Owed;
  readonly entries: readonly Entry[];
  readonly ways: Ways;
}

const cases: fc.Arbitrary<Case> = fc
  .record({
    amount: fc.oneof(fc.integer({ min: 1, max: 200_000 }), fc.integer({ min: 1, max: 1_000_000_000_000 })),
    abated: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })),
    due_date: day(200),
    terms: fc.option(terms, { freq: 9 }),
    entries: fc.array(entry, { maxLength: 4 }),
    ways,
  })
  .map(({ amount, abated, due_date, terms: agreed, entries, ways: given }) => ({
    owed: {
      amount_cents: amount,
      abatement_cents: Math.floor(amount * abated),
      due_date,
      terms: agreed,
      status: 'overdue',
    },
    entries: inOrder(entries),
    ways: given,
  }));

describe('a replay', () => {
  it('MODEL §14.19: every payment is interest, fine, principal less discount, and excess', () => {
    fc.assert(
      fc.property(cases, ({ owed, entries, ways: given }) => {
        const { allocations, amounts } = replayOf(owed, entries, given);
        for (const [index, parts] of allocations.entries()) {
          const { principal, discount: given, interest: accrued, fine, excess } = parts;
          expect(principal - given + accrued + fine + excess).toBe(entries[index]!.amount_cents);
          for (const part of Object.values(parts)) expect(part).toBeGreaterThanOrEqual(0);
        }
        const principal = allocations.reduce((sum, parts) => sum + parts.principal, 0);
        expect(principal + amounts.openPrincipal).toBe(owed.amount_cents - owed.abatement_cents);
      }),
    );
  });

  it('is settled exactly when nothing is due and something was paid or all was taken off', () => {
    fc.assert(
      fc.property(cases, ({ owed, entries, ways: given }) => {
        const { isSettled, amounts } = replayOf(owed, entries, given);
        const { openPrincipal, unpaidFine, unpaidInterest, base } = amounts;
        const left = openPrincipal + unpaidFine + unpaidInterest;
        expect(isSettled).toBe(left === 0 && (entries.length > 0 || base === 0));
      }),
    );
  });
});

describe('the amount due as the database sums it', () => {
  let world: World;
  let person: string;

  beforeAll(async () => {
    world = await openWorld({ product: 'dunning' });
    person = await createDebtor(world);
  });
  afterAll(() => world.close());

  /** One statement for all cases: each with its ledger as a replay leaves it, and the sum on some days after. */
  it('equals the replay to the centavo, whatever the terms, the payments and the day', async () => {
    const sample = fc.sample(fc.tuple(cases, day(330)), 3_000);
    const days = [...new Set(sample.map(([, on]) => on))].filter((_, index) => index % 24 === 0);
    const rows = sample.map(([{ owed, entries, ways: given }]) => {
      const { ledger, amounts } = replayOf(owed, entries, given);
      return {
        organization_id: world.organizationId,
        id: newId(),
        person_id: person,
        amount_cents: owed.amount_cents,
        abatement_cents: owed.abatement_cents,
        open_cents: amounts.openPrincipal,
        ledger,
        due_date: owed.due_date,
        adjusted_due_date: adjustedDueDateOf(owed.due_date),
        terms: owed.terms === null ? null : { ...(owed.terms as Terms), ...given },
        status: 'overdue',
      };
    });
    await world.look(
      `insert into dunning_charges (organization_id, id, person_id, amount_cents, abatement_cents, open_cents, ledger,
                                    due_date, adjusted_due_date, terms, status, description, search_text, created_by)
       select organization_id, id, person_id, amount_cents, abatement_cents, open_cents, ledger, due_date,
              adjusted_due_date, terms, status, 'x', '', organization_id
         from jsonb_populate_recordset(null::dunning_charges, $1::jsonb)`,
      [JSON.stringify(rows)],
    );
    let compared = 0;
    for (const on of days) {
      const statement = sql`select c.id, ${amountDueSql('c', on, { interestFrom: 'original' })} as due from dunning_charges c`;
      const found = await world.look<{ id: string; due: string }>(statement.text, [...statement.values]);
      const due = new Map(found.map((row) => [row.id, Number(row.due)]));
      for (const [index, [{ owed, entries, ways: given }]] of sample.entries()) {
        const row = rows[index]!;
        // The ledger stands after the last payment, so only days from then on are asked of it.
        if (row.ledger !== null && entries.some(({ paid_on }) => paid_on > on)) continue;
        compared += 1;
        const expected = owedOn(owed, entries, on, given).amountDue;
        if (due.get(row.id) !== expected) {
          expect({ on, owed, entries, given, ledger: row.ledger as Ledger, due: due.get(row.id) }).toEqual({
            due: expected,
          });
        }
      }
    }
    expect(compared).toBeGreaterThan(10_000);
  }, 60_000);

  it('is nothing for what is paid or canceled', async () => {
    const statement = sql`
      select ${amountDueSql('c', '2026-01-01', { interestFrom: 'original' })} as due
        from (select (jsonb_populate_record(null::dunning_charges, status)).* from jsonb_array_elements(
          '[{"status": "paid", "amount_cents": 1, "open_cents": 1}, {"status": "canceled", "amount_cents": 1, "open_cents": 1}]'
        ) status) c`;
    const found = await world.look<{ due: string }>(statement.text, [...statement.values]);
    expect(found.map(({ due }) => Number(due))).toEqual([0, 0]);
  });
});
