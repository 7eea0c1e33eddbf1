/** From a threshold on a second person says yes: every destructive tool says how much it moves, or is known to move nothing. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Product } from '../../src/core/caller.ts';
import { dunning } from '../../src/dunning/index.ts';
import { finance } from '../../src/finance/index.ts';
import { createBill, createPayer } from '../support/banking.ts';
import { createCharge, createDebtor } from '../support/dunning.ts';
import { createLine, createPair } from '../support/lines.ts';
import { createCategory, createReceivable } from '../support/records.ts';
import { openWorld, type World } from '../support/world.ts';
import { calls } from './dunning-calls.ts';
import { createDunningRecords, type DunningRecords } from './dunning-product.ts';
import { moving } from './moving-table.ts';

const SECOND_PERSON = 'uma segunda pessoa também terá de aprovar';

const destructiveOf = (product: typeof finance) =>
  product.catalogue.operations.filter(({ effect }) => effect === 'destructive').map(({ name }) => name);
const moves = (name: string) => 'fact' in moving[name]!;

test('every destructive tool is in the table, and nothing else is', () => {
  expect([...destructiveOf(finance), ...destructiveOf(dunning)].sort()).toEqual(Object.keys(moving).sort());
});

/** From nothing on: whatever has an amount, were it zero, needs a second person. */
async function openStrictWorld(product: Product): Promise<World> {
  const world = await openWorld({ product });
  await world.look(
    `insert into controls (tenant_id, organization_id, second_person_from_cents, updated_at) values ($1, $2, 0, now())`,
    [product === 'finance' ? world.workspaceId : world.organizationId, world.organizationId],
  );
  return world;
}

/** Only while records are made, which takes a yes or two. */
async function leniently<T>(world: World, work: () => Promise<T>): Promise<T> {
  await world.look('update controls set second_person_from_cents = null');
  const made = await work();
  await world.look('update controls set second_person_from_cents = 0');
  return made;
}

describe('dunning', () => {
  let world: World;
  let records: DunningRecords;
  let free: string;
  beforeAll(async () => {
    world = await openStrictWorld('dunning');
    records = await leniently(world, () =>
      createDunningRecords(world, 'owner', world.organizationId, 'Devedora'),
    );
    free = await createDebtor(world, {});
    await world.look('update dunning_webhooks set active = true');
  });
  afterAll(() => world.close());

  const own: Readonly<Record<string, () => object>> = {
    people_archive: () => ({ id: free }),
    people_bulk_archive: () => ({ ids: [free] }),
    people_anonymize: () => ({ id: free, legal_basis: 'Pedido do titular' }),
    discount_campaigns_create: () => ({
      name: 'Nova',
      starts_on: '2026-11-01',
      ends_on: '2026-11-30',
      conditions: { days_overdue_from: 1 },
      tiers: [{ installments_up_to: 1, discount_percent: '10', applies_to: 'principal' }],
    }),
    disputes_update: () => ({ id: records.dispute, status: 'upheld', resolution: 'Procedente' }),
  };
  /** What needs records of a kind that the table of calls does not have, and moves nothing by what it is. */
  const elsewhere = new Set(['notifications_cancel', 'templates_archive']);
  const onFreshCharge = new Set(['negativations_create', 'protests_create']);

  test.each(destructiveOf(dunning))('%s', async (name) => {
    const tool = name.replace('dunning_', '');
    if (elsewhere.has(tool)) {
      expect(moves(name)).toBe(false);
      return;
    }
    const charge = onFreshCharge.has(tool)
      ? await createCharge(world, { person_id: records.person })
      : records.charge;
    const { message } = await world.ask(
      name,
      own[tool]?.() ?? calls[tool]!({ ...records, charge }),
      'colleague',
    );
    expect(message.includes(SECOND_PERSON)).toBe(moves(name));
  });
});

