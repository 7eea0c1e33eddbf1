/** Interleaved 2 of 5, the bars of boletos and utility bills. Source: FEBRABAN, boleto layout; ISO/IEC 16390. */

/** Wide elements of each digit, as five places of which two are wide. */
const WIDE_PLACES = [
  'nnwwn',
  'wnnnw',
  'nwnnw',
  'wwnnn',
  'nnwnw',
  'wnwnn',
  'nwwnn',
  'nnnww',
  'wnnwn',
  'nwnwn',
] as const;
const START = 'nnnn';
const STOP = 'wnn';
/** How many modules a wide element has: with three, 44 digits take 405 modules, 103 mm of 0.254 mm. */
const WIDE_MODULES = 3;

/**
 * Widths of the elements in modules, bars and spaces in turn, a bar first and last. Throws RangeError unless the
 * digits are an even number of them.
 */
export function itfElements(digits: string): number[] {
  if (!/^(?:\d\d)+$/.test(digits)) throw new RangeError('interleaved 2 of 5 takes an even number of digits');
  let places: string = START;
  for (let index = 0; index < digits.length; index += 2) {
    const bars = WIDE_PLACES[Number(digits[index])]!;
    const spaces = WIDE_PLACES[Number(digits[index + 1])]!;
    for (let place = 0; place < bars.length; place += 1) places += `${bars[place]}${spaces[place]}`;
  }
  return Array.from(places + STOP, (place) => (place === 'w' ? WIDE_MODULES : 1));
}
