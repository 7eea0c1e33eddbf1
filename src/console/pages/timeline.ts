/** What happened: the audit chain in plain words, with filters, a check of the whole chain, and files to keep. */

import { type Html, html } from '../../web/html.ts';
import { count, words } from '../../web/words.ts';
import { type Choice, errorSummary, input, select } from '../forms.ts';
import {
  file,
  goTo,
  notFound,
  type Page,
  type PageContext,
  page,
  postForm,
  problemOf,
  queryOf,
} from '../page.ts';
import { problemText } from '../problems.ts';
import { csvOf, type EventPages, jsonOf } from './timeline-export.ts';
import { knownKinds } from './timeline-fields.ts';
import { knownOperations } from './timeline-operations.ts';
import { timelineOf } from './timeline-view.ts';
import { type Chain, type EventList, timelineWords } from './timeline-words.ts';

const PATH = '/console/timeline';
const PAGE_SIZE = 25;
const EXPORT_PAGE_SIZE = 100;
const filterNames = ['date_from', 'date_to', 'actor', 'operation', 'resource', 'id'] as const;

type Filter = Readonly<Partial<Record<(typeof filterNames)[number], string>>>;

const titles = { 'pt-BR': timelineWords['pt-BR'].title, en: timelineWords.en.title } as const;

export const timeline: Page = {
  path: PATH,
  title: titles,
  async get(ctx) {
    const { locale, query } = ctx;
    const own = timelineWords[locale];
    const chain = chainOf(ctx);
    const filter = filterOf(query);
    const reply = await ctx.rest(chain, {
      method: 'GET',
      path: eventsPath(ctx, chain, filter, PAGE_SIZE, query.get('cursor')),
    });
    const problem = problemOf(reply);
    if (problem !== null && problem.status !== 422 && problem.status !== 400) throw problem;
    const { items, next_cursor } = problem === null ? (reply.body as EventList) : nothing;
    const filtered = (more: Filter) => `${PATH}${queryOf({ of: chain, ...filter, ...more })}`;
    const errors = problem === null ? [] : [{ field: null, text: problemText(locale, problem) }];
    return page(
      html`<h1>${own.title}</h1>
<p class="lead">${own.lead}</p>
${errorSummary(locale, errors)}${await filterForm(ctx, chain, filter)}
${items.length === 0 ? html`<p>${Object.keys(filter).length === 0 ? own.noneEver : own.none}</p>` : timelineOf({ locale, timeZone: zoneOf(ctx, chain), filtered }, items)}
${next_cursor !== null && html`<p><a class="button quiet" href="${PATH}${queryOf({ of: chain, ...filter, cursor: next_cursor })}">${words(locale).nextPage}</a></p>`}
${tools(ctx, chain, filter)}`,
      problem?.status ?? 200,
    );
  },
};

const nothing: EventList = { items: [], next_cursor: null };

/** Which of the chains: the one asked for, else that of the books, else that of the organization. */
function chainOf(ctx: PageContext): Chain {
  const asked = ctx.query.get('of') ?? ctx.form.get('of');
  const mayFinance = ctx.workspaceId !== null && ctx.can('finance.events');
  if (asked === 'dunning' || (asked === null && !mayFinance && ctx.can('dunning.events'))) return 'dunning';
  if (asked !== null && asked !== 'finance') notFound();
  return 'finance';
}

function filterOf(query: URLSearchParams): Filter {
  const filter: Record<string, string> = {};
  for (const name of filterNames) {
    const value = query.get(name)?.trim() ?? '';
    if (value !== '') filter[name] = value;
  }
  return filter;
}

function eventsPath(
  ctx: PageContext,
  chain: Chain,
  filter: Filter,
  limit: number,
  cursor: string | null,
): string {
  const place = chain === 'finance' ? { workspace_id: ctx.workspaceId } : {};
  return `/${chain}/v1/events${queryOf({ ...filter, ...place, limit, cursor })}`;
}

const zoneOf = (ctx: PageContext, chain: Chain) =>
  chain === 'finance' ? ctx.timeZone : ctx.organizationTimeZone;

