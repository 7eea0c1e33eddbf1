import { addDays, civilDateAt } from '../../core/dates.ts';
import { type Html, html } from '../../web/html.ts';
import { count, date, money } from '../../web/words.ts';
import { table } from '../forms.ts';
import { type Page, type PageContext, queryOf } from '../page.ts';
import { card, empty, type Figure, figures, head } from '../parts.ts';
import { pendingApprovals } from '../pending.ts';
import type { Overview, Recovery } from './dunning.ts';

const UPCOMING_DAYS = 7;
const UPCOMING_SHOWN = 8;

const text = {
  'pt-BR': {
    title: 'Início',
    hello: (name: string) => `Olá, ${name}`,
    lead: (place: string, day: string) => `O que pede atenção em ${place} em ${day}.`,
    overduePayables: 'A pagar, vencido',
    overdueReceivables: 'A receber, vencido',
    records: (shown: string) => (shown === '1' ? '1 registro' : `${shown} registros`),
    lowest: 'Menor saldo previsto',
    onDay: (day: string) => `em ${day}`,
    portfolio: 'Cobrança, vencido',
    charges: (shown: string) => (shown === '1' ? '1 cobrança' : `${shown} cobranças`),
    recovered: 'Recuperado neste mês',
    payments: (shown: string) => (shown === '1' ? '1 pagamento' : `${shown} pagamentos`),
    upcoming: `A pagar nos próximos ${UPCOMING_DAYS} dias`,
    upcomingAll: 'Ver todos',
    upcomingTotal: (amount: string, shown: string) => `${shown} registros, ${amount} em aberto`,
    upcomingNone: 'Nada vence nesta semana.',
    description: 'Descrição',
    supplier: 'Fornecedor',
    dueDate: 'Vencimento',
    amountDue: 'Devido hoje',
    pending: 'Aprovações pendentes',
    pendingHint: 'esperam por uma pessoa',
    nothing: 'Ainda não há nada para você aqui.',
    advice: 'Peça a um proprietário ou administrador um papel em um espaço de trabalho ou na cobrança.',
  },
  en: {
    title: 'Home',
    hello: (name: string) => `Hello, ${name}`,
    lead: (place: string, day: string) => `What needs attention in ${place} on ${day}.`,
    overduePayables: 'Payables overdue',
    overdueReceivables: 'Receivables overdue',
    records: (shown: string) => (shown === '1' ? '1 record' : `${shown} records`),
    lowest: 'Lowest expected balance',
    onDay: (day: string) => `on ${day}`,
    portfolio: 'Dunning, overdue',
    charges: (shown: string) => (shown === '1' ? '1 charge' : `${shown} charges`),
    recovered: 'Recovered this month',
    payments: (shown: string) => (shown === '1' ? '1 payment' : `${shown} payments`),
    upcoming: `Payables of the next ${UPCOMING_DAYS} days`,
    upcomingAll: 'See all',
    upcomingTotal: (amount: string, shown: string) => `${shown} records, ${amount} open`,
    upcomingNone: 'Nothing falls due this week.',
    description: 'Description',
    supplier: 'Supplier',
    dueDate: 'Due date',
    amountDue: 'Due today',
    pending: 'Pending approvals',
    pendingHint: 'wait for a person',
    nothing: 'There is nothing for you here yet.',
    advice: 'Ask an owner or administrator for a role in a workspace or in dunning.',
  },
} as const;

interface Aging {
  readonly overdue: { readonly amount: string; readonly count: number };
}

interface CashFlow {
  readonly lowest: { readonly date: string; readonly balance: string };
}

interface Payables {
  readonly items: readonly {
    readonly id: string;
    readonly description: string;
    readonly person: { readonly name: string };
    readonly due_date: string;
    readonly amount_due: string;
  }[];
  readonly total_open: { readonly amount: string; readonly count: number };
}

export const home: Page = {
  path: '/console',
  title: { 'pt-BR': text['pt-BR'].title, en: text.en.title },
  async get(ctx) {
    const { locale, workspace, person, now } = ctx;
    const own = text[locale];
    const [pending, ofFinance, ofDunning, upcoming] = await Promise.all([
      pendingFigures(ctx),
      financeFigures(ctx),
      dunningFigures(ctx),
      upcomingPayables(ctx),
    ]);
    const all = [...pending, ...ofFinance, ...ofDunning];
    const place = workspace?.name ?? person.organization.name;
    return html`${head(own.hello(person.user.name), own.lead(place, date(locale, civilDateAt(now, ctx.timeZone))))}${
      all.length === 0 ? empty(own.nothing, own.advice) : figures(all)
    }${upcoming}`;
  },
};

