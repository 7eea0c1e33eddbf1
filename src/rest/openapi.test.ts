/** The OpenAPI documents: true to the operations and to what they answer, and readable by anybody. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpServer, openServer } from '../../test/support/http.ts';
import { createCompany } from '../../test/support/records.ts';
import { openWorld, type World } from '../../test/support/world.ts';
import { contractSchemas, type JsonSchema } from '../core/contract.ts';
import { dunning } from '../dunning/index.ts';
import { finance } from '../finance/index.ts';
import { type OpenApiDocument, openApiOf } from './openapi.ts';

let world: World;
let server: HttpServer;
let base: string;

beforeAll(async () => {
  world = await openWorld();
  server = await openServer(world);
  base = `http://127.0.0.1:${server.port}`;
});
afterAll(async () => {
  await server.close();
  await world.close();
});

describe.each([
  ['finance', finance],
  ['dunning', dunning],
] as const)('the document of %s', (product, definition) => {
  const { catalogue } = definition;
  const document = openApiOf(definition, '');
  const all = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const operations = all.filter(({ operationId }) => !operationId.endsWith('_content'));

  it('has every operation once, with what it asks of a caller', () => {
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
      catalogue.operations.map(({ name }) => name).sort(),
    );
    for (const documented of operations) {
      const { effect, scopes, access } = catalogue.byName.get(documented.operationId)!;
      expect(documented).toMatchObject({ 'x-kobana-effect': effect, 'x-kobana-scopes': scopes });
      expect(documented.security).toEqual([{ bearer: [] }, { oauth: [`${product}:${access}`] }]);
    }
  });

  it('has exactly the schemas of the catalogue, word for word', () => {
    const schemas = contractSchemas(catalogue);
    expect(Object.keys(document.components.schemas)).toEqual([...schemas.keys()]);
    for (const [name, { schema }] of schemas) {
      const { $defs: _used, ...own } = schema;
      const said = JSON.stringify(document.components.schemas[name]);
      expect(said.replaceAll('#/components/schemas/', '#/$defs/'), name).toBe(JSON.stringify(own));
    }
  });

  it('points to nothing that is not there', () => {
    const pointers = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)];
    expect(pointers.length).toBeGreaterThan(100);
    for (const [, pointer] of pointers) {
      const target = pointer!
        .split('/')
        .reduce<any>((value, step) => value?.[step.replaceAll('~1', '/')], document);
      expect(target, pointer).toBeDefined();
    }
  });

  it('tells of a key wherever something changes, and wants one where a person would be asked', () => {
    for (const { operationId, parameters } of operations) {
      const { effect } = catalogue.byName.get(operationId)!;
      const key = parameters.find(({ name }) => name === 'Idempotency-Key');
      expect(key?.required, operationId).toBe(effect === 'read' ? undefined : effect === 'destructive');
    }
  });
});

describe('what is served', () => {
  const read = (path: string, headers: Record<string, string> = {}) => fetch(base + path, { headers });

  it('is the document with this address, for anybody, and is not sent twice', async () => {
    const first = await read('/finance/openapi.json');
    expect(first.status).toBe(200);
    const document = (await first.json()) as OpenApiDocument;
    expect(document).toEqual(JSON.parse(JSON.stringify(openApiOf(finance, base))));
    expect(document.servers).toEqual([{ url: base }]);
    const again = await read('/finance/openapi.json', { 'If-None-Match': first.headers.get('etag')! });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const posted = await fetch(`${base}/dunning/openapi.json`, { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('is true of real answers and problems', async () => {
    const company = await createCompany(world);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({
      $id: 'doc',
      ...JSON.parse(JSON.stringify(openApiOf(finance, base))),
    });
    const check = (pointer: string, value: unknown) => {
      const validate = ajv.getSchema(`doc#${pointer}`)!;
      expect(validate(value), `${pointer} ${JSON.stringify(validate.errors)}`).toBe(true);
    };
    const headers = { Authorization: `Bearer ${world.tokens.owner}` };
    const answer = async (path: string) => (await read(path, headers)).json();
    const pointerOf = (path: string) =>
      `/paths/${path.replaceAll('/', '~1')}/get/responses/200/content/application~1json/schema`;
    check(pointerOf('/finance/v1/companies'), await answer('/finance/v1/companies'));
    check(pointerOf('/finance/v1/me'), await answer('/finance/v1/me'));
    check('/components/schemas/company', await answer(`/finance/v1/companies/${company}`));
    check(pointerOf('/finance/v1/reports/cash-flow'), await answer('/finance/v1/reports/cash-flow'));
    check('/components/schemas/problem', await answer('/finance/v1/companies?limit=0'));
    check('/components/schemas/problem', await answer('/finance/v1/nothing'));
  });

  it('is what kobana://finance/schemas and its tool give', async () => {
    const { paths, components } = openApiOf(finance, '');
    expect(paths['/finance/v1/schemas/{schema}']).toBeDefined();
    const listed = await world.call('finance_schemas_list');
    expect(listed['items'].map(({ name }: { name: string }) => name)).toEqual(
      Object.keys(components.schemas),
    );
    const { schema } = await world.call('finance_schemas_get', { schema: 'payable' });
    expect(Object.keys(schema.properties)).toEqual(
      Object.keys(components.schemas['payable']!['properties'] as JsonSchema),
    );
  });

  it.each(['finance', 'dunning'] as const)(
    'is a page of %s with an address for every operation',
    async (product) => {
      const page = await read(`/${product}/docs`, { 'Accept-Language': 'en' });
      const text = await page.text();
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(text).not.toMatch(/<script(?! type="module" src="\/assets\/)|<style|style="|https?:\/\/(?!127)/);
      const { catalogue } = product === 'finance' ? finance : dunning;
      for (const { name } of catalogue.operations) expect(text).toContain(`<article id="${name}"`);
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
      expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([]);
      const anchors = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id!);
      expect(anchors.filter((id) => !ids.includes(id))).toEqual([]);
      expect(await (await read(`/${product}/docs`, { 'Accept-Language': 'pt' })).text()).toContain(
        'lang="pt-BR"',
      );
    },
  );
});
