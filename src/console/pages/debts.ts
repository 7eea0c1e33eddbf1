/** Lists of payables and of receivables: totals, how late they are, filters, and one row for each. */

import { type Html, html, type Value } from '../../web/html.ts';
import { count, date, money, words } from '../../web/words.ts';
import { type Choice, checkbox, input, select, table } from '../forms.ts';
import { type Page, type PageContext, queryOf } from '../page.ts';
import { agingTable, type Band, card, empty, figures, head, pager } from '../parts.ts';
import { type DebtKind, type DebtStatus, debtText, debtTitles } from './debts-text.ts';

const PAGE_SIZE = 25;
const SEARCH_LENGTH_MAX = 100;

interface DebtItem {
  readonly id: string;
  readonly person: { readonly name: string };
  readonly description: string;
  readonly document_number: string | null;
  readonly amount: string;
  readonly open_amount: string;
  readonly amount_due: string;
  readonly due_date: string;
  readonly overdue: boolean;
  readonly installment: { readonly number: number; readonly total: number } | null;
  readonly status: DebtStatus;
  readonly approval_status?: 'not_required' | 'pending' | 'approved' | 'rejected';
  readonly needs_review?: boolean;
  readonly bank_details_changed_recently?: boolean;
}

interface DebtList {
  readonly items: readonly DebtItem[];
  readonly next_cursor: string | null;
  readonly total_open: { readonly amount: string; readonly count: number };
  readonly as_of: string;
}

interface Aging {
  readonly not_yet_due: { readonly amount: string; readonly count: number };
  readonly overdue: { readonly amount: string; readonly count: number };
  readonly bands: readonly Band[];
}

/** The page of a list. */
export function debtListPage(kind: DebtKind): Page {
  return {
    path: `/console/${kind}`,
    title: debtTitles(kind),
    async get(ctx) {
      const text = debtText(kind, ctx.locale);
      if (ctx.workspace === null)
        return html`${head(text.title)}${empty(text.noWorkspace, text.noWorkspaceAdvice)}`;
      const filter = filterOf(ctx.query);
      const workspace_id = ctx.workspace.id;
      const [list, aging] = await Promise.all([
        ctx.restOk<DebtList>('finance', {
          method: 'GET',
          path: `/finance/v1/${kind}${queryOf({
            ...filter,
            status: filter.status === 'all' ? null : filter.status,
            cursor: ctx.query.get('cursor'),
            limit: PAGE_SIZE,
            workspace_id,
          })}`,
        }),
        ctx.can('finance.reports')
          ? ctx.restOk<Aging>('finance', {
              method: 'GET',
              path: `/finance/v1/reports/aging${queryOf({ kind, workspace_id })}`,
            })
          : null,
      ]);
      return listBody(ctx, kind, { filter, list, aging });
    },
  };
}

interface Filter {
  readonly status: string;
  readonly overdue: 'true' | null;
  readonly due_from: string | null;
  readonly due_to: string | null;
  readonly search: string | null;
  readonly sort: string | null;
}

/** What the form asks for; what is open unless asked otherwise. */
function filterOf(query: URLSearchParams): Filter {
  const text = (name: string) => query.get(name)?.trim() || null;
  const overdue = query.get('overdue') === null ? null : ('true' as const);
  return {
    status: text('status') ?? (overdue === null ? 'open' : 'all'),
    overdue,
    due_from: text('due_from'),
    due_to: text('due_to'),
    search: text('search')?.slice(0, SEARCH_LENGTH_MAX) ?? null,
    sort: text('sort'),
  };
}

interface ListParts {
  readonly filter: Filter;
  readonly list: DebtList;
  readonly aging: Aging | null;
}

function listBody(ctx: PageContext, kind: DebtKind, { filter, list, aging }: ListParts): Html {
  const { locale } = ctx;
  const text = debtText(kind, locale);
  const records = (value: number) => text.records(count(locale, value));
  const here = `/console/${kind}${queryOf({ ...filter })}`;
  return html`${head(text.title, text.lead)}${figures([
    {
      label: text.totalOpen,
      value: money(locale, list.total_open.amount),
      hint: records(list.total_open.count),
    },
    aging && {
      label: text.overdueTotal,
      value: money(locale, aging.overdue.amount),
      hint: records(aging.overdue.count),
      tone: aging.overdue.count > 0 ? 'bad' : undefined,
    },
    aging && {
      label: text.notYetDue,
      value: money(locale, aging.not_yet_due.amount),
      hint: records(aging.not_yet_due.count),
    },
  ])}${aging !== null && card(text.aging, agingTable(ctx, aging.not_yet_due, aging.bands))}${filterForm(ctx, kind, filter)}${
    list.items.length === 0 ? empty(text.emptyList, text.emptyAdvice) : listTable(ctx, kind, list.items)
  }${pager(ctx, here, list.next_cursor)}`;
}

