/** Settings: the person's own, the organization's, and what is in force. */

import { type Html, html } from '../../web/html.ts';
import { money, words } from '../../web/words.ts';
import { errorOf, errorSummary, errorsOfProblem, type FormError, input, select, table } from '../forms.ts';
import { goTo, idIn, notFound, type Page, type PageContext, page, postForm, problemOf } from '../page.ts';
import type { List } from './connections-words.ts';
import { controlsPath, placeName } from './settings-controls.ts';
import { rulesSection } from './settings-rules.ts';
import { type Controls, type ControlsOf, settingsWords, type WorkspaceLine } from './settings-words.ts';
import { signedInHeaders } from './sign-in.ts';
import { withProof } from './verify-proof.ts';

const PATH = '/console/settings';

export const settings: Page = {
  path: PATH,
  title: { 'pt-BR': settingsWords['pt-BR'].title, en: settingsWords.en.title },
  get: (ctx) => settingsBody(ctx, []),
};

async function settingsBody(ctx: PageContext, errors: readonly FormError[]): Promise<Html> {
  const own = settingsWords[ctx.locale];
  return html`<h1>${own.title}</h1>
${errorSummary(ctx.locale, errors)}<section class="card"><h2 id="profile">${own.profile}</h2>
${profileForm(ctx, errors)}</section>
<section class="card"><h2 id="sign-in">${own.signIn}</h2>
<p>${own.signInLead}</p>
<div class="actions"><a class="button" href="/console/passkeys">${own.passkeys}</a><a class="button" href="/console/sessions">${own.sessions}</a></div></section>
${await organizationSection(ctx, errors)}
${ctx.can('account.settings') && (await controlsSection(ctx))}
${await workspacesSection(ctx)}
${await rulesSection(ctx)}`;
}

function profileForm(ctx: PageContext, errors: readonly FormError[]): Html {
  const { locale, person } = ctx;
  const own = settingsWords[locale];
  return html`<div class="stack">${postForm(
    ctx,
    `${PATH}/profile`,
    html`${input({ name: 'name', label: own.name, value: person.user.name, error: errorOf(errors, 'name'), lengthMax: 120, isRequired: true, autocomplete: 'name' })}
${select({
  name: 'locale',
  label: own.language,
  value: person.user.locale,
  choices: [
    { value: 'pt-BR', label: 'Português' },
    { value: 'en', label: 'English' },
  ],
})}
<div class="actions"><button class="primary">${words(locale).save}</button></div>`,
  )}</div>`;
}

export const settingsProfile: Page = {
  path: `${PATH}/profile`,
  title: settings.title,
  section: PATH,
  async post(ctx) {
    const { form, locale } = ctx;
    const body = {
      name: (form.get('name') ?? '').trim(),
      locale: form.get('locale') === 'en' ? 'en' : 'pt-BR',
    } as const;
    const reply = await ctx.rest('account', { method: 'PATCH', path: '/account/v1/profile', body });
    const problem = problemOf(reply);
    if (problem === null) return goTo(PATH, settingsWords[body.locale].saved);
    const { name } = settingsWords[locale].errors;
    const errors = errorsOfProblem(locale, problem, { fields: { name: { field: 'name', text: name } } });
    return page(await settingsBody(ctx, errors), problem.status);
  },
};

interface OrganizationLine {
  readonly id: string;
  readonly name: string;
  readonly is_this_one: boolean;
}

async function organizationSection(ctx: PageContext, errors: readonly FormError[]): Promise<Html> {
  const { locale, person } = ctx;
  const own = settingsWords[locale];
  const { items } = await ctx.restOk<List<OrganizationLine>>('account', {
    method: 'GET',
    path: '/account/v1/organizations?limit=50',
  });
  const others = items.filter(({ is_this_one }) => !is_this_one);
  const renaming = html`<div class="stack">${postForm(
    ctx,
    `${PATH}/organization`,
    html`${input({ name: 'organization', label: own.organizationName, value: person.organization.name, error: errorOf(errors, 'organization'), lengthMax: 80, isRequired: true, autocomplete: 'off' })}
<div class="actions"><button class="primary">${words(locale).save}</button></div>`,
  )}</div>`;
  return html`<section class="card"><h2 id="organization">${own.organization}</h2>
${ctx.can('account.settings.write') ? renaming : html`<p>${person.organization.name}</p>`}
${
  others.length > 0 &&
  html`<p>${own.switchLead}</p>${others.map(({ id, name }) =>
    postForm(
      ctx,
      `${PATH}/switch`,
      html`<input type="hidden" name="organization_id" value="${id}"><div class="actions"><button>${own.switchTo(name)}</button></div>`,
    ),
  )}`
}</section>`;
}

export const settingsOrganization: Page = {
  path: `${PATH}/organization`,
  title: settings.title,
  section: PATH,
  scripts: ['passkey.js'],
  post: (ctx) =>
    withProof(ctx, async (proved) => {
      const { form, locale } = proved;
      const body = { name: (form.get('organization') ?? '').trim() };
      const reply = await proved.rest('account', { method: 'PATCH', path: '/account/v1/organization', body });
      const problem = problemOf(reply);
      if (problem === null) return goTo(PATH, settingsWords[locale].saved);
      if (problem.code === 'verification_required') throw problem;
      const text = settingsWords[locale].errors.name;
      const errors = errorsOfProblem(locale, problem, { fields: { name: { field: 'organization', text } } });
      return page(await settingsBody(proved, errors), problem.status);
    }),
};

