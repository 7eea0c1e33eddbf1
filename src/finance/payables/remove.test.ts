import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAccount, createBill, createCompany, createSupplier } from '../../../test/support/records.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';

let world: World;
let company_id: string;
let person_id: string;
let account_id: string;
let id: string;

beforeAll(async () => {
  world = await openWorld();
  company_id = await createCompany(world);
  person_id = await createSupplier(world, { name: 'Serra Imóveis' });
  account_id = await createAccount(world, { company_id });
});
beforeEach(async () => {
  id = (await createBill(world, { company_id, person_id }))['id'];
});
afterAll(() => world.close());

const settle = () =>
  world.call('finance_payables_settle', { id, account_id, paid_at: '2026-09-30', amount: '10.00' });

const insertOrder = async (status: string) => {
  const order = newId();
  await world.look(
    `insert into payments (workspace_id, id, payable_id, account_id, kind, amount_cents, details, scheduled_for,
                           status, registration_status, created_by)
     values ($1, $2, $3, $4, 'pix_key', 10000, '{}', '2026-10-05', $5, 'confirmed', $1)`,
    [world.workspaceId, order, id, account_id, status],
  );
  return order;
};

describe('canceling', () => {
  const args = () => ({ id, reason: 'contract ended' });

  test('keeps the bill visible as canceled, with the reason', async () => {
    expect(await world.call('finance_payables_cancel', args())).toMatchObject({
      id,
      status: 'canceled',
      canceled_reason: 'contract ended',
      amount_due: '0.00',
      overdue: false,
    });
    const { items } = await world.call('finance_payables_list', { status: 'canceled', limit: 1 });
    expect(items[0]).toMatchObject({ id, status: 'canceled' });
  });

  test('asks with supplier, description, amount and due date', async () => {
    const { message } = await world.ask('finance_payables_cancel', args());
    for (const line of [
      'Fornecedor: "Serra Imóveis"',
      'Descrição: "Rent"',
      'Valor: R$ 100,00',
      'Em aberto: R$ 100,00',
      'Vencimento: 05/10/2026',
    ]) {
      expect(message).toContain(line);
    }
  });

  test('does nothing when the person says no', async () => {
    const { state } = await world.ask('finance_payables_cancel', args());
    const responses = { confirm: { action: 'decline' } };
    await expect(world.send('finance_payables_cancel', args(), { state, responses })).rejects.toMatchObject({
      code: 'USER_DECLINED',
    });
    expect(await world.call('finance_payables_get', { id })).toMatchObject({ status: 'open' });
  });

  test('asks again when the amount changed before the yes', async () => {
    const { state } = await world.ask('finance_payables_cancel', args());
    await world.call('finance_payables_update', { id, amount: '120.00' });
    const responses = { confirm: { action: 'accept', content: { confirm: true } } };
    const outcome = await world.send('finance_payables_cancel', args(), { state, responses });
    expect(outcome.kind).toBe('ask');
    expect(await world.call('finance_payables_get', { id })).toMatchObject({ status: 'open' });
  });

  test('is never asked about a partly paid bill, one with a live order, or one canceled already', async () => {
    const order = await insertOrder('processing');
    await expect(world.ask('finance_payables_cancel', args())).rejects.toMatchObject({
      code: 'invalid_state',
      details: { kind: 'payment', id: order, from: 'processing' },
    });
    await world.look("update payments set status = 'failed' where id = $1", [order]);
    await settle();
    await expect(world.ask('finance_payables_cancel', args())).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'partially_paid', allowed: ['open'] },
    });
    id = (await createBill(world, { company_id, person_id }))['id'];
    await world.call('finance_payables_cancel', args());
    await expect(world.ask('finance_payables_cancel', args())).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'canceled', allowed: ['open'] },
    });
  });
});

describe('deleting', () => {
  test('removes a mistaken bill and its ties to files, and records it', async () => {
    const file = { name: 'bill.txt', content_base64: Buffer.from('a bill').toString('base64') };
    const { attachment } = await world.call('finance_attachments_upload', {
      file,
      link_to: { kind: 'payable', id },
    });
    expect((await world.call('finance_payables_get', { id }))['attachments']).toEqual([
      { id: attachment['id'], file_name: 'bill.txt', content_type: attachment['content_type'] },
    ]);
    expect(await world.call('finance_payables_delete', { id })).toEqual({ id, deleted: true });
    await expect(world.call('finance_payables_get', { id })).rejects.toMatchObject({ code: 'not_found' });
    expect(await world.call('finance_attachments_get', { attachment_id: attachment['id'] })).toMatchObject({
      links: [],
    });
    const events = await world.look<{ body: string }>(
      "select body from events where operation = 'finance_payables_delete' order by position desc limit 1",
    );
    expect(JSON.parse(events[0]!.body).changes).toMatchObject([{ kind: 'payable', id, after: null }]);
  });

  test('leaves what has a history: settlements, even undone, and orders, even failed', async () => {
    const { settlement } = await settle();
    await world.call('finance_payables_unsettle', { id, settlement_id: settlement.id, reason: 'wrong bill' });
    await expect(world.ask('finance_payables_delete', { id })).rejects.toMatchObject({
      code: 'in_use',
      details: { by: [{ kind: 'settlement', id: settlement.id }] },
    });
    id = (await createBill(world, { company_id, person_id }))['id'];
    const order = await insertOrder('failed');
    await expect(world.ask('finance_payables_delete', { id })).rejects.toMatchObject({
      code: 'in_use',
      details: { by: [{ kind: 'payment', id: order }] },
    });
  });

  test('invariant 9: leaves a bill of a closed month, as canceling does', async () => {
    const closed = await createCompany(world);
    id = (await createBill(world, { company_id: closed, person_id, competence_month: '2026-08' }))['id'];
    await world.call('finance_companies_update', { id: closed, books_closed_until: '2026-08-31' });
    const error = { code: 'books_closed', details: { until: '2026-08-31' } };
    await expect(world.ask('finance_payables_delete', { id })).rejects.toMatchObject(error);
    await expect(world.ask('finance_payables_cancel', { id, reason: 'x' })).rejects.toMatchObject(error);
  });
});

test.each(['finance_payables_cancel', 'finance_payables_delete'])(
  '%s refuses a connection that only reads, a role that does not write, and another organization',
  async (name) => {
    const args = { id, ...(name.endsWith('cancel') && { reason: 'x' }) };
    await expect(world.ask(name, args, 'reader')).rejects.toMatchObject({ code: 'insufficient_scope' });
    await expect(world.ask(name, args, 'viewer')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(world.ask(name, args, 'stranger')).rejects.toMatchObject({
      code: 'not_found',
      details: { kind: 'payable', id },
    });
  },
);
