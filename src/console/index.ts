/** The web console: pages made on the server, which know the books by REST only. */

import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressOf } from '../core/client-address.ts';
import type { RestClient } from '../rest/client.ts';
import { mountAssets } from '../web/assets.ts';
import { sessionSecretIn } from '../web/cookies.ts';
import { Html } from '../web/html.ts';
import { readForm, sendPage, WebRefusal } from '../web/http.ts';
import type { Mount } from '../web/mount.ts';
import type { SignIn } from '../web/sign-in.ts';
import { contextOf } from './context.ts';
import { framed, plain, refusalBody } from './frame.ts';
import {
  goTo,
  type Headers,
  notFound,
  type Page,
  type PageContext,
  PageProblem,
  type PublicContext,
  type PublicPage,
  page,
  type Reply,
} from './page.ts';
import { pages } from './pages/index.ts';
import { choicesOf, keepChoices, noticeIn } from './preferences.ts';
import { problemText, statusText, statusTitle } from './problems.ts';
import { send } from './replies.ts';
import { createRouter, type Route } from './router.ts';

export interface ConsoleOptions {
  readonly rest: RestClient;
  readonly signIn: SignIn;
  readonly now: () => Date;
  /** Whom a request comes from; default: who is connected. */
  readonly addressOf?: AddressOf;
  /** Logs a failure nobody foresaw and gives the id to tell the person. */
  readonly logFailure: (error: unknown, where: string) => string;
  /** Logs that a request was refused before its page ran, with facts that hold no secret. */
  readonly logRefusal?: (what: string, facts: Readonly<Record<string, string>>) => void;
}

interface Visit {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly origin: string;
  readonly url: URL;
  readonly route: Route<Page | PublicPage> | null;
}

const SIGN_IN = '/console/sign-in';
const VERIFY = '/console/verify';

const routeOf = createRouter<Page | PublicPage>(pages);
const paths = new Set(pages.map(({ path }) => path));
const exists = (path: string) => paths.has(path);

/** Serves `/console`, `/console/…` and `/assets/…`. */
export function createConsole(options: ConsoleOptions): Mount {
  return (req, res, origin) => {
    if (mountAssets(req, res, origin)) return true;
    const url = URL.parse(req.url ?? '', origin);
    if (url === null || (url.pathname !== '/console' && !url.pathname.startsWith('/console/'))) return false;
    const route = routeOf(url.pathname.replace(/\/$/, ''));
    void answer(options, { req, res, origin, url, route });
    return true;
  };
}

/** Answers, whatever happens: a page that cannot be made becomes a page that says so. */
async function answer(options: ConsoleOptions, visit: Visit): Promise<void> {
  // The pattern is logged, since the path itself may hold the secret of an invitation.
  const where = `${visit.req.method} ${visit.route?.page.path ?? '/console/…'}`;
  const known: { ctx: PublicContext | PageContext } = { ctx: strangerOf(options, visit) };
  try {
    const reply = await replyTo(options, visit, known).catch((error: unknown) => {
      if (error instanceof WebRefusal) {
        const facts = { why: error.message, where, address: known.ctx.from.address };
        options.logRefusal?.('a request was refused', facts);
      }
      return replyToFailure(known.ctx, returnPathOf(visit), error, () => options.logFailure(error, where));
    });
    await send(visit.res, await finished(visit, known.ctx, reply));
  } catch (error) {
    // Not even the page that says so could be made, or sent: one without the books around it, if there is still time.
    const id = options.logFailure(error, where);
    if (visit.res.headersSent) visit.res.destroy();
    else sendPage(visit.res, 500, failurePage(known.ctx, id));
  } finally {
    visit.req.resume();
  }
}

/** Runs the page; `known` always holds as much about who asks as was found out. */
async function replyTo(
  options: ConsoleOptions,
  visit: Visit,
  known: { ctx: PublicContext | PageContext },
): Promise<Reply> {
  const { req, origin, route } = visit;
  const secret = sessionSecretIn(req, origin);
  const person = secret === null ? null : await options.signIn.find(secret, known.ctx.now);
  if (person !== null) known.ctx = { ...known.ctx, person, locale: person.user.locale };
  const isPublic = route !== null && 'isPublic' in route.page;
  const isPost = req.method === 'POST';
  if (!isPublic && person === null) {
    return goTo(`${SIGN_IN}?next=${encodeURIComponent(returnPathOf(visit))}`);
  }
  if (isPost && route?.page.post !== undefined) {
    const form = await readForm(req, origin);
    if (!isPublic && person !== null) requireFormWord(form, person.formWord);
    known.ctx = { ...known.ctx, form };
  }
  if (!isPublic && person !== null) {
    const { workspaceId, isAsked } = choicesOf(visit);
    const ctx = await contextOf({
      visit: known.ctx,
      person,
      client: options.rest,
      wantedWorkspaceId: workspaceId,
      personAgain: async () => (secret === null ? null : options.signIn.find(secret, options.now())),
    });
    known.ctx = ctx;
    if (isAsked && ctx.workspaceId !== workspaceId) notFound();
  }
  if (route === null) notFound();
  requireMethod(route.page, req.method);
  const run = (isPost ? route.page.post : route.page.get) as (
    ctx: PublicContext | PageContext,
  ) => Promise<Html | Reply>;
  const made = await run.call(route.page, known.ctx);
  return made instanceof Html ? page(made) : made;
}

