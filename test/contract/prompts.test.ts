/** The prompts of the real products, over HTTP and a real database. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../../src/core/caller.ts';
import { call } from '../support/confirming.ts';
import { type HttpServer, openServer } from '../support/http.ts';
import type { Answer, RawClient } from '../support/raw-client.ts';
import { openWorld, type World } from '../support/world.ts';
import { answerTo, clientOf, createRecords, type Records, tokenFor, withoutScopes } from './product.ts';

const NOW = '2026-10-01T12:00:00Z';

let world: World;
let server: HttpServer;
let client: RawClient;
let records: Records;

beforeAll(async () => {
  world = await openWorld();
  server = await openServer(world);
  client = server.client();
  records = await createRecords(world, 'owner', world.workspaceId);
});
afterAll(async () => {
  await server.close();
  await world.close();
});

const get = (args: object = {}, by = client) =>
  by.m('prompts/get', { name: 'overdue_payables', arguments: args });
const textOf = ({ body }: Answer): string => body.result.messages[0].content.text;

it('PR-02: is there only for who may list payables', async () => {
  const caller = await world.caller('owner');
  const names = async (by: Caller) =>
    (await answerTo(world, by, 'prompts/list')).result.prompts.map(({ name }: any) => name);
  expect(await names(caller)).toContain('overdue_payables');
  const without = withoutScopes(caller, ['finance.payables']);
  expect(await names(without)).not.toContain('overdue_payables');
  expect(await names(without)).toContain('overdue_receivables');
  const unknown = { error: { code: -32602, message: 'Unknown prompt', data: undefined } };
  expect(await answerTo(world, without, 'prompts/get', { name: 'overdue_payables' })).toEqual(unknown);
  const { token } = await tokenFor(world, { role: 'collections' });
  const refused = await get({}, clientOf(server.port, token));
  expect(refused.body.error).toEqual({ code: -32602, message: 'Unknown prompt' });
});

it('PR-05: is one message of the person and its description', async () => {
  const { result } = (await get()).body;
  expect(result.messages).toEqual([{ role: 'user', content: { type: 'text', text: expect.any(String) } }]);
  expect(result.description).toBe('Lists the overdue payables still open, oldest first, with the total due.');
});

it('PR-04: ends with the word that nothing is paid or changed unless asked for', async () => {
  expect(textOf(await get())).toMatch(
    /Apenas consulte: não altere, aprove, cancele nem pague nada, a menos que eu peça\. [^\n]+$/,
  );
});

it('PR-11 PR-13: tells the day at the place of the books, which is not yet that of UTC', async () => {
  try {
    world.setNow('2026-10-02T02:30:00Z');
    expect(textOf(await get())).toContain('Hoje é 01/10/2026 (fuso America/Sao_Paulo).');
    world.setNow('2026-10-02T03:30:00Z');
    expect(textOf(await get())).toContain('Hoje é 02/10/2026 (fuso America/Sao_Paulo).');
  } finally {
    world.setNow(NOW);
  }
});

it('PR-13: the call it asks for gives the overdue bills still open, oldest first, with the total', async () => {
  const args = { overdue: true, sort: 'due_date', limit: 100 };
  const text = textOf(await get({ company_id: records.company }));
  expect(text).toContain(
    `finance_payables_list com { overdue: true, sort: "due_date", company_id: "${records.company}", limit: 100 }`,
  );
  const bills = [
    ['2026-09-20', '30.00'],
    ['2026-08-01', '20.00'],
    ['2026-10-01', '50.00'],
  ];
  for (const [due_date, amount] of bills) {
    await call(client, 'finance_payables_create', {
      company_id: records.company,
      person_id: records.person,
      description: `Conta de ${due_date}`,
      amount,
      due_date,
    });
  }
  const listed = await call(client, 'finance_payables_list', { ...args, company_id: records.company });
  expect(listed['items'].map(({ due_date }: any) => due_date)).toEqual([
    '2026-08-01',
    '2026-09-15',
    '2026-09-20',
  ]);
  expect(listed['total_open']).toEqual({ amount: '150.00', count: 3 });
});
