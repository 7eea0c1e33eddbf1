/** Small books that every sequence starts from: two companies, what they owe and are owed, lines of their banks. */

import { buildBoleto } from '../../src/core/documents/boleto.ts';
import { newId } from '../../src/core/ids.ts';
import { cnpjOf } from '../support/records.ts';
import type { World } from '../support/world.ts';

/** Bills of this company of this amount and more are approved, by another person than the one who registered them. */
const THRESHOLD_CENTS = 5_000;

/** Boletos that leave their amount open, so that they fit any bill. */
export const BOLETOS = [1, 2].map((number) =>
  buildBoleto({
    bankCode: '341',
    dueDate: null,
    amountCents: null,
    freeField: String(number).padStart(25, '0'),
  }),
);

/** What the outside calls the payments of a charge. */
export function receiptName(number: number, receivableId: string): string {
  return `E${number} ${receivableId}`;
}

export interface Books {
  readonly companies: readonly string[];
  /** Two of the first company, one of the second. */
  readonly accounts: readonly { readonly id: string; readonly companyId: string }[];
  readonly suppliers: readonly string[];
  readonly customers: readonly string[];
  readonly expense: string;
  /** Registered the bills. */
  readonly clerk: string;
  readonly approver: string;
}

/** Company, person, centavos, due date, competence month, issue date, document number, terms. */
type DebtPlan = readonly [
  number,
  number,
  number,
  string,
  string,
  string | null,
  string | null,
  object | null,
];

const late = {
  discounts: [{ kind: 'fixed', cents: 100, until: '2026-09-05' }],
  fine: { kind: 'percent', percent: 20_000 },
  interest: { kind: 'percent_per_month', percent: 10_000, days: 'calendar' },
  graceDays: 0,
};

const payables: readonly DebtPlan[] = [
  [0, 0, 10_000, '2026-09-10', '2026-09', null, 'NF-1', late],
  [0, 0, 6_000, '2026-10-13', '2026-10', '2026-08-10', 'NF-2', null],
  [0, 1, 4_000, '2026-09-01', '2026-08', null, 'NF-1', null],
  [1, 0, 10_000, '2026-10-05', '2026-10', null, 'NF-3', null],
  [1, 1, 7_000, '2026-10-05', '2026-10', null, 'NF-4', null],
  [1, 1, 3_000, '2026-09-21', '2026-09', '2026-09-01', 'NF-1', null],
  [0, 1, 1, '2026-10-05', '2026-10', null, null, null],
];
const receivables: readonly DebtPlan[] = [
  [0, 0, 10_000, '2026-10-13', '2026-10', null, 'V-1', late],
  [0, 0, 6_000, '2026-10-13', '2026-10', '2026-08-10', 'V-2', null],
  [0, 1, 4_000, '2026-10-05', '2026-08', null, 'V-1', null],
  [1, 1, 5_000, '2026-10-05', '2026-10', null, 'V-3', null],
  [0, 1, 1, '2026-10-05', '2026-10', null, null, null],
];

/** Account, direction, centavos, day. */
const lines: readonly (readonly [number, 'credit' | 'debit', number, string])[] = [
  [0, 'debit', 10_000, '2026-09-10'],
  [0, 'debit', 5_000, '2026-09-30'],
  [0, 'debit', 3_000, '2026-08-31'],
  [0, 'debit', 4_000, '2026-09-15'],
  [0, 'credit', 9_700, '2026-09-30'],
  [0, 'credit', 6_000, '2026-09-16'],
  [0, 'credit', 1_000, '2026-08-20'],
  [2, 'debit', 10_000, '2026-09-30'],
  [2, 'debit', 3_000, '2026-09-21'],
  [2, 'credit', 5_000, '2026-09-30'],
  [2, 'credit', 4_000, '2026-09-16'],
];

