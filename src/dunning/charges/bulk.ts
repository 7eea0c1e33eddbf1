/** The same change on many charges: each succeeds or fails by itself. */

import { z } from 'zod';
import { attempt } from '../../core/attempt.ts';
import { formatDateBr } from '../../core/dates.ts';
import { type ErrorCode, fail, failArgument } from '../../core/errors.ts';
import { moves, ours, outside } from '../../core/facts.ts';
import { formatBrl } from '../../core/money.ts';
import type { Context, Fact, WriteContext } from '../../core/operation.ts';
import { bulkSchema } from '../../finance/debts/index.ts';
import { amountsOfMany } from './amounts.ts';
import { idsArgument } from './arguments.ts';
import { chargeFilter, type GivenFilter, selectChargeIds } from './list.ts';
import type { ChargeRow } from './queries.ts';
import { findCharges } from './resource.ts';
import { BULK_MAX } from './schema.ts';

const NAME_SHOWN = 80;

/** Which charges: by ids or by a filter. */
export const whichArguments = {
  ids: idsArgument.optional().describe('Which ones; or `filter`.'),
  filter: z
    .strictObject(chargeFilter)
    .refine((filter) => Object.values(filter).some((value) => value !== undefined), {
      error: 'at least one condition',
    })
    .optional()
    .describe(`Which ones, at most ${BULK_MAX}; or \`ids\`.`),
};

export const bulkOutput = bulkSchema;

export interface Which {
  readonly ids?: readonly string[] | undefined;
  readonly filter?: GivenFilter | undefined;
}

/**
 * The ids that are meant, each once and in their order, so that two calls lock the same records in the same order.
 * Fails with `invalid_argument` unless exactly one of the two is given, and for a filter of more than 200.
 */
export async function idsOf(context: Context, { ids, filter }: Which): Promise<string[]> {
  if ((ids === undefined) === (filter === undefined)) failArgument('ids', 'either `ids` or `filter`');
  return ids === undefined ? selectChargeIds(context, filter!) : [...new Set(ids)].sort();
}

/** Changes each of the charges; one that cannot be is named in `failed` and the others go on. */
export async function changeMany(
  context: WriteContext,
  ids: readonly string[],
  change: (context: WriteContext, id: string) => Promise<unknown>,
): Promise<z.input<typeof bulkSchema>> {
  const result: z.input<typeof bulkSchema> = { requested: ids.length, succeeded: [], failed: [] };
  for (const [index, id] of ids.entries()) {
    const tried = await attempt(context, (inner) => change(inner, id));
    if ('error' in tried) {
      result.failed.push({ id, code: tried.error.code, message: tried.error.message });
    } else {
      result.succeeded.push(id);
    }
    context.progress({ done: index + 1, total: ids.length });
  }
  return result;
}

/** Why a charge is left alone; null when it is changed. */
export type Refusal = (row: ChargeRow) => ErrorCode | null;

/**
 * The facts of a change of many charges: count, total due, and one line for each with its id. They bind the answer to
 * these very charges: when a filter finds others by then, the person is asked again. Fails with the first refusal when
 * no charge would change: a yes that could do nothing is not asked for. `isGivenUp`: the total is not collected any more.
 */
export async function planFacts(
  context: Context,
  ids: readonly string[],
  refusalOf: Refusal,
  isGivenUp = false,
): Promise<Fact[]> {
  const rows = new Map((await findCharges(context, ids)).map((row) => [row.id, row]));
  const amounts = await amountsOfMany(context, [...rows.values()]);
  const plans = ids.map((id): { id: string; row?: ChargeRow; refusal: ErrorCode | null } => {
    const row = rows.get(id);
    return row === undefined ? { id, refusal: 'not_found' } : { id, row, refusal: refusalOf(row) };
  });
  const meant = plans.filter(({ refusal }) => refusal === null);
  const refused = plans.find(({ refusal }) => refusal !== null)?.refusal ?? 'not_found';
  if (meant.length === 0) fail(refused, { kind: 'charge' });
  const total = meant.reduce((sum, { id }) => sum + amounts.get(id)!.amountDue, 0);
  return [
    ours('count', 'Cobranças', 'Charges', String(meant.length)),
    (isGivenUp ? moves : shown)('total', 'Total devido hoje', 'Total due today', total),
    ...plans.map(({ id, row, refusal }) =>
      refusal === null
        ? outside(`charge:${id}`, `Cobrança ${id}`, `Charge ${id}`, lineOf(row!, amounts.get(id)!))
        : ours(`refused:${id}`, `${id}: fica como está`, `${id}: stays as it is`, refusal),
    ),
  ];
}

const shown = (key: string, portuguese: string, english: string, cents: number): Fact =>
  ours(key, portuguese, english, formatBrl(cents));

/** Amount and date first: they are ours, and no name can come before them or push them out of a long line. */
function lineOf(row: ChargeRow, { amountDue }: { readonly amountDue: number }): string {
  return [formatBrl(amountDue), formatDateBr(row.due_date), row.person_name.slice(0, NAME_SHOWN)].join('; ');
}
