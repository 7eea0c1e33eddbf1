/** One person: other roles, or none at all any more. */

import { type Html, html } from '../../web/html.ts';
import { words } from '../../web/words.ts';
import { errorSummary, errorsOfProblem, type FormError, facts } from '../forms.ts';
import { goTo, idIn, type Page, type PageContext, page, postForm, problemOf, type Reply } from '../page.ts';
import {
  type GivenRole,
  type Person,
  peopleWords,
  ROLES_FIELD,
  rolesEditor,
  rolesIn,
  rolesText,
} from './people-words.ts';
import { withProof } from './verify-proof.ts';

const PATH = '/console/people';

const text = {
  'pt-BR': {
    title: 'Papéis da pessoa',
    email: 'E-mail',
    lead: 'O que a pessoa e os aplicativos dela podem fazer muda na próxima chamada.',
    saved: 'Papéis alterados.',
    removeTitle: 'Retirar da organização',
    removeLead:
      'A pessoa sai de todas as sessões; seus tokens e conexões são revogados agora. O que ela fez continua registrado.',
    remove: 'Retirar',
    removed: 'A pessoa não tem mais acesso.',
  },
  en: {
    title: 'Roles of the person',
    email: 'E-mail',
    lead: 'What the person and their applications may do changes with the next call.',
    saved: 'The roles were changed.',
    removeTitle: 'Remove from the organization',
    removeLead:
      'The person is signed out everywhere; their tokens and connections are revoked now. What they did stays on record.',
    remove: 'Remove',
    removed: 'The person has no access any more.',
  },
} as const;

const restPathOf = (ctx: PageContext) => `/account/v1/people/${idIn(ctx)}`;

const personOf = (ctx: PageContext) =>
  ctx.restOk<Person>('account', { method: 'GET', path: restPathOf(ctx) });

export const person: Page = {
  path: `${PATH}/:id`,
  title: { 'pt-BR': text['pt-BR'].title, en: text.en.title },
  section: PATH,
  scripts: ['passkey.js'],
  async get(ctx) {
    const found = await personOf(ctx);
    return personBody(ctx, found, found.roles, []);
  },
  post: (ctx) => withProof(ctx, changeRoles),
};

async function changeRoles(ctx: PageContext): Promise<Html | Reply> {
  const { form, locale } = ctx;
  const shared = peopleWords[locale];
  const found = await personOf(ctx);
  const roles = rolesIn(ctx, form, found.roles);
  if (roles.length === 0) {
    return page(personBody(ctx, found, roles, [{ field: ROLES_FIELD, text: shared.missingRole }]), 422);
  }
  const reply = await ctx.rest('account', { method: 'PATCH', path: restPathOf(ctx), body: { roles } });
  const problem = problemOf(reply);
  if (problem === null) return goTo(PATH, text[locale].saved);
  if (problem.code === 'verification_required') throw problem;
  const errors = errorsOfProblem(locale, problem, {
    fields: { roles: { field: ROLES_FIELD, text: shared.missingRole } },
    codes: shared.errors,
  });
  return page(personBody(ctx, found, roles, errors), problem.status);
}

function personBody(
  ctx: PageContext,
  found: Person,
  roles: readonly GivenRole[],
  errors: readonly FormError[],
): Html {
  const { locale } = ctx;
  const own = text[locale];
  const rolesError = errors.find(({ field }) => field === ROLES_FIELD);
  return html`<h1>${found.name ?? found.email}</h1>
<p class="lead">${own.lead}</p>
${errorSummary(locale, errors)}${facts([[own.email, found.email]])}
<div class="stack">${postForm(
    ctx,
    `${PATH}/${found.id}`,
    html`${rolesEditor(ctx, roles, rolesError)}
<div class="actions"><button class="primary">${words(locale).save}</button><a class="button quiet" href="${PATH}">${words(locale).cancel}</a></div>`,
  )}</div>
<section class="card"><h2 id="remove">${own.removeTitle}</h2>
<p>${own.removeLead}</p>
<p><a class="button danger" href="${PATH}/${found.id}/remove">${own.removeTitle}</a></p></section>`;
}

export const personRemove: Page = {
  path: `${PATH}/:id/remove`,
  title: { 'pt-BR': text['pt-BR'].removeTitle, en: text.en.removeTitle },
  section: PATH,
  scripts: ['passkey.js'],
  get: async (ctx) => removeBody(ctx, await personOf(ctx), []),
  post: (ctx) =>
    withProof(ctx, async (proved) => {
      const { locale } = proved;
      const path = `${restPathOf(proved)}/remove`;
      const reply = await proved.rest('account', { method: 'POST', path });
      const problem = problemOf(reply);
      if (problem === null) return goTo(PATH, text[locale].removed);
      if (problem.code === 'verification_required' || problem.code === 'not_found') throw problem;
      const errors = errorsOfProblem(locale, problem, { codes: peopleWords[locale].errors });
      return page(removeBody(proved, await personOf(proved), errors), problem.status);
    }),
};

function removeBody(ctx: PageContext, found: Person, errors: readonly FormError[]): Html {
  const { locale } = ctx;
  const own = text[locale];
  return html`<h1>${own.removeTitle}</h1>
<p class="lead">${own.removeLead}</p>
${errorSummary(locale, errors)}${facts([
  [own.email, found.email],
  [peopleWords[locale].roles, rolesText(locale, found.roles)],
])}
${postForm(
  ctx,
  `${PATH}/${found.id}/remove`,
  html`<div class="actions"><button class="danger">${own.remove}</button><a class="button quiet" href="${PATH}/${found.id}">${words(locale).cancel}</a></div>`,
)}`;
}
