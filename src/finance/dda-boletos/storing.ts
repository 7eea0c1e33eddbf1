/** Stores what a bank announced: new boletos, and what became of those known. */

import { isDeepStrictEqual } from 'node:util';
import type { WriteContext } from '../../core/operation.ts';
import type { Tables } from '../../db/rows.ts';
import type { AnnouncedBoleto } from '../../gateways/bank/port.ts';
import { type HolderRow, insertDdaBoleto, selectByBarcodesForUpdate, updateAnnounced } from './queries.ts';
import { ddaBoletoOf, requireDdaBoleto } from './resource.ts';
import { type BoletoValues, valuesOf } from './rules.ts';

/**
 * Stores each valid announcement once, by its code. Invalid ones are counted in the audit chain, under the account that
 * was asked, and are not stored. What a person decided about a boleto stays as it is.
 */
export async function storeAnnounced(
  context: WriteContext,
  holder: Pick<HolderRow, 'account_id' | 'company_id' | 'document_number'>,
  announced: readonly AnnouncedBoleto[],
): Promise<void> {
  const { db, workspaceId, today } = context;
  const valid = new Map<string, BoletoValues>();
  let refused = 0;
  for (const boleto of announced) {
    const values = valuesOf(boleto, holder.document_number, today);
    if (values === null) refused += 1;
    else valid.set(values.barcode, values);
  }
  const rows = await selectByBarcodesForUpdate(db, workspaceId, [...valid.keys()]);
  const known = new Map(rows.map((row) => [row.barcode, row]));
  for (const values of [...valid.values()].sort((a, b) => (a.barcode < b.barcode ? -1 : 1))) {
    const row = known.get(values.barcode);
    if (row === undefined) await store(context, holder, values);
    else if (differs(row, values)) await renew(context, row.id, values);
  }
  if (refused > 0) context.changed('dda_sync', holder.account_id, null, { refused });
}

async function store(
  context: WriteContext,
  holder: Pick<HolderRow, 'account_id' | 'company_id'>,
  values: BoletoValues,
): Promise<void> {
  const { db, workspaceId, now, newId, caller } = context;
  const id = newId();
  const stored = await insertDdaBoleto(
    db,
    {
      workspaceId,
      id,
      companyId: holder.company_id,
      accountId: holder.account_id,
      createdBy: caller.user.id,
    },
    values,
    now,
  );
  if (stored === 1) context.changed('dda_boleto', id, null, ddaBoletoOf(await requireDdaBoleto(context, id)));
}

async function renew(context: WriteContext, id: string, values: BoletoValues): Promise<void> {
  const before = await requireDdaBoleto(context, id);
  await updateAnnounced(context.db, context.workspaceId, id, values, context.now);
  const after = await requireDdaBoleto(context, id);
  context.changed('dda_boleto', id, ddaBoletoOf(before), ddaBoletoOf(after));
}

function differs(row: Tables['dda_boletos'], values: BoletoValues): boolean {
  return (
    row.nominal_cents !== values.nominal_cents ||
    row.amount_cents !== values.amount_cents ||
    row.min_cents !== values.min_cents ||
    row.max_cents !== values.max_cents ||
    row.allows_partial !== values.allows_partial ||
    row.due_date !== values.due_date ||
    row.external_status !== values.external_status ||
    row.bank_reference !== values.bank_reference ||
    !isDeepStrictEqual(row.terms, values.terms)
  );
}
