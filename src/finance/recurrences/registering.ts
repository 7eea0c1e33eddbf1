/** Registers the occurrences whose time has come, for a person who waits for it or for the daily run. */

import { addDays } from '../../core/dates.ts';
import { AppError, type ErrorCode } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import type { WriteContext } from '../../core/operation.ts';
import { kinds } from './kinds.ts';
import type { RecurrenceRow } from './queries.ts';
import { changeRecurrence } from './resource.ts';
import { dateOf, isBeyondEnd, occurrenceDraft, type Template } from './rules.ts';
import { HORIZON_DAYS, type RecurrenceKind } from './schema.ts';

/** Occurrences of one recurrence in one transaction; a run that was missed for long goes on the next day. */
const REGISTERED_MAX = 100;

/** Codes from here on are about the system, not about the record. */
const SYSTEM_STATUS_MIN = 500;

export interface Registered {
  readonly id: string;
  readonly number: number;
  readonly due_date: string;
  readonly amount: string;
}

/** The row at an occurrence: what comes next, or the end. */
export function at(row: RecurrenceRow, number: number): RecurrenceRow {
  return isBeyondEnd(row, number)
    ? { ...row, next_number: number, next_on: null, held_by: null, status: 'ended', end_reason: 'completed' }
    : { ...row, next_number: number, next_on: dateOf(row, number), held_by: null };
}

/**
 * Registers what is due within the horizon and writes how far the recurrence is. The caller holds it locked and gives
 * it as it was and as it is to be. When an occurrence is refused, `raise` fails with the code; `hold` stops there,
 * notes the code, and the next daily run tries again.
 */
export async function registerDue(
  context: WriteContext,
  before: RecurrenceRow,
  given: RecurrenceRow,
  refused: 'raise' | 'hold',
): Promise<{ recurrence: RecurrenceRow; registered: Registered[] }> {
  const until = addDays(context.today, HORIZON_DAYS);
  const registered: Registered[] = [];
  let row: RecurrenceRow = given;
  while (row.status === 'active' && row.next_on! <= until && registered.length < REGISTERED_MAX) {
    const outcome = await attempt(context, row, refused);
    if (typeof outcome === 'string') {
      if (row.held_by !== outcome) row = { ...row, held_by: outcome };
      break;
    }
    registered.push(outcome);
    row = at(row, row.next_number + 1);
  }
  return { recurrence: row === before ? row : await changeRecurrence(context, before, row), registered };
}

/**
 * Fails with the code of the first check that refuses the next occurrence, and registers nothing. Closed books refuse
 * none: occurrences wait for them.
 */
export async function requireRegistrable(context: WriteContext, row: RecurrenceRow): Promise<void> {
  const rollback = new Error('only looked at');
  try {
    await context.db.nested(async () => {
      await register({ ...context, changed: () => {} }, row);
      throw rollback;
    });
  } catch (error) {
    if (error !== rollback && !(error instanceof AppError && error.code === 'books_closed')) throw error;
  }
}

/** The occurrence, or the code that refused it; what a refused one changed is undone. */
async function attempt(
  context: WriteContext,
  row: RecurrenceRow,
  refused: 'raise' | 'hold',
): Promise<Registered | ErrorCode> {
  const changes: Parameters<WriteContext['changed']>[] = [];
  try {
    const registered = await context.db.nested(() =>
      register({ ...context, changed: (...change) => changes.push(change) }, row),
    );
    for (const change of changes) context.changed(...change);
    return registered;
  } catch (error) {
    if (refused === 'hold' && error instanceof AppError && error.status < SYSTEM_STATUS_MIN)
      return error.code;
    throw error;
  }
}

/** Registers the next occurrence in the name of whoever said what it is made of. */
async function register(context: WriteContext, row: RecurrenceRow): Promise<Registered> {
  const { caller } = context;
  const author = { ...caller, user: { ...caller.user, id: row.template_by } };
  const draft = occurrenceDraft(row, row.template as Template, row.next_number);
  const made = await kinds[row.kind as RecurrenceKind].register({ ...context, caller: author }, draft);
  return {
    id: made.id,
    number: row.next_number + 1,
    due_date: made.due_date,
    amount: moneyText(made.amount_cents),
  };
}
