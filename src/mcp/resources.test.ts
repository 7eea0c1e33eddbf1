import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRawClient, type RawClient } from '../../test/support/raw-client.ts';
import { file, KNOWN_ID, MIB, MISSING_ID, ran, smallProduct } from '../../test/support/small-product.ts';
import { type SmallServer, startSmallServer } from '../../test/support/small-server.ts';
import { createProductService } from './methods.ts';

const ITEM = `kobana://finance/items/${KNOWN_ID}`;
const CODES = { m: -32602, l: -32002 } as const;
const ERAS = ['m', 'l'] as const;
const LIMIT = 10 * MIB;

describe.each(['lean', 'sdk'] as const)('resources (%s)', (wire) => {
  let server: SmallServer;
  let client: RawClient;
  beforeAll(async () => {
    server = await startSmallServer(wire);
    client = createRawClient(server.url, 'kob_finance_full');
  });
  afterAll(() => server.close());
  beforeEach(() => {
    ran.length = 0;
    server.log.length = 0;
  });
  const read = (uri: unknown, era: 'm' | 'l' = 'm', from = client) => from[era]('resources/read', { uri });

  it('RE-01 RE-02 RE-03 RE-24: lists fixed URIs and templates apart', async () => {
    const fixed = (await client.m('resources/list')).body.result;
    expect(fixed.resources).toEqual([
      {
        uri: 'kobana://finance/schemas',
        name: 'schemas',
        title: 'Catalog',
        description: 'All names.',
        mimeType: 'application/json',
      },
    ]);
    const { resourceTemplates, cacheScope } = (await client.m('resources/templates/list')).body.result;
    expect([fixed.cacheScope, cacheScope]).toEqual(['private', 'private']);
    expect(
      resourceTemplates.map((entry: Record<string, string>) => [entry['uriTemplate'], entry['mimeType']]),
    ).toEqual([
      ['kobana://finance/items/{id}', 'application/json'],
      ['kobana://finance/items/{id}/file', undefined],
      ['kobana://finance/failures/{id}', 'application/json'],
    ]);
    expect((await client.l('resources/templates/list', {})).body.result).toEqual({ resourceTemplates });
  });

  it('RE-04 C-33 UT-03: hides what the caller may not run, and reads it as if it did not exist', async () => {
    const nobody = createRawClient(server.url, 'kob_finance_nothing');
    expect((await nobody.m('resources/templates/list')).body.result.resourceTemplates).toEqual([]);
    for (const era of ERAS) {
      const { body } = await read(ITEM, era, nobody);
      expect(body.error).toEqual({ code: CODES[era], message: 'Resource not found', data: { uri: ITEM } });
    }
    expect([ran, server.log]).toEqual([[], []]);
  });

  it('RE-05 RE-06 RE-07: a read token reads a record through its tool', async () => {
    const reader = createRawClient(server.url, 'kob_finance_read');
    for (const era of ERAS) {
      const { contents } = (await read(ITEM, era, reader)).body.result;
      expect(contents).toEqual([{ uri: ITEM, mimeType: 'application/json', text: expect.any(String) }]);
      expect(JSON.parse(contents[0].text)).toEqual({ id: KNOWN_ID, name: 'Ação “quoted” \u2028 \\' });
    }
    expect(server.log).toEqual(['resource finance_items_get done', 'resource finance_items_get done']);
  });

  it.each([
    ['binary', Buffer.from([0x25, 0x50, 0x44, 0x46, 0xff, 0xfe, 0x00, 0x3e]), 'application/pdf', 'blob'],
    ['XML in UTF-8', Buffer.from('<a>ação</a>'), 'application/xml', 'text'],
    ['XML with a parameter', Buffer.from('<a/>'), 'text/xml; charset=utf-8', 'text'],
    ['a +xml type', Buffer.from('<a/>'), 'image/svg+xml', 'text'],
    ['JSON', Buffer.from('{}'), 'application/json', 'text'],
    ['XML in ISO-8859-1', Buffer.from('<a>ação</a>', 'latin1'), 'application/xml', 'blob'],
    ['text with a zero byte', Buffer.from('a\0b'), 'text/plain', 'blob'],
    ['text that is declared binary', Buffer.from('plain'), 'application/octet-stream', 'blob'],
    ['nothing at all', Buffer.alloc(0), 'text/plain', 'text'],
  ] as const)(
    'RE-08 RE-09 RE-10 C-31: %s goes out byte for byte',
    async (_name, bytes, contentType, kind) => {
      Object.assign(file, { bytes, contentType });
      const [item] = (await read(`${ITEM}/file`)).body.result.contents;
      expect(Object.keys(item)).toEqual(['uri', 'mimeType', kind]);
      expect(item.mimeType).toBe(contentType);
      expect(Buffer.from(item[kind], kind === 'text' ? 'utf8' : 'base64').equals(bytes)).toBe(true);
      if (kind === 'blob') expect(item.blob).toMatch(/^[A-Za-z0-9+/]*={0,2}$/);
    },
  );

  it('RE-11 C-30: serves 10 MiB and not one byte more', async () => {
    const bytes = Buffer.alloc(LIMIT, 7);
    Object.assign(file, { bytes, contentType: 'application/pdf' });
    const { blob } = (await read(`${ITEM}/file`)).body.result.contents[0];
    const digest = (data: Buffer) => createHash('sha256').update(data).digest('hex');
    expect(digest(Buffer.from(blob, 'base64'))).toBe(digest(bytes));
    Object.assign(file, { bytes: Buffer.alloc(LIMIT + 1) });
    const { error } = (await read(`${ITEM}/file`)).body;
    expect([error.code, error.data.code, error.data.size, error.data.limit]).toEqual([
      -31000,
      'resource_too_large',
      LIMIT + 1,
      LIMIT,
    ]);
  });

  it.each([
    ['an unknown path', 'kobana://finance/nope'],
    ['a missing record', `kobana://finance/items/${MISSING_ID}`],
    ['another product', 'kobana://dunning/me'],
    ['another scheme', `https://finance/items/${KNOWN_ID}`],
    ['no URI', 'items'],
    ['an interface', 'ui://finance/items'],
    ['no id', 'kobana://finance/items/'],
    ['no UUID', 'kobana://finance/items/1'],
    ['dots', `kobana://finance/items/../items/${KNOWN_ID}`],
    ['encoded dots', `kobana://finance/items/%2e%2e/items/${KNOWN_ID}`],
    ['an encoded slash', `kobana://finance/items%2f${KNOWN_ID}`],
    ['a slash in the id', `kobana://finance/items/${KNOWN_ID}%2ffile`],
    ['a broken escape', 'kobana://finance/items/%zz'],
    ['a query', `${ITEM}?x=1`],
    ['a fragment', `${ITEM}#f`],
    ['a user', `kobana://user@finance/items/${KNOWN_ID}`],
    ['a port', `kobana://finance:80/items/${KNOWN_ID}`],
    ['a slash at the end', `${ITEM}/`],
    ['an empty segment', `kobana://finance//items/${KNOWN_ID}`],
    ['a path in capitals', `kobana://finance/Items/${KNOWN_ID}`],
    ['a template', 'kobana://finance/items/{id}'],
    ['a space around it', ` ${ITEM}`],
    ['braces', `kobana://finance/items/{${KNOWN_ID}}`],
    ['10 KB', `kobana://finance/items/${'x'.repeat(10_000)}`],
  ])(
    'RE-13 RE-15 RE-18 RE-19 RE-20 UT-17 VE-67 C-38: %s is not found, in the words of the era',
    async (_name, uri) => {
      for (const era of ERAS) {
        const { status, body } = await read(uri, era);
        expect([status, body.error]).toEqual([
          200,
          { code: CODES[era], message: 'Resource not found', data: { uri } },
        ]);
      }
      expect(ran).toEqual(uri.endsWith(MISSING_ID) ? ['get', 'get'] : []);
    },
  );

  it.each([
    [`KOBANA://Finance/items/${KNOWN_ID}`, ITEM],
    [`kobana://finance/items/${KNOWN_ID.toUpperCase()}`, ITEM],
    [`kobana://finance/items/%30${KNOWN_ID.slice(1)}`, ITEM],
    ['KOBANA://FINANCE/schemas', 'kobana://finance/schemas'],
  ])('RE-19: %s is served under its canonical name', async (uri, canonical) => {
    expect((await read(uri)).body.result.contents[0].uri).toBe(canonical);
  });

  it.each(['__proto__', 'constructor', 'no such', '..', 'a/b'])(
    'RE-31: the name %s leads nowhere',
    async (name) => {
      expect((await read(`kobana://finance/failures/${name}`)).body.error).toBeDefined();
    },
  );

  it('RE-16: what nobody foresaw is an internal error without a word of it', async () => {
    for (const era of ERAS) {
      const { text, body } = await read('kobana://finance/failures/crash', era);
      expect([body.error.code, body.error.message]).toEqual([-32603, 'Internal error']);
      expect(text).not.toMatch(/hunter2|db\.internal/);
    }
  });

  it.each(['unavailable', 'attachment_unavailable', 'rate_limited'])(
    'T-6: %s is an application error with its code',
    async (code) => {
      const uri = `kobana://finance/failures/${code}`;
      for (const era of ERAS) {
        const { error } = (await read(uri, era)).body;
        expect([error.code, error.data.code, error.data.uri]).toEqual([-31000, code, uri]);
      }
    },
  );

  it('RE-29: a document that does not exist says why', async () => {
    const uri = 'kobana://finance/failures/not_found';
    expect((await read(uri)).body.error).toMatchObject({ code: -32602, data: { uri, reason: 'unpaid' } });
  });

  it.each([undefined, 123, null, {}])('RE-17: the uri %j is malformed on both eras', async (uri) => {
    for (const era of ERAS) expect((await read(uri, era)).body.error.code).toBe(-32602);
  });

  it('RE-21 RE-22: without a default workspace records need one, the catalogue does not', async () => {
    const several = createRawClient(server.url, 'kob_finance_several');
    for (const era of ERAS) {
      const { error } = (
        await several[era]('resources/read', { uri: ITEM }, { headers: { 'X-Workspace': 'forged' } })
      ).body;
      expect([error.code, error.data.code, error.data.uri]).toEqual([-31000, 'workspace_required', ITEM]);
      expect((await read('kobana://finance/schemas', era, several)).body.result.contents).toHaveLength(1);
    }
  });

  it('RE-23 RE-27: records are not kept, the catalogue is, unless the request carries answers', async () => {
    const hints = ({ ttlMs, cacheScope }: { ttlMs: number; cacheScope: string }) => [ttlMs, cacheScope];
    const uri = 'kobana://finance/schemas';
    expect(hints((await read(ITEM)).body.result)).toEqual([0, 'private']);
    expect(hints((await read(uri)).body.result)).toEqual([3_600_000, 'private']);
    const junk = await client.m('resources/read', { uri, requestState: 'x', inputResponses: {} });
    expect(hints(junk.body.result)).toEqual([0, 'private']);
  });
});

it.each([
  ['is not under the product', { uri: 'kobana://dunning/x' }],
  ['has two variables', { uri: 'kobana://finance/a/{id}/{name}' }],
  ['rests on nothing', { operation: 'finance_items_nope' }],
  ['rests on a write', { operation: 'finance_items_create' }],
])('TO-18: a resource that %s stops the start', (_name, change) => {
  const definition = { ...smallProduct, resources: [{ ...smallProduct.resources[0]!, ...change }] };
  const options = { definition, invoker: null as never, version: '1', logFailure: () => '' };
  expect(() => createProductService(options)).toThrow();
});