describe('finance', () => {
  let world: World;
  const asks: Record<string, object> = {};
  beforeAll(async () => {
    world = await openStrictWorld('finance');
    await leniently(world, prepare);
  });
  afterAll(() => world.close());

  async function prepare(): Promise<void> {
    const payer = await createPayer(world);
    const { companyId: company_id, accountId: account_id } = payer;
    const pair = await createPair(world);
    const [bill, other] = [await createBill(world, payer), await createBill(world, payer)];
    const customer = await world.call('finance_people_create', {
      name: 'Cliente',
      kind: 'legal',
      roles: ['customer', 'supplier'],
    });
    const saleOf = async () =>
      (await createReceivable(world, { company_id, person_id: customer['id'] }))['id'];
    const loss = await createCategory(world, { kind: 'expense', name: 'Perdas' });
    const paid = { account_id, paid_at: '2026-10-01', amount: '10.00' };
    const [sale, received] = [await saleOf(), await saleOf()];
    const settled = await world.call('finance_payables_settle', { id: other, ...paid });
    const got = await world.call('finance_receivables_settle', { id: received, ...paid });
    const entry = await world.call('finance_financial_transactions_create', {
      account_id,
      date: '2026-10-01',
      direction: 'debit',
      amount: '12.34',
      description: 'Tarifa',
    });
    const tied = await createBill(world, payer, { amount: '10.00' });
    const line = await createLine(world, { account_id, amount_cents: 1_000 });
    const reconciliation = await world.call('finance_reconciliations_create', {
      transactions: [{ id: line, amount: '10.00' }],
      documents: [{ kind: 'payable', id: tied }],
    });
    const reason = 'Engano';
    Object.assign(asks, {
      finance_people_delete: {
        id: (await world.call('finance_people_create', { name: 'X', kind: 'legal', roles: ['customer'] }))[
          'id'
        ],
      },
      finance_financial_account_balances_adjust: {
        account_id,
        target_balance: '1.00',
        as_of: '2026-10-01',
        reason,
        category_id: loss,
      },
      finance_financial_transactions_delete: { id: entry['id'] },
      finance_transfers_create: {
        from_account_id: pair.from,
        to_account_id: pair.to,
        amount: '1.00',
        method: 'internal',
      },
      finance_payables_delete: { id: bill },
      finance_payables_cancel: { id: bill, reason },
      finance_payables_unsettle: { id: other, settlement_id: settled['settlement'].id, reason },
      finance_payables_send_to_bank: { id: bill, account_id },
      finance_payables_bulk_send_to_bank: { ids: [bill], account_id },
      finance_receivables_delete: { id: sale },
      finance_receivables_cancel: { id: sale, reason },
      finance_receivables_write_off: { id: sale, reason, category_id: loss, date: '2026-10-01' },
      finance_receivables_unsettle: { id: received, settlement_id: got['settlement'].id, reason },
      finance_reconciliations_delete: { id: reconciliation['id'], reason },
    });
  }

  test('every tool that moves something says how much in its question, and others do not', async () => {
    for (const [name, args] of Object.entries(asks)) {
      const { message } = await world.ask(name, args);
      expect(message.includes(SECOND_PERSON), name).toBe(moves(name));
    }
    expect(destructiveOf(finance).filter((name) => moves(name) && asks[name] === undefined)).toEqual([]);
  });

  test('ending a recurrence gives up the open receivables that it cancels, and no payables', async () => {
    const person = await world.call('finance_people_create', {
      name: 'Y',
      kind: 'legal',
      roles: ['customer', 'supplier'],
    });
    for (const kind of ['receivable', 'payable'] as const) {
      const { companyId } = await createPayer(world);
      const category = await createCategory(world, {
        kind: kind === 'payable' ? 'expense' : 'income',
        name: `Recorrente ${kind}`,
      });
      const { recurrence } = await world.call('finance_recurrences_create', {
        kind,
        frequency: 'weekly',
        start_date: '2026-10-02',
        count: 3,
        template: {
          company_id: companyId,
          person_id: person['id'],
          description: 'Mensalidade',
          amount: '10.00',
          category_id: category,
        },
      });
      const { message } = await world.ask('finance_recurrences_end', {
        id: recurrence.id,
        cancel_open: true,
      });
      expect(message.includes(SECOND_PERSON), kind).toBe(kind === 'receivable');
    }
  });
});
