/** Parts that several pages of the books are made of. */

import { meter } from '../web/chart.ts';
import { type Html, html, type Value } from '../web/html.ts';
import { count, money, words } from '../web/words.ts';
import { table } from './forms.ts';
import type { PageContext } from './page.ts';

/** The top of a page: its heading, a sentence below, and what one can do, at the right. */
export function head(title: string, lead: Value = null, actions: Value = null): Html {
  return html`<div class="head"><div><h1>${title}</h1>${lead !== null && html`<p class="lead">${lead}</p>`}</div>${
    actions !== null && html`<div class="actions">${actions}</div>`
  }</div>
`;
}

export interface Figure {
  readonly label: string;
  readonly value: string;
  readonly hint?: Value;
  readonly tone?: 'good' | 'bad' | undefined;
  /** Where it is told in full. */
  readonly href?: string;
}

/** The few numbers that matter most. */
export function figures(list: readonly (Figure | false | null)[]): Html {
  const one = ({ label, value, hint, tone, href }: Figure) =>
    html`<li><span class="label">${href === undefined ? label : html`<a href="${href}">${label}</a>`}</span><span class="value${tone !== undefined && ` ${tone}`}">${value}</span>${
      hint !== undefined && html`<span class="hint">${hint}</span>`
    }</li>`;
  return html`<ul class="figures${list.length > 4 && ' thirds'}">${list.map((each) => each && one(each))}</ul>
`;
}

/** Nothing to show, and what to do about it. */
export function empty(text: string, advice: Value = null): Html {
  return html`<div class="empty"><p><strong>${text}</strong></p>${advice !== null && html`<p class="muted">${advice}</p>`}</div>
`;
}

/** A section with its heading. */
export function card(title: string, content: Value): Html {
  return html`<section class="card"><h2>${title}</h2>
${content}</section>
`;
}

/** What is hidden until asked for: the numbers of a chart. */
export function dataBelow(summary: string, content: Html): Html {
  return html`<details class="data"><summary>${summary}</summary>${content}</details>`;
}

const agingText = {
  'pt-BR': {
    caption: 'Em aberto por atraso',
    band: 'Atraso',
    notYetDue: 'A vencer',
    days: (from: number, to: number | null) =>
      to === null ? `mais de ${from - 1} dias` : `${from} a ${to} dias`,
    records: 'Quantidade',
    amount: 'Valor',
    share: 'Parte',
  },
  en: {
    caption: 'Open amounts by days overdue',
    band: 'Overdue',
    notYetDue: 'Not yet due',
    days: (from: number, to: number | null) =>
      to === null ? `over ${from - 1} days` : `${from} to ${to} days`,
    records: 'Records',
    amount: 'Amount',
    share: 'Share',
  },
} as const;

export interface Band {
  readonly from_days: number;
  readonly to_days: number | null;
  readonly amount: string;
  readonly count: number;
}

/** Open amounts by how late they are: a table whose last column is the chart. */
export function agingTable(
  { locale }: Pick<PageContext, 'locale'>,
  notYetDue: { readonly amount: string; readonly count: number },
  bands: readonly Band[],
): Html {
  const text = agingText[locale];
  const rows = [
    { name: text.notYetDue, ...notYetDue, tone: 'good' as const },
    ...bands.map((band, index) => ({
      name: text.days(band.from_days, band.to_days),
      ...band,
      tone: index === 0 ? ('warn' as const) : ('bad' as const),
    })),
  ];
  // Only for the length of bars: no amount is computed here.
  const whole = Math.max(
    rows.reduce((sum, { amount }) => sum + Number(amount), 0),
    0.01,
  );
  return table(
    text.caption,
    [
      { head: text.band, cell: ({ name }) => html`<span class="nowrap">${name}</span>` },
      { head: text.records, cell: (row) => count(locale, row.count), isAmount: true },
      { head: text.amount, cell: ({ amount }) => money(locale, amount), isAmount: true },
      { head: text.share, cell: ({ amount, tone }) => meter(Number(amount) / whole, tone) },
    ],
    rows,
  );
}

/** The way to the next page of a list, and back to its first. `here` is the path with the filters but no cursor. */
export function pager(
  { locale, query }: Pick<PageContext, 'locale' | 'query'>,
  here: string,
  nextCursor: string | null,
): Html | false {
  const own = words(locale);
  const isLater = query.get('cursor') !== null;
  if (!isLater && nextCursor === null) return false;
  const joint = here.includes('?') ? '&' : '?';
  return html`<p class="pages">${isLater && html`<a class="button" href="${here}">${own.firstPage}</a>`}${
    nextCursor !== null &&
    html`<a class="button" href="${here}${joint}cursor=${encodeURIComponent(nextCursor)}">${own.nextPage}</a>`
  }</p>
`;
}
