/** How the person signs in: passkeys, and the password. */

import { AppError } from '../../core/errors.ts';
import { type Html, html } from '../../web/html.ts';
import { PASSWORD_LENGTH, type PasskeyFacts } from '../../web/sign-in.ts';
import { dateTime, relativeTime, words } from '../../web/words.ts';
import { errorOf, errorSummary, type FormError, input, table } from '../forms.ts';
import { goTo, json, notFound, type Page, type PageContext, PageProblem, page, postForm } from '../page.ts';
import { orSaid, signedOf } from './sign-in.ts';
import { passkeyButton, passwordRuleText, refusedStatus, refusedText } from './sign-in-words.ts';
import { isFresh, withProof } from './verify-proof.ts';

const PATH = '/console/passkeys';
const NAME_MAX = 60;

const text = {
  'pt-BR': {
    title: 'Passkeys e senha',
    lead: 'Uma passkey é a digital, o rosto ou o código do seu aparelho. Ela não pode ser copiada nem digitada num site falso.',
    yours: 'Suas passkeys',
    none: 'Você ainda não tem uma passkey.',
    name: 'Nome',
    nameHint: 'Para reconhecê-la depois, como “Notebook do trabalho”.',
    added: 'Cadastrada',
    used: 'Último uso',
    never: 'nunca',
    add: 'Cadastrar uma passkey',
    addButton: 'Cadastrar passkey',
    proveFirst: 'Antes de cadastrar, confirme que é você.',
    prove: 'Confirmar que sou eu',
    addedNotice: 'Passkey cadastrada.',
    removed: 'Passkey removida.',
    removeTitle: 'Remover passkey',
    removeLead: (name: string) => `A passkey “${name}” deixa de valer agora.`,
    change: 'Trocar a senha',
    current: 'Senha atual',
    next: 'Senha nova',
    nextHint: `De ${PASSWORD_LENGTH.min} a ${PASSWORD_LENGTH.max} caracteres. Suas outras sessões são encerradas.`,
    again: 'Repita a senha nova',
    different: 'As duas senhas não são iguais.',
    changed: 'Senha trocada. Suas outras sessões foram encerradas.',
    sessions: 'Suas sessões',
  },
  en: {
    title: 'Passkeys and password',
    lead: 'A passkey is the fingerprint, the face or the code of your device. It cannot be copied or typed into a false site.',
    yours: 'Your passkeys',
    none: 'You have no passkey yet.',
    name: 'Name',
    nameHint: 'To know it by later, such as "Work laptop".',
    added: 'Added',
    used: 'Last used',
    never: 'never',
    add: 'Add a passkey',
    addButton: 'Add passkey',
    proveFirst: 'Before you add one, confirm that it is you.',
    prove: 'Confirm that it is me',
    addedNotice: 'The passkey was added.',
    removed: 'The passkey was removed.',
    removeTitle: 'Remove passkey',
    removeLead: (name: string) => `The passkey “${name}” stops being good now.`,
    change: 'Change the password',
    current: 'Present password',
    next: 'New password',
    nextHint: `${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters. Your other sessions end.`,
    again: 'The new password again',
    different: 'The two passwords are not the same.',
    changed: 'The password was changed. Your other sessions have ended.',
    sessions: 'Your sessions',
  },
} as const;

export const passkeys: Page = {
  path: PATH,
  title: { 'pt-BR': text['pt-BR'].title, en: text.en.title },
  section: '/console/settings',
  scripts: ['passkey.js'],
  get: (ctx) => passkeysBody(ctx, []),
};

async function passkeysBody(ctx: PageContext, errors: readonly FormError[]): Promise<Html> {
  const { locale } = ctx;
  const own = text[locale];
  const found = await ctx.signIn.passkeysOf(ctx.person);
  return html`<h1>${own.title}</h1>
<p class="lead">${own.lead}</p>
${errorSummary(locale, errors)}<section class="card">
<h2 id="yours">${own.yours}</h2>
${found.length === 0 ? html`<p>${own.none}</p>` : listOf(ctx, found)}
</section>
<section class="card">
<h2 id="add">${own.add}</h2>
${
  isFresh(ctx)
    ? addForm(ctx)
    : html`<p>${own.proveFirst}</p>
<p><a class="button" href="/console/verify?next=${encodeURIComponent(PATH)}">${own.prove}</a></p>`
}
</section>
<section class="card">
<h2 id="change">${own.change}</h2>
${passwordForm(ctx, errors)}
</section>`;
}

function listOf(ctx: PageContext, found: readonly PasskeyFacts[]): Html {
  const { locale, now } = ctx;
  const own = text[locale];
  const zone = ctx.timeZone;
  return table<PasskeyFacts>(
    own.yours,
    [
      { head: own.name, cell: ({ name }) => name },
      { head: own.added, cell: ({ createdAt }) => dateTime(locale, createdAt, zone) },
      {
        head: own.used,
        cell: ({ lastUsedAt }) => (lastUsedAt === null ? own.never : relativeTime(locale, lastUsedAt, now)),
      },
      {
        head: words(locale).remove,
        cell: ({ id, name }) =>
          html`<a class="button quiet" href="${PATH}/${encodeURIComponent(id)}/remove" aria-label="${words(locale).remove}: ${name}">${words(locale).remove}</a>`,
      },
    ],
    found,
  );
}

