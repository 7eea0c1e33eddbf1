/** What a person reads before lines and records are tied together, or let go of each other. */

import type { Locale } from '../../core/caller.ts';
import { formatDateBr } from '../../core/dates.ts';
import type { AppError } from '../../core/errors.ts';
import { moves, ours, outside, type Words } from '../../core/facts.ts';
import { type Cents, formatBrl } from '../../core/money.ts';
import type { Fact } from '../../core/operation.ts';
import { maskedAccount } from '../accounts/index.ts';
import type { PreparedLink } from '../transfers/index.ts';
import type { Undoing } from './create.ts';
import type { Parts } from './matching/types.ts';
import type { PreparedDocument, PreparedLine, PreparedReconciliation } from './prepare.ts';

const TEXT_SHOWN = 60;

const kinds: Readonly<Record<'payable' | 'receivable' | 'settlement' | 'transfer', Words>> = {
  payable: { 'pt-BR': 'Baixa a conta a pagar', en: 'Settles the payable' },
  receivable: { 'pt-BR': 'Baixa a conta a receber', en: 'Settles the receivable' },
  settlement: { 'pt-BR': 'É o pagamento já registrado', en: 'Is the payment recorded before' },
  transfer: { 'pt-BR': 'É a transferência própria', en: 'Is the own transfer' },
};

/** What a line of many calls its records. */
const kindNames: Readonly<Record<keyof typeof kinds, Words>> = {
  payable: { 'pt-BR': 'conta a pagar', en: 'payable' },
  receivable: { 'pt-BR': 'conta a receber', en: 'receivable' },
  settlement: { 'pt-BR': 'pagamento já registrado', en: 'payment recorded before' },
  transfer: { 'pt-BR': 'transferência própria', en: 'own transfer' },
};

const partWords: Readonly<Record<Exclude<keyof Parts, 'principal'>, Words>> = {
  discount: { 'pt-BR': 'desconto', en: 'discount' },
  interest: { 'pt-BR': 'juros', en: 'interest' },
  fine: { 'pt-BR': 'multa', en: 'fine' },
  fee: { 'pt-BR': 'tarifa', en: 'fee' },
};

/** A line that holds texts of others among words of ours. */
function mixed(key: string, label: Words, text: (locale: Locale) => string): Fact {
  const fact = outside(key, label['pt-BR'], label.en, '');
  return { ...fact, value: { 'pt-BR': text('pt-BR'), en: text('en') } };
}

/** One reconciliation. */
export function reconciliationFacts({ account, total, lines, documents }: PreparedReconciliation): Fact[] {
  return [
    outside('account', 'Conta', 'Account', maskedAccount(account)),
    ours('total', 'Total', 'Total', formatBrl(total)),
    ...lines.map((line) => outside(`line:${line.row.id}`, 'Linha do extrato', 'Line', lineText(line))),
    ...documents.map((document) => {
      const words = kinds[kindOf(document)];
      return mixed(`document:${idOf(document)}`, words, (locale) => documentText(document, locale));
    }),
  ];
}

/** What a suggestion does when it is accepted. */
export type Accepted =
  | { readonly does: 'reconcile'; readonly reconciliation: PreparedReconciliation }
  | { readonly does: 'link'; readonly link: PreparedLink };

/** Many suggestions: how many, for how much, one line each, and those that a rule refuses. */
export function acceptFacts(
  accepted: readonly { readonly id: string; readonly what: Accepted }[],
  refused: readonly { readonly id: string; readonly error: AppError }[],
): Fact[] {
  return [
    ours('count', 'Conciliações', 'Reconciliations', String(accepted.length)),
    ours('total', 'Total', 'Total', formatBrl(totalOf(accepted.map(({ what }) => what)))),
    ...accepted.map(({ id, what }, index) =>
      mixed(`accepted:${id}`, { 'pt-BR': `Concilia ${index + 1}`, en: `Reconciles ${index + 1}` }, (locale) =>
        acceptedText(what, locale),
      ),
    ),
    ...refused.map(({ id, error }) =>
      ours(
        `refused:${id}`,
        'Não será conciliada',
        'Will not be reconciled',
        `${id.slice(0, 16)}…: ${error.code}`,
      ),
    ),
  ];
}

