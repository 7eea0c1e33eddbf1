/** Resources and prompts of dunning, over HTTP and a real database. */

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/core/caller.ts';
import { newId } from '../../src/core/ids.ts';
import { dunning } from '../../src/dunning/index.ts';
import { call, outputOf } from '../support/confirming.ts';
import { type HttpServer, openServer } from '../support/http.ts';
import { callOf, type RawClient } from '../support/raw-client.ts';
import { openWorld, type World } from '../support/world.ts';
import { createDunningRecords, type DunningRecords, dunningUrisOf } from './dunning-product.ts';
import { answerTo, clientOf, tokenFor, withoutScopes } from './product.ts';

const FIXED = [
  'kobana://dunning/me',
  'kobana://dunning/metrics/recovery',
  'kobana://dunning/notification-preferences',
];

let world: World;
let server: HttpServer;
let client: RawClient;
let caller: Caller;
let records: DunningRecords;
let uris: Readonly<Record<string, string>>;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
  server = await openServer(world);
  client = clientOf(server.port, world.tokens.owner, 'dunning');
  caller = await world.caller('owner');
  records = await createDunningRecords(world, 'owner', world.organizationId);
  uris = dunningUrisOf(records);
});
afterAll(async () => {
  await server.close();
  await world.close();
});

const read = (uri: string, by: RawClient = client) => by.m('resources/read', { uri });

describe('what is listed', () => {
  it('RE-01 RE-35: the three fixed URIs', async () => {
    const { body } = await client.m('resources/list');
    expect(body.result.resources.map(({ uri }: any) => uri).sort()).toEqual(FIXED);
  });

  it('RE-02 RE-30 RE-35: the ten templates, which all stand for records here', async () => {
    const { body } = await client.m('resources/templates/list');
    const templates = body.result.resourceTemplates.map(({ uriTemplate }: any) => uriTemplate);
    expect(templates.sort()).toEqual(Object.keys(uris).sort());
  });

  it.each(dunning.resources.map((resource) => [resource.uri, resource] as const))(
    'RE-04 UT-03: %s is there, and read, only for who may run its tool',
    async (uri, resource) => {
      const own = uris[uri] ?? uri;
      const { scopes } = dunning.catalogue.byName.get(resource.operation)!;
      const isListed = async (by: Caller) => {
        const lists = [
          await answerTo(world, by, 'resources/list'),
          await answerTo(world, by, 'resources/templates/list'),
        ];
        return lists.some(({ result }) => JSON.stringify(result).includes(`"${uri}"`));
      };
      expect(await isListed(caller)).toBe(true);
      expect((await answerTo(world, caller, 'resources/read', { uri: own })).error).toBeUndefined();
      if (scopes.length === 0) return;
      const without = withoutScopes(caller, scopes);
      expect(await isListed(without)).toBe(false);
      expect(await answerTo(world, without, 'resources/read', { uri: own })).toEqual({
        error: { code: -32602, message: 'Resource not found', data: { uri: own } },
      });
    },
  );
});

describe('what comes back', () => {
  it.each([
    ['dunning_me', 'kobana://dunning/me', () => ({})],
    ['dunning_metrics_recovery', 'kobana://dunning/metrics/recovery', () => ({})],
    ['dunning_notification_preferences_get', 'kobana://dunning/notification-preferences', () => ({})],
    ['dunning_people_get', 'kobana://dunning/people/{id}', () => ({ id: records.person })],
    ['dunning_charges_get', 'kobana://dunning/charges/{id}', () => ({ id: records.charge })],
    ['dunning_agreements_get', 'kobana://dunning/agreements/{id}', () => ({ id: records.agreement })],
    ['dunning_disputes_get', 'kobana://dunning/disputes/{id}', () => ({ id: records.dispute })],
    ['dunning_collection_rules_get', 'kobana://dunning/collection-rules/{id}', () => ({ id: records.rule })],
    [
      'dunning_collection_rule_steps_list',
      'kobana://dunning/collection-rules/{id}/steps',
      () => ({ rule_id: records.rule }),
    ],
    ['dunning_templates_get', 'kobana://dunning/templates/{id}', () => ({ id: records.template })],
  ] as const)('RE-30 RE-35: what %s gives, as JSON', async (tool, uri, args) => {
    const { body } = await read(uris[uri] ?? uri);
    const [content] = body.result.contents;
    expect(content.mimeType).toBe('application/json');
    expect(JSON.parse(content.text)).toEqual(await call(client, tool, args()));
  });

  it.each([
    ['dunning_people_statement_pdf', 'kobana://dunning/people/{id}/statement-pdf', () => records.person],
    [
      'dunning_charges_settlement_pdf',
      'kobana://dunning/charges/{id}/settlement-pdf',
      () => records.paidCharge,
    ],
    ['dunning_agreements_pdf', 'kobana://dunning/agreements/{id}/pdf', () => records.agreement],
  ] as const)(
    'RE-10 RE-29 RE-35: %s only names a file; the resource holds its very bytes',
    async (tool, uri, id) => {
      const answer = await client.m('tools/call', callOf(tool, { id: id() }));
      const { resource_uri, sha256, size } = outputOf(answer);
      expect(resource_uri).toBe(uris[uri]);
      const [content] = (await read(resource_uri)).body.result.contents;
      const bytes = Buffer.from(content.blob, 'base64');
      expect([content.mimeType, bytes.length]).toEqual(['application/pdf', size]);
      expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
      expect(answer.text).not.toContain(content.blob.slice(0, 24));
      expect(content).not.toHaveProperty('text');
    },
  );

  it.each(['m', 'l'] as const)(
    'RE-29: on %s there is no settlement letter of a charge that is not paid, and the error says so',
    async (era) => {
      const uri = `kobana://dunning/charges/${records.charge}/settlement-pdf`;
      const { body } = await client[era]('resources/read', { uri });
      expect(body.error.code).toBe(era === 'm' ? -32602 : -32002);
      expect(body.error.data).toEqual({ uri, reason: 'overdue' });
    },
  );

  it('RE-30: a rule without steps has an empty list of them, as JSON', async () => {
    const { id } = await world.call('dunning_collection_rules_create', { name: 'Sem etapas' });
    const { contents } = (await read(`kobana://dunning/collection-rules/${id}/steps`)).body.result;
    expect(contents).toHaveLength(1);
    expect(JSON.parse(contents[0].text)).toMatchObject({ items: [] });
  });

  it('RE-06 RE-23: a read token reads all of it, and none of it may be kept', async () => {
    const by = clientOf(server.port, world.tokens.reader, 'dunning');
    for (const uri of [...FIXED, ...Object.values(uris)]) {
      const { body } = await read(uri, by);
      expect(body.result, uri).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
      expect(body.result.contents).toHaveLength(1);
    }
  });
});

