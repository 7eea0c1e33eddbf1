import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asOwner, cloneDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { TEST_KEY } from '../../../test/support/world.ts';
import { addBusinessDays, isBusinessDay, nextBusinessDay } from '../../core/calendar.ts';
import { addDays, addMonths, monthOf } from '../../core/dates.ts';
import { readBoleto } from '../../core/documents/boleto.ts';
import { readPixCode, readPixKey } from '../../core/documents/pix.ts';
import { isCnpj, isCpf, parseTaxId } from '../../core/documents/tax-id.ts';
import { readUtilityBill } from '../../core/documents/utility-bill.ts';
import { type AppDatabase, openDatabase } from '../../db/database.ts';
import { verifyChain } from '../../db/events.ts';
import { readFiscalXml } from '../../finance/fiscal-documents/nfe.ts';
import { openRuntime, type Runtime } from '../runtime.ts';
import { type DemoReport, loadDemo } from './index.ts';
import type { PaymentDetails } from './payment-details.ts';
import { profiles } from './profiles.ts';
import { createRandom } from './random.ts';
import type { Setting } from './setting.ts';
import type { SampleStatement } from './statements.ts';
import { demoText } from './text.ts';
import { buildWorkspace } from './workspace.ts';

/** Carnival Monday: banks are closed, and the days around it are no business days either. */
const NOW = new Date('2026-02-16T15:00:00Z');
const TODAY = '2026-02-16';

let testDatabase: TestDatabase;
let runtime: Runtime;
let first: DemoReport;
let main: string;

const look = <Row extends Record<string, unknown>>(text: string, values?: unknown[]) =>
  asOwner<Row>(testDatabase.url, text, values);
const count = async (text: string, values?: unknown[]) =>
  Number((await look<{ count: string }>(`select count(*) from ${text}`, values))[0]!.count);

function openTestRuntime(url: string): Runtime {
  return openRuntime({
    databaseUrl: url,
    secretKeys: [TEST_KEY],
    environment: 'test',
    poolSize: 2,
    now: () => NOW,
    logFailure: (error, what) => console.error(what, error),
  });
}

beforeAll(async () => {
  testDatabase = await cloneDatabase();
  runtime = openTestRuntime(testDatabase.url);
  const started = performance.now();
  first = await loadDemo(testDatabase.url, runtime);
  console.info(`sample loaded in ${Math.round(performance.now() - started)} ms`);
  main = first.ids.workspaces.Matriz;
});

afterAll(async () => {
  await runtime.close();
  await testDatabase.drop();
});

