import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queued, runTask } from '../../../test/support/banking.ts';
import { formCapable, openWorld, type World } from '../../../test/support/world.ts';
import { nextBusinessDay } from '../../core/calendar.ts';
import { addDays } from '../../core/dates.ts';
import { readBoleto } from '../../core/documents/boleto.ts';
import { readPixCode } from '../../core/documents/pix.ts';
import { parseMoney } from '../../core/money.ts';
import { searchPatternOf } from '../../finance/automatic-rules/rules.ts';
import { chargeKeyOf, ourNumberOf } from '../../finance/charges/rules.ts';
import { orderKeyOf } from '../../finance/payments/rules.ts';
import { dateOf, occurrenceDraft, type Series, type Template } from '../../finance/recurrences/rules.ts';
import { transferKeyOf } from '../../finance/transfers/rules.ts';
import { createWholeSimulatedBank } from '../../gateways/bank/index.ts';
import { type DemoReport, loadDemo } from './index.ts';

/** The first of a month: the month whose statements were brought in ended yesterday. */
const NOW = '2026-10-01T12:00:00Z';
const TODAY = '2026-10-01';
const MONTH = '2026-09';

let world: World;
let demo: DemoReport;
let main: string;

const look = <Row extends Record<string, unknown>>(text: string, values?: unknown[]) =>
  world.look<Row>(text, values);
const count = async (text: string) =>
  Number((await look<{ count: string }>(`select count(*) from ${text}`))[0]!.count);

/** A call with the token that the sample gives out; what asks is confirmed. */
async function call(name: string, args: object = {}): Promise<Record<string, any>> {
  const { authenticator, invokers } = world.runtime;
  const caller = (await authenticator.authenticate(demo.tokens.finance.full, 'finance', world.now()))!;
  const operation = invokers.finance.catalogue.byName.get(name)!;
  const send = (more: object) =>
    invokers.finance.call(operation, args, caller, {
      surface: 'mcp',
      confirmation: { capabilities: formCapable, state: undefined, responses: undefined, ...more },
    });
  const answer = await send({});
  if (answer.kind === 'done') return answer.output;
  const responses = { confirm: { action: 'accept', content: { confirm: true } } };
  const done = await send({ state: answer.question.state, responses });
  if (done.kind !== 'done') throw new Error('asked twice');
  return done.output;
}

const cents = (amount: string) => parseMoney(amount)!;

beforeAll(async () => {
  world = await openWorld();
  world.setNow(NOW);
  demo = await loadDemo(world.url, world.runtime);
  main = demo.ids.workspaces.Matriz;
});
afterAll(() => world.close());

