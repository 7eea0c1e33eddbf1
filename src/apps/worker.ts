import type { House } from './house.ts';

export async function openWorker(_house: House): Promise<{ stop(): Promise<void> }> {
  return { stop: async () => {} };
}
