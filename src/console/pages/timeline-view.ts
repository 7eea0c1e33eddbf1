/** The timeline as markup: days, and under each what happened in the order of the chain. */

import type { Locale } from '../../core/caller.ts';
import { type Html, html } from '../../web/html.ts';
import { date, dateTime, money } from '../../web/words.ts';
import { clientText } from '../clients.ts';
import { fieldName, fieldValue, kindName, NOTHING } from './timeline-fields.ts';
import { sentenceOf } from './timeline-operations.ts';
import { type TimelineEvent, timelineWords } from './timeline-words.ts';

export interface TimelineView {
  readonly locale: Locale;
  readonly timeZone: string;
  /** The address of the timeline with one more filter. */
  readonly filtered: (filter: { actor?: string; id?: string }) => string;
}

/** The events, newest first or oldest first as they come, under the day they happened on in the zone of the books. */
export function timelineOf(view: TimelineView, events: readonly TimelineEvent[]): Html {
  const days = Map.groupBy(events, ({ at }) => dayOf(at, view.timeZone));
  return html`${[...days].map(
    ([day, ofDay]) => html`<section><h2>${date(view.locale, day)}</h2>
<ol class="timeline">${ofDay.map((event) => eventItem(view, event))}</ol></section>
`,
  )}`;
}

/** The civil day of an instant in a zone. */
export function dayOf(at: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone }).format(new Date(at));
}

function timeOf(at: string, timeZone: string): string {
  return new Intl.DateTimeFormat('pt-BR', { timeStyle: 'short', timeZone }).format(new Date(at));
}

function eventItem(view: TimelineView, event: TimelineEvent): Html {
  const { locale, timeZone } = view;
  const own = timelineWords[locale];
  const { actor, operation, outcome, error_code, confirmation, is_confirmed } = event;
  return html`<li id="event-${event.position}">
<p class="event"><time datetime="${event.at}">${timeOf(event.at, timeZone)}</time> <strong>${actor.name ?? own.system}</strong> ${sentenceOf(operation, locale)}${
    outcome === 'failed' &&
    html` <span class="tag bad">${own.failed}${error_code !== null && `: ${error_code}`}</span>`
  }${is_confirmed && html` <span class="tag good">${own.confirmed}</span>`}</p>
<p class="hint">${throughOf(locale, event)}${
    actor.name !== null &&
    html` · <a href="${view.filtered({ actor: actor.user_id })}">${own.onlyPerson(actor.name)}</a>`
  }</p>
${confirmation !== null && questionOf(locale, confirmation)}${event.changes.length > 0 && changesOf(view, event)}</li>
`;
}

/** The application and how it came in; what comes in by a way of the house has no application before it. */
export function throughOf(locale: Locale, { actor }: Pick<TimelineEvent, 'actor'>): string {
  const own = timelineWords[locale];
  const ways: Readonly<Record<string, string>> = own.ownWays;
  const surfaces: Readonly<Record<string, string>> = own.surfaces;
  const surface = surfaces[actor.surface] ?? actor.surface;
  return ways[actor.surface] ?? own.through(`${clientText(locale, actor)} (${surface})`);
}

function questionOf(locale: Locale, confirmation: NonNullable<TimelineEvent['confirmation']>): Html {
  const own = timelineWords[locale];
  return html`<details><summary class="unfold">${own.question}</summary>
<pre class="question" tabindex="0">${confirmation.question}</pre>
<p><strong>${own.answer}:</strong> ${answerOf(locale, confirmation)}</p></details>
`;
}

/** Who said yes, and how they proved to be there. */
export function answerOf(
  locale: Locale,
  { approved_by }: NonNullable<TimelineEvent['confirmation']>,
): string {
  const own = timelineWords[locale];
  if (approved_by === null) return own.yes;
  return own.yesBy(approved_by.name ?? own.somebody, own.with[approved_by.verified_with]);
}

function changesOf(view: TimelineView, event: TimelineEvent): Html {
  const own = timelineWords[view.locale];
  return html`<details><summary class="unfold">${own.changes(event.changes_count)}</summary>
${event.changes.map((change, index) => changeTable(view, change, `${event.position}.${index + 1}`))}${event.is_cut && html`<p class="hint">${own.cut}</p>`}</details>
`;
}

type Change = TimelineEvent['changes'][number];

/** The event says when and by whom; a new record shows neither again, nor what it has nothing of. */
const toldByEvent = new Set(['created_at', 'created_by']);

/** What changed, before and after; of a record that is new or gone only what it holds or held. */
function changeTable(view: TimelineView, change: Change, number: string): Html {
  const { locale } = view;
  const own = timelineWords[locale];
  const { kind, id, what } = change;
  const title = `${kindName(kind, locale)}: ${own.what[what]}`;
  const sides =
    what === 'changed'
      ? (['before', 'after'] as const)
      : ([what === 'created' ? 'after' : 'before'] as const);
  const fields = change.fields.filter(
    ({ name, [sides[0]]: value }) =>
      what === 'changed' ||
      !(toldByEvent.has(name) || value === 'false' || shownValue(view, name, value) === NOTHING),
  );
  const heads = what === 'changed' ? [own.before, own.after] : [own.value];
  return html`<p class="change"><strong>${title}</strong> <a href="${view.filtered({ id })}">${own.onlyRecord}<span class="unseen"> ${id}</span></a></p>
${
  fields.length > 0 &&
  html`<div class="scroll" role="region" aria-label="${title} (${number})" tabindex="0"><table class="changes"><thead><tr><th scope="col">${own.field}</th>${heads.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${fields.map(
    (field) =>
      html`<tr><th scope="row">${fieldName(field.name, locale)}</th>${sides.map((side) => html`<td>${shownValue(view, field.name, field[side])}</td>`)}</tr>`,
  )}</tbody></table></div>`
}`;
}

function shownValue({ locale, timeZone }: TimelineView, name: string, value: string | null): string {
  if (value === null || value === '') return NOTHING;
  return fieldValue(name, value, locale, {
    money: (amount) => money(locale, amount),
    date: (day) => date(locale, day),
    instant: (instant) => dateTime(locale, instant, timeZone),
  });
}
