import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBills, createPayer, type Payer } from '../../../../test/support/banking.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';
import { newId } from '../../../core/ids.ts';

const BULK = 'finance_payables_bulk_send_to_bank';

let world: World;
let payer: Payer;

beforeAll(async () => {
  world = await openWorld();
  payer = await createPayer(world);
});
afterAll(() => world.close());

const orders = async () => (await world.look('select id from payments')).length;
const bills = (count: number, amount = '10.00') => createBills(world, payer, count, { amount });

describe('sending many', () => {
  test('makes one order each after one confirmation, and tells the total', async () => {
    const ids = await bills(3);
    const before = await orders();
    const result = await world.call(BULK, { ids, account_id: payer.accountId, expected_total: '30.00' });
    expect(result).toMatchObject({ requested: 3, total: '30.00', failed: [] });
    expect(result['succeeded'].map(({ id }: { id: string }) => id).sort()).toEqual([...ids].sort());
    expect(await orders()).toBe(before + 3);
    const [event] = await world.look<{ body: string }>(
      'select body from events where operation = $1 order by position desc limit 1',
      [BULK],
    );
    expect(JSON.parse(event!.body).changes).toHaveLength(3);
  });

  test('counts an id given twice once', async () => {
    const [id] = await bills(1);
    const result = await world.call(BULK, { ids: [id, id], account_id: payer.accountId });
    expect(result).toMatchObject({ requested: 1, total: '10.00' });
  });

  test('tells the ones that a rule refuses, and sends the others', async () => {
    const [good, canceled, sent] = await bills(3);
    const missing = newId();
    await world.look("update payables set status = 'canceled' where id = $1", [canceled]);
    await world.call('finance_payables_send_to_bank', { id: sent, account_id: payer.accountId });
    const args = { ids: [good, canceled, sent, missing], account_id: payer.accountId };
    const { message } = await world.ask(BULK, args);
    expect(message).toContain('- Pagamentos: 1\n');
    expect(message).toContain('- Total: R$ 10,00\n');
    expect(message).toContain(`- ${canceled}: não será enviado: invalid_state`);
    const result = await world.call(BULK, args);
    expect(result['succeeded']).toMatchObject([{ id: good, amount: '10.00' }]);
    expect(
      Object.fromEntries(result['failed'].map(({ id, code }: { id: string; code: string }) => [id, code])),
    ).toEqual({ [canceled!]: 'invalid_state', [sent!]: 'duplicate', [missing]: 'not_found' });
    expect(result['failed'][0].message).toMatch(/^The record|^A record|^There is/);
  });

  test('asks nothing when not one of them may go', async () => {
    const [id] = await bills(1);
    await world.look("update payables set approval_status = 'pending' where id = $1", [id]);
    await expect(world.ask(BULK, { ids: [id], account_id: payer.accountId })).rejects.toMatchObject({
      code: 'approval_required',
    });
  });

  test('stops all when the total is not the expected one', async () => {
    const ids = await bills(2);
    const before = await orders();
    await expect(
      world.call(BULK, { ids, account_id: payer.accountId, expected_total: '20.01' }),
    ).rejects.toMatchObject({ code: 'amount_changed', details: { expected: '20.01', actual: '20.00' } });
    expect(await orders()).toBe(before);
  });

  test('shows the plan in a dry run, without asking and without a trace', async () => {
    const ids = await bills(2);
    const before = await orders();
    const outcome = await world.send(BULK, { ids, account_id: payer.accountId, dry_run: true });
    expect(outcome).toMatchObject({ kind: 'done', output: { requested: 2, total: '20.00' } });
    expect(await orders()).toBe(before);
    const left = await world.look(
      'select id from bank_commands where payment_id not in (select id from payments)',
    );
    expect(left).toEqual([]);
  });
});

describe('SE-10: the question', () => {
  test('holds count, total and every one of 100 ids with payee and amount; 101 are refused', async () => {
    const ids = await bills(100, '1.00');
    const { message } = await world.ask(BULK, { ids, account_id: payer.accountId });
    expect(message).toContain('- Pagamentos: 100\n');
    expect(message).toContain('- Total: R$ 100,00\n');
    for (const id of ids)
      expect(message).toMatch(new RegExp(`- Paga ${id}: "R\\$ 1,00; 01/10/2026; Fornecedor`));
    await expect(
      world.ask(BULK, { ids: [...ids, newId()], account_id: payer.accountId }),
    ).rejects.toMatchObject({ code: 'invalid_argument', details: { path: 'ids' } });
    await expect(world.ask(BULK, { ids: [], account_id: payer.accountId })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'ids' },
    });
  });

  test('SE-05: comes again when one of the bills was paid in between, naming it', async () => {
    const [first, second] = await bills(2);
    const args = { ids: [first, second], account_id: payer.accountId };
    const { state } = await world.ask(BULK, args);
    await world.look('update payables set amount_cents = 1100 where id = $1', [second]);
    const responses = { confirm: { action: 'accept', content: { confirm: true } } };
    const outcome = await world.send(BULK, args, { state, responses });
    expect(outcome).toMatchObject({ kind: 'ask' });
    const { message } = (outcome as { question: { message: string } }).question;
    expect(message).toContain(`- Paga ${second}: "R$ 11,00;`);
    expect(message).toMatch(new RegExp(`Paga ${second}.*mudou desde a pergunta anterior`));
    expect(message).not.toMatch(new RegExp(`Paga ${first}.*mudou desde a pergunta anterior`));
  });
});

test('is refused without the right to send, and finds nothing of another organization', async () => {
  const ids = await bills(1);
  await expect(world.call(BULK, { ids, account_id: payer.accountId }, 'viewer')).rejects.toMatchObject({
    code: 'forbidden',
  });
  await expect(world.call(BULK, { ids, account_id: payer.accountId }, 'reader')).rejects.toMatchObject({
    code: 'insufficient_scope',
  });
  await expect(world.call(BULK, { ids, account_id: payer.accountId }, 'stranger')).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('two overlapping lists confirmed at the same moment never wait for each other and pay each bill once', async () => {
  const ids = await bills(6);
  const lists = [ids, [...ids].reverse()].map((list) => ({ ids: list, account_id: payer.accountId }));
  const states = [await world.ask(BULK, lists[0]!), await world.ask(BULK, lists[1]!, 'approver')];
  const results = await Promise.allSettled([
    world.confirm(BULK, lists[0]!, states[0]!.state),
    world.confirm(BULK, lists[1]!, states[1]!.state, 'approver'),
  ]);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const lost = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
  expect(lost.reason).toMatchObject({ code: 'duplicate' });
  const paid = await world.look<{ payable_id: string }>(
    'select payable_id from payments where payable_id = any($1::uuid[])',
    [ids],
  );
  expect(paid).toHaveLength(6);
});
