import { type ParseArgsOptionDescriptor, parseArgs } from 'node:util';
import { UsageError, unknown } from './config.ts';

export interface Flags {
  text(name: string): string | undefined;
  has(name: string): boolean;
}

/** Splits the words of a command into positionals and flags; an unknown flag is refused with the nearest right one. */
export function readFlags(
  words: readonly string[],
  options: Readonly<Record<string, ParseArgsOptionDescriptor>>,
): { positionals: string[]; flags: Flags } {
  const { values, positionals, tokens } = parseArgs({
    args: [...words],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const option = options[token.name];
    if (option === undefined) {
      throw new UsageError(
        unknown(
          'flag',
          token.rawName,
          Object.keys(options).map((name) => `--${name}`),
        ),
      );
    }
    if (option.type === 'string' && token.value === undefined)
      throw new UsageError(`${token.rawName} needs a value`);
    if (option.type === 'boolean' && token.value !== undefined)
      throw new UsageError(`${token.rawName} takes no value`);
  }
  return {
    positionals,
    flags: {
      text: (name) => (typeof values[name] === 'string' ? values[name] : undefined),
      has: (name) => values[name] === true,
    },
  };
}
