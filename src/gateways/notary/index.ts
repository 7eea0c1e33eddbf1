/** Adapters to notary offices. */

export { createNotaryFiles } from './files.ts';
export { createSimulatedNotary, type SimulatedNotary } from './simulator.ts';
