/** Words and shapes that the pages of connections, tokens and sessions share. */

import type { Locale } from '../../core/caller.ts';
import { type Html, html } from '../../web/html.ts';
import { dateTime, relativeTime, words } from '../../web/words.ts';
import { type Column, table } from '../forms.ts';
import { idIn, notFound, type PageContext, queryOf } from '../page.ts';

const PAGE_SIZE = 50;

/** What connections and tokens have in common, as REST gives it. */
export interface Access {
  readonly id: string;
  readonly person: { readonly id: string; readonly name: string };
  readonly product: 'finance' | 'dunning';
  readonly access: 'read' | 'write';
  readonly workspace: { readonly id: string; readonly name: string } | null;
  readonly state: 'live' | 'ended';
  readonly created_at: string;
  readonly expires_at: string;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

export interface List<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

export const accessWords = {
  'pt-BR': {
    connections: 'Conexões',
    tokens: 'Tokens',
    sessions: 'Sessões',
    tabs: 'Acessos',
    person: 'Pessoa',
    product: 'Produto',
    products: { finance: 'Finanças', dunning: 'Cobrança' },
    access: 'Pode',
    accesses: { read: 'só ler', write: 'ler e agir' },
    workspace: 'Onde',
    everywhere: 'todos os espaços da pessoa',
    organization: 'toda a organização',
    created: 'Desde',
    used: 'Último uso',
    never: 'nunca',
    expires: 'Vence',
    revoked: 'Revogado',
    ended: 'Encerrado',
    action: 'Ação',
    mine: 'Mostrar só os meus',
    everybody: 'Mostrar os de todos',
    live: 'Mostrar só os que valem',
    withEnded: 'Mostrar também os encerrados',
  },
  en: {
    connections: 'Connections',
    tokens: 'Tokens',
    sessions: 'Sessions',
    tabs: 'Access',
    person: 'Person',
    product: 'Product',
    products: { finance: 'Finance', dunning: 'Dunning' },
    access: 'May',
    accesses: { read: 'only read', write: 'read and act' },
    workspace: 'Where',
    everywhere: 'every workspace of the person',
    organization: 'the whole organization',
    created: 'Since',
    used: 'Last used',
    never: 'never',
    expires: 'Expires',
    revoked: 'Revoked',
    ended: 'Ended',
    action: 'Action',
    mine: 'Show only mine',
    everybody: "Show everybody's",
    live: 'Show only the live ones',
    withEnded: 'Show the ended ones too',
  },
} as const;

/** The three pages of what lets somebody in. */
export function accessTabs(locale: Locale, current: 'connections' | 'tokens' | 'sessions'): Html {
  const own = accessWords[locale];
  const names = ['connections', 'tokens', 'sessions'] as const;
  return html`<nav aria-label="${own.tabs}"><ul class="tablist">${names.map(
    (name) =>
      html`<li><a class="tab" href="/console/${name}"${name === current && html` aria-current="page"`}>${own[name]}</a></li>`,
  )}</ul></nav>`;
}

/** Where it reaches, in words. */
export function placeText(
  locale: Locale,
  { product, workspace }: Pick<Access, 'product' | 'workspace'>,
): string {
  const own = accessWords[locale];
  if (product === 'dunning') return own.organization;
  return workspace?.name ?? own.everywhere;
}

/** When it was last used, as far as that is from now. */
export function usedText({ locale, now }: PageContext, instant: string | null): string {
  return instant === null ? accessWords[locale].never : relativeTime(locale, instant, now);
}

/** An instant at the place of the chosen books. */
export function instantText(ctx: PageContext, instant: string): string {
  return dateTime(ctx.locale, instant, ctx.timeZone);
}

/** Whose and which of them are shown, out of the query; everybody's only for those who may see them. */
function shownOf(ctx: PageContext): { whose: 'me' | 'everybody'; state: 'live' | 'all' } {
  const isEverybody = ctx.query.get('whose') === 'everybody' && ctx.can('account.connections');
  return {
    whose: isEverybody ? 'everybody' : 'me',
    state: ctx.query.get('state') === 'all' ? 'all' : 'live',
  };
}

/** Links that show others of them. */
function shownLinks(ctx: PageContext, path: string): Html {
  const own = accessWords[ctx.locale];
  const { whose, state } = shownOf(ctx);
  const link = (to: typeof whose, of: typeof state, words: string) =>
    html`<a href="${path}?whose=${to}&amp;state=${of}">${words}</a>`;
  return html`<p class="shown">${
    ctx.can('account.connections') &&
    (whose === 'me' ? link('everybody', state, own.everybody) : link('me', state, own.mine))
  } ${state === 'live' ? link(whose, 'all', own.withEnded) : link(whose, 'live', own.live)}</p>`;
}

/** The one the address names, of the live ones the person sees; any other is not there. */
export async function accessIn<Item extends Access>(
  ctx: PageContext,
  of: 'connections' | 'tokens',
): Promise<Item> {
  const whose = ctx.can('account.connections') ? 'everybody' : 'me';
  let cursor: string | null = null;
  do {
    const query = queryOf({ whose, state: 'live', limit: 100, cursor });
    const page: List<Item> = await ctx.restOk('account', {
      method: 'GET',
      path: `/account/v1/${of}${query}`,
    });
    const found = page.items.find(({ id }) => id === idIn(ctx));
    if (found !== undefined) return found;
    cursor = page.next_cursor;
  } while (cursor !== null);
  return notFound();
}

/** A page that lists connections or tokens: its tabs, which of them are shown, the table, and the way to more. */
export async function accessListPage<Item extends Access>(
  ctx: PageContext,
  of: 'connections' | 'tokens',
  path: string,
  texts: { readonly lead: string; readonly none: string; readonly actions?: Html },
  columns: (whose: 'me' | 'everybody') => Column<Item>[],
): Promise<Html> {
  const { locale } = ctx;
  const title = accessWords[locale][of];
  const shown = shownOf(ctx);
  const query = queryOf({ ...shown, limit: PAGE_SIZE, cursor: ctx.query.get('cursor') });
  const { items, next_cursor } = await ctx.restOk<List<Item>>('account', {
    method: 'GET',
    path: `/account/v1/${of}${query}`,
  });
  return html`<h1>${title}</h1>
${accessTabs(locale, of)}
<p class="lead">${texts.lead}</p>
${texts.actions}
${shownLinks(ctx, path)}
${items.length === 0 ? html`<p>${texts.none}</p>` : table(title, columns(shown.whose), items)}
${next_cursor !== null && html`<p><a class="button quiet" href="${path}${queryOf({ ...shown, cursor: next_cursor })}">${words(locale).nextPage}</a></p>`}`;
}

/** The columns of a list of connections or tokens: what it is, whose, what it may do where, when, and its end. */
export function accessColumns<Item extends Access>(
  ctx: PageContext,
  whose: 'me' | 'everybody',
  path: string,
  nameOf: (item: Item) => string,
  first: Column<Item>,
): Column<Item>[] {
  const { locale } = ctx;
  const own = accessWords[locale];
  const { revoke } = words(locale);
  return [
    first,
    ...(whose === 'everybody' ? [{ head: own.person, cell: ({ person }: Item) => person.name }] : []),
    { head: own.product, cell: ({ product }) => own.products[product] },
    { head: own.access, cell: ({ access }) => own.accesses[access] },
    { head: own.workspace, cell: (each) => placeText(locale, each) },
    { head: own.created, cell: ({ created_at }) => instantText(ctx, created_at) },
    { head: own.used, cell: ({ last_used_at }) => usedText(ctx, last_used_at) },
    { head: own.expires, cell: ({ expires_at }) => instantText(ctx, expires_at) },
    {
      head: own.action,
      cell: (item) =>
        item.state === 'live'
          ? html`<a class="button quiet" href="${path}/${item.id}/revoke" aria-label="${revoke}: ${nameOf(item)}">${revoke}</a>`
          : item.revoked_at === null
            ? own.ended
            : own.revoked,
    },
  ];
}
