/** The list of charges in collection, for the portfolio and for one debtor. */

import { type Html, html } from '../../web/html.ts';
import { count, date, money, words } from '../../web/words.ts';
import { type Choice, input, select, table } from '../forms.ts';
import { type PageContext, queryOf } from '../page.ts';
import { empty, pager } from '../parts.ts';
import { dunningText } from './dunning-text.ts';

const PAGE_SIZE = 25;
const SEARCH_LENGTH_MAX = 100;

type Words = (typeof dunningText)['en'];
export type ChargeStatus = keyof Words['statuses'];
export type RuleState = keyof Words['states'];

export interface ChargeItem {
  readonly id: string;
  readonly person: { readonly id: string; readonly name: string };
  readonly description: string;
  readonly document_number: string | null;
  readonly open_principal: string;
  readonly amount_due: string;
  readonly due_date: string;
  readonly days_overdue: number;
  readonly status: ChargeStatus;
  readonly dunning_state: RuleState;
  readonly disputed: boolean;
  readonly legal_action: string | null;
}

interface ChargeList {
  readonly items: readonly ChargeItem[];
  readonly next_cursor: string | null;
  readonly total_open: { readonly amount: string; readonly count: number };
}

/** Which charges: those of a debtor, or what the form of the page asks for. */
export interface ChargeFilter {
  readonly person_id?: string;
  readonly search?: string | null;
  readonly status?: string | null;
  readonly days_overdue_from?: string | null;
  readonly dunning_state?: string | null;
  readonly sort?: string | null;
}

/** What the form of the portfolio asks for; what is overdue unless asked otherwise. */
export function chargeFilterOf(query: URLSearchParams): ChargeFilter {
  const text = (name: string) => query.get(name)?.trim() || null;
  return {
    search: text('search')?.slice(0, SEARCH_LENGTH_MAX) ?? null,
    status: text('status') ?? 'overdue',
    days_overdue_from: text('days_overdue_from'),
    dunning_state: text('dunning_state'),
    sort: text('sort'),
  };
}

/** One page of the charges that the filter names. */
export function chargesOf(ctx: PageContext, filter: ChargeFilter): Promise<ChargeList> {
  return ctx.restOk<ChargeList>('dunning', {
    method: 'GET',
    path: `/dunning/v1/charges${queryOf({
      ...filter,
      status: filter.status === 'all' ? null : filter.status,
      cursor: ctx.query.get('cursor'),
      limit: PAGE_SIZE,
    })}`,
  });
}

/** The filters of the portfolio's list. */
export function chargeFilterForm({ locale }: PageContext, filter: ChargeFilter): Html {
  const text = dunningText[locale];
  const own = words(locale);
  const choicesOf = (names: Readonly<Record<string, string>>): Choice[] => [
    { value: 'all', label: text.all },
    ...Object.entries(names).map(([value, label]) => ({ value, label })),
  ];
  const [, ...states] = choicesOf(text.states);
  return html`<form class="filters" method="get" action="/console/dunning" role="search">
${input({ name: 'search', label: own.search, type: 'search', value: filter.search ?? '', lengthMax: SEARCH_LENGTH_MAX })}
${select({ name: 'status', label: text.status, value: filter.status ?? 'all', choices: choicesOf(text.statuses) })}
${input({ name: 'days_overdue_from', label: text.daysFrom, type: 'number', value: filter.days_overdue_from ?? '' })}
${select({
  name: 'dunning_state',
  label: text.state,
  value: filter.dunning_state ?? '',
  choices: [{ value: '', label: text.all }, ...states],
})}
<div class="actions"><button class="primary">${own.filter}</button><a class="button quiet" href="/console/dunning">${own.clear}</a></div>
</form>
`;
}

/** The charges as a table, with the way to the next page. `here` is the path with its filters. */
export function chargeTable(ctx: PageContext, list: ChargeList, here: string, hasDebtor: boolean): Html {
  const { locale } = ctx;
  const text = dunningText[locale];
  if (list.items.length === 0) return empty(text.emptyList, text.emptyAdvice);
  const debtor = {
    head: text.debtor,
    cell: ({ person }: ChargeItem) =>
      html`<a href="/console/dunning/debtors/${person.id}">${person.name}</a>`,
  };
  return html`${table(
    text.list,
    [
      {
        head: text.charge,
        cell: (item) =>
          html`<a href="/console/dunning/charges/${item.id}">${item.description}</a>${
            item.document_number !== null && html`<span class="hint">${item.document_number}</span>`
          }`,
      },
      ...(hasDebtor ? [debtor] : []),
      {
        head: text.dueDate,
        cell: ({ due_date }) => html`<span class="nowrap">${date(locale, due_date)}</span>`,
      },
      { head: text.daysOverdue, cell: ({ days_overdue }) => count(locale, days_overdue), isAmount: true },
      { head: text.status, cell: (item) => chargeTags(locale, item) },
      { head: text.amountDue, cell: ({ amount_due }) => money(locale, amount_due), isAmount: true },
    ],
    list.items,
  )}${pager(ctx, here, list.next_cursor)}`;
}

type Tagged = Pick<ChargeItem, 'status' | 'disputed' | 'legal_action' | 'dunning_state'>;

/** How a charge stands, as small labels. */
export function chargeTags(locale: PageContext['locale'], charge: Tagged): Html {
  const text = dunningText[locale];
  const tones: Partial<Record<ChargeStatus, string>> = { overdue: ' bad', paid: ' good' };
  return html`<span class="tag${tones[charge.status]}">${text.statuses[charge.status]}</span>${
    charge.disputed && html` <span class="tag warn">${text.disputedTag}</span>`
  }${charge.legal_action !== null && html` <span class="tag warn">${text.legalTag}</span>`}${
    charge.dunning_state === 'paused' && html` <span class="tag">${text.states.paused}</span>`
  }`;
}
