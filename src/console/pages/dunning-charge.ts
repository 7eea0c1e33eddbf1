import { type Html, html, type Value } from '../../web/html.ts';
import { count, date, dateTime, money } from '../../web/words.ts';
import { facts, table } from '../forms.ts';
import { idIn, type Page, type PageContext, page, queryOf } from '../page.ts';
import { card, figures, head } from '../parts.ts';
import { type ChargeItem, chargeTags } from './dunning-charges.ts';
import { dunningText } from './dunning-text.ts';

type Words = (typeof dunningText)['en'];

interface Charge extends ChargeItem {
  readonly amount: string;
  readonly amounts: Readonly<Record<'open_principal' | 'discount' | 'fine' | 'interest' | 'paid', string>>;
  readonly rule: {
    readonly name: string;
    readonly steps_done: number;
    readonly next: { readonly action: keyof Words['actions']; readonly at: string } | null;
  } | null;
  readonly holds: readonly { readonly reason: keyof Words['holds']; readonly until: string | null }[];
  readonly payments: readonly {
    readonly effective_on: string;
    readonly amount: string;
    readonly method: keyof Words['methods'];
    readonly status: 'confirmed' | 'reversed';
  }[];
}

export const dunningCharge: Page = {
  path: '/console/dunning/charges/:id',
  title: { 'pt-BR': dunningText['pt-BR'].charge, en: dunningText.en.charge },
  async get(ctx) {
    const path = `/dunning/v1/charges/${idIn(ctx)}`;
    const charge = await ctx.restOk<Charge>('dunning', { method: 'GET', path });
    return page(body(ctx, charge, ctx.organizationTimeZone), 200, { title: charge.description });
  },
};

function body(ctx: PageContext, charge: Charge, timeZone: string): Html {
  const { locale } = ctx;
  const text = dunningText[locale];
  const { amounts } = charge;
  const line = (label: string, amount: string): [string, Value] => [label, money(locale, amount)];
  const debtor = html`<a href="/console/dunning/debtors/${charge.person.id}">${charge.person.name}</a>`;
  const history = `/console/timeline${queryOf({ resource: 'charge', id: charge.id, of: 'dunning' })}`;
  return html`${head(charge.description, html`${debtor} · ${chargeTags(locale, charge)}`, [
    ctx.can('dunning.events') && html`<a class="button" href="${history}">${text.history}</a>`,
  ])}${figures([
    { label: text.principal, value: money(locale, amounts.open_principal) },
    { label: text.amountDue, value: money(locale, charge.amount_due) },
    {
      label: text.dueDate,
      value: date(locale, charge.due_date),
      ...(charge.days_overdue > 0 && { hint: `${text.daysOverdue}: ${count(locale, charge.days_overdue)}` }),
    },
  ])}<div class="columns">${card(
    text.facts,
    facts([
      [text.debtor, debtor],
      charge.document_number !== null && [text.document, charge.document_number],
      [text.state, text.states[charge.dunning_state]],
      charge.rule !== null && [text.rule, charge.rule.name],
      charge.rule !== null && [text.stepsDone, count(locale, charge.rule.steps_done)],
      charge.rule !== null &&
        charge.rule.next !== null && [
          text.nextStep,
          `${text.actions[charge.rule.next.action]}, ${dateTime(locale, charge.rule.next.at, timeZone)}`,
        ],
      charge.holds.length > 0 && [text.waits, holdsOf(ctx, charge, timeZone)],
    ]),
  )}${card(
    text.amounts,
    facts([
      line(text.amount, charge.amount),
      line(text.paid, amounts.paid),
      line(text.principal, amounts.open_principal),
      line(text.discount, amounts.discount),
      line(text.fine, amounts.fine),
      line(text.interest, amounts.interest),
    ]),
  )}</div>
${charge.payments.length > 0 && card(text.paymentsHere, paymentsOf(ctx, charge))}`;
}

function holdsOf({ locale }: PageContext, { holds }: Charge, timeZone: string): string {
  const text = dunningText[locale];
  return holds
    .map(({ reason, until }) =>
      until === null
        ? text.holds[reason]
        : `${text.holds[reason]} ${text.until(until.length === 10 ? date(locale, until) : dateTime(locale, until, timeZone))}`,
    )
    .join('; ');
}

function paymentsOf({ locale }: PageContext, { payments }: Charge): Html {
  const text = dunningText[locale];
  return table(
    text.paymentsHere,
    [
      { head: text.date, cell: ({ effective_on }) => date(locale, effective_on) },
      { head: text.method, cell: ({ method }) => text.methods[method] },
      {
        head: text.status,
        cell: ({ status }) =>
          html`<span class="tag ${status === 'confirmed' ? 'good' : 'bad'}">${text[status]}</span>`,
      },
      { head: text.amount, cell: ({ amount }) => money(locale, amount), isAmount: true },
    ],
    payments,
  );
}
