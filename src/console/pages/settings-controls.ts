/** What a workspace, or dunning, lets happen: approvals, a second person, and the switch that stops everything. */

import { type Html, html } from '../../web/html.ts';
import { dateTime, money, words } from '../../web/words.ts';
import {
  checkbox,
  errorOf,
  errorSummary,
  errorsOfProblem,
  type FormError,
  facts,
  input,
  textarea,
} from '../forms.ts';
import {
  goTo,
  notFound,
  type Page,
  type PageContext,
  page,
  postForm,
  problemOf,
  queryOf,
  type Reply,
} from '../page.ts';
import { type Controls, type ControlsOf, settingsWords } from './settings-words.ts';
import { withProof } from './verify-proof.ts';

const REASON_MAX = 500;

const text = {
  'pt-BR': {
    frozenTitle: (place: string) => `${place} está congelado`,
    frozenLead: 'Nada que pague, envie, cobre ou exclua roda, por nenhum caminho, até alguém descongelar.',
    by: 'Quem congelou',
    at: 'Desde',
    reason: 'Motivo',
    thaw: 'Descongelar',
    thawed: 'Descongelado.',
    freezeTitle: 'Congelar tudo',
    freezeLead:
      'Para na hora toda ação que pague, envie, cobre ou exclua: por aplicativos, programas e aprovações. Ler continua possível.',
    freezeReason: 'Motivo (todos vão ler)',
    freeze: 'Congelar agora',
    frozen: 'Congelado. Nada que pague, envie, cobre ou exclua roda agora.',
    approvals: 'Aprovações',
    enabled: 'Permitir aprovações no console',
    enabledHint:
      'Quando um aplicativo não consegue perguntar, o pedido espera aqui pelo sim de uma pessoa, em vez de ser recusado.',
    hours: 'Por quantas horas um pedido espera',
    hoursHint: 'De 1 a 168 (uma semana).',
    second: 'Segunda pessoa a partir de (R$)',
    secondHint: 'Deste valor em diante, outra pessoa precisa aprovar no console. Vazio: nunca.',
  },
  en: {
    frozenTitle: (place: string) => `${place} is frozen`,
    frozenLead: 'Nothing that pays, sends, collects or deletes runs, by any way, until somebody thaws it.',
    by: 'Frozen by',
    at: 'Since',
    reason: 'Reason',
    thaw: 'Thaw',
    thawed: 'Thawed.',
    freezeTitle: 'Freeze everything',
    freezeLead:
      'Stops at once every action that pays, sends, collects or deletes: by applications, programs and approvals. Reading goes on.',
    freezeReason: 'Reason (everybody will read it)',
    freeze: 'Freeze now',
    frozen: 'Frozen. Nothing that pays, sends, collects or deletes runs now.',
    approvals: 'Approvals',
    enabled: 'Allow approvals in the console',
    enabledHint:
      'Where an application cannot ask, its request waits here for the yes of a person instead of being refused.',
    hours: 'How many hours a request waits',
    hoursHint: 'From 1 to 168 (a week).',
    second: 'Second person from (R$)',
    secondHint: 'From this amount on, another person has to approve in the console. Empty: never.',
  },
} as const;

/** Where the controls are in REST. */
export function controlsPath(ctx: PageContext, of: ControlsOf): string {
  return of === 'finance'
    ? `/account/v1/controls${queryOf({ workspace_id: ctx.workspaceId })}`
    : '/account/v1/dunning-controls';
}

export function placeName(ctx: PageContext, of: ControlsOf): string {
  const own = settingsWords[ctx.locale].controlsOf;
  return of === 'finance' ? own.finance(ctx.workspace?.name ?? '') : own.dunning;
}

/** With the place that the person reads about, so that what another window chose is not hit. */
const pathOf = (ctx: PageContext, of: ControlsOf) =>
  `/console/settings/controls/${of}${queryOf({ workspace: of === 'finance' ? ctx.workspaceId : null })}`;

function asked(ctx: PageContext): ControlsOf {
  const of = ctx.params['of'];
  if (of === 'dunning' || (of === 'finance' && ctx.workspaceId !== null)) return of;
  return notFound();
}

export const controls: Page = {
  path: '/console/settings/controls/:of',
  title: { 'pt-BR': settingsWords['pt-BR'].controls, en: settingsWords.en.controls },
  section: '/console/settings',
  scripts: ['passkey.js'],
  async get(ctx) {
    const of = asked(ctx);
    const found = await ctx.restOk<Controls>('account', { method: 'GET', path: controlsPath(ctx, of) });
    return controlsBody(ctx, of, found, []);
  },
  post: (ctx) => withProof(ctx, change),
};

async function change(ctx: PageContext): Promise<Html | Reply> {
  const { form, locale } = ctx;
  const own = text[locale];
  const of = asked(ctx);
  const does = form.get('do');
  const place = of === 'finance' ? { workspace_id: ctx.workspaceId } : {};
  const reply = await ctx.rest('account', {
    method: 'PATCH',
    path: controlsPath(ctx, of).split('?', 1)[0]!,
    body: { ...place, ...changesIn(form) },
  });
  const problem = problemOf(reply);
  if (problem === null) {
    const notice =
      does === 'freeze' ? own.frozen : does === 'thaw' ? own.thawed : settingsWords[locale].saved;
    return goTo(pathOf(ctx, of), notice);
  }
  if (problem.code === 'verification_required' || problem.code === 'not_found') throw problem;
  const said = settingsWords[locale].errors;
  const errors = errorsOfProblem(locale, problem, {
    fields: {
      approval_hours: { field: 'approval_hours', text: said.approval_hours },
      second_person_from: { field: 'second_person_from', text: said.second_person_from },
    },
  });
  const found = await ctx.restOk<Controls>('account', { method: 'GET', path: controlsPath(ctx, of) });
  return page(controlsBody(ctx, of, found, errors), problem.status);
}

