import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBill, createPayer, type Payer } from '../../../test/support/banking.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import { verifyChain } from '../../db/events.ts';
import { readConfig, UsageError } from '../config.ts';
import { account, chooseBankOf } from './account.ts';
import { banksOf } from './doctor.ts';

let world: World;
let payer: Payer;

beforeAll(async () => {
  world = await openWorld();
  payer = await createPayer(world);
});

afterAll(() => world.close());

const providerAccount = newId();
const kobana = { adapter: 'kobana', providerAccount };
const simulator = { adapter: 'simulator', providerAccount: null };
const choose = (
  choice: typeof kobana | typeof simulator,
  workspaceId = world.workspaceId,
  id = payer.accountId,
) => chooseBankOf(world.runtime, workspaceId, id, choice);

describe('kobana account bank', () => {
  test('changes the bank of the account and records that once', async () => {
    expect(await choose(kobana)).toBe(true);
    expect(await choose(kobana)).toBe(false);
    const stored = await world.look(
      'select bank_adapter, bank_adapter_account, version from financial_accounts where id = $1',
      [payer.accountId],
    );
    expect(stored).toEqual([{ bank_adapter: 'kobana', bank_adapter_account: providerAccount, version: 2 }]);
    const events = await world.look<{ body: string }>(
      "select body from events where tenant_id = $1 and operation = 'account_bank'",
      [world.workspaceId],
    );
    expect(events.map(({ body }) => JSON.parse(body))).toMatchObject([
      {
        actor: { clientId: 'command line', surface: 'cli' },
        changes: [
          {
            kind: 'financial_account',
            id: payer.accountId,
            before: { bank_adapter: 'simulator', bank_adapter_account: null },
            after: { bank_adapter: 'kobana', bank_adapter_account: providerAccount },
          },
        ],
      },
    ]);
    const place = { organizationId: world.organizationId, workspaceId: world.workspaceId };
    const report = await world.runtime.database.read(place, (db) => verifyChain(db, world.workspaceId));
    expect(report.broken).toBeNull();
    expect(await choose(simulator)).toBe(true);
  });

  test('is refused while the bank still has to answer for something: another one could not', async () => {
    const id = await createBill(world, payer);
    const payment = await world.call('finance_payables_send_to_bank', { id, account_id: payer.accountId });
    await expect(choose(kobana)).rejects.toThrow(new RegExp(`payment ${payment['id']}`));
    await world.look("update payments set status = 'confirmed' where id = $1", [payment['id']]);
    expect(await choose(kobana)).toBe(true);
    expect(await choose(simulator)).toBe(true);
  });

  test('finds accounts only where they are', async () => {
    const elsewhere: [workspaceId: string, accountId: string][] = [
      [newId(), payer.accountId],
      [world.otherWorkspaceId, payer.accountId],
      [world.foreignWorkspaceId, payer.accountId],
      [world.workspaceId, newId()],
    ];
    for (const [workspaceId, id] of elsewhere) {
      await expect(choose(kobana, workspaceId, id)).rejects.toThrow(UsageError);
    }
  });

  test.each([
    ['nothing', []],
    ['an unknown verb', ['banc', newId(), newId(), '--adapter', 'simulator']],
    ['ids that are none', ['bank', 'a', 'b', '--adapter', 'simulator']],
    ['an unknown adapter', ['bank', newId(), newId(), '--adapter', 'other']],
    ['kobana without its account', ['bank', newId(), newId(), '--adapter', 'kobana']],
    [
      'the simulator with one',
      ['bank', newId(), newId(), '--adapter', 'simulator', '--provider-account', newId()],
    ],
    ['an unknown flag', ['bank', newId(), newId(), '--adaptor', 'kobana']],
  ])('refuses %s before it opens anything', async (_, words) => {
    await expect(account(words, readConfig({ KOBANA_HOME: '/nonexistent' }))).rejects.toThrow(UsageError);
  });
});

test('kobana doctor tells which banks are used and which of them no worker could reach', async () => {
  const withToken = readConfig({ KOBANA_API_TOKEN: 't' });
  const without = readConfig({});
  expect(await banksOf(world.runtime, without)).toEqual({
    lines: ['simulator: 1 account(s)'],
    areThere: true,
  });
  await choose(kobana);
  expect(await banksOf(world.runtime, without)).toEqual({
    lines: ['kobana: 1 account(s), BUT KOBANA_API_TOKEN is not set'],
    areThere: false,
  });
  expect(await banksOf(world.runtime, withToken)).toMatchObject({ areThere: true });
  await world.look("update financial_accounts set bank_adapter = 'none'");
  expect(await banksOf(world.runtime, withToken)).toMatchObject({ areThere: false });
});
