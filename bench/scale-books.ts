/**
 * Books of any size for `bench/scale.ts`, made by the server itself from the number of each row: three years of bills,
 * most of them paid, each payment with its entry, and the lines of statements around them.
 */

import pg from 'pg';
import { newId } from '../src/core/ids.ts';
import { openDatabase } from '../src/db/database.ts';
import { createOwners } from '../test/support/owner.ts';

const PERSONS = 500;
const ACCOUNTS = 6;
const CATEGORIES = 40;
const COMPANIES = 3;

export interface ScaleBooks {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly rows: number;
}

/** As many payables as entries, and a tenth as many receivables. */
export async function createScaleBooks(ownerUrl: string, name: string, rows: number): Promise<ScaleBooks> {
  const database = openDatabase({ connectionString: ownerUrl, size: 1 });
  const { organizationId, workspaceId } = await createOwners(database.shared, name);
  await database.close();
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    // Rows of generated books refer to each other rightly; checking each of millions takes most of the time.
    await client.query('set session_replication_role = replica');
    await client.query(keepSearchWords);
    const by = newId();
    for (const statement of [...places, payables, receivables, ...settlements, lines]) {
      const used = [workspaceId, by, rows].slice(0, parametersOf(statement));
      await client.query(statement, used);
    }
    await client.query("select set_config('kobana.workspace_id', $1, false)", [workspaceId]);
    await client.query(`select append_event($1, now(), 'bench', $2, '{}')`, [workspaceId, by]);
  } finally {
    await client.end();
  }
  return { organizationId, workspaceId, rows };
}

function parametersOf(statement: string): number {
  return Math.max(...[...statement.matchAll(/\$(\d)/g)].map(([, number]) => Number(number)));
}

/** The day the bench looks at: what is due before it is paid but for a third, what is due later is open. */
export const SCALE_TODAY = '2026-10-01';

/** Triggers rest with the checks of references; the one that keeps the words of a search does not. */
const keepSearchWords = `
  do $$ declare the_table regclass; begin
    for the_table in select tgrelid::regclass from pg_trigger where tgname = 'search_words_added' loop
      execute format('alter table %s enable always trigger search_words_added', the_table);
    end loop;
  end $$`;

/**
 * The same id for the same kind and number, so that rows can name each other without being looked up; rising with the
 * number, as ids made in time order are.
 */
const idOf = (kind: string, number: string) =>
  `(lpad(to_hex(${number}), 12, '0') || substr(md5($1::uuid::text || '${kind}' || (${number})::text), 1, 20))::uuid`;

/** A thousand days, a little out of order, as bills arrive. */
const DAYS = 1_000;
const dueOn = `(date '2024-06-01' + (n::bigint * ${DAYS} / $3::int)::int + n * 7 % 30)`;
/** Days of statements end yesterday. */
const postedOn = `(date '2024-06-01' + (n::bigint * 850 / $3::int)::int)`;
const isPaid = `n % 3 < 2 and ${dueOn} < date '${SCALE_TODAY}'`;
const cents = '(1000 + (n * 37::bigint) % 500000)';

const places = [
  `insert into companies (workspace_id, id, document_number, legal_name, created_by)
   select $1, ${idOf('company', 'n')}, lpad(n::text, 14, '0'), 'Company ' || n, $2 from generate_series(0, ${COMPANIES - 1}) n`,
  `insert into financial_accounts (workspace_id, id, company_id, name, kind, opening_balance_cents, opening_date, created_by)
   select $1, ${idOf('account', 'n')}, ${idOf('company', `n % ${COMPANIES}`)}, 'Account ' || n,
          case n when 5 then 'card' else 'checking' end, 100000000, '2024-01-01', $2
     from generate_series(0, ${ACCOUNTS - 1}) n`,
  `insert into categories (workspace_id, id, name, kind, parent_id, created_by)
   select $1, ${idOf('category', 'n')}, 'Category ' || n, case when n % 2 = 0 then 'expense' else 'income' end,
          case when n >= 4 then ${idOf('category', 'n % 4')} end, $2
     from generate_series(0, ${CATEGORIES - 1}) n`,
  `insert into people (workspace_id, id, name, kind, roles, search_text, created_by)
   select $1, ${idOf('person', 'n')}, 'Fornecedor ' || n, 'legal', '{supplier,customer}', 'fornecedor ' || n, $2
     from generate_series(0, ${PERSONS - 1}) n`,
];

