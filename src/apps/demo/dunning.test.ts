/** The portfolio of the sample: every figure is what the operations themselves would have made of it. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { asOwner, cloneDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { TEST_KEY } from '../../../test/support/world.ts';
import { addDays } from '../../core/dates.ts';
import { isCnpj, isCpf } from '../../core/documents/tax-id.ts';
import { newId } from '../../core/ids.ts';
import type { JobContext, JobDefinition } from '../../core/job.ts';
import { verifyChain } from '../../db/events.ts';
import { historiesOf, replayCharge, replayOf, requireCharges } from '../../dunning/charges/index.ts';
import { simulateSteps } from '../../dunning/collection-rules/index.ts';
import { nextContactAt } from '../../dunning/contact-law/index.ts';
import { dunning, jobs } from '../../dunning/index.ts';
import { type Channel, normaliseContact } from '../../dunning/people/index.ts';
import { contactPolicyOf, defaultSettings } from '../../dunning/settings/index.ts';
import { findingsIn, unknownVariablesIn } from '../../dunning/templates/index.ts';
import type { DunningGateways } from '../../gateways/dunning.ts';
import { runJob } from '../../worker/index.ts';
import { openRuntime, type Runtime } from '../runtime.ts';
import { buildPortfolio } from './dunning/portfolio.ts';
import { type DemoReport, loadDemo } from './index.ts';
import { profiles } from './profiles.ts';
import { createRandom } from './random.ts';
import { buildWorkspace } from './workspace.ts';

/** A Tuesday in the middle of the hours of contact. */
const NOW = new Date('2026-10-06T15:00:00Z');
const TODAY = '2026-10-06';

let testDatabase: TestDatabase;
let runtime: Runtime;
let demo: DemoReport;

const look = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  asOwner<Row>(testDatabase.url, text, values);
const count = async (text: string) =>
  Number((await look<{ count: string }>(`select count(*) from ${text}`))[0]!.count);

beforeAll(async () => {
  testDatabase = await cloneDatabase();
  runtime = openRuntime({
    databaseUrl: testDatabase.url,
    secretKeys: [TEST_KEY],
    environment: 'test',
    poolSize: 2,
    now: () => NOW,
    logFailure: (error, what) => console.error(what, error),
  });
  const started = performance.now();
  demo = await loadDemo(testDatabase.url, runtime);
  console.info(`sample loaded in ${Math.round(performance.now() - started)} ms`);
});

afterAll(async () => {
  await runtime.close();
  await testDatabase.drop();
});

/** Runs work as a job of the organization would, in one transaction. */
async function inJob(run: (context: JobContext<DunningGateways>) => Promise<void>): Promise<void> {
  const job: JobDefinition<{ organizationId: string }, DunningGateways> = {
    task: 'look_again',
    payload: z.strictObject({ organizationId: z.uuid() }),
    run: (_payload, context) => run(context),
  };
  await runJob(
    {
      ports: runtime.portsOf(dunning.catalogue),
      shared: runtime.database.shared,
      gateways: {} as DunningGateways,
    },
    job,
    { organizationId: demo.ids.organization_id },
  );
}

/** Runs a job of dunning on the sample. */
async function runTask(task: string, payload: object = {}): Promise<void> {
  const job = jobs.find((known) => known.task === task)!;
  await runJob(
    {
      ports: runtime.portsOf(dunning.catalogue),
      shared: runtime.database.shared,
      gateways: {} as DunningGateways,
    },
    job,
    { organizationId: demo.ids.organization_id, ...payload },
  );
}

type PaymentUse = Record<
  'id' | 'principal_cents' | 'discount_cents' | 'interest_cents' | 'fine_cents' | 'excess_cents',
  string
>;

const tables = [
  'charges',
  'payments',
  'agreements',
  'installments',
  'agreement_credits',
  'promises',
  'disputes',
  'negativations',
  'protests',
  'people',
  'contacts',
  'holds',
  'step_executions',
  'notifications',
  'campaigns',
  'daily_runs',
  'live_legal_actions',
  'legal_commands',
  'legal_events',
];

/** What there is of each kind of record: any change of it shows. */
async function fingerprint(): Promise<Record<string, unknown>> {
  const prints: Record<string, unknown> = {};
  for (const table of tables) {
    const [row] = await look(
      `select count(*)::int as rows, md5(string_agg(t::text, '' order by t::text)) as md5 from dunning_${table} t`,
    );
    prints[table] = row;
  }
  return prints;
}

