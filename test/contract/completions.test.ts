/** Suggestions of the real products, over HTTP and a real database. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../support/confirming.ts';
import { type HttpServer, openServer } from '../support/http.ts';
import type { Answer, RawClient } from '../support/raw-client.ts';
import { openWorld, type World } from '../support/world.ts';
import { clientOf, createRecords, type Records, tokenFor } from './product.ts';

let world: World;
let server: HttpServer;
let client: RawClient;
let records: Records;
let foreign: Records;

beforeAll(async () => {
  world = await openWorld();
  server = await openServer(world);
  client = server.client();
  records = await createRecords(world, 'owner', world.workspaceId);
  foreign = await createRecords(world, 'stranger', world.foreignWorkspaceId);
  for (const amount of ['20.00', '30.00', '40.00']) {
    await call(client, 'finance_payables_create', {
      company_id: records.company,
      person_id: records.person,
      description: `Conta de ${amount}`,
      amount,
      due_date: '2026-10-20',
    });
  }
});
afterAll(async () => {
  await server.close();
  await world.close();
});

const read = (uri: string) => client.m('resources/read', { uri });
const complete = (ref: object, name: string, value: string, by: RawClient = client) =>
  by.m('completion/complete', { ref, argument: { name, value } });
const valuesOf = ({ body }: Answer): string[] => body.result.completion.values;

const payables = { type: 'ref/resource', uri: 'kobana://finance/payables/{id}' };

it('CO-08: who may not list, or has no workspace, gets the same empty list as who has no match', async () => {
  const { token } = await tokenFor(world, { role: 'collections' });
  const empty = (await complete(payables, 'id', 'ffffffff')).body.result;
  expect(empty.completion).toEqual({ values: [], hasMore: false });
  const noPermission = await complete(payables, 'id', '', clientOf(server.port, token));
  const noWorkspace = await complete(payables, 'id', '', server.client('several'));
  expect(noPermission.body.result).toEqual(empty);
  expect(noWorkspace.body.result).toEqual(empty);
  expect(valuesOf(await complete(payables, 'id', '')).length).toBeGreaterThan(0);
});

it('CO-09 CO-17: suggests records of the own workspace, newest first, by what was typed', async () => {
  const rows = await world.look<{ id: string }>(
    'select id from payables where workspace_id = $1 order by created_at desc, id desc',
    [world.workspaceId],
  );
  const newestFirst = rows.map(({ id }) => id);
  expect(valuesOf(await complete(payables, 'id', ''))).toEqual(newestFirst);
  expect(valuesOf(await complete(payables, 'id', ''))).not.toContain(foreign.payable);
  expect(valuesOf(await complete(payables, 'id', records.payable.toUpperCase()))).toEqual([records.payable]);
  const half = records.payable.slice(0, 30);
  expect(valuesOf(await complete(payables, 'id', half))).toEqual(
    newestFirst.filter((id) => id.startsWith(half)),
  );
});

it.each([
  ['companies/{id}', 'id', 'company'],
  ['people/{id}', 'id', 'person'],
  ['receivables/{id}', 'id', 'receivable'],
  ['financial-transactions/{id}', 'id', 'transaction'],
  ['financial-accounts/{account_id}', 'account_id', 'account'],
  ['financial-accounts/{account_id}/balances/latest', 'account_id', 'account'],
  ['fiscal-documents/{id}', 'id', 'fiscalDocument'],
  ['attachments/{attachment_id}', 'attachment_id', 'attachment'],
  ['attachments/{attachment_id}/download', 'attachment_id', 'attachment'],
] as const)('CO-09 CO-13: %s suggests what its listing has, and it can be read', async (path, name, kind) => {
  const uri = `kobana://finance/${path}`;
  const values = valuesOf(await complete({ type: 'ref/resource', uri }, name, ''));
  expect(values).toContain(records[kind]);
  expect(values).not.toContain(foreign[kind]);
  // Not every account has a recorded balance; the others are read like any record.
  for (const value of path.endsWith('latest') ? [records[kind]] : values.slice(0, 3)) {
    const { body } = await read(uri.replace(`{${name}}`, value));
    expect(body.error, uri).toBeUndefined();
  }
});

it('CO-09: the company of the prompt is suggested too', async () => {
  const ref = { type: 'ref/prompt', name: 'overdue_payables' };
  expect(valuesOf(await complete(ref, 'company_id', ''))).toEqual([records.company]);
});

it('CO-11: the month of the summary is one of the last twelve, newest first', async () => {
  const ref = { type: 'ref/prompt', name: 'monthly_summary' };
  const months = valuesOf(await complete(ref, 'month', ''));
  expect(months).toHaveLength(12);
  expect([months[0], months.at(-1)]).toEqual(['2026-10', '2025-11']);
  expect(valuesOf(await complete(ref, 'month', '2026-0'))).toEqual(
    months.filter((month) => month.startsWith('2026-0')),
  );
});

it('CO-09: the people of the prompts are suggested, too', async () => {
  for (const name of ['overdue_receivables', 'person_overview']) {
    expect(valuesOf(await complete({ type: 'ref/prompt', name }, 'person_id', ''))).toContain(records.person);
  }
});

it('CO-10 CO-17: names of the contract by their beginning, whatever the case typed, in the order of the catalogue', async () => {
  const ref = { type: 'ref/resource', uri: 'kobana://finance/schemas/{schema}' };
  const { items } = await call(client, 'finance_schemas_list', {});
  const names = items.map(({ name }: any) => name).filter((name: string) => name.startsWith('pay'));
  expect(names.length).toBeGreaterThan(3);
  for (const typed of ['pay', 'PAY', 'Pay']) {
    expect(valuesOf(await complete(ref, 'schema', typed))).toEqual(names);
  }
  for (const name of names.slice(0, 3)) {
    expect((await read(`kobana://finance/schemas/${name}`)).body.error).toBeUndefined();
  }
});
