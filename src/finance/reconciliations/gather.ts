/**
 * Everything that reconciliations change, read in the order of the house and locked when the caller is writing:
 * companies, accounts, documents, transfers, settlements, entries; each kind by its ids.
 */

import { AppError, fail } from '../../core/errors.ts';
import type { Context } from '../../core/operation.ts';
import type { Tables } from '../../db/rows.ts';
import { requireAccount } from '../accounts/index.ts';
import { requireCompany } from '../companies/index.ts';
import { type DebtKind, type DebtRow, requireDebt } from '../debt-records/index.ts';
import { payableKind } from '../payables/index.ts';
import { receivableKind } from '../receivables/index.ts';
import { requireTransaction, type TransactionRow } from '../transactions/index.ts';
import { requireTransfer, type TransferRow } from '../transfers/index.ts';
import { type SettlementRow, selectSettlement } from './queries.ts';
import type { DocumentKind } from './schema.ts';

/** A payable or receivable with what tells its kind from the other. */
export interface Debt {
  readonly kind: DebtKind<DebtRow>;
  readonly row: DebtRow;
}

export interface Records {
  readonly companies: ReadonlyMap<string, Tables['companies']>;
  readonly accounts: ReadonlyMap<string, Tables['financial_accounts']>;
  readonly debts: ReadonlyMap<string, Debt>;
  readonly transfers: ReadonlyMap<string, TransferRow>;
  readonly settlements: ReadonlyMap<string, SettlementRow>;
  readonly transactions: ReadonlyMap<string, TransactionRow>;
}

/** Which records are meant, by their ids. */
export interface Reference {
  readonly transactions: readonly { readonly id: string }[];
  readonly documents: readonly { readonly kind: DocumentKind; readonly id: string }[];
}

/** The records of all references that there are; missing ones are left out, for whoever needs one to say so. */
export async function gather(context: Context, references: readonly Reference[]): Promise<Records> {
  const reading = { ...context, isWriting: false };
  const documents = references.flatMap((reference) => reference.documents);
  const idsOf = (kind: DocumentKind) =>
    documents.filter((document) => document.kind === kind).map(({ id }) => id);
  const lineIds = references.flatMap(({ transactions }) => transactions.map(({ id }) => id));

  const lines = await eachOf(lineIds, (id) => requireTransaction(reading, id));
  const recorded = await eachOf(idsOf('settlement'), (id) => requireSettlement(reading, id));
  const payableIds = [...idsOf('payable'), ...valuesOf(recorded, ({ payable_id }) => payable_id)];
  const receivableIds = [...idsOf('receivable'), ...valuesOf(recorded, ({ receivable_id }) => receivable_id)];
  const found = await debtsOf(reading, payableIds, receivableIds);
  const held = await eachOf(
    valuesOf(lines, ({ account_id }) => account_id),
    (id) => requireAccount(reading, id),
  );
  const companyIds = [
    ...valuesOf(held, ({ company_id }) => company_id),
    ...valuesOf(found, ({ row }) => row.company_id),
  ];

  const companies = await eachOf(companyIds, (id) => requireCompany(context, id));
  const accounts = await eachOf([...held.keys()], (id) => requireAccount(context, id));
  const debts = await debtsOf(context, payableIds, receivableIds);
  const transfers = await eachOf(idsOf('transfer'), (id) => requireTransfer(context, id));
  const settlements = await eachOf(idsOf('settlement'), (id) => requireSettlement(context, id));
  const entryIds = [
    ...lineIds,
    ...valuesOf(settlements, ({ transaction_id }) => transaction_id),
    ...valuesOf(transfers, ({ debit_transaction_id }) => debit_transaction_id),
    ...valuesOf(transfers, ({ credit_transaction_id }) => credit_transaction_id),
  ];
  const transactions = await eachOf(entryIds, (id) => requireTransaction(context, id));
  return { companies, accounts, debts, transfers, settlements, transactions };
}

/** The record of the map. Fails with `not_found`. */
export function needed<Row>(rows: ReadonlyMap<string, Row>, kind: string, id: string): Row {
  return rows.get(id) ?? fail('not_found', { kind, id });
}

async function debtsOf(
  context: Context,
  payableIds: readonly string[],
  receivableIds: readonly string[],
): Promise<Map<string, Debt>> {
  const isPayable = new Set(payableIds);
  return eachOf([...payableIds, ...receivableIds], async (id) => {
    // What both kinds share is all that is used of a row here, so one type stands for either.
    const kind = (isPayable.has(id) ? payableKind : receivableKind) as unknown as DebtKind<DebtRow>;
    return { kind, row: await requireDebt(context, kind, id) };
  });
}

async function requireSettlement(context: Context, id: string): Promise<SettlementRow> {
  const row = await selectSettlement(context.db, context.workspaceId, id, context.isWriting);
  return row ?? fail('not_found', { kind: 'settlement', id });
}

async function eachOf<Row>(
  ids: readonly string[],
  load: (id: string) => Promise<Row>,
): Promise<Map<string, Row>> {
  const rows = new Map<string, Row>();
  for (const id of [...new Set(ids)].sort()) {
    try {
      rows.set(id, await load(id));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    }
  }
  return rows;
}

function valuesOf<Row>(rows: ReadonlyMap<string, Row>, pick: (row: Row) => string | null): string[] {
  return [...rows.values()].map(pick).filter((value) => value !== null);
}