describe('invariants (MODEL §14)', () => {
  const debts = `(
    select workspace_id, id, 'payable' as kind, status, amount_cents - abatement_cents - withheld_cents as base,
           settled_cents, 0 as lost, open_cents from payables union all
    select workspace_id, id, 'receivable', status, amount_cents - abatement_cents - withheld_cents,
           settled_cents, written_off_cents, open_cents from receivables) d
    left join lateral (
      select coalesce(sum(principal_cents), 0) as principal, count(*) as settlements from settlements s
       where s.workspace_id = d.workspace_id and d.id in (s.payable_id, s.receivable_id) and s.status = 'effective'
    ) s on true`;

  it('1 and 2: nothing open is negative, settled is what effective settlements extinguish, and states follow', async () => {
    expect(
      await count(`${debts}
        where open_cents < 0 or settled_cents <> principal or principal > base
           or (status in ('paid', 'written_off')) <> (open_cents = 0)
           or (status in ('paid', 'partially_paid')) <> (settlements > 0)
           or (status = 'written_off') <> (lost > 0)`),
    ).toBe(0);
    expect(
      await count(`settlements
        where amount_cents <> principal_cents - discount_cents + interest_cents + fine_cents or fee_cents > amount_cents`),
    ).toBe(0);
  });

  it('3: lines are reconciled for what active links take of them, in their own direction', async () => {
    expect(
      await count(`financial_transactions t
        left join lateral (
          select coalesce(sum(l.amount_cents), 0) as linked, bool_and(r.direction = t.direction) as is_directed
            from reconciliation_transactions l
            join reconciliations r on r.workspace_id = l.workspace_id and r.id = l.reconciliation_id
           where l.workspace_id = t.workspace_id and l.transaction_id = t.id and r.status = 'active') l on true
        where t.reconciled_cents <> linked or t.reconciled_cents > t.amount_cents or not is_directed`),
    ).toBe(0);
  });

  it('4: reconciliations balance, and each line took the place of one entry of the same money and day', async () => {
    expect(
      await count(`reconciliations r
        where total_cents <> (select sum(amount_cents) from reconciliation_transactions l
                               where l.workspace_id = r.workspace_id and l.reconciliation_id = r.id)
           or total_cents <> (select sum(d.amount_cents) from reconciliation_documents d
                               where d.workspace_id = r.workspace_id and d.reconciliation_id = r.id)`),
    ).toBe(0);
    expect(
      await count(`reconciliation_documents d
        join reconciliation_transactions l
          on l.workspace_id = d.workspace_id and l.reconciliation_id = d.reconciliation_id
        join settlements s on s.workspace_id = d.workspace_id and s.id = d.settlement_id
        join financial_transactions line on line.workspace_id = d.workspace_id and line.id = l.transaction_id
        join financial_transactions entry
          on entry.workspace_id = d.workspace_id and entry.id = d.superseded_transaction_id
       where s.transaction_id <> line.id or entry.superseded_by <> line.id or not entry.ignored
          or line.source <> 'import' or entry.source not in ('payment', 'settlement')
          or (line.account_id, line.date, line.direction, line.amount_cents)
             is distinct from (entry.account_id, entry.date, entry.direction, entry.amount_cents)
          or d.amount_cents <> s.amount_cents - s.fee_cents`),
    ).toBe(0);
    expect(await count('financial_transactions where ignored <> (superseded_by is not null)')).toBe(0);
    expect(await count('reconciliations')).toBeGreaterThan(100);
  });

  it('6: transfers move two accounts by the same amount, or none', async () => {
    expect(
      await count(`transfers t
        left join financial_transactions d on d.workspace_id = t.workspace_id and d.id = t.debit_transaction_id
        left join financial_transactions c on c.workspace_id = t.workspace_id and c.id = t.credit_transaction_id
       where (t.status = 'confirmed') <> (d.id is not null) or (d.id is null) <> (c.id is null)
          or (d.account_id, d.direction, d.amount_cents, d.transfer_id)
             is distinct from (t.from_account_id, 'debit', t.amount_cents, t.id) and d.id is not null
          or (c.account_id, c.direction, c.amount_cents, c.transfer_id)
             is distinct from (t.to_account_id, 'credit', t.amount_cents, t.id) and c.id is not null`),
    ).toBe(0);
    expect(
      await count("financial_transactions where (source = 'transfer') <> (transfer_id is not null)"),
    ).toBe(0);
  });

  it('7: a statement brought in again adds nothing', async () => {
    const [file] = await look<{ account_id: string; file_name: string; bytes: Buffer }>(
      `select i.account_id, i.file_name, c.bytes from statement_imports i
         join attachment_links l on l.workspace_id = i.workspace_id and l.record_kind = 'statement_import' and l.record_id = i.id
         join attachment_contents c on c.workspace_id = i.workspace_id and c.attachment_id = l.attachment_id
        where i.account_id = $1`,
      [demo.ids.account],
    );
    const args = { name: file!.file_name, content_base64: file!.bytes.toString('base64') };
    const again = await call('finance_statement_imports_create', {
      account_id: file!.account_id,
      file: args,
    });
    expect(again).toMatchObject({ already_imported: true, counts: { created: 0, skipped: 0 } });
  });

  it('8: one live charge per receivable and one live order per payable, none of what is not open', async () => {
    const live = (table: string, debt: string, statuses: string) => `${debt}s d join (
        select workspace_id, ${debt}_id as id, count(*) as live from ${table} where status in (${statuses}) group by 1, 2
      ) c using (workspace_id, id) where live > 1 or d.status not in ('open', 'partially_paid')`;
    expect(await count(live('charges', 'receivable', "'generating', 'open'"))).toBe(0);
    expect(await count(live('payments', 'payable', "'scheduled', 'processing'"))).toBe(0);
  });
});

