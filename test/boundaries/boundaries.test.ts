import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type SourceFile, violations } from './rules.ts';

const root = new URL('../../', import.meta.url);

async function sources(): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for await (const path of glob('src/**/*.ts', { cwd: root })) {
    if (path.endsWith('.test.ts')) continue;
    files.push({ path, text: readFileSync(new URL(path, root), 'utf8') });
  }
  return files;
}

test('the scan sees the house', async () => {
  const files = await sources();
  expect(files.length).toBeGreaterThan(80);
  for (const folder of ['core', 'db', 'identity', 'confirm', 'mcp', 'finance', 'dunning', 'apps']) {
    expect(files.some(({ path }) => path.startsWith(`src/${folder}/`))).toBe(true);
  }
});

test('every import keeps the directions of the house', async () => {
  expect(violations(await sources())).toEqual([]);
});

const seeded: [rule: string, path: string, text: string][] = [
  ['1', 'src/core/money.ts', "import { sql } from '../db/sql.ts';"],
  ['1', 'src/db/events.ts', "import { me } from '../finance/index.ts';"],
  ['2', 'src/finance/index.ts', "import { dunning } from '../dunning/index.ts';"],
  ['3', 'src/finance/payables/operations/get.ts', "import { selectPerson } from '../../people/resource.ts';"],
  ['3', 'src/apps/house.ts', "import { x } from '../finance/people/rules.ts';"],
  ['4', 'src/finance/payables/operations/get.ts', "import { x } from '../../../mcp/tools.ts';"],
  ['4', 'src/finance/payables/index.ts', "import { Server } from '@modelcontextprotocol/server';"],
  ['5', 'src/finance/payables/rules.ts', "import { sql } from '../../db/sql.ts';"],
  ['5', 'src/finance/payables/schema.ts', "import { readFile } from 'node:fs';"],
  ['5', 'src/finance/payables/rules.ts', "import { x } from './queries.ts';"],
  ['6', 'src/finance/payables/index.ts', "import { x } from './queries.ts';"],
  ['6', 'src/mcp/tools.ts', "import pg from 'pg';"],
  [
    '7',
    'src/finance/payments/operations/cancel.ts',
    "import { x } from '../../../gateways/bank/simulator.ts';",
  ],
  ['2', 'src/account/people/operations/list.ts', "import { x } from '../../../finance/people/index.ts';"],
  ['9', 'src/console/pages/payables.ts', "import { sql } from '../../db/sql.ts';"],
  ['9', 'src/web/layout.ts', "import { x } from '../console/index.ts';"],
  ['8', 'src/mcp/http.ts', "import { x } from '../apps/config.ts';"],
];

test.each(seeded)('rule %s fails for a breach in %s', (rule, path, text) => {
  expect(violations([{ path, text }])).toContainEqual(expect.stringMatching(new RegExp(`^${rule}:`)));
});

test('a cycle is found, unless only types go round', () => {
  const a = { path: 'src/core/a.ts', text: "import { b } from './b.ts';" };
  const b = { path: 'src/core/b.ts', text: "import { a } from './a.ts';" };
  expect(violations([a, b])).toEqual(['8: no cycles: src/core/a.ts -> src/core/b.ts -> src/core/a.ts']);
  expect(violations([a, { ...b, text: "import type { a } from './a.ts';" }])).toEqual([]);
});

test('no file is longer than a room should be', async () => {
  const long = (await sources()).filter(
    ({ path, text }) => text.split('\n').length > 350 && path !== 'src/db/rows.ts',
  );
  expect(long.map(({ path }) => path)).toEqual([]);
});
