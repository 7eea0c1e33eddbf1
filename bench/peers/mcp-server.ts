/** `tools/list` as the official SDK's `McpServer` gives it, with the same tools, schemas shared between requests. */

import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { finance } from '../../src/finance/index.ts';

const handler = toNodeHandler(
  createMcpHandler(() => {
    const server = new McpServer({ name: 'peer', version: '1.0.0' });
    for (const { name, title, summary, input, output, hints } of finance.catalogue.operations) {
      server.registerTool(
        name,
        { title, description: summary, inputSchema: input, outputSchema: output, annotations: hints },
        async () => ({ content: [] }),
      );
    }
    return server;
  }),
);
createServer((req, res) => void handler(req, res)).listen(Number(process.env['BENCH_PORT']), '127.0.0.1');
