import { setTimeout as wait } from 'node:timers/promises';

const LIMIT_MS = 10_000;
const PAUSE_MS = 20;

/** Waits until it is so; fails after ten seconds. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error('it did not happen within ten seconds');
    await wait(PAUSE_MS);
  }
}
