import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseArguments } from './arguments.ts';
import { digestOf } from './digest.ts';

const input = z.strictObject({
  reason: z.string().optional(),
  list: z.array(z.object({ note: z.string() })).optional(),
  free: z.record(z.string(), z.unknown()).optional(),
});

/** As they come off the wire, where JSON may write half a pair. */
const parse = (json: string) => parseArguments({ input }, JSON.parse(json));

describe('a text that has no UTF-8 or that the database cannot hold', () => {
  test.each([
    ['reason', '{"reason":"a\\ud800"}'],
    ['reason', '{"reason":"\\udc00b"}'],
    ['reason', '{"reason":"\\udc00\\ud800"}'],
    ['reason', '{"reason":"a\\u0000"}'],
    ['list.1.note', '{"list":[{"note":"fine"},{"note":"\\ud800"}]}'],
    ['free.deep.er', '{"free":{"deep":{"er":"\\ud800"}}}'],
    ['free.(unreadable name)', '{"free":{"\\ud800":1}}'],
  ])('is refused at %s in %s', (path, json) => {
    expect(() => parse(json)).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        details: { path, expected: 'text of whole Unicode characters, without U+0000' },
      }),
    );
  });

  test('is not one with whole pairs, accents and signs, which have a digest', () => {
    const args = parse('{"reason":"\\ud83d\\ude00 não € \\u200d","free":{"é":[null,true,1.5,"x"]}}');
    expect(args['reason']).toBe('😀 não € \u200d');
    expect(digestOf(args)).toMatch(/^[0-9a-f]{64}$/);
  });
});
