/** One payable or receivable: what it is, what it takes to settle it today, and what was done about it. */

import { type Html, html, type Value } from '../../web/html.ts';
import { date, money, monthName } from '../../web/words.ts';
import { facts, table } from '../forms.ts';
import { idIn, notFound, type Page, type PageContext, page, queryOf } from '../page.ts';
import { card, figures, head } from '../parts.ts';
import { debtTags } from './debts.ts';
import { type DebtKind, type DebtStatus, debtText, debtTitles } from './debts-text.ts';

type Words = ReturnType<typeof debtText>;

interface Debt {
  readonly id: string;
  readonly company_id: string;
  readonly category_id: string | null;
  readonly person: { readonly name: string };
  readonly description: string;
  readonly document_number: string | null;
  readonly amount: string;
  readonly open_amount: string;
  readonly amount_due: string;
  readonly due_date: string;
  readonly adjusted_due_date: string;
  readonly planned_date: string | null;
  readonly issue_date: string | null;
  readonly competence_month: string;
  readonly overdue: boolean;
  readonly status: DebtStatus;
  readonly approval_status?: 'not_required' | 'pending' | 'approved' | 'rejected';
  readonly approval?: { readonly reason: string | null };
  readonly canceled_reason: string | null;
  readonly amounts: Readonly<
    Record<'open_principal' | 'discount' | 'fine' | 'interest' | 'paid' | 'amount_due', string>
  > & { readonly days_late: number };
  readonly settlements: readonly {
    readonly paid_at: string;
    readonly amount: string;
    readonly method: keyof Words['methods'];
    readonly status: 'effective' | 'reversed';
  }[];
  readonly payments?: readonly Order[];
  readonly charges_issued?: readonly Order[];
}

interface Order {
  readonly amount: string;
  readonly scheduled_for?: string;
  readonly due_date?: string;
  readonly status: keyof Words['orderStatuses'];
  readonly registration_status: keyof Words['registrations'];
}

/** The page of one record. */
export function debtPage(kind: DebtKind): Page {
  return {
    path: `/console/${kind}/:id`,
    section: `/console/${kind}`,
    title: debtTitles(kind),
    async get(ctx) {
      if (ctx.workspaceId === null) notFound();
      const query = queryOf({ workspace_id: ctx.workspaceId });
      const path = `/finance/v1/${kind}/${idIn(ctx)}${query}`;
      const debt = await ctx.restOk<Debt>('finance', { method: 'GET', path });
      const [company, category] = await Promise.all([
        nameOf(ctx, `/finance/v1/companies/${debt.company_id}${query}`),
        debt.category_id === null ? null : nameOf(ctx, `/finance/v1/categories/${debt.category_id}${query}`),
      ]);
      return page(detailBody(ctx, kind, { debt, company, category }), 200, { title: debt.description });
    },
  };
}

/** The name of a record that stands beside; null where the person may not see it. */
async function nameOf(ctx: PageContext, path: string): Promise<string | null> {
  const { status, body } = await ctx.rest('finance', { method: 'GET', path });
  if (status >= 400) return null;
  const { name, legal_name } = body as { name?: string; legal_name?: string };
  return name ?? legal_name ?? null;
}

interface Detail {
  readonly debt: Debt;
  readonly company: string | null;
  readonly category: string | null;
}

function detailBody(ctx: PageContext, kind: DebtKind, detail: Detail): Html {
  const { locale } = ctx;
  const text = debtText(kind, locale);
  const { debt } = detail;
  const record = kind === 'payables' ? 'payable' : 'receivable';
  const orders = debt.payments ?? debt.charges_issued ?? [];
  const history = `/console/timeline${queryOf({ resource: record, id: debt.id })}`;
  const { amounts } = debt;
  const amountLine = (label: string, value: string): [string, Value] => [label, money(locale, value)];
  return html`${head(debt.description, html`${debt.person.name} · ${debtTags(locale, kind, debt)}`, [
    ctx.can('finance.events') && html`<a class="button" href="${history}">${text.history}</a>`,
  ])}${figures([
    { label: text.openAmount, value: money(locale, debt.open_amount) },
    {
      label: text.amountDue,
      value: money(locale, debt.amount_due),
      ...(amounts.days_late > 0 && { hint: text.daysLate(amounts.days_late), tone: 'bad' as const }),
    },
    { label: text.dueDate, value: date(locale, debt.due_date) },
  ])}<div class="columns">${card(text.facts, factsOf(ctx, kind, detail))}${card(
    text.amounts,
    facts([
      amountLine(text.amount, debt.amount),
      amountLine(text.paid, amounts.paid),
      amountLine(text.principal, amounts.open_principal),
      amountLine(text.discount, amounts.discount),
      amountLine(text.fine, amounts.fine),
      amountLine(text.interest, amounts.interest),
    ]),
  )}</div>
${debt.settlements.length > 0 && card(text.settlements, settlementsOf(ctx, kind, debt))}${
  orders.length > 0 && card(text.orders, ordersOf(ctx, kind, orders))
}`;
}

function factsOf({ locale }: PageContext, kind: DebtKind, { debt, company, category }: Detail): Html {
  const text = debtText(kind, locale);
  const approval = debt.approval_status;
  const optionalDate = (label: string, day: string | null): [string, Value] | false =>
    day !== null && [label, date(locale, day)];
  return facts([
    [text.person, debt.person.name],
    company !== null && [text.company, company],
    category !== null && [text.category, category],
    debt.document_number !== null && [text.document, debt.document_number],
    [text.competence, monthName(locale, debt.competence_month.slice(0, 7))],
    optionalDate(text.issueDate, debt.issue_date),
    optionalDate(text.plannedDate, debt.planned_date),
    debt.adjusted_due_date !== debt.due_date && [text.adjustedDue, date(locale, debt.adjusted_due_date)],
    approval !== undefined && approval !== 'not_required' && [text.approval, text.approvals[approval]],
    debt.canceled_reason !== null && [text.canceledReason, debt.canceled_reason],
  ]);
}

function settlementsOf({ locale }: PageContext, kind: DebtKind, { settlements }: Debt): Html {
  const text = debtText(kind, locale);
  return table(
    text.settlements,
    [
      { head: text.date, cell: ({ paid_at }) => date(locale, paid_at.slice(0, 10)) },
      { head: text.method, cell: ({ method }) => text.methods[method] },
      {
        head: text.status,
        cell: ({ status }) =>
          html`<span class="tag ${status === 'effective' ? 'good' : 'bad'}">${text[status]}</span>`,
      },
      { head: text.amount, cell: ({ amount }) => money(locale, amount), isAmount: true },
    ],
    settlements,
  );
}

function ordersOf({ locale }: PageContext, kind: DebtKind, orders: readonly Order[]): Html {
  const text = debtText(kind, locale);
  const when = kind === 'payables' ? text.scheduledFor : text.dueDate;
  return table(
    text.orders,
    [
      { head: when, cell: (order) => date(locale, order.scheduled_for ?? order.due_date ?? '') },
      { head: text.status, cell: ({ status }) => text.orderStatuses[status] },
      { head: text.registration, cell: ({ registration_status }) => text.registrations[registration_status] },
      { head: text.amount, cell: ({ amount }) => money(locale, amount), isAmount: true },
    ],
    orders,
  );
}
