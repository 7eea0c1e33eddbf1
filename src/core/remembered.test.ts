import { expect, test } from 'vitest';
import { rememberByVersion } from './remembered.ts';

test('computes once per version and forgets nothing else', async () => {
  const remembered = rememberByVersion<number>(10);
  let computed = 0;
  const at = (key: string, version: number | null) =>
    remembered.at(key, version, async () => {
      computed += 1;
      return { value: computed, version };
    });
  expect([await at('a', 1), await at('a', 1), await at('b', 1), await at('a', 1)]).toEqual([1, 1, 2, 1]);
  expect([await at('a', 2), await at('a', 2), await at('a', 1)]).toEqual([3, 3, 4]);
  expect([await at('a', null), await at('a', null)]).toEqual([5, 6]);
});

test('keeps the version the value was computed at, not the one asked for', async () => {
  const remembered = rememberByVersion<string>(10);
  expect(await remembered.at('a', 1, async () => ({ value: 'of 2', version: 2 }))).toBe('of 2');
  expect(await remembered.at('a', 1, async () => ({ value: 'of 1', version: 1 }))).toBe('of 1');
});

test('the least recently used goes first', async () => {
  const remembered = rememberByVersion<number>(2);
  const at = (key: string, value: number) => remembered.at(key, 1, async () => ({ value, version: 1 }));
  await at('a', 1);
  await at('b', 2);
  await at('a', 9);
  await at('c', 3);
  expect([await at('a', 9), await at('b', 9)]).toEqual([1, 9]);
});
