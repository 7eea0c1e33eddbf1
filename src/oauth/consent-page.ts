/** The page on which a person decides what a program may do. Everything the program says of itself is text. */

import type { AccessLevel, Locale, Product } from '../core/caller.ts';
import { type Html, html } from '../web/html.ts';
import { documentOf } from '../web/layout.ts';
import type { Texts } from '../web/words.ts';

/** For how many days a connection can be allowed; the first is not the default. */
export const DAYS = [7, 30, 90, 365] as const;
const DAYS_DEFAULT = 30;
/** In place of the id of a workspace: all that the person reaches, now or later. */
export const ALL_WORKSPACES = 'all';

const text = {
  'pt-BR': {
    title: 'Conectar um programa',
    asks: 'pede para se conectar a',
    finance: 'Kobana Financeiro',
    dunning: 'Kobana Cobrança',
    as: 'Você entrou como',
    who: 'Quem pede',
    name: 'Nome',
    host: 'Site',
    verified: 'Verificado',
    vouches: 'Este site responde pelo nome.',
    unverified: 'Não verificado',
    claims: 'O nome é o que o programa diz de si mesmo.',
    answer: 'A resposta vai para',
    local:
      'A resposta vai para um programa neste computador, e qualquer programa daqui poderia dizer que é este. Continue só se foi você quem começou esta conexão, agora.',
    access: 'O que ele poderá fazer',
    read: 'Só consultar',
    readMeans: 'Vê o que você vê. Não altera nada.',
    write: 'Consultar e alterar',
    writeMeans: {
      finance:
        'Registra e altera em seu nome. O que mexe com dinheiro ou não tem volta ainda pergunta a você antes.',
      dunning:
        'Registra e altera em seu nome. O que contata devedores ou não tem volta ainda pergunta a você antes.',
    },
    less: 'O programa pediu só consulta. Dê mais apenas se você quer que ele altere.',
    never: 'Nunca poderá mais do que você.',
    where: 'Onde',
    all: 'Todos os espaços de trabalho que eu alcanço',
    organization: 'Toda a organização',
    until: 'Por quanto tempo',
    days: (days: number) => (days === 365 ? '1 ano' : `${days} dias`),
    later: 'Você pode encerrar a conexão a qualquer momento, em Conexões.',
    allow: 'Permitir',
    deny: 'Não permitir',
    nothing:
      'Seu papel não dá acesso a nada aqui, então não há o que permitir. Fale com quem administra a organização.',
  },
  en: {
    title: 'Connect a program',
    asks: 'asks to connect to',
    finance: 'Kobana Finance',
    dunning: 'Kobana Dunning',
    as: 'You are signed in as',
    who: 'Who asks',
    name: 'Name',
    host: 'Site',
    verified: 'Verified',
    vouches: 'This site vouches for the name.',
    unverified: 'Not verified',
    claims: 'The name is what the program says of itself.',
    answer: 'The answer goes to',
    local:
      'The answer goes to a program on this computer, and any program here could say it is this one. Go on only if you started this connection yourself, just now.',
    access: 'What it may do',
    read: 'Only look',
    readMeans: 'Sees what you see. Changes nothing.',
    write: 'Look and change',
    writeMeans: {
      finance:
        'Registers and changes in your name. What moves money or cannot be undone still asks you first.',
      dunning:
        'Registers and changes in your name. What contacts debtors or cannot be undone still asks you first.',
    },
    less: 'The program asked only to look. Give more only if you want it to change things.',
    never: 'It can never do more than you.',
    where: 'Where',
    all: 'Every workspace I reach',
    organization: 'The whole organization',
    until: 'For how long',
    days: (days: number) => (days === 365 ? '1 year' : `${days} days`),
    later: 'You can end the connection at any time, under Connections.',
    allow: 'Allow',
    deny: 'Do not allow',
    nothing:
      'Your role gives access to nothing here, so there is nothing to allow. Ask whoever manages the organization.',
  },
} as const satisfies Texts;

