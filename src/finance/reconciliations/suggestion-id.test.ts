import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CENTS_MAX } from '../../core/money.ts';
import { candidateKinds } from './matching/types.ts';
import { decodeSuggestion, encodeSuggestion, SUGGESTION_ID_MAX } from './suggestion-id.ts';

const cents = fc.integer({ min: 0, max: CENTS_MAX });
const key = fc.record({
  lines: fc.array(fc.record({ id: fc.uuid(), amount: cents }), { minLength: 1, maxLength: 12 }),
  documents: fc.array(
    fc.record({
      kind: fc.constantFrom(...candidateKinds),
      id: fc.uuid(),
      parts: fc.record({ principal: cents, discount: cents, interest: cents, fine: cents, fee: cents }),
    }),
    { minLength: 1, maxLength: 12 },
  ),
});

test('says everything that accepting the suggestion takes', () => {
  fc.assert(
    fc.property(key, (given) => {
      const id = encodeSuggestion(given);
      expect(id.length).toBeLessThanOrEqual(SUGGESTION_ID_MAX);
      expect(decodeSuggestion(id)).toEqual(given);
    }),
    { numRuns: 1_000 },
  );
});

test('is short for one line and one document', () => {
  const parts = { principal: 123_456, discount: 0, interest: 0, fine: 0, fee: 0 };
  const id = '0192f0a1-7b1c-7c3d-8e4f-0123456789ab';
  const text = encodeSuggestion({
    lines: [{ id, amount: 123_456 }],
    documents: [{ kind: 'payable', id, parts }],
  });
  expect(text.length).toBeLessThanOrEqual(64);
});

test('tells a text with one wrong letter, and any other text, from an id', () => {
  fc.assert(
    fc.property(key, fc.nat(), fc.string(), (given, place, other) => {
      const id = encodeSuggestion(given);
      const at = place % (id.length - 1);
      const wrong = `${id.slice(0, at)}${id[at] === 'A' ? 'B' : 'A'}${id.slice(at + 1)}`;
      expect(decodeSuggestion(wrong)).toBeNull();
      expect(decodeSuggestion(id.slice(0, at))).toBeNull();
      expect(decodeSuggestion(other)).toBeNull();
    }),
    { numRuns: 1_000 },
  );
});
