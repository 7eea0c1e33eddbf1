/** What a person reads before a title is to be protested, or a protest is decided on or called off. */

import { onDate, ours, outside, type Words } from '../../core/facts.ts';
import { formatBrl } from '../../core/money.ts';
import type { Fact } from '../../core/operation.ts';
import { type ChargeRow, chargeFacts } from '../charges/index.ts';
import type { Setting } from '../legal/index.ts';
import type { ProofDocument } from './document.ts';
import type { ProtestRow } from './resource.ts';

/** A protest to be asked for. */
export function requestFacts(
  { charge, amounts }: Setting,
  titleKind: string,
  document: ProofDocument | null,
): Fact[] {
  return [
    ...chargeFacts(charge, amounts),
    ours('title_kind', 'Espécie do título', 'Kind of title', titleKind),
    ours('protested_amount', 'Valor a protestar', 'Amount to protest', formatBrl(amounts.amountDue)),
    documentFact(document?.name ?? null),
    ours('effect', 'Efeito', 'Effect', {
      'pt-BR': 'fica pendente até que outra pessoa aprove; nada é enviado agora',
      en: 'stays pending until another person approves it; nothing is sent now',
    }),
  ];
}

/** A pending protest to be decided on. */
export function decisionFacts(
  row: ProtestRow,
  { charge, amounts }: Setting,
  decision: 'approved' | 'rejected',
): Fact[] {
  const effects: Readonly<Record<typeof decision, Words>> = {
    approved: {
      'pt-BR': 'o título é enviado ao cartório; o devedor é intimado e, sem pagamento, protestado',
      en: 'the title goes to the notary office; the debtor is notified and, without payment, protested',
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
    ...titleFacts(row),
    documentFact(row.document_name),
    ours('effect', 'Efeito', 'Effect', effects[decision]),
  ];
}

const statusWords: Readonly<Record<string, Words>> = {
  pending: { 'pt-BR': 'aguardando aprovação', en: 'waiting for approval' },
  approved: { 'pt-BR': 'aprovado', en: 'approved' },
  sent: { 'pt-BR': 'enviado ao cartório', en: 'sent to the notary office' },
  protocoled: { 'pt-BR': 'protocolado', en: 'with a protocol' },
  notified: { 'pt-BR': 'devedor intimado', en: 'debtor notified' },
  suspended: { 'pt-BR': 'suspenso', en: 'suspended' },
  protested: { 'pt-BR': 'protestado', en: 'protested' },
};

const chargeWords: Readonly<Record<string, Words>> = {
  pending: { 'pt-BR': 'a vencer', en: 'not due yet' },
  overdue: { 'pt-BR': 'vencida', en: 'overdue' },
  in_agreement: { 'pt-BR': 'em acordo', en: 'in an agreement' },
  paid: { 'pt-BR': 'paga', en: 'paid' },
  canceled: { 'pt-BR': 'cancelada', en: 'canceled' },
};

/** A protest to be called off. */
export function cancelFacts(row: ProtestRow, charge: ChargeRow): Fact[] {
  return [
    outside('debtor', 'Devedor', 'Debtor', row.person_name),
    onDate('due_date', 'Vencimento da dívida', 'Due date of the debt', row.debt_due_date),
    ...titleFacts(row),
    ours('status', 'Situação', 'Status', statusWords[row.status] ?? row.status),
    ours(
      'charge_status',
      'Situação da cobrança',
      'Status of the charge',
      chargeWords[charge.status] ?? charge.status,
    ),
    ours('effect', 'Efeito', 'Effect', cancelEffectOf(row)),
  ];
}

function cancelEffectOf({ status }: ProtestRow): Words {
  if (status === 'pending' || status === 'approved') {
    return {
      'pt-BR': 'termina sem ir ao cartório; se já foi enviado, pede a retirada',
      en: 'ends without going to the notary office; withdrawal is asked for if it has left',
    };
  }
  if (status === 'protested') {
    return {
      'pt-BR': 'dá a anuência para o cancelamento do protesto; o devedor paga as custas',
      en: 'consents to the cancellation of the protest; the debtor pays the costs',
    };
  }
  return {
    'pt-BR': 'pede a retirada do título ao cartório, que pode ter custas para o credor',
    en: 'asks the notary office to return the title, which may have costs for the creditor',
  };
}

function titleFacts(row: ProtestRow): Fact[] {
  return [
    ours('title_kind', 'Espécie do título', 'Kind of title', row.title_kind),
    ours('protested_amount', 'Valor do título', 'Amount of the title', formatBrl(row.amount_cents)),
  ];
}

function documentFact(name: string | null): Fact {
  return name === null
    ? ours('document', 'Documento', 'Document', { 'pt-BR': 'nenhum', en: 'none' })
    : outside('document', 'Documento', 'Document', name);
}