/** An operation as the sample's token calls it. */
async function call(name: string, args: object = {}): Promise<Record<string, any>> {
  const caller = (await runtime.authenticator.authenticate(demo.tokens.dunning.full, 'dunning', NOW))!;
  const { invokers } = runtime;
  const operation = invokers.dunning.catalogue.byName.get(name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  const outcome = await invokers.dunning.call(operation, args, caller, { surface: 'mcp' });
  if (outcome.kind !== 'done') throw new Error(`${name} asks`);
  return outcome.output as Record<string, any>;
}

describe('figures', () => {
  it('holds on every charge and payment what the replay of its whole history gives', async () => {
    const ids = (await look<{ id: string }>('select id from dunning_charges')).map(({ id }) => id);
    expect(ids).toHaveLength(2_000);
    const uses = new Map(
      (await look<PaymentUse>('select * from dunning_payments where charge_id is not null')).map((row) => [
        row.id,
        row,
      ]),
    );
    let replayed = 0;
    await inJob((context) =>
      context.read(async (reading) => {
        const rows = await requireCharges(reading, ids);
        const histories = await historiesOf(reading, rows);
        for (const row of rows) {
          const { entries, ways } = histories.get(row.id)!;
          const { amounts, ledger, isSettled, allocations } = replayOf(row, entries, ways);
          const canceled = row.status === 'canceled';
          expect({ id: row.id, open: Number(row.open_cents), ledger: row.ledger }).toEqual({
            id: row.id,
            open: amounts.openPrincipal,
            ledger,
          });
          if (!canceled)
            expect({ id: row.id, isPaid: row.status === 'paid' }).toEqual({ id: row.id, isPaid: isSettled });
          for (const [index, { payment_id }] of entries.entries()) {
            if (payment_id === null) continue;
            const { principal, discount, interest, fine, excess } = allocations[index]!;
            const use = uses.get(payment_id)!;
            replayed += 1;
            expect(
              [
                use.principal_cents,
                use.discount_cents,
                use.interest_cents,
                use.fine_cents,
                use.excess_cents,
              ].map(Number),
            ).toEqual([principal, discount, interest, fine, excess]);
          }
        }
      }),
    );
    expect(replayed).toBeGreaterThan(500);
  });

  it('is left alone by a replay through the very door, for every kind of charge', async () => {
    const before = await fingerprint();
    const rows = await look<{ id: string }>(
      `select id from (
         select id, row_number() over (partition by status, paused_reason, legal_kind, source, rule_cycle, agreement_id is null,
                                         abatement_cents > 0, ledger is null order by id) as place
           from dunning_charges) numbered where place <= 3`,
    );
    expect(rows.length).toBeGreaterThan(50);
    await inJob((context) =>
      context.write(async (write) => {
        for (const { id } of rows) await replayCharge(write, id);
      }),
    );
    expect(await fingerprint()).toEqual(before);
  });

  it('leaves nothing for the runs of the night to change: everything is as they would have left it', async () => {
    const before = await fingerprint();
    for (const task of [
      'dunning_lift_holds',
      'dunning_campaigns_turn',
      'dunning_agreements_run',
      'dunning_judge_promises',
      'dunning_daily_run',
      'dunning_plan_steps',
      'dunning_run_steps',
      'dunning_watch_prior_notices',
      'dunning_negativations_daily',
      'dunning_protests_daily',
    ]) {
      await runTask(task);
    }
    expect(await fingerprint()).toEqual(before);
  });

  it('leaves nothing to follow on charges with promises, legal actions and receivables: both sides agree', async () => {
    const before = await fingerprint();
    const money = () => look('select id, settled_cents, status, version from receivables order by id');
    const receivables = await money();
    const charges = await look<{ id: string; workspace: string | null }>(
      `select id, workspace from (
         select id, finance_workspace_id as workspace,
                row_number() over (partition by status, paused_reason, legal_kind, source order by id) as place
           from dunning_charges
          where legal_kind is not null or paused_reason = 'promise' or source = 'finance') numbered
        where place <= 5`,
    );
    expect(charges.length).toBeGreaterThan(20);
    for (const { id, workspace } of charges) {
      await runTask('dunning_follow_charge', { chargeId: id });
      if (workspace === null) continue;
      await runTask('dunning_follow_receivable', { chargeId: id });
      await runTask('dunning_settle_receivable', { chargeId: id, workspaceId: workspace });
    }
    expect(await fingerprint()).toEqual(before);
    expect(await money()).toEqual(receivables);
  });

  it('adds up: shares, discounts and installments of agreements, parts of payments, holds and states', async () => {
    expect(
      await look(
        `select a.id, a.status from dunning_agreements a
           join lateral (select sum(principal_cents + interest_cents + fine_cents) as debt, sum(discount_cents) as off,
                                bool_and(is_live) as is_live
                           from dunning_agreement_charges s where s.agreement_id = a.id) s on true
           join lateral (select sum(amount_cents) as total, min(due_date) as first, bool_and(status = 'paid') as is_paid
                           from dunning_installments i where i.agreement_id = a.id) i on true
          where s.debt <> a.original_total_cents or s.off <> a.discount_cents or i.total <> a.negotiated_total_cents
             or s.is_live <> (a.status in ('accepted', 'active')) or i.is_paid <> (a.status = 'completed')
             or i.first < a.valid_until`,
      ),
    ).toEqual([]);
    expect(
      await count(
        `dunning_installments i left join lateral (
           select sum(amount_cents - excess_cents) as paid from dunning_payments p
            where p.installment_id = i.id and p.status = 'confirmed') p on true
          where i.paid_cents <> coalesce(p.paid, 0)`,
      ),
    ).toBe(0);
    expect(
      await count(
        `dunning_charges c where (dunning_state = 'paused') <> exists (select from dunning_holds h where h.charge_id = c.id)
           or is_disputed <> exists (select from dunning_disputes d where d.charge_id = c.id and d.status in ('open', 'under_review'))
           or (status = 'in_agreement') <> exists (select from dunning_agreement_charges s where s.charge_id = c.id and s.is_live)
           or legal_kind is distinct from (select kind from dunning_live_legal_actions l where l.charge_id = c.id)
           or (status = 'overdue') <> (status in ('pending', 'overdue') and adjusted_due_date < '${TODAY}')`,
      ),
    ).toBe(0);
    expect(
      await count(
        `(select action_id from dunning_live_legal_actions
           except (select id from dunning_negativations where status not in ('rejected', 'canceled', 'removed', 'failed')
                   union select id from dunning_protests
                    where status not in ('rejected', 'canceled', 'returned', 'paid_at_notary', 'withdrawn'))) l`,
      ),
    ).toBe(0);
  });

  it('recovers a share of what is late that looks like a portfolio, in each of six months', async () => {
    const recovery = await call('dunning_metrics_recovery', {});
    expect(Number(recovery['recovery_rate'].percent)).toBeGreaterThan(15);
    expect(Number(recovery['recovery_rate'].percent)).toBeLessThan(40);
    expect(recovery['by_month'].filter(({ payments }: { payments: number }) => payments > 10)).toHaveLength(
      6,
    );
    expect(Number(recovery['average_steps'].steps)).toBeGreaterThan(0.5);
  });
});

describe('what there is', () => {
  it('has every state of every kind of record', async () => {
    const rows = await look<{ state: string }>(
      `select distinct state from (
         select 'charge ' || status as state from dunning_charges union all
         select 'rule ' || dunning_state || coalesce(' ' || paused_reason, '') from dunning_charges union all
         select 'disputed' from dunning_charges where is_disputed union all
         select 'legal ' || legal_kind from dunning_charges where legal_kind is not null union all
         select 'archived' from dunning_charges where archived_at is not null union all
         select 'reopened' from dunning_charges where rule_cycle > 1 union all
         select 'source ' || source from dunning_charges union all
         select 'agreement ' || status from dunning_agreements union all
         select 'installment ' || status from dunning_installments union all
         select 'payment ' || status || ' ' || kind from dunning_payments union all
         select 'dispute ' || status from dunning_disputes union all
         select 'promise ' || status from dunning_promises union all
         select 'negativation ' || status from dunning_negativations union all
         select 'protest ' || status from dunning_protests union all
         select 'campaign ' || status from dunning_campaigns union all
         select 'message ' || status from dunning_notifications union all
         select 'trigger ' || trigger from dunning_notifications union all
         select 'step ' || status from dunning_step_executions union all
         select 'contact ' || channel from dunning_contacts union all
         select 'consent ' || consent from dunning_contacts union all
         select 'validity ' || validity from dunning_contacts union all
         select 'person ' || kind from dunning_people) states order by state`,
    );
    const states = rows.map(({ state }) => state);
    const all = (kind: string, names: string) => names.split(' ').map((name) => `${kind} ${name}`);
    expect(states).toEqual(
      expect.arrayContaining([
        ...all('charge', 'pending overdue in_agreement paid canceled'),
        ...['rule none', 'rule active', 'rule completed'],
        ...all('rule paused', 'dispute promise agreement manual'),
        ...[
          'disputed',
          'legal negativation',
          'legal protest',
          'archived',
          'reopened',
          'source api',
          'source finance',
        ],
        ...all('agreement', 'proposed accepted active completed rejected expired canceled broken'),
        ...all('installment', 'open paid canceled'),
        ...['payment confirmed regular', 'payment confirmed duplicate', 'payment confirmed excess'],
        'payment reversed regular',
        ...all('dispute', 'open under_review upheld partially_upheld dismissed withdrawn'),
        ...all('promise', 'open kept broken canceled'),
        ...all(
          'negativation',
          'pending approved notice_sent registered removal_requested removed rejected canceled failed',
        ),
        ...all(
          'protest',
          'pending approved sent protocoled notified suspended protested cancellation_authorized',
        ),
        ...all('protest', 'canceled rejected returned paid_at_notary withdrawn'),
        ...all('campaign', 'active ended'),
        ...all('message', 'scheduled sent delivered read failed bounced canceled'),
        ...all('trigger', 'rule manual agreement prior_notice'),
        ...all('step', 'scheduled done skipped failed'),
        ...all('contact', 'email sms whatsapp phone letter'),
        ...all('consent', 'unknown given opted_out'),
        ...all('validity', 'unknown valid bounced wrong_person'),
        ...all('person', 'natural legal'),
      ]),
    );
  });

  it('has 300 debtors of all states with right documents, and contacts in the form of the house', async () => {
    const people = await look<{ number: string | null; kind: string; state: string }>(
      'select document_number as number, kind, state from dunning_people',
    );
    expect(people).toHaveLength(300);
    expect(new Set(people.map(({ state }) => state)).size).toBe(27);
    const known = people.filter(({ number }) => number !== null);
    expect(known.length).toBeLessThan(300);
    expect(
      known.filter(({ number, kind }) => !(kind === 'natural' ? isCpf(number!) : isCnpj(number!))),
    ).toEqual([]);
    expect(known.filter(({ number }) => /[A-Z]/.test(number!)).length).toBeGreaterThan(10);
    const contacts = await look<{ channel: Channel; value: string; identity: string }>(
      'select channel, value, identity from dunning_contacts',
    );
    for (const { channel, value, identity } of contacts) {
      expect(normaliseContact(channel, value)).toEqual({ value, identity });
    }
    expect(
      await count(
        `dunning_contacts c join dunning_contacts o on o.person_id = c.person_id and o.identity = c.identity
          where (c.consent = 'opted_out') <> (o.consent = 'opted_out')
             or (c.validity = 'wrong_person') <> (o.validity = 'wrong_person')`,
      ),
    ).toBe(0);
  });

  it('has texts that pass the lint, each version kept, and messages that name no variable', async () => {
    const templates = await look<{
      channel: 'email';
      subject: string | null;
      body: string;
      texts: number;
      text_version: number;
    }>(
      `select channel, subject, body, text_version,
              (select count(*)::int from dunning_template_versions v where v.template_id = t.id) as texts
         from dunning_templates t`,
    );
    expect(templates.length).toBeGreaterThanOrEqual(12);
    for (const { channel, subject, body, texts, text_version } of templates) {
      expect(findingsIn({ channel, subject, body })).toEqual([]);
      expect(unknownVariablesIn(`${subject ?? ''}${body}`)).toEqual([]);
      expect(texts).toBe(text_version);
    }
    expect(await count(`dunning_notifications where rendered::text like '%{{%'`)).toBe(0);
    expect(await count('dunning_notifications where sent_at is not null and rendered is null')).toBe(0);
  });

  it('contacts nobody twice a day, out of hours, or against the gate; no instant lies ahead', async () => {
    const sent = await look<{ state: string | null; channel: Channel; at: string }>(
      `select p.state, n.channel, n.queued_at as at from dunning_notifications n join dunning_people p on p.id = n.person_id
        where n.sent_at is not null and n.trigger in ('rule', 'manual')`,
    );
    const policy = contactPolicyOf(defaultSettings, 1);
    for (const { state, channel, at } of sent) {
      expect(nextContactAt(policy, state, channel, new Date(at))).toEqual(new Date(at));
    }
    expect(
      await count(
        `(select person_id from dunning_notifications where sent_at is not null
           group by person_id, (queued_at at time zone 'America/Sao_Paulo')::date having count(*) > 1) twice`,
      ),
    ).toBe(0);
    for (const table of tables.filter(
      (name) =>
        !['installments', 'agreement_credits', 'daily_runs', 'live_legal_actions', 'holds'].includes(name),
    )) {
      expect({
        table,
        ahead: await count(`dunning_${table} where created_at > '${NOW.toISOString()}'`),
      }).toEqual({ table, ahead: 0 });
    }
  });

  it('falls on the days that the rules themselves give', async () => {
    const rows = await look<any>(
      `select e.step_on::text as day, e.due_at, e.moves, s.*, s.time_of_day::text as time, c.due_date::text as due,
              c.adjusted_due_date::text as adjusted, c.amount_cents, p.state, p.kind
         from dunning_step_executions e join dunning_rule_steps s on s.id = e.step_id
         join dunning_charges c on c.id = e.charge_id join dunning_people p on p.id = e.person_id
        where e.moves = 0 order by md5(e.id::text) limit 150`,
    );
    const policy = contactPolicyOf(defaultSettings, 1);
    for (const row of rows) {
      const step = {
        id: row.id,
        ruleId: row.rule_id,
        position: row.position,
        offsetDays: row.offset_days,
        dayKind: row.day_kind,
        time: row.time.slice(0, 5),
        action: row.action,
        channel: row.channel,
        templateId: row.template_id,
        isActive: true,
        conditions: { amountMinCents: null, amountMaxCents: null, personKind: null, tags: [] },
        since: new Date(0),
      };
      const [simulated] = simulateSteps(
        { steps: [step], conditions: step.conditions },
        {
          dueDate: row.due,
          adjustedDueDate: row.adjusted,
          amountCents: 1,
          state: row.state,
          personKind: row.kind,
          tags: [],
        },
        { startsAt: new Date(0), policy },
      );
      expect({ day: simulated!.day, at: simulated!.at }).toEqual({ day: row.day, at: new Date(row.due_at) });
    }
  });

  it('leaves a whole chain of the organization: the load alone', async () => {
    const organizationId = demo.ids.organization_id;
    const report = await runtime.database.read({ organizationId, workspaceId: null }, (db) =>
      verifyChain(db, organizationId),
    );
    expect(report).toEqual({ tenantId: organizationId, events: 1, broken: null });
  });
});

describe('loading on any day', () => {
  it.each([
    '2024-02-29',
    '2026-02-16',
    '2026-04-05',
    '2026-05-02',
    '2026-12-31',
    '2027-01-01',
    '2027-03-01',
    '2027-06-14',
  ])('tells nothing of the future and leaves nothing undone on %s', async (today) => {
    const authors = { owner: 'owner', approver: 'approver', assistant: 'assistant' };
    const finance = { workspaceId: newId(), today, random: createRandom(7), authors };
    const { rows: books } = await buildWorkspace(finance, profiles['Filial Recife']);
    const now = new Date(`${today}T15:00:00Z`);
    const users = { owner: 'owner', collector: 'collector' };
    const { rows } = buildPortfolio(
      { organizationId: newId(), now, today, users },
      { workspaceId: finance.workspaceId, ...books },
    );
    const instants = [
      'created_at',
      'updated_at',
      'sent_at',
      'delivered_at',
      'done_at',
      'ended_at',
      'resolved_at',
      'decided_at',
      'at',
    ];
    for (const [table, own] of Object.entries(rows)) {
      const noted = own.flatMap((row) =>
        instants.flatMap((name) => (row as Record<string, any>)[name] ?? []),
      );
      expect({ table, ahead: noted.filter((at) => new Date(at) > now) }).toEqual({ table, ahead: [] });
    }
    const waiting = rows.dunning_agreements.filter(
      ({ status }) => status === 'proposed' || status === 'accepted',
    );
    expect(waiting.filter(({ valid_until }) => valid_until < today)).toEqual([]);
    const live = new Set(
      rows.dunning_agreements.filter(({ status }) => status === 'active').map(({ id }) => id),
    );
    const late = rows.dunning_installments.filter(
      ({ status, agreement_id, adjusted_due_date }) =>
        status === 'open' && live.has(agreement_id) && addDays(adjusted_due_date, 15) < today,
    );
    expect(late).toEqual([]);
    const open = rows.dunning_promises.filter(({ status }) => status === 'open');
    expect(open.filter(({ keep_until }) => keep_until < today)).toEqual([]);
    const noticed = rows.dunning_negativations.filter(({ status }) => status === 'notice_sent');
    expect(noticed.filter(({ waits_until }) => waits_until === null || waits_until < today)).toEqual([]);
    const count = (name: 'dunning_agreements' | 'dunning_protests' | 'dunning_negativations') =>
      new Set(rows[name].map(({ status }) => status)).size;
    expect([count('dunning_agreements'), count('dunning_negativations'), count('dunning_protests')]).toEqual([
      8, 9, 13,
    ]);
    expect(rows.dunning_charges.filter(({ due_date }) => due_date === today).length).toBeGreaterThan(0);
  });
});

describe('tools on the sample', () => {
  const ids = () => demo.ids.dunning;

  it('answers every list and every read without arguments', async () => {
    const { catalogue } = runtime.invokers.dunning;
    const lists = catalogue.operations.filter(
      ({ effect, name, input }) =>
        effect === 'read' && z.safeParse(input, {}).success && name !== 'dunning_me',
    );
    expect(lists.length).toBeGreaterThan(20);
    for (const { name } of lists) expect(await call(name)).toBeDefined();
  });

  it('reads every resource, PDFs included, of the records it names', async () => {
    const byKind: Record<string, string> = {
      people: ids().person,
      charges: ids().charge,
      agreements: ids().agreement,
      disputes: ids().dispute,
      'collection-rules': ids().rule,
      templates: ids().template,
      negativations: ids().negativation,
      protests: (
        await look<{ id: string }>(`select id from dunning_protests where status = 'protested' order by id`)
      )[0]!.id,
    };
    let read = 0;
    for (const { uri, operation, argument } of dunning.resources) {
      const kind = /^kobana:\/\/dunning\/([a-z-]+)\//.exec(uri)?.[1];
      const isSettlement = uri.includes('settlement');
      const id = isSettlement ? ids().paid_charge : byKind[kind ?? ''];
      const args = uri.includes('{') ? { [argument ?? /\{(\w+)\}/.exec(uri)![1]!]: id } : {};
      if (uri.includes('consent'))
        args['id'] = (
          await look<{ id: string }>(
            `select id from dunning_protests where status = 'cancellation_authorized' order by id`,
          )
        )[0]!.id;
      expect({ uri, answer: typeof (await call(operation, args)) }).toEqual({ uri, answer: 'object' });
      read += 1;
    }
    expect(read).toBeGreaterThan(10);
  });

  it('has examples that are what their names say', async () => {
    const { charge, person, paid_charge, linked_charge, agreement, dispute, negativation } = ids();
    expect(await call('dunning_charges_get', { id: charge })).toMatchObject({
      status: 'overdue',
      dunning_state: 'active',
      person: { id: person },
    });
    expect(await call('dunning_charges_get', { id: paid_charge })).toMatchObject({ status: 'paid' });
    expect(await call('dunning_charges_get', { id: linked_charge })).toMatchObject({
      source: 'finance',
      finance_receivable: { workspace_id: demo.ids.workspaces.Matriz },
    });
    expect(await call('dunning_agreements_get', { id: agreement })).toMatchObject({ status: 'active' });
    expect(await call('dunning_disputes_get', { id: dispute })).toMatchObject({ status: 'open' });
    const found = await call('dunning_negativations_get', { id: negativation });
    expect(found['status']).toBe('pending');
    const me = await runtime.authenticator.authenticate(demo.tokens.dunning.full, 'dunning', NOW);
    expect(found['requested_by']).not.toBe(me!.user.id);
    const check = await call('dunning_negativations_check', { charge_id: charge, bureau: 'serasa' }).catch(
      () => null,
    );
    expect(check).not.toBeNull();
  });

  it('offers prompts whose tools exist', () => {
    const { byName } = runtime.invokers.dunning.catalogue;
    expect(dunning.prompts.length).toBeGreaterThan(0);
    for (const { operations } of dunning.prompts) {
      expect(operations.filter((name) => !byName.has(name))).toEqual([]);
    }
  });
});
