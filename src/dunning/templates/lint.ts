/**
 * What may not be said to a debtor (CDC art. 42: no ridicule, constraint or threat), and what may not stand where others
 * read it: a subject shows on a locked screen and tells nothing of a debt.
 */

import { cleanOutsideText, plainLetters } from '../../core/text.ts';
import type { TemplateChannel } from './schema.ts';
import { variablesIn } from './variables.ts';

export type FindingCode =
  | 'threat'
  | 'ridicule'
  | 'exposure'
  | 'violence'
  | 'debt_in_subject'
  | 'pressure'
  | 'legal_measure';

export interface Finding {
  readonly code: FindingCode;
  readonly field: 'subject' | 'body';
  /** The words it is about, in small letters without accents. */
  readonly words: string;
  /** Refused texts are never stored nor sent; the others are pointed out. */
  readonly isRefused: boolean;
}

export interface LintedText {
  readonly channel: TemplateChannel;
  readonly subject: string | null;
  readonly body: string;
}

const TEXT_MAX = 20_000;
const WORDS_SHOWN_MAX = 60;
const FINDINGS_MAX = 10;

interface Rule {
  readonly code: FindingCode;
  readonly isRefused: boolean;
  readonly form: RegExp;
}

/** Words that begin at the start of a word; every form is matched against plain small letters on one line. */
const words = (...forms: string[]) => new RegExp(`(?<![a-z0-9])(?:${forms.join('|')})(?![a-z0-9])`, 'g');

const outsiders =
  '(?:chefe|patrao|empregador|vizinh[oa]s?|parentes|familia|familiares|colegas|amigos|conhecidos|local de trabalho)';

const refusedAnywhere: readonly Rule[] = [
  {
    code: 'threat',
    isRefused: true,
    form: words(
      'pris(?:ao|oes)',
      'pres[oa]s?',
      'cadeia',
      'polici(?:a|al|ais)',
      'delegacia',
      'boletim de ocorrencia',
      'crime',
      'criminos[oa]s?',
      'criminal(?:mente)?',
      'estelionat(?:o|ario|aria)',
      'mandado',
      'oficial de justica',
      'penhora(?:r|da|do|mento)?',
      'bloque(?:io|ar|ada|ado) (?:\\w+ ){0,3}(?:contas?|bens|salario|cpf|cnpj|beneficio)',
      'busca e apreensao',
      'apreen(?:sao|der)',
      'confisc\\w{0,8}',
      'sequestro de bens',
      'arresto',
      'perder (?:\\w+ ){0,3}(?:casa|carro|bens|imovel|emprego)',
      'police',
      'prison',
      'jail(?:ed)?',
      'arrest(?:ed)?',
      'criminal charges?',
      'bailiffs?',
      'seiz(?:e|ed|ure|ing)',
      'garnish(?:ed|ment)?',
      'warrant',
    ),
  },
  {
    code: 'ridicule',
    isRefused: true,
    form: words(
      'caloteir[oa]s?',
      'calote',
      'ma[ul](?:s)? pagador(?:a|es)?',
      'nome suj[oa]',
      'suj(?:ar|aremos|amos|e) (?:\\w+ ){0,2}nome',
      'vergonh(?:a|os[oa])',
      'sem[- ]vergonha',
      'golpista',
      'ladra(?:o|oes)?',
      'vagabund[oa]',
      'irresponsave(?:l|is)',
      'desonest[oa]s?',
      'picaret(?:a|agem)',
      'deadbeat',
      'thief',
      'thieves',
      'swindlers?',
      'asham(?:ed|ing)',
      'shame(?:ful|less)?',
      'dishonest',
    ),
  },
  {
    code: 'exposure',
    isRefused: true,
    form: words(
      `(?:avis|inform|comunic|contat|procur|lig|fal)(?:ar|aremos|amos|ando) (?:\\w+ ){0,4}${outsiders}`,
      'todos (?:vao )?saber(?:ao)?',
      'expo(?:r|sto|sta|remos|sicao) (?:\\w+ ){0,3}(?:nome|divida|situacao|publico|publicamente)',
      'public(?:ar|aremos) (?:\\w+ ){0,3}(?:nome|divida)',
      'divulg(?:ar|aremos|ado|ada) (?:\\w+ ){0,3}(?:nome|divida|debito|situacao)',
      'redes sociais',
      '(?:tell|inform|contact|call|notify) your (?:\\w+ ){0,2}(?:employer|boss|family|relatives|friends|neighbou?rs|coworkers)',
      'everyone will know',
      'publish your name',
      'expose you',
      'social media',
    ),
  },
  {
    code: 'violence',
    isRefused: true,
    form: words(
      'sabemos onde (?:voce |o senhor |a senhora )?(?:mora|trabalha|vive)',
      '(?:vamos|iremos) (?:atras de|ate) (?:voce|sua casa)',
      'v(?:ai|oce vai) se arrepender',
      'vai se dar mal',
      'bater na (?:sua )?porta',
      'we know where you (?:live|work)',
      'you will regret',
      'coming (?:for|after) you',
    ),
  },
];