/** Receivables are every tenth number. */
const numbers = (step: 1 | 10) => `generate_series(${step}, $3::int, ${step}) n`;

const document = (kind: 'payable' | 'receivable', step: 1 | 10) => `
  insert into ${kind}s (workspace_id, id, company_id, person_id, description, amount_cents, settled_cents, due_date,
                        adjusted_due_date, competence_month, document_number, category_id, status, search_text,
                        created_by, created_at${kind === 'payable' ? ', approval_status' : ''})
  select $1, ${idOf(kind, 'n')}, ${idOf('company', `n % ${COMPANIES}`)}, ${idOf('person', `n % ${PERSONS}`)},
         'Compra de material ' || n, ${cents}, case when ${isPaid} then ${cents} else 0 end, ${dueOn}, ${dueOn},
         to_char(${dueOn}, 'YYYY-MM'), n::text,
         ${idOf('category', `4 + (n % 18) * 2 + ${kind === 'payable' ? 0 : 1}`)},
         case when ${isPaid} then 'paid' else 'open' end, 'compra de material ' || n, $2,
         timestamptz '2024-01-01' + n * interval '1 minute'${kind === 'payable' ? ", 'not_required'" : ''}
    from ${numbers(step)}`;

const payables = document('payable', 1);
const receivables = document('receivable', 10);

const entry = (fields: string) => `
  insert into financial_transactions (workspace_id, id, account_id, date, direction, amount_cents, description,
                                      search_text, source, category_id, created_by, created_at)
  select ${fields}`;

const settlements = [
  entry(`$1, ${idOf('entry', 'n')}, ${idOf('account', `n % ${ACCOUNTS}`)}, ${dueOn}, 'debit', ${cents},
         'Compra de material ' || n, 'compra de material ' || n, 'settlement', ${idOf('category', '4 + (n % 18) * 2')}, $2,
         timestamptz '2024-01-01' + n * interval '1 minute'
    from ${numbers(1)} where ${isPaid}`),
  `insert into settlements (workspace_id, id, payable_id, account_id, transaction_id, paid_at, amount_cents,
                            principal_cents, method, status, created_by)
   select $1, ${idOf('settlement', 'n')}, ${idOf('payable', 'n')}, ${idOf('account', `n % ${ACCOUNTS}`)},
          ${idOf('entry', 'n')}, ${dueOn}, ${cents}, ${cents}, 'pix', 'effective', $2
     from ${numbers(1)} where ${isPaid}`,
  `insert into settlements (workspace_id, id, receivable_id, account_id, paid_at, amount_cents,
                            principal_cents, method, status, created_by)
   select $1, ${idOf('receipt', 'n')}, ${idOf('receivable', 'n')}, ${idOf('account', `n % ${ACCOUNTS}`)},
          ${dueOn}, ${cents}, ${cents}, 'pix', 'effective', $2
     from ${numbers(10)} where ${isPaid}`,
];

const lines = entry(`$1, ${idOf('line', 'n')}, ${idOf('account', `n % ${ACCOUNTS}`)}, ${postedOn},
         case when n % 2 = 0 then 'credit' else 'debit' end, ${cents}, 'PIX RECEBIDO ' || n, 'pix recebido ' || n, 'import',
         case when n % 5 = 0 then ${idOf('category', '4 + n % 36')} end, $2,
         timestamptz '2024-01-01' + n * interval '1 minute'
    from ${numbers(1)} where not (${isPaid})`);
