/** Adapters to credit bureaus. */

export { createBureauFiles } from './files.ts';
export { createSimulatedBureau, type SimulatedBureau } from './simulator.ts';