export async function prepareBooks(world: World): Promise<Books> {
  const { workspaceId } = world;
  const clerk = (await world.caller('owner')).user.id;
  const approver = (await world.caller('approver')).user.id;
  const by = { workspace_id: workspaceId, created_by: clerk };
  const insert = async (table: string, rows: readonly Record<string, unknown>[]) => {
    const columns = Object.keys(rows[0]!).join(', ');
    await world.look(
      `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
      [JSON.stringify(rows)],
    );
  };
  const companies = ids(2);
  await insert(
    'companies',
    companies.map((id, at) => ({
      ...by,
      id,
      document_number: cnpjOf(3_000_000 + at),
      legal_name: `Company ${at}`,
    })),
  );
  const accounts = ids(3).map((id, at) => ({ id, companyId: companies[at === 2 ? 1 : 0]! }));
  await insert(
    'financial_accounts',
    accounts.map(({ id, companyId }, at) => ({ ...by, id, company_id: companyId, ...accountOf(at) })),
  );
  const [suppliers, customers] = [ids(2), ids(2)];
  const people = [...suppliers, ...customers];
  await insert(
    'people',
    people.map((id, at) => ({
      ...by,
      id,
      name: `Person ${at}`,
      kind: 'legal',
      document_number: cnpjOf(3_100_000 + at),
      roles: [at < 2 ? 'supplier' : 'customer'],
      search_text: 'person',
    })),
  );
  const expense = newId();
  await insert('categories', [{ ...by, id: expense, name: 'Losses', kind: 'expense' }]);
  const debt = debtRow(companies, by);
  await insert(
    'payables',
    payables.map((plan) => ({
      ...debt(plan, suppliers),
      payment_details: detailsOf(plan),
      approval_status: plan[0] === 1 && plan[2] >= THRESHOLD_CENTS ? 'pending' : 'not_required',
    })),
  );
  const sales = receivables.map((plan) => debt(plan, customers));
  await insert('receivables', sales);
  await insert(
    'financial_transactions',
    lines.map(([account, direction, amount_cents, date]) => ({
      ...by,
      id: newId(),
      account_id: accounts[account]!.id,
      direction,
      amount_cents,
      date,
      description: 'LANCAMENTO',
      // Named as the payment of a charge of the second receivable will be.
      end_to_end_id: account === 0 && amount_cents === 6_000 ? receiptName(0, sales[1]!.id) : null,
      source: 'import',
      search_text: 'lancamento',
    })),
  );
  await insert('approval_settings', [
    {
      workspace_id: workspaceId,
      id: newId(),
      company_id: companies[1],
      thresholds: [{ above: THRESHOLD_CENTS, approvers: null }],
      require_second_person: true,
      safety: {
        changed_bank_details: 'warn',
        possible_duplicate: 'warn',
        balance_floor: [],
        daily_limit: null,
      },
      updated_by: clerk,
    },
  ]);
  return { companies, accounts, suppliers, customers, expense, clerk, approver };
}

function ids(count: number): string[] {
  return Array.from({ length: count }, () => newId()).sort();
}

function accountOf(at: number) {
  return {
    name: `Account ${at}`,
    kind: 'checking',
    bank_code: '341',
    agency: '1234',
    number: `1234${at}`,
    digit: '7',
    opening_balance_cents: 1_000_000,
    opening_date: '2026-01-01',
  };
}

/** One bill has a boleto, the others a key. */
function detailsOf([, , amount]: DebtPlan): object {
  const [{ barcode, typedLine }] = BOLETOS as [(typeof BOLETOS)[number]];
  return amount === 7_000
    ? { kind: 'boleto', barcode, typed_line: typedLine, amount_cents: null }
    : { kind: 'pix_key', key: 'a@example.com', key_type: 'email' };
}

function debtRow(companies: readonly string[], by: object) {
  return (plan: DebtPlan, people: readonly string[]) => {
    const [company, person, amount_cents, due_date, competence_month, issue_date, document_number, terms] =
      plan;
    return {
      ...by,
      id: newId(),
      company_id: companies[company],
      person_id: people[person],
      description: 'Random',
      amount_cents,
      due_date,
      adjusted_due_date: due_date,
      competence_month,
      issue_date,
      document_number,
      terms,
      status: 'open',
      search_text: 'random',
    };
  };
}
