/** The link of somebody who was invited, or who lost the password: the password, and in. */

import { type Html, html } from '../../web/html.ts';
import { type Invitation, PASSWORD_LENGTH } from '../../web/sign-in.ts';
import { errorOf, errorSummary, type FormError, input } from '../forms.ts';
import { goTo, type PublicContext, type PublicPage, page, type Reply } from '../page.ts';
import { signedInHeaders } from './sign-in.ts';
import { languageLinks, passwordRuleText, refusedStatus, refusedText } from './sign-in-words.ts';

const text = {
  'pt-BR': {
    title: 'Seu acesso',
    lead: (organization: string) => `Este link dá acesso a ${organization}.`,
    invitedBy: (name: string) => `Quem convidou: ${name}.`,
    choose: 'Escolha uma senha. Se você já tem uma conta neste servidor, informe a senha que já usa.',
    email: 'E-mail',
    password: 'Senha',
    passwordHint: `De ${PASSWORD_LENGTH.min} a ${PASSWORD_LENGTH.max} caracteres. Uma frase é uma boa senha.`,
    again: 'Repita a senha',
    submit: 'Entrar',
    different: 'As duas senhas não são iguais.',
    goneTitle: 'Este link não vale mais',
    gone: 'Ele já foi usado, venceu ou está incompleto. Peça um novo a quem convidou você.',
    toSignIn: 'Entrar',
    welcome: 'Boas-vindas! Cadastre uma passkey para entrar e aprovar sem digitar a senha.',
  },
  en: {
    title: 'Your access',
    lead: (organization: string) => `This link gives access to ${organization}.`,
    invitedBy: (name: string) => `Invited by ${name}.`,
    choose: 'Choose a password. If you have an account on this server already, give the password you use.',
    email: 'E-mail',
    password: 'Password',
    passwordHint: `${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters. A sentence is a good password.`,
    again: 'The password again',
    submit: 'Go in',
    different: 'The two passwords are not the same.',
    goneTitle: 'This link is no longer good',
    gone: 'It was used, is too old or is not complete. Ask whoever invited you for a new one.',
    toSignIn: 'Sign in',
    welcome: 'Welcome! Add a passkey to sign in and approve without typing your password.',
  },
} as const;

export const invitation: PublicPage = {
  path: '/console/invitation/:secret',
  title: { 'pt-BR': text['pt-BR'].title, en: text.en.title },
  isPublic: true,
  async get(ctx) {
    const found = await ctx.signIn.invitation(ctx.params['secret']!, ctx.now);
    return found === null ? gone(ctx) : invitationBody(ctx, found, []);
  },
  async post(ctx) {
    const { form, from, locale, now, origin } = ctx;
    const secret = ctx.params['secret']!;
    const found = await ctx.signIn.invitation(secret, now);
    if (found === null) return gone(ctx);
    const password = form.get('password') ?? '';
    if (password !== form.get('password_again')) {
      const errors = [{ field: 'password_again', text: text[locale].different }];
      return page(invitationBody(ctx, found, errors), 422);
    }
    const result = await ctx.signIn.acceptInvitation(secret, password, from, now);
    if ('secret' in result) {
      return goTo('/console/passkeys', text[locale].welcome, signedInHeaders(origin, result.secret));
    }
    if (result.refused === 'weak') {
      const errors = [{ field: 'password', text: passwordRuleText(locale, result.rule) }];
      return page(invitationBody(ctx, found, errors), 422);
    }
    const errors = [{ field: 'password', text: refusedText(locale, result, 'wrongPassword') }];
    return page(invitationBody(ctx, found, errors), refusedStatus(result));
  },
};

function invitationBody(ctx: PublicContext, found: Invitation, errors: readonly FormError[]): Html {
  const own = text[ctx.locale];
  return html`<h1>${own.title}</h1>
<p class="lead">${own.lead(found.organizationName)}${found.invitedBy !== null && ` ${own.invitedBy(found.invitedBy)}`}</p>
${errorSummary(ctx.locale, errors)}<form method="post" class="stack">
<p>${own.choose}</p>
<div class="field"><label for="email">${own.email}</label><input id="email" name="email" type="email" value="${found.email}" autocomplete="username" readonly></div>
${input({ name: 'password', label: own.password, type: 'password', autocomplete: 'new-password', hint: own.passwordHint, error: errorOf(errors, 'password'), isRequired: true, isFocused: errors.length === 0 })}
${input({ name: 'password_again', label: own.again, type: 'password', autocomplete: 'new-password', error: errorOf(errors, 'password_again'), isRequired: true })}
<div class="actions"><button class="primary">${own.submit}</button></div>
</form>
${languageLinks(ctx.locale, ctx.path)}`;
}

/** The same whether the link never was, was used or is too old. */
function gone(ctx: PublicContext): Reply {
  const own = text[ctx.locale];
  return page(
    html`<h1>${own.goneTitle}</h1>
<p class="lead">${own.gone}</p>
<p><a class="button" href="/console/sign-in">${own.toSignIn}</a></p>
${languageLinks(ctx.locale, ctx.path)}`,
    404,
    { title: own.goneTitle },
  );
}
