/** A template and its values become the text of a message, in one pass. */

import { VARIABLE, variableOf } from './variables.ts';
import type { Values } from './view.ts';

export interface MessageText {
  readonly subject: string | null;
  readonly body: string;
}

export interface RenderedText extends MessageText {
  /** Variables that the text names and that have no value here. */
  readonly empty: readonly string[];
}

const SUBJECT_MAX = 300;

/**
 * The text with values in the place of variables. Neighbouring lines that name variables of a charge stand once for each
 * charge, so that every charge shows its own figures (PITFALLS 48); a line that has variables and no value for any of
 * them is left out. Values are never read as a template.
 */
export function renderText(text: MessageText, values: Values): RenderedText {
  const empty = new Set<string>();
  const lookUp = (charge: Readonly<Record<string, string>>) => (name: string) => {
    const value = values.shared[name] ?? charge[name] ?? '';
    if (value === '') empty.add(name);
    return value;
  };
  const [first = {}] = values.charges;
  const subject = text.subject === null ? null : fill(text.subject, lookUp(first)).text;
  const lines = blocksOf(text.body).flatMap(({ lines: block, isOfCharge }) =>
    (isOfCharge ? values.charges : [first]).flatMap((charge) => linesOf(block, lookUp(charge))),
  );
  return {
    subject: subject === null ? null : Array.from(subject).slice(0, SUBJECT_MAX).join(''),
    body: lines
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
    empty: [...empty],
  };
}

interface Block {
  readonly lines: string[];
  readonly isOfCharge: boolean;
}

/** The lines in runs of those that tell of a charge and those that do not. */
function blocksOf(body: string): Block[] {
  const blocks: Block[] = [];
  for (const line of body.split('\n')) {
    const isOfCharge = [...line.matchAll(VARIABLE)].some(([, name]) => variableOf(name!)?.scope === 'charge');
    const last = blocks.at(-1);
    if (last?.isOfCharge === isOfCharge) last.lines.push(line);
    else blocks.push({ lines: [line], isOfCharge });
  }
  return blocks;
}

function linesOf(lines: readonly string[], lookUp: (name: string) => string): string[] {
  return lines.flatMap((line) => {
    const filled = fill(line, lookUp);
    return filled.named > 0 && filled.filled === 0 ? [] : [filled.text];
  });
}

/** The line with its values, how many variables it names, and how many of them have a value. */
function fill(line: string, lookUp: (name: string) => string) {
  let named = 0;
  let filled = 0;
  const text = line.replace(VARIABLE, (_all, name: string) => {
    const value = lookUp(name);
    named += 1;
    if (value !== '') filled += 1;
    return value;
  });
  return { text, named, filled };
}
