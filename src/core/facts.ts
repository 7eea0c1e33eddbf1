/** The lines of a question. Which of the two makers is used says whether the value is text of ours or of others. */

import type { Locale } from './caller.ts';
import { formatDateBr } from './dates.ts';
import { formatBrl } from './money.ts';
import type { Fact } from './operation.ts';

/** The same in each language. */
export type Words = Readonly<Record<Locale, string>>;

/** A line whose value this code computed: amounts, dates, sentences. */
export function ours(key: string, portuguese: string, english: string, value: string | Words): Fact {
  return { key, label: { 'pt-BR': portuguese, en: english }, value, origin: 'ours' };
}

/** A line whose value somebody wrote: it is shown quoted and escaped. */
export function outside(key: string, portuguese: string, english: string, value: string): Fact {
  return { key, label: { 'pt-BR': portuguese, en: english }, value, origin: 'outside' };
}

/** The line with the whole amount that the action moves, gives up or commits to: what a second person is asked about. */
export function moves(key: string, portuguese: string, english: string, cents: number): Fact {
  return { ...ours(key, portuguese, english, formatBrl(cents)), movesCents: cents };
}

/** The same lines; the one with this key tells the whole amount that the action moves, gives up or commits to. */
export function moving(key: string, cents: number, facts: readonly Fact[]): Fact[] {
  return facts.map((fact) => (fact.key === key ? { ...fact, movesCents: cents } : fact));
}

/** A civil date, in each language's own form. */
export function onDate(key: string, portuguese: string, english: string, date: string): Fact {
  return ours(key, portuguese, english, { 'pt-BR': formatDateBr(date), en: date });
}
