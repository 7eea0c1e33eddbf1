import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createToken } from '../../src/identity/tokens.ts';
import { type HttpServer, openServer } from '../support/http.ts';
import { environmentOf } from '../support/processes.ts';
import { openWorld, TEST_KEY, type World } from '../support/world.ts';
import {
  type Filling,
  filled,
  pages,
  type Snippet,
  snippets,
  type Target,
  targetOfCommand,
  targetsOfJson,
} from './snippets.ts';

const CLIENTS = ['claude', 'claude-code', 'chatgpt', 'cursor', 'vscode', 'inspector', 'sdk'];
const docs = fileURLToPath(new URL('../../docs/connect/', import.meta.url));
const nodeModules = fileURLToPath(new URL('../../node_modules', import.meta.url));

let world: World;
let server: HttpServer;
let filling: Filling;

beforeAll(async () => {
  world = await openWorld();
  server = await openServer(world);
  const [{ user_id: userId }] = (await world.look(
    "select id as user_id from users where email = 'owner@example.com'",
  )) as [{ user_id: string }];
  const { token: dunning } = await createToken(world.runtime.database.shared, {
    userId,
    organizationId: world.organizationId,
    product: 'dunning',
    access: 'write',
    workspaceId: null,
    expiresAt: new Date('2030-01-01T00:00:00Z'),
  });
  filling = { origin: new URL(server.url).origin, tokens: { finance: world.tokens.owner, dunning } };
});
afterAll(async () => {
  await server.close();
  await world.close();
});

/** Connects as the official client does, and gives the names of the tools. */
async function toolsOf(target: Target): Promise<string[]> {
  const client = new Client({ name: 'reader of the pages', version: '1.0.0' });
  const transport =
    target.kind === 'http'
      ? new StreamableHTTPClientTransport(new URL(target.url), { requestInit: { headers: target.headers } })
      : new StdioClientTransport({
          command: target.command,
          args: [...target.args],
          env: environmentOf({ ...target.env, DATABASE_URL: world.url, KOBANA_SECRET_KEYS: TEST_KEY }),
          stderr: 'ignore',
        });
  await client.connect(transport);
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

const productOf = (target: Target): string =>
  target.kind === 'http' ? /\/(finance|dunning)\/mcp/.exec(target.url)![1]! : target.args.at(-1)!;

/** By token or over stdio the tools come; by the address alone the way in is shown. */
async function check(target: Target): Promise<void> {
  const product = productOf(target);
  if (target.kind === 'stdio' || target.headers['Authorization'] !== undefined) {
    const names = await toolsOf(target);
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) expect(name.startsWith(`${product}_`), name).toBe(true);
    return;
  }
  await checkSignIn(target.url);
}

/** As a client goes from a 401 to the page where a person signs in (RFC 9728, RFC 8414). */
async function checkSignIn(url: string): Promise<void> {
  const refused = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  });
  expect(refused.status).toBe(401);
  const metadataUrl = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate')!)![1]!;
  const resource = (await (await fetch(metadataUrl)).json()) as Record<string, any>;
  expect(resource['resource']).toBe(url.split('?', 1)[0]);
  const issuer = new URL(resource['authorization_servers'][0]);
  const path = issuer.pathname === '/' ? '' : issuer.pathname;
  const answer = await fetch(`${issuer.origin}/.well-known/oauth-authorization-server${path}`);
  expect(await answer.json()).toMatchObject({
    issuer: resource['authorization_servers'][0],
    authorization_endpoint: expect.any(String),
    registration_endpoint: expect.any(String),
    code_challenge_methods_supported: ['S256'],
  });
}

const nameOf = ({ page, heading, language }: Snippet) => `${page}: ${heading} (${language})`;
const all = snippets();

test('there is a page for each client, and each shows both servers', () => {
  expect(pages().sort()).toEqual([...CLIENTS.map((name) => `${name}.md`), 'README.md'].sort());
  for (const client of CLIENTS) {
    const texts = all.filter(({ page }) => page === `${client}.md`).map(({ text }) => text);
    expect(texts.length, client).toBeGreaterThan(0);
    expect(texts.join('\n'), client).toMatch(/finance/);
    expect(texts.join('\n'), client).toMatch(/dunning/);
  }
});

test('no example is of a kind that nobody tries', () => {
  expect(new Set(all.map(({ language }) => language))).toEqual(new Set(['json', 'sh', 'ts']));
});

describe('a configuration', () => {
  const found = all.filter(({ language }) => language === 'json').map((one) => [nameOf(one), one] as const);

  test.each(found)('connects as it stands: %s', { timeout: 120_000 }, async (_name, { text }) => {
    const targets = targetsOfJson(filled(text, filling));
    expect(targets.length).toBeGreaterThan(0);
    for (const target of targets) {
      expect(JSON.stringify(target)).not.toMatch(/\$\{|books\.example|(?:FINANCE|DUNNING)_TOKEN/);
      await check(target);
    }
  });

  test('asks for every input that it uses, and for no other', () => {
    for (const { text } of all.filter(({ page, language }) => page === 'vscode.md' && language === 'json')) {
      const used = [...text.matchAll(/\$\{input:([\w-]+)\}/g)].map(([, id]) => id!);
      const asked = ((JSON.parse(text).inputs ?? []) as { id: string; password: boolean }[]).filter(
        ({ password }) => password,
      );
      expect(asked.map(({ id }) => id).sort()).toEqual([...new Set(used)].sort());
    }
  });
});

describe('a command line', () => {
  const found = all
    .filter(({ language, page }) => language === 'sh' && page !== 'README.md')
    .flatMap((one) =>
      one.text
        .trim()
        .split('\n')
        .map((line, index) => [`${nameOf(one)} ${index + 1}`, line] as const),
    );

  test.each(found)('names a server that answers: %s', { timeout: 120_000 }, async (_name, line) => {
    if (line === 'npx @modelcontextprotocol/inspector') return;
    const target = targetOfCommand(filled(line, filling));
    expect(target, line).toBeDefined();
    await check(target!);
  });
});

describe('a program', () => {
  const [byToken, bySignIn] = all.filter(({ language }) => language === 'ts');
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kobana-connect-'));
    await symlink(nodeModules, join(folder, 'node_modules'));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function run({ text }: Snippet): Promise<string> {
    const file = join(folder, 'program.ts');
    await writeFile(file, text.replaceAll('https://books.example', filling.origin));
    const child = spawn(process.execPath, [file], {
      env: environmentOf({
        KOBANA_FINANCE_TOKEN: filling.tokens.finance,
        KOBANA_DUNNING_TOKEN: filling.tokens.dunning,
      }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk;
      });
    }
    await once(child, 'close');
    return output;
  }

  test('runs as it stands by token', { timeout: 120_000 }, async () => {
    expect(await run(byToken!)).toMatch(/^finance \d+\ndunning \d+\n$/);
  });

  test('runs as it stands up to where a person signs in', { timeout: 120_000 }, async () => {
    const output = await run(bySignIn!);
    const url = new URL(/^Open (\S+)\n$/.exec(output)?.[1] ?? output);
    expect(url.origin).toBe(filling.origin);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: 'http://127.0.0.1:8765/callback',
      resource: `${filling.origin}/finance/mcp`,
    });
  });
});

test('the pages point to nothing that is not there', () => {
  for (const page of pages()) {
    const text = readFileSync(join(docs, page), 'utf8');
    for (const [, target] of text.matchAll(/\]\(([^)#]+)\)/g)) {
      if (!target!.startsWith('http'))
        expect(existsSync(join(docs, target!)), `${page}: ${target}`).toBe(true);
    }
  }
});