/** What the pressed button changes. */
function changesIn(form: URLSearchParams): Record<string, unknown> {
  const does = form.get('do');
  if (does === 'thaw') return { frozen: false };
  if (does === 'freeze') {
    const reason = (form.get('freeze_reason') ?? '').trim();
    return { frozen: true, ...(reason !== '' && { freeze_reason: reason }) };
  }
  const hours = (form.get('approval_hours') ?? '').trim();
  const amount = (form.get('second_person_from') ?? '').trim();
  return {
    approvals_enabled: form.get('approvals_enabled') === 'yes',
    approval_hours: /^\d{1,4}$/.test(hours) ? Number(hours) : hours,
    second_person_from: amount === '' ? null : amountOf(amount),
  };
}

/** An amount as people write it, in the form of the edge: "5.000,00", "5000,00" and "5000.00" are one amount. */
export function amountOf(written: string): string {
  const plain = written.replace(/^R\$\s*/, '');
  if (/^\d{1,3}(\.\d{3})*(,\d{1,2})?$/.test(plain) || /^\d+,\d{1,2}$/.test(plain)) {
    return plain.replaceAll('.', '').replace(',', '.');
  }
  return /^\d{1,3}(,\d{3})+(\.\d{1,2})?$/.test(plain) ? plain.replaceAll(',', '') : plain;
}

function controlsBody(ctx: PageContext, of: ControlsOf, found: Controls, errors: readonly FormError[]): Html {
  const { locale } = ctx;
  const mayChange = ctx.can('account.settings.write');
  return html`<p><a href="/console/settings">${settingsWords[locale].title}</a></p>
<h1>${settingsWords[locale].controls}</h1>
<p class="lead">${placeName(ctx, of)}</p>
${errorSummary(locale, errors)}${found.frozen ? frozenCard(ctx, of, found, mayChange) : mayChange && freezeCard(ctx, of)}
${approvalsCard(ctx, of, found, errors, mayChange)}`;
}

function changeForm(ctx: PageContext, of: ControlsOf, does: string, fields: Html): Html {
  const held = html`<input type="hidden" name="do" value="${does}">`;
  return html`<div class="stack">${postForm(ctx, pathOf(ctx, of), html`${held}${fields}`)}</div>`;
}

function frozenCard(ctx: PageContext, of: ControlsOf, found: Controls, mayChange: boolean): Html {
  const { locale } = ctx;
  const own = text[locale];
  const zone = ctx.timeZone;
  return html`<section class="card frozen">
<h2 id="frozen">${own.frozenTitle(placeName(ctx, of))}</h2>
<p>${own.frozenLead}</p>
${facts([
  found.frozen_by !== null && [own.by, found.frozen_by.name],
  found.frozen_at !== null && [own.at, dateTime(locale, found.frozen_at, zone)],
  found.freeze_reason !== null && [own.reason, found.freeze_reason],
])}
${mayChange && changeForm(ctx, of, 'thaw', html`<div class="actions"><button class="primary">${own.thaw}</button></div>`)}
</section>`;
}

function freezeCard(ctx: PageContext, of: ControlsOf): Html {
  const own = text[ctx.locale];
  return html`<section class="card">
<h2 id="freeze">${own.freezeTitle}</h2>
<p>${own.freezeLead}</p>
${changeForm(
  ctx,
  of,
  'freeze',
  html`${textarea({ name: 'freeze_reason', label: own.freezeReason, lengthMax: REASON_MAX })}
<div class="actions"><button class="danger">${own.freeze}</button></div>`,
)}
</section>`;
}

function approvalsCard(
  ctx: PageContext,
  of: ControlsOf,
  found: Controls,
  errors: readonly FormError[],
  mayChange: boolean,
): Html {
  const { locale } = ctx;
  const own = text[locale];
  const shared = settingsWords[locale];
  if (!mayChange) {
    return html`<section class="card"><h2 id="approvals">${own.approvals}</h2><ul>
<li>${found.approvals_enabled ? shared.approvalsOn : shared.approvalsOff}</li>
<li>${found.second_person_from === null ? shared.secondNever : shared.secondFrom(money(locale, found.second_person_from))}</li></ul></section>`;
  }
  const written = (name: string, stored: string) =>
    errors.length > 0 ? (ctx.form.get(name) ?? stored) : stored;
  const amount = found.second_person_from ?? '';
  return html`<section class="card">
<h2 id="approvals">${own.approvals}</h2>
${changeForm(
  ctx,
  of,
  'save',
  html`${checkbox({ name: 'approvals_enabled', label: own.enabled, hint: own.enabledHint, isChecked: found.approvals_enabled })}
${input({ name: 'approval_hours', label: own.hours, hint: own.hoursHint, value: written('approval_hours', String(found.approval_hours)), error: errorOf(errors, 'approval_hours'), inputMode: 'numeric', isRequired: true, autocomplete: 'off' })}
${input({ name: 'second_person_from', label: own.second, hint: own.secondHint, value: written('second_person_from', locale === 'pt-BR' ? amount.replace('.', ',') : amount), error: errorOf(errors, 'second_person_from'), inputMode: 'decimal', autocomplete: 'off' })}
<div class="actions"><button class="primary">${words(locale).save}</button></div>`,
)}
</section>`;
}