const debtInSubject: Rule = {
  code: 'debt_in_subject',
  isRefused: true,
  form: words(
    'divida?s?',
    'debitos?',
    'devedor(?:a|es)?',
    'devendo',
    'inadimplen(?:te|tes|cia)',
    'atras(?:o|os|ad[oa]s?)',
    'vencid[oa]s?',
    'em aberto',
    'pendencias?',
    'pendentes?',
    'cobranca',
    'negativ(?:acao|ad[oa])',
    'protest(?:o|ad[oa])',
    'serasa',
    'spc',
    'debts?',
    'debtor',
    'overdue',
    'past due',
    'unpaid',
    'owed?',
    'owing',
    'late payment',
    'collections?',
    'outstanding',
    'r\\$ ?\\d[\\d.,]{0,20}',
    '\\d[\\d.]{0,20},\\d\\d',
  ),
};

const pointedOut: readonly Rule[] = [
  {
    code: 'legal_measure',
    isRefused: false,
    form: words(
      'negativ(?:ar|acao|ad[oa])',
      'protest(?:o|ar|ad[oa])',
      'serasa',
      'spc',
      'orgaos? de protecao ao credito',
      'cartorio',
      '(?:acao|acoes|medidas?|cobranca|vias?) judicia(?:l|is)',
      'processo judicial',
      'ajuiza(?:r|mento)',
      'execucao',
      'intimacao',
      'lawsuits?',
      'legal (?:action|measures|proceedings)',
      'credit bureaus?',
      'court',
    ),
  },
  {
    code: 'pressure',
    isRefused: false,
    form: words(
      'ultim[oa] (?:aviso|chance|oportunidade|notificacao)',
      'imediatamente',
      'urgente',
      'sob pena',
      'consequencias',
      'sancoes',
      'final (?:notice|warning)',
      'last chance',
      'immediately',
      'urgent',
      'consequences',
      'or else',
    ),
  },
];

/** What there is against a text, refused first; at most ten findings. */
export function findingsIn({ subject, body }: LintedText): Finding[] {
  const found: Finding[] = [];
  const fields = [
    ['subject', subject ?? ''],
    ['body', body],
  ] as const;
  for (const [field, text] of fields) found.push(...matchesOf(refusedAnywhere, field, text));
  if (subject !== null) found.push(...debtDetailsIn(subject));
  for (const [field, text] of fields) found.push(...matchesOf(pointedOut, field, text));
  return found.slice(0, FINDINGS_MAX);
}

function debtDetailsIn(subject: string): Finding[] {
  const named = variablesIn(subject).filter(({ isDebtDetail }) => isDebtDetail);
  return [
    ...named.map(({ name }) => ({
      code: debtInSubject.code,
      field: 'subject' as const,
      words: name,
      isRefused: true,
    })),
    ...matchesOf([debtInSubject], 'subject', subject),
  ];
}

function matchesOf(rules: readonly Rule[], field: Finding['field'], text: string): Finding[] {
  const read = readable(text);
  return rules.flatMap(({ code, isRefused, form }) => {
    const found = new Set([...read.matchAll(form)].map(([match]) => match.slice(0, WORDS_SHOWN_MAX)));
    return [...found].map((said) => ({ code, field, words: said, isRefused }));
  });
}

/** Small plain letters on one line, whatever alphabet look-alikes, invisible characters or breaks are in between. */
function readable(text: string): string {
  const clean = cleanOutsideText(text.normalize('NFKC').replace(/\{\{[^{}]*\}\}/g, ' '), TEXT_MAX);
  return plainLetters(clean)
    .replace(/[*_~`"'’]/g, '')
    .replace(/\s+/g, ' ');
}