describe('loading', () => {
  it('adds nothing the second time and gives other tokens, while the first ones go on working', async () => {
    const tables = ['users', 'payables', 'people', 'financial_transactions', 'attachments', 'events'];
    const before = await Promise.all(tables.map((table) => count(table)));
    const second = await loadDemo(testDatabase.url, runtime);
    expect(await Promise.all(tables.map((table) => count(table)))).toEqual(before);
    expect(second.ids).toEqual(first.ids);
    for (const { tokens } of [first, second]) {
      const full = await runtime.authenticator.authenticate(tokens.finance.full, 'finance', NOW);
      expect(full).toMatchObject({ access: 'write', defaultWorkspaceId: main });
      expect([...full!.workspaces.keys()]).toEqual([main]);
    }
    const links = second.people.map(({ path }) => path);
    expect(links).toEqual([
      expect.stringMatching(/^\/console\/invitation\//),
      expect.stringMatching(/^\/console\/invitation\//),
    ]);
    expect(demoText('http://127.0.0.1:3000', second)).toContain(`http://localhost:3000${links[0]}`);
    const all = [first, second].flatMap(({ tokens }) =>
      [tokens.finance, tokens.dunning].flatMap((group) => Object.values(group)),
    );
    expect(new Set(all).size).toBe(10);
  });

  it('gives tokens that reach what their names say', async () => {
    const { finance, dunning } = first.tokens;
    const read = await runtime.authenticator.authenticate(finance.read, 'finance', NOW);
    expect(read).toMatchObject({ access: 'read', defaultWorkspaceId: main });
    const several = await runtime.authenticator.authenticate(finance.several_workspaces, 'finance', NOW);
    expect(several).toMatchObject({ access: 'write', defaultWorkspaceId: null, user: { locale: 'en' } });
    expect([...several!.workspaces.values()].map(({ name }) => name)).toEqual(['Filial Recife', 'Matriz']);
    const full = await runtime.authenticator.authenticate(dunning.full, 'dunning', NOW);
    expect(full).toMatchObject({ access: 'write', product: 'dunning' });
    expect(full!.organizationScopes.has('dunning.charges.write')).toBe(true);
    expect(await runtime.authenticator.authenticate(dunning.read, 'dunning', NOW)).toMatchObject({
      access: 'read',
    });
    expect(await runtime.authenticator.authenticate(dunning.read, 'finance', NOW)).toBeNull();
  });

  it('lets two processes load at once, and one of them does it', async () => {
    const other = await cloneDatabase();
    const processes = [openTestRuntime(other.url), openTestRuntime(other.url)];
    try {
      const [left, right] = await Promise.all(processes.map((process) => loadDemo(other.url, process)));
      expect(left!.ids).toEqual(right!.ids);
      const [organizations] = await asOwner(other.url, 'select count(*)::int as count from organizations');
      expect(organizations).toEqual({ count: 1 });
    } finally {
      await Promise.all(processes.map((process) => process.close()));
      await other.drop();
    }
  }, 60_000);

  it('writes nothing of the future and pays nothing before it is known, whatever day it is loaded', async () => {
    for (const today of everyKindOfDay()) {
      const { rows, statements } = await buildWorkspace(settingOn(today), profiles['Filial Recife']);
      const noted = Object.values(rows).flatMap((table) =>
        table.flatMap((row) => instants.flatMap((name) => (row as Record<string, unknown>)[name] ?? [])),
      );
      expect(noted.length).toBeGreaterThan(1_000);
      expect(noted.filter((instant) => (instant as string).slice(0, 10) >= today)).toEqual([]);
      const debts = new Map([...rows.payables, ...rows.receivables].map((debt) => [debt.id, debt]));
      const early = rows.settlements.filter(({ payable_id, receivable_id, paid_at, created_at }) => {
        const { issue_date, created_at: registeredAt } = debts.get(payable_id ?? receivable_id!)!;
        const isKnown = issue_date === null || paid_at > issue_date;
        return !isKnown || !isBusinessDay(paid_at) || Date.parse(created_at) < Date.parse(registeredAt);
      });
      expect(early).toEqual([]);
      expectWholeStatements(statements, today);
      const overdue = rows.payables.filter(
        ({ status, adjusted_due_date }) => status === 'open' && adjusted_due_date < today,
      );
      expect(overdue.length).toBeGreaterThan(10);
      expect(rows.payables.filter(({ due_date }) => due_date === today).length).toBeGreaterThanOrEqual(4);
    }
  });

  it('leaves a whole audit chain: the load of each workspace, and its statements', async () => {
    for (const tenantId of Object.values(first.ids.workspaces)) {
      const tenant = { organizationId: first.ids.organization_id, workspaceId: tenantId };
      const report = await runtime.database.read(tenant, (db) => verifyChain(db, tenantId));
      expect(report).toEqual({ tenantId, events: 2, broken: null });
    }
  });
});

describe('payables', () => {
  it('has every state in every workspace', async () => {
    const rows = await look<{ workspaces: number; state: string }>(
      `select state, count(distinct workspace_id)::int as workspaces from (
         select workspace_id, status as state from payables union all
         select workspace_id, 'approval ' || approval_status from payables union all
         select workspace_id, 'due today' from payables where status = 'open' and due_date = $1 union all
         select workspace_id, 'overdue' from payables
          where status in ('open', 'partially_paid') and adjusted_due_date < $1 union all
         select workspace_id, 'future' from payables where status = 'open' and due_date > $1 union all
         select workspace_id, 'installment' from payables where installment_group_id is not null union all
         select workspace_id, 'withheld' from payables where withheld_cents > 0 union all
         select workspace_id, 'terms' from payables where terms is not null union all
         select workspace_id, 'discount' from payables where terms -> 'discounts' <> '[]' union all
         select workspace_id, 'order ' || status from payments union all
         select workspace_id, 'settlement ' || status from settlements union all
         select workspace_id, 'late settlement' from settlements where fine_cents > 0 and interest_cents > 0 union all
         select workspace_id, 'details ' || coalesce(payment_details ->> 'kind', 'none') from payables union all
         select workspace_id, 'document ' || status from fiscal_documents
       ) states group by state order by state`,
      [TODAY],
    );
    const states = rows.map(({ state }) => state);
    expect(rows.filter(({ workspaces }) => workspaces !== 3)).toEqual([]);
    expect(states).toEqual([
      'approval approved',
      'approval not_required',
      'approval pending',
      'approval rejected',
      'canceled',
      'details boleto',
      'details none',
      'details pix_code',
      'details pix_key',
      'details ted',
      'details utility',
      'discount',
      'document linked',
      'document new',
      'draft',
      'due today',
      'future',
      'installment',
      'late settlement',
      'open',
      'order canceled',
      'order confirmed',
      'order processing',
      'order rejected',
      'order scheduled',
      'overdue',
      'paid',
      'partially_paid',
      'settlement effective',
      'settlement reversed',
      'terms',
      'withheld',
    ]);
  });

  it('has about two thousand in Matriz and three hundred in each other workspace', async () => {
    const rows = await look<{ name: string; count: number }>(
      'select w.name, count(*)::int from payables p join workspaces w on w.id = p.workspace_id group by 1 order by 1',
    );
    expect(rows.map(({ name }) => name)).toEqual(['Filial Recife', 'Matriz', 'Projetos']);
    for (const { name, count } of rows) {
      const wanted = name === 'Matriz' ? 2_000 : 300;
      expect(Math.abs(count - wanted)).toBeLessThan(wanted / 5);
    }
  });

  it('settles what its effective settlements say, each with one debit of the same amount, account and day', async () => {
    const broken = await look(
      `select p.id from payables p
         left join lateral (
           select coalesce(sum(principal_cents), 0) as principal, count(*) as count from settlements s
            where s.workspace_id = p.workspace_id and s.payable_id = p.id and s.status = 'effective') s on true
        where p.settled_cents <> s.principal
           or (p.status = 'paid') <> (p.open_cents = 0)
           or (p.status in ('paid', 'partially_paid')) <> (s.count = 1)
           or (p.status = 'partially_paid' and (p.settled_cents = 0 or p.open_cents = 0))`,
    );
    expect(broken).toEqual([]);
    expect(
      await count(
        `settlements s left join financial_transactions t on t.workspace_id = s.workspace_id and t.id = s.transaction_id
          where s.payable_id is not null
            and ((s.status = 'effective') <> (t.id is not null)
             or t.amount_cents <> s.amount_cents or t.account_id <> s.account_id or t.date <> s.paid_at
             or t.direction <> 'debit'
             or t.source not in ('import', case when s.payment_id is null then 'settlement' else 'payment' end))`,
      ),
    ).toBe(0);
    expect(
      await count(
        `financial_transactions t where source in ('payment', 'settlement')
          and (select count(*) from settlements s
                where s.transaction_id = coalesce(t.superseded_by, t.id) and s.workspace_id = t.workspace_id) <> 1`,
      ),
    ).toBe(0);
  });

  it('pays the confirmed orders, with authentication and the day of the bank, and no other order', async () => {
    expect(
      await count(
        `payments o left join settlements s on s.workspace_id = o.workspace_id and s.payment_id = o.id
          where (o.status = 'confirmed') <> (s.id is not null)
             or (o.status = 'confirmed') <> (o.bank_authentication is not null)
             or s.amount_cents <> o.amount_cents or s.paid_at <> o.bank_settled_on or s.account_id <> o.account_id`,
      ),
    ).toBe(0);
    expect(await count('payments')).toBe(
      await count("bank_commands where kind = 'submit' and payment_id is not null"),
    );
  });

  it('adjusts due dates by the calendar of banks, so that what is overdue is overdue', async () => {
    const rows = await look<{ due: string; adjusted: string }>(
      'select distinct due_date::text as due, adjusted_due_date::text as adjusted from payables',
    );
    expect(rows.filter(({ due, adjusted }) => nextBusinessDay(due) !== adjusted)).toEqual([]);
    expect(rows.some(({ due, adjusted }) => due !== adjusted)).toBe(true);
    expect(rows.map(({ due }) => due).sort()[0]! >= addDays(TODAY, -760)).toBe(true);
    const paid = await look<{ paid: string }>('select distinct paid_at::text as paid from settlements');
    expect(paid.filter(({ paid }) => !isBusinessDay(paid))).toEqual([]);
  });

  it('is registered in the order of its ids, before it is due, decided or paid', async () => {
    expect(
      await count(
        `(select created_at < lag(created_at) over (partition by workspace_id order by id) as is_earlier from payables) ordered
          where is_earlier`,
      ),
    ).toBe(0);
    expect(
      await count(
        `payables p where updated_at < created_at or approval_at < created_at or due_date < issue_date
           or exists (select 1 from settlements s where s.payable_id = p.id and s.created_at < p.created_at)`,
      ),
    ).toBe(0);
    const [span] = await look<{ months: number }>(
      "select count(distinct date_trunc('month', created_at))::int as months from payables",
    );
    expect(span!.months).toBeGreaterThanOrEqual(24);
  });

  it('holds payment details that our readers take, for the amount and the day of the bill', async () => {
    const rows = await look<{ details: PaymentDetails; base: number; due: string }>(
      `select payment_details as details, due_date::text as due,
              (amount_cents - abatement_cents - withheld_cents)::int as base
         from payables where payment_details is not null`,
    );
    expect(rows.length).toBeGreaterThan(2_000);
    for (const { details, base, due } of rows) expectReadable(details, base, due);
  });

  it('is paid from an account of the company that owes it', async () => {
    for (const table of ['settlements', 'payments']) {
      expect(
        await count(
          `${table} s join payables p on p.workspace_id = s.workspace_id and p.id = s.payable_id
            join financial_accounts a on a.workspace_id = s.workspace_id and a.id = s.account_id
           where a.company_id <> p.company_id`,
        ),
      ).toBe(0);
    }
  });

  it('is found by its own words', async () => {
    expect(
      await count(
        `payables p
          where p.search_text <> lower(p.search_text)
             or position(lower(coalesce(p.document_number, '')) in p.search_text) = 0`,
      ),
    ).toBe(0);
  });
});

describe('accounts', () => {
  it('notes balances that equal opening, credits and debits up to that day', async () => {
    // A settlement that was recorded and whose line waits to be reconciled is in the books twice until then.
    const wrong = await look(
      `select b.id from account_balances b
         join financial_accounts a on a.workspace_id = b.workspace_id and a.id = b.account_id
        where b.amount_cents <> a.opening_balance_cents + (
          select coalesce(sum(case direction when 'credit' then amount_cents else -amount_cents end), 0)
            from financial_transactions t
           where t.workspace_id = a.workspace_id and t.account_id = a.id and not t.ignored
             and t.date <= (b.as_of at time zone 'America/Sao_Paulo')::date
             and not exists (
               select 1 from financial_transactions line
                where line.workspace_id = t.workspace_id and line.account_id = t.account_id and line.source = 'import'
                  and line.reconciled_cents = 0 and line.date = t.date and line.direction = t.direction
                  and line.amount_cents = t.amount_cents and t.source in ('payment', 'settlement')))`,
    );
    expect(wrong).toEqual([]);
    expect(await count('account_balances')).toBeGreaterThanOrEqual(3 * 4 * 24);
    expect(await count('account_balances where amount_cents < 0')).toBe(0);
    expect(
      await count(
        `financial_transactions t join financial_accounts a on a.workspace_id = t.workspace_id and a.id = t.account_id
          where t.date < a.opening_date or t.date >= $1`,
        [TODAY],
      ),
    ).toBe(0);
  });
});

describe('people and companies', () => {
  it('has documents with right check digits, with and without letters, and some people without one', async () => {
    const people = await look<{ document_number: string | null; roles: string[] }>(
      'select document_number, roles from people where workspace_id = $1',
      [main],
    );
    const numbers = people.flatMap(({ document_number }) => document_number ?? []);
    expect(people.filter(({ roles }) => roles.includes('supplier'))).toHaveLength(60);
    expect(people.filter(({ roles }) => roles.includes('customer'))).toHaveLength(24);
    expect(numbers.filter((number) => parseTaxId(number)?.number !== number)).toEqual([]);
    expect(numbers.filter(isCpf)).toHaveLength(13);
    expect(numbers.filter((number) => isCnpj(number) && /[A-Z]/.test(number)).length).toBeGreaterThan(5);
    expect(people.length - numbers.length).toBe(3);
    const companies = await look<{ document_number: string }>('select document_number from companies');
    expect(companies.filter(({ document_number }) => !isCnpj(document_number))).toEqual([]);
    const own = companies.map(({ document_number }) => document_number);
    expect(own).toEqual(expect.arrayContaining(['11222333000181', '12ABC34501DE35']));
  });

  it('has Pix keys in the form of the directory', async () => {
    const rows = await look<{ type: 'cpf'; key: string }>(
      "select k ->> 'type' as type, k ->> 'key' as key from people, jsonb_array_elements(pix_keys) k",
    );
    for (const { type, key } of rows) expect(readPixKey(key, type)).toEqual({ ok: true, type, value: key });
    expect(new Set(rows.map(({ type }) => type))).toEqual(
      new Set(['cpf', 'cnpj', 'phone', 'email', 'random']),
    );
  });

  it('has one supplier in each workspace whose bank details changed three days ago', async () => {
    const rows = await look<{ day: string; open: number }>(
      `select (bank_details_changed_at at time zone 'America/Sao_Paulo')::date::text as day from people
        where bank_details_changed_at is not null`,
    );
    expect(rows).toEqual(Array(3).fill({ day: addDays(TODAY, -3) }));
  });
});

describe('files', () => {
  it('keeps a PDF, invoices in both encodings and a PDF of exactly 10 MiB, each linked to a bill', async () => {
    const { pdf, xml_utf8, xml_latin1, ten_mib } = first.ids.attachments;
    const file = async (id: string) => {
      const [row] = await look<{ content_type: string; size_bytes: number; sha256: string; bytes: Buffer }>(
        `select content_type, size_bytes, sha256, bytes from attachments a join attachment_contents c
           on c.workspace_id = a.workspace_id and c.attachment_id = a.id
          where a.id = $1 and exists (select 1 from attachment_links l join payables p
                 on l.record_kind = 'payable' and p.id = l.record_id where l.attachment_id = a.id)`,
        [id],
      );
      expect(row!.size_bytes).toBe(row!.bytes.length);
      expect(row!.sha256).toBe(createHash('sha256').update(row!.bytes).digest('hex'));
      return row!;
    };
    for (const [id, size] of [
      [pdf, 700],
      [ten_mib, 10_485_760],
    ] as const) {
      const { bytes, content_type } = await file(id);
      expect(content_type).toBe('application/pdf');
      expect(bytes.subarray(0, 8).toString('latin1')).toBe('%PDF-1.4');
      expect(bytes.subarray(-6).toString('latin1')).toBe('%%EOF\n');
      const table = Number(/startxref\n(\d+)\n/.exec(bytes.subarray(-40).toString('latin1'))![1]);
      expect(bytes.subarray(table, table + 4).toString('latin1')).toBe('xref');
      if (size > 700) expect(bytes.length).toBe(size);
    }
    const utf8 = await file(xml_utf8);
    expect(utf8.content_type).toBe('application/xml');
    expect(utf8.bytes.toString('utf8')).toContain('Refeições');
    const latin1 = await file(xml_latin1);
    expect(latin1.bytes.toString('latin1')).toContain('encoding="ISO-8859-1"');
    expect(latin1.bytes.toString('latin1')).toContain('Refeições');
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(latin1.bytes)).toThrow();
  });

  it('has fiscal documents that say what their files say, with bills that add up where they are linked', async () => {
    const rows = await look<{
      access_key: string;
      bytes: Buffer;
      total: number;
      recipient_document: string;
      status: string;
      bills: number | null;
    }>(
      `select f.access_key, c.bytes, f.total_cents::int as total, f.recipient_document, f.status,
              (select sum(amount_cents)::int from payables p
                where p.workspace_id = f.workspace_id and p.fiscal_document_id = f.id) as bills
         from fiscal_documents f join attachment_contents c
           on c.workspace_id = f.workspace_id and c.attachment_id = f.xml_attachment_id`,
    );
    expect(rows).toHaveLength(9);
    for (const { access_key, bytes, total, recipient_document, status, bills } of rows) {
      expect(readFiscalXml(bytes)).toMatchObject({
        ok: true,
        document: {
          accessKey: access_key,
          totalCents: total,
          recipient: { taxId: recipient_document },
          authorization: { status: 'authorized' },
          warnings: [],
        },
      });
      expect(bills).toBe(status === 'linked' ? total : null);
    }
  });
});

describe('examples', () => {
  it('points to bills in the states it names, in Matriz', async () => {
    const { ids } = first;
    const example = async (id: string) =>
      (
        await look(
          `select status, approval_status, open_cents::int, due_date::text, payment_details ->> 'kind' as kind,
                  (select count(*)::int from payments o where o.payable_id = p.id) as orders
             from payables p where workspace_id = $1 and id = $2`,
          [main, id],
        )
      )[0];
    const plain = { status: 'open', approval_status: 'not_required', orders: 0 };
    expect(await example(ids.payable_ready_to_send)).toEqual({
      ...plain,
      open_cents: 123_456,
      due_date: addBusinessDays(TODAY, 3),
      kind: 'boleto',
    });
    expect(await example(ids.payable_overdue)).toMatchObject({ ...plain, open_cents: 500_000 });
    expect(await example(ids.payable_with_pix_key)).toMatchObject({ ...plain, kind: 'pix_key' });
    expect(await example(ids.payable_with_new_bank_details)).toMatchObject({ ...plain, kind: 'pix_key' });
  });

  it('points to an account with money, a supplier, a company and a document that the application can read', async () => {
    const tenant = { organizationId: first.ids.organization_id, workspaceId: main };
    const { ids } = first;
    const database: AppDatabase = openDatabase({ connectionString: testDatabase.url, size: 1 });
    try {
      const found = await database.read(tenant, (db) =>
        db.row({
          text: `select (select roles from people where id = $1) as roles,
                        (select document_number from companies where id = $2) as company,
                        (select status from fiscal_documents where id = $3) as document,
                        (select amount_cents > 10000000 from account_balances where account_id = $4
                          order by as_of desc limit 1) as has_money`,
          values: [ids.supplier, ids.company, ids.fiscal_document, ids.account],
        }),
      );
      expect(found).toEqual({
        roles: ['supplier'],
        company: '11222333000181',
        document: 'linked',
        has_money: true,
      });
    } finally {
      await database.close();
    }
  });
});

function expectReadable(details: PaymentDetails, base: number, due: string): void {
  switch (details.kind) {
    case 'boleto':
      for (const code of [details.barcode, details.typed_line]) {
        expect(readBoleto(code, TODAY)).toMatchObject({
          ok: true,
          barcode: details.barcode,
          amountCents: base,
          dueDate: due,
          warnings: [],
        });
      }
      break;
    case 'utility':
      for (const code of [details.barcode, details.typed_line]) {
        expect(readUtilityBill(code)).toMatchObject({
          ok: true,
          barcode: details.barcode,
          amountCents: base,
          warnings: [],
        });
      }
      break;
    case 'pix_code':
      expect(readPixCode(details.code)).toMatchObject({
        ok: true,
        key: details.key,
        merchant: details.merchant,
        amountCents: base,
        warnings: [],
      });
      break;
    case 'pix_key':
      expect(readPixKey(details.key, details.key_type)).toMatchObject({ ok: true, value: details.key });
      break;
    case 'ted':
      expect(parseTaxId(details.holder_document)).not.toBeNull();
  }
}

/** Every line of the month before, and none that is settled by two records. */
function expectWholeStatements(statements: readonly SampleStatement[], today: string): void {
  expect(statements.length).toBeGreaterThanOrEqual(2);
  const month = addMonths(monthOf(today), -1).replace('-', '');
  for (const { file, ties } of statements) {
    const days = [...file.bytes.toString('latin1').matchAll(/<STMTTRN>.*?<DTPOSTED>(\d{6})/g)];
    expect(days.length).toBeGreaterThan(ties.length);
    expect(days.filter(([, own]) => own !== month)).toEqual([]);
    expect(new Set(ties.map(({ settlement_id }) => settlement_id)).size).toBe(ties.length);
  }
}

const instants = [
  'cancel_requested_at',
  'created_at',
  'updated_at',
  'approval_at',
  'as_of',
  'issued_at',
  'sent_at',
  'answered_at',
];

/** Every 23rd day of two years, and the days around holidays, month ends and the leap day. */
function everyKindOfDay(): string[] {
  const days = [
    '2024-02-29',
    '2026-02-14',
    '2026-02-18',
    '2026-04-05',
    '2026-12-31',
    '2027-01-01',
    '2027-03-01',
  ];
  for (let day = '2026-01-05'; day < '2028-01-05'; day = addDays(day, 23)) days.push(day);
  return days;
}

function settingOn(today: string): Setting {
  const authors = { owner: 'owner', approver: 'approver', assistant: 'assistant' };
  return { workspaceId: 'workspace', today, random: createRandom(7), authors };
}
