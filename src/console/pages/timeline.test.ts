import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount, createBill, createCompany, createSupplier } from '../../../test/support/records.ts';
import { openSession } from '../../../test/support/session.ts';
import { type ConsoleServer, openConsole, type Visitor } from '../../../test/support/visitor.ts';
import { openWorld, type Who, type World } from '../../../test/support/world.ts';
import { account } from '../../account/index.ts';
import { dunning, jobs as dunningJobs } from '../../dunning/index.ts';
import { finance, jobs as financeJobs } from '../../finance/index.ts';
import { csvCell, csvOf, EXPORT_MAX, jsonOf } from './timeline-export.ts';
import { fieldName, fieldValue, hasKindName, kindName } from './timeline-fields.ts';
import { hasSentence, sentenceOf } from './timeline-operations.ts';
import { dayOf, throughOf } from './timeline-view.ts';
import type { TimelineEvent } from './timeline-words.ts';

const ROOT = join(import.meta.dirname, '../../..');

const event: TimelineEvent = {
  id: 'a',
  position: 1,
  at: '2026-10-01T12:00:00Z',
  actor: { user_id: 'u', name: '=Ana', client_id: 'agent', client_name: null, surface: 'mcp' },
  operation: 'finance_payables_create',
  outcome: 'done',
  error_code: null,
  is_confirmed: false,
  confirmation: null,
  changes: [
    { kind: 'payable', id: 'p', what: 'created', fields: [{ name: 'amount', before: null, after: '-1.00' }] },
  ],
  changes_count: 1,
  is_cut: false,
};
const textOf = async (parts: AsyncIterable<string>) => {
  let text = '';
  for await (const part of parts) text += part;
  return text;
};

test('every operation that changes something, and every job, reads as a sentence', () => {
  const catalogues = [finance.catalogue, dunning.catalogue, account];
  const names = [
    ...catalogues.flatMap(({ operations }) =>
      operations.filter(({ effect }) => effect !== 'read').map(({ name }) => name),
    ),
    ...[...financeJobs, ...dunningJobs].map(({ task }) => task),
  ];
  expect(names.length).toBeGreaterThan(150);
  expect(names.filter((name) => !hasSentence(name))).toEqual([]);
  expect(sentenceOf('something_new', 'en')).toBe('ran “something new”');
});

