import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itfElements } from './itf.ts';

/** Reads bars as a scanner does: whatever is wider than two modules is wide. */
function scan(elements: readonly number[]): string {
  const inner = elements.slice(4, -3);
  let digits = '';
  for (let pair = 0; pair < inner.length; pair += 10) {
    for (const offset of [0, 1]) {
      const wide = [0, 2, 4, 6, 8].map((place) => (inner[pair + place + offset]! > 2 ? 1 : 0));
      // Each place but the last is worth 1, 2, 4 or 7; the last one makes two of them wide, and 4 + 7 is 0.
      const sum = [1, 2, 4, 7].reduce((total, worth, place) => total + worth * wide[place]!, 0);
      digits += sum === 11 ? '0' : String(sum);
    }
  }
  return digits;
}

describe('interleaved 2 of 5', () => {
  it('reads back to its digits, whatever they are', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{44}$/), (digits) => {
        const elements = itfElements(digits);
        expect(scan(elements)).toBe(digits);
        expect(elements.length % 2).toBe(1);
      }),
      { numRuns: 1000 },
    );
  });

  it('takes 405 modules for the 44 digits of a boleto', () => {
    const elements = itfElements('34192999900000100001234567890123456789012345');
    expect(elements.reduce((sum, width) => sum + width, 0)).toBe(405);
    expect(elements.slice(0, 4)).toEqual([1, 1, 1, 1]);
    expect(elements.slice(-3)).toEqual([3, 1, 1]);
  });

  it.each(['', '123', '12a4', ' 12'])('takes no %j', (digits) => {
    expect(() => itfElements(digits)).toThrow(RangeError);
  });
});