function filterForm({ locale }: PageContext, kind: DebtKind, filter: Filter): Html {
  const text = debtText(kind, locale);
  const own = words(locale);
  const choicesOf = (names: Readonly<Record<string, string>>): Choice[] =>
    Object.entries(names).map(([value, label]) => ({ value, label }));
  const { written_off, ...ofPayables } = text.statuses;
  const statuses = kind === 'payables' ? ofPayables : { ...ofPayables, written_off };
  return html`<form class="filters" method="get" action="/console/${kind}" role="search">
${input({ name: 'search', label: own.search, type: 'search', value: filter.search ?? '', lengthMax: SEARCH_LENGTH_MAX })}
${select({
  name: 'status',
  label: text.status,
  value: filter.status,
  choices: [{ value: 'all', label: text.all }, ...choicesOf(statuses)],
})}
${input({ name: 'due_from', label: text.dueFrom, type: 'date', value: filter.due_from ?? '' })}
${input({ name: 'due_to', label: text.dueTo, type: 'date', value: filter.due_to ?? '' })}
${select({ name: 'sort', label: text.sort, value: filter.sort ?? 'due_date', choices: choicesOf(text.sorts) })}
${checkbox({ name: 'overdue', label: text.overdueOnly, isChecked: filter.overdue !== null })}
<div class="actions"><button class="primary">${own.filter}</button><a class="button quiet" href="/console/${kind}">${own.clear}</a></div>
</form>
`;
}

function listTable({ locale }: PageContext, kind: DebtKind, items: readonly DebtItem[]): Html {
  const text = debtText(kind, locale);
  return table(
    text.title,
    [
      {
        head: text.description,
        cell: (item) =>
          html`<a href="/console/${kind}/${item.id}">${item.description}</a>${secondLine([
            item.document_number,
            item.installment && text.installment(item.installment.number, item.installment.total),
          ])}`,
      },
      { head: text.person, cell: ({ person }) => person.name },
      {
        head: text.dueDate,
        cell: ({ due_date }) => html`<span class="nowrap">${date(locale, due_date)}</span>`,
      },
      { head: text.status, cell: (item) => debtTags(locale, kind, item) },
      { head: text.openAmount, cell: ({ open_amount }) => money(locale, open_amount), isAmount: true },
      { head: text.amountDue, cell: ({ amount_due }) => money(locale, amount_due), isAmount: true },
    ],
    items,
  );
}

function secondLine(parts: readonly (string | null)[]): Html | false {
  const present = parts.filter((part) => part !== null);
  return present.length > 0 && html`<span class="hint">${present.join(' · ')}</span>`;
}

type Tagged = Pick<
  DebtItem,
  'status' | 'overdue' | 'approval_status' | 'needs_review' | 'bank_details_changed_recently'
>;

/** How a debt stands, as small labels; the most urgent first. */
export function debtTags(locale: PageContext['locale'], kind: DebtKind, debt: Tagged): Html {
  const text = debtText(kind, locale);
  const tag = (label: string, tone = '') => html`<span class="tag${tone && ` ${tone}`}">${label}</span> `;
  const approval = debt.approval_status;
  const tags: Value[] = [
    debt.overdue
      ? tag(text.overdue, 'bad')
      : tag(text.statuses[debt.status], debt.status === 'paid' ? 'good' : ''),
    debt.overdue && debt.status === 'partially_paid' && tag(text.statuses.partially_paid),
    (approval === 'pending' || approval === 'rejected') &&
      tag(text.approvals[approval], approval === 'pending' ? 'warn' : 'bad'),
    debt.needs_review === true && tag(text.needsReview, 'warn'),
    debt.bank_details_changed_recently === true && tag(text.bankDetailsChanged, 'warn'),
  ];
  return html`${tags}`;
}
