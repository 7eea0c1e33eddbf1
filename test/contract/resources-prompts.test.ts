/** Resources of the real products, over HTTP and a real database; and that all surfaces rest on reads. */

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/core/caller.ts';
import { newId } from '../../src/core/ids.ts';
import type { ResourceDefinition } from '../../src/core/surfaces.ts';
import { dunning } from '../../src/dunning/index.ts';
import { finance } from '../../src/finance/index.ts';
import { call, outputOf } from '../support/confirming.ts';
import { type HttpServer, openServer } from '../support/http.ts';
import type { RawClient } from '../support/raw-client.ts';
import { openWorld, type World } from '../support/world.ts';
import {
  answerTo,
  clientOf,
  createRecords,
  PDF,
  type Records,
  tokenFor,
  urisOf,
  withoutScopes,
} from './product.ts';

const CATALOGUE_URIS = ['kobana://finance/schemas', 'kobana://finance/schemas/payable'];

let world: World;
let server: HttpServer;
let client: RawClient;
let dunningToken: string;
let records: Records;
let foreign: Records;

beforeAll(async () => {
  world = await openWorld();
  server = await openServer(world);
  client = server.client();
  dunningToken = (await tokenFor(world, { role: 'owner', product: 'dunning' })).token;
  records = await createRecords(world, 'owner', world.workspaceId);
  foreign = await createRecords(world, 'stranger', world.foreignWorkspaceId);
});
afterAll(async () => {
  await server.close();
  await world.close();
});

const read = (uri: string, by: RawClient = client) => by.m('resources/read', { uri });

describe('what is listed', () => {
  it('RE-01: the fixed URI of finance', async () => {
    const { body } = await client.m('resources/list');
    expect(body.result.resources.map(({ uri }: any) => uri)).toEqual(['kobana://finance/schemas']);
  });

  it('RE-02: the templates of finance', async () => {
    const { body } = await client.m('resources/templates/list');
    const templates = body.result.resourceTemplates.map(({ uriTemplate }: any) => uriTemplate);
    expect(templates.sort()).toEqual([
      'kobana://finance/attachments/{attachment_id}',
      'kobana://finance/attachments/{attachment_id}/download',
      'kobana://finance/companies/{id}',
      'kobana://finance/financial-accounts/{account_id}',
      'kobana://finance/financial-accounts/{account_id}/balances/latest',
      'kobana://finance/financial-transactions/{id}',
      'kobana://finance/fiscal-documents/{id}',
      'kobana://finance/payables/{id}',
      'kobana://finance/people/{id}',
      'kobana://finance/receivables/{id}',
      'kobana://finance/schemas/{schema}',
    ]);
  });

  it('RE-03 RE-12 RE-32: entries have what they need, no size that nobody knows, no annotation', async () => {
    const fixed = (await client.m('resources/list')).body.result.resources;
    const templates = (await client.m('resources/templates/list')).body.result.resourceTemplates;
    for (const entry of [...fixed, ...templates]) {
      const isFile = entry.uriTemplate?.endsWith('/download') === true;
      expect(Object.keys(entry).sort()).toEqual(
        [
          'description',
          ...(isFile ? [] : ['mimeType']),
          'name',
          'title',
          entry.uri ? 'uri' : 'uriTemplate',
        ].sort(),
      );
      if (!isFile) expect(entry.mimeType).toBe('application/json');
    }
  });

  it.each(finance.resources.map((resource) => [resource.uri, resource] as const))(
    'RE-04 UT-03: %s is there, and read, only for who may run its tool',
    async (_uri, resource) => {
      const { operation, uri } = rightsOf(resource);
      const caller = await world.caller('owner');
      const isListed = async (by: Caller) => {
        const lists = [
          await answerTo(world, by, 'resources/list'),
          await answerTo(world, by, 'resources/templates/list'),
        ];
        return lists.some(({ result }) => JSON.stringify(result).includes(`"${resource.uri}"`));
      };
      expect(await isListed(caller)).toBe(true);
      expect((await answerTo(world, caller, 'resources/read', { uri })).error).toBeUndefined();
      if (operation.scopes.length === 0) return;
      const without = withoutScopes(caller, operation.scopes);
      expect(await isListed(without)).toBe(false);
      expect(await answerTo(world, without, 'resources/read', { uri })).toEqual({
        error: { code: -32602, message: 'Resource not found', data: { uri } },
      });
    },
  );

  it('RE-04: a person whose role has no payables sees none over HTTP either', async () => {
    const { token } = await tokenFor(world, { role: 'collections' });
    const by = clientOf(server.port, token);
    const { body } = await by.m('resources/templates/list');
    expect(body.result.resourceTemplates.map(({ name }: any) => name).sort()).toEqual([
      'person',
      'receivable',
      'schema',
    ]);
    const refused = await read(`kobana://finance/payables/${records.payable}`, by);
    expect(refused.body.error.code).toBe(-32602);
    expect((await read(`kobana://finance/people/${records.person}`, by)).body.error).toBeUndefined();
  });
});

