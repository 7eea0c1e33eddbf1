/** The text of a question: plain, complete, one fact a line, every value from outside quoted (PROTOCOL C-13, CF-08, CF-09). */

import type { Locale } from '../core/caller.ts';
import { isSecretArgument, type QuestionNotes, type Subject } from '../core/confirmations.ts';
import { formatBrl, formatMoney } from '../core/money.ts';
import type { Fact } from '../core/operation.ts';
import { quoteForQuestion } from '../core/text.ts';
import { OTHER_FACTS } from './state.ts';

const words = {
  'pt-BR': {
    organization: 'Organização',
    workspace: 'Workspace',
    arguments: 'Argumentos',
    record: 'O que o registro diz agora',
    changed: '(mudou desde a pergunta anterior)',
    expired: 'A confirmação anterior expirou.',
    changedFacts: 'Algo mudou desde a pergunta anterior:',
    others: 'um ou mais dos itens listados depois',
    recent: (minutes: number) => `Atenção: esta mesma ação já foi confirmada há ${minutes} min.`,
    requestedBy: (name: string, client: string) => `Pedido por ${name}, por meio de ${client}.`,
    ownClients: { 'personal-access-token': 'um token pessoal', console: 'o console' },
    secondPerson: 'A partir deste valor, uma segunda pessoa também terá de aprovar no console.',
    validity: 'Vale por 5 minutos, uma única vez.',
  },
  en: {
    organization: 'Organization',
    workspace: 'Workspace',
    arguments: 'Arguments',
    record: 'What the record says now',
    changed: '(changed since the question before)',
    expired: 'The previous confirmation expired.',
    changedFacts: 'Something changed since the question before:',
    others: 'one or more of the items listed last',
    recent: (minutes: number) => `Note: this same action was already confirmed ${minutes} min ago.`,
    requestedBy: (name: string, client: string) => `Asked for by ${name}, through ${client}.`,
    ownClients: { 'personal-access-token': 'a personal token', console: 'the console' },
    secondPerson: 'From this amount on, a second person will have to approve it in the console too.',
    validity: 'Valid for 5 minutes, once.',
  },
} as const;

/** A client id may be the address of a document. */
const CLIENT_MAX = 200;

/** The whole question in the person's language. */
export function questionText(
  { operation, caller, place, input }: Subject,
  facts: readonly Fact[],
  notes: QuestionNotes,
): string {
  const { locale } = caller.user;
  const word = words[locale];
  const title = locale === 'pt-BR' ? (operation.titlePortuguese ?? operation.title) : operation.title;
  const lines = [`${title} (${operation.name})`];
  const { requestedBy } = notes;
  if (requestedBy !== undefined) {
    lines.push(word.requestedBy(quoteForQuestion(requestedBy.name), clientText(requestedBy, locale)));
  }
  if (notes.expired === true) lines.push(word.expired);
  if (notes.recent !== undefined && notes.recent !== null) lines.push(word.recent(notes.recent));
  const changed = new Set(notes.changed);
  if (changed.size > 0) lines.push(word.changedFacts, ...changedLines(facts, changed, locale));
  lines.push(`${word.organization}: ${quoteForQuestion(caller.organization.name)}`);
  if (place.workspaceName !== null) lines.push(`${word.workspace}: ${quoteForQuestion(place.workspaceName)}`);
  for (const [name, value] of Object.entries(input)) lines.push(argumentLine(name, value));
  if (facts.length > 0) lines.push(`${word.record}:`);
  for (const fact of facts) {
    lines.push(`- ${factText(fact, locale)}${changed.has(fact.key) ? ` ${word.changed}` : ''}`);
  }
  if (notes.needsSecondPerson === true) lines.push(word.secondPerson);
  if (notes.isForRecord !== true) lines.push(word.validity);
  return lines.join('\n');
}

/** A client by the name it gave itself, quoted; what it has no name in has words of ours, without quotes. */
function clientText(
  { clientId, clientName }: NonNullable<QuestionNotes['requestedBy']>,
  locale: Locale,
): string {
  if (clientName !== null) return quoteForQuestion(clientName, CLIENT_MAX);
  const own: Readonly<Record<string, string>> = words[locale].ownClients;
  return Object.hasOwn(own, clientId) ? own[clientId]! : quoteForQuestion(clientId, CLIENT_MAX);
}

function changedLines(facts: readonly Fact[], changed: ReadonlySet<string>, locale: Locale): string[] {
  const shown = facts.filter((fact) => changed.has(fact.key)).map((fact) => `- ${factText(fact, locale)}`);
  const known = new Set(facts.map((fact) => fact.key));
  const gone = [...changed]
    .filter((key) => !known.has(key))
    .map((key) => (key === OTHER_FACTS ? `- ${words[locale].others}` : `- ${key}: -`));
  return [...shown, ...gone];
}

function factText(fact: Fact, locale: Locale): string {
  const value = typeof fact.value === 'string' ? fact.value : fact.value[locale];
  return `${fact.label[locale]}: ${fact.origin === 'outside' ? quoteForQuestion(value) : value}`;
}

/** Arguments as they will be executed; amounts also as people read them. */
function argumentLine(name: string, value: unknown): string {
  if (isSecretArgument(name)) return `${name} = ••••`;
  if (typeof value === 'number' && /amount|total|balance/.test(name))
    return `${name} = ${formatMoney(value)} (${formatBrl(value)})`;
  return `${name} = ${typeof value === 'string' ? quoteForQuestion(value) : listText(value)}`;
}

/** Lists and objects in JSON form; every text in them is escaped on its own, so none is cut unseen. */
function listText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(listText).join(', ')}]`;
  if (typeof value === 'string') return quoteForQuestion(value);
  if (typeof value === 'object' && value !== null) {
    const parts = Object.entries(value).map(([key, item]) => `${quoteForQuestion(key)}: ${listText(item)}`);
    return `{${parts.join(', ')}}`;
  }
  return String(value);
}
