import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount, createCompany } from '../../../test/support/records.ts';
import { importStatement, ofxOf } from '../../../test/support/statements.ts';
import { openWorld, type Who, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';

let world: World;
let companyId: string;

beforeAll(async () => {
  world = await openWorld();
  companyId = await createCompany(world);
});
afterAll(() => world.close());

const bytes = ofxOf(
  [
    { date: '2026-08-03', amount: '-100.00', text: 'Aluguel', reference: 'R1' },
    { date: '2026-08-04', amount: '250.50', text: 'Venda', reference: 'R2' },
  ],
  { closing: { date: '2026-08-31', amount: '150.50' } },
);

async function imported() {
  const accountId = await createAccount(world, { company_id: companyId });
  const { import: made } = await importStatement(world, accountId, bytes);
  return { accountId, importId: made.id as string };
}
const revert = (id: string, more: object = {}, who: Who = 'owner') =>
  world.call('finance_statement_imports_revert', { id, ...more }, who);
const linesOf = (accountId: string) =>
  world.look<{ id: string }>('select id from financial_transactions where account_id = $1 order by date', [
    accountId,
  ]);
const balancesOf = (accountId: string) =>
  world.look('select id from account_balances where account_id = $1', [accountId]);

describe('taking an import back', () => {
  test('asks with account, file, period, lines and totals; then lines and balance are gone, the import and its file stay', async () => {
    const { accountId, importId } = await imported();
    const question = await world.ask('finance_statement_imports_revert', { id: importId });
    const text = JSON.stringify(question);
    for (const part of ['extrato.ofx', '***56-7', '03/08/2026', '04/08/2026', 'R$ 250,50', 'R$ 100,00']) {
      expect(text).toContain(part);
    }
    const result = await revert(importId, { reason: 'Conta errada' });
    expect(result).toMatchObject({
      id: importId,
      status: 'reverted',
      revert_reason: 'Conta errada',
      counts: { created: 2 },
      version: 2,
    });
    expect(result['attachments']).toHaveLength(1);
    expect(await linesOf(accountId)).toEqual([]);
    expect(await balancesOf(accountId)).toEqual([]);
  });

  test('lets the same file come again, as another import', async () => {
    const { accountId, importId } = await imported();
    await revert(importId);
    const again = await importStatement(world, accountId, bytes);
    expect(again).toMatchObject({ already_imported: false, counts: { created: 2, duplicate: 0 } });
    expect(again['import'].id).not.toBe(importId);
    expect(await linesOf(accountId)).toHaveLength(2);
  });

  test('leaves the lines of other imports of the account', async () => {
    const { accountId, importId } = await imported();
    const more = ofxOf([{ date: '2026-08-05', amount: '1.00', text: 'Outra', reference: 'R3' }]);
    await importStatement(world, accountId, more);
    await revert(importId);
    expect(await linesOf(accountId)).toHaveLength(1);
  });

  test('is refused twice', async () => {
    const { importId } = await imported();
    await revert(importId);
    await expect(revert(importId)).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'reverted', allowed: ['processed'] },
    });
  });

  test.each([
    ['reconciled, even in part', 'update financial_transactions set reconciled_cents = 1 where id = $1'],
    [
      'in the place of an entry of ours',
      `insert into financial_transactions (workspace_id, id, account_id, date, direction, amount_cents, description, source, ignored, superseded_by, created_by)
       select workspace_id, gen_random_uuid(), account_id, date, direction, amount_cents, 'Ours', 'manual', true, id, created_by
         from financial_transactions where id = $1`,
    ],
  ])('is refused while a line is %s, naming the line', async (_what, statement) => {
    const { accountId, importId } = await imported();
    const [line] = await linesOf(accountId);
    await world.look(statement, [line!.id]);
    await expect(revert(importId)).rejects.toMatchObject({
      code: 'already_reconciled',
      details: { kind: 'financial_transaction', id: line!.id },
    });
    expect((await linesOf(accountId)).length).toBeGreaterThanOrEqual(2);
    expect(await balancesOf(accountId)).toHaveLength(1);
  });

  test('is refused while a line is a leg of a transfer, naming the transfer', async () => {
    const { accountId, importId } = await imported();
    const other = await createAccount(world, { company_id: companyId });
    const [line] = await linesOf(accountId);
    const transferId = newId();
    await world.look(
      `insert into transfers (workspace_id, id, from_account_id, to_account_id, amount_cents, method, scheduled_for, origin, status,
                              registration_status, debit_transaction_id, created_by)
       values ($1, $2, $3, $4, 10000, 'internal', '2026-08-03', 'linked', 'confirmed', 'none', $5, $1)`,
      [world.workspaceId, transferId, accountId, other, line!.id],
    );
    await expect(revert(importId)).rejects.toMatchObject({
      code: 'in_use',
      details: { by: [{ kind: 'transfer', id: transferId }] },
    });
  });

  test('MODEL 14.9: is refused while a line lies in closed books', async () => {
    const { accountId, importId } = await imported();
    const closed = await createCompany(world);
    await world.look('update financial_accounts set company_id = $2 where id = $1', [accountId, closed]);
    await world.look(`update companies set books_closed_until = '2026-08-03' where id = $1`, [closed]);
    await expect(revert(importId)).rejects.toMatchObject({ code: 'books_closed' });
  });

  test('checks again after the question: a line reconciled meanwhile keeps everything', async () => {
    const { accountId, importId } = await imported();
    const { state } = await world.ask('finance_statement_imports_revert', { id: importId });
    await world.look('update financial_transactions set reconciled_cents = 1 where account_id = $1', [
      accountId,
    ]);
    await expect(
      world.confirm('finance_statement_imports_revert', { id: importId }, state),
    ).rejects.toMatchObject({ code: 'already_reconciled' });
    expect(await linesOf(accountId)).toHaveLength(2);
  });

  test('is hidden from others and refused to those who may only read', async () => {
    const { importId } = await imported();
    await expect(revert(importId, {}, 'stranger')).rejects.toMatchObject({ code: 'not_found' });
    await expect(revert(importId, {}, 'reader')).rejects.toMatchObject({ code: 'insufficient_scope' });
    await expect(revert(importId, {}, 'viewer')).rejects.toMatchObject({ code: 'forbidden' });
  });
});
