import { ask, state } from './bridge.js';

/** Parts of pages. Text is always set as text, so whatever a record holds stays text. */

/** An element with attributes and children; strings become text, null nothing. */
export function el(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** The same of a drawing. */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(key, value === true ? '' : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Puts the children in place of what was shown. */
export function show(...children) {
  document.getElementById('view').replaceChildren(...children.flat().filter((child) => child !== null));
}

const shared = {
  'pt-BR': {
    waiting: 'Aguardando os dados…',
    cancelled: 'A consulta foi cancelada.',
    numbers: 'Ver os números',
    failed: 'A consulta não deu certo.',
  },
  en: {
    waiting: 'Waiting for the data…',
    cancelled: 'The call was cancelled.',
    numbers: 'Show the numbers',
    failed: 'The call failed.',
  },
};

/** Words of a page in the host's language, with those every page has. */
export function words(own) {
  return { ...shared[state.locale], ...own[state.locale] };
}

/** What stands there while there is nothing to show, or null. */
export function placeholder() {
  const t = shared[state.locale];
  if (state.failure !== null) {
    const text = state.failure === 'cancelled' ? t.cancelled : `${t.failed} ${state.failure}`;
    return el('p', { role: 'alert', class: 'failure' }, text);
  }
  return state.answer === null ? el('p', { role: 'status', class: 'quiet' }, t.waiting) : null;
}

/** An amount in reais; the decimal string goes in as it is, so no centavo is lost. */
export function money(amount) {
  return new Intl.NumberFormat(state.locale, { style: 'currency', currency: 'BRL' }).format(amount);
}

/** Reais without centavos, for the side of a drawing. */
export function shortMoney(value) {
  const form = { style: 'currency', currency: 'BRL', notation: 'compact', maximumFractionDigits: 1 };
  return new Intl.NumberFormat(state.locale, form).format(value);
}

/** A civil date in words of the language. */
export function day(date, form = { day: 'numeric', month: 'short', year: 'numeric' }) {
  return new Intl.DateTimeFormat(state.locale, { ...form, timeZone: 'UTC' }).format(
    new Date(`${date.slice(0, 10)}T00:00:00Z`),
  );
}

/** Names with values. */
export function facts(pairs) {
  return el(
    'dl',
    { class: 'facts' },
    pairs.map(([name, value, note]) =>
      el(
        'div',
        {},
        el('dt', {}, name),
        el('dd', {}, value, note === undefined ? null : el('small', {}, note)),
      ),
    ),
  );
}

/** A table that is scrolled by itself where the page is narrow. */
export function table(caption, heads, rows) {
  const cell = (value, index) =>
    index === 0 ? el('th', { scope: 'row' }, value) : el('td', { class: 'number' }, value);
  return el(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
    el(
      'table',
      {},
      el('caption', {}, caption),
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          heads.map((head) => el('th', { scope: 'col' }, head)),
        ),
      ),
      el(
        'tbody',
        {},
        rows.map((row) => el('tr', {}, row.map(cell))),
      ),
    ),
  );
}

/** A bar in a cell, as long as its share of the largest; the number beside it says the same. */
export function bar(value, largest, kind = '') {
  const percent = largest > 0 ? Math.max(0, Math.min(100, (value / largest) * 100)) : 0;
  return el(
    'span',
    { class: 'track', 'aria-hidden': 'true' },
    el('span', { class: `bar ${kind}`, style: `width:${percent}%` }),
  );
}

/** Opens an address in the browser of the host, which asks the person where it wants to. */
export function openLink(url) {
  return ask('ui/open-link', { url });
}
