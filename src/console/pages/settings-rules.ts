/** What payables and collection are held to, to read; they are changed by tools, and confirmed. */

import { type Html, html } from '../../web/html.ts';
import { count, money } from '../../web/words.ts';
import { facts } from '../forms.ts';
import { type PageContext, queryOf } from '../page.ts';
import { settingsWords } from './settings-words.ts';

interface ApprovalRules {
  readonly thresholds: readonly { readonly above: string; readonly approvers: readonly string[] | null }[];
  readonly require_second_person: boolean;
  readonly safety: { readonly daily_limit: { readonly amount: string } | null };
}

interface Hours {
  readonly from: string;
  readonly to: string;
}

interface CollectionRules {
  readonly daily_cap_per_person: number;
  readonly contact_windows: readonly {
    readonly states: readonly string[];
    readonly weekdays: Hours | null;
    readonly saturday: Hours | null;
  }[];
  readonly legal: { readonly min_days_overdue: number; readonly min_amount: string };
}

/** A section for those who may read either; nothing for others. */
export async function rulesSection(ctx: PageContext): Promise<Html | false> {
  const own = settingsWords[ctx.locale];
  const finance = ctx.workspaceId !== null && ctx.can('finance.settings') && (await approvalRules(ctx));
  const dunning = ctx.can('dunning.settings') && (await collectionRules(ctx));
  if (finance === false && dunning === false) return false;
  return html`<section class="card"><h2 id="rules">${own.rules}</h2>
<p>${own.rulesLead}</p>
${finance}${dunning}</section>`;
}

async function approvalRules(ctx: PageContext): Promise<Html | false> {
  const { locale, workspaceId } = ctx;
  const own = settingsWords[locale];
  const reply = await ctx.rest('finance', {
    method: 'GET',
    path: `/finance/v1/approval-settings${queryOf({ workspace_id: workspaceId })}`,
  });
  if (reply.status >= 400) return false;
  const { thresholds, require_second_person, safety } = reply.body as ApprovalRules;
  return html`<h3>${own.approvalRules}</h3>
<p class="hint"><code>finance_approval_settings_update</code></p>
<ul>${
    thresholds.length === 0
      ? html`<li>${own.noThresholds}</li>`
      : thresholds.map(
          ({ above, approvers }) =>
            html`<li>${own.from(money(locale, above), approvers === null ? own.anybody : own.certain(approvers.length))}</li>`,
        )
  }${require_second_person && html`<li>${own.requireSecond}</li>`}
<li>${own.daily}: ${safety.daily_limit === null ? own.noLimit : money(locale, safety.daily_limit.amount)}</li></ul>`;
}

async function collectionRules(ctx: PageContext): Promise<Html | false> {
  const { locale } = ctx;
  const own = settingsWords[locale];
  const reply = await ctx.rest('dunning', { method: 'GET', path: '/dunning/v1/settings' });
  if (reply.status >= 400) return false;
  const { daily_cap_per_person, contact_windows, legal } = reply.body as CollectionRules;
  const hours = (window: Hours | null) => (window === null ? own.closed : `${window.from}–${window.to}`);
  return html`<h3>${own.dunningRules}</h3>
<p class="hint"><code>dunning_settings_update</code></p>
${facts([
  [own.cap, count(locale, daily_cap_per_person)],
  [own.minDays, count(locale, legal.min_days_overdue)],
  [own.minAmount, money(locale, legal.min_amount)],
  [
    own.windows,
    contact_windows.map(
      ({ states, weekdays, saturday }) =>
        html`<div>${states.length > 5 ? `${states.slice(0, 5).join(', ')} +${states.length - 5}` : states.join(', ')}: ${own.weekdays} ${hours(weekdays)}; ${own.saturday} ${hours(saturday)}</div>`,
    ),
  ],
])}`;
}
