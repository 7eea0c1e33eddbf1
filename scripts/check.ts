/** Everything that must hold before a commit, cheapest first; stops at the first that does not. */

import { spawnSync } from 'node:child_process';

const steps: [what: string, command: string, args: string[]][] = [
  ['format and lint', 'biome', ['check', '.']],
  ['types', 'tsc', ['--noEmit', '-p', '.']],
  ['dead code', 'knip', []],
  ['generated files', 'node', ['scripts/generate.ts', '--check']],
  ['contract lint', 'redocly', ['lint', 'contract/finance.openapi.json', 'contract/dunning.openapi.json']],
  ['tests', 'node', ['scripts/test.ts']],
];

// The linter of contracts would tell its maker of each run and ask for news of itself.
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

for (const [what, command, args] of steps) {
  console.log(`\n== ${what}`);
  const { status } = spawnSync(command, args, { stdio: 'inherit', env });
  if (status !== 0) {
    console.error(`check failed: ${what}`);
    process.exit(1);
  }
}
console.log('\nall checks hold');
