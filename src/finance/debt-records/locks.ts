/** Locks in the order of the house: companies, accounts, debts. Two writers then never wait for each other. */

import type { Context } from '../../core/operation.ts';
import type { Tables } from '../../db/rows.ts';
import { requireAccount } from '../accounts/index.ts';
import { requireCompany } from '../companies/index.ts';
import { distinct, requireActive } from '../debts/index.ts';
import type { DebtKind, DebtRow } from './kind.ts';
import { selectCompanyIds } from './queries.ts';
import { requireDebt } from './resource.ts';

type CompanyRow = Tables['companies'];

/** A debt with its company, both locked when the caller is writing. Fails with `not_found`. */
export async function requireDebtInOrder<Row extends DebtRow>(
  context: Context,
  kind: DebtKind<Row>,
  id: string,
): Promise<{ debt: Row; company: CompanyRow }> {
  const found = await requireDebt(unlocked(context), kind, id);
  const company = await requireCompany(context, found.company_id);
  return { debt: await requireDebt(context, kind, id), company };
}

/** A debt and the account that its money moves on, with the company of each, locked when the caller is writing. */
export async function requireDebtAndAccount<Row extends DebtRow>(
  context: Context,
  kind: DebtKind<Row>,
  id: string,
  accountId: string,
): Promise<{
  debt: Row;
  company: CompanyRow;
  account: Tables['financial_accounts'];
  accountCompany: CompanyRow;
}> {
  const found = await requireDebt(unlocked(context), kind, id);
  const ofAccount = await requireAccount(unlocked(context), accountId);
  const companies = new Map<string, CompanyRow>();
  for (const companyId of distinct([found.company_id, ofAccount.company_id].sort())) {
    companies.set(companyId, await requireCompany(context, companyId));
  }
  const account = await requireAccount(context, accountId);
  const debt = await requireDebt(context, kind, id);
  return {
    debt,
    company: companies.get(debt.company_id)!,
    account,
    accountCompany: companies.get(account.company_id)!,
  };
}

/** Locks the companies of many debts before the first of them is. */
export async function lockCompaniesOf<Row extends DebtRow>(
  context: Context,
  kind: DebtKind<Row>,
  ids: readonly string[],
): Promise<void> {
  for (const companyId of await selectCompanyIds(context.db, kind, context.workspaceId, ids)) {
    await requireCompany(context, companyId);
  }
}

/** An account to plan with; read without a lock, because accounts are locked before the debts. */
export async function requirePlannedAccount(context: Context, id: string): Promise<void> {
  requireActive(await requireAccount(unlocked(context), id), 'financial_account');
}

function unlocked(context: Context): Context {
  return { ...context, isWriting: false };
}
