import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { asOwner, cloneDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { TEST_KEY } from '../../../test/support/world.ts';
import { nextBusinessDay } from '../../core/calendar.ts';
import { isCpf } from '../../core/documents/tax-id.ts';
import type { JobDefinition } from '../../core/job.ts';
import { verifyChain } from '../../db/events.ts';
import { replayCharge } from '../../dunning/charges/index.ts';
import { dunning } from '../../dunning/index.ts';
import { normaliseContact } from '../../dunning/people/index.ts';
import type { DunningGateways } from '../../gateways/dunning.ts';
import { runJob } from '../../worker/index.ts';
import { openRuntime, type Runtime } from '../runtime.ts';
import { type LoadedScale, loadScale } from './scale-loading.ts';

const NOW = new Date('2026-10-06T15:00:00Z');
const CHARGES = 1_000;

let testDatabase: TestDatabase;
let runtime: Runtime;
let loaded: LoadedScale;

const look = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  asOwner<Row>(testDatabase.url, text, values);

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
  loaded = await loadScale(testDatabase.url, runtime, CHARGES);
});

afterAll(async () => {
  await runtime.close();
  await testDatabase.drop();
});

describe('a portfolio of any size', () => {
  it('has as many charges as were asked for, debtors in proportion, and payments', async () => {
    expect(loaded.made).toMatchObject({ charges: CHARGES, debtors: 400, contacts: 1_200, rules: 5 });
    expect(loaded.charges).toBe(CHARGES);
    const rows = await look<{ status: string; count: number }>(
      'select status, count(*)::int as count from dunning_charges group by 1 order by 1',
    );
    expect(rows.map(({ status }) => status)).toEqual(['overdue', 'paid', 'pending']);
    const paid = rows.find(({ status }) => status === 'paid')!.count;
    expect(paid).toBeGreaterThan(CHARGES / 2);
    expect(loaded.made!.payments).toBe(paid);
  });

  it('says so when it is there already, adds nothing and gives fresh tokens', async () => {
    const again = await loadScale(testDatabase.url, runtime, 50_000);
    expect(again).toMatchObject({ organizationId: loaded.organizationId, made: null, charges: CHARGES });
    for (const { tokens } of [loaded, again]) {
      const caller = await runtime.authenticator.authenticate(tokens.full, 'dunning', NOW);
      expect(caller).toMatchObject({ access: 'write', product: 'dunning' });
    }
    expect(await runtime.authenticator.authenticate(again.tokens.read, 'dunning', NOW)).toMatchObject({
      access: 'read',
    });
  });

  it('is as the replay of every charge leaves it', async () => {
    const print = async () =>
      (
        await look(
          `select (select md5(string_agg(c::text, '' order by id)) from dunning_charges c) as charges,
                  (select md5(string_agg(p::text, '' order by id)) from dunning_payments p) as payments`,
        )
      )[0];
    const before = await print();
    const ids = (await look<{ id: string }>('select id from dunning_charges')).map(({ id }) => id);
    const replay: JobDefinition<{ organizationId: string }, DunningGateways> = {
      task: 'replay_all',
      payload: z.strictObject({ organizationId: z.uuid() }),
      run: (_payload, context) =>
        context.write(async (write) => {
          for (const id of ids) await replayCharge(write, id);
        }),
    };
    const gateways = {} as DunningGateways;
    const ports = runtime.portsOf(dunning.catalogue);
    await runJob({ ports, shared: runtime.database.shared, gateways }, replay, {
      organizationId: loaded.organizationId,
    });
    expect(await print()).toEqual(before);
  }, 60_000);

  it('has adjusted due dates, documents and contacts in the form of the house, and a whole chain', async () => {
    const dates = await look<{ due: string; adjusted: string }>(
      'select distinct due_date::text as due, adjusted_due_date::text as adjusted from dunning_charges',
    );
    expect(dates.length).toBeGreaterThan(150);
    expect(dates.filter(({ due, adjusted }) => nextBusinessDay(due) !== adjusted)).toEqual([]);
    const people = await look<{ number: string }>('select document_number as number from dunning_people');
    expect(people.filter(({ number }) => !isCpf(number))).toEqual([]);
    const contacts = await look<{ channel: 'email'; value: string; identity: string }>(
      'select channel, value, identity from dunning_contacts',
    );
    for (const { channel, value, identity } of contacts)
      expect(normaliseContact(channel, value)).toEqual({ value, identity });
    const { organizationId } = loaded;
    const report = await runtime.database.read({ organizationId, workspaceId: null }, (db) =>
      verifyChain(db, organizationId),
    );
    expect(report.broken).toBeNull();
  });
});
