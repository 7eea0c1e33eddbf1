/** Words and shapes that the pages of approvals share. */

import type { Locale } from '../../core/caller.ts';
import { type Html, html } from '../../web/html.ts';

export type Product = 'finance' | 'dunning';
export type ApprovalStatus = 'pending' | 'done' | 'failed' | 'declined' | 'expired';

/** An approval as REST gives it. */
export interface Approval {
  readonly id: string;
  readonly status: ApprovalStatus;
  readonly reason: 'client_cannot_ask' | 'second_person';
  readonly operation: string;
  readonly question: string;
  readonly amount: string | null;
  readonly requested_by: { readonly user_id: string; readonly name: string };
  readonly client_id: string;
  readonly client_name: string | null;
  readonly requested_at: string;
  readonly expires_at: string;
  readonly decided_by: { readonly user_id: string; readonly name: string } | null;
  readonly decided_at: string | null;
  readonly decided_with: 'password' | 'passkey' | null;
  readonly decline_reason: string | null;
  /** What the operation answered, without its secrets. */
  readonly answer: Readonly<Record<string, unknown>> | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** What opening one gives: the question as it is now, and the state that a yes is bound to. */
export interface OpenApproval {
  readonly approval: Approval;
  readonly question: string | null;
  readonly state: string | null;
  /** Why it cannot be approved, where it cannot. */
  readonly problem: { readonly code: string; readonly message: string } | null;
}

export const approvalWords = {
  'pt-BR': {
    title: 'Aprovações',
    oneTitle: 'Pedido de aprovação',
    lead: 'Ações que um aplicativo pediu e que só rodam depois do sim de uma pessoa, aqui.',
    finance: 'Finanças',
    dunning: 'Cobrança',
    showAll: 'Mostrar também os decididos',
    showPending: 'Mostrar só os pendentes',
    nonePending: 'Nada espera por você.',
    noneEver: 'Nenhum pedido até agora.',
    what: 'O que foi pedido',
    amount: 'Valor',
    requestedBy: 'Quem pediu',
    through: 'Por qual aplicativo',
    requestedAt: 'Quando',
    until: 'Vale até',
    status: 'Situação',
    question: 'A pergunta, com os dados de agora',
    questionThen: 'A pergunta, como foi feita',
    changed: 'Algo mudou desde que você abriu esta página. Nada foi feito. Leia a pergunta de novo e decida.',
    reasons: {
      client_cannot_ask: 'O aplicativo não consegue perguntar a uma pessoa.',
      second_person: 'O valor exige uma segunda pessoa: quem pediu não pode aprovar.',
    },
    why: 'Por que espera',
    approve: 'Aprovar',
    approveHead: 'Aprovar com prova de que é você',
    approveLead: 'Ao aprovar, a ação roda uma única vez, agora.',
    decline: 'Recusar',
    declineReason: 'Motivo (quem pediu vai ler)',
    mayNot: 'Você não pode aprovar este pedido.',
    once: 'Guarde agora o que segue: não aparece de novo.',
    done: 'Aprovado. A ação foi feita.',
    declined: 'Recusado. Nada foi feito.',
    decidedBy: 'Quem decidiu',
    decidedAt: 'Decidido em',
    with: { password: 'com senha', passkey: 'com passkey' },
    error: 'O que deu errado',
    back: 'Todas as aprovações',
    statuses: {
      pending: 'Pendente',
      done: 'Feito',
      failed: 'Não deu certo',
      declined: 'Recusado',
      expired: 'Venceu',
    },
  },
  en: {
    title: 'Approvals',
    oneTitle: 'Approval',
    lead: 'Actions that an application asked for and that run only after the yes of a person, here.',
    finance: 'Finance',
    dunning: 'Dunning',
    showAll: 'Show the decided ones too',
    showPending: 'Show the pending ones only',
    nonePending: 'Nothing waits for you.',
    noneEver: 'Nothing was asked for yet.',
    what: 'What was asked for',
    amount: 'Amount',
    requestedBy: 'Asked by',
    through: 'Through which application',
    requestedAt: 'When',
    until: 'Good until',
    status: 'Status',
    question: 'The question, with the records of now',
    questionThen: 'The question, as it was asked',
    changed:
      'Something changed since you opened this page. Nothing was done. Read the question again and decide.',
    reasons: {
      client_cannot_ask: 'The application cannot ask a person.',
      second_person: 'The amount needs a second person: whoever asked may not approve.',
    },
    why: 'Why it waits',
    approve: 'Approve',
    approveHead: 'Approve, with proof that it is you',
    approveLead: 'When you approve, the action runs once, now.',
    decline: 'Decline',
    declineReason: 'Reason (whoever asked will read it)',
    mayNot: 'You cannot approve this.',
    once: 'Keep what follows now: it is not shown again.',
    done: 'Approved. The action was done.',
    declined: 'Declined. Nothing was done.',
    decidedBy: 'Decided by',
    decidedAt: 'Decided at',
    with: { password: 'with a password', passkey: 'with a passkey' },
    error: 'What went wrong',
    back: 'All approvals',
    statuses: {
      pending: 'Pending',
      done: 'Done',
      failed: 'Failed',
      declined: 'Declined',
      expired: 'Expired',
    },
  },
} as const;

const colours: Readonly<Record<ApprovalStatus, string>> = {
  pending: 'warn',
  done: 'good',
  failed: 'bad',
  declined: 'bad',
  expired: '',
};

/** The status as a word, and as a colour besides. */
export function statusTag(locale: Locale, status: ApprovalStatus): Html {
  return html`<span class="tag ${colours[status]}">${approvalWords[locale].statuses[status]}</span>`;
}
