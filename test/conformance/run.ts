/** `npm run conformance`: the official suite for both protocol versions; fails when a step does not hold. */

import { withTemporaryDatabase } from './setup.ts';
import { runConformance } from './suite.ts';

const startedAt = performance.now();
const steps = await withTemporaryDatabase(runConformance);
for (const { title, faults, passedChecks, expected } of steps) {
  console.log(`${faults.length === 0 ? 'holds' : 'FAILS'}  ${title}: ${passedChecks} checks passed`);
  for (const name of expected) console.log(`         expected to fail: ${name}`);
  for (const fault of faults) console.log(`       ! ${fault}`);
}
const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
console.log(`${steps.length} steps in ${seconds} s; results are in test/conformance/out`);
process.exitCode = steps.some(({ faults }) => faults.length > 0) ? 1 : 0;
