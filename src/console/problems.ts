/** What pages say when something is refused. English speaks with the words of the registry; Portuguese has its own. */

import type { Locale } from '../core/caller.ts';
import { type ErrorCode, errorRegistry } from '../core/errors.ts';
import type { PageProblem } from './page.ts';
import { portuguese } from './problems-portuguese.ts';

const byStatus: Readonly<Record<Locale, Readonly<Record<number, string>>>> = {
  'pt-BR': {
    400: 'O pedido não pôde ser lido. Volte e tente de novo.',
    403: 'Você não tem acesso a isto.',
    404: 'Não há nada aqui com este endereço.',
    405: 'Esta página não aceita esse tipo de pedido.',
    409: 'Isso mudou enquanto você olhava. Recarregue a página e tente de novo.',
    413: 'O formulário tem mais dados do que o permitido.',
    415: 'Só formulários são aceitos aqui.',
    422: 'Isso não pode ser feito assim. Confira os dados e tente de novo.',
    429: 'Muitos pedidos em pouco tempo. Aguarde um pouco e tente de novo.',
  },
  en: {
    400: 'The request could not be read. Go back and try again.',
    403: 'You have no access to this.',
    404: 'There is nothing at this address.',
    405: 'This page does not take that kind of request.',
    409: 'This changed while you were looking. Reload the page and try again.',
    413: 'The form holds more than is allowed.',
    415: 'Only forms are taken here.',
    422: 'This cannot be done this way. Check what you entered and try again.',
    429: 'Too many requests in a short time. Wait a little and try again.',
  },
};

const otherwise: Readonly<Record<Locale, string>> = {
  'pt-BR': 'Algo deu errado do nosso lado. Tente de novo em instantes.',
  en: 'Something went wrong on our side. Try again in a moment.',
};

const titles: Readonly<Record<Locale, Readonly<Record<number, string>>>> = {
  'pt-BR': { 403: 'Sem acesso', 404: 'Não encontrado', 429: 'Aguarde um pouco' },
  en: { 403: 'No access', 404: 'Not found', 429: 'Wait a little' },
};

const otherTitle: Readonly<Record<Locale, string>> = { 'pt-BR': 'Não deu certo', en: 'That did not work' };

/** What to tell the person about a refusal, with what to do next; never text from outside. */
export function problemText(locale: Locale, problem: PageProblem): string {
  const code = problem.code as ErrorCode;
  const own = locale === 'pt-BR' ? portuguese[code] : englishOf(code);
  return own ?? statusText(locale, problem.status);
}

function englishOf(code: ErrorCode): string | undefined {
  return Object.hasOwn(errorRegistry, code) ? errorRegistry[code].message : undefined;
}

/** The same for a status alone. */
export function statusText(locale: Locale, status: number): string {
  return byStatus[locale][status] ?? otherwise[locale];
}

/** The heading over it. */
export function statusTitle(locale: Locale, status: number): string {
  return titles[locale][status] ?? otherTitle[locale];
}
