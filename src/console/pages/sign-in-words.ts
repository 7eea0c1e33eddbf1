/** Words that signing in, invitations and proofs share. */

import type { Locale } from '../../core/caller.ts';
import { type Html, html } from '../../web/html.ts';
import { PASSWORD_LENGTH, type PasswordRule, type Refused } from '../../web/sign-in.ts';

const text = {
  'pt-BR': {
    wrong: 'E-mail ou senha não conferem.',
    wrongPassword: 'A senha não confere.',
    wrongPasskey: 'Essa passkey não foi aceita. Tente de novo ou use sua senha.',
    tooMany: (minutes: number) =>
      `Muitas tentativas. Aguarde ${minutes} ${minutes === 1 ? 'minuto' : 'minutos'} e tente de novo.`,
    rules: {
      too_short: `A senha precisa ter pelo menos ${PASSWORD_LENGTH.min} caracteres.`,
      too_long: `A senha pode ter no máximo ${PASSWORD_LENGTH.max} caracteres.`,
      common: 'Essa senha é muito comum. Escolha outra.',
      about_you: 'A senha não pode conter seu nome nem seu e-mail.',
    },
    waiting: 'Aguardando sua passkey…',
    cancelled: 'A passkey não foi usada.',
    failed: 'A passkey não funcionou. Tente de novo.',
    known: 'Este dispositivo já tem uma passkey sua.',
    unsupported: 'Este navegador não oferece passkeys. Use sua senha.',
    noScript: 'Para usar passkeys, ative o JavaScript.',
    language: 'Idioma',
  },
  en: {
    wrong: 'E-mail and password do not match.',
    wrongPassword: 'The password is not right.',
    wrongPasskey: 'That passkey was not accepted. Try again or use your password.',
    tooMany: (minutes: number) =>
      `Too many attempts. Wait ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} and try again.`,
    rules: {
      too_short: `The password needs at least ${PASSWORD_LENGTH.min} characters.`,
      too_long: `The password may have at most ${PASSWORD_LENGTH.max} characters.`,
      common: 'That password is too common. Choose another one.',
      about_you: 'The password must not hold your name or e-mail address.',
    },
    waiting: 'Waiting for your passkey…',
    cancelled: 'The passkey was not used.',
    failed: 'The passkey did not work. Try again.',
    known: 'This device has a passkey of yours already.',
    unsupported: 'This browser has no passkeys. Use your password.',
    noScript: 'Passkeys need JavaScript.',
    language: 'Language',
  },
} as const;

/** Why nobody was let in; whoever does not exist reads the same as who gave another password. */
export function refusedText(
  locale: Locale,
  refused: Refused,
  what: 'wrong' | 'wrongPassword' | 'wrongPasskey',
): string {
  const own = text[locale];
  return refused.refused === 'too_many' ? tooManyText(locale, refused.retryAfterSeconds) : own[what];
}

export function tooManyText(locale: Locale, seconds: number): string {
  return text[locale].tooMany(Math.max(1, Math.ceil(seconds / 60)));
}

/** The status of a refusal: 429 where waiting helps. */
export function refusedStatus(refused: Refused): number {
  return refused.refused === 'too_many' ? 429 : 403;
}

export function passwordRuleText(locale: Locale, rule: PasswordRule): string {
  return text[locale].rules[rule];
}

export interface PasskeyButton {
  readonly label: string;
  readonly kind: 'get' | 'create';
  readonly question: string;
  readonly answer: string;
}

/** A button that the script shows where the browser has passkeys, with a line that says how it goes. */
export function passkeyButton(locale: Locale, { label, kind, question, answer }: PasskeyButton): Html {
  const own = text[locale];
  return html`<button type="button" class="passkey" hidden data-passkey="${kind}" data-question="${question}" data-answer="${answer}" data-status="passkey-status" data-waiting="${own.waiting}" data-cancelled="${own.cancelled}" data-failed="${own.failed}" data-known="${own.known}" data-unsupported="${own.unsupported}">${label}</button>
<p class="hint" id="passkey-status" role="status"></p><noscript><p class="hint">${own.noScript}</p></noscript>`;
}

/** Links to the same page in the other language; `path` is the page's own. */
export function languageLinks(locale: Locale, path: string): Html {
  const link = (wanted: Locale, name: string) => {
    const url = new URL(path, 'http://here.invalid');
    url.searchParams.set('lang', wanted);
    return html`<a href="${url.pathname + url.search}" lang="${wanted}" hreflang="${wanted}"${
      wanted === locale && html` aria-current="true"`
    }>${name}</a>`;
  };
  return html`<nav class="languages" aria-label="${text[locale].language}">${link('pt-BR', 'Português')} ${link('en', 'English')}</nav>`;
}