describe('receivables', () => {
  it('has every state in every workspace, about half as many as payables', async () => {
    const rows = await look<{ state: string; workspaces: number }>(
      `select state, count(distinct workspace_id)::int as workspaces from (
         select workspace_id, status as state from receivables union all
         select workspace_id, 'overdue' from receivables where status = 'open' and adjusted_due_date < $1 union all
         select workspace_id, 'due today' from receivables where status = 'open' and due_date = $1 union all
         select workspace_id, 'installment' from receivables where installment_group_id is not null union all
         select workspace_id, 'terms' from receivables where terms is not null union all
         select workspace_id, 'fee' from settlements where fee_cents > 0 union all
         select workspace_id, 'undone' from settlements where status = 'reversed' and receivable_id is not null union all
         select workspace_id, 'charge ' || status from charges union all
         select workspace_id, 'message ' || status from charge_deliveries union all
         select workspace_id, 'transfer ' || status from transfers union all
         select workspace_id, 'recurring ' || kind from recurrences where status = 'active'
       ) states group by state order by state`,
      [TODAY],
    );
    expect(rows.filter(({ workspaces }) => workspaces !== 3)).toEqual([]);
    expect(rows.map(({ state }) => state)).toEqual([
      'canceled',
      'charge canceled',
      'charge failed',
      'charge open',
      'charge paid',
      'draft',
      'due today',
      'fee',
      'installment',
      'message sent',
      'open',
      'overdue',
      'paid',
      'partially_paid',
      'recurring payable',
      'recurring receivable',
      'terms',
      'transfer canceled',
      'transfer confirmed',
      'transfer failed',
      'transfer pending',
      'undone',
      'written_off',
    ]);
    const share = (await count('receivables')) / (await count('payables'));
    expect(share).toBeGreaterThan(0.4);
    expect(share).toBeLessThan(0.65);
  });

  it('credits what customers paid less what the bank kept', async () => {
    expect(
      await count(`settlements s
        left join financial_transactions t on t.workspace_id = s.workspace_id and t.id = s.transaction_id
        left join charges c on c.workspace_id = s.workspace_id and c.id = s.charge_id
       where s.receivable_id is not null
         and ((s.status = 'effective') <> (t.id is not null)
          or t.amount_cents <> s.amount_cents - s.fee_cents or t.account_id <> s.account_id or t.date <> s.paid_at
          or t.direction <> 'credit'
          or t.source not in ('import', case when c.id is null then 'settlement' else 'payment' end)
          or (c.status, c.paid_on, c.receivable_id, c.account_id)
             is distinct from ('paid', s.paid_at, s.receivable_id, s.account_id) and c.id is not null)`),
    ).toBe(0);
    expect(await count("charges where status = 'paid'")).toBe(
      await count('settlements where charge_id is not null and external_id is not null'),
    );
  });
});

