import { columnChart, legend, lineChart } from '../../web/chart.ts';
import { type Html, html } from '../../web/html.ts';
import { date, money, shortDate, shortMoney, words } from '../../web/words.ts';
import { input, select, table } from '../forms.ts';
import { type Page, type PageContext, queryOf } from '../page.ts';
import { card, dataBelow, empty, figures, head } from '../parts.ts';

const text = {
  'pt-BR': {
    title: 'Fluxo de caixa',
    lead: (until: string) => `O saldo de hoje e o que deve movê-lo até ${until}.`,
    balanceToday: 'Saldo hoje',
    accounts: (accounts: number) => (accounts === 1 ? '1 conta' : `${accounts} contas`),
    lowest: 'Menor saldo',
    onDay: (day: string) => `em ${day}`,
    balanceEnd: 'Saldo no fim',
    overdue: 'Vencido e em aberto',
    overdueHint: (inflow: string, outflow: string) => `entra ${inflow}, sai ${outflow}; contado hoje`,
    bucket: 'Agrupar por',
    buckets: { day: 'Dia', week: 'Semana', month: 'Mês' },
    until: 'Até',
    show: 'Mostrar',
    balanceChart: 'Saldo no fim de cada período',
    balanceDescription: (from: string, to: string, low: string, day: string) =>
      `O saldo vai de ${from} a ${to}. O menor é ${low}, em ${day}.`,
    flowChart: 'Entradas e saídas esperadas',
    flowDescription: (inflow: string, outflow: string) => `Ao todo entram ${inflow} e saem ${outflow}.`,
    inflow: 'Entradas',
    outflow: 'Saídas',
    net: 'Resultado',
    balance: 'Saldo',
    period: 'Período',
    numbers: 'Ver os números',
    total: 'Total',
    emptyTitle: 'Nenhum espaço de trabalho',
    emptyAdvice: 'Peça a um proprietário ou administrador um papel em um espaço.',
  },
  en: {
    title: 'Cash flow',
    lead: (until: string) => `Today's balance and what is expected to move it until ${until}.`,
    balanceToday: 'Balance today',
    accounts: (accounts: number) => (accounts === 1 ? '1 account' : `${accounts} accounts`),
    lowest: 'Lowest balance',
    onDay: (day: string) => `on ${day}`,
    balanceEnd: 'Balance at the end',
    overdue: 'Overdue and open',
    overdueHint: (inflow: string, outflow: string) => `in ${inflow}, out ${outflow}; counted today`,
    bucket: 'Group by',
    buckets: { day: 'Day', week: 'Week', month: 'Month' },
    until: 'Until',
    show: 'Show',
    balanceChart: 'Balance at the end of each period',
    balanceDescription: (from: string, to: string, low: string, day: string) =>
      `The balance goes from ${from} to ${to}. The lowest is ${low}, on ${day}.`,
    flowChart: 'Expected inflows and outflows',
    flowDescription: (inflow: string, outflow: string) => `In all, ${inflow} come in and ${outflow} go out.`,
    inflow: 'Inflows',
    outflow: 'Outflows',
    net: 'Net',
    balance: 'Balance',
    period: 'Period',
    numbers: 'See the numbers',
    total: 'Total',
    emptyTitle: 'No workspace',
    emptyAdvice: 'Ask an owner or administrator for a role in one.',
  },
} as const;

type Bucket = 'day' | 'week' | 'month';

interface Flow {
  readonly inflow: string;
  readonly outflow: string;
  readonly net: string;
}

interface CashFlow {
  readonly filter: { readonly until: string; readonly bucket: Bucket };
  readonly balance_today: { readonly amount: string; readonly accounts: number };
  readonly overdue: Flow;
  readonly buckets: readonly (Flow & {
    readonly from: string;
    readonly to: string;
    readonly balance: string;
  })[];
  readonly total: Flow;
  readonly balance_end: string;
  readonly lowest: { readonly date: string; readonly balance: string };
}

export const cashFlow: Page = {
  path: '/console/cash-flow',
  title: { 'pt-BR': text['pt-BR'].title, en: text.en.title },
  async get(ctx) {
    const own = text[ctx.locale];
    if (ctx.workspaceId === null) return html`${head(own.title)}${empty(own.emptyTitle, own.emptyAdvice)}`;
    const asked = ctx.query.get('bucket');
    const path = `/finance/v1/reports/cash-flow${queryOf({
      bucket: asked === 'day' || asked === 'month' ? asked : 'week',
      until: ctx.query.get('until'),
      workspace_id: ctx.workspaceId,
    })}`;
    return body(ctx, await ctx.restOk<CashFlow>('finance', { method: 'GET', path }));
  },
};

