/** Suggestions of a period, computed once while the books stay as they are, in an order that pages can rely on. */

import type { z } from 'zod';
import { moneyText } from '../../core/fields.ts';
import type { Cents } from '../../core/money.ts';
import type { Context } from '../../core/operation.ts';
import type { Position, Sort } from '../../core/paging.ts';
import { rememberByVersion } from '../../core/remembered.ts';
import { type Material, materialOf, type Shown } from './candidates.ts';
import { suggesting } from './matching/match.ts';
import type { Certainty, Suggestion } from './matching/types.ts';
import type { suggestionSchema } from './schema.ts';
import { encodeSuggestion } from './suggestion-id.ts';
import { selectBooksVersion, type Window } from './suggestion-queries.ts';

/** Periods remembered, so that turning pages does not compare everything anew. */
const REMEMBERED_MAX = 4;

export interface Listed {
  /** By what the list is sorted: heavier ones have smaller keys. */
  readonly key: string;
  readonly lineId: string;
  readonly shown: z.input<typeof suggestionSchema>;
}

interface Period {
  readonly suggestions: readonly Listed[];
  readonly counts: {
    readonly lines: number;
    readonly suggestions: number;
    readonly lines_without: number;
  } & Readonly<Record<Certainty, number>>;
}

export const suggestionSort: Sort = { name: '-score', keyForm: 'text' };

const remembered = rememberByVersion<Period>(REMEMBERED_MAX);

/** All suggestions for the open lines of the window. Fails with `invalid_argument` when there are too many lines. */
export async function suggestedFor(
  context: Context,
  window: Window,
  company: { readonly document_number: string },
  amountTolerance: Cents,
): Promise<Period> {
  const { db, workspaceId } = context;
  const version = await selectBooksVersion(db, workspaceId);
  const key = JSON.stringify([workspaceId, window, amountTolerance]);
  return remembered.at(key, version, async () => ({
    value: await periodOf(await materialOf(context, window, company), window, amountTolerance),
    version,
  }));
}

/** Where the list goes on after a position. */
export function afterPosition(suggestions: readonly Listed[], position: Position | null): number {
  if (position === null) return 0;
  const at = suggestions.findIndex((listed) => comparable(positionOf(listed)) > comparable(position));
  return at === -1 ? suggestions.length : at;
}

export function positionOf({ key, lineId }: Listed): Position {
  return { key, id: lineId };
}

async function periodOf(material: Material, window: Window, amountTolerance: Cents): Promise<Period> {
  const { lines, candidates, shown } = material;
  const settings = { dateToleranceDays: window.toleranceDays, amountTolerance };
  const suggestions = await inSlices(suggesting(lines, candidates, settings));
  const withOne = new Set(suggestions.flatMap((suggestion) => suggestion.lines.map(({ id }) => id)));
  const count = (certainty: Certainty) => suggestions.filter((one) => one.certainty === certainty).length;
  return {
    suggestions: suggestions
      .map((suggestion) => listed(suggestion, shown))
      .sort((left, right) => (comparable(positionOf(left)) < comparable(positionOf(right)) ? -1 : 1)),
    counts: {
      lines: lines.length,
      suggestions: suggestions.length,
      certain: count('certain'),
      likely: count('likely'),
      possible: count('possible'),
      lines_without: lines.length - withOne.size,
    },
  };
}

function listed(suggestion: Suggestion, shown: ReadonlyMap<string, Shown>): Listed {
  const { lines, candidates, parts, certainty, score, reasons, difference } = suggestion;
  const id = encodeSuggestion({
    lines: lines.map((line) => ({ id: line.id, amount: line.open })),
    documents: candidates.map((candidate, index) => ({
      kind: candidate.kind,
      id: candidate.id,
      parts: parts[index]!,
    })),
  });
  const withoutPerson = (lineId: string) => {
    const { person: _, ...rest } = shown.get(lineId)!;
    return rest;
  };
  return {
    key: [
      String(100 - score).padStart(3, '0'),
      lines[0]!.date,
      lines.length,
      candidates.length,
      candidates[0]!.id,
    ].join(' '),
    lineId: lines[0]!.id,
    shown: {
      id,
      certainty,
      score,
      reasons: [...reasons],
      transactions: lines.map((line) => ({
        id: line.id,
        amount: moneyText(line.open),
        ...withoutPerson(line.id),
      })),
      documents: candidates.map((candidate, index) => {
        const { principal, discount, interest, fine, fee } = parts[index]!;
        return {
          kind: candidate.kind,
          id: candidate.id,
          principal: moneyText(principal),
          discount: moneyText(discount),
          interest: moneyText(interest),
          fine: moneyText(fine),
          fee: moneyText(fee),
          ...shown.get(candidate.id)!,
        };
      }),
      difference: moneyText(difference),
    },
  };
}

/** A big month takes a second or two, in which this process has others to answer. */
async function inSlices<Value>(work: Generator<void, Value>): Promise<Value> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function comparable({ key, id }: Position): string {
  return `${key} ${id}`;
}