test('every kind of record that an operation records has a name', () => {
  const kinds = new Set<string>();
  for (const path of globSync('src/{finance,dunning,account,core,approvals}/**/*.ts', { cwd: ROOT })) {
    if (path.endsWith('.test.ts')) continue;
    const text = readFileSync(join(ROOT, path), 'utf8');
    for (const [, kind] of text.matchAll(/changed\(\s*'([a-z_]+)'/g)) kinds.add(kind!);
  }
  expect(kinds.size).toBeGreaterThan(40);
  expect([...kinds].filter((kind) => !hasKindName(kind))).toEqual([]);
});

test('fields and values are told as people read them', () => {
  expect(fieldName('due_date', 'pt-BR')).toBe('Vencimento');
  expect(fieldName('due_date', 'en')).toBe('Due date');
  expect(fieldName('something_id', 'pt-BR')).toBe('Something');
  expect(kindName('payable', 'pt-BR')).toBe('conta a pagar');
  expect(kindName('new_kind', 'en')).toBe('new kind');
  const forms = {
    money: (amount: string) => `R$ ${amount}`,
    date: (day: string) => `day ${day}`,
    instant: (instant: string) => `at ${instant}`,
  };
  expect(fieldValue('amount', '1.00', 'en', forms)).toBe('R$ 1.00');
  expect(fieldValue('fine_percent', '2.00', 'en', forms)).toBe('2.00');
  expect(fieldValue('due_date', '2026-10-01', 'en', forms)).toBe('day 2026-10-01');
  expect(fieldValue('active', 'true', 'pt-BR', forms)).toBe('sim');
  expect(fieldValue('sent_at', '2026-10-01T12:00:00Z', 'en', forms)).toBe('at 2026-10-01T12:00:00Z');
  expect(fieldValue('person', '{"id":"x","name":"Ana"}', 'en', forms)).toBe('Ana');
  expect(fieldValue('tags', '["a","b"]', 'en', forms)).toBe('a, b');
  expect(fieldValue('tags', '[]', 'en', forms)).toBe('–');
  expect(fieldValue('by', '{"at":null,"due_days":2}', 'en', forms)).toBe('due days: 2');
  expect(fieldValue('text', '["cut off …', 'en', forms)).toBe('["cut off …');
});

test('what something came through is told by its name, and what is no application in words of ours', () => {
  const through = (client_id: string, client_name: string | null, surface: string) =>
    throughOf('pt-BR', { actor: { ...event.actor, client_id, client_name, surface } });
  expect(through('CnL2xax', 'Agente', 'mcp')).toBe('por meio de Agente (MCP)');
  expect(through('CnL2xax', null, 'mcp')).toBe('por meio de CnL2xax (MCP)');
  expect(through('personal-access-token', null, 'rest')).toBe('por meio de um token pessoal (REST)');
  expect(through('console', null, 'console')).toBe('pelo console');
  expect(through('worker', null, 'job')).toBe('por uma tarefa automática');
  expect(through('command line', null, 'cli')).toBe('pela linha de comando');
});

test('an event belongs to the day it was at the place of the books', () => {
  expect(dayOf('2026-10-01T01:30:00Z', 'America/Sao_Paulo')).toBe('2026-09-30');
  expect(dayOf('2026-10-01T01:30:00Z', 'UTC')).toBe('2026-10-01');
});

describe('a file of events', () => {
  test('holds no formula: what a spreadsheet would run begins with an apostrophe', () => {
    for (const text of ['=1+1', '+1+1', '-1+1', '@SUM(A1)', '\tx', '\rx', '\nx']) {
      expect(csvCell(text)).toBe(`"'${text}"`);
    }
    // Parted at semicolons, the quotes of a cell that is not the first of its line are none.
    expect(csvCell('Ana;=1+1;x')).toBe(`"Ana;'=1+1;x"`);
    expect(csvCell('Ana\n@SUM(A1)')).toBe(`"Ana\n'@SUM(A1)"`);
    expect(csvCell('Ana; "+1')).toBe(`"Ana; ""'+1"`);
    expect(csvCell('a;b - c=d')).toBe('"a;b - c=d"');
    expect(csvCell('-12.50')).toBe('"-12.50"');
    expect(csvCell('say "hi", ok')).toBe('"say ""hi"", ok"');
    expect(csvCell(null)).toBe('""');
  });

  test('is made page by page, and says where it was cut', async () => {
    let pages = 0;
    const endless = async () => {
      pages += 1;
      return { items: Array.from({ length: 100 }, () => event), next_cursor: 'more' };
    };
    const csv = await textOf(csvOf('en', endless));
    expect(pages).toBe(EXPORT_MAX / 100);
    expect(csv.split('\r\n')).toHaveLength(1 + EXPORT_MAX + 2);
    expect(csv).toContain('"\'=Ana"');
    expect(csv.endsWith('"cut after 10,000 entries"\r\n')).toBe(true);
    const whole = async (cursor: string | null) => ({
      items: cursor === 'empty' ? [] : [event],
      next_cursor: cursor === null ? 'next' : cursor === 'next' ? 'empty' : null,
    });
    expect(JSON.parse(await textOf(jsonOf(whole)))).toEqual({ events: [event, event], is_complete: true });
    expect(JSON.parse(await textOf(jsonOf(endless)))).toMatchObject({ is_complete: false });
  });
});

describe('the page', () => {
  let world: World;
  let server: ConsoleServer;
  let accountant: Visitor;
  let bill: string;
  let path: string;

  const signedIn = async (who: Who) => server.visitor((await openSession(world, who)).secret);

  beforeAll(async () => {
    world = await openWorld();
    server = await openConsole(world);
    path = `/console/timeline?workspace=${world.workspaceId}&of=finance`;
    const company_id = await createCompany(world);
    await createAccount(world, { company_id });
    const person_id = await createSupplier(world);
    bill = (await createBill(world, { company_id, person_id, description: 'Aluguel' }))['id'];
    const description = '<script>alert(1)</script>';
    await world.call('finance_payables_update', { id: bill, description }, 'approver');
    await world.call('finance_payables_cancel', { id: bill, reason: 'em dobro' });
    for (let index = 0; index < 30; index += 1) await createSupplier(world);
    accountant = await signedIn('accountant');
  });
  afterAll(async () => {
    await server.close();
    await world.close();
  });

  test('tells who did what, through what, and what it was before and after', async () => {
    const page = await accountant.get(`${path}&id=${bill}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain('<strong>Person approver</strong> alterou uma conta a pagar');
    expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page.text).not.toContain('<script>alert');
    expect(page.text).toContain('<th scope="row">Descrição</th><td>Aluguel</td>');
    expect(page.text).toContain('A pergunta e a resposta');
    expect(page.text).toContain('Cancelar conta a pagar');
  });

  test('goes on from page to page, and filters by person, kind and day', async () => {
    const first = await accountant.get(path);
    expect(first.text.match(/<li id="event-/g)).toHaveLength(25);
    const next = /href="(\/console\/timeline\?[^"]*cursor=[^"]*)"/.exec(first.text)![1]!;
    const second = await accountant.get(next.replaceAll('&amp;', '&'));
    const rest = second.text.match(/<li id="event-/g)?.length ?? 0;
    expect(rest).toBeGreaterThan(5);
    const approver = (await world.caller('approver')).user.id;
    expect((await accountant.get(`${path}&actor=${approver}`)).text.match(/<li id="event-/g)).toHaveLength(1);
    expect((await accountant.get(`${path}&resource=payable`)).text.match(/<li id="event-/g)).toHaveLength(3);
    expect((await accountant.get(`${path}&date_to=2020-01-01`)).text).toContain(
      'Nada aconteceu com estes filtros.',
    );
    const wrong = await accountant.get(`${path}&id=x`);
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('role="alert"');
  });

  test('checks the chain and says when it is whole, and where it breaks', async () => {
    await accountant.get(path);
    const verify = () =>
      accountant.post(`/console/timeline/verify?workspace=${world.workspaceId}`, { of: 'finance' });
    const whole = await verify();
    expect((await accountant.follow(whole)).text).toMatch(
      /A corrente está inteira: \d+ registros conferidos\./,
    );
    const place = [world.workspaceId];
    await world.look(
      "update events set body = replace(body, 'Aluguel', 'Aluguer') where tenant_id = $1",
      place,
    );
    expect((await verify()).text).toMatch(/A corrente está quebrada no registro \d+\./);
    await world.look(
      "update events set body = replace(body, 'Aluguer', 'Aluguel') where tenant_id = $1",
      place,
    );
  });

  test('gives the filtered events as a file to keep', async () => {
    const query = `&workspace=${world.workspaceId}&of=finance&id=${bill}`;
    const csv = await accountant.get(`/console/timeline/export?format=csv${query}`);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('content-disposition')).toMatch(
      /^attachment; filename="kobana-finance-2026-10-01\.csv"$/,
    );
    expect(csv.text).toContain('"alterou uma conta a pagar"');
    const json = await accountant.get(`/console/timeline/export?format=json${query}`);
    expect(JSON.parse(json.text)).toMatchObject({ is_complete: true, events: { length: 3 } });
    const all = await accountant.get(
      `/console/timeline/export?format=json&of=finance&workspace=${world.workspaceId}`,
    );
    expect(JSON.parse(all.text).events.length).toBeGreaterThan(30);
  });

  test('is for those who audit, of their own books', async () => {
    const viewer = await signedIn('viewer');
    await viewer.get('/console/passkeys');
    expect((await viewer.get(path)).status).toBe(403);
    expect((await viewer.get(`/console/timeline/export?format=csv&of=finance`)).status).toBe(403);
    expect((await viewer.post('/console/timeline/verify', { of: 'dunning' })).status).toBe(403);
    const stranger = await signedIn('stranger');
    expect((await stranger.get(path)).status).toBe(404);
    expect((await stranger.get('/console/timeline?of=finance')).text).not.toContain('Person approver');
    expect((await accountant.get('/console/timeline?of=other')).status).toBe(404);
  });
});
