/** Runs the whole suite, or the files given; the last line is `N passed, N failed`. */

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const folder = await mkdtemp(join(tmpdir(), 'kobana-report-'));
const report = join(folder, 'report.json');
const args = [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
  ...process.argv.slice(2),
];

const code = await new Promise<number>((resolve) => {
  spawn(process.execPath, [vitest, ...args], { stdio: 'inherit' }).once('exit', (status) =>
    resolve(status ?? 1),
  );
});
const counts = await readCounts();
await rm(folder, { recursive: true, force: true });
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = code !== 0 || counts.passed === 0 ? 1 : 0;

/** A file that fails before its first test counts as one failure. */
async function readCounts(): Promise<{ passed: number; failed: number }> {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(await readFile(report, 'utf8'));
    const broken = testResults.filter(
      (file: { status: string; assertionResults: unknown[] }) =>
        file.status === 'failed' && file.assertionResults.length === 0,
    );
    return { passed: numPassedTests, failed: numFailedTests + broken.length };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
