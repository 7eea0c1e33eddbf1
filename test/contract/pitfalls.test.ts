/** Every case from the field that such software gets wrong has a test that says its number. */

import { glob, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const CASES = Array.from({ length: 58 }, (_, index) => index + 1);

/** Numbers in titles such as `PITFALL 5, PITFALL 7: …` and `PITFALLS 25, 26: …`. */
export function numbersIn(source: string): number[] {
  return [...source.matchAll(/PITFALLS? ((?:\d+(?: and |, )?)+)/g)].flatMap(([, list]) =>
    list!.match(/\d+/g)!.map(Number),
  );
}

it('PITFALLS 1 to 58 are each named by a test', async () => {
  const root = new URL('../../', import.meta.url);
  const named = new Set<number>();
  for await (const path of glob('{src,test}/**/*.test.ts', { cwd: root })) {
    if (path.endsWith('pitfalls.test.ts')) continue;
    for (const number of numbersIn(await readFile(new URL(path, root), 'utf8'))) named.add(number);
  }
  expect(CASES.filter((number) => !named.has(number))).toEqual([]);
});

it('reads the numbers of a title', () => {
  expect(numbersIn("it('PITFALL 5, PITFALL 7: …'")).toEqual([5, 7]);
  expect(numbersIn("it('PITFALLS 25, 26: …'")).toEqual([25, 26]);
  expect(numbersIn("it('PITFALLS 9 and 10: …'")).toEqual([9, 10]);
});
