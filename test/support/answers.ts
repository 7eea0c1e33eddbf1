/** Keeps every answer that a test gets from a server, to look through them all for what must never leave it. */

import { expect } from 'vitest';
import type { Answer, RawClient } from './raw-client.ts';
import { TEST_KEY, type World } from './world.ts';

/** What no answer may hold, with what it would give away. */
const forbidden: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a stack', /\bat [^\n"]{0,200}\.[cm]?[jt]s:\d+|node:internal|node_modules/],
  ['a source file', /\b(?:src|dist|test)\/[\w./-]+\.[cm]?[jt]s\b/],
  ['SQL', /\b(?:select|delete)\b[^"]{0,200}\bfrom\b[^"]{0,80}\bwhere\b|\binsert into\b|\bupdate \w+ set\b/i],
  [
    'a message of the database',
    /violates [a-z-]+ constraint|relation \\?"|syntax error at or near|\bSQLSTATE\b|deadlock detected/i,
  ],
  ['an address inside', /postgres(?:ql)?:\/\/|\/\.s\.PGSQL|ECONN[A-Z]+|\bEPIPE\b/],
  ['a path of the machine', /(?:^|[\s"'(=:])\/(?:home|root|tmp|var|usr|etc|work|opt|Users|private)\//],
  ['a token', /kob_(?:finance|dunning)_\w{8}/],
];

export interface Answers {
  /** The same client; its answers are kept. */
  keep(client: RawClient): RawClient;
  /** Keeps one answer that came in another way. */
  add(text: string): void;
  /** How many answers were kept. */
  count(): number;
  /** Fails when an answer holds a stack, SQL, a path, a token or a key. */
  expectNothingInside(world: World): void;
}

/** An empty collection of answers. */
export function collectAnswers(): Answers {
  const texts: string[] = [];
  const kept = async (answer: Promise<Answer>): Promise<Answer> => {
    const { headers, text } = await answer;
    texts.push(`${JSON.stringify(headers)}\n${text}`);
    return answer;
  };
  return {
    keep: (client) => ({
      m: (...request) => kept(client.m(...request)),
      l: (...request) => kept(client.l(...request)),
      post: (...request) => kept(client.post(...request)),
      send: (...request) => kept(client.send(...request)),
    }),
    add: (text) => void texts.push(text),
    count: () => texts.length,
    expectNothingInside(world) {
      const secrets = [TEST_KEY, world.url, ...Object.values(world.tokens)];
      const found = texts.flatMap((text) => [
        ...forbidden.filter(([, pattern]) => pattern.test(text)).map(([what]) => `${what}: ${text}`),
        ...secrets.filter((secret) => text.includes(secret)).map(() => `a secret: ${text}`),
      ]);
      expect(found).toEqual([]);
    },
  };
}
