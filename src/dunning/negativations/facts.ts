/** What a person reads before a debt is reported, or a report is decided on or called off. */

import { onDate, ours, outside, type Words } from '../../core/facts.ts';
import { formatBrl } from '../../core/money.ts';
import type { Fact } from '../../core/operation.ts';
import { chargeFacts } from '../charges/index.ts';
import { priorNoticeDays } from '../contact-law/index.ts';
import type { Setting } from '../legal/index.ts';
import type { NegativationRow } from './resource.ts';
import type { BureauName } from './schema.ts';

const bureauNames = { serasa: 'Serasa', spc: 'SPC', quod: 'Quod', boavista: 'Boa Vista' } as const;

export function bureauName(bureau: BureauName): string {
  return bureauNames[bureau];
}

/** A report to be asked for. */
export function requestFacts({ charge, amounts }: Setting, bureau: BureauName): Fact[] {
  return [
    ...chargeFacts(charge, amounts),
    ours('bureau', 'Birô de crédito', 'Credit bureau', bureauName(bureau)),
    ours('reported_amount', 'Valor a negativar', 'Amount to report', formatBrl(amounts.amountDue)),
    ours('effect', 'Efeito', 'Effect', {
      'pt-BR': 'fica pendente até que outra pessoa aprove; nada é enviado agora',
      en: 'stays pending until another person approves it; nothing is sent now',
    }),
  ];
}

/** A pending report to be decided on. */
export function decisionFacts(
  row: NegativationRow,
  { charge, amounts, person, settings }: Setting,
  decision: 'approved' | 'rejected',
): Fact[] {
  const days = priorNoticeDays(person.state, settings.legal.priorNoticeDays);
  const effects: Readonly<Record<typeof decision, Words>> = {
    approved: {
      'pt-BR': `o devedor recebe a notificação prévia; ${days} dias depois da entrega, a dívida é registrada no birô`,
      en: `the debtor gets the prior notice; ${days} days after its delivery the bureau registers the debt`,
    },
    rejected: { 'pt-BR': 'nada é enviado; o pedido termina', en: 'nothing is sent; the request ends' },
  };
  return [
    ours(
      'decision',
      'Decisão',
      'Decision',
      decision === 'approved' ? { 'pt-BR': 'aprovar', en: 'approve' } : { 'pt-BR': 'recusar', en: 'reject' },
    ),
    ...chargeFacts(charge, amounts),
    ...reportFacts(row),
    ours('effect', 'Efeito', 'Effect', effects[decision]),
  ];
}

const statusWords: Readonly<Record<string, Words>> = {
  pending: { 'pt-BR': 'aguardando aprovação', en: 'waiting for approval' },
  approved: { 'pt-BR': 'aprovada', en: 'approved' },
  notice_sent: { 'pt-BR': 'devedor notificado', en: 'debtor notified' },
  registered: { 'pt-BR': 'registrada no birô', en: 'shown by the bureau' },
};

/** A report to be called off. */
export function cancelFacts(row: NegativationRow): Fact[] {
  const isShown = row.status === 'registered';
  return [
    outside('debtor', 'Devedor', 'Debtor', row.person_name),
    onDate('due_date', 'Vencimento da dívida', 'Due date of the debt', row.debt_due_date),
    ...reportFacts(row),
    ours('status', 'Situação', 'Status', statusWords[row.status] ?? row.status),
    ours(
      'effect',
      'Efeito',
      'Effect',
      isShown
        ? { 'pt-BR': 'pede a retirada ao birô', en: 'asks the bureau to remove it' }
        : {
            'pt-BR': 'termina antes do registro; se o birô já o recebeu, pede a retirada',
            en: 'ends before the registration; removal is asked for if the bureau has it already',
          },
    ),
  ];
}

function reportFacts(row: NegativationRow): Fact[] {
  return [
    ours('bureau', 'Birô de crédito', 'Credit bureau', bureauName(row.bureau)),
    ours('reported_amount', 'Valor negativado', 'Amount reported', formatBrl(row.amount_cents)),
  ];
}
