/** Suggestions of dunning, over HTTP and a real database. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCharge, createDebtor } from '../support/dunning.ts';
import { type HttpServer, openServer } from '../support/http.ts';
import type { Answer, RawClient } from '../support/raw-client.ts';
import { openWorld, type World } from '../support/world.ts';
import { createDunningRecords, type DunningRecords } from './dunning-product.ts';
import { answerTo, clientOf, withoutScopes } from './product.ts';

const VALUES_MAX = 100;

let world: World;
let server: HttpServer;
let client: RawClient;
let records: DunningRecords;
let foreign: DunningRecords;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
  server = await openServer(world);
  client = clientOf(server.port, world.tokens.owner, 'dunning');
  records = await createDunningRecords(world, 'owner', world.organizationId);
  const { organization } = await world.caller('stranger');
  foreign = await createDunningRecords(world, 'stranger', organization.id);
});
afterAll(async () => {
  await server.close();
  await world.close();
});

const complete = (ref: object, name: string, value: string) =>
  client.m('completion/complete', { ref, argument: { name, value } });
const valuesOf = ({ body }: Answer): string[] => body.result.completion.values;
const template = (path: string) => ({ type: 'ref/resource', uri: `kobana://dunning/${path}` });
const prompt = (name: string) => ({ type: 'ref/prompt', name });

it.each([
  ['people/{id}', 'person', 'people'],
  ['people/{id}/statement-pdf', 'person', 'people'],
  ['charges/{id}', 'charge', 'charges'],
  ['charges/{id}/settlement-pdf', 'charge', 'charges'],
  ['templates/{id}', 'template', 'templates'],
  ['agreements/{id}', 'agreement', 'agreements'],
  ['agreements/{id}/pdf', 'agreement', 'agreements'],
  ['disputes/{id}', 'dispute', 'disputes'],
  ['collection-rules/{id}', 'rule', 'collection_rules'],
  ['collection-rules/{id}/steps', 'rule', 'collection_rules'],
] as const)(
  'CO-07 CO-09 CO-12: %s suggests what its listing has, under its permission',
  async (path, kind, list) => {
    const ref = template(path);
    const values = valuesOf(await complete(ref, 'id', ''));
    expect(values).toContain(records[kind]);
    expect(values).not.toContain(foreign[kind]);
    expect(valuesOf(await complete(ref, 'id', records[kind].toUpperCase()))).toEqual([records[kind]]);
    expect(valuesOf(await complete(ref, 'id', 'ffffffff'))).toEqual([]);
    const caller = await world.caller('owner');
    const { scopes } = (await import('../../src/dunning/index.ts')).dunning.catalogue.byName.get(
      `dunning_${list}_list`,
    )!;
    const without = withoutScopes(caller, scopes);
    const { result } = await answerTo(world, without, 'completion/complete', {
      ref,
      argument: { name: 'id', value: '' },
    });
    expect(result.completion).toMatchObject({ values: [] });
  },
);

it('CO-12: people, charges and templates are searched by their words', async () => {
  const person = await createDebtor(world, { name: 'Zoraide Comércio de Peças Ltda' });
  const charge = await createCharge(world, { person_id: person });
  const [{ description }] = (await world.look('select description from dunning_charges where id = $1', [
    charge,
  ])) as any;
  expect(valuesOf(await complete(template('people/{id}'), 'id', 'zoraide'))).toEqual([person]);
  expect(valuesOf(await complete(prompt('debtor_overview'), 'person_id', 'Zoraíde'))).toEqual([person]);
  expect(valuesOf(await complete(prompt('review_overdue_charges'), 'person_id', 'zoraide'))).toEqual([
    person,
  ]);
  expect(valuesOf(await complete(template('charges/{id}'), 'id', description))).toContain(charge);
  expect(valuesOf(await complete(template('templates/{id}'), 'id', 'avis'))).toContain(records.template);
});

it('CO-12: agreements, disputes and rules are the newest ids, by what was typed', async () => {
  for (const [path, table] of [
    ['agreements/{id}', 'agreements'],
    ['disputes/{id}', 'disputes'],
    ['collection-rules/{id}', 'collection_rules'],
  ] as const) {
    const rows = await world.look<{ id: string }>(
      `select id from dunning_${table} where organization_id = $1 order by created_at desc, id desc`,
      [world.organizationId],
    );
    const newest = rows.map(({ id }) => id);
    expect(valuesOf(await complete(template(path), 'id', ''))).toEqual(newest);
    const half = newest[0]!.slice(0, 30);
    expect(valuesOf(await complete(template(path), 'id', half))).toEqual(
      newest.filter((id) => id.startsWith(half)),
    );
  }
});

it('CO-11 CO-12: months are 3, 6, 12 and 24', async () => {
  expect(valuesOf(await complete(prompt('recovery_report'), 'months', ''))).toEqual(['3', '6', '12', '24']);
  expect(valuesOf(await complete(prompt('recovery_report'), 'months', '2'))).toEqual(['24']);
});

it('CO-12: at most a hundred values come back, and it says that there are more', async () => {
  await world.look(
    `insert into dunning_people (organization_id, id, name, kind, is_consumer, search_text, created_by)
     select $1, uuid_v7(), 'Multidão ' || n, 'legal', false, 'multidao ' || n, $1 from generate_series(1, 130) n`,
    [world.organizationId],
  );
  const { body } = await complete(template('people/{id}'), 'id', 'multidao');
  expect(body.result.completion.values).toHaveLength(VALUES_MAX);
  expect(body.result.completion.hasMore).toBe(true);
});

it('CO-07: what nobody has is unknown, and a fixed URI has nothing to complete', async () => {
  expect((await complete(template('payables/{id}'), 'id', '')).body.error.code).toBe(-32602);
  expect(valuesOf(await complete(template('me'), 'id', ''))).toEqual([]);
});
