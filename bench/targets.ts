/** Requests as clients of each era send them, and the configuration of the peer. */

import { payablesPage } from './statements.ts';

export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
};

/** A request of protocol 2026-07-28. */
export function modernCall(
  url: string,
  method: string,
  params: object,
  headers: Record<string, string> = {},
): Target {
  const name = (params as { name?: string }).name;
  return {
    url,
    headers: {
      ...headers,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: MODERN_META } }),
  };
}

/** A request of the 2025 era. */
export function legacyCall(
  url: string,
  method: string,
  params: object,
  headers: Record<string, string> = {},
): Target {
  return {
    url,
    headers: { ...headers, 'mcp-protocol-version': '2025-06-18' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  };
}

/** The same statement as a tool of the peer. */
export function toolboxConfig({
  port,
  user,
  password,
}: {
  port: number;
  user: string;
  password: string;
}): string {
  return JSON.stringify({
    sources: { books: { kind: 'postgres', host: '127.0.0.1', port, database: 'kobana', user, password } },
    tools: {
      payables_list: {
        kind: 'postgres-sql',
        source: 'books',
        description: 'Payables of a workspace.',
        parameters: [{ name: 'workspace_id', type: 'string', description: 'Workspace.' }],
        statement: payablesPage,
      },
    },
  });
}
