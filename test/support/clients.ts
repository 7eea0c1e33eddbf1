/** The official clients, of both protocol eras and over both transports, behind one shape. */

import {
  Client as Client2,
  StreamableHTTPClientTransport as Http2,
  type VersionNegotiationOptions,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { HttpServer } from './http.ts';
import { commandLine, environmentOf } from './processes.ts';
import type { Who, World } from './world.ts';

const INFO = { name: 'journey', version: '1.0.0' };
const KEY = 'a key that every child process is given here';
/** A file of 10 MiB as base64 on one line, with room. */
const LINE_BYTES_MAX = 16 * 1024 * 1024;

export type ClientKind = 'pinned to 2026-07-28' | 'default mode' | 'auto mode' | 'sdk 1.32';
export type TransportKind = 'http' | 'stdio';

export interface ToolAnswer {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Record<string, any>;
}

/** What journeys use of a client; the official ones agree on it. */
export interface OfficialClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: object }): Promise<ToolAnswer>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>;
  readResource(resource: {
    uri: string;
  }): Promise<{ contents: { uri: string; mimeType?: string; text?: string; blob?: string }[] }>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  getPrompt(prompt: { name: string; arguments?: Record<string, string> }): Promise<{
    messages: { role: string; content: { type: string; text?: string } }[];
  }>;
  complete(request: { ref: object; argument: { name: string; value: string } }): Promise<{
    completion: { values: string[] };
  }>;
  close(): Promise<void>;
}

/** What a person at the client answers to a question. */
export type PersonAnswer = { action: 'accept'; content: { confirm: boolean } } | { action: 'decline' };

export interface Connection {
  readonly client: OfficialClient;
  /** The questions the person was shown. */
  readonly questions: string[];
}

export interface ConnectOptions {
  readonly world: World;
  readonly server: HttpServer;
  readonly kind: ClientKind;
  readonly transport: TransportKind;
  readonly who?: Who;
  /** The person's answer to every question. Default: yes. */
  readonly answer?: () => PersonAnswer;
}

const modes: Readonly<Record<Exclude<ClientKind, 'sdk 1.32'>, VersionNegotiationOptions | undefined>> = {
  'pinned to 2026-07-28': { mode: { pin: '2026-07-28' } },
  'default mode': undefined,
  'auto mode': { mode: 'auto' },
};

/** Connects a client that declares form elicitation and has a person behind it. */
export async function connectClient(options: ConnectOptions): Promise<Connection> {
  const { world, server, kind, transport, who = 'owner' } = options;
  const { answer = () => ({ action: 'accept', content: { confirm: true } }) } = options;
  const questions: string[] = [];
  const answerTo = async ({ params }: { params: { message: string } }): Promise<PersonAnswer> => {
    questions.push(params.message);
    return answer();
  };
  const url = new URL(server.url);
  const requestInit = { headers: { Authorization: `Bearer ${world.tokens[who]}` } };
  const command = stdioCommand(world, who);
  if (kind === 'sdk 1.32') {
    const client = new Client1(INFO, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, answerTo as never);
    await client.connect(
      (transport === 'http' ? new Http1(url, { requestInit }) : new Stdio1(command)) as never,
    );
    return { client: client as unknown as OfficialClient, questions };
  }
  const versionNegotiation = modes[kind];
  const client = new Client2(INFO, {
    capabilities: { elicitation: {} },
    ...(versionNegotiation !== undefined && { versionNegotiation }),
  });
  client.setRequestHandler('elicitation/create', answerTo as never);
  await client.connect(transport === 'http' ? new Http2(url, { requestInit }) : new Stdio2(command));
  return { client: client as unknown as OfficialClient, questions };
}

/** `kobana stdio finance` as this person, on the world's database. */
export function stdioCommand(world: World, who: Who = 'owner') {
  return {
    command: process.execPath,
    args: [commandLine, 'stdio', 'finance'],
    env: environmentOf({
      DATABASE_URL: world.url,
      KOBANA_TOKEN: world.tokens[who],
      KOBANA_SECRET_KEYS: KEY,
    }),
    stderr: 'ignore' as const,
    maxBufferSize: LINE_BYTES_MAX,
  };
}
