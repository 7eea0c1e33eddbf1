import { call, start, state } from './bridge.js';
import { day, el, facts, money, placeholder, shortMoney, show, svg, table, words } from './elements.js';

const TOOL = 'finance_reports_cash_flow';
/** Of the drawing, in pixels: it is as wide as the page is, so that its text is never scaled. */
const WIDTH_MIN = 260;
const WIDTH_MAX = 900;
const HEIGHT = 240;
const LEFT = 84;
const BOTTOM = 24;
const LABEL_WIDTH = 64;

const texts = {
  'pt-BR': {
    title: 'Fluxo de caixa previsto',
    until: (date) => `De hoje até ${date}`,
    today: 'Saldo hoje',
    end: 'Saldo no fim',
    lowest: 'Menor saldo',
    overdue: 'Vencidos em aberto',
    inflow: 'Entradas',
    outflow: 'Saídas',
    balance: 'Saldo',
    period: 'Período',
    by: 'Por',
    day: 'dia',
    week: 'semana',
    month: 'mês',
    net: (amount) => `líquido ${amount}`,
    chart: (from, to, low, date) =>
      `Gráfico do saldo: começa em ${from}, termina em ${to}, o menor é ${low} em ${date}.`,
  },
  en: {
    title: 'Cash flow outlook',
    until: (date) => `From today to ${date}`,
    today: 'Balance today',
    end: 'Balance at the end',
    lowest: 'Lowest balance',
    overdue: 'Overdue and open',
    inflow: 'In',
    outflow: 'Out',
    balance: 'Balance',
    period: 'Period',
    by: 'By',
    day: 'day',
    week: 'week',
    month: 'month',
    net: (amount) => `net ${amount}`,
    chart: (from, to, low, date) =>
      `Chart of the balance: begins at ${from}, ends at ${to}, the lowest is ${low} on ${date}.`,
  },
};

start(() => {
  const missing = placeholder();
  if (missing !== null) return show(missing);
  const t = words(texts);
  const report = state.answer;
  const { buckets, lowest } = report;
  const label = t.chart(
    money(report.balance_today.amount),
    money(report.balance_end),
    money(lowest.balance),
    day(lowest.date),
  );
  show(
    el('h1', {}, t.title),
    el('p', { class: 'quiet' }, t.until(day(report.filter.until))),
    facts([
      [t.today, money(report.balance_today.amount)],
      [t.lowest, money(lowest.balance), day(lowest.date)],
      [t.end, money(report.balance_end)],
      [t.overdue, money(report.overdue.inflow), `${t.outflow}: ${money(report.overdue.outflow)}`],
    ]),
    chart(report, label),
    legend(t),
    choice(t, report.filter),
    el(
      'details',
      {},
      el('summary', {}, t.numbers),
      table(
        t.title,
        [t.period, t.inflow, t.outflow, t.balance],
        buckets.map(({ from, to, inflow, outflow, balance }) => [
          from === to ? day(from) : `${day(from)} – ${day(to)}`,
          money(inflow),
          money(outflow),
          money(balance),
        ]),
      ),
    ),
  );
});

/** Bars of what comes and goes, and the balance at the end of each part. Drawing may round; the table does not. */
function chart({ buckets, lowest, balance_today: today }, label) {
  const balances = [Number(today.amount), ...buckets.map(({ balance }) => Number(balance))];
  const moves = buckets.flatMap(({ inflow, outflow }) => [Number(inflow), -Number(outflow)]);
  const top = Math.max(0, ...balances, ...moves);
  const bottom = Math.min(0, ...balances, ...moves);
  const span = top - bottom || 1;
  const y = (value) => 8 + ((top - value) / span) * (HEIGHT - BOTTOM - 16);
  const width = Math.max(WIDTH_MIN, Math.min(WIDTH_MAX, document.body.clientWidth - 32));
  const step = (width - LEFT - 8) / Math.max(1, buckets.length);
  const x = (index) => LEFT + index * step;
  const every = Math.ceil(LABEL_WIDTH / step);
  const lowIndex = buckets.findIndex(({ from, to }) => from <= lowest.date && lowest.date <= to);
  const line = balances.map((value, index) => `${index === 0 ? 'M' : 'L'}${x(index)} ${y(value)}`).join('');
  return svg(
    'svg',
    { viewBox: `0 0 ${width} ${HEIGHT}`, role: 'img', 'aria-label': label },
    [...new Set([top, 0, bottom])].flatMap((value) => [
      svg('line', { class: 'axis', x1: LEFT, x2: width, y1: y(value), y2: y(value) }),
      svg('text', { x: LEFT - 6, y: y(value) + 4, 'text-anchor': 'end' }, shortMoney(value)),
    ]),
    buckets.flatMap(({ inflow, outflow, from }, index) => [
      rect('in', x(index) + step * 0.2, y(Number(inflow)), step * 0.28, y(0) - y(Number(inflow))),
      rect('out', x(index) + step * 0.52, y(0), step * 0.28, y(-Number(outflow)) - y(0)),
      index % every === 0
        ? svg(
            'text',
            { x: x(index) + step / 2, y: HEIGHT - 6, 'text-anchor': 'middle' },
            day(from, { day: 'numeric', month: 'short' }),
          )
        : null,
    ]),
    svg('path', { class: 'balance', d: line }),
    lowIndex === -1
      ? null
      : svg('circle', {
          class: 'lowest',
          cx: x(lowIndex + 1),
          cy: y(Number(buckets[lowIndex].balance)),
          r: 5,
        }),
  );
}

function rect(kind, x, y, width, height) {
  return height > 0 ? svg('rect', { class: kind, x, y, width, height }) : null;
}

function legend(t) {
  const box = { viewBox: '0 0 14 10', 'aria-hidden': 'true' };
  const square = (kind) => svg('svg', box, svg('rect', { class: kind, width: 14, height: 10 }));
  const line = svg('svg', box, svg('path', { class: 'balance', d: 'M0 5L14 5' }));
  return el(
    'ul',
    { class: 'legend' },
    el('li', {}, square('in'), t.inflow),
    el('li', {}, square('out'), t.outflow),
    el('li', {}, line, t.balance),
  );
}

/** Asks the tool again by another part of time, where the host lets pages call tools. */
function choice(t, filter) {
  if (state.host.serverTools === undefined) return null;
  const select = el(
    'select',
    {
      onchange: ({ target }) => call(TOOL, { ...state.args, bucket: target.value }),
    },
    ['day', 'week', 'month'].map((bucket) =>
      el('option', { value: bucket, selected: bucket === filter.bucket }, t[bucket]),
    ),
  );
  return el('label', {}, `${t.by} `, select);
}
