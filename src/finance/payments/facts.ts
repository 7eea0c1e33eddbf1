/** What a person reads before an order goes to the bank: built from records, every text of others marked as such. */

import type { Locale } from '../../core/caller.ts';
import { formatDateBr } from '../../core/dates.ts';
import { formatTaxId } from '../../core/documents/tax-id.ts';
import { moves, onDate, ours, outside, type Words } from '../../core/facts.ts';
import { type Cents, formatBrl } from '../../core/money.ts';
import type { Fact } from '../../core/operation.ts';
import { maskedAccount } from '../accounts/index.ts';
import type { PaymentDetails } from '../payables/index.ts';
import type { HolderCheck } from './holder.ts';
import { type OrderPlan, type PreparedOrder, totalOf } from './orders.ts';
import type { LookalikeRow } from './queries.ts';
import { type CrossedLimits, risksOf } from './safety.ts';

const NAME_SHOWN = 80;
const TARGET_SHOWN = 150;

/** The facts of one order. `balance` is the book balance of the account now. */
export function orderFacts(order: PreparedOrder, crossed: CrossedLimits, balance: Cents): Fact[] {
  const { payable, payee, account, details } = order;
  const document = payee.document_number;
  const target = targetLabel(details);
  return [
    outside('payee', 'Favorecido', 'Payee', payee.name),
    ours(
      'payee_document',
      'CPF/CNPJ do favorecido',
      'CPF/CNPJ of the payee',
      document === null ? { 'pt-BR': 'não cadastrado', en: 'not registered' } : formatTaxId(document),
    ),
    moves('amount', 'Valor', 'Amount', order.amount),
    outside('pays', target['pt-BR'], target.en, targetOf(details)),
    outside('description', 'Conta a pagar', 'Payable', payable.description),
    onDate('due_date', 'Vencimento', 'Due date', payable.due_date),
    outside('account', 'Sai da conta', 'From account', maskedAccount(account)),
    onDate('scheduled_for', 'Data do pagamento', 'Payment date', order.scheduledFor),
    ours(
      'balance_after',
      'Saldo contábil da conta depois',
      'Book balance of the account after it',
      formatBrl(balance - order.amount),
    ),
    approvalFact(payable.approval_status),
    ...[...warningsOf(order), ...limitWarningsOf(crossed)].map(({ key, label, text }) =>
      ours(key, label['pt-BR'], label.en, text),
    ),
  ];
}

/** The facts of many orders: count, total, and one line for each payable with its id (PROTOCOL SE-10). */
export function planFacts({ orders, crossed, refused }: OrderPlan, account: string, balance: Cents): Fact[] {
  const total = totalOf(orders);
  return [
    ours('count', 'Pagamentos', 'Payments', String(orders.length)),
    moves('total', 'Total', 'Total', total),
    outside('account', 'Sai da conta', 'From account', account),
    ours(
      'balance_after',
      'Saldo contábil da conta depois',
      'Book balance of the account after it',
      formatBrl(balance - total),
    ),
    ...limitWarningsOf(crossed).map(({ key, label, text }) => ours(key, label['pt-BR'], label.en, text)),
    ...orders.flatMap((order) => [
      outside(
        `order:${order.payable.id}`,
        `Paga ${order.payable.id}`,
        `Pays ${order.payable.id}`,
        lineOf(order),
      ),
      ...warningsOf(order).map(({ key, label, text }) =>
        ours(
          `${key}:${order.payable.id}`,
          `${order.payable.id}: ${label['pt-BR']}`,
          `${order.payable.id}: ${label.en}`,
          text,
        ),
      ),
    ]),
    ...refused.map(({ id, error }) =>
      ours(`refused:${id}`, `${id}: não será enviado`, `${id}: will not be sent`, error.code),
    ),
  ];
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
  const risks = risksOf(order);
  if (risks.includes('changed_bank_details')) {
    const text = changedText(order.detailsChangedDaysAgo!);
    warnings.push({ key: 'bank_details_changed', label: attention, text });
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
  if (risks.includes('possible_duplicate')) {
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

/** The limits that all payments of the call cross together. */
function limitWarningsOf({ balance_floor: floor, daily_limit: daily }: CrossedLimits): Warning[] {
  const warnings: Warning[] = [];
  if (floor !== null) {
    const [after, least] = [formatBrl(floor.balanceAfter), formatBrl(floor.floor)];
    warnings.push({
      key: 'balance_floor',
      label: attention,
      text: {
        'pt-BR': `descontados os pagamentos já a caminho, a conta fica com ${after}, abaixo do mínimo de ${least}`,
        en: `less the payments on their way, the account is left with ${after}, below its floor of ${least}`,
      },
    });
  }
  if (daily !== null) {
    const [sent, limit] = [formatBrl(daily.sentToday), formatBrl(daily.limit)];
    warnings.push({
      key: 'daily_limit',
      label: attention,
      text: {
        'pt-BR': `esta conexão chega hoje a ${sent} em pagamentos, acima do limite diário de ${limit}`,
        en: `this connection reaches ${sent} in payments today, above its daily limit of ${limit}`,
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

function lookalikeText({ kind, id, on }: LookalikeRow, locale: Locale): string {
  const names = {
    payable: { 'pt-BR': 'conta a pagar', en: 'payable' },
    payment: { 'pt-BR': 'pagamento', en: 'payment' },
  };
  return `${names[kind][locale]} ${id} (${locale === 'pt-BR' ? formatDateBr(on) : on})`;
}

function approvalFact(status: string): Fact {
  const text: Words =
    status === 'approved'
      ? { 'pt-BR': 'aprovada', en: 'approved' }
      : { 'pt-BR': 'não exigida', en: 'not required' };
  return ours('approval', 'Aprovação', 'Approval', text);
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
