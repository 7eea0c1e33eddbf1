import { formatTaxId } from '../../core/documents/tax-id.ts';
import { type Html, html } from '../../web/html.ts';
import { count, date, money } from '../../web/words.ts';
import { table } from '../forms.ts';
import { idIn, type Page, type PageContext, page, queryOf } from '../page.ts';
import { card, figures, head } from '../parts.ts';
import { chargesOf, chargeTable } from './dunning-charges.ts';
import { dunningText } from './dunning-text.ts';

type Words = (typeof dunningText)['en'];

interface Debtor {
  readonly id: string;
  readonly name: string;
  readonly document_number: string | null;
  readonly contacts: readonly {
    readonly channel: keyof Words['channels'];
    readonly value: string;
    readonly consent: keyof Words['consents'];
  }[];
  readonly totals: {
    readonly open_amount: string;
    readonly open_count: number;
    readonly overdue_amount: string;
    readonly overdue_count: number;
    readonly in_agreement_amount: string;
    readonly last_payment: { readonly paid_on: string; readonly amount: string } | null;
    readonly live_agreements: number;
  };
  readonly blocks: readonly { readonly reason: keyof Words['blocks'] }[];
}

export const dunningDebtor: Page = {
  path: '/console/dunning/debtors/:id',
  title: { 'pt-BR': dunningText['pt-BR'].debtor, en: dunningText.en.debtor },
  async get(ctx) {
    const path = `/dunning/v1/people/${idIn(ctx)}`;
    const debtor = await ctx.restOk<Debtor>('dunning', { method: 'GET', path });
    const charges = ctx.can('dunning.charges')
      ? await chargesOf(ctx, { person_id: debtor.id, sort: 'due_date' })
      : null;
    const text = dunningText[ctx.locale];
    const body = html`${debtorFacts(ctx, debtor)}${
      charges !== null &&
      html`<h2>${text.list}</h2>
${chargeTable(ctx, charges, `/console/dunning/debtors/${debtor.id}`, false)}`
    }`;
    return page(body, 200, { title: debtor.name });
  },
};

function debtorFacts(ctx: PageContext, debtor: Debtor): Html {
  const { locale } = ctx;
  const text = dunningText[locale];
  const { totals } = debtor;
  const reasons = [...new Set(debtor.blocks.map(({ reason }) => text.blocks[reason]))];
  const history = `/console/timeline${queryOf({ resource: 'person', id: debtor.id, of: 'dunning' })}`;
  const charges = (value: number) => text.charges(count(locale, value));
  return html`${head(
    debtor.name,
    html`${debtor.document_number !== null && formatTaxId(debtor.document_number)}${reasons.length > 0 && html` <span class="tag warn">${text.blocked}: ${reasons.join(', ')}</span>`}`,
    [ctx.can('dunning.events') && html`<a class="button" href="${history}">${text.history}</a>`],
  )}${figures([
    {
      label: text.overdue,
      value: money(locale, totals.overdue_amount),
      hint: charges(totals.overdue_count),
      tone: totals.overdue_count > 0 ? 'bad' : undefined,
    },
    { label: text.open, value: money(locale, totals.open_amount), hint: charges(totals.open_count) },
    {
      label: text.inAgreement,
      value: money(locale, totals.in_agreement_amount),
      hint: text.agreements(count(locale, totals.live_agreements)),
    },
    totals.last_payment !== null && {
      label: text.lastPayment,
      value: money(locale, totals.last_payment.amount),
      hint: date(locale, totals.last_payment.paid_on),
    },
  ])}${
    debtor.contacts.length > 0 &&
    card(
      text.contacts,
      table(
        text.contacts,
        [
          { head: text.contact, cell: ({ value }) => value },
          { head: text.channel, cell: ({ channel }) => text.channels[channel] },
          { head: text.consent, cell: ({ consent }) => text.consents[consent] },
        ],
        debtor.contacts,
      ),
    )
  }`;
}
