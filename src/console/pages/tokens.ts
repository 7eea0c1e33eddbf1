/** Tokens made by hand, for programs and for clients that cannot sign in. */

import { type Html, html } from '../../web/html.ts';
import { words } from '../../web/words.ts';
import {
  type Column,
  checkbox,
  errorOf,
  errorSummary,
  errorsOfProblem,
  type FormError,
  facts,
  input,
  select,
} from '../forms.ts';
import { goTo, idIn, type Page, type PageContext, page, postForm, problemOf, type Reply } from '../page.ts';
import {
  type Access,
  accessColumns,
  accessIn,
  accessListPage,
  accessWords,
  placeText,
  usedText,
} from './connections-words.ts';
import { withProof } from './verify-proof.ts';

const PATH = '/console/tokens';
const NAME_MAX = 80;
const DAYS_MAX = 366;

interface Token extends Access {
  readonly name: string;
  readonly is_for_programs: boolean;
}

const text = {
  'pt-BR': {
    lead: 'Para programas e para aplicativos que não abrem a página de autorização. Quem tem o token age em seu nome.',
    none: 'Nenhum token.',
    name: 'Nome',
    nameHint: 'Para que serve, como “Integração com o ERP”.',
    programs: 'de programas',
    create: 'Criar token',
    createTitle: 'Criar um token',
    accessLabel: 'O que pode fazer',
    read: 'Só ler',
    write: 'Ler e agir',
    workspace: 'Espaço de trabalho (só finanças)',
    allWorkspaces: 'Todos os meus',
    days: 'Vale por quantos dias',
    daysHint: `De 1 a ${DAYS_MAX}.`,
    isForPrograms: 'Um programa usa este token',
    programsHint:
      'Pela API REST, ações que mandam dinheiro, cobram ou excluem rodam sem perguntar a ninguém, desde que o programa envie uma chave de idempotência. Marque só para programas seus.',
    onceTitle: 'O token, uma única vez',
    onceLead: 'Guarde agora: ele não aparece de novo. Se perder, revogue e crie outro.',
    secret: 'Token',
    copy: 'Copiar',
    copied: 'Copiado.',
    back: 'Já guardei',
    revokeTitle: 'Revogar token',
    revokeLead: 'A próxima chamada com este token já é recusada.',
    revoked: 'Token revogado.',
    errors: {
      name: 'Dê um nome de até 80 caracteres.',
      access: 'Um token de programas precisa poder agir.',
      workspace_id: 'Cobrança vale para toda a organização: escolha “Todos os meus”.',
      expires_in_days: `Informe um número inteiro de 1 a ${DAYS_MAX}.`,
      forbidden: 'Só um proprietário ou administrador cria tokens de programas.',
    },
  },
  en: {
    lead: 'For programs, and for applications that do not open the page of consent. Whoever has the token acts in your name.',
    none: 'No tokens.',
    name: 'Name',
    nameHint: 'What it is for, such as "ERP integration".',
    programs: 'for programs',
    create: 'Create token',
    createTitle: 'Create a token',
    accessLabel: 'What it may do',
    read: 'Only read',
    write: 'Read and act',
    workspace: 'Workspace (finance only)',
    allWorkspaces: 'All of mine',
    days: 'Good for how many days',
    daysHint: `From 1 to ${DAYS_MAX}.`,
    isForPrograms: 'A program holds this token',
    programsHint:
      'Over REST, actions that send money, collect or delete run without asking anybody, as long as the program sends an idempotency key. Only for programs of your own.',
    onceTitle: 'The token, once',
    onceLead: 'Keep it now: it is not shown again. If you lose it, revoke it and make another.',
    secret: 'Token',
    copy: 'Copy',
    copied: 'Copied.',
    back: 'I have kept it',
    revokeTitle: 'Revoke token',
    revokeLead: 'The next call with this token is refused.',
    revoked: 'The token was revoked.',
    errors: {
      name: 'Give a name of up to 80 characters.',
      access: 'A token for programs has to be able to act.',
      workspace_id: 'Dunning belongs to the whole organization: choose "All of mine".',
      expires_in_days: `Give a whole number from 1 to ${DAYS_MAX}.`,
      forbidden: 'Only an owner or administrator makes tokens for programs.',
    },
  },
} as const;

export const tokens: Page = {
  path: PATH,
  title: { 'pt-BR': accessWords['pt-BR'].tokens, en: accessWords.en.tokens },
  section: '/console/connections',
  get(ctx) {
    const own = text[ctx.locale];
    const actions = html`<p><a class="button" href="${PATH}/new">${own.create}</a></p>`;
    return accessListPage<Token>(ctx, 'tokens', PATH, { ...own, actions }, (whose) => columnsOf(ctx, whose));
  },
};

function columnsOf(ctx: PageContext, whose: 'me' | 'everybody'): Column<Token>[] {
  const own = text[ctx.locale];
  return accessColumns<Token>(ctx, whose, PATH, ({ name }) => name, {
    head: own.name,
    cell: ({ name, is_for_programs }) =>
      html`${name === '' ? '–' : name}${is_for_programs && html` <span class="tag warn">${own.programs}</span>`}`,
  });
}

export const tokenNew: Page = {
  path: `${PATH}/new`,
  title: { 'pt-BR': text['pt-BR'].createTitle, en: text.en.createTitle },
  section: '/console/connections',
  scripts: ['passkey.js', 'copy.js'],
  get: async (ctx) => formBody(ctx, new URLSearchParams({ expires_in_days: '90' }), []),
  post: (ctx) => withProof(ctx, create),
};

