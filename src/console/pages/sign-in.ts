/** Signing in with a password or a passkey, and out again. */

import { AppError } from '../../core/errors.ts';
import { sessionCookie } from '../../web/cookies.ts';
import { type Html, html } from '../../web/html.ts';
import { safePath } from '../../web/http.ts';
import { errorSummary, type FormError, input } from '../forms.ts';
import { goTo, json, type Page, type PublicContext, type PublicPage, page, type Reply } from '../page.ts';
import { languageLinks, passkeyButton, refusedStatus, refusedText, tooManyText } from './sign-in-words.ts';

/** No longer than a session lives; when it ends is for the server to say. */
const COOKIE_SECONDS = 12 * 3_600;
const HOME = '/console';

const text = {
  'pt-BR': {
    title: 'Entrar',
    lead: 'Entre para ver e aprovar o que acontece nos seus livros.',
    email: 'E-mail',
    password: 'Senha',
    submit: 'Entrar',
    passkey: 'Entrar com passkey',
    or: 'ou',
    lost: 'Perdeu a senha? Peça um novo link a quem administra o servidor.',
    missing: 'Informe seu e-mail e sua senha.',
    out: 'Você saiu.',
  },
  en: {
    title: 'Sign in',
    lead: 'Sign in to see and approve what happens in your books.',
    email: 'E-mail',
    password: 'Password',
    submit: 'Sign in',
    passkey: 'Sign in with a passkey',
    or: 'or',
    lost: 'Lost your password? Ask whoever runs the server for a new link.',
    missing: 'Give your e-mail address and your password.',
    out: 'You are signed out.',
  },
} as const;

/** The headers that sign the browser in. */
export function signedInHeaders(origin: string, secret: string): { 'Set-Cookie': string } {
  return { 'Set-Cookie': sessionCookie(origin, secret, COOKIE_SECONDS) };
}

const nextOf = (asked: string | null) => safePath(asked, HOME);

export const signIn: PublicPage = {
  path: '/console/sign-in',
  title: { 'pt-BR': text['pt-BR'].title, en: text.en.title },
  isPublic: true,
  scripts: ['passkey.js'],
  async get(ctx) {
    const next = nextOf(ctx.query.get('next'));
    return ctx.person === null ? signInBody(ctx, next, '', []) : goTo(next);
  },
  async post(ctx) {
    const { form, from, locale, now, origin } = ctx;
    const next = nextOf(form.get('next'));
    const email = (form.get('email') ?? '').trim();
    const password = form.get('password') ?? '';
    if (email === '' || password === '') {
      return page(signInBody(ctx, next, email, [{ field: 'email', text: text[locale].missing }]), 422);
    }
    const result = await ctx.signIn.withPassword(email, password, from, now);
    if ('secret' in result) return goTo(next, null, signedInHeaders(origin, result.secret));
    const errors = [{ field: 'email', text: refusedText(locale, result, 'wrong') }];
    return page(signInBody(ctx, next, email, errors), refusedStatus(result));
  },
};

function signInBody(ctx: PublicContext, next: string, email: string, errors: readonly FormError[]): Html {
  const own = text[ctx.locale];
  return html`<h1>${own.title}</h1>
<p class="lead">${own.lead}</p>
${errorSummary(ctx.locale, errors)}<form method="post" action="/console/sign-in" class="stack">
<input type="hidden" name="next" value="${next}">
${input({ name: 'email', label: own.email, type: 'email', value: email, autocomplete: 'username webauthn', isRequired: true, error: errors[0]?.text, isFocused: errors.length === 0 })}
${input({ name: 'password', label: own.password, type: 'password', autocomplete: 'current-password', isRequired: true })}
<div class="actions"><button class="primary">${own.submit}</button></div>
</form>
<form class="stack alternative"><input type="hidden" name="next" value="${next}">
${passkeyButton(ctx.locale, { label: own.passkey, kind: 'get', question: '/console/passkey/question', answer: '/console/passkey/answer' })}</form>
<p class="hint">${own.lost}</p>
${languageLinks(ctx.locale, ctx.path)}`;
}

/** What a passkey has to sign for whoever signs in with one. */
export const passkeyQuestion: PublicPage = {
  path: '/console/passkey/question',
  title: signIn.title,
  isPublic: true,
  post: (ctx) => orSaid(ctx, async () => json(await ctx.signIn.passkeyQuestion(ctx.from, ctx.now))),
};

export const passkeyAnswer: PublicPage = {
  path: '/console/passkey/answer',
  title: signIn.title,
  isPublic: true,
  post: (ctx) =>
    orSaid(ctx, async () => {
      const { form, from, locale, now, origin } = ctx;
      const result = await ctx.signIn.withPasskey(form.get('challenge_id') ?? '', signedOf(form), from, now);
      if ('secret' in result) {
        return json({ next: nextOf(form.get('next')) }, 200, signedInHeaders(origin, result.secret));
      }
      return json({ error: refusedText(locale, result, 'wrongPasskey') }, refusedStatus(result));
    }),
};

/** What the browser signed, or null for what is no JSON. */
export function signedOf(form: URLSearchParams): unknown {
  try {
    return JSON.parse(form.get('response') ?? 'null');
  } catch {
    return null;
  }
}

/** The reply, or what the script tells the person where too many were asked for or a fresh proof is wanted first. */
export async function orSaid(ctx: PublicContext, make: () => Promise<Reply>): Promise<Reply> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'rate_limited') {
      const seconds = Number(error.details?.['retry_after'] ?? 60);
      return json({ error: tooManyText(ctx.locale, seconds) }, 429);
    }
    if (error.code === 'verification_required') {
      const next = safePath(ctx.form.get('back'), HOME);
      return json({ next: `/console/verify?next=${encodeURIComponent(next)}` }, 403);
    }
    throw error;
  }
}

export const signOut: Page = {
  path: '/console/sign-out',
  title: { 'pt-BR': 'Sair', en: 'Sign out' },
  async post(ctx) {
    await ctx.signIn.signOut(ctx.person, ctx.now);
    return goTo('/console/sign-in', text[ctx.locale].out, { 'Set-Cookie': sessionCookie(ctx.origin, '', 0) });
  },
};
