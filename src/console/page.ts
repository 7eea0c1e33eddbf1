/** What a page of the console is, what it is given, and what it answers. */

import type { Caller, Domain, Locale, ReachableWorkspace } from '../core/caller.ts';
import { parseId } from '../core/ids.ts';
import type { RestReply, RestRequest } from '../rest/client.ts';
import { type Html, html } from '../web/html.ts';
import type { Origin, SignedIn, SignIn } from '../web/sign-in.ts';

/** Words in both languages. */
export type Titles = Readonly<Record<Locale, string>>;

/** What every page is given, signed in or not. */
export interface PublicContext {
  /** Who is signed in, if anybody. */
  readonly person: SignedIn | null;
  readonly locale: Locale;
  readonly now: Date;
  /** Of the path's pattern, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The posted fields; empty for a GET. */
  readonly form: URLSearchParams;
  /** The address the request came to, such as `https://books.example`. */
  readonly origin: string;
  /** The page's own address with its query, as it may stand in `next`. */
  readonly path: string;
  readonly signIn: SignIn;
  /** Where the request comes from, as signing in wants it. */
  readonly from: Origin;
}

/** What a page of somebody signed in is given besides. */
export interface PageContext extends PublicContext {
  readonly person: SignedIn;
  /** The word that forms carry as `form_word`; `postForm` puts it in. */
  readonly formWord: string;
  /** The books the person chose or, of those they reach, the first; null when they reach none. */
  readonly workspace: ReachableWorkspace | null;
  readonly workspaceId: string | null;
  readonly workspaces: readonly ReachableWorkspace[];
  /** Where days begin and end: in the chosen books, or where there are none in the organization. */
  readonly timeZone: string;
  readonly organizationTimeZone: string;
  /** The person as a caller of a domain, or null when they have no part in it. */
  caller(domain: Domain): Promise<Caller | null>;
  /** Whether the person holds this scope: of finance in the chosen workspace, of the others in the organization. */
  can(scope: string): boolean;
  /** The same with the session as it is by now, after a proof was given within a post. */
  renewed(): Promise<PageContext>;
  /** Calls a REST route; a problem below 500 comes back as the reply it is. */
  rest(domain: Domain, request: RestRequest): Promise<RestReply>;
  /** The body of a REST route that must answer; every problem is thrown as `PageProblem` and becomes a page of its own. */
  restOk<T>(domain: Domain, request: RestRequest): Promise<T>;
}

/** A page for people signed in. */
export interface Page {
  /** Such as `/console/payables/:id`; a literal part is tried before a parameter. */
  readonly path: string;
  readonly title: Titles;
  /** The path of the navigation entry it belongs to; default: its own. */
  readonly section?: string;
  /** Names of scripts in `src/web/assets/`. */
  readonly scripts?: readonly string[];
  readonly get?: (ctx: PageContext) => Promise<Html | Reply>;
  /** The form's origin and word were checked. */
  readonly post?: (ctx: PageContext) => Promise<Html | Reply>;
}

/** A page for people who are not, or not yet, signed in. Its posts come from a page of this origin; there is no form word. */
export interface PublicPage {
  readonly path: string;
  readonly title: Titles;
  readonly isPublic: true;
  readonly scripts?: readonly string[];
  readonly get?: (ctx: PublicContext) => Promise<Html | Reply>;
  readonly post?: (ctx: PublicContext) => Promise<Html | Reply>;
}

export type Headers = Readonly<Record<string, string | string[]>>;

/** What goes out. */
export type Reply =
  | {
      readonly kind: 'page';
      readonly body: Html;
      readonly status: number;
      readonly title: string | null;
      readonly headers: Headers;
    }
  | { readonly kind: 'go'; readonly path: string; readonly notice: string | null; readonly headers: Headers }
  | { readonly kind: 'json'; readonly value: unknown; readonly status: number; readonly headers: Headers }
  | {
      readonly kind: 'file';
      readonly name: string;
      readonly type: string;
      readonly parts: AsyncIterable<string>;
    };

/** The content of `<main>` with a status, and a title when it is another than the page's. */
export function page(
  body: Html,
  status = 200,
  more: { readonly title?: string; readonly headers?: Headers } = {},
): Reply {
  return { kind: 'page', body, status, title: more.title ?? null, headers: more.headers ?? {} };
}

/** Leads to another page of this server; the notice is shown there once, so it holds nothing secret. */
export function goTo(path: string, notice: string | null = null, headers: Headers = {}): Reply {
  return { kind: 'go', path, notice, headers };
}

/** An answer to a script of ours. */
export function json(value: unknown, status = 200, headers: Headers = {}): Reply {
  return { kind: 'json', value, status, headers };
}

/** A file to keep, sent as it is made. The name is ASCII. */
export function file(name: string, type: string, parts: AsyncIterable<string>): Reply {
  return { kind: 'file', name, type, parts };
}

/** What a REST route answered with 400 or more, in the terms of the registry of errors. */
export class PageProblem extends Error {
  override readonly name = 'PageProblem';
  readonly status: number;
  readonly code: string;
  /** The fields of the problem, for pages that show more than its message. */
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(reply: RestReply) {
    const fields = typeof reply.body === 'object' && reply.body !== null ? { ...reply.body } : {};
    const said = fields as Record<string, unknown>;
    super(String(said['detail'] ?? said['title'] ?? 'The request was refused.'));
    this.status = reply.status;
    this.code = typeof said['code'] === 'string' ? said['code'] : 'internal';
    this.fields = said;
  }
}

/** The problem in a reply, or null when there is none. */
export function problemOf(reply: RestReply): PageProblem | null {
  return reply.status >= 400 ? new PageProblem(reply) : null;
}

/** Nothing is here, whoever asks: pages throw it for what the person may not know of. */
export function notFound(): never {
  throw new PageProblem({ status: 404, headers: {}, body: { code: 'not_found' } });
}

/** The id in the path, as `name` in the page's pattern; what cannot be an id is not found. */
export function idIn({ params }: Pick<PublicContext, 'params'>, name = 'id'): string {
  return parseId(params[name] ?? '') ?? notFound();
}

/** A form that posts to `action`, with what says that it is ours and that it is sent once (`once`, an idempotency key). */
export function postForm(
  ctx: PageContext,
  action: string,
  fields: Html | readonly Html[],
  once: string | null = null,
): Html {
  return html`<form method="post" action="${action}"><input type="hidden" name="form_word" value="${ctx.formWord}">${
    once !== null && html`<input type="hidden" name="once" value="${once}">`
  }
${fields}</form>`;
}

/** A query that starts with `?`, without the empty fields; empty when there are none. */
export function queryOf(
  fields: Readonly<Record<string, string | number | boolean | null | undefined>>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== null && value !== undefined && value !== '') query.set(name, String(value));
  }
  return query.size === 0 ? '' : `?${query}`;
}
