/** What a person reads before a discount campaign starts or ends. */

import { formatDateBr } from '../../core/dates.ts';
import { moves, ours, outside, type Words } from '../../core/facts.ts';
import { formatBrl, formatPercent } from '../../core/money.ts';
import type { Fact } from '../../core/operation.ts';
import type { Reach } from './reach.ts';
import type { Conditions, Tier } from './rules.ts';

interface Subject {
  readonly name: string;
  readonly starts_on: string;
  readonly ends_on: string;
  readonly conditions: Conditions;
  readonly tiers: readonly Tier[];
}

const baseWords = {
  charges: { 'pt-BR': 'de multa e juros', en: 'of fine and interest' },
  principal: { 'pt-BR': 'do principal', en: 'of the principal' },
} as const;

/** A campaign to be started, and what it could cost today: figures that payments move while the person reads. */
export function startFacts(campaign: Subject, reach: Reach): Fact[] {
  return [
    ...subjectFacts(campaign),
    moving(ours('reach', 'Alcança hoje', 'Reaches today', reachWords(reach))),
    moving(
      moves(
        'cost',
        'Desconto máximo sobre o que alcança hoje',
        'Most it can take off what it reaches today',
        Math.max(0, ...reach.options.map(({ discountCents }) => discountCents)),
      ),
    ),
    ours('effect', 'Efeito', 'Effect', {
      'pt-BR': 'acordos podem dar este desconto no período; nada é enviado a devedores',
      en: 'agreements may give this discount in the period; nothing is sent to debtors',
    }),
  ];
}

/** A campaign to be ended; the counts are of its agreements. */
export function endFacts(campaign: Subject, results: { proposed: number; live: number }): Fact[] {
  return [
    ...subjectFacts(campaign),
    ours(
      'live',
      'Acordos vigentes, que mantêm o desconto',
      'Live agreements, which keep it',
      String(results.live),
    ),
    ours('proposed', 'Propostas ainda não aceitas', 'Proposals not accepted yet', {
      'pt-BR': `${results.proposed}; só as já enviadas ao devedor ainda podem ser aceitas`,
      en: `${results.proposed}; only those sent to the debtor may still be accepted`,
    }),
  ];
}

const moving = (fact: Fact): Fact => ({ ...fact, bound: false });

function subjectFacts({ name, starts_on: from, ends_on: to, conditions, tiers }: Subject): Fact[] {
  return [
    outside('name', 'Campanha', 'Campaign', name),
    ours('period', 'Período', 'Period', {
      'pt-BR': `de ${formatDateBr(from)} a ${formatDateBr(to)}`,
      en: `${from} to ${to}`,
    }),
    ...conditionFacts(conditions),
    ...tiers.map((tier, index) =>
      ours(`tier_${index + 1}`, `Faixa ${index + 1}`, `Tier ${index + 1}`, tierWords(tier)),
    ),
  ];
}

/** Whom it is for, as it goes on being for them when other charges become late. */
function conditionFacts(conditions: Conditions): Fact[] {
  const { amount_min_cents: min, amount_max_cents: max, tags } = conditions;
  return [
    ours('days_overdue', 'Dias de atraso', 'Days overdue', delayWords(conditions)),
    ...(min === null ? [] : [ours('amount_min', 'Principal a partir de', 'Principal from', formatBrl(min))]),
    ...(max === null ? [] : [ours('amount_max', 'Principal até', 'Principal up to', formatBrl(max))]),
    ...(tags.length === 0
      ? []
      : [outside('tags', 'Com uma das etiquetas', 'With one of the tags', tags.join(', '))]),
  ];
}

function delayWords({ days_overdue_from: from, days_overdue_to: to }: Conditions): Words {
  return to === null
    ? { 'pt-BR': `${from} ou mais`, en: `${from} or more` }
    : { 'pt-BR': `de ${from} a ${to}`, en: `${from} to ${to}` };
}

function reachWords({ charges, people, principalCents }: Reach): Words {
  const principal = formatBrl(principalCents);
  const isOne = { charges: charges === 1, people: people === 1 };
  return {
    'pt-BR': `${charges} ${isOne.charges ? 'cobrança' : 'cobranças'} de ${people} ${isOne.people ? 'devedor' : 'devedores'}, principal de ${principal}`,
    en: `${charges} ${isOne.charges ? 'charge' : 'charges'} of ${people} ${isOne.people ? 'debtor' : 'debtors'}, principal of ${principal}`,
  };
}

function tierWords({ installments_up_to: count, discount_percent: percent, applies_to: base }: Tier): Words {
  return {
    'pt-BR': `até ${formatPercent(percent).replace('.', ',')}% ${baseWords[base]['pt-BR']}, em até ${count} ${count === 1 ? 'parcela' : 'parcelas'}`,
    en: `up to ${formatPercent(percent)}% ${baseWords[base].en}, in up to ${count} ${count === 1 ? 'installment' : 'installments'}`,
  };
}