function addForm(ctx: PageContext): Html {
  const own = text[ctx.locale];
  return html`<form class="stack"><input type="hidden" name="form_word" value="${ctx.formWord}"><input type="hidden" name="back" value="${PATH}">
${input({ name: 'name', label: own.name, hint: own.nameHint, lengthMax: NAME_MAX, isRequired: true, autocomplete: 'off' })}
${passkeyButton(ctx.locale, { label: own.addButton, kind: 'create', question: `${PATH}/question`, answer: `${PATH}/answer` })}</form>`;
}

function passwordForm(ctx: PageContext, errors: readonly FormError[]): Html {
  const own = text[ctx.locale];
  const field = (name: string, label: string, autocomplete: string, hint?: string) =>
    input({
      name,
      label,
      type: 'password',
      autocomplete,
      hint,
      isRequired: true,
      error: errorOf(errors, name),
    });
  return html`<form method="post" action="/console/password" class="stack"><input type="hidden" name="form_word" value="${ctx.formWord}">
<input type="hidden" name="username" value="${ctx.person.user.email}" autocomplete="username">
${field('password', own.current, 'current-password')}
${field('next_password', own.next, 'new-password', own.nextHint)}
${field('next_again', own.again, 'new-password')}
<div class="actions"><button class="primary">${own.change}</button></div></form>`;
}

export const passkeysQuestion: Page = {
  path: `${PATH}/question`,
  title: passkeys.title,
  post: (ctx) =>
    orSaid(ctx, async () => json(await ctx.signIn.registrationQuestion(ctx.person, ctx.from, ctx.now))),
};

export const passkeysAnswer: Page = {
  path: `${PATH}/answer`,
  title: passkeys.title,
  post: (ctx) =>
    orSaid(ctx, async () => {
      const { form, from, locale, now, person } = ctx;
      const name = (form.get('name') ?? '').trim().slice(0, NAME_MAX) || 'Passkey';
      const challengeId = form.get('challenge_id') ?? '';
      const result = await ctx.signIn.registerPasskey(person, challengeId, signedOf(form), name, from, now);
      if (result === 'registered') return json({ next: PATH });
      return json({ error: refusedText(locale, result, 'wrongPasskey') }, refusedStatus(result));
    }),
};

export const passkeyRemove: Page = {
  path: `${PATH}/:id/remove`,
  title: { 'pt-BR': text['pt-BR'].removeTitle, en: text.en.removeTitle },
  section: '/console/settings',
  scripts: ['passkey.js'],
  async get(ctx) {
    const { name } = await ownPasskey(ctx);
    const own = text[ctx.locale];
    return html`<h1>${own.removeTitle}</h1>
<p class="lead">${own.removeLead(name)}</p>
${postForm(
  ctx,
  ctx.path,
  html`<div class="actions"><button class="danger">${words(ctx.locale).remove}</button><a class="button quiet" href="${PATH}">${words(ctx.locale).cancel}</a></div>`,
)}`;
  },
  post: (ctx) =>
    withProof(ctx, async (proved) => {
      const { id } = await ownPasskey(proved);
      await proved.signIn.removePasskey(proved.person, id, proved.now).catch(asProblem);
      return goTo(PATH, text[ctx.locale].removed);
    }),
};

async function ownPasskey(ctx: PageContext): Promise<PasskeyFacts> {
  const found = await ctx.signIn.passkeysOf(ctx.person);
  return found.find(({ id }) => id === ctx.params['id']) ?? notFound();
}

/** The failure in the terms the shell answers: the way to a fresh proof, for one. */
function asProblem(error: unknown): never {
  if (!(error instanceof AppError)) throw error;
  throw new PageProblem({ status: error.status, headers: {}, body: { code: error.code } });
}

export const password: Page = {
  path: '/console/password',
  title: { 'pt-BR': text['pt-BR'].change, en: text.en.change },
  section: '/console/settings',
  scripts: ['passkey.js'],
  async post(ctx) {
    const { form, from, locale, now, person } = ctx;
    const own = text[locale];
    const next = form.get('next_password') ?? '';
    if (next !== form.get('next_again')) {
      return page(await passkeysBody(ctx, [{ field: 'next_again', text: own.different }]), 422);
    }
    const result = await ctx.signIn.changePassword(person, form.get('password') ?? '', next, from, now);
    if (result === 'changed') return goTo(PATH, own.changed);
    if (result.refused === 'weak') {
      const errors = [{ field: 'next_password', text: passwordRuleText(locale, result.rule) }];
      return page(await passkeysBody(ctx, errors), 422);
    }
    const errors = [{ field: 'password', text: refusedText(locale, result, 'wrongPassword') }];
    return page(await passkeysBody(ctx, errors), refusedStatus(result));
  },
};
