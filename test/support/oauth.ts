/** A browser as small as an authorization needs it, and clients that ask for one. */

import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { Product } from '../../src/core/caller.ts';
import { resourceUrlOf } from '../../src/core/resources.ts';

export const CALLBACK = 'http://127.0.0.1:7777/callback';

export interface Visit {
  readonly status: number;
  readonly url: string;
  readonly headers: Headers;
  readonly text: string;
  /** Where a redirect led that the browser did not follow, because it left the server. */
  readonly left: URL | null;
}

/** Keeps cookies by path and follows redirects within the server. */
export interface TestBrowser {
  get(url: string, headers?: Record<string, string>): Promise<Visit>;
  post(url: string, form: Record<string, string>, headers?: Record<string, string>): Promise<Visit>;
  /** From now on the other server behind the same name answers. */
  move(): void;
  signIn(cookie: string): void;
}

/** A browser at `origin`. With a second address every other `move` sends its requests there, as a proxy would. */
export function createTestBrowser(origin: string, second = origin): TestBrowser {
  const cookies = new Map<string, { value: string; path: string }>();
  let address = origin;
  const send = async (url: string, init: RequestInit): Promise<Visit> => {
    const target = new URL(url, origin);
    const cookie = [...cookies]
      .filter(([, { path }]) => target.pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
    const answer = await answerOf(address + target.pathname + target.search, init, {
      host: target.host,
      ...(cookie !== '' && { cookie }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ');
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      const path = attributes.find((each) => /^path=/i.test(each))?.slice(5) ?? '/';
      if (value === '') cookies.delete(name);
      else cookies.set(name, { value, path });
    }
    const location = answer.headers.get('location');
    const next = location === null ? null : new URL(location, target);
    if (next !== null && (next.origin === origin || next.origin === address)) {
      await answer.body?.cancel();
      return send(origin + next.pathname + next.search, { method: 'GET' });
    }
    return {
      status: answer.status,
      url: target.href,
      headers: answer.headers,
      text: await answer.text(),
      left: next,
    };
  };
  return {
    get: (url, headers = {}) => send(url, { method: 'GET', headers }),
    post: (url, form, headers = {}) =>
      send(url, {
        method: 'POST',
        body: new URLSearchParams(form),
        headers: { origin, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      }),
    move: () => {
      address = address === origin ? second : origin;
    },
    signIn: (cookie) => {
      const [name = '', value = ''] = cookie.split('=');
      cookies.set(name, { value, path: '/' });
    },
  };
}

/** `fetch` that may say another host than the one it connects to. */
function answerOf(url: string, init: RequestInit, headers: Record<string, string>): Promise<Response> {
  return new Promise((settle, fail) => {
    const all = { ...(init.headers as Record<string, string>), ...headers };
    const sent = request(url, { method: init.method ?? 'GET', headers: all, agent: false }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', fail);
      answer.on('end', () => {
        const got = new Headers();
        for (const [name, value] of Object.entries(answer.headersDistinct)) {
          for (const each of value ?? []) got.append(name, each);
        }
        const status = answer.statusCode!;
        settle(
          new Response([204, 304].includes(status) ? null : Buffer.concat(parts), { status, headers: got }),
        );
      });
    });
    sent.on('error', fail).end(init.body === undefined ? undefined : String(init.body));
  });
}

export interface Choices {
  readonly access?: string;
  readonly workspace?: string;
  readonly days?: string;
  readonly decision?: string;
}

/** Decides on a consent page as a person does: what is not said stays as the page has it. */
export function decide(browser: TestBrowser, page: Visit, choices: Choices = {}): Promise<Visit> {
  const { decision = 'allow', ...rest } = choices;
  return browser.post(page.url, { ...formOf(page.text), ...rest, decision });
}

/** The fields of the page's form with the values it shows. */
export function formOf(text: string): Record<string, string> {
  const form: Record<string, string> = {};
  for (const [tag] of text.matchAll(/<input [^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(tag)?.[1];
    const value = /value="([^"]*)"/.exec(tag)?.[1] ?? '';
    if (name !== undefined && (!tag.includes('type="radio"') || / checked/.test(tag))) form[name] = value;
  }
  for (const [, name = '', options = ''] of text.matchAll(
    /<select [^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/gs,
  )) {
    form[name] = /value="([^"]*)" selected/.exec(options)?.[1] ?? '';
  }
  return form;
}

/** What a client keeps between asking and exchanging. */
export interface Asking {
  readonly url: string;
  readonly verifier: string;
}

export interface AskOptions {
  readonly origin: string;
  readonly clientId: string;
  readonly product?: Product;
  readonly scope?: string;
  readonly redirectUri?: string;
  readonly changes?: Record<string, string | null>;
}

/** The address of an authorization request; a parameter changed to null is left out. */
export function askUrl(options: AskOptions): Asking {
  const { origin, clientId, product = 'finance', redirectUri = CALLBACK, changes = {} } = options;
  const verifier = randomBytes(32).toString('base64url');
  const params: Record<string, string | null> = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: options.scope ?? `${product}:read`,
    state: 'the state of the client',
    resource: resourceUrlOf(origin, product),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  };
  const url = new URL('/oauth/authorize', origin);
  for (const [name, value] of Object.entries(params)) if (value !== null) url.searchParams.set(name, value);
  return { url: url.href, verifier };
}

export interface Json {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any;
}

/** Registers a client and gives its id. */
export async function registerClient(origin: string, metadata: object = {}): Promise<string> {
  const { status, body } = await postJson(`${origin}/oauth/register`, {
    client_name: 'A program of tests',
    redirect_uris: [CALLBACK],
    ...metadata,
  });
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.client_id;
}

export async function postJson(url: string, body: unknown): Promise<Json> {
  const answer = await fetch(url, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

/** Posts to the token endpoint, or another one that takes forms. */
export async function postForm(url: string, form: Record<string, string>): Promise<Json> {
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(form) });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
}