describe('charges', () => {
  it('have codes for their amount and day, numbered without gaps, under the key that the bank knows', async () => {
    const charges = await look<Record<string, any>>(
      `select c.*, c.due_date::text, c.amount_cents::int, k.idempotency_key as key, n.last_number::int
         from charges c
         join bank_commands k on k.workspace_id = c.workspace_id and k.charge_id = c.id and k.kind = 'submit'
         join charge_numbers n on n.workspace_id = c.workspace_id and n.account_id = c.account_id`,
    );
    expect(charges.length).toBe(await count('charges'));
    for (const charge of charges) {
      const { barcode, typed_line, pix_code, amount_cents, due_date, methods, status } = charge;
      expect(charge['key']).toBe(chargeKeyOf(charge as never));
      const isIssued = status !== 'failed';
      expect([barcode !== null, typed_line !== null]).toEqual(
        Array(2).fill(isIssued && methods.includes('boleto')),
      );
      expect(pix_code !== null).toBe(isIssued && methods.includes('pix'));
      if (barcode !== null) {
        expect(readBoleto(typed_line, TODAY)).toMatchObject({
          ok: true,
          barcode,
          amountCents: amount_cents,
          dueDate: due_date,
        });
      }
      if (pix_code !== null) expect(readPixCode(pix_code)).toMatchObject({ ok: true, warnings: [] });
    }
    for (const own of Map.groupBy(charges, ({ account_id }) => account_id).values()) {
      const numbers = own.map(({ our_number }) => our_number).sort();
      expect(numbers).toEqual(own.map((_, index) => ourNumberOf(index + 1)));
      expect(own[0]!['last_number']).toBe(own.length);
    }
  });

  it('are listed, sent again with their file, and called off at the simulated bank', async () => {
    const { items } = await call('finance_charges_list', { status: 'open', limit: 5 });
    expect(items).toHaveLength(5);
    const [{ id }] = items;
    const bank = createWholeSimulatedBank();
    const place = { organizationId: demo.ids.organization_id, workspaceId: main };
    const asked = await runTask(world, bank, 'charge_poll', { ...place, chargeId: id });
    expect(asked).toEqual({ error: undefined });
    await call('finance_charges_resend', { id });
    await call('finance_charges_cancel', { id, reason: 'Teste' });
    for (const { task, payload } of await queued(world)) {
      if (task === 'charge_deliver' || task === 'charge_send') {
        expect(await runTask(world, bank, task, payload)).toEqual({ error: undefined });
      }
    }
    expect(await call('finance_charges_get', { id })).toMatchObject({ status: 'canceled' });
  });
});

describe('what is live', () => {
  it('is asked about by jobs that the worker knows, and so moves on', async () => {
    const jobs = await queued(world);
    const live = `select 'paymentId' as kind, id from payments where status in ('scheduled', 'processing') union all
      select 'chargeId', id from charges where status = 'open' union all
      select 'transferId', id from transfers where status = 'pending'`;
    const asked = jobs.filter(({ task }) => task.endsWith('_poll'));
    for (const { kind, id } of await look<{ kind: string; id: string }>(live)) {
      expect(asked.some(({ payload }) => (payload as Record<string, string>)[kind] === id)).toBe(true);
    }
    const bank = createWholeSimulatedBank();
    const [processing] = await look<{ id: string }>(
      "select id from payments where status = 'processing' and workspace_id = $1 limit 1",
      [main],
    );
    const job = asked.find(
      ({ payload }) => (payload as { paymentId?: string }).paymentId === processing!.id,
    )!;
    expect(await runTask(world, bank, job.task, job.payload)).toEqual({ error: undefined });
    expect(await look('select status from payments where id = $1', [processing!.id])).toEqual([
      { status: 'confirmed' },
    ]);
  });

  it('is known to the bank under the keys of the house', async () => {
    const rows = await look<Record<string, any>>(
      `select p.*, p.amount_cents::int, p.scheduled_for::text, k.idempotency_key as key from payments p
         join bank_commands k on k.workspace_id = p.workspace_id and k.payment_id = p.id and k.kind = 'submit'`,
    );
    expect(rows.filter((row) => row['key'] !== orderKeyOf(row as never))).toEqual([]);
    const transfers = await look<Record<string, any>>(
      `select t.*, t.amount_cents::int, t.scheduled_for::text, k.idempotency_key as key from transfers t
         join bank_commands k on k.workspace_id = t.workspace_id and k.transfer_id = t.id and k.kind = 'submit'`,
    );
    expect(transfers.length).toBeGreaterThan(20);
    expect(transfers.filter((row) => row['key'] !== transferKeyOf(row as never))).toEqual([]);
  });
});