/** The operation behind a resource, and a URI of it that exists. */
function rightsOf(resource: ResourceDefinition) {
  const uri = urisOf(records)[resource.uri] ?? resource.uri.replace('{schema}', 'payable');
  return { operation: finance.catalogue.byName.get(resource.operation)!, uri };
}

describe('who may read', () => {
  it('RE-06: a read token reads every resource', async () => {
    const by = server.client('reader');
    for (const uri of [...CATALOGUE_URIS, ...Object.values(urisOf(records))]) {
      expect((await read(uri, by)).body.result?.contents, uri).toHaveLength(1);
    }
  });

  it.each(['m', 'l'] as const)(
    'RE-14 SE-19: on %s a record of another organization answers byte for byte like one that does not exist',
    async (era) => {
      for (const [template, uri] of Object.entries(urisOf(foreign))) {
        const id = /[0-9a-f-]{36}/.exec(uri)![0];
        const missing = newId();
        const stranger = await client[era]('resources/read', { uri });
        const nobody = await client[era]('resources/read', { uri: uri.replace(id, missing) });
        expect(stranger.status, template).toBe(nobody.status);
        expect(stranger.body.error.code).toBe(era === 'm' ? -32602 : -32002);
        expect(stranger.text.replaceAll(id, missing)).toBe(nobody.text);
        const { date: _then, ...headers } = stranger.headers;
        const { date: _now, ...others } = nobody.headers;
        expect(headers).toEqual(others);
      }
    },
  );

  it('RE-14: a record of another workspace of the same organization does too', async () => {
    const { token } = await tokenFor(world, { role: 'owner', workspaceId: world.otherWorkspaceId });
    const uri = `kobana://finance/payables/${records.payable}`;
    const elsewhere = await read(uri, clientOf(server.port, token));
    const nobody = await read(uri.replace(records.payable, newId()), clientOf(server.port, token));
    expect(elsewhere.body.error).toEqual({ ...nobody.body.error, data: { uri } });
  });
});

