/** The examples of docs/connect as a reader takes them: out of the page, with the placeholders filled in. */

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = `${root}docs/connect/`;

export interface Snippet {
  readonly page: string;
  readonly language: string;
  /** The heading it stands under. */
  readonly heading: string;
  readonly text: string;
}

export interface Filling {
  /** For `https://books.example`. */
  readonly origin: string;
  readonly tokens: Readonly<Record<'finance' | 'dunning', string>>;
}

/** Where a client is told to go, and with what. */
export type Target =
  | { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> }
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    };

/** The pages, by name. */
export function pages(): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.md'));
}

/** Every fenced block of every page. */
export function snippets(): Snippet[] {
  return pages().flatMap((page) => {
    const text = readFileSync(folder + page, 'utf8');
    let heading = '';
    const found: Snippet[] = [];
    for (const [, title, language, body] of text.matchAll(/^## (.+)$|^```(\w+)\n([\s\S]*?)^```$/gm)) {
      if (title !== undefined) heading = title;
      else found.push({ page, language: language!, heading, text: body! });
    }
    return found;
  });
}

/** The text with the address, the tokens and the folder of the checkout in it. */
export function filled(text: string, { origin, tokens }: Filling): string {
  const token = (product: string) => tokens[product.toLowerCase() as 'finance' | 'dunning'];
  return text
    .replaceAll('https://books.example', origin)
    .replaceAll('/opt/kobana-mcp/', root)
    .replace(/\$\{(?:env:)?KOBANA_(FINANCE|DUNNING)_TOKEN\}|\$KOBANA_(FINANCE|DUNNING)_TOKEN/g, (_, a, b) =>
      token(a ?? b),
    )
    .replace(/\$\{input:kobana-(finance|dunning)-token\}/g, (_, product) => token(product))
    .replace(/\b(FINANCE|DUNNING)_TOKEN\b/g, (_, product) => token(product));
}

/** What a configuration in JSON connects to, whichever client it is written for. */
export function targetsOfJson(text: string): Target[] {
  const value = JSON.parse(text);
  if (Array.isArray(value.tools)) {
    return value.tools.map((tool: Record<string, string>) => ({
      kind: 'http',
      url: tool['server_url'],
      headers: { Authorization: `Bearer ${tool['authorization']}` },
    }));
  }
  return Object.values<Record<string, any>>(value.mcpServers ?? value.servers).map((server) =>
    server['command'] === undefined
      ? { kind: 'http', url: server['url'], headers: server['headers'] ?? {} }
      : { kind: 'stdio', command: server['command'], args: server['args'], env: server['env'] ?? {} },
  );
}

/** What a command line of `claude mcp add` or of the Inspector connects to; undefined for one that names no server. */
export function targetOfCommand(line: string): Target | undefined {
  const words = wordsOf(line);
  const own: Record<string, string> = {};
  while (/^\w+=/.test(words[0] ?? '')) assign(own, words.shift()!);
  const program = words.splice(0, words[0] === 'claude' ? 3 : 2).join(' ');
  if (program !== 'claude mcp add' && program !== 'npx @modelcontextprotocol/inspector') return undefined;
  const positionals: string[] = [];
  const headers: Record<string, string> = {};
  let rest: string[] = [];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '--') rest = words.splice(0);
    else if (word === '--cli') continue;
    else if (word === '--env') assign(own, words.shift()!);
    else if (word === '--header') headers[words[0]!.split(': ')[0]!] = words.shift()!.split(': ')[1]!;
    else if (word === '--transport' || word === '--method') words.shift();
    else if (word.startsWith('--')) throw new Error(`no flag of that client is known as ${word}`);
    else positionals.push(word);
  }
  const url = positionals.find((word) => word.startsWith('http'));
  if (url !== undefined) return { kind: 'http', url, headers };
  const [command, ...args] = rest.length > 0 ? rest : positionals;
  return command === undefined ? undefined : { kind: 'stdio', command, args, env: own };
}

function assign(into: Record<string, string>, word: string): void {
  const at = word.indexOf('=');
  into[word.slice(0, at)] = word.slice(at + 1);
}

/** As a shell takes a line apart that has double quotes and nothing else. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!);
}
