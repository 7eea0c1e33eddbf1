import { beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase } from '../support/database.ts';
import { runConformance, type Step } from './suite.ts';

let steps: readonly Step[];

beforeAll(async () => {
  const database = await cloneDatabase();
  try {
    steps = await runConformance(database.url);
  } finally {
    await database.drop();
  }
}, 180_000);

function stepOf(title: string): Step {
  const step = steps.find((one) => one.title === title);
  if (step === undefined) throw new Error(`no step ${title}`);
  return step;
}

describe('the official conformance suite', () => {
  it('holds on 2025-11-25, but for what a stateless server without those capabilities cannot do', () => {
    const { faults, passedChecks, expected } = stepOf('fixtures, 2025-11-25');
    expect(faults).toEqual([]);
    expect(passedChecks).toBeGreaterThanOrEqual(50);
    expect(expected).toHaveLength(9);
  });

  it('T-1, T-2: holds on 2026-07-28, but for the two deviations made on purpose', () => {
    const { faults, passedChecks, expected } = stepOf('fixtures, 2026-07-28');
    expect(faults).toEqual([]);
    expect(passedChecks).toBeGreaterThanOrEqual(100);
    expect(expected).toEqual([
      'server-stateless:sep-2575-server-rejects-undeclared-capability',
      'server-stateless:sep-2575-missing-capability-http-400',
      'input-required-result-tampered-state:sep-2322-reject-tampered-state',
    ]);
  });

  it.each([
    ['2025-11-25', 12],
    ['2026-07-28', 55],
  ])('holds for the real finance product on %s wherever no fixture is needed', (version, checks) => {
    const { faults, passedChecks } = stepOf(`finance, ${version}`);
    expect(faults).toEqual([]);
    expect(passedChecks).toBeGreaterThanOrEqual(checks);
  });
});
