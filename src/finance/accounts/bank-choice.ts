/** Which bank adapter an account uses: said at the command line, never through a tool. */

import { fail } from '../../core/errors.ts';
import type { Change, Db } from '../../core/ports.ts';
import { sql } from '../../db/sql.ts';
import { selectAccount } from './queries.ts';

export interface BankChoice {
  readonly adapter: string;
  /** The id of the account at the provider, where the adapter is one. */
  readonly providerAccount: string | null;
}

/**
 * Makes the account use this adapter from now on and gives the change to record; null when it does already. Fails with
 * `not_found`, and with `in_use` while a bank has to answer for something of the account: another one could not.
 */
export async function chooseBank(
  db: Db,
  workspaceId: string,
  accountId: string,
  choice: BankChoice,
  now: Date,
): Promise<Change | null> {
  const account = await selectAccount(db, workspaceId, accountId, true);
  if (account === undefined) fail('not_found', { kind: 'financial_account', id: accountId });
  const before = { bank_adapter: account.bank_adapter, bank_adapter_account: account.bank_adapter_account };
  const after = { bank_adapter: choice.adapter, bank_adapter_account: choice.providerAccount };
  if (
    before.bank_adapter === after.bank_adapter &&
    before.bank_adapter_account === after.bank_adapter_account
  ) {
    return null;
  }
  const by = await selectLiveAtBank(db, workspaceId, accountId);
  if (by.length > 0) fail('in_use', { by });
  await updateBankChoice(db, workspaceId, accountId, choice, now);
  return { kind: 'financial_account', id: accountId, before, after };
}

/** How many active accounts of the workspace use each adapter. */
export function countBankAdapters(
  db: Db,
  workspaceId: string,
): Promise<{ adapter: string; accounts: number }[]> {
  return db.rows(sql`
    select bank_adapter as adapter, count(*)::int as accounts from financial_accounts
     where workspace_id = ${workspaceId} and active
     group by bank_adapter order by bank_adapter`);
}

function updateBankChoice(
  db: Db,
  workspaceId: string,
  accountId: string,
  { adapter, providerAccount }: BankChoice,
  now: Date,
): Promise<number> {
  return db.run(sql`
    update financial_accounts
       set bank_adapter = ${adapter}, bank_adapter_account = ${providerAccount}, updated_at = ${now},
           version = version + 1
     where workspace_id = ${workspaceId} and id = ${accountId}`);
}

/** Orders, charges and transfers of the account without their final answer, at most five. */
function selectLiveAtBank(
  db: Db,
  workspaceId: string,
  accountId: string,
): Promise<{ kind: string; id: string }[]> {
  return db.rows(sql`
    select 'payment' as kind, id from payments
     where workspace_id = ${workspaceId} and account_id = ${accountId}
       and status not in ('confirmed', 'canceled', 'rejected', 'failed')
    union all
    select 'charge', id from charges
     where workspace_id = ${workspaceId} and account_id = ${accountId} and status in ('generating', 'open')
    union all
    select 'transfer', id from transfers
     where workspace_id = ${workspaceId} and from_account_id = ${accountId} and status = 'pending'
       and registration_status <> 'none'
     limit 5`);
}
