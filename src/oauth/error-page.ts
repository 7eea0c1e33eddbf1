/** What people see when an authorization cannot go on, and cannot be answered to the client either. */

import type { errors, KoaContextWithOIDC } from 'oidc-provider';
import { html } from '../web/html.ts';
import { pageHeaders } from '../web/http.ts';
import { documentOf } from '../web/layout.ts';
import { localeOf, type Texts } from '../web/words.ts';

const text = {
  'pt-BR': {
    title: 'Não foi possível conectar',
    over: 'Este pedido de conexão expirou ou já foi respondido. Comece de novo no programa que você quer conectar.',
    client:
      'O programa que pediu a conexão não pôde ser identificado. Comece de novo nele; se continuar, avise quem o fornece.',
    redirect:
      'O programa pediu que a resposta fosse para um endereço que não é dele. Nada foi autorizado. Se você não começou isso, feche esta página.',
    request:
      'O pedido de conexão está incompleto ou errado. Comece de novo no programa que você quer conectar.',
    failed: 'Algo falhou do nosso lado. Tente de novo em alguns minutos.',
    code: 'Código',
  },
  en: {
    title: 'It could not be connected',
    over: 'This request to connect is over or was answered already. Start again in the program you want to connect.',
    client:
      'The program that asked to connect could not be identified. Start again there; if this goes on, tell whoever provides it.',
    redirect:
      'The program asked for the answer to go to an address that is not its own. Nothing was allowed. If you did not start this, close this page.',
    request: 'The request to connect is incomplete or wrong. Start again in the program you want to connect.',
    failed: 'Something failed on our side. Try again in some minutes.',
    code: 'Code',
  },
} as const satisfies Texts;

type Reason = Exclude<keyof (typeof text)['en'], 'title' | 'code'>;

const reasons: Readonly<Record<string, Reason>> = {
  invalid_client: 'client',
  invalid_client_metadata: 'client',
  invalid_redirect_uri: 'redirect',
  server_error: 'failed',
};

/** The page for an error in the words of OAuth; what the client said is not repeated. */
export function errorPageOf(acceptLanguage: string | undefined, error: string, isOver = false) {
  const locale = localeOf(acceptLanguage);
  const own = text[locale];
  const why = own[isOver ? 'over' : (reasons[error] ?? 'request')];
  return documentOf({
    locale,
    title: own.title,
    body: html`<h1>${own.title}</h1>
<p>${why}</p>
<p class="hint">${own.code}: <code>${error}</code></p>`,
  });
}

/** The library's hook for errors without an address to answer to. */
export function sendErrorPage(
  ctx: KoaContextWithOIDC,
  { error }: { error: string },
  cause: errors.OIDCProviderError | Error,
): void {
  ctx.set(pageHeaders());
  ctx.type = 'html';
  ctx.body = errorPageOf(ctx.get('accept-language'), error, cause.name === 'SessionNotFound').text;
}
