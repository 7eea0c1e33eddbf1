/** What a person reads before an order goes to the bank: built from records, every text of others marked as such. */

import { formatDateBr } from '../../core/dates.ts';
import { formatTaxId } from '../../core/documents/tax-id.ts';
import { type Cents, formatBrl } from '../../core/money.ts';
import type { Fact } from '../../core/operation.ts';
import { maskedAccount } from '../accounts/index.ts';
import type { PaymentDetails } from '../payables/index.ts';
import type { HolderCheck } from './holder.ts';
import type { OrderPlan, PreparedOrder } from './orders.ts';
import type { LookalikeRow } from './queries.ts';

/** A change of bank details is pointed out this long: the commonest payment fraud (MODEL §18). */
const CHANGED_DAYS = 7;
const NAME_SHOWN = 80;
const TARGET_SHOWN = 150;

interface Words {
  readonly 'pt-BR': string;
  readonly en: string;
}

/** The facts of one order. `balance` is the book balance of the account now. */
export function orderFacts(order: PreparedOrder, balance: Cents): Fact[] {
  const { payable, payee, account, details } = order;
  const document = payee.document_number;
  return [
    outside('payee', { 'pt-BR': 'Favorecido', en: 'Payee' }, payee.name),
    ours(
      'payee_document',
      { 'pt-BR': 'CPF/CNPJ do favorecido', en: 'CPF/CNPJ of the payee' },
      document === null ? { 'pt-BR': 'não cadastrado', en: 'not registered' } : formatTaxId(document),
    ),
    ours('amount', { 'pt-BR': 'Valor', en: 'Amount' }, formatBrl(order.amount)),
    outside('pays', targetLabel(details), targetOf(details)),
    outside('description', { 'pt-BR': 'Conta a pagar', en: 'Payable' }, payable.description),
    ours('due_date', { 'pt-BR': 'Vencimento', en: 'Due date' }, formatDateBr(payable.due_date)),
    outside('account', { 'pt-BR': 'Sai da conta', en: 'From account' }, maskedAccount(account)),
    ours(
      'scheduled_for',
      { 'pt-BR': 'Data do pagamento', en: 'Payment date' },
      formatDateBr(order.scheduledFor),
    ),
    ours(
      'balance_after',
      { 'pt-BR': 'Saldo contábil da conta depois', en: 'Book balance of the account after it' },
      formatBrl(balance - order.amount),
    ),
    approvalFact(payable.approval_status),
    ...warningsOf(order).map(({ key, label, text }) => ours(key, label, text)),
  ];
}

/** The facts of many orders: count, total, and one line for each payable with its id (PROTOCOL SE-10). */
export function planFacts({ orders, refused }: OrderPlan, account: string, balance: Cents): Fact[] {
  const total = totalOf(orders);
  return [
    ours('count', { 'pt-BR': 'Pagamentos', en: 'Payments' }, String(orders.length)),
    ours('total', { 'pt-BR': 'Total', en: 'Total' }, formatBrl(total)),
    outside('account', { 'pt-BR': 'Sai da conta', en: 'From account' }, account),
    ours(
      'balance_after',
      { 'pt-BR': 'Saldo contábil da conta depois', en: 'Book balance of the account after it' },
      formatBrl(balance - total),
    ),
    ...orders.flatMap((order) => [
      outside(
        `order:${order.payable.id}`,
        { 'pt-BR': `Paga ${order.payable.id}`, en: `Pays ${order.payable.id}` },
        lineOf(order),
      ),
      ...warningsOf(order).map(({ key, label, text }) =>
        ours(`${key}:${order.payable.id}`, prefixed(order.payable.id, label), text),
      ),
    ]),
    ...refused.map(({ id, error }) =>
      ours(
        `refused:${id}`,
        { 'pt-BR': `${id}: não será enviado`, en: `${id}: will not be sent` },
        error.code,
      ),
    ),
  ];
}

/** The sum of the orders, in centavos. */
export function totalOf(orders: readonly PreparedOrder[]): Cents {
  return orders.reduce((sum, { amount }) => sum + amount, 0);
}

interface Warning {
  readonly key: string;
  readonly label: Words;
  readonly text: string | Words;
}

const attention: Words = { 'pt-BR': 'ATENÇÃO', en: 'ATTENTION' };