describe('reports', () => {
  it('lists what is overdue by customer, the largest total first, adding up to the total', async () => {
    const list = await call('finance_receivables_list', { overdue: true, group_by: 'person', limit: 100 });
    const totals = (list['groups'] as { open: string }[]).map(({ open }) => cents(open));
    expect(totals.length).toBeGreaterThanOrEqual(5);
    expect(totals[0]!).toBeGreaterThan(5_000_000);
    expect(totals).toEqual([...totals].sort((left, right) => right - left));
    expect(totals.reduce((sum, total) => sum + total, 0)).toBe(cents(list['total_open'].amount));
    const aging = await call('finance_reports_aging', { kind: 'receivables', group_by: 'person' });
    expect(cents(aging['total'].amount)).toBe(
      cents(aging['overdue'].amount) + cents(aging['not_yet_due'].amount),
    );
    // The list counts from the adjusted due date, aging from the due date itself.
    expect(cents(aging['overdue'].amount)).toBeGreaterThanOrEqual(cents(list['total_open'].amount));
  });

  it('sees money come and go, now and in the month before, and never runs dry', async () => {
    const flow = await call('finance_reports_cash_flow', {});
    const total = flow['total'];
    expect(total.inflow_count).toBeGreaterThan(50);
    expect(total.outflow_count).toBeGreaterThan(100);
    expect(cents(flow['balance_today'].amount) + cents(total.net)).toBe(cents(flow['balance_end']));
    const summary = await call('finance_reports_monthly_summary', { month: MONTH });
    expect(cents(summary['received'].amount)).toBeGreaterThan(1_000_000);
    expect(cents(summary['paid'].amount)).toBeGreaterThan(1_000_000);
    expect(cents(summary['received'].credited)).toBe(
      cents(summary['received'].amount) - cents(summary['received'].fee),
    );
    expect(cents(summary['balance'].end.amount) - cents(summary['balance'].start.amount)).toBe(
      cents(summary['net']),
    );
  });
});

describe('statements', () => {
  it('leaves lines of every kind to be reconciled, which suggestions find', async () => {
    const period = { date_from: `${MONTH}-01`, date_to: `${MONTH}-30` };
    const found = await call('finance_reconciliations_suggest', {
      account_id: demo.ids.account,
      ...period,
      limit: 100,
    });
    const { suggestions, counts } = found as {
      suggestions: { certainty: string; reasons: string[]; id: string }[];
      counts: any;
    };
    expect(counts.lines).toBeGreaterThanOrEqual(13);
    expect(counts.certain).toBeGreaterThanOrEqual(6);
    const reasons = new Set(suggestions.flatMap((one) => one.reasons));
    expect([...reasons]).toEqual(
      expect.arrayContaining([
        'several_documents',
        'own_transfer',
        'bank_fee',
        'our_number',
        'settlement_recorded',
        'document_number',
      ]),
    );
    const sure = suggestions.filter(({ certainty }) => certainty === 'certain').map(({ id }) => id);
    const made = await call('finance_reconciliations_bulk_create', { suggestion_ids: sure });
    expect(made).toMatchObject({ failed: [] });
  });

  it('agrees with the bank, but for the account where recorded payments wait to be reconciled', async () => {
    const imports = await look<{
      account_id: string;
      warnings: { code: string }[];
      created: number;
      read: number;
    }>(
      `select account_id, warnings, created_count as created, read_count as read from statement_imports
        where workspace_id = $1 order by account_id`,
      [main],
    );
    expect(imports).toHaveLength(3);
    for (const { account_id, warnings, created, read } of imports) {
      expect(created).toBe(read);
      const codes = warnings.map(({ code }) => code);
      expect(codes).toEqual(account_id === demo.ids.account ? ['balance_differs'] : []);
    }
  });
});

