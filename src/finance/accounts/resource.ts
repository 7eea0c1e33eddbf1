import type { CivilDate } from '../../core/dates.ts';
import { fail } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import type { Cents } from '../../core/money.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { searchTextOf } from '../../db/listing.ts';
import type { Tables } from '../../db/rows.ts';
import { requireCompany, requireOpenBooks } from '../companies/index.ts';
import {
  type AccountRow,
  type BalanceRow,
  deleteBalance,
  deleteTransaction,
  insertBalance,
  insertTransaction,
  lockAccountName,
  selectAccount,
  selectAccountByName,
  selectBookBalances,
  selectDefaultAccount,
  selectEndOfDay,
  selectRecentAccountIds,
  selectTransaction,
  type TransactionRow,
} from './queries.ts';
import type { Direction } from './rules.ts';
import type { Account, Balance, PostedTransaction } from './schema.ts';

/** What an entry is made of. The caller has checked the category and the person. */
export interface TransactionDraft {
  /** As `requireAccount` gave it in this transaction. */
  readonly account: AccountRow;
  readonly date: CivilDate;
  readonly direction: Direction;
  /** Greater than zero. */
  readonly amount: Cents;
  readonly description: string;
  readonly source: PostedTransaction['source'];
  readonly categoryId?: string | null;
  /** Who chose the category; default: a person, when there is one. */
  readonly classifiedBy?: 'person' | 'rule';
  readonly personId?: string | null;
  readonly costCenters?: readonly { readonly id: string; readonly percent: number }[];
  readonly notes?: string | null;
  readonly documentNumber?: string | null;
  readonly endToEndId?: string | null;
  /** The transfer between own accounts that this is a leg of. */
  readonly transferId?: string | null;
}

/** The account a company's customers pay on when nobody says another; undefined when it has none. */
export async function findDefaultAccountId(
  { db, workspaceId }: Context,
  companyId: string,
): Promise<string | undefined> {
  return (await selectDefaultAccount(db, workspaceId, companyId))?.id;
}

