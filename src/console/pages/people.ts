/** Who belongs to the organization, and the invitation of somebody new. */

import { type Html, html } from '../../web/html.ts';
import { relativeTime, words } from '../../web/words.ts';
import { errorOf, errorSummary, errorsOfProblem, type FormError, input, select, table } from '../forms.ts';
import { type Page, type PageContext, page, postForm, problemOf, queryOf, type Reply } from '../page.ts';
import type { List } from './connections-words.ts';
import { instantText } from './connections-words.ts';
import { type Person, peopleWords, ROLES_FIELD, rolesEditor, rolesIn, rolesText } from './people-words.ts';
import { withProof } from './verify-proof.ts';

const PATH = '/console/people';
const PAGE_SIZE = 50;

const text = {
  'pt-BR': {
    invite: 'Convidar pessoa',
    inviteLink: 'Convidar',
    search: 'Nome ou e-mail',
    name: 'Nome',
    email: 'E-mail',
    status: 'Situação',
    active: 'Com acesso',
    invited: 'Convidada',
    until: (when: string) => `convite até ${when}`,
    seen: 'Vista por último',
    never: 'nunca',
    action: 'Ação',
    change: 'Alterar',
    none: 'Ninguém com esse nome.',
    nameHint: 'Como a pessoa vai aparecer aqui, se ainda não tiver conta neste servidor.',
    language: 'Idioma da pessoa',
    send: 'Criar convite',
    linkTitle: 'O link do convite, uma única vez',
    linkLead: (email: string) =>
      `Envie este link a ${email}, por um meio em que você confia. Quem abrir primeiro entra com os papéis escolhidos.`,
    link: 'Link',
    copy: 'Copiar',
    copied: 'Copiado.',
    back: 'Voltar às pessoas',
    errors: { email: 'Informe um e-mail, como nome@exemplo.com.br.', name: 'Informe o nome.' },
  },
  en: {
    invite: 'Invite person',
    inviteLink: 'Invite',
    search: 'Name or e-mail',
    name: 'Name',
    email: 'E-mail',
    status: 'Status',
    active: 'Has access',
    invited: 'Invited',
    until: (when: string) => `invitation until ${when}`,
    seen: 'Last seen',
    never: 'never',
    action: 'Action',
    change: 'Change',
    none: 'Nobody of that name.',
    nameHint: 'What the person is called here, if they have no account on this server yet.',
    language: "The person's language",
    send: 'Make invitation',
    linkTitle: 'The link of the invitation, once',
    linkLead: (email: string) =>
      `Send this link to ${email} by a way you trust. Whoever opens it first comes in with the chosen roles.`,
    link: 'Link',
    copy: 'Copy',
    copied: 'Copied.',
    back: 'Back to people',
    errors: { email: 'Give an e-mail address, such as name@example.com.', name: 'Give the name.' },
  },
} as const;

export const people: Page = {
  path: PATH,
  title: { 'pt-BR': peopleWords['pt-BR'].title, en: peopleWords.en.title },
  async get(ctx) {
    const { locale, query } = ctx;
    const own = text[locale];
    const shared = peopleWords[locale];
    const search = (query.get('search') ?? '').trim();
    const { items, next_cursor } = await ctx.restOk<List<Person>>('account', {
      method: 'GET',
      path: `/account/v1/people${queryOf({ search, limit: PAGE_SIZE, cursor: query.get('cursor') })}`,
    });
    return html`<h1>${shared.title}</h1>
<p class="lead">${shared.lead}</p>
${ctx.can('account.people.write') && html`<p><a class="button" href="${PATH}/invite">${own.inviteLink}</a></p>`}
<form method="get" action="${PATH}" class="filters">${input({ name: 'search', label: own.search, type: 'search', value: search, lengthMax: 100 })}<div class="actions"><button class="primary">${words(locale).search}</button></div></form>
${items.length === 0 ? html`<p>${own.none}</p>` : listOf(ctx, items)}
${next_cursor !== null && html`<p><a class="button quiet" href="${PATH}${queryOf({ search, cursor: next_cursor })}">${words(locale).nextPage}</a></p>`}`;
  },
};

