import { expect, test } from 'vitest';
import { runKills } from '../support/kill.ts';
import { openWorld } from '../support/world.ts';

const MOMENTS = 8;

test('CF-61 CF-68: a server killed at any moment runs no yes twice, hides no effect and loses no answer', async () => {
  const seed = Math.floor(Math.random() * 2 ** 32);
  const world = await openWorld();
  try {
    const report = await runKills(world, { moments: MOMENTS, seed });
    console.log(`seed ${seed}: ${JSON.stringify(report)}`);
    expect({ seed, findings: report.findings }).toEqual({ seed, findings: [] });
    expect(report).toMatchObject({ kills: MOMENTS });
    expect(report.answered).toBeGreaterThan(MOMENTS);
    expect(report.broken.ranThen + report.broken.replayed).toBeGreaterThan(0);
  } finally {
    await world.close();
  }
}, 180_000);