async function create(ctx: PageContext): Promise<Html | Reply> {
  const { form, locale } = ctx;
  const own = text[locale];
  const days = form.get('expires_in_days') ?? '';
  const workspaceId = form.get('workspace_id') ?? '';
  const reply = await ctx.rest('account', {
    method: 'POST',
    path: '/account/v1/tokens',
    body: {
      name: form.get('name') ?? '',
      product: form.get('product') ?? '',
      access: form.get('access') ?? '',
      workspace_id: workspaceId === '' ? null : workspaceId,
      expires_in_days: /^\d{1,4}$/.test(days) ? Number(days) : days,
      is_for_programs: form.get('is_for_programs') === 'yes',
    },
  });
  const problem = problemOf(reply);
  if (problem === null) return secretPage(ctx, reply.body as { token: string });
  if (problem.code === 'verification_required') throw problem;
  const { errors: said } = own;
  const errors = errorsOfProblem(locale, problem, {
    fields: {
      name: { field: 'name', text: said.name },
      access: { field: 'access', text: said.access },
      workspace_id: { field: 'workspace_id', text: said.workspace_id },
      expires_in_days: { field: 'expires_in_days', text: said.expires_in_days },
    },
    codes: { forbidden: said.forbidden },
  });
  return page(formBody(ctx, form, errors), problem.status);
}

/** The only page that ever shows it; not kept by browsers, and gone after the next one. */
function secretPage(ctx: PageContext, { token }: { token: string }): Reply {
  const own = text[ctx.locale];
  return page(
    html`<h1>${own.onceTitle}</h1>
<p class="lead">${own.onceLead}</p>
<div class="field"><label for="secret">${own.secret}</label>
<input id="secret" class="secret" type="text" readonly value="${token}" autocomplete="off" spellcheck="false"></div>
<div class="actions"><button type="button" class="primary" hidden data-copy="secret" data-status="copy-status" data-done="${own.copied}">${own.copy}</button><a class="button" href="${PATH}">${own.back}</a></div>
<p class="hint" id="copy-status" role="status"></p>`,
    201,
    { title: own.onceTitle },
  );
}

function formBody(ctx: PageContext, form: URLSearchParams, errors: readonly FormError[]): Html {
  const { locale } = ctx;
  const own = text[locale];
  const shared = accessWords[locale];
  const value = (name: string) => form.get(name) ?? undefined;
  const fields = html`${input({ name: 'name', label: own.name, hint: own.nameHint, value: value('name'), error: errorOf(errors, 'name'), lengthMax: NAME_MAX, isRequired: true, autocomplete: 'off' })}
${select({
  name: 'product',
  label: shared.product,
  value: value('product'),
  choices: [
    { value: 'finance', label: shared.products.finance },
    { value: 'dunning', label: shared.products.dunning },
  ],
})}
${select({
  name: 'access',
  label: own.accessLabel,
  value: value('access'),
  error: errorOf(errors, 'access'),
  choices: [
    { value: 'read', label: own.read },
    { value: 'write', label: own.write },
  ],
})}
${select({
  name: 'workspace_id',
  label: own.workspace,
  value: value('workspace_id'),
  error: errorOf(errors, 'workspace_id'),
  choices: [
    { value: '', label: own.allWorkspaces },
    ...ctx.workspaces.map(({ id, name }) => ({ value: id, label: name })),
  ],
})}
${input({ name: 'expires_in_days', label: own.days, hint: own.daysHint, value: value('expires_in_days'), error: errorOf(errors, 'expires_in_days'), inputMode: 'numeric', isRequired: true, autocomplete: 'off' })}
${ctx.can('account.connections.write') && checkbox({ name: 'is_for_programs', label: own.isForPrograms, hint: own.programsHint, isChecked: form.get('is_for_programs') === 'yes' })}
<div class="actions"><button class="primary">${own.create}</button><a class="button quiet" href="${PATH}">${words(locale).cancel}</a></div>`;
  return html`<h1>${own.createTitle}</h1>
${errorSummary(locale, errors)}<div class="stack">${postForm(ctx, `${PATH}/new`, fields)}</div>`;
}

export const tokenRevoke: Page = {
  path: `${PATH}/:id/revoke`,
  title: { 'pt-BR': text['pt-BR'].revokeTitle, en: text.en.revokeTitle },
  section: '/console/connections',
  async get(ctx) {
    const { locale } = ctx;
    const own = text[locale];
    const shared = accessWords[locale];
    const found = await accessIn<Token>(ctx, 'tokens');
    return html`<h1>${own.revokeTitle}</h1>
<p class="lead">${own.revokeLead}</p>
${facts([
  [own.name, found.name === '' ? '–' : found.name],
  [shared.person, found.person.name],
  [shared.product, shared.products[found.product]],
  [shared.access, shared.accesses[found.access]],
  [shared.workspace, placeText(locale, found)],
  [shared.used, usedText(ctx, found.last_used_at)],
])}
${postForm(
  ctx,
  ctx.path,
  html`<div class="actions"><button class="danger">${words(ctx.locale).revoke}</button><a class="button quiet" href="${PATH}">${words(ctx.locale).cancel}</a></div>`,
)}`;
  },
  async post(ctx) {
    const path = `/account/v1/tokens/${idIn(ctx)}/revoke`;
    await ctx.restOk('account', { method: 'POST', path });
    return goTo(PATH, text[ctx.locale].revoked);
  },
};
