/**
 * `node bench/recovery.ts [charges=1000000] [rounds=11]`: the metrics of a portfolio of a million charges and what was
 * paid of them in 24 months, each through `invoke`, against a bare sum by month over the recovered payments, in turns in
 * one run. Ends with 1 when the recovery metrics take more than three times the bare sum.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openRuntime } from '../src/apps/runtime.ts';
import type { Caller } from '../src/core/caller.ts';
import { newId } from '../src/core/ids.ts';
import { openEmbedded } from '../src/db/embedded/index.ts';
import { migrate } from '../src/db/migrate.ts';
import { insertMembership, insertOrganization, insertUser } from '../src/identity/queries.ts';
import { createToken } from '../src/identity/tokens.ts';

const CHARGES = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = Number(process.argv[3] ?? 11);
const PERSONS = 50_000;
const NOW = new Date('2026-10-15T12:00:00Z');
const RATIO_MAX = 3;

/** The bare sum: what anybody would write who knows the table. */
const BARE = `
  select date_trunc('month', paid_on) as month, count(*), sum(recovered_cents) from dunning_payments
   where organization_id = $1 and status = 'confirmed' and recovered_cents is not null
     and paid_on between '2024-11-01' and '2026-10-15'
   group by 1`;

const measures: readonly (readonly [name: string, operation: string, args: object])[] = [
  ['recovery, 24 months', 'dunning_metrics_recovery', { months: 24 }],
  ['recovery, 6 months', 'dunning_metrics_recovery', {}],
  ['overview', 'dunning_metrics_overview', {}],
  ['aging', 'dunning_metrics_aging', {}],
  ['aging by debtor', 'dunning_metrics_aging', { group_by: 'person' }],
];

const home = await mkdtemp(join(tmpdir(), 'kobana-bench-'));
const server = await openEmbedded(home);
try {
  await migrate(server.ownerUrl);
  process.exitCode = await measureAll();
} finally {
  await server.release();
  await rm(home, { recursive: true, force: true });
}

async function measureAll(): Promise<number> {
  const runtime = openRuntime({
    databaseUrl: server.ownerUrl,
    secretKeys: ['a key for benches of thirty-two bytes or more'],
    environment: 'bench',
    now: () => NOW,
    logFailure: (error, what) => console.error(what, error),
  });
  const caller = await createOwner(runtime);
  const { id: organizationId } = caller.organization;
  await createPortfolio(organizationId);
  const { byName } = runtime.invokers.dunning.catalogue;
  const targets = new Map<string, () => Promise<unknown>>([
    [
      'bare sum, 24 months',
      () =>
        runtime.database.read({ organizationId, workspaceId: null }, (db) =>
          db.rows({ text: BARE, values: [organizationId] }),
        ),
    ],
    ...measures.map(([name, operation, args]): [string, () => Promise<unknown>] => [
      name,
      () => runtime.invokers.dunning.call(byName.get(operation)!, args, caller, { surface: 'mcp' }),
    ]),
  ]);
  const times = await inTurns(targets);
  const bareMs = medianOf(times.get('bare sum, 24 months')!);
  console.log(
    `${CHARGES} charges, ${cpus().length} cores, Node ${process.version}, medians of ${ROUNDS} rounds`,
  );
  console.table(
    [...times].map(([name, all]) => ({
      name,
      ms: medianOf(all).toFixed(1),
      'times the bare sum': (medianOf(all) / bareMs).toFixed(2),
    })),
  );
  await runtime.close();
  return medianOf(times.get('recovery, 24 months')!) <= RATIO_MAX * bareMs ? 0 : 1;
}

/** The first round warms up and does not count. */
async function inTurns(targets: ReadonlyMap<string, () => Promise<unknown>>): Promise<Map<string, number[]>> {
  const times = new Map([...targets.keys()].map((name) => [name, [] as number[]]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, run] of targets) {
      const startedAt = performance.now();
      await run();
      if (round > 0) times.get(name)!.push(performance.now() - startedAt);
    }
  }
  return times;
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]!;
}

