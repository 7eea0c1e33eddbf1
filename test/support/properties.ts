/** One seed for all property tests of a run; told by the suite at its start, so that a failure can be had again. */

import fc from 'fast-check';
import { inject } from 'vitest';

/** How often each property is tried unless it says otherwise. */
const RUNS = 1_000;

fc.configureGlobal({ seed: inject('seed'), numRuns: RUNS });