/** Where to come back to after signing in or a proof: the page itself; after a post that has no page, the one it came from. */
function returnPathOf({ req, origin, url, route }: Visit): string {
  if (req.method !== 'POST' || route?.page.get !== undefined) return url.pathname + url.search;
  const from = URL.parse(req.headers.referer ?? '');
  return from?.origin === origin ? from.pathname + from.search : '/console';
}

/** Somebody of whom nothing is known but the request. */
function strangerOf(options: ConsoleOptions, visit: Visit): PublicContext {
  const { req, origin, url, route } = visit;
  return {
    person: null,
    locale: choicesOf(visit).locale,
    now: options.now(),
    params: route?.params ?? {},
    query: url.searchParams,
    form: new URLSearchParams(),
    origin,
    path: url.pathname + url.search,
    signIn: options.signIn,
    from: {
      address: options.addressOf?.(req) ?? req.socket.remoteAddress ?? '',
      userAgent: req.headers['user-agent'] ?? '',
      origin,
    },
  };
}

function requireMethod({ get, post }: Page | PublicPage, method: string | undefined): void {
  const isRead = method === 'GET' || method === 'HEAD';
  if ((isRead && get !== undefined) || (method === 'POST' && post !== undefined)) return;
  throw new WebRefusal(405, 'This page does not take that kind of request.');
}

function requireFormWord(form: URLSearchParams, formWord: string): void {
  const right = Buffer.from(formWord);
  const given = Buffer.from(form.get('form_word') ?? '');
  if (right.length !== given.length || !timingSafeEqual(right, given)) {
    throw new WebRefusal(403, 'The form is not of this session.');
  }
}

/** A page that says what was refused; where the session is over or a fresh proof is wanted, the way to it. */
function replyToFailure(ctx: PublicContext, back: string, error: unknown, log: () => string): Reply {
  const { locale } = ctx;
  const next = encodeURIComponent(back);
  const refuse = (status: number, text: string, reference: string | null = null) =>
    page(refusalBody(ctx, status, text, reference), status, { title: statusTitle(locale, status) });
  if (error instanceof PageProblem && error.status < 500) {
    if (error.code === 'unauthenticated') return goTo(`${SIGN_IN}?next=${next}`);
    if (error.code === 'verification_required') return goTo(`${VERIFY}?next=${next}`);
    return refuse(error.status, problemText(locale, error));
  }
  if (error instanceof WebRefusal) return refuse(error.status, statusText(locale, error.status));
  return refuse(500, statusText(locale, 500), log());
}

function failurePage(ctx: PublicContext, id: string): Html {
  const body = refusalBody(ctx, 500, statusText(ctx.locale, 500), id);
  return plain(ctx, { title: statusTitle(ctx.locale, 500), body, scripts: [], notice: null });
}

/** The reply as it goes out: in its frame, with the cookies that keep what the person chose. */
async function finished(visit: Visit, ctx: PublicContext | PageContext, reply: Reply): Promise<Reply> {
  const { route } = visit;
  const cookies = keepChoices(visit, 'workspaces' in ctx ? ctx.workspaceId : null, reply);
  if (reply.kind !== 'page') return withCookies(reply, cookies);
  const title = reply.title ?? route?.page.title[ctx.locale] ?? '';
  const framing = {
    title,
    body: reply.body,
    scripts: route?.page.scripts ?? [],
    notice: noticeIn(visit.req),
  };
  const section = (route !== null && 'section' in route.page && route.page.section) || visit.url.pathname;
  const body = 'workspaces' in ctx ? await framed(ctx, exists, { ...framing, section }) : plain(ctx, framing);
  const allowed: Headers = reply.status === 405 && route !== null ? { Allow: allowOf(route.page) } : {};
  return withCookies({ ...reply, body, headers: { ...reply.headers, ...allowed } }, cookies);
}

function allowOf({ get, post }: Page | PublicPage): string {
  return [...(get === undefined ? [] : ['GET', 'HEAD']), ...(post === undefined ? [] : ['POST'])].join(', ');
}

function withCookies(reply: Reply, cookies: readonly string[]): Reply {
  if (cookies.length === 0 || reply.kind === 'file') return reply;
  const own = reply.headers['Set-Cookie'] ?? [];
  return { ...reply, headers: { ...reply.headers, 'Set-Cookie': [...[own].flat(), ...cookies] } };
}