export const settingsSwitch: Page = {
  path: `${PATH}/switch`,
  title: settings.title,
  section: PATH,
  async post(ctx) {
    const { form, from, now, origin, person } = ctx;
    const organizationId = form.get('organization_id') ?? '';
    if (!/^[0-9a-f-]{36}$/.test(organizationId)) notFound();
    const switched = await ctx.signIn.switchOrganization(person, organizationId, from, now);
    if (switched === null) notFound();
    return goTo('/console', null, signedInHeaders(origin, switched.secret));
  },
};

async function controlsSection(ctx: PageContext): Promise<Html> {
  const { locale } = ctx;
  const own = settingsWords[locale];
  const all: ControlsOf[] = ctx.workspaceId === null ? ['dunning'] : ['finance', 'dunning'];
  const found = await Promise.all(
    all.map((of) => ctx.restOk<Controls>('account', { method: 'GET', path: controlsPath(ctx, of) })),
  );
  const lines = found.map((controls, index) => ({ of: all[index]!, controls }));
  return html`<section class="card"><h2 id="controls">${own.controls}</h2>
<p>${own.controlsLead}</p>
${lines.map(
  ({
    of,
    controls,
  }) => html`<h3>${placeName(ctx, of)} <span class="tag ${controls.frozen ? 'bad' : 'good'}">${controls.frozen ? own.frozen : own.running}</span></h3>
<ul><li>${controls.approvals_enabled ? own.approvalsOn : own.approvalsOff}</li>
<li>${controls.second_person_from === null ? own.secondNever : own.secondFrom(money(locale, controls.second_person_from))}</li></ul>
<p><a class="button" href="${PATH}/controls/${of}" aria-label="${own.open}: ${placeName(ctx, of)}">${own.open}</a></p>`,
)}</section>`;
}

async function workspacesSection(ctx: PageContext): Promise<Html> {
  const { locale } = ctx;
  const own = settingsWords[locale];
  const mayChange = ctx.can('account.settings.write');
  const { items } = await ctx.restOk<List<WorkspaceLine>>('account', {
    method: 'GET',
    path: '/account/v1/workspaces?limit=100',
  });
  return html`<section class="card"><h2 id="workspaces">${own.workspaces}</h2>
${table<WorkspaceLine>(
  own.workspaces,
  [
    { head: own.name, cell: ({ name }) => name },
    { head: own.zone, cell: ({ time_zone }) => time_zone },
    ...(mayChange
      ? [
          {
            head: own.action,
            cell: ({ id, name }: WorkspaceLine) =>
              html`<a class="button quiet" href="${PATH}/workspaces/${id}" aria-label="${own.change}: ${name}">${own.change}</a>`,
          },
        ]
      : []),
  ],
  items,
)}
${mayChange && html`<p><a class="button" href="${PATH}/workspaces/new">${own.newWorkspace}</a></p>`}</section>`;
}

/** A new workspace, or another name and zone of one. */
function workspacePage(path: string, isNew: boolean): Page {
  const title = (locale: 'pt-BR' | 'en') =>
    isNew ? settingsWords[locale].newWorkspace : settingsWords[locale].editWorkspace;
  const body = (ctx: PageContext, line: Omit<WorkspaceLine, 'id'>, errors: readonly FormError[]) => {
    const own = settingsWords[ctx.locale];
    return html`<h1>${title(ctx.locale)}</h1>
${errorSummary(ctx.locale, errors)}<div class="stack">${postForm(
      ctx,
      ctx.path,
      html`${input({ name: 'name', label: own.name, value: line.name, error: errorOf(errors, 'name'), lengthMax: 80, isRequired: true, autocomplete: 'off' })}
${input({ name: 'time_zone', label: own.zone, hint: own.zoneHint, value: line.time_zone, error: errorOf(errors, 'time_zone'), lengthMax: 60, isRequired: true, autocomplete: 'off' })}
<div class="actions"><button class="primary">${words(ctx.locale).save}</button><a class="button quiet" href="${PATH}">${words(ctx.locale).cancel}</a></div>`,
    )}</div>`;
  };
  const save = async (ctx: PageContext) => {
    const { form, locale } = ctx;
    const line = {
      name: (form.get('name') ?? '').trim(),
      time_zone: (form.get('time_zone') ?? '').trim(),
    };
    const own = settingsWords[locale];
    const reply = await ctx.rest('account', {
      method: isNew ? 'POST' : 'PATCH',
      path: `/account/v1/workspaces${isNew ? '' : `/${idIn(ctx)}`}`,
      body: line,
    });
    const problem = problemOf(reply);
    if (problem === null) return goTo(PATH, own.saved);
    if (problem.code === 'verification_required' || problem.code === 'not_found') throw problem;
    const errors = errorsOfProblem(locale, problem, {
      fields: {
        name: { field: 'name', text: own.errors.name },
        time_zone: { field: 'time_zone', text: own.errors.time_zone },
      },
    });
    return page(body(ctx, line, errors), problem.status);
  };
  return {
    path,
    title: { 'pt-BR': title('pt-BR'), en: title('en') },
    section: PATH,
    scripts: ['passkey.js'],
    async get(ctx) {
      if (isNew) return body(ctx, { name: '', time_zone: 'America/Sao_Paulo' }, []);
      const found = ctx.workspaces.find(({ id }) => id === idIn(ctx)) ?? notFound();
      return body(ctx, { name: found.name, time_zone: found.timeZone }, []);
    },
    post: (ctx) => withProof(ctx, save),
  };
}

export const workspaceNew = workspacePage(`${PATH}/workspaces/new`, true);
export const workspaceEdit = workspacePage(`${PATH}/workspaces/:id`, false);
