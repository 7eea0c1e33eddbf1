/** Lines of the question about putting charges under a rule. */

import type { CivilDate } from '../../core/dates.ts';
import { formatDateBr } from '../../core/dates.ts';
import { digestOf } from '../../core/digest.ts';
import { fail } from '../../core/errors.ts';
import { onDate, ours, outside, type Words } from '../../core/facts.ts';
import { formatBrl } from '../../core/money.ts';
import type { Context, Fact } from '../../core/operation.ts';
import { type ChargeRow, findCharges } from '../charges/index.ts';
import { type BlockCode, clearancesOf, countBlocks } from '../contact-gate/index.ts';
import { type Assignment, firstStepsOf, isAssignable } from './assigning.ts';
import { actionWords, channelWords } from './facts.ts';
import type { SimulatedStep } from './simulation.ts';
import { plannedChargesOf } from './subject.ts';

const DAYS_SHOWN = 5;
const DIGEST_SHOWN = 12;

const blockWords = {
  archived: { 'pt-BR': 'devedor arquivado', en: 'debtor archived' },
  deceased: { 'pt-BR': 'devedor falecido', en: 'debtor deceased' },
  do_not_contact: { 'pt-BR': 'não contatar', en: 'do not contact' },
  paid: { 'pt-BR': 'paga', en: 'paid' },
  canceled: { 'pt-BR': 'cancelada', en: 'canceled' },
  in_agreement: { 'pt-BR': 'em acordo', en: 'in agreement' },
  disputed: { 'pt-BR': 'em disputa', en: 'disputed' },
  promise: { 'pt-BR': 'promessa de pagamento', en: 'promise to pay' },
  legal_hold: { 'pt-BR': 'medida legal', en: 'legal action' },
  paused: { 'pt-BR': 'pausada', en: 'paused' },
  not_late_yet: { 'pt-BR': 'ainda não vencida', en: 'not late yet' },
  channel_off: { 'pt-BR': 'canal desligado', en: 'channel off' },
  opted_out: { 'pt-BR': 'recusou o canal', en: 'opted out' },
  wrong_person: { 'pt-BR': 'contato de outra pessoa', en: 'contact of someone else' },
  no_contact: { 'pt-BR': 'sem contato', en: 'no contact' },
  window_closed: { 'pt-BR': 'fora do horário', en: 'outside hours' },
  daily_cap: { 'pt-BR': 'limite diário', en: 'daily cap' },
} as const satisfies Record<BlockCode, Words>;

/** What is assigned, to which charges, what comes first and when, and what stands against it now. */
export async function assigningFacts(
  context: Context,
  ids: readonly string[],
  assignment: Assignment,
): Promise<Fact[]> {
  const rows = await findCharges(context, ids);
  if (rows.length === 0) fail('not_found', { kind: 'charge', id: ids[0] });
  const { rule } = assignment;
  const charges = await plannedChargesOf(context, rows);
  const assignable = rows.filter((row) => isAssignable(row, charges.get(row.id)!, assignment));
  const refused = ids.length - assignable.length;
  const firsts = await firstStepsOf(context, assignable, assignment);
  const openCents = assignable.reduce((sum, { open_cents }) => sum + open_cents, 0);
  return [
    rule === null
      ? ours('rule', 'Régua', 'Rule', {
          'pt-BR': 'nenhuma: saem da régua',
          en: 'none: they leave their rule',
        })
      : outside('rule', 'Régua', 'Rule', rule.name),
    ours('charges', 'Cobranças', 'Charges', String(assignable.length)),
    ours('open', 'Principal em aberto', 'Open principal', formatBrl(openCents)),
    // The ids that a filter found: another set of charges is another question.
    ours('selection', 'Seleção', 'Selection', digestOf([...ids].sort()).slice(0, DIGEST_SHOWN)),
    ...(refused === 0
      ? []
      : [ours('refused', 'Não podem entrar na régua', 'Cannot come under the rule', String(refused))]),
    ...(rule === null ? [] : await stepFacts(context, assignable, firsts)),
  ];
}

async function stepFacts(
  context: Context,
  rows: readonly ChargeRow[],
  firsts: ReadonlyMap<string, SimulatedStep>,
): Promise<Fact[]> {
  const byDay = [...Map.groupBy(firsts.values(), ({ date }) => date!)].sort(([left], [right]) =>
    left < right ? -1 : 1,
  );
  const [earliest] = byDay;
  const without = rows.length - firsts.size;
  return [
    ...(earliest === undefined
      ? []
      : [
          onDate('first_day', 'Primeira etapa em', 'First step on', earliest[0]),
          ours('first_step', 'Primeira etapa', 'First step', stepWords(earliest[1])),
          ours('days', 'Primeira etapa por dia', 'First step by day', dayWords(byDay)),
        ]),
    ...(without === 0
      ? []
      : [ours('without', 'Sem etapa por vir', 'Without a step to come', String(without))]),
    ours('blocked', 'Bloqueadas agora', 'Blocked now', await blockedWords(context, rows, firsts)),
  ];
}

/** What the earliest steps are, when all are alike. */
function stepWords(steps: readonly SimulatedStep[]): Words {
  const kinds = new Map(
    steps.map(({ step: { action, channel } }) => [`${action}/${channel}`, { action, channel }] as const),
  );
  const words = [...kinds.values()].map(({ action, channel }) => ({
    'pt-BR':
      channel === null
        ? actionWords[action]['pt-BR']
        : `${actionWords[action]['pt-BR']} (${channelWords[channel]['pt-BR']})`,
    en: channel === null ? actionWords[action].en : `${actionWords[action].en} (${channelWords[channel].en})`,
  }));
  return {
    'pt-BR': words.map((word) => word['pt-BR']).join(', '),
    en: words.map((word) => word.en).join(', '),
  };
}

function dayWords(days: readonly (readonly [CivilDate, readonly unknown[]])[]): Words {
  const shown = days.slice(0, DAYS_SHOWN);
  const rest = days.slice(DAYS_SHOWN).reduce((sum, [, steps]) => sum + steps.length, 0);
  const portuguese = shown.map(([day, { length }]) => `${length} em ${formatDateBr(day)}`);
  const english = shown.map(([day, { length }]) => `${length} on ${day}`);
  if (rest > 0) {
    portuguese.push(`${rest} depois`);
    english.push(`${rest} later`);
  }
  return { 'pt-BR': portuguese.join('; '), en: english.join('; ') };
}

async function blockedWords(
  context: Context,
  rows: readonly ChargeRow[],
  firsts: ReadonlyMap<string, SimulatedStep>,
): Promise<string | Words> {
  const clearances = await clearancesOf(
    context,
    rows.map((row) => {
      const step = firsts.get(row.id)?.step;
      return {
        personId: row.person_id,
        chargeId: row.id,
        channel: step?.channel ?? null,
        purpose: step?.action === 'message' ? ('message' as const) : ('task' as const),
      };
    }),
  );
  const counts = Object.entries(countBlocks(clearances)) as [BlockCode, number][];
  // Hours and caps only move a message.
  const lasting = counts.filter(([code]) => code !== 'window_closed' && code !== 'daily_cap');
  if (lasting.length === 0) return { 'pt-BR': 'nenhuma', en: 'none' };
  const inWords = (locale: keyof Words) =>
    lasting.map(([code, count]) => `${count} (${blockWords[code][locale]})`).join(', ');
  return { 'pt-BR': inWords('pt-BR'), en: inWords('en') };
}
