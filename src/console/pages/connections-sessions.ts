/** The browsers in which the person is signed in, and the end of a session. */

import { html } from '../../web/html.ts';
import { words } from '../../web/words.ts';
import { table } from '../forms.ts';
import { goTo, idIn, type Page, postForm, queryOf } from '../page.ts';
import { accessTabs, accessWords, instantText, type List, usedText } from './connections-words.ts';

const PATH = '/console/sessions';

interface SessionLine {
  readonly id: string;
  readonly is_this_one: boolean;
  readonly user_agent: string;
  readonly verified_with: 'password' | 'passkey';
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly expires_at: string;
}

const text = {
  'pt-BR': {
    lead: 'Onde você está conectado ao console. Encerrar vale na hora.',
    browser: 'Navegador',
    thisOne: 'esta',
    proof: 'Entrou com',
    proofs: { password: 'senha', passkey: 'passkey' },
    end: 'Encerrar',
    ended: 'Sessão encerrada.',
  },
  en: {
    lead: 'Where you are signed in to the console. Ending a session counts at once.',
    browser: 'Browser',
    thisOne: 'this one',
    proof: 'Signed in with',
    proofs: { password: 'password', passkey: 'passkey' },
    end: 'End',
    ended: 'The session has ended.',
  },
} as const;

export const sessions: Page = {
  path: PATH,
  title: { 'pt-BR': accessWords['pt-BR'].sessions, en: accessWords.en.sessions },
  section: '/console/connections',
  async get(ctx) {
    const { locale } = ctx;
    const own = text[locale];
    const shared = accessWords[locale];
    const query = queryOf({ limit: 50, cursor: ctx.query.get('cursor') });
    const { items, next_cursor } = await ctx.restOk<List<SessionLine>>('account', {
      method: 'GET',
      path: `/account/v1/sessions${query}`,
    });
    return html`<h1>${shared.sessions}</h1>
${accessTabs(locale, 'sessions')}
<p class="lead">${own.lead}</p>
${table<SessionLine>(
  shared.sessions,
  [
    {
      head: own.browser,
      cell: ({ user_agent, is_this_one }) =>
        html`${browserName(user_agent)}${is_this_one && html` <span class="tag good">${own.thisOne}</span>`}`,
    },
    { head: own.proof, cell: ({ verified_with }) => own.proofs[verified_with] },
    { head: shared.created, cell: ({ created_at }) => instantText(ctx, created_at) },
    { head: shared.used, cell: ({ last_seen_at }) => usedText(ctx, last_seen_at) },
    { head: shared.expires, cell: ({ expires_at }) => instantText(ctx, expires_at) },
    {
      head: shared.action,
      cell: ({ id, is_this_one, user_agent }) =>
        is_this_one
          ? '–'
          : postForm(
              ctx,
              `${PATH}/${id}/end`,
              html`<button class="quiet" aria-label="${own.end}: ${browserName(user_agent)}">${own.end}</button>`,
            ),
    },
  ],
  items,
)}
${next_cursor !== null && html`<p><a class="button quiet" href="${PATH}${queryOf({ cursor: next_cursor })}">${words(locale).nextPage}</a></p>`}`;
  },
};

const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const systems = [
  ['Windows', 'Windows'],
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const;

/** A browser as people call it, such as "Firefox, Windows"; what says nothing of the kind is shown as it is, cut. */
export function browserName(userAgent: string): string {
  const browser = browsers.find(([mark]) => userAgent.includes(mark))?.[1];
  const system = systems.find(([mark]) => userAgent.includes(mark))?.[1];
  const known = [browser, system].filter((part) => part !== undefined);
  return known.length > 0 ? known.join(', ') : userAgent.slice(0, 40) || '–';
}

export const sessionEnd: Page = {
  path: `${PATH}/:id/end`,
  title: sessions.title,
  section: '/console/connections',
  async post(ctx) {
    const path = `/account/v1/sessions/${idIn(ctx)}/revoke`;
    await ctx.restOk('account', { method: 'POST', path });
    return goTo(PATH, text[ctx.locale].ended);
  },
};
