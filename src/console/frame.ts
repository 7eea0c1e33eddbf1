/** Puts a page's content into the frame of the console. */

import { type Html, html } from '../web/html.ts';
import { documentOf, type NavLink } from '../web/layout.ts';
import { words } from '../web/words.ts';
import { navigationOf, sectionOf } from './navigation.ts';
import { type PageContext, PageProblem, type PublicContext } from './page.ts';
import { pendingApprovals } from './pending.ts';
import { statusTitle } from './problems.ts';

export interface Framing {
  readonly title: string;
  readonly body: Html;
  readonly scripts: readonly string[];
  readonly notice: string | null;
  readonly section: string;
}

/** The whole document for somebody signed in: navigation, the books they may choose, and the content. */
export async function framed(
  ctx: PageContext,
  exists: (path: string) => boolean,
  framing: Framing,
): Promise<Html> {
  const { locale, person, workspaces, workspaceId } = ctx;
  const section = sectionOf(framing.section);
  return documentOf({
    locale,
    title: framing.title,
    body: framing.body,
    assets: framing.scripts,
    notice: framing.notice,
    nav: navigationOf({
      locale,
      can: ctx.can,
      exists,
      section,
      pendingApprovals: exists('/console/approvals') ? await countOf(ctx) : undefined,
    }),
    person: {
      name: person.user.name,
      organization: person.organization.name,
      formWord: ctx.formWord,
      workspaces:
        workspaces.length < 2 ? null : { options: workspaces, chosenId: workspaceId, path: section },
    },
  });
}

/** The whole document for somebody who is not signed in, or for a page without the books around it. */
export function plain(ctx: Pick<PublicContext, 'locale'>, framing: Omit<Framing, 'section'>): Html {
  return documentOf({
    locale: ctx.locale,
    title: framing.title,
    body: framing.body,
    assets: framing.scripts,
    notice: framing.notice,
  });
}

const countWords = {
  'pt-BR': (shown: string) => `, ${shown} pendentes`,
  en: (shown: string) => `, ${shown} pending`,
} as const;

/** The number beside the entry of approvals; absent when none wait. A page of an error is shown without it too. */
async function countOf(ctx: PageContext): Promise<NavLink['count']> {
  const pending = await pendingApprovals(ctx).catch((error: unknown) => {
    if (error instanceof PageProblem) return null;
    throw error;
  });
  if (pending === null || pending.records === 0) return undefined;
  const shown = `${pending.records}${pending.hasMore ? '+' : ''}`;
  return { shown, words: countWords[ctx.locale](shown) };
}

/** The content of a page that says why there is nothing else to see. */
export function refusalBody(
  ctx: Pick<PublicContext, 'locale'>,
  status: number,
  text: string,
  reference: string | null,
): Html {
  const own = words(ctx.locale);
  return html`<h1>${statusTitle(ctx.locale, status)}</h1>
<p class="lead">${text}</p>
${reference !== null && html`<p>${own.reference}: <code>${reference}</code></p>\n`}<p><a class="button" href="/console">${own.back}</a></p>`;
}