async function createOwner(runtime: ReturnType<typeof openRuntime>): Promise<Caller> {
  const db = runtime.database.shared;
  const [organizationId, userId] = [newId(), newId()];
  await insertOrganization(db, { id: organizationId, name: 'Bench' });
  await insertUser(db, { id: userId, email: 'bench@example.com', name: 'Bench', locale: 'en' });
  await insertMembership(db, { organizationId, userId, workspaceId: null, role: 'owner' });
  const { token } = await createToken(db, {
    userId,
    organizationId,
    product: 'dunning',
    access: 'read',
    expiresAt: new Date('2030-01-01T00:00:00Z'),
  });
  return (await runtime.authenticator.authenticate(token, 'dunning', NOW))!;
}

/**
 * Charges due from two years and a half ago to two months ahead. Three in four of those due are paid, one in five of
 * them in time; half of all have fine and interest.
 */
async function createPortfolio(organizationId: string): Promise<void> {
  const owner = new pg.Client({ connectionString: server.ownerUrl });
  await owner.connect();
  try {
    await fill(owner, organizationId);
  } finally {
    await owner.end();
  }
}

async function fill(owner: pg.Client, organizationId: string): Promise<void> {
  await owner.query('set session_replication_role = replica');
  await owner.query(
    `create temporary table made as
     select n, uuid_v7() as id, uuid_v7() as payment_id, n % ${PERSONS} as person,
            date '2024-04-15' + n % 975 as due_date, 5000 + (n::bigint * 7919) % 200000 as cents,
            n % 4 <> 0 and date '2024-04-15' + n % 975 < '2026-10-01' as is_paid,
            case when n % 5 = 0 then 0 else 1 + (n * 31) % 70 end as late
       from generate_series(1, ${CHARGES}) n`,
  );
  await owner.query(
    `create temporary table persons as select n as person, uuid_v7() as id from generate_series(0, ${PERSONS - 1}) n`,
  );
  await owner.query(
    `insert into dunning_people (organization_id, id, name, kind, state, is_consumer, search_text, created_by)
     select $1, id, 'Devedora ' || person, 'legal', 'SP', false, 'devedora ' || person, $1 from persons`,
    [organizationId],
  );
  const terms = JSON.stringify({
    fine: { kind: 'percent', percent: 20_000 },
    interest: { kind: 'percent_per_month', percent: 10_000, days: 'calendar' },
    discounts: [],
  });
  await owner.query(
    `insert into dunning_charges (organization_id, id, person_id, amount_cents, open_cents, due_date, adjusted_due_date,
                                  description, terms, status, paid_on, search_text, created_by)
     select $1, m.id, p.id, cents, case when is_paid then 0 else cents end, due_date, due_date, 'Mensalidade ' || n,
            case when n % 2 = 0 then $2::jsonb end,
            case when is_paid then 'paid' when due_date < '2026-10-15' then 'overdue' else 'pending' end,
            case when is_paid then due_date + late end, 'mensalidade ' || n, $1
       from made m join persons p using (person)`,
    [organizationId, terms],
  );
  await owner.query(
    `insert into dunning_payments (organization_id, id, person_id, charge_id, amount_cents, paid_on, effective_on, method,
                                   principal_cents, kind, channel, steps_before, recovered_cents, days_overdue, created_by)
     select $1, payment_id, p.id, m.id, cents, least(due_date + late, '2026-10-15'), due_date + late,
            (array['pix', 'boleto', 'card', 'transfer'])[1 + n % 4], cents, 'regular',
            (array['email', 'sms', 'whatsapp', null])[1 + n % 7 % 4], n % 6,
            case when late > 0 then cents end, case when late > 0 then late end, $1
       from made m join persons p using (person) where is_paid`,
    [organizationId],
  );
  await owner.query('vacuum analyze');
}