/** The public record of a row. */
export function accountOf(row: AccountRow): Account {
  return {
    id: row.id,
    company_id: row.company_id,
    name: row.name,
    kind: row.kind as Account['kind'],
    bank_code: row.bank_code,
    agency: row.agency,
    number: row.number,
    digit: row.digit,
    opening_balance: moneyText(row.opening_balance_cents),
    opening_date: row.opening_date,
    active: row.active,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** The public record of a recorded balance. */
export function balanceOf(row: BalanceRow): Balance {
  return {
    id: row.id,
    account_id: row.account_id,
    amount: moneyText(row.amount_cents),
    blocked_amount: moneyText(row.blocked_cents),
    as_of: row.as_of,
    source: row.source as Balance['source'],
    created_at: row.created_at,
  };
}

/** The public record of an entry as it was posted. */
export function postedTransactionOf(row: TransactionRow): PostedTransaction {
  return {
    id: row.id,
    account_id: row.account_id,
    date: row.date,
    direction: row.direction as Direction,
    amount: moneyText(row.amount_cents),
    description: row.description,
    category_id: row.category_id,
    person_id: row.person_id,
    source: row.source as PostedTransaction['source'],
    created_at: row.created_at,
    version: row.version,
  };
}

/** The account of this workspace, locked when the caller is writing. Fails with `not_found`. */
export async function requireAccount(context: Context, id: string): Promise<AccountRow> {
  const row = await selectAccount(context.db, context.workspaceId, id, context.isWriting);
  return row ?? failMissing(id);
}

/**
 * The account with its company, both locked when the caller is writing. Companies are locked before their
 * accounts everywhere, so that two writers never wait for each other.
 */
export async function requireAccountAndCompany(
  context: Context,
  id: string,
): Promise<{ account: AccountRow; company: Tables['companies'] }> {
  const found = await selectAccount(context.db, context.workspaceId, id, false);
  const company = await requireCompany(context, (found ?? failMissing(id)).company_id);
  return { company, account: await requireAccount(context, id) };
}

/** Fails with `duplicate` when another account of the workspace has the name; nobody can take it before the commit. */
export async function requireFreeName(context: WriteContext, name: string): Promise<void> {
  await lockAccountName(context.db, context.workspaceId, name);
  const other = await selectAccountByName(context.db, context.workspaceId, name);
  if (other !== undefined) fail('duplicate', { kind: 'financial_account', of: other.id });
}

/** The book balance in centavos at the end of a day, today unless given (MODEL §2, FinancialAccount). */
export async function bookBalanceOf(
  context: Context,
  account: { id: string },
  on: CivilDate = context.today,
): Promise<Cents> {
  const balances = await selectBookBalances(context.db, context.workspaceId, [account.id], on);
  return balances.get(account.id) ?? failMissing(account.id);
}

/** Records the balance that a statement gives for the end of a day, and gives the id of the record. */
export async function recordStatedBalance(
  context: WriteContext,
  account: { id: string },
  stated: { date: CivilDate; amount: Cents },
): Promise<string> {
  const { db, workspaceId, now, timeZone } = context;
  const row = await insertBalance(
    db,
    {
      workspace_id: workspaceId,
      id: context.newId(),
      account_id: account.id,
      amount_cents: stated.amount,
      blocked_cents: 0,
      as_of: await selectEndOfDay(db, stated.date, timeZone, now),
      source: 'statement',
      created_by: context.caller.user.id,
    },
    now,
  );
  context.changed('financial_account_balance', row.id, null, balanceOf(row));
  return row.id;
}

/** Takes a recorded balance back with the statement it came from; nothing refers to it any more. */
export async function removeStatedBalance(context: WriteContext, id: string): Promise<void> {
  const row = await deleteBalance(context.db, context.workspaceId, id);
  if (row !== undefined) context.changed('financial_account_balance', id, balanceOf(row), null);
}

/**
 * Posts an entry and gives its id. Fails with `books_closed` when the company of the account has closed that
 * month. Whoever already holds a lock on the account has to hold the one on its company too.
 */
export async function postTransaction(context: WriteContext, draft: TransactionDraft): Promise<string> {
  const { account, date, direction, amount, description, source } = draft;
  requireOpenBooks(await requireCompany(context, account.company_id), date);
  const id = context.newId();
  const row = await insertTransaction(
    context.db,
    {
      workspace_id: context.workspaceId,
      id,
      account_id: account.id,
      date,
      direction,
      amount_cents: amount,
      description,
      notes: draft.notes ?? null,
      bank_reference: null,
      document_number: draft.documentNumber ?? null,
      counterparty_name: null,
      counterparty_document: null,
      end_to_end_id: draft.endToEndId ?? null,
      category_id: draft.categoryId ?? null,
      person_id: draft.personId ?? null,
      cost_centers: draft.costCenters ?? [],
      classified_by: draft.categoryId == null ? null : (draft.classifiedBy ?? 'person'),
      transfer_id: draft.transferId ?? null,
      search_text: searchTextOf(description, draft.notes, draft.documentNumber),
      source,
      created_by: context.caller.user.id,
    },
    context.now,
  );
  context.changed('financial_transaction', id, null, postedTransactionOf(row));
  return id;
}

/**
 * Takes an entry back. Fails with `not_found`, `books_closed`, or `already_reconciled` when any part of it is.
 * The caller first lets go of what refers to the entry.
 */
export async function removeTransaction(context: WriteContext, id: string): Promise<void> {
  const { db, workspaceId } = context;
  const found = await selectTransaction(db, workspaceId, id, false);
  const { company } = await requireAccountAndCompany(context, (found ?? failMissingEntry(id)).account_id);
  const row = (await selectTransaction(db, workspaceId, id, true)) ?? failMissingEntry(id);
  requireOpenBooks(company, row.date);
  if (row.reconciled_cents > 0) fail('already_reconciled', { kind: 'financial_transaction', id });
  await deleteTransaction(db, workspaceId, id);
  context.changed('financial_transaction', id, postedTransactionOf(row), null);
}

export function suggestAccountIds(context: Context, typed: string): Promise<string[]> {
  return selectRecentAccountIds(context.db, context.workspaceId, typed);
}

function failMissing(id: string): never {
  fail('not_found', { kind: 'financial_account', id });
}

function failMissingEntry(id: string): never {
  fail('not_found', { kind: 'financial_transaction', id });
}
