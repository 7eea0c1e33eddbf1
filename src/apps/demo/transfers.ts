/** Money moved between own accounts, with its two entries where it was moved. */

import { addBusinessDays, nextBusinessDay, previousBusinessDay } from '../../core/calendar.ts';
import { addDays, type CivilDate } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
import { type Accounts, transactionOn } from './accounts.ts';
import { bankKeyOf, commandOf } from './bank-commands.ts';
import { bornAt, instantOn, laterThan, type NewRow, type Setting } from './setting.ts';

type AccountRow = NewRow<'financial_accounts'>;
type TransferRow = NewRow<'transfers'>;

export interface Transfers {
  /** Without their entries: `tieTransfers` names them once both are there. */
  readonly transfers: TransferRow[];
  readonly transactions: NewRow<'financial_transactions'>[];
  readonly commands: NewRow<'bank_commands'>[];
}

interface TransferPlan {
  readonly from: AccountRow;
  readonly to: AccountRow;
  readonly amount: Cents;
  readonly method: 'internal' | 'pix' | 'ted';
  readonly status: 'pending' | 'confirmed' | 'failed' | 'canceled';
  readonly on: CivilDate;
  readonly description: string | null;
}

/** One made every so many days, by turns in one direction and in the other; none in the last two months. */
const EVERY_DAYS = 45;
const LAST_DAYS_AGO = 65;
const COUNT = 12;
const ANSWERED_AFTER_MS = 30_000;

export function buildTransfers(setting: Setting, accounts: Accounts): Transfers {
  const made: Transfers = { transfers: [], transactions: [], commands: [] };
  for (const plan of plansOf(setting, accounts)) addTransfer(setting, made, plan);
  return made;
}

function plansOf({ random, today }: Setting, { checking, cash }: Accounts): TransferPlan[] {
  const [first, second] = checking as [AccountRow, AccountRow];
  const between = {
    from: first,
    to: second,
    method: 'ted',
    description: 'Reforço de caixa da filial',
  } as const;
  const amount = () => random.integer(200, 900) * 1_000;
  const past = Array.from({ length: COUNT }, (_, index): TransferPlan => {
    const on = nextBusinessDay(addDays(today, -LAST_DAYS_AGO - index * EVERY_DAYS));
    const usual = { ...between, amount: amount(), on, status: 'confirmed' } as const;
    if (index % 4 === 3) {
      return { ...usual, to: cash, method: 'internal', amount: 40_000, description: 'Suprimento do caixa' };
    }
    if (index % 2 === 0) return usual;
    return { ...usual, from: second, to: first, method: 'pix', description: 'Devolução de reforço' };
  });
  const recent = previousBusinessDay(addDays(today, -40));
  return [
    ...past,
    { ...between, amount: amount(), on: recent, status: 'failed' },
    { ...between, amount: amount(), on: recent, status: 'canceled' },
    { ...between, amount: amount(), on: addBusinessDays(today, 4), status: 'pending', description: null },
  ];
}

function addTransfer(
  setting: Setting,
  { transfers, transactions, commands }: Transfers,
  plan: TransferPlan,
): void {
  const { today, random } = setting;
  const { from, to, amount, method, status, on } = plan;
  const orderedOn = on < today ? on : addDays(today, -2);
  const createdAt = instantOn(orderedOn, random);
  const answeredAt = laterThan(createdAt, ANSWERED_AFTER_MS);
  const isInternal = method === 'internal';
  const isConfirmed = status === 'confirmed';
  const reference = isInternal ? null : `SIM${random.digits(12)}`;
  const row: TransferRow = {
    ...bornAt(setting, createdAt),
    from_account_id: from.id,
    to_account_id: to.id,
    amount_cents: amount,
    method,
    scheduled_for: on,
    description: plan.description,
    origin: 'ordered',
    status,
    registration_status: isInternal ? 'none' : status === 'failed' ? 'rejected' : 'confirmed',
    bank_reference: reference,
    bank_settled_on: isConfirmed && !isInternal ? on : null,
    rejected_reason: status === 'failed' ? 'the receiving account does not exist' : null,
    cancel_reason: status === 'canceled' ? 'Não é mais necessária' : null,
    cancel_requested_at: status === 'canceled' ? answeredAt : null,
    debit_transaction_id: null,
    credit_transaction_id: null,
    updated_at: answeredAt,
    version: 2,
  };
  transfers.push(row);
  if (isConfirmed) {
    transactions.push(legOf(setting, row, from, 'debit', `Transferência para ${to.name}`));
    transactions.push(legOf(setting, row, to, 'credit', `Transferência de ${from.name}`));
  }
  if (reference === null) return;
  commands.push(
    commandOf(setting, {
      subject: { transfer_id: row.id },
      kind: 'submit',
      key: bankKeyOf(row.id, on, amount, method),
      answer: answerOf(row, reference),
      at: createdAt,
    }),
  );
}

function legOf(
  setting: Setting,
  transfer: TransferRow,
  account: AccountRow,
  direction: 'debit' | 'credit',
  otherwise: string,
): NewRow<'financial_transactions'> {
  return transactionOn(setting, account.id, transfer.scheduled_for, {
    direction,
    amount: transfer.amount_cents,
    description: transfer.description ?? otherwise,
    categoryId: null,
    personId: null,
    source: 'transfer',
    transferId: transfer.id,
  });
}

function answerOf(
  { status, bank_settled_on: settledOn, rejected_reason: reason }: TransferRow,
  reference: string,
) {
  if (status === 'failed') return { status: 'rejected', reference, reason };
  if (status !== 'confirmed') return { status: 'scheduled', reference };
  return { status, reference, authentication: reference.slice(3), settledOn };
}
