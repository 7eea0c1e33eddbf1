/**
 * MODEL §14, invariants 1 to 6 and 8 to 11, after random sequences of operations over one set of books in a real
 * database, of any length up to a few, so that what a step breaks is seen before another mends it. Invariant 7 is with
 * the imports of statements.
 */

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { workIn } from '../support/charging.ts';
import { openWorld, type World } from '../support/world.ts';
import { type Books, prepareBooks } from './books.ts';
import { type State, stateOf } from './checks.ts';
import { Ledger } from './ledger.ts';
import { step } from './step.ts';
import { steps } from './steps.ts';

const STEPS_MAX = 5;
/** Each kind of step is taken and goes well this often at least, so that nothing holds for want of trying. */
const DONE_MIN = 3;
const TIMEOUT_MS = 180_000;

let world: World;
let books: Books;
let start: State;

beforeAll(async () => {
  world = await openWorld();
  books = await prepareBooks(world);
  await workIn(world).write(async (context) => new Ledger(context, books, await stateOf(context)).fill());
  start = await workIn(world).write(stateOf);
});
afterAll(() => world.close());

/** Runs in one transaction that is rolled back, so that every sequence starts from the same books. */
async function rolledBack(work: (ledger: Ledger) => Promise<void>): Promise<void> {
  const rollback = new Error('rollback');
  try {
    await workIn(world).write(async (context) => {
      await work(new Ledger(context, books, start));
      throw rollback;
    });
  } catch (error) {
    if (error !== rollback) throw error;
  }
}

test(
  'MODEL §14.1–6 and §14.8–11 hold whatever is done in whatever order',
  async () => {
    const done = new Map<string, number>(Object.keys(steps).map((does) => [does, 0]));
    const sequences = fc.array(step, { minLength: 1, maxLength: STEPS_MAX, size: 'max' });
    await fc.assert(
      fc.asyncProperty(sequences, (sequence) =>
        rolledBack(async (ledger) => {
          for (const taken of sequence) {
            const ended = await ledger.take(taken);
            if (ended !== null && 'output' in ended) done.set(taken.does, done.get(taken.does)! + 1);
          }
          await ledger.check();
        }),
      ),
    );
    const rare = [...done].filter(([, count]) => count < DONE_MIN);
    expect(rare).toEqual([]);
  },
  TIMEOUT_MS,
);
