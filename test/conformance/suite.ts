/** Runs the official conformance suite against the fixtures and against the real finance product. */

import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { startFixtureServer, startProductServer } from './server.ts';
import { openBooks } from './setup.ts';

const VERSIONS = ['2025-11-25', '2026-07-28'] as const;
type Version = (typeof VERSIONS)[number];

const HERE = import.meta.dirname;
const OUTPUT = join(HERE, 'out');
const PROGRAM = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
);
const RUN_MS_MAX = 120_000;

/** Scenarios that need no fixture, so the real product has to pass them. */
const productScenarios: Readonly<Record<Version, readonly string[]>> = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'resources-list',
    'prompts-list',
    'caching',
    'sep-2164-resource-not-found',
    'dns-rebinding-protection',
    'server-sse-multiple-streams',
    'input-required-result-unsupported-methods',
    'http-header-validation',
  ],
};

/** Checks of those scenarios that call a fixture tool, which the real product has not; the fixtures cover them. */
const needsFixture: ReadonlySet<string> = new Set([
  'server-stateless:sep-2575-server-rejects-undeclared-capability',
  'server-stateless:sep-2575-missing-capability-http-400',
  'server-stateless:sep-2575-http-server-no-independent-requests-on-stream',
  'server-stateless:sep-2575-server-no-log-without-loglevel',
]);

export interface Step {
  readonly title: string;
  /** What is wrong, a line each; empty when the step holds. */
  readonly faults: readonly string[];
  readonly passedChecks: number;
  /** Scenarios and checks that fail for a reason written down, here or in the files of expected failures. */
  readonly expected: readonly string[];
}

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

type Results = ReadonlyMap<string, readonly Check[]>;

/** Four steps: fixtures and product, on both versions. `ownerUrl` leads to a migrated, empty database. */
export async function runConformance(ownerUrl: string): Promise<readonly Step[]> {
  await rm(OUTPUT, { recursive: true, force: true });
  const books = await openBooks(ownerUrl);
  const fixtures = await startFixtureServer(books);
  const product = await startProductServer(books);
  try {
    const steps: Step[] = [];
    // One version after the other: some checks measure time and want the machine for themselves.
    for (const version of VERSIONS) {
      const pair = [fixtureStep(fixtures.url, version), productStep(product.url, version)];
      steps.push(...(await Promise.all(pair)));
    }
    return steps;
  } finally {
    await Promise.all([fixtures.close(), product.close()]);
    await books.close();
  }
}

/** Everything the version requires; the suite itself compares with what is expected to fail. */
async function fixtureStep(url: string, version: Version): Promise<Step> {
  const folder = join(OUTPUT, `fixtures-${version}`);
  const baseline = join(HERE, `expected-failures-${version}.yml`);
  const { code, text } = await runProgram(url, version, folder, ['--expected-failures', baseline]);
  const results = await readResults(folder);
  const faults = listAfter(text, 'Unexpected failures').map((line) => `fails: ${line}`);
  faults.push(...listAfter(text, 'Stale baseline entries').map((line) => `passes, remove it: ${line}`));
  if (code !== 0 && faults.length === 0) faults.push(`exit code ${code}: ${text.slice(-2_000)}`);
  const expected = listAfter(text, 'Expected failures');
  return { title: `fixtures, ${version}`, faults, passedChecks: passedIn(results), expected };
}

/** The scenarios without fixtures; the rest of the run says nothing about the product. */
async function productStep(url: string, version: Version): Promise<Step> {
  const folder = join(OUTPUT, `product-${version}`);
  await runProgram(url, version, folder, []);
  const all = await readResults(folder);
  const results = new Map(productScenarios[version].map((scenario) => [scenario, all.get(scenario) ?? []]));
  const faults: string[] = [];
  const expected: string[] = [];
  for (const [scenario, checks] of results) {
    if (!checks.some(({ status }) => status === 'SUCCESS')) faults.push(`proves nothing: ${scenario}`);
    for (const { id, status, errorMessage } of checks) {
      const name = `${scenario}:${id}`;
      const isFault = status === 'FAILURE' || status === 'WARNING';
      if (!needsFixture.has(name)) {
        if (isFault) faults.push(`fails: ${name}: ${errorMessage}`);
      } else if (isFault) {
        expected.push(name);
      } else {
        faults.push(`needs no fixture after all: ${name}`);
      }
    }
  }
  return { title: `finance, ${version}`, faults, passedChecks: passedIn(results), expected };
}

async function runProgram(
  url: string,
  version: Version,
  folder: string,
  more: readonly string[],
): Promise<{ code: number | null; text: string }> {
  await mkdir(folder, { recursive: true });
  const args = [PROGRAM, 'server', '--url', url, '--requirements', version, '-o', folder, ...more];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
    timeout: RUN_MS_MAX,
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  await writeFile(join(folder, 'log.txt'), text);
  return { code, text };
}

/** The checks of every scenario that ran. */
async function readResults(folder: string): Promise<Results> {
  const results = new Map<string, readonly Check[]>();
  for (const name of await readdir(folder)) {
    const scenario = /^server-(.+)-\d{4}-\d{2}-\d{2}T/.exec(name)?.[1];
    if (scenario === undefined) continue;
    results.set(scenario, JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8')));
  }
  return results;
}

function passedIn(results: Results): number {
  return [...results.values()].flat().filter(({ status }) => status === 'SUCCESS').length;
}

/** The items the suite prints under this heading. */
function listAfter(text: string, heading: string): string[] {
  const lines = stripColors(text).split('\n');
  const start = lines.findIndex((line) => line.startsWith(heading));
  if (start === -1) return [];
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => !line.startsWith('  '));
  return rest.slice(0, end === -1 ? undefined : end).map((line) => line.trim().slice(2));
}

function stripColors(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape is what has to go.
  return text.replace(/\x1b\[\d+m/g, '');
}
