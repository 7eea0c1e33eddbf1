/** What waits for a person: the list, the question from live records, and the yes or no. */

import { type Html, html } from '../../web/html.ts';
import { dateTime, money, relativeTime, words } from '../../web/words.ts';
import { table } from '../forms.ts';
import { type Page, type PageContext, problemOf, queryOf } from '../page.ts';
import { type Approval, approvalWords, type Product, statusTag } from './approvals-words.ts';

const PAGE_SIZE = 25;

interface ApprovalList {
  readonly items: readonly Approval[];
  readonly next_cursor: string | null;
}

export const approvals: Page = {
  path: '/console/approvals',
  title: { 'pt-BR': approvalWords['pt-BR'].title, en: approvalWords.en.title },
  async get(ctx) {
    const own = approvalWords[ctx.locale];
    const status = ctx.query.get('status') === 'all' ? 'all' : 'pending';
    const products: Product[] = ctx.workspaceId === null ? ['dunning'] : ['finance', 'dunning'];
    const parts: Html[] = [];
    for (const product of products) parts.push(await partOf(ctx, product, status));
    const other = status === 'all' ? 'pending' : 'all';
    return html`<h1>${own.title}</h1>
<p class="lead">${own.lead}</p>
<p><a href="/console/approvals${queryOf({ status: other })}">${status === 'all' ? own.showPending : own.showAll}</a></p>
${parts}`;
  },
};

async function partOf(ctx: PageContext, product: Product, status: 'all' | 'pending'): Promise<Html> {
  const own = approvalWords[ctx.locale];
  const cursor = ctx.query.get(`${product}_cursor`);
  const query = queryOf({
    status: status === 'all' ? null : 'pending',
    limit: PAGE_SIZE,
    cursor,
    workspace_id: product === 'finance' ? ctx.workspaceId : null,
  });
  const reply = await ctx.rest(product, { method: 'GET', path: `/${product}/v1/approvals${query}` });
  const problem = problemOf(reply);
  // Somebody with a role in certain workspaces only has no part in dunning.
  if (problem !== null && problem.status !== 403) throw problem;
  if (problem !== null) return html``;
  const { items, next_cursor } = reply.body as ApprovalList;
  const place = product === 'finance' ? `${own.finance}: ${ctx.workspace?.name ?? ''}` : own.dunning;
  return html`<section>
<h2 id="${product}">${place}</h2>
${items.length === 0 ? html`<p>${status === 'all' ? own.noneEver : own.nonePending}</p>` : listOf(ctx, product, place, items)}
${
  next_cursor !== null &&
  html`<p><a class="button quiet" href="/console/approvals${queryOf({ status, [`${product}_cursor`]: next_cursor })}">${words(ctx.locale).nextPage}</a></p>`
}
</section>
`;
}

function listOf(ctx: PageContext, product: Product, place: string, items: readonly Approval[]): Html {
  const { locale, now } = ctx;
  const own = approvalWords[locale];
  return table<Approval>(
    place,
    [
      {
        head: own.what,
        cell: (each) => html`<a href="${pathOf(ctx, product, each.id)}">${firstLineOf(each.question)}</a>`,
      },
      {
        head: own.amount,
        cell: ({ amount }) => (amount === null ? '–' : money(locale, amount)),
        isAmount: true,
      },
      { head: own.requestedBy, cell: (each) => each.requested_by.name },
      { head: own.requestedAt, cell: (each) => relativeTime(locale, each.requested_at, now) },
      { head: own.status, cell: ({ status }) => statusTag(locale, status) },
      {
        head: own.until,
        cell: ({ expires_at, status }) =>
          status === 'pending' ? dateTime(locale, expires_at, ctx.timeZone) : '–',
      },
    ],
    items,
  );
}

/** The title of what was asked for, without the name of the tool. */
export function firstLineOf(question: string): string {
  return question.split('\n', 1)[0]!.replace(/ \([a-z_]+\)$/, '');
}

/** The page of one approval. */
export function pathOf(ctx: PageContext, product: Product, id: string): string {
  return `/console/approvals/${id}${queryOf({ workspace: product === 'finance' ? ctx.workspaceId : null })}`;
}
