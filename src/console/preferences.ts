/** What a browser remembers for its person: the language before signing in, the books chosen, a notice for the next page. */

import type { IncomingMessage } from 'node:http';
import type { Locale } from '../core/caller.ts';
import { cookieIn, plainCookie } from '../web/cookies.ts';
import { localeOf } from '../web/words.ts';
import type { Reply } from './page.ts';

interface Visit {
  readonly req: IncomingMessage;
  readonly origin: string;
  readonly url: URL;
}

interface Choices {
  readonly locale: Locale;
  readonly workspaceId: string | null;
  /** The address names the books, so that others are not shown instead. */
  readonly isAsked: boolean;
}

const LOCALE_COOKIE = 'kobana_locale';
const WORKSPACE_COOKIE = 'kobana_workspace';
const NOTICE_COOKIE = 'kobana_notice';
const YEAR_SECONDS = 31_536_000;
const NOTICE_SECONDS = 60;
const NOTICE_LENGTH_MAX = 300;

/** What was chosen: in the address (`lang`, `workspace`), else before. */
export function choicesOf({ req, url }: Visit): Choices {
  const locale = languageIn(url) ?? (cookieIn(req, LOCALE_COOKIE) as Locale | null);
  const asked = url.searchParams.get('workspace') || null;
  return {
    locale: locale === 'pt-BR' || locale === 'en' ? locale : localeOf(req.headers['accept-language']),
    workspaceId: asked ?? cookieIn(req, WORKSPACE_COOKIE),
    isAsked: asked !== null,
  };
}

/** The cookies that keep what this request chose and what the next page is to say. */
export function keepChoices(visit: Visit, workspaceId: string | null, reply: Reply): string[] {
  const { req, origin, url } = visit;
  const cookies: string[] = [];
  const locale = languageIn(url);
  if (locale !== null) cookies.push(plainCookie(origin, LOCALE_COOKIE, locale, YEAR_SECONDS));
  if (url.searchParams.has('workspace') && workspaceId !== null) {
    cookies.push(plainCookie(origin, WORKSPACE_COOKIE, workspaceId, YEAR_SECONDS));
  }
  if (reply.kind === 'go' && reply.notice !== null) {
    const notice = reply.notice.slice(0, NOTICE_LENGTH_MAX);
    cookies.push(plainCookie(origin, NOTICE_COOKIE, notice, NOTICE_SECONDS));
  } else if (reply.kind === 'page' && cookieIn(req, NOTICE_COOKIE) !== null) {
    cookies.push(plainCookie(origin, NOTICE_COOKIE, '', 0));
  }
  return cookies;
}

/** What the page before wanted to be said here. */
export function noticeIn(req: IncomingMessage): string | null {
  return cookieIn(req, NOTICE_COOKIE)?.slice(0, NOTICE_LENGTH_MAX) || null;
}

function languageIn(url: URL): Locale | null {
  const asked = url.searchParams.get('lang');
  return asked === 'pt-BR' || asked === 'en' ? asked : null;
}