async function pendingFigures(ctx: PageContext): Promise<Figure[]> {
  const own = text[ctx.locale];
  const pending = await pendingApprovals(ctx);
  if (pending === null) return [];
  return [
    {
      label: own.pending,
      value: `${pending.records}${pending.hasMore ? '+' : ''}`,
      hint: own.pendingHint,
      href: '/console/approvals',
    },
  ];
}

async function financeFigures(ctx: PageContext): Promise<Figure[]> {
  const { locale, workspaceId: workspace_id } = ctx;
  const own = text[locale];
  if (workspace_id === null || !ctx.can('finance.reports')) return [];
  const report = <T>(name: string, query: object) =>
    ctx.restOk<T>('finance', {
      method: 'GET',
      path: `/finance/v1/reports/${name}${queryOf({ ...query, workspace_id })}`,
    });
  const [payables, receivables, flow] = await Promise.all([
    report<Aging>('aging', { kind: 'payables' }),
    report<Aging>('aging', { kind: 'receivables' }),
    report<CashFlow>('cash-flow', {}),
  ]);
  const overdue = (label: string, { overdue: sum }: Aging, kind: string): Figure => ({
    label,
    value: money(locale, sum.amount),
    hint: own.records(count(locale, sum.count)),
    tone: sum.count > 0 ? 'bad' : undefined,
    href: `/console/${kind}?overdue=yes`,
  });
  return [
    overdue(own.overduePayables, payables, 'payables'),
    overdue(own.overdueReceivables, receivables, 'receivables'),
    {
      label: own.lowest,
      value: money(locale, flow.lowest.balance),
      hint: own.onDay(date(locale, flow.lowest.date)),
      tone: flow.lowest.balance.startsWith('-') ? 'bad' : undefined,
      href: '/console/cash-flow',
    },
  ];
}

async function dunningFigures(ctx: PageContext): Promise<Figure[]> {
  const { locale } = ctx;
  const own = text[locale];
  if (!ctx.can('dunning.metrics')) return [];
  const metric = <T>(path: string) =>
    ctx.restOk<T>('dunning', { method: 'GET', path: `/dunning/v1/metrics/${path}` });
  const [overview, recovery] = await Promise.all([
    metric<Overview>('overview'),
    metric<Recovery>('recovery?months=1'),
  ]);
  return [
    {
      label: own.portfolio,
      value: money(locale, overview.overdue.open_principal),
      hint: own.charges(count(locale, overview.overdue.charges)),
      href: '/console/dunning',
    },
    {
      label: own.recovered,
      value: money(locale, recovery.recovered.amount),
      hint: own.payments(count(locale, recovery.recovered.payments)),
      tone: 'good',
      href: '/console/dunning',
    },
  ];
}

/** What falls due within the week, soonest first. */
async function upcomingPayables(ctx: PageContext): Promise<Html | false> {
  const { locale, workspace, now } = ctx;
  const own = text[locale];
  if (workspace === null || !ctx.can('finance.payables')) return false;
  const today = civilDateAt(now, workspace.timeZone);
  const filter = { status: 'open', due_from: today, due_to: addDays(today, UPCOMING_DAYS) };
  const list = await ctx.restOk<Payables>('finance', {
    method: 'GET',
    path: `/finance/v1/payables${queryOf({ ...filter, sort: 'due_date', limit: UPCOMING_SHOWN, workspace_id: workspace.id })}`,
  });
  if (list.items.length === 0) return card(own.upcoming, html`<p class="muted">${own.upcomingNone}</p>`);
  const { amount, count: records } = list.total_open;
  return card(
    own.upcoming,
    html`<p class="muted">${own.upcomingTotal(money(locale, amount), count(locale, records))} · <a href="/console/payables${queryOf(filter)}">${own.upcomingAll}</a></p>
${table(
  own.upcoming,
  [
    {
      head: own.description,
      cell: ({ id, description }) => html`<a href="/console/payables/${id}">${description}</a>`,
    },
    { head: own.supplier, cell: ({ person }) => person.name },
    {
      head: own.dueDate,
      cell: ({ due_date }) => html`<span class="nowrap">${date(locale, due_date)}</span>`,
    },
    { head: own.amountDue, cell: ({ amount_due }) => money(locale, amount_due), isAmount: true },
  ],
  list.items,
)}`,
  );
}
