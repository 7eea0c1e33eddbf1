/** Days that pass as the worker lives them: each job of dunning at its time, in a world whose clock is moved. */

import { jobs } from '../../src/dunning/index.ts';
import type { DunningGateways } from '../../src/gateways/dunning.ts';
import { runDunningJob, runDunningQueue } from '../support/dunning.ts';
import type { World } from '../support/world.ts';

/**
 * When the jobs of every few minutes run, in UTC, three hours ahead of São Paulo; also when nobody there may be contacted. Days on which little happens are looked at less often, so that a quarter passes in seconds.
 */
const LOOKS = {
  busy: ['09:30', '11:00', '12:00', '13:00', '18:00', '23:30'],
  quiet: ['09:30', '13:00'],
} as const;

type Pace = keyof typeof LOOKS;

interface Moment {
  readonly at: string;
  readonly tasks: readonly string[];
}

const daily = jobs.flatMap(({ task, every }) =>
  typeof every?.at === 'string' ? [{ task, at: every.at }] : [],
);
const frequent = jobs.flatMap(({ task, every }) => (typeof every?.at === 'number' ? [task] : []));

const momentsOf = (pace: Pace): Moment[] =>
  [
    ...daily.map(({ task, at }) => ({ at, tasks: [task] })),
    ...LOOKS[pace].map((at) => ({ at, tasks: frequent })),
  ].sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));

/** Everything that comes between the time of the world and this instant, which is the time afterwards. */
export async function passUntil(
  world: World,
  gateways: DunningGateways,
  instant: string,
  pace: Pace = 'busy',
): Promise<void> {
  const until = new Date(instant);
  await settle(world, gateways);
  const first = world.now().toISOString().slice(0, 10);
  for (let date = first; date <= instant.slice(0, 10); date = dayAfter(date)) {
    for (const { at, tasks } of momentsOf(pace)) {
      const moment = new Date(`${date}T${at}:00Z`);
      if (moment <= world.now() || moment > until) continue;
      world.setNow(moment.toISOString());
      for (const task of tasks) {
        const error = await runDunningJob(world, gateways, task);
        if (error !== undefined) throw error;
      }
      await settle(world, gateways);
    }
  }
  world.setNow(until.toISOString());
  await settle(world, gateways);
}

/** Runs what waits now. */
export async function settle(world: World, gateways: DunningGateways): Promise<void> {
  const failed = (await runDunningQueue(world, gateways)).filter((task) => task.includes(': '));
  if (failed.length > 0) throw new Error(`jobs failed at ${world.now().toISOString()}: ${failed.join(', ')}`);
}

function dayAfter(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}
