/** Turns what a client sent into the validated input of an operation, or an error that names the field. */

import type { z } from 'zod';
import { AppError } from './errors.ts';
import type { Operation } from './operation.ts';
import { nearest } from './text.ts';

/** The validated input, defaults applied. Fails with `invalid_argument { path, expected }` for the first fault. */
export function parseArguments({ input }: Pick<Operation, 'input'>, args: unknown): Record<string, unknown> {
  const result = input.safeParse(args ?? {});
  if (!result.success) throw argumentError(result.error.issues[0]!, Object.keys(input.shape));
  const unreadable = unreadablePath(args);
  if (unreadable !== null) {
    throw new AppError('invalid_argument', {
      path: unreadable.join('.') || 'arguments',
      expected: 'text of whole Unicode characters, without U+0000',
    });
  }
  return result.data;
}

/**
 * Where a text, or the name of a field, is none that could be kept: half a surrogate pair has no UTF-8 and no canonical
 * form (RFC 8785 section 3.2.2.2), and the database holds no U+0000. Null when all are fine.
 */
function unreadablePath(value: unknown): string[] | null {
  if (typeof value === 'string') return isReadable(value) ? null : [];
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, item] of Object.entries(value)) {
    const below = isReadable(name) ? unreadablePath(item) : [];
    if (below !== null) return [safeName(name), ...below];
  }
  return null;
}

const isReadable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

function argumentError(issue: z.core.$ZodIssue, names: string[]): AppError {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0]!;
    const known = issue.path.length === 0 ? nearest(key, names) : null;
    const expected = known === null ? `one of: ${names.join(', ')}` : `\`${known}\`, if that was meant`;
    return new AppError('invalid_argument', {
      path: path === '' ? safeName(key) : `${path}.${safeName(key)}`,
      expected: issue.path.length === 0 ? `no such argument; use ${expected}` : 'no such field here',
    });
  }
  return new AppError('invalid_argument', {
    path: path === '' ? 'arguments' : path,
    expected: expectedBy(issue),
  });
}

/** The right form: the field's own words; the library's only where a field has none. */
function expectedBy(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `one of: ${issue.values.map(String).join(', ')}`;
  return issue.message.replace(/^Invalid input: expected /, '').replace(/, received .*$/, '');
}

/** An argument name as the client wrote it may be anything; only a plain one is echoed. */
function safeName(name: string): string {
  return /^[A-Za-z0-9_]{1,64}$/.test(name) ? name : '(unreadable name)';
}
