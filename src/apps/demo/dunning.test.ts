/** The portfolio of the sample: every figure is what the operations themselves would have made of it. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { asOwner, cloneDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { TEST_KEY } from '../../../test/support/world.ts';
import type { JobContext, JobDefinition } from '../../core/job.ts';
import { historiesOf, replayCharge, replayOf, requireCharges } from '../../dunning/charges/index.ts';
import { dunning, jobs } from '../../dunning/index.ts';
import type { DunningGateways } from '../../gateways/dunning.ts';
import { runJob } from '../../worker/index.ts';
import { openRuntime, type Runtime } from '../runtime.ts';
import { type DemoReport, loadDemo } from './index.ts';

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
      `select id, finance_workspace_id as workspace from dunning_charges
        where legal_kind is not null or paused_reason = 'promise' or source = 'finance'`,
    );
    expect(charges.length).toBeGreaterThan(60);
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
