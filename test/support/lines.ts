/** Lines of statements and what the books say of them, written and read past the operations. */

import { newId } from '../../src/core/ids.ts';
import { cnpjOf } from './records.ts';
import type { World } from './world.ts';

let pairs = 0;

/** A company with an account that holds R$ 10.000,00 and an empty one. */
export async function createPair(world: World): Promise<{ companyId: string; from: string; to: string }> {
  pairs += 1;
  const [companyId, from, to] = [newId(), newId(), newId()];
  await world.look(
    `with company as (
       insert into companies (workspace_id, id, document_number, legal_name, created_by)
       values ($1, $2, $3, 'Pair', $1)
     )
     insert into financial_accounts (workspace_id, id, company_id, name, kind, bank_code, agency, number, digit,
                                     opening_balance_cents, opening_date, created_by)
     values ($1, $4, $2, $6, 'checking', '341', '1234', '1234556', '7', 1000000, '2026-01-01', $1),
            ($1, $5, $2, $7, 'checking', '341', '1234', '6543211', '8', 0, '2026-01-01', $1)`,
    [world.workspaceId, companyId, cnpjOf(2_000_000 + pairs), from, to, `From ${pairs}`, `To ${pairs}`],
  );
  return { companyId, from, to };
}

export interface LineFields {
  readonly account_id: string;
  readonly amount_cents: number;
  readonly direction?: 'credit' | 'debit';
  readonly date?: string;
  readonly description?: string;
  readonly counterparty_document?: string;
  readonly end_to_end_id?: string;
  readonly source?: string;
  readonly workspaceId?: string;
}

/** A line as an import leaves it. */
export async function createLine(world: World, fields: LineFields): Promise<string> {
  const id = newId();
  await world.look(
    `insert into financial_transactions (workspace_id, id, account_id, date, direction, amount_cents, description,
                                         counterparty_document, end_to_end_id, source, search_text, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, lower($7), $1)`,
    [
      fields.workspaceId ?? world.workspaceId,
      id,
      fields.account_id,
      fields.date ?? '2026-09-30',
      fields.direction ?? 'debit',
      fields.amount_cents,
      fields.description ?? 'LANCAMENTO',
      fields.counterparty_document ?? null,
      fields.end_to_end_id ?? null,
      fields.source ?? 'import',
    ],
  );
  return id;
}

/** The entry as the table holds it. */
export async function entryOf(world: World, id: string): Promise<Record<string, any>> {
  const [row] = await world.look('select * from financial_transactions where id = $1', [id]);
  return row!;
}

export async function bookBalance(world: World, accountId: string): Promise<string> {
  return (await world.call('finance_financial_accounts_get', { account_id: accountId }))['book_balance'];
}

/** Closes or opens the books of a company. */
export async function closeBooks(world: World, companyId: string, until: string | null): Promise<void> {
  await world.look('update companies set books_closed_until = $2 where id = $1', [companyId, until]);
}
