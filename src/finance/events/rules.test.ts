import { expect, test } from 'vitest';
import { newId } from '../../core/ids.ts';
import { shownChanges } from './rules.ts';

const id = newId();
const change = (before: unknown, after: unknown, ofId = id) => ({ kind: 'payable', id: ofId, before, after });

test('shows the fields that differ, before and after, as text', () => {
  const before = { id, amount: '1.00', terms: null, tags: ['a'], version: 1, updated_at: 'x', kept: true };
  const after = {
    id,
    amount: '2.00',
    terms: { fine: '2' },
    tags: ['a', 'b'],
    version: 2,
    updated_at: 'y',
    kept: true,
  };
  expect(shownChanges([change(before, after)], undefined)).toEqual({
    changes: [
      {
        kind: 'payable',
        id,
        what: 'changed',
        fields: [
          { name: 'amount', before: '1.00', after: '2.00' },
          { name: 'terms', before: null, after: '{"fine":"2"}' },
          { name: 'tags', before: '["a"]', after: '["a","b"]' },
        ],
      },
    ],
    changes_count: 1,
    is_cut: false,
  });
});

test('tells what was created and what was deleted', () => {
  const record = { amount: '1.00', notes: null };
  const { changes } = shownChanges([change(null, record), change(record, null)], undefined);
  expect(changes.map(({ what, fields }) => [what, fields])).toEqual([
    ['created', [{ name: 'amount', before: null, after: '1.00' }]],
    ['deleted', [{ name: 'amount', before: '1.00', after: null }]],
  ]);
});

test('long texts are cut, unseen characters removed, and it says so', () => {
  const shown = shownChanges([change({ note: 'a\u202Eb' }, { note: 'é'.repeat(201) })], undefined);
  expect(shown.changes[0]!.fields).toEqual([{ name: 'note', before: 'ab', after: `${'é'.repeat(199)}…` }]);
  expect(shown.is_cut).toBe(true);
});

test('many changes, fields and characters are cut, counted, and the record asked for stays', () => {
  const asked = newId();
  const wide = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`field_${index}`, 'x'.repeat(150)]),
  );
  const changes = Array.from({ length: 200 }, () => change(null, wide, newId()));
  const shown = shownChanges([...changes, change(null, { amount: '1.00' }, asked)], asked);
  expect(shown.changes).toHaveLength(20);
  expect(shown.changes[0]).toMatchObject({ id: asked, fields: [{ name: 'amount' }] });
  expect([shown.changes_count, shown.is_cut]).toEqual([201, true]);
  expect(JSON.stringify(shown).length).toBeLessThan(8_000);
});

test('a change that is no record of fields has none', () => {
  expect(shownChanges([change('a', 'b')], undefined).changes[0]!.fields).toEqual([]);
});
