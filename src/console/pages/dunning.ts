import { columnChart, meter } from '../../web/chart.ts';
import { type Html, html } from '../../web/html.ts';
import { count, money, monthName, percent, shortMoney } from '../../web/words.ts';
import { table } from '../forms.ts';
import { type Page, type PageContext, queryOf } from '../page.ts';
import { agingTable, card, dataBelow, figures, head } from '../parts.ts';
import { chargeFilterForm, chargeFilterOf, chargesOf, chargeTable } from './dunning-charges.ts';
import { dunningText } from './dunning-text.ts';

const MONTHS = 12;
const BANDS = [30, 60, 90, 180];

interface Sum {
  readonly charges: number;
  readonly open_principal: string;
  readonly amount_due: string;
}

export interface Overview {
  readonly open: Sum;
  readonly overdue: Sum;
  readonly in_agreement: { readonly open_principal: string; readonly agreements: number };
  readonly disputed: Sum;
  readonly in_legal_action: Sum;
}

interface Aging {
  readonly not_yet_due: Sum;
  readonly bands: readonly (Sum & { readonly from_days: number; readonly to_days: number | null })[];
}

export interface Recovery {
  readonly recovered: { readonly amount: string; readonly payments: number };
  readonly recovery_rate: { readonly percent: string | null };
  readonly by_month: readonly {
    readonly month: string;
    readonly is_partial: boolean;
    readonly amount: string;
    readonly payments: number;
  }[];
  readonly by_channel: readonly {
    readonly channel: keyof (typeof dunningText)['en']['channels'];
    readonly amount: string;
    readonly payments: number;
    readonly percent: string | null;
  }[];
}

export const dunning: Page = {
  path: '/console/dunning',
  title: { 'pt-BR': dunningText['pt-BR'].title, en: dunningText.en.title },
  async get(ctx) {
    const metric = <T>(name: string, query: string) =>
      ctx.restOk<T>('dunning', { method: 'GET', path: `/dunning/v1/metrics/${name}${query}` });
    const bands = BANDS.map((days) => `bands=${days}`).join('&');
    const filter = chargeFilterOf(ctx.query);
    const [overview, aging, recovery, list] = await Promise.all([
      metric<Overview>('overview', ''),
      metric<Aging>('aging', `?${bands}`),
      metric<Recovery>('recovery', queryOf({ months: MONTHS })),
      ctx.can('dunning.charges') ? chargesOf(ctx, filter) : null,
    ]);
    const { locale } = ctx;
    const text = dunningText[locale];
    const asAmount = ({ open_principal, charges }: Sum) => ({ amount: open_principal, count: charges });
    return html`${head(text.title, text.lead)}${overviewFigures(locale, overview, recovery)}<div class="columns">${card(
      text.aging,
      agingTable(
        ctx,
        asAmount(aging.not_yet_due),
        aging.bands.map((band) => ({ ...band, ...asAmount(band) })),
      ),
    )}${card(text.byChannel, channelTable(locale, recovery))}</div>
${card(text.recovery, recoveryChart(locale, recovery))}${
  list !== null &&
  html`<h2>${text.list}</h2>
${chargeFilterForm(ctx, filter)}${chargeTable(ctx, list, `/console/dunning${queryOf({ ...filter })}`, true)}`
}`;
  },
};

function overviewFigures(locale: PageContext['locale'], overview: Overview, recovery: Recovery): Html {
  const text = dunningText[locale];
  const charges = (value: number) => text.charges(count(locale, value));
  const brl = (amount: string) => money(locale, amount);
  const { open, overdue, in_agreement, disputed, in_legal_action } = overview;
  const rate = recovery.recovery_rate.percent;
  return figures([
    {
      label: text.overdue,
      value: brl(overdue.open_principal),
      hint: `${charges(overdue.charges)} · ${text.dueToday(brl(overdue.amount_due))}`,
      tone: overdue.charges > 0 ? 'bad' : undefined,
    },
    { label: text.open, value: brl(open.open_principal), hint: charges(open.charges) },
    {
      label: text.recovered(MONTHS),
      value: brl(recovery.recovered.amount),
      ...(rate !== null && { hint: text.recoveryRate(percent(locale, rate)) }),
      tone: 'good',
    },
    {
      label: text.inAgreement,
      value: brl(in_agreement.open_principal),
      hint: text.agreements(count(locale, in_agreement.agreements)),
    },
    { label: text.disputed, value: brl(disputed.open_principal), hint: charges(disputed.charges) },
    {
      label: text.inLegalAction,
      value: brl(in_legal_action.open_principal),
      hint: charges(in_legal_action.charges),
    },
  ]);
}

/** What came back by month, as columns with their numbers below. */
export function recoveryChart(locale: PageContext['locale'], { recovered, by_month }: Recovery): Html {
  const text = dunningText[locale];
  const name = (month: string, isPartial: boolean) =>
    `${monthName(locale, month)}${isPartial ? ` (${text.partial})` : ''}`;
  if (recovered.payments === 0) return html`<p class="muted">${text.noRecovery}</p>`;
  return html`${columnChart({
    id: 'recovery',
    title: text.recovery,
    description: text.recoveryDescription(money(locale, recovered.amount), by_month.length),
    tick: (value) => shortMoney(locale, String(value)),
    columns: by_month.map(({ month, amount, is_partial }) => ({
      label: monthName(locale, month),
      bars: [{ value: Number(amount), tone: is_partial ? 'partial' : 'plain' }],
      ...(Number(amount) > 0 && { text: shortMoney(locale, amount) }),
    })),
  })}${dataBelow(
    text.numbers,
    table(
      text.recovery,
      [
        { head: text.month, cell: ({ month, is_partial }) => name(month, is_partial) },
        { head: text.payments, cell: ({ payments }) => count(locale, payments), isAmount: true },
        { head: text.amount, cell: ({ amount }) => money(locale, amount), isAmount: true },
      ],
      by_month,
    ),
  )}`;
}

function channelTable(locale: PageContext['locale'], { recovered, by_channel }: Recovery): Html {
  const text = dunningText[locale];
  if (by_channel.length === 0) return html`<p class="muted">${text.noRecovery}</p>`;
  const whole = Math.max(Number(recovered.amount), 0.01);
  return table(
    text.byChannel,
    [
      { head: text.channel, cell: ({ channel }) => text.channels[channel] },
      { head: text.payments, cell: ({ payments }) => count(locale, payments), isAmount: true },
      { head: text.amount, cell: ({ amount }) => money(locale, amount), isAmount: true },
      { head: text.share, cell: ({ amount }) => meter(Number(amount) / whole) },
    ],
    by_channel,
  );
}