/** What should make a person look twice. */
function warningsOf(order: PreparedOrder): Warning[] {
  const warnings: Warning[] = [];
  const days = order.detailsChangedDaysAgo;
  if (days !== null && days < CHANGED_DAYS) {
    warnings.push({ key: 'bank_details_changed', label: attention, text: changedText(days) });
  }
  const holder = holderText(order.holder);
  if (holder !== null) {
    const isFine = order.holder?.result === 'same_document' || order.holder?.result === 'registered';
    const label = isFine ? { 'pt-BR': 'Titular do destino', en: 'Holder of the destination' } : attention;
    warnings.push({ key: 'holder', label, text: holder });
  }
  if (order.codeAmount !== null && order.codeAmount !== order.amount) {
    const amount = formatBrl(order.codeAmount);
    warnings.push({
      key: 'code_amount',
      label: attention,
      text: {
        'pt-BR': `o código traz outro valor: ${amount}`,
        en: `the code holds another amount: ${amount}`,
      },
    });
  }
  if (order.lookalikes.length > 0) {
    warnings.push({
      key: 'possible_duplicate',
      label: attention,
      text: {
        'pt-BR': `possível duplicidade: ${order.lookalikes.map((row) => lookalikeText(row, 'pt-BR')).join('; ')}`,
        en: `possible duplicate: ${order.lookalikes.map((row) => lookalikeText(row, 'en')).join('; ')}`,
      },
    });
  }
  return warnings;
}

function changedText(days: number): Words {
  return {
    'pt-BR': `os dados bancários do favorecido mudaram há ${days} ${days === 1 ? 'dia' : 'dias'}; confirme com ele por outro canal antes de pagar`,
    en: `the bank details of the payee changed ${days} ${days === 1 ? 'day' : 'days'} ago; check with them on another channel before paying`,
  };
}

function holderText(holder: HolderCheck | null): Words | null {
  switch (holder?.result) {
    case undefined:
      return null;
    case 'same_document':
      return { 'pt-BR': 'mesmo CPF/CNPJ do favorecido', en: 'same CPF/CNPJ as the payee' };
    case 'registered':
      return { 'pt-BR': 'cadastrado no favorecido', en: 'registered for the payee' };
    case 'other_document': {
      const document = formatTaxId(holder!.document);
      return {
        'pt-BR': `o destino é de outro CPF/CNPJ: ${document}`,
        en: `the destination belongs to another CPF/CNPJ: ${document}`,
      };
    }
    case 'unknown':
      return {
        'pt-BR': 'o titular do destino não foi conferido: não está no cadastro do favorecido',
        en: 'the holder of the destination is unchecked: it is not registered for the payee',
      };
  }
}

function lookalikeText({ kind, id, on }: LookalikeRow, locale: keyof Words): string {
  const names = {
    payable: { 'pt-BR': 'conta a pagar', en: 'payable' },
    payment: { 'pt-BR': 'pagamento', en: 'payment' },
  };
  return `${names[kind][locale]} ${id} (${formatDateBr(on)})`;
}

function approvalFact(status: string): Fact {
  const text: Words =
    status === 'approved'
      ? { 'pt-BR': 'aprovada', en: 'approved' }
      : { 'pt-BR': 'não exigida', en: 'not required' };
  return ours('approval', { 'pt-BR': 'Aprovação', en: 'Approval' }, text);
}

function targetLabel(details: PaymentDetails): Words {
  switch (details.kind) {
    case 'boleto':
      return { 'pt-BR': 'Paga o boleto', en: 'Pays the boleto' };
    case 'utility':
      return { 'pt-BR': 'Paga a conta ou tributo', en: 'Pays the bill or tax' };
    case 'pix_key':
      return { 'pt-BR': 'Pix para a chave', en: 'Pix to the key' };
    case 'pix_code':
      return { 'pt-BR': 'Paga o código Pix', en: 'Pays the Pix code' };
    default:
      return { 'pt-BR': 'TED para', en: 'TED to' };
  }
}

function targetOf(details: PaymentDetails): string {
  switch (details.kind) {
    case 'boleto':
    case 'utility':
      return details.typed_line;
    case 'pix_key':
      return `${details.key} (${details.key_type})`;
    case 'pix_code': {
      const place = details.key ?? details.url ?? '';
      return `${details.merchant ?? '-'}, ${place}, ${details.code}`;
    }
    case 'ted': {
      const { bank_code, agency, number, digit, holder_name, holder_document } = details;
      const holder = [holder_name, holder_document].filter((part) => part !== null).join(', ');
      return `${bank_code} ag. ${agency} ${number}-${digit}${holder === '' ? '' : ` (${holder})`}`;
    }
    case 'none':
      return '-';
  }
}

/** Amount and date first: they are ours, and no name can come before them or push them out of a long line. */
function lineOf(order: PreparedOrder): string {
  const { payee, details } = order;
  return [
    formatBrl(order.amount),
    formatDateBr(order.scheduledFor),
    payee.name.slice(0, NAME_SHOWN),
    payee.document_number === null ? '-' : formatTaxId(payee.document_number),
    `${details.kind} ${targetOf(details).slice(0, TARGET_SHOWN)}`,
  ].join('; ');
}

function prefixed(id: string, label: Words): Words {
  return { 'pt-BR': `${id}: ${label['pt-BR']}`, en: `${id}: ${label.en}` };
}

function outside(key: string, label: Words, value: string): Fact {
  return { key, label, value, origin: 'outside' };
}

function ours(key: string, label: Words, value: string | Words): Fact {
  return { key, label, value, origin: 'ours' };
}
