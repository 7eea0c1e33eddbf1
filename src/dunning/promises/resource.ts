import { fail } from '../../core/errors.ts';
import { onDate, ours, outside } from '../../core/facts.ts';
import { moneyText } from '../../core/fields.ts';
import { formatBrl } from '../../core/money.ts';
import type { Context, Fact, WriteContext } from '../../core/operation.ts';
import type { Tables } from '../../db/rows.ts';
import { type PromiseRow, selectPromise, updatePromise } from './queries.ts';
import type { PaymentPromise } from './schema.ts';

/** The public record of a row. */
export function promiseOf(row: PromiseRow): PaymentPromise {
  return {
    id: row.id,
    person_id: row.person_id,
    person_name: row.person_name,
    charge_ids: row.charge_ids,
    amount: moneyText(row.amount_cents),
    promised_for: row.promised_for,
    promised_on: row.promised_on,
    keep_until: row.keep_until,
    channel: row.channel,
    status: row.status as PaymentPromise['status'],
    paid: moneyText(row.paid_cents),
    ended_at: row.ended_at,
    ended_reason: row.ended_reason,
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** The promise of this organization, locked when the caller is writing. Fails with `not_found`. */
export async function requirePromise(context: Context, id: string): Promise<PromiseRow> {
  const row = await selectPromise(context.db, context.organizationId, id, context.isWriting);
  return row ?? fail('not_found', { kind: 'promise', id });
}

/** Only one that is open can still be changed or called off. */
export function requireOpen(row: PromiseRow): void {
  if (row.status !== 'open') fail('invalid_state', { from: row.status, allowed: ['open'] });
}

/** Writes the change and what the audit chain keeps of it. */
export async function changePromise(
  context: WriteContext,
  before: PromiseRow,
  changes: Partial<Tables['dunning_promises']>,
): Promise<PromiseRow> {
  await updatePromise(context.db, { ...before, ...changes }, context.now);
  const after = await requirePromise(context, before.id);
  context.changed('promise', before.id, promiseOf(before), promiseOf(after));
  return after;
}

/** What a person sees of a promise in a question. */
export function promiseFacts(row: PromiseRow): Fact[] {
  return [
    outside('person', 'Devedor', 'Debtor', row.person_name),
    ours('amount', 'Valor prometido', 'Promised amount', formatBrl(row.amount_cents)),
    onDate('promised_for', 'Prometido para', 'Promised for', row.promised_for),
    ours('charges', 'Cobranças', 'Charges', String(row.charge_ids.length)),
  ];
}
