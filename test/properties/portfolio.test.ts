/**
 * MODEL §14, invariants 12 to 20, after random sequences of everything that people, debtors, offices and days do to a
 * small portfolio in a real database, seen after each step. Each sequence is in a transaction that is rolled back.
 */

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobContextOf } from '../../src/core/job.ts';
import { dunning } from '../../src/dunning/index.ts';
import { openWorld, type World } from '../support/world.ts';
import { Portfolio } from './portfolio.ts';
import { type Base, prepareBase } from './portfolio-base.ts';
import { portfolioSequence } from './portfolio-step.ts';
import { portfolioSteps } from './portfolio-steps.ts';

/**
 * Fewer than of other properties: a sequence is some thousand statements, most of them in the days that go by. More of
 * them with `SEQUENCES=1000 npm test -- test/properties/portfolio`.
 */
const RUNS = Number(process.env['SEQUENCES'] ?? 40);
/** So many kinds of steps may have been refused each time in a short run; in a long one each has been done. */
const UNDONE_MAX = RUNS < 100 ? 8 : 0;
const STEPS_MAX = 8;
const TIMEOUT_MS = 600_000;

let world: World;
let base: Base;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
  base = await prepareBase(world);
});
afterAll(() => world.close());

async function rolledBack(work: (portfolio: Portfolio) => Promise<void>): Promise<void> {
  const { organizationId } = world;
  const place = { organizationId, workspaceId: null, timeZone: 'America/Sao_Paulo' };
  const ports = world.runtime.portsOf(dunning.catalogue);
  const rollback = new Error('rollback');
  try {
    await jobContextOf(ports, 'test', {}, place, undefined).write(async (context) => {
      await work(new Portfolio(context, base));
      throw rollback;
    });
  } catch (error) {
    if (error !== rollback) throw error;
  }
}

test(
  'MODEL §14.12–20 hold whatever is done in whatever order',
  async () => {
    const done = new Map<string, number>(Object.keys(portfolioSteps).map((does) => [does, 0]));
    await fc.assert(
      fc.asyncProperty(portfolioSequence(STEPS_MAX), (sequence) =>
        rolledBack(async (portfolio) => {
          for (const taken of sequence) {
            const ended = await portfolio.take(taken);
            if (ended !== null && 'output' in ended) done.set(taken.does, done.get(taken.does)! + 1);
          }
          await portfolio.check();
        }),
      ),
      { numRuns: RUNS },
    );
    // Nothing holds for want of trying.
    const undone = [...done].filter(([, times]) => times === 0);
    expect(undone.length, JSON.stringify(undone)).toBeLessThanOrEqual(UNDONE_MAX);
  },
  TIMEOUT_MS,
);
