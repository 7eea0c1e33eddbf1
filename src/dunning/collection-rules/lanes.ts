/** Work of a big day on several connections at once: one statement keeps one core of the database busy. */

/** Transactions at once; the pool of a worker has more connections than its jobs have lanes. */
export const LANES = 2;

/** Does the work for each, so many at once, in their order. The first failure is thrown when the others have ended. */
export async function inLanes<Item>(
  count: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values();
  const lanes = Array.from({ length: count }, async () => {
    for (const item of left) await work(item);
  });
  const failed = (await Promise.allSettled(lanes)).find(({ status }) => status === 'rejected');
  if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
}