export interface ConsentFacts {
  readonly locale: Locale;
  readonly person: string;
  readonly organization: string;
  readonly client: {
    readonly name: string;
    readonly host: string;
    readonly isVerified: boolean;
    readonly redirectHost: string;
    readonly isLocal: boolean;
  };
  readonly product: Product;
  /** What the program asked for. */
  readonly access: AccessLevel;
  /** Whether writing may be allowed. */
  readonly mayWrite: boolean;
  /** Those the person reaches (finance); null: the organization (dunning). */
  readonly workspaces: readonly { readonly id: string; readonly name: string }[] | null;
  /** Whether the person has any right in the product. */
  readonly hasRights: boolean;
  readonly formWord: string;
  readonly path: string;
}

/** The whole page. The form has the fields `access`, `workspace`, `days` and `word`, and two buttons `decision`. */
export function consentPage(facts: ConsentFacts): Html {
  const { locale, client, product } = facts;
  const own = text[locale];
  return documentOf({
    locale,
    title: own.title,
    body: html`<h1>${own.title}</h1>
<p class="lead"><strong>${client.name}</strong> ${own.asks} <strong>${own[product]}</strong>.</p>
<p>${own.as} <strong>${facts.person}</strong>, ${facts.organization}.</p>
${whoAsks(facts)}
<form method="post" action="${facts.path}" class="stack">
<input type="hidden" name="word" value="${facts.formWord}">
${facts.hasRights ? choices(facts) : html`<p class="errors" role="alert">${own.nothing}</p>`}
<div class="actions">${facts.hasRights && html`<button name="decision" value="allow" class="primary">${own.allow}</button> `}<button name="decision" value="deny">${own.deny}</button></div>
<p class="hint">${own.later}</p>
</form>`,
  });
}

function whoAsks({ locale, client }: ConsentFacts): Html {
  const own = text[locale];
  return html`<h2>${own.who}</h2>
<dl class="facts">
<div><dt>${own.name}</dt><dd>${client.name}</dd></div>
<div><dt>${own.host}</dt><dd>${client.host}</dd></div>
<div><dt>${own.answer}</dt><dd>${client.redirectHost}</dd></div>
</dl>
<p><span class="${client.isVerified ? 'tag good' : 'tag warn'}">${client.isVerified ? own.verified : own.unverified}</span> ${client.isVerified ? own.vouches : own.claims}</p>
${client.isLocal && html`<p class="warning">${own.local}</p>`}`;
}

function choices(facts: ConsentFacts): Html {
  const own = text[facts.locale];
  const levels = facts.mayWrite ? (['read', 'write'] as const) : (['read'] as const);
  const asksLess = facts.mayWrite && facts.access === 'read';
  return html`<fieldset><legend>${own.access}</legend>
${levels.map((access) => levelChoice(facts, access))}
<p class="hint">${asksLess && html`${own.less} `}${own.never}</p></fieldset>
<div class="field"><label for="workspace">${own.where}</label>
<select id="workspace" name="workspace">${places(facts)}</select></div>
<div class="field"><label for="days">${own.until}</label>
<select id="days" name="days">${DAYS.map((days) => option(String(days), own.days(days), days === DAYS_DEFAULT))}</select></div>`;
}

function levelChoice({ locale, access: asked, product }: ConsentFacts, access: AccessLevel): Html {
  const own = text[locale];
  const means = access === 'read' ? own.readMeans : own.writeMeans[product];
  return html`<div class="check"><input type="radio" id="access-${access}" name="access" value="${access}" aria-describedby="means-${access}"${access === asked && html` checked`}><label for="access-${access}">${own[access]}</label></div>
<p class="hint" id="means-${access}">${means}</p>
`;
}

function places({ locale, workspaces }: ConsentFacts): Html[] {
  const own = text[locale];
  if (workspaces === null) return [option(ALL_WORKSPACES, own.organization, true)];
  const single = workspaces.map(({ id, name }, index) => option(id, name, index === 0));
  return workspaces.length === 1 ? single : [...single, option(ALL_WORKSPACES, own.all, false)];
}

function option(value: string, label: string, isChosen: boolean): Html {
  return html`<option value="${value}"${isChosen && html` selected`}>${label}</option>`;
}