async function filterForm(ctx: PageContext, chain: Chain, filter: Filter): Promise<Html> {
  const { locale } = ctx;
  const own = timelineWords[locale];
  const all: Choice = { value: '', label: own.all };
  const chains: Choice[] = [
    ...(ctx.can('finance.events') && ctx.workspace !== null
      ? [{ value: 'finance', label: `${own.finance}: ${ctx.workspace.name}` }]
      : []),
    ...(ctx.can('dunning.events') ? [{ value: 'dunning', label: own.dunning }] : []),
  ];
  const people = await peopleOf(ctx);
  const operations = knownOperations(chain, locale).map(({ name, title }) => ({ value: name, label: title }));
  const kinds = knownKinds(locale).map(({ kind, name }) => ({ value: kind, label: name }));
  return html`<form method="get" action="${PATH}" class="filters">
${chains.length > 1 ? select({ name: 'of', label: own.which, choices: chains, value: chain }) : html`<input type="hidden" name="of" value="${chain}">`}
${input({ name: 'date_from', label: own.from, type: 'date', value: filter.date_from })}
${input({ name: 'date_to', label: own.to, type: 'date', value: filter.date_to })}
${people.length > 0 ? select({ name: 'actor', label: own.person, choices: [all, ...people], value: filter.actor }) : filter.actor !== undefined && html`<input type="hidden" name="actor" value="${filter.actor}">`}
${select({ name: 'operation', label: own.operation, choices: [all, ...operations], value: filter.operation })}
${select({ name: 'resource', label: own.kind, choices: [all, ...kinds], value: filter.resource })}
${input({ name: 'id', label: own.record, value: filter.id, autocomplete: 'off' })}
<div class="actions"><button class="primary">${words(locale).filter}</button><a class="button quiet" href="${PATH}?of=${chain}">${words(locale).clear}</a></div>
</form>`;
}

/** The people to filter by, for those who may see who is here. */
async function peopleOf(ctx: PageContext): Promise<Choice[]> {
  if (!ctx.can('account.people')) return [];
  const reply = await ctx.rest('account', { method: 'GET', path: '/account/v1/people?limit=100' });
  if (reply.status >= 400) return [];
  const { items } = reply.body as { items: readonly { id: string; name: string }[] };
  return items.map(({ id, name }) => ({ value: id, label: name }));
}

function tools(ctx: PageContext, chain: Chain, filter: Filter): Html {
  const own = timelineWords[ctx.locale];
  const exportPath = (format: string) => `${PATH}/export${queryOf({ of: chain, ...filter, format })}`;
  return html`<section class="card">
<h2 id="keep">${own.verify}</h2>
<p class="hint">${own.verifyHint}</p>
${postForm(
  ctx,
  `${PATH}/verify`,
  html`<input type="hidden" name="of" value="${chain}"><div class="actions"><button>${own.verify}</button></div>`,
)}
<p class="hint">${own.exportHint}</p>
<div class="actions"><a class="button quiet" href="${exportPath('csv')}" download>${own.csv}</a><a class="button quiet" href="${exportPath('json')}" download>${own.json}</a></div>
</section>`;
}

interface ChainReport {
  readonly is_whole: boolean;
  readonly events: number;
  readonly broken: { readonly position: number; readonly problem: 'missing' | 'changed' | 'cut_off' } | null;
}

export const timelineVerify: Page = {
  path: `${PATH}/verify`,
  title: titles,
  async post(ctx) {
    const { locale } = ctx;
    const own = timelineWords[locale];
    const chain = chainOf(ctx);
    const place = chain === 'finance' ? { workspace_id: ctx.workspaceId } : {};
    const path = `/${chain}/v1/events/verify${queryOf(place)}`;
    const { events, broken } = await ctx.restOk<ChainReport>(chain, { method: 'GET', path });
    const back = `${PATH}?of=${chain}`;
    if (broken === null) return goTo(back, own.whole(count(locale, events)));
    const text = `${own.broken(count(locale, broken.position))} ${own.problems[broken.problem]}`;
    return page(html`<h1>${own.verify}</h1>
${errorSummary(locale, [{ field: null, text }])}<p><a class="button" href="${back}">${words(locale).back}</a></p>`);
  },
};

export const timelineExport: Page = {
  path: `${PATH}/export`,
  title: titles,
  async get(ctx) {
    const chain = chainOf(ctx);
    const filter = filterOf(ctx.query);
    const fetchPage = (cursor: string | null) =>
      ctx.restOk<EventList>(chain, {
        method: 'GET',
        path: eventsPath(ctx, chain, filter, EXPORT_PAGE_SIZE, cursor),
      });
    // The first page is fetched before anything is sent, so that a refusal is still a page.
    const first = await fetchPage(null);
    const pages: EventPages = async (cursor) => (cursor === null ? first : fetchPage(cursor));
    const day = ctx.now.toISOString().slice(0, 10);
    return ctx.query.get('format') === 'json'
      ? file(`kobana-${chain}-${day}.json`, 'application/json', jsonOf(pages))
      : file(`kobana-${chain}-${day}.csv`, 'text/csv; charset=utf-8', csvOf(ctx.locale, pages));
  },
};
