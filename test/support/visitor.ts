import { createAppServer, listen, shut } from '../../src/apps/server.ts';
import type { World } from './world.ts';

/** A page as a test reads it. */
export interface Visited {
  readonly status: number;
  readonly text: string;
  /** Where a redirect leads. */
  readonly location: string | null;
  readonly headers: Headers;
}

/** A browser without scripts: it keeps cookies, follows no redirect by itself, and posts the forms of the page it is on. */
export interface Visitor {
  readonly cookies: Map<string, string>;
  get(path: string): Promise<Visited>;
  /** Posts fields with the form word of the page seen last; `headers` replace what a browser would send. */
  post(path: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Visited>;
  /** Goes on to where a reply leads. */
  follow(visited: Visited): Promise<Visited>;
}

export interface ConsoleServer {
  readonly origin: string;
  /** Somebody with this session secret, or without any. */
  visitor(secret?: string): Visitor;
  close(): Promise<void>;
}

/** The whole server over a world, on a free port of this machine. */
export async function openConsole(world: World, host = '127.0.0.1'): Promise<ConsoleServer> {
  const server = createAppServer(world.runtime);
  const origin = `http://${host}:${await listen(server, 0, '127.0.0.1')}`;
  return {
    origin,
    visitor: (secret) => createVisitor(origin, secret),
    close: () => shut(server, 0),
  };
}

function createVisitor(origin: string, secret: string | undefined): Visitor {
  const cookies = new Map<string, string>();
  if (secret !== undefined) cookies.set('kobana_session', secret);
  let formWord = '';
  const visit = async (path: string, init: RequestInit): Promise<Visited> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await fetch(new URL(path, origin), {
      ...init,
      redirect: 'manual',
      headers: { Cookie: cookie, 'Accept-Language': 'pt-BR', ...init.headers },
    });
    for (const line of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === '') cookies.delete(name!);
      else cookies.set(name!, value!);
    }
    const text = await reply.text();
    formWord = /name="form_word" value="([^"]+)"/.exec(text)?.[1] ?? formWord;
    return { status: reply.status, text, location: reply.headers.get('location'), headers: reply.headers };
  };
  return {
    cookies,
    get: (path) => visit(path, {}),
    post: (path, fields = {}, headers = {}) =>
      visit(path, {
        method: 'POST',
        body: new URLSearchParams({ form_word: formWord, ...fields }),
        headers: { Origin: origin, 'Sec-Fetch-Site': 'same-origin', ...headers },
      }),
    follow: (visited) => visit(visited.location!, {}),
  };
}