function body({ locale }: PageContext, flow: CashFlow): Html {
  const own = text[locale];
  const brl = (amount: string) => money(locale, amount);
  const isNegative = (amount: string) => amount.startsWith('-');
  return html`${head(own.title, own.lead(date(locale, flow.filter.until)))}${figures([
    {
      label: own.balanceToday,
      value: brl(flow.balance_today.amount),
      hint: own.accounts(flow.balance_today.accounts),
      tone: isNegative(flow.balance_today.amount) ? 'bad' : undefined,
    },
    {
      label: own.lowest,
      value: brl(flow.lowest.balance),
      hint: own.onDay(date(locale, flow.lowest.date)),
      tone: isNegative(flow.lowest.balance) ? 'bad' : undefined,
    },
    { label: own.balanceEnd, value: brl(flow.balance_end), hint: own.onDay(date(locale, flow.filter.until)) },
    {
      label: own.overdue,
      value: brl(flow.overdue.net),
      hint: own.overdueHint(brl(flow.overdue.inflow), brl(flow.overdue.outflow)),
    },
  ])}<form class="filters" method="get" action="/console/cash-flow">
${select({
  name: 'bucket',
  label: own.bucket,
  value: flow.filter.bucket,
  choices: Object.entries(own.buckets).map(([value, label]) => ({ value, label })),
})}
${input({ name: 'until', label: own.until, type: 'date', value: flow.filter.until })}
<div class="actions"><button class="primary">${own.show}</button><a class="button quiet" href="/console/cash-flow">${words(locale).clear}</a></div>
</form>
${card(own.balanceChart, balanceChart(locale, flow))}${card(own.flowChart, flowChart(locale, flow))}`;
}

function balanceChart(locale: PageContext['locale'], flow: CashFlow): Html {
  const own = text[locale];
  const { buckets, lowest } = flow;
  const index = buckets.findIndex(({ from, to }) => from <= lowest.date && lowest.date <= to);
  const low = money(locale, lowest.balance);
  // The lowest day may lie within a bucket that ends higher: the line goes through it, so that it is seen.
  const points = buckets.map(({ to, balance }, place) =>
    place === index
      ? { label: shortDate(locale, lowest.date), value: Number(lowest.balance) }
      : { label: shortDate(locale, to), value: Number(balance) },
  );
  return lineChart({
    id: 'balance',
    title: own.balanceChart,
    description: own.balanceDescription(
      money(locale, flow.balance_today.amount),
      money(locale, flow.balance_end),
      low,
      date(locale, lowest.date),
    ),
    tick: (value) => shortMoney(locale, String(value)),
    points,
    mark: { index, text: `${own.lowest}: ${low}`, isBad: lowest.balance.startsWith('-') },
  });
}

function flowChart(locale: PageContext['locale'], flow: CashFlow): Html {
  const own = text[locale];
  const { buckets, total } = flow;
  const brl = (amount: string) => money(locale, amount);
  return html`${legend([
    { tone: 'in', text: own.inflow },
    { tone: 'out', text: own.outflow },
  ])}${columnChart({
    id: 'flow',
    title: own.flowChart,
    description: own.flowDescription(brl(total.inflow), brl(total.outflow)),
    tick: (value) => shortMoney(locale, String(value)),
    columns: buckets.map(({ from, inflow, outflow }) => ({
      label: shortDate(locale, from),
      bars: [
        { value: Number(inflow), tone: 'in' },
        { value: Number(outflow), tone: 'out' },
      ],
    })),
  })}${dataBelow(
    own.numbers,
    table(
      own.flowChart,
      [
        {
          head: own.period,
          cell: ({ from, to }) =>
            from === to
              ? date(locale, from)
              : html`<span class="nowrap">${date(locale, from)}</span> – <span class="nowrap">${date(locale, to)}</span>`,
        },
        { head: own.inflow, cell: ({ inflow }) => brl(inflow), isAmount: true },
        { head: own.outflow, cell: ({ outflow }) => brl(outflow), isAmount: true },
        { head: own.net, cell: ({ net }) => brl(net), isAmount: true },
        { head: own.balance, cell: ({ balance }) => brl(balance), isAmount: true },
      ],
      buckets,
    ),
  )}`;
}
