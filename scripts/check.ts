/** Everything that must hold before a commit, cheapest first; stops at the first that does not. */

import { spawnSync } from 'node:child_process';

const steps: [what: string, command: string, args: string[]][] = [
  ['format and lint', 'biome', ['check', '.']],
  ['types', 'tsc', ['--noEmit', '-p', '.']],
  ['dead code', 'knip', []],
  ['generated files', 'node', ['scripts/generate.ts', '--check']],
  ['tests', 'node', ['scripts/test.ts']],
];

for (const [what, command, args] of steps) {
  console.log(`\n== ${what}`);
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) {
    console.error(`check failed: ${what}`);
    process.exit(1);
  }
}
console.log('\nall checks hold');
