import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRawClient, type RawClient } from '../../test/support/raw-client.ts';
import { listedProduct, smallProduct } from '../../test/support/small-product.ts';
import { type SmallServer, startSmallServer } from '../../test/support/small-server.ts';
import { PANEL_TYPE, UI_EXTENSION } from './protocol.ts';

const VIEW = 'ui://finance/aging';
const SHOWS = { capabilities: { extensions: { [UI_EXTENSION]: { mimeTypes: [PANEL_TYPE] } } } };

describe.each(['lean', 'sdk'] as const)('panels beside answers (%s)', (wire) => {
  let server: SmallServer;
  let client: RawClient;
  beforeAll(async () => {
    server = await startSmallServer(wire, listedProduct);
    client = createRawClient(server.url, 'kob_finance_full');
  });
  afterAll(() => server.close());
  const metaOf = async (changes: object, era: 'm' | 'l' = 'm') =>
    (await client[era]('tools/list', {}, changes)).body.result.tools.map((tool: any) => [
      tool.name,
      tool._meta,
    ]);

  it('UT-17: a tool names its panel to a client that says it shows panels, and to no other', async () => {
    const [get, ...others] = await metaOf(SHOWS);
    expect(get).toEqual(['finance_items_get', { ui: { resourceUri: VIEW } }]);
    expect(others.every(([, meta]: [string, unknown]) => meta === undefined)).toBe(true);
    const objects = [
      undefined,
      {},
      { [UI_EXTENSION]: {} },
      { [UI_EXTENSION]: { mimeTypes: ['text/plain'] } },
      { [UI_EXTENSION]: { mimeTypes: PANEL_TYPE } },
    ];
    // The SDK refuses what is no object before it reaches us.
    const malformed = wire === 'lean' ? [{ [UI_EXTENSION]: null }, [], 'all'] : [];
    for (const extensions of [...objects, ...malformed]) {
      const plain = await metaOf({ capabilities: { extensions } });
      expect(plain.every(([, meta]: [string, unknown]) => meta === undefined)).toBe(true);
    }
    expect((await metaOf({}, 'l')).every(([, meta]: [string, unknown]) => meta === undefined)).toBe(true);
    expect((await metaOf(SHOWS))[0]![1]).toBeDefined();
  });

  it('UT-17: discovery says that there are panels, where there are', async () => {
    const { result } = (await client.m('server/discover')).body;
    expect(result.capabilities.extensions).toEqual({ [UI_EXTENSION]: {} });
    expect(smallProduct.panels).toBeUndefined();
  });

  it('lists the panels to a client that shows them', async () => {
    const uris = async (changes: object) =>
      (await client.m('resources/list', {}, changes)).body.result.resources.map(({ uri }: any) => uri);
    expect(await uris({})).toEqual(['kobana://finance/schemas']);
    expect(await uris(SHOWS)).toEqual(['kobana://finance/schemas', VIEW]);
    const [, entry] = (await client.m('resources/list', {}, SHOWS)).body.result.resources;
    expect(entry.mimeType).toBe(PANEL_TYPE);
  });

  it('UT-17: serves a panel that asks for nothing from elsewhere, and no panel that it does not have', async () => {
    for (const era of ['m', 'l'] as const) {
      const [item, ...others] = (await client[era]('resources/read', { uri: VIEW })).body.result.contents;
      expect([item.uri, item.mimeType, others]).toEqual([VIEW, PANEL_TYPE, []]);
      expect(item._meta.ui.csp).toEqual({ connectDomains: [], resourceDomains: [] });
      expect(item.text).toMatch(/^<!doctype html>\n<html lang="en">/);
      expect(item.text).not.toMatch(/\b(?:src|href)=|@import|url\(|fetch\(|\bimport |\beval\b|innerHTML/);
      expect(item.text.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:/);
      for (const uri of [
        'ui://x',
        'ui://finance/nope',
        `${VIEW}/`,
        'UI://finance/aging',
        'ui://dunning/aging',
      ]) {
        const { error } = (await client[era]('resources/read', { uri })).body;
        expect(error.code).toBe(era === 'm' ? -32602 : -32002);
      }
    }
  });

  it('shows no panel of tools that the caller may not run', async () => {
    const nothing = createRawClient(server.url, 'kob_finance_nothing');
    expect((await nothing.m('resources/read', { uri: VIEW })).body.error.code).toBe(-32602);
    const { resources } = (await nothing.m('resources/list', {}, SHOWS)).body.result;
    expect(resources.map(({ uri }: any) => uri)).not.toContain(VIEW);
  });
});

it('UT-17: a product without panels says nothing of the extension', async () => {
  const server = await startSmallServer('lean');
  const client = createRawClient(server.url, 'kob_finance_full');
  expect((await client.m('server/discover')).body.result.capabilities).not.toHaveProperty('extensions');
  await server.close();
});
