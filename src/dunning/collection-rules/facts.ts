/** Lines of the questions about rules and their steps. */

import { ours, outside } from '../../core/facts.ts';
import type { Context, Fact } from '../../core/operation.ts';
import { requireTemplate } from '../templates/index.ts';
import { countsOf } from './counts.ts';
import type { RuleRow, StepRow } from './queries.ts';
import type { StepAction, StepChannel } from './schema.ts';

export const actionWords = {
  message: { 'pt-BR': 'mensagem', en: 'message' },
  task: { 'pt-BR': 'tarefa', en: 'task' },
  suggest_negativation: { 'pt-BR': 'sugestão de negativação', en: 'suggestion of a credit-bureau report' },
  suggest_protest: { 'pt-BR': 'sugestão de protesto', en: 'suggestion of a protest' },
} as const satisfies Record<StepAction, object>;

export const channelWords = {
  email: { 'pt-BR': 'e-mail', en: 'e-mail' },
  sms: { 'pt-BR': 'SMS', en: 'SMS' },
  whatsapp: { 'pt-BR': 'WhatsApp', en: 'WhatsApp' },
  letter: { 'pt-BR': 'carta', en: 'letter' },
  phone: { 'pt-BR': 'telefone', en: 'phone' },
} as const satisfies Record<StepChannel, object>;

/** Which rule it is. */
export function ruleFacts(row: Pick<RuleRow, 'name'>): Fact[] {
  return [outside('rule', 'Régua', 'Rule', row.name)];
}

/** What archiving a rule stops. */
export async function archivingFacts(context: Context, row: RuleRow): Promise<Fact[]> {
  const counts = (await countsOf(context, [row], null)).get(row.id)!;
  return [
    ours(
      'charges',
      'Cobranças que deixam de ser cobradas',
      'Charges that stop being dunned',
      String(counts.charges),
    ),
    ours('steps', 'Etapas', 'Steps', String(counts.steps)),
    ours(
      'is_default',
      'Régua padrão',
      'Default rule',
      row.is_default
        ? { 'pt-BR': 'sim, deixa de ser', en: 'yes, it no longer is' }
        : { 'pt-BR': 'não', en: 'no' },
    ),
  ];
}

/** Which step it is. */
export async function stepFacts(context: Context, row: StepRow): Promise<Fact[]> {
  const action = actionWords[row.action as StepAction];
  const channel = row.channel === null ? null : channelWords[row.channel as StepChannel];
  const template = row.template_id === null ? null : await requireTemplate(context, row.template_id);
  return [
    ours('moment', 'Quando', 'When', momentWords(row)),
    ours('action', 'O que faz', 'What it does', action),
    ...(channel === null ? [] : [ours('channel', 'Canal', 'Channel', channel)]),
    ...(template === null ? [] : [outside('template', 'Modelo', 'Template', template.name)]),
  ];
}

function momentWords(row: Pick<StepRow, 'offset_days' | 'day_kind' | 'time_of_day'>) {
  const { offset_days: offset } = row;
  const days = Math.abs(offset);
  const time = row.time_of_day.slice(0, 5);
  const isBusiness = row.day_kind === 'business';
  if (offset === 0) return { 'pt-BR': `no vencimento, às ${time}`, en: `on the due date, at ${time}` };
  const kind = {
    'pt-BR': `${days} ${isBusiness ? (days === 1 ? 'dia útil' : 'dias úteis') : days === 1 ? 'dia' : 'dias'}`,
    en: `${days} ${isBusiness ? 'business ' : ''}${days === 1 ? 'day' : 'days'}`,
  };
  return {
    'pt-BR': `${kind['pt-BR']} ${offset < 0 ? 'antes do' : 'depois do'} vencimento, às ${time}`,
    en: `${kind.en} ${offset < 0 ? 'before' : 'after'} the due date, at ${time}`,
  };
}
