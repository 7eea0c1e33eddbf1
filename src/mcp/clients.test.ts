import {
  Client as Client2026,
  StreamableHTTPClientTransport as Http2026,
} from '@modelcontextprotocol/client';
import { Client as Client2025 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Http2025 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { KNOWN_ID, ran } from '../../test/support/small-product.ts';
import { type SmallServer, startSmallServer } from '../../test/support/small-server.ts';

const INFO = { name: 'test', version: '1' };
const COUNT = { name: 'finance_items_count', arguments: { pause: 120 } };
const DELETE = { name: 'finance_items_delete', arguments: { id: KNOWN_ID } };

/** The official clients understand what we send. */
describe.each(['lean', 'sdk'] as const)('the official clients (%s)', (wire) => {
  let server: SmallServer;
  beforeAll(async () => {
    server = await startSmallServer(wire);
  });
  afterAll(() => server.close());
  beforeEach(() => {
    ran.length = 0;
  });
  const options = { requestInit: { headers: { Authorization: 'Bearer kob_finance_full' } } };

  it.each([
    ['accept', { confirm: true }, ['delete'], false],
    ['decline', undefined, [], true],
  ] as const)(
    'CF-40 CF-42: on 2026, a person who answers with %s decides',
    async (action, content, expected, isError) => {
      const client = new Client2026(INFO, {
        capabilities: { elicitation: {} },
        versionNegotiation: { mode: { pin: '2026-07-28' } },
      });
      const messages: unknown[] = [];
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        messages.push(params.message);
        return content === undefined ? { action } : { action, content };
      });
      await client.connect(new Http2026(new URL(server.url), options));
      const result = await client.callTool(DELETE);
      expect([messages, ran, result.isError ?? false]).toEqual([['Delete an item?'], expected, isError]);
      const told: number[] = [];
      await client.callTool(COUNT, { onprogress: ({ progress }) => void told.push(progress) });
      expect(told).toEqual([1, 2, 3]);
      expect((await client.listTools()).tools).toHaveLength(7);
      expect((await client.listPrompts()).prompts).toHaveLength(2);
      expect((await client.listResources()).resources).toHaveLength(1);
      expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(3);
      const { contents } = await client.readResource({ uri: 'kobana://finance/schemas' });
      expect(contents).toEqual([
        { uri: 'kobana://finance/schemas', mimeType: 'application/json', text: '{"names":["item","order"]}' },
      ]);
      await client.close();
    },
  );

  it('VE-60 CF-82: on 2025, everything works but what needs a person', async () => {
    const client = new Client2025(INFO, { capabilities: { elicitation: {} } });
    await client.connect(new Http2025(new URL(server.url), options));
    expect((await client.listTools()).tools).toHaveLength(7);
    expect(
      (await client.callTool({ name: 'finance_items_get', arguments: { id: KNOWN_ID } })).structuredContent,
    ).toMatchObject({ id: KNOWN_ID });
    const told: number[] = [];
    await client.callTool(COUNT, undefined, { onprogress: ({ progress }) => void told.push(progress) });
    expect(told).toEqual([1, 2, 3]);
    const refused = await client.callTool(DELETE);
    expect(JSON.stringify(refused.content)).toContain('confirmation_required');
    await expect(client.readResource({ uri: 'kobana://finance/nope' })).rejects.toMatchObject({
      code: -32002,
    });
    expect((await client.getPrompt({ name: 'catalog_overview' })).messages).toHaveLength(1);
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'item_overview' },
      argument: { name: 'month', value: '2025' },
    });
    expect(completion.values).toEqual(['2025-12']);
    await client.close();
  });
});
