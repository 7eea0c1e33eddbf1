/** A small generator of our own (mulberry32): the same seed and day give the same sample. */

export interface Random {
  /** The next 32 bits. */
  bits(): number;
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  /** True in `percent` of a hundred cases. */
  chance(percent: number): boolean;
  pick<Value>(values: readonly Value[]): Value;
  digits(count: number): string;
}

const WORD = 2 ** 32;

/** Starts a generator; only the lower 32 bits of the seed count. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const bits = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const integer = (min: number, max: number) => min + Math.floor((bits() / WORD) * (max - min + 1));
  return {
    bits,
    integer,
    chance: (percent) => integer(1, 100) <= percent,
    pick(values) {
      if (values.length === 0) throw new RangeError('nothing to pick from');
      return values[integer(0, values.length - 1)]!;
    },
    digits: (count) => Array.from({ length: count }, () => integer(0, 9)).join(''),
  };
}