/** The money of accepted suggestions, in centavos. */
export function totalOf(accepted: readonly Accepted[]): Cents {
  return accepted.reduce((sum, what) => sum + amountOf(what), 0);
}

/** A reconciliation to be undone. */
export function undoingFacts({ reconciliation, records }: Undoing): Fact[] {
  const account = records.accounts.get(reconciliation.account_id)!;
  const reversed = reconciliation.documents.filter(({ made_settlement }) => made_settlement).length;
  return [
    outside('account', 'Conta', 'Account', maskedAccount(account)),
    moves('total', 'Total', 'Total', reconciliation.total_cents),
    ...reconciliation.transactions.map(({ transaction_id, amount_cents }) => {
      const row = records.transactions.get(transaction_id)!;
      const text = lineText({ row, amount: amount_cents });
      return outside(`line:${transaction_id}`, 'Solta a linha do extrato', 'Lets go of the line', text);
    }),
    ...reconciliation.documents.map(({ kind, document_id, amount_cents }) => {
      const words = kinds[kind];
      return ours(
        `document:${document_id}`,
        words['pt-BR'],
        words.en,
        `${formatBrl(amount_cents)}; ${document_id}`,
      );
    }),
    ours('effect', 'Efeito', 'Effect', {
      'pt-BR': `desfaz só esta conciliação; ${reversed} baixa(s) feita(s) por ela são estornadas`,
      en: `undoes this reconciliation only; ${reversed} settlement(s) it made are reversed`,
    }),
  ];
}

function amountOf(what: Accepted): Cents {
  return what.does === 'link' ? what.link.debit.amount_cents : what.reconciliation.total;
}

/** Amount and date first: they are ours, and no text can come before them. */
function lineText({ row, amount }: PreparedLine): string {
  return [formatBrl(amount), formatDateBr(row.date), row.description.slice(0, TEXT_SHOWN)].join('; ');
}

function documentText(document: PreparedDocument, locale: Locale): string {
  if (document.source === 'transfer') return [formatBrl(document.taken), document.transfer.id].join('; ');
  const { row } = document.debt;
  return [
    formatBrl(document.taken),
    ...(document.source === 'debt' ? partTexts(document.parts, locale) : []),
    row.person_name.slice(0, TEXT_SHOWN),
    row.document_number ?? '-',
    formatDateBr(row.due_date),
    row.description.slice(0, TEXT_SHOWN),
  ].join('; ');
}

/** Whatever is not plain principal. */
function partTexts(parts: Parts, locale: Locale): string[] {
  return (Object.keys(partWords) as (keyof typeof partWords)[])
    .filter((name) => parts[name] > 0)
    .map((name) => `${partWords[name][locale]} ${formatBrl(parts[name])}`);
}

function acceptedText(what: Accepted, locale: Locale): string {
  if (what.does === 'link') {
    const { debit, credit } = what.link;
    const lines = [debit, credit].map(
      (row) => `${formatDateBr(row.date)} ${row.description.slice(0, TEXT_SHOWN)}`,
    );
    return [formatBrl(debit.amount_cents), kindNames.transfer[locale], ...lines].join('; ');
  }
  const { total, lines, documents } = what.reconciliation;
  return [
    formatBrl(total),
    ...lines.map(({ row }) => `${formatDateBr(row.date)} ${row.description.slice(0, TEXT_SHOWN)}`),
    ...documents.map(
      (document) => `${kindNames[kindOf(document)][locale]} ${documentText(document, locale)}`,
    ),
  ].join('; ');
}

function kindOf(document: PreparedDocument): keyof typeof kinds {
  return document.source === 'debt' ? document.debt.kind.name : document.source;
}

function idOf(document: PreparedDocument): string {
  switch (document.source) {
    case 'debt':
      return document.debt.row.id;
    case 'settlement':
      return document.settlement.id;
    case 'transfer':
      return document.transfer.id;
  }
}