describe('what comes back', () => {
  const contentOf = async (uri: string) => JSON.parse((await read(uri)).body.result.contents[0].text);

  it('RE-34: an attachment tells its data and what it is linked to', async () => {
    expect(await contentOf(`kobana://finance/attachments/${records.attachment}`)).toMatchObject({
      id: records.attachment,
      file_name: 'recibo.pdf',
      content_type: 'application/pdf',
      size: PDF.length,
      links: [{ kind: 'payable', id: records.payable }],
    });
  });

  it('RE-34: the latest balance is the one recorded, not the one of the books', async () => {
    const uri = `kobana://finance/financial-accounts/${records.account}/balances/latest`;
    expect(await contentOf(uri)).toMatchObject({
      amount: '990.00',
      source: 'manual',
      book_balance: '1000.00',
      difference: '-10.00',
    });
  });

  it('RE-34: a person is supplier and customer alike', async () => {
    expect(await contentOf(`kobana://finance/people/${records.person}`)).toMatchObject({
      id: records.person,
      roles: ['supplier', 'customer'],
    });
  });

  it('RE-34: a fiscal document is a received one, by its parties', async () => {
    expect(await contentOf(`kobana://finance/fiscal-documents/${records.fiscalDocument}`)).toMatchObject({
      id: records.fiscalDocument,
      kind: 'nfe',
      company_id: records.company,
    });
  });

  it('RE-34: payable, company, account and schema are what their tools give', async () => {
    const same = [
      [`kobana://finance/payables/${records.payable}`, 'finance_payables_get', { id: records.payable }],
      [`kobana://finance/companies/${records.company}`, 'finance_companies_get', { id: records.company }],
      [
        `kobana://finance/financial-accounts/${records.account}`,
        'finance_financial_accounts_get',
        { account_id: records.account },
      ],
      ['kobana://finance/schemas/payable', 'finance_schemas_get', { schema: 'payable' }],
      ['kobana://finance/schemas', 'finance_schemas_list', {}],
    ] as const;
    for (const [uri, tool, args] of same)
      expect(await contentOf(uri)).toEqual(await call(client, tool, args));
  });

  it('TO-26 TO-27: the tool only names the file; the resource it names holds the very bytes', async () => {
    const answer = await client.m('tools/call', {
      name: 'finance_attachments_download',
      arguments: { attachment_id: records.attachment },
    });
    expect(answer.text).not.toContain(PDF.toString('base64').slice(0, 16));
    const { resource_uri, sha256, size } = outputOf(answer);
    const [item] = (await read(resource_uri)).body.result.contents;
    const bytes = Buffer.from(item.blob, 'base64');
    expect(bytes).toEqual(PDF);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
    expect([item.mimeType, bytes.length]).toEqual(['application/pdf', size]);
  });

  it('RE-28: the connection tells person, organization, scopes and expiry, never the token', async () => {
    const { body, text } = await read('kobana://dunning/me', clientOf(server.port, dunningToken, 'dunning'));
    const me = JSON.parse(body.result.contents[0].text);
    expect(Object.keys(me).sort()).toEqual([
      'access',
      'organization',
      'person',
      'scopes',
      'token_expires_at',
    ]);
    expect(me).toMatchObject({
      organization: { id: world.organizationId, name: 'Aurora' },
      access: 'write',
      token_expires_at: '2030-01-01T00:00:00Z',
    });
    expect(me.scopes).toContain('dunning.charges');
    expect(text).not.toContain(dunningToken);
    expect(text).not.toContain('kob_');
    const own = await client.m('tools/call', { name: 'finance_me', arguments: {} });
    expect(own.text).not.toContain('kob_');
  });

  it('RE-23 UT-02: only the schema catalogue may be kept, and nothing that a person reads is public', async () => {
    for (const uri of CATALOGUE_URIS) {
      expect((await read(uri)).body.result).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'private' });
    }
    for (const uri of Object.values(urisOf(records))) {
      expect((await read(uri)).body.result).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
    }
    const methods = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
    for (const method of methods) expect((await client.m(method)).body.result.cacheScope).toBe('private');
    expect((await client.m('server/discover')).body.result.cacheScope).toBe('public');
  });
});

describe('joins', () => {
  it('TO-18: every tool behind a resource, a prompt or a suggestion only reads, and says so', () => {
    for (const { catalogue, resources, prompts } of [finance, dunning]) {
      const completions = [
        ...resources.map(({ completion }) => completion),
        ...prompts.flatMap((prompt) => prompt.arguments.map(({ completion }) => completion)),
      ];
      const names = [
        ...resources.map(({ operation }) => operation),
        ...prompts.flatMap(({ operations }) => operations),
        ...completions.flatMap((one) => (one?.kind === 'records' ? [one.operation] : [])),
      ];
      for (const name of names) expect(catalogue.byName.get(name)?.hints.readOnlyHint, name).toBe(true);
    }
  });

  it('PR-03 PR-13: a prompt names only tools that exist and only read, and is listed for who may run all of them', () => {
    const place = { today: '2026-10-01', timeZone: 'America/Sao_Paulo' };
    for (const { catalogue, prompts } of [finance, dunning]) {
      for (const prompt of prompts) {
        for (const locale of ['pt-BR', 'en'] as const) {
          const text = prompt.render({}, { ...place, locale });
          const named = new Set(text.match(/\b(?:finance|dunning)_[a-z_]+/g));
          // A field of charges is called like this, too.
          named.delete('dunning_state');
          expect([...named]).toEqual(expect.arrayContaining([...prompt.operations]));
          const held = new Set(prompt.operations.flatMap((name) => catalogue.byName.get(name)!.scopes));
          for (const name of named) {
            const { effect, scopes } = catalogue.byName.get(name)!;
            expect([name, effect, scopes.filter((scope) => !held.has(scope))]).toEqual([name, 'read', []]);
          }
        }
      }
    }
  });
});
