/** The two accounts of a transfer, locked in one order whoever asks: companies first, each by its id. */

import type { Context } from '../../core/operation.ts';
import type { Tables } from '../../db/rows.ts';
import { requireAccount } from '../accounts/index.ts';
import { requireCompany } from '../companies/index.ts';

export interface Side {
  readonly account: Tables['financial_accounts'];
  readonly company: Tables['companies'];
}

/** The account money leaves and the one it reaches, with their companies. Fails with `not_found`. */
export async function requireSides(
  context: Context,
  fromId: string,
  toId: string,
): Promise<{ from: Side; to: Side }> {
  const reading = { ...context, isWriting: false };
  const companyIds: string[] = [];
  for (const id of [fromId, toId]) companyIds.push((await requireAccount(reading, id)).company_id);
  const companies = await eachOf(companyIds, (id) => requireCompany(context, id));
  const accounts = await eachOf([fromId, toId], (id) => requireAccount(context, id));
  const sideOf = (id: string): Side => {
    const account = accounts.get(id)!;
    return { account, company: companies.get(account.company_id)! };
  };
  return { from: sideOf(fromId), to: sideOf(toId) };
}

async function eachOf<Row>(
  ids: readonly string[],
  require: (id: string) => Promise<Row>,
): Promise<Map<string, Row>> {
  const rows = new Map<string, Row>();
  for (const id of [...new Set(ids)].sort()) rows.set(id, await require(id));
  return rows;
}
