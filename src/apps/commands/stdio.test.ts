import { describe, expect, test } from 'vitest';
import { readConfig, UsageError } from '../config.ts';
import { stdio } from './stdio.ts';

const config = readConfig({});

describe('kobana stdio', () => {
  test.each([
    ['an unknown set', ['finance', '--toolsets', 'nope'], /--toolsets: .*everyday/],
    ['a set of the other product', ['dunning', '--toolsets', 'payables'], /--toolsets: .*campaigns/],
    ['a workspace that is no id', ['finance', '--workspace', 'x'], /--workspace: /],
    ['an unknown flag', ['finance', '--toolset', 'payables'], /--toolsets/],
    ['no product', ['--readonly'], /usage: kobana stdio finance\|dunning \[--toolsets/],
  ])('refuses %s in one line, before anything is opened', async (_what, words, message) => {
    const failure = await stdio(words, config).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UsageError);
    expect((failure as Error).message).toMatch(message);
  });
});
