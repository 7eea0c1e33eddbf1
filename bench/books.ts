/** The books that are measured: one organization, one workspace, 50 suppliers, as many payables as asked for. */

import pg from 'pg';
import { newId } from '../src/core/ids.ts';
import { openDatabase } from '../src/db/database.ts';
import { createOwners } from '../test/support/owner.ts';

export interface Books {
  readonly workspaceId: string;
  readonly accountId: string;
  /** The token of one person. */
  readonly token: string;
  /** Tokens of five persons: a person is asked thirty times a minute at most. */
  readonly tokens: readonly string[];
}

const PERSONS = 5;

/** Fills a migrated database. */
export async function createBooks(ownerUrl: string, payables: number): Promise<Books> {
  const database = openDatabase({ connectionString: ownerUrl, size: 2 });
  const { workspaceId, tokens } = await createOwners(database.shared, 'Bench', PERSONS);
  await database.close();
  const accountId = await fill(ownerUrl, workspaceId, newId(), payables);
  return { workspaceId, accountId, token: tokens[0]!, tokens };
}

async function fill(
  ownerUrl: string,
  workspaceId: string,
  userId: string,
  payables: number,
): Promise<string> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const [companyId, accountId] = [newId(), newId()];
  await client.query(
    `insert into companies (workspace_id, id, document_number, legal_name, created_by) values ($1, $2, '00000000000191', 'Bench Ltda', $3)`,
    [workspaceId, companyId, userId],
  );
  await client.query(
    `insert into financial_accounts (workspace_id, id, company_id, name, kind, bank_code, agency, number, digit, opening_balance_cents, opening_date, created_by)
     values ($1, $2, $3, 'Conta', 'checking', '341', '1234', '56789', '0', 1000000000000, '2020-01-01', $4)`,
    [workspaceId, accountId, companyId, userId],
  );
  await client.query(
    `insert into people (workspace_id, id, name, kind, roles, search_text, created_by)
     select $1, gen_random_uuid(), 'Fornecedor ' || n, 'legal', '{supplier}', 'fornecedor ' || n, $2 from generate_series(1, 50) n`,
    [workspaceId, userId],
  );
  await client.query(
    `insert into payables (workspace_id, id, company_id, person_id, description, amount_cents, due_date, adjusted_due_date,
                           competence_month, document_number, payment_details, status, approval_status, search_text, created_by)
     select $1, gen_random_uuid(), $2, s.id, 'Compra de material ' || n, 1000 + (n * 37) % 500000,
            date '2026-01-01' + (n % 700), date '2026-01-01' + (n % 700), '2026-01', n::text,
            '{"kind": "pix_key", "key": "fornecedor@example.com", "keyType": "email"}',
            'open', 'not_required', 'compra de material ' || n, $3
       from generate_series(1, $4::int) n
       join (select id, row_number() over () as k from people where workspace_id = $1) s on s.k = 1 + n % 50`,
    [workspaceId, companyId, userId, payables],
  );
  await client.query("select set_config('kobana.workspace_id', $1, false)", [workspaceId]);
  await client.query(`select append_event($1, now(), 'bench', $2, '{}')`, [workspaceId, userId]);
  await client.query('vacuum analyze');
  await client.end();
  return accountId;
}