function listOf(ctx: PageContext, items: readonly Person[]): Html {
  const { locale, now } = ctx;
  const own = text[locale];
  return table<Person>(
    peopleWords[locale].title,
    [
      { head: own.name, cell: ({ name, email }) => name ?? email },
      { head: own.email, cell: ({ email }) => email },
      { head: peopleWords[locale].roles, cell: ({ roles }) => rolesText(locale, roles) },
      {
        head: own.status,
        cell: ({ status, invitation_expires_at }) =>
          status === 'active'
            ? html`<span class="tag good">${own.active}</span>`
            : html`<span class="tag warn">${own.invited}</span>${invitation_expires_at !== null && html` <span class="hint">${own.until(instantText(ctx, invitation_expires_at))}</span>`}`,
      },
      {
        head: own.seen,
        cell: ({ last_seen_at }) =>
          last_seen_at === null ? own.never : relativeTime(locale, last_seen_at, now),
      },
      ...(ctx.can('account.people.write')
        ? [
            {
              head: own.action,
              cell: ({ id, name, email }: Person) =>
                html`<a class="button quiet" href="${PATH}/${id}" aria-label="${own.change}: ${name ?? email}">${own.change}</a>`,
            },
          ]
        : []),
    ],
    items,
  );
}

export const personInvite: Page = {
  path: `${PATH}/invite`,
  title: { 'pt-BR': text['pt-BR'].invite, en: text.en.invite },
  section: PATH,
  scripts: ['passkey.js', 'copy.js'],
  get: async (ctx) => inviteBody(ctx, []),
  post: (ctx) => withProof(ctx, invite),
};

async function invite(ctx: PageContext): Promise<Html | Reply> {
  const { form, locale } = ctx;
  const shared = peopleWords[locale];
  const roles = rolesIn(ctx, form);
  if (roles.length === 0) {
    return page(inviteBody(ctx, [{ field: ROLES_FIELD, text: shared.missingRole }]), 422);
  }
  const email = (form.get('email') ?? '').trim();
  const reply = await ctx.rest('account', {
    method: 'POST',
    path: '/account/v1/people/invite',
    body: {
      email,
      name: (form.get('name') ?? '').trim(),
      locale: form.get('locale') === 'en' ? 'en' : 'pt-BR',
      roles,
    },
  });
  const problem = problemOf(reply);
  if (problem === null) return linkPage(ctx, reply.body as { email: string; invitation_path: string });
  if (problem.code === 'verification_required') throw problem;
  const said = text[locale].errors;
  const errors = errorsOfProblem(locale, problem, {
    fields: {
      email: { field: 'email', text: said.email },
      name: { field: 'name', text: said.name },
      roles: { field: ROLES_FIELD, text: shared.missingRole },
    },
    codes: shared.errors,
  });
  return page(inviteBody(ctx, errors), problem.status);
}

/** The only page that ever shows it. */
function linkPage(
  ctx: PageContext,
  { email, invitation_path }: { email: string; invitation_path: string },
): Reply {
  const own = text[ctx.locale];
  return page(
    html`<h1>${own.linkTitle}</h1>
<p class="lead">${own.linkLead(email)}</p>
<div class="field"><label for="secret">${own.link}</label>
<input id="secret" class="secret" type="text" readonly value="${ctx.origin + invitation_path}" autocomplete="off" spellcheck="false"></div>
<div class="actions"><button type="button" class="primary" hidden data-copy="secret" data-status="copy-status" data-done="${own.copied}">${own.copy}</button><a class="button" href="${PATH}">${own.back}</a></div>
<p class="hint" id="copy-status" role="status"></p>`,
    201,
    { title: own.linkTitle },
  );
}

function inviteBody(ctx: PageContext, errors: readonly FormError[]): Html {
  const { form, locale } = ctx;
  const own = text[locale];
  const value = (name: string) => form.get(name) ?? undefined;
  const rolesError = errors.find(({ field }) => field === ROLES_FIELD);
  const fields = html`${input({ name: 'email', label: own.email, type: 'email', value: value('email'), error: errorOf(errors, 'email'), lengthMax: 254, isRequired: true, autocomplete: 'off' })}
${input({ name: 'name', label: own.name, hint: own.nameHint, value: value('name'), error: errorOf(errors, 'name'), lengthMax: 120, isRequired: true, autocomplete: 'off' })}
${select({
  name: 'locale',
  label: own.language,
  value: value('locale') ?? locale,
  choices: [
    { value: 'pt-BR', label: 'Português' },
    { value: 'en', label: 'English' },
  ],
})}
${rolesEditor(ctx, rolesIn(ctx, form), rolesError)}
<div class="actions"><button class="primary">${own.send}</button><a class="button quiet" href="${PATH}">${words(locale).cancel}</a></div>`;
  return html`<h1>${own.invite}</h1>
${errorSummary(locale, errors)}<div class="stack">${postForm(ctx, `${PATH}/invite`, fields)}</div>`;
}
