/** What a person reads before money is moved between own accounts, or such a move is called off. */

import { moves, onDate, ours, outside, type Words } from '../../core/facts.ts';
import { type Cents, formatBrl } from '../../core/money.ts';
import type { Fact } from '../../core/operation.ts';
import { maskedAccount } from '../accounts/index.ts';
import type { Side } from './accounts.ts';
import type { PreparedLink } from './legs.ts';
import type { TransferRow } from './queries.ts';
import type { Cancellation, TransferMethod } from './rules.ts';

const howItGoes: Readonly<Record<TransferMethod, Words>> = {
  internal: {
    'pt-BR': 'só lançamentos: nada é pedido ao banco',
    en: 'entries only: nothing is asked of a bank',
  },
  pix: { 'pt-BR': 'Pix pedido ao banco', en: 'Pix ordered at the bank' },
  ted: { 'pt-BR': 'TED pedida ao banco', en: 'TED ordered at the bank' },
};

const cancellations: Readonly<Record<Exclude<Cancellation, 'order'>, Words>> = {
  link: {
    'pt-BR': 'as duas linhas dos extratos deixam de ser uma transferência',
    en: 'the two lines of the statements are no transfer any more',
  },
  entries: {
    'pt-BR': 'os dois lançamentos são retirados',
    en: 'the two entries are taken back',
  },
};

/** The accounts, and both companies where they differ. */
export function sideFacts(from: Side, to: Side): Fact[] {
  const facts = [
    outside('from_account', 'Sai da conta', 'From account', maskedAccount(from.account)),
    outside('to_account', 'Entra na conta', 'To account', maskedAccount(to.account)),
  ];
  if (from.company.id === to.company.id) return facts;
  return [
    ...facts,
    outside('from_company', 'Empresa que paga', 'Company that pays', from.company.legal_name),
    outside('to_company', 'Empresa que recebe', 'Company that receives', to.company.legal_name),
  ];
}

/** A transfer to be made. `balance` is the book balance of the account the money leaves, now. */
export function transferFacts(transfer: {
  readonly from: Side;
  readonly to: Side;
  readonly amount: Cents;
  readonly date: string;
  readonly method: TransferMethod;
  readonly balance: Cents;
}): Fact[] {
  const after = transfer.balance - transfer.amount;
  return [
    moves('amount', 'Valor', 'Amount', transfer.amount),
    ...sideFacts(transfer.from, transfer.to),
    onDate('date', 'Data', 'Date', transfer.date),
    ours('method', 'Como', 'How', howItGoes[transfer.method]),
    ours(
      'balance_after',
      'Saldo contábil da conta depois',
      'Book balance of the account after it',
      formatBrl(after),
    ),
    ...(after < 0
      ? [
          ours('attention', 'ATENÇÃO', 'ATTENTION', {
            'pt-BR': 'o saldo contábil ficará negativo',
            en: 'the book balance becomes negative',
          }),
        ]
      : []),
  ];
}

/** Two lines to be declared one transfer. */
export function linkFacts({ debit, credit, from, to }: PreparedLink): Fact[] {
  return [
    ours('amount', 'Valor', 'Amount', formatBrl(debit.amount_cents)),
    ...sideFacts(from, to),
    onDate('debit_date', 'Data da saída', 'Date of the debit', debit.date),
    outside('debit', 'Saída', 'Debit', debit.description),
    onDate('credit_date', 'Data da entrada', 'Date of the credit', credit.date),
    outside('credit', 'Entrada', 'Credit', credit.description),
    ours('effect', 'Efeito', 'Effect', {
      'pt-BR': 'as duas linhas passam a ser uma transferência, nem receita nem despesa',
      en: 'the two lines become one transfer, neither income nor expense',
    }),
  ];
}

/** A transfer to be called off. */
export function cancelFacts(
  transfer: TransferRow,
  sides: { from: Side; to: Side },
  cancellation: Cancellation,
  isUnsent: boolean,
): Fact[] {
  return [
    ours('amount', 'Valor', 'Amount', formatBrl(transfer.amount_cents)),
    ...sideFacts(sides.from, sides.to),
    onDate('date', 'Data', 'Date', transfer.scheduled_for),
    ours(
      'effect',
      'Efeito',
      'Effect',
      cancellation === 'order' ? orderText(isUnsent) : cancellations[cancellation],
    ),
  ];
}

function orderText(isUnsent: boolean): Words {
  return isUnsent
    ? {
        'pt-BR': 'ainda não foi enviada ao banco; é cancelada na hora',
        en: 'not sent to the bank yet; canceled at once',
      }
    : {
        'pt-BR': 'pede o cancelamento ao banco, que ainda pode fazê-la',
        en: 'asks the bank to cancel; it may still make it',
      };
}
