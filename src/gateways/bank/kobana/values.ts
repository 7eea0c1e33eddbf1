/** Values as Kobana's API writes them: reais as JSON numbers, instants, keys inside other fields. */

import { z } from 'zod';
import { type CivilDate, civilDateAt, isCivilDate } from '../../../core/dates.ts';
import { type Cents, formatMoney, parseMoney } from '../../../core/money.ts';
import { BankUnreachable } from '../port.ts';

/** Kobana and the banks behind it tell days where they are. */
export const BANK_TIME_ZONE = 'America/Sao_Paulo';

const ID_OF_KEY = /^([0-9a-f]{8})-([0-9a-f]{4})-7/;

/** Reais as a number whose shortest text is the amount: no product or quotient of floats is taken. */
export function reaisOf(cents: Cents): number {
  return Number(formatMoney(cents));
}

/** Reais as the API sends them; refused when the number is no amount in whole centavos. */
export const reais = z.union([z.number(), z.string().max(20)]).transform((value, context): Cents => {
  const cents = parseMoney(value);
  if (cents !== null) return cents;
  context.issues.push({ code: 'custom', message: 'no amount in centavos', input: value });
  return z.NEVER;
});

export const civilDate = z.string().refine(isCivilDate);

/** An instant, or a bare date, as the civil date it is in Brazil. */
export const dayOfInstant = z.string().transform((text, context): CivilDate => {
  if (isCivilDate(text)) return text;
  const instant = new Date(text);
  if (!Number.isNaN(instant.getTime())) return civilDateAt(instant, BANK_TIME_ZONE);
  context.issues.push({ code: 'custom', message: 'no instant', input: text });
  return z.NEVER;
});

/** The value in the form expected. What the API sent is never in the failure. */
export function readAs<Form extends z.ZodType>(form: Form, value: unknown, what: string): z.output<Form> {
  const parsed = form.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new BankUnreachable(`${what}: unreadable at ${issue?.path.join('.') || 'the top'}`);
}

/** When the record behind one of our keys was made, in milliseconds: its id begins with that. Null for other keys. */
export function madeAt(key: string): number | null {
  const match = ID_OF_KEY.exec(key);
  return match === null ? null : Number.parseInt(`${match[1]}${match[2]}`, 16);
}
