/** The clients that were let in, and the end of one. */

import { type Html, html } from '../../web/html.ts';
import { words } from '../../web/words.ts';
import { facts } from '../forms.ts';
import { goTo, idIn, type Page, type PageContext, postForm } from '../page.ts';
import {
  type Access,
  accessColumns,
  accessIn,
  accessListPage,
  accessWords,
  placeText,
  usedText,
} from './connections-words.ts';

const PATH = '/console/connections';

interface Connection extends Access {
  readonly client_name: string;
  readonly client_host: string;
  readonly is_verified: boolean;
}

const text = {
  'pt-BR': {
    lead: 'Aplicativos que alguém deixou entrar. Revogar vale na hora: a próxima chamada já é recusada.',
    none: 'Nenhum aplicativo conectado. Conecte um pelo endereço deste servidor: ele abre a página de autorização.',
    client: 'Aplicativo',
    verified: 'verificado',
    unverified: 'não verificado',
    revokeTitle: 'Revogar conexão',
    revokeLead: 'O aplicativo perde o acesso agora e precisa ser autorizado de novo para voltar.',
    revoked: 'Conexão revogada.',
  },
  en: {
    lead: 'Applications that somebody let in. Revoking counts at once: the next call is refused.',
    none: 'No application is connected. Connect one to the address of this server: it opens the page of consent.',
    client: 'Application',
    verified: 'verified',
    unverified: 'not verified',
    revokeTitle: 'Revoke connection',
    revokeLead: 'The application loses access now and has to be let in again to come back.',
    revoked: 'The connection was revoked.',
  },
} as const;

export const connections: Page = {
  path: PATH,
  title: { 'pt-BR': accessWords['pt-BR'].connections, en: accessWords.en.connections },
  get: (ctx) =>
    accessListPage<Connection>(ctx, 'connections', PATH, text[ctx.locale], (whose) => columnsOf(ctx, whose)),
};

const columnsOf = (ctx: PageContext, whose: 'me' | 'everybody') =>
  accessColumns<Connection>(ctx, whose, PATH, ({ client_name }) => client_name, {
    head: text[ctx.locale].client,
    cell: (each) => clientOf(ctx, each),
  });

/** The name is the client's own word for itself, so the host and whether it vouches for the name stand beside it. */
function clientOf({ locale }: PageContext, { client_name, client_host, is_verified }: Connection): Html {
  const own = text[locale];
  return html`${client_name} <span class="hint">${client_host}</span> <span class="tag ${is_verified ? 'good' : 'warn'}">${is_verified ? own.verified : own.unverified}</span>`;
}

export const connectionRevoke: Page = {
  path: `${PATH}/:id/revoke`,
  title: { 'pt-BR': text['pt-BR'].revokeTitle, en: text.en.revokeTitle },
  section: PATH,
  async get(ctx) {
    const { locale } = ctx;
    const own = text[locale];
    const shared = accessWords[locale];
    const found = await accessIn<Connection>(ctx, 'connections');
    return html`<h1>${own.revokeTitle}</h1>
<p class="lead">${own.revokeLead}</p>
${facts([
  [own.client, clientOf(ctx, found)],
  [shared.person, found.person.name],
  [shared.product, shared.products[found.product]],
  [shared.access, shared.accesses[found.access]],
  [shared.workspace, placeText(locale, found)],
  [shared.used, usedText(ctx, found.last_used_at)],
])}
${postForm(
  ctx,
  ctx.path,
  html`<div class="actions"><button class="danger">${words(locale).revoke}</button><a class="button quiet" href="${PATH}">${words(locale).cancel}</a></div>`,
)}`;
  },
  async post(ctx) {
    const path = `/account/v1/connections/${idIn(ctx)}/revoke`;
    await ctx.restOk('account', { method: 'POST', path });
    return goTo(PATH, text[ctx.locale].revoked);
  },
};
