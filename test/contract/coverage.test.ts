/** Which rows of the protocol checklist have a test: each one has, or `docs/protocol-coverage.md` says why not yet. */

import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const REASON_LENGTH_MIN = 20;

/** Every row of the checklist. */
const rows = [
  'TR-01 to TR-11, TR-20 to TR-38, TR-50 to TR-66, TR-70 to TR-72',
  'VE-01 to VE-11, VE-20 to VE-27, VE-40 to VE-45, VE-60 to VE-71',
  'TO-01 to TO-30',
  'RE-01 to RE-35',
  'PR-01 to PR-18',
  'CO-01 to CO-17',
  'CF-01 to CF-15, CF-20 to CF-34, CF-40 to CF-53, CF-60 to CF-73, CF-80 to CF-85',
  'AU-01 to AU-23, AU-40 to AU-49',
  'UT-01 to UT-20',
  'SE-01 to SE-21',
].flatMap(idsIn);

/** The ids a text names; `CF-41 to CF-43` names three. */
function idsIn(text: string): string[] {
  const ids: string[] = [];
  const pattern = /\b((?:TR|VE|TO|RE|PR|CO|CF|AU|UT|SE)-)(\d{2})(?: to \1(\d{2}))?\b/g;
  for (const [, group, first, last = first] of text.matchAll(pattern)) {
    for (let number = Number(first); number <= Number(last); number += 1) {
      ids.push(`${group}${String(number).padStart(2, '0')}`);
    }
  }
  return ids;
}

/** The titles in the source of a test file; a test that is switched off has none. */
function titlesIn(source: string): string[] {
  const quoted = String.raw`\s*(['"\`])((?:\\.|(?!\1)[^\\])*)\1`;
  // Of `test('…')`, of `test.each([…])('…')`, and of a table whose rows begin with what they are.
  const calls = String.raw`(?:\b(?:it|test|describe)(?:\.(?:runIf|skipIf)\([^()]*\))?|\))\(`;
  const table = String.raw`\[(?=\s*['"\`](?:[A-Z]{2}-\d{2}[ ,:]))`;
  return [...source.matchAll(new RegExp(`(?:${calls}|${table})${quoted}`, 'g'))].map(([, , title]) => title!);
}

async function coveredRows(): Promise<Map<string, string>> {
  const covered = new Map<string, string>();
  for await (const path of glob('{src,test}/**/*.test.ts', { cwd: root })) {
    // This file names all rows and covers none.
    if (path.endsWith('coverage.test.ts')) continue;
    for (const title of titlesIn(readFileSync(new URL(path, root), 'utf8'))) {
      for (const id of idsIn(title)) covered.set(id, path);
    }
  }
  return covered;
}

/** The lines of a table of the page, by id. */
function reasonsUnder(heading: string): Map<string, string> {
  const page = readFileSync(new URL('docs/protocol-coverage.md', root), 'utf8');
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const lines = [...section.matchAll(/^\| ([A-Z]{2}-[^|]*) \| ([^|]+) \|$/gm)];
  const reasons = lines.flatMap(([, ids, reason]) => idsIn(ids!).map((id) => [id, reason!.trim()] as const));
  expect(new Set(reasons.map(([id]) => id)).size, `twice under ${heading}`).toBe(reasons.length);
  return new Map(reasons);
}

test('the list of rows is whole', () => {
  expect(rows.length).toBe(new Set(rows).size);
  expect(rows.length).toBe(325);
});

test('titles are found wherever they stand, and nothing else is', () => {
  const source = `
    it('TR-01: a', () => expect('TR-02').toBe(1));
    test.each([['TR-03: b', 1], ['c', 'TR-04: d']])('CF-41 to CF-43: %s', () => {});
    describe.each(x)("SE-09, SE-10 \\"e\\"", () => {}); // it.skip('TR-05')
    test.runIf(process.platform === 'linux')(
      \`TR-06: f\`, () => {});
    it.skip('TR-07: g', () => {}); test.todo('TR-08: h');`;
  expect(titlesIn(source).flatMap(idsIn).sort()).toEqual(
    ['TR-01', 'TR-03', 'CF-41', 'CF-42', 'CF-43', 'SE-09', 'SE-10', 'TR-06'].sort(),
  );
});

test('every row has a test, or a line that says why not yet', async () => {
  const covered = await coveredRows();
  const reasons = reasonsUnder('Not yet');
  expect(rows.filter((id) => !covered.has(id) && !reasons.has(id))).toEqual([]);
});

test('no line stays when its row has a test', async () => {
  const covered = await coveredRows();
  const stale = [...reasonsUnder('Not yet').keys()].filter((id) => covered.has(id));
  expect(stale.map((id) => `${id} is tested in ${covered.get(id)}`)).toEqual([]);
});

test('what is said to hold in part has a test', async () => {
  const covered = await coveredRows();
  expect([...reasonsUnder('In part').keys()].filter((id) => !covered.has(id))).toEqual([]);
});

test('lines are about rows, and say something', () => {
  const lines = [...reasonsUnder('Not yet'), ...reasonsUnder('In part')];
  expect(lines.filter(([id]) => !rows.includes(id))).toEqual([]);
  expect(lines.filter(([, reason]) => reason.length < REASON_LENGTH_MIN)).toEqual([]);
});

test('tests name only rows that exist', async () => {
  const known = new Set(rows);
  expect([...(await coveredRows())].filter(([id]) => !known.has(id))).toEqual([]);
});
