import { readFlags } from '../command.ts';
import type { Config } from '../config.ts';
import { openHouse } from '../house.ts';
import { untilStopped } from '../stop.ts';
import { openWorker } from '../worker.ts';

/** Runs jobs until it is told to stop. */
export async function worker(words: readonly string[], config: Config): Promise<void> {
  readFlags(words, {});
  const house = await openHouse(config);
  const running = await openWorker(house, config);
  await untilStopped();
  await running.stop();
  await house.close();
}