describe('what comes by itself', () => {
  it('repeats by the rules of recurrences, and the run of the day goes on from there', async () => {
    const rows = await look<Record<string, any>>(
      'select *, start_date::text, next_on::text, end_date::text from recurrences where workspace_id = $1',
      [main],
    );
    expect(rows).toHaveLength(3);
    for (const row of rows) {
      expect(row['next_on']).toBe(dateOf(row as unknown as Series, row['next_number']));
      expect(row['next_on'] >= addDays(TODAY, 60)).toBe(true);
      const made = await look<Record<string, any>>(
        `select *, due_date::text, amount_cents::int from ${row['kind']}s where recurrence_id = $1 order by recurrence_number`,
        [row['id']],
      );
      expect(made).toHaveLength(row['next_number']);
      for (const [number, debt] of made.entries()) {
        const draft = occurrenceDraft(
          row as unknown as Series & { id: string },
          row['template'] as Template,
          number,
        );
        expect(debt).toMatchObject({
          recurrence_number: number,
          company_id: draft.companyId,
          person_id: draft.personId,
          description: draft.description,
          amount_cents: draft.amountCents,
          document_number: draft.documentNumber,
          due_date: draft.dueDate,
          competence_month: draft.competenceMonth,
          category_id: draft.categoryId,
          terms: draft.terms,
        });
      }
    }
    const before = await count('payables where recurrence_id is not null');
    const due = rows.filter(
      ({ kind, next_on }) => kind === 'payable' && next_on <= addDays('2026-10-07', 60),
    );
    expect(due.length).toBeGreaterThan(0);
    world.setNow('2026-10-07T12:00:00Z');
    const place = { organizationId: demo.ids.organization_id, workspaceId: main };
    const ran = await runTask(world, createWholeSimulatedBank(), 'recurrences_run', place);
    world.setNow(NOW);
    expect(ran).toEqual({ error: undefined });
    expect(await count('payables where recurrence_id is not null')).toBe(before + due.length);
  });

  it('has ten rules per workspace, compared as rules are, and lines that they classified', async () => {
    const rules = await look<{ pattern: string; search_pattern: string; position: number }>(
      'select pattern, search_pattern, position from automatic_rules where workspace_id = $1 order by position',
      [main],
    );
    expect(rules.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const { pattern, search_pattern } of rules) expect(search_pattern).toBe(searchPatternOf(pattern));
    expect(
      await count("financial_transactions where source = 'import' and classified_by = 'rule'"),
    ).toBeGreaterThan(5);
  });

  it('lists announced boletos, of which the bank says nothing new when it is asked again', async () => {
    const { items } = await call('finance_dda_boletos_list', { status: 'pending' });
    expect(items.length).toBeGreaterThan(5);
    for (const { barcode } of items) expect(readBoleto(barcode, TODAY)).toMatchObject({ ok: true });
    expect(
      await count(`dda_boletos b join payables p
        on p.workspace_id = b.workspace_id and p.payment_details ->> 'barcode' = b.barcode`),
    ).toBe(6);
    const place = { organizationId: demo.ids.organization_id, workspaceId: main };
    expect(await runTask(world, createWholeSimulatedBank(), 'dda_sync', place)).toEqual({ error: undefined });
    const renewed = await look('select id from dda_boletos where version > 1');
    expect(renewed).toEqual([]);
  });

  it('waits for a second person in one workspace, where large bills were approved', async () => {
    const [row] = await look<Record<string, any>>('select * from approval_settings');
    expect(await count('approval_settings')).toBe(1);
    const above = row!['thresholds'][0].above;
    expect(row).toMatchObject({
      workspace_id: demo.ids.workspaces['Filial Recife'],
      require_second_person: true,
    });
    expect(
      await count(`payables where workspace_id = '${row!['workspace_id']}' and amount_cents >= ${above}
        and approval_status = 'not_required'`),
    ).toBe(0);
    expect(await count('payables where approval_by = created_by')).toBe(0);
  });

  it('is due on business days where the bank is closed on the day itself', async () => {
    const rows = await look<{ due: string; adjusted: string }>(
      'select distinct due_date::text as due, adjusted_due_date::text as adjusted from receivables',
    );
    expect(rows.filter(({ due, adjusted }) => nextBusinessDay(due) !== adjusted)).toEqual([]);
  });
});