describe('what is not there', () => {
  it.each(['m', 'l'] as const)(
    'RE-14 SE-19: on %s a record of another organization answers byte for byte like one that does not exist',
    async (era) => {
      const stranger = clientOf(server.port, world.tokens.stranger, 'dunning');
      for (const [template, uri] of Object.entries(uris)) {
        const id = /[0-9a-f-]{36}/.exec(uri)![0];
        const missing = newId();
        const foreign = await stranger[era]('resources/read', { uri });
        const nobody = await stranger[era]('resources/read', { uri: uri.replace(id, missing) });
        expect(foreign.status, template).toBe(nobody.status);
        expect(foreign.body.error.code, template).toBe(era === 'm' ? -32602 : -32002);
        expect(foreign.text.replaceAll(id, missing)).toBe(nobody.text);
      }
    },
  );

  it.each(['m', 'l'] as const)('RE-14: on %s neither is a URI that nobody has', async (era) => {
    for (const uri of ['kobana://dunning/nothing', 'kobana://dunning/people/x', 'kobana://finance/schemas']) {
      expect((await client[era]('resources/read', { uri })).body.error.code, uri).toBe(
        era === 'm' ? -32602 : -32002,
      );
    }
  });
});

describe('prompts', () => {
  const NAMES = ['debtor_overview', 'pending_legal_actions', 'recovery_report', 'review_overdue_charges'];
  const get = (name: string, args: object = {}, by = client) =>
    by.m('prompts/get', { name, arguments: args });
  const textOf = ({ body }: { body: any }): string => body.result.messages[0].content.text;
  const argumentsFor = (name: string) => (name === 'debtor_overview' ? { person_id: records.person } : {});

  it('PR-01: the four of dunning', async () => {
    const { body } = await client.m('prompts/list');
    expect(body.result.prompts.map(({ name }: any) => name).sort()).toEqual(NAMES);
  });

  it('PR-02: each is there only for who may run all the tools it relies on', async () => {
    for (const { name, operations } of dunning.prompts) {
      for (const operation of operations) {
        const { scopes } = dunning.catalogue.byName.get(operation)!;
        const without = withoutScopes(caller, scopes);
        const { result } = await answerTo(world, without, 'prompts/list');
        expect(result.prompts.map((one: any) => one.name)).not.toContain(name);
        const args = argumentsFor(name);
        expect(
          (await answerTo(world, without, 'prompts/get', { name, arguments: args })).error,
        ).toMatchObject({
          code: -32602,
        });
      }
    }
  });

  it('PR-04: each ends with next steps, and with the word that nothing is done unless asked for', async () => {
    const { token } = await tokenFor(world, { role: 'owner', product: 'dunning' });
    const inEnglish = clientOf(server.port, token, 'dunning');
    for (const name of NAMES) {
      const portuguese = textOf(await get(name, argumentsFor(name)));
      expect(portuguese, name).toMatch(/próximos passos[\s\S]*a menos que eu peça\.[^\n]*$/);
      expect(portuguese, name).toMatch(/Não execute|Apenas consulte/);
      const english = textOf(await get(name, argumentsFor(name), inEnglish));
      expect(english, name).toMatch(/next steps[\s\S]*unless I ask for it\.[^\n]*$/);
      expect(english, name).toMatch(/Carry none of them out|Only read/);
    }
  });

  it('PR-07 PR-08: a missing or malformed argument is -32602', async () => {
    for (const [name, args] of [
      ['debtor_overview', {}],
      ['debtor_overview', { person_id: 'x' }],
      ['review_overdue_charges', { person_id: 'x' }],
      ['recovery_report', { months: '0' }],
      ['recovery_report', { months: '25' }],
      ['recovery_report', { months: 'seis' }],
      ['recovery_report', { months: '1.5' }],
    ] as const) {
      expect((await get(name, args)).body.error.code, `${name} ${JSON.stringify(args)}`).toBe(-32602);
    }
    expect(textOf(await get('recovery_report', { months: '24' }))).toContain('24');
  });

  it('PR-11: the report is over six months unless told otherwise', async () => {
    expect(textOf(await get('recovery_report'))).toContain('{ months: 6 }');
    expect(textOf(await get('recovery_report', { months: '3' }))).toContain('{ months: 3 }');
  });

  it('PR-12: the overdue are those of that status and those pending that were due up to yesterday', async () => {
    const text = textOf(await get('review_overdue_charges', { person_id: records.person }));
    expect(text).toContain('2026-09-30');
    expect(text).toContain(records.person);
    expect(text).toContain('dunning_charges_list');
  });
});
