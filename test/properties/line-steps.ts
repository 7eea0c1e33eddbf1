/** What ties lines of statements to records: reconciliations and linked transfers. */

import { formatMoney } from '../../src/core/money.ts';
import type { EntryState } from './checks.ts';
import type { Ended, Ledger } from './ledger.ts';
import { cents, debtOf, isLine, isOpen, isTried, pick, reason, type Step, some, tool } from './step.ts';

/** Lines of one account and direction for documents, most often so that both sides are equal. */
export async function reconcile(ledger: Ledger, step: Step): Promise<Ended | null> {
  const { which, other, way, share } = step;
  const { state } = ledger;
  const lines = state.entries.filter(isLine);
  const first = pick(lines, which);
  if (first === undefined) return null;
  const { account_id, direction } = first;
  const alike = lines.filter((line) => line.account_id === account_id && line.direction === direction);
  const transactions = some(alike, alike.indexOf(first), way === 11 ? 1 : 1 + (way % 3)).map((line) => ({
    id: line.id,
    // Now and then more than there is.
    amount: cents(line.rest, way === 10 ? share : Math.min(share, 1_000)),
  }));
  await recordFor(ledger, first, step);
  const total = transactions.reduce((sum, { amount }) => sum + amount, 0);
  const documents = way === 11 ? transferFor(ledger, first, other) : documentsFor(ledger, first, step, total);
  if (documents.length === 0) return null;
  const taken = documents.reduce((sum, document) => sum + document.taken, 0);
  // More than the documents take stays with the last line, where that can be.
  const last = transactions.at(-1)!;
  if (total > taken && way !== 10) last.amount = Math.max(1, last.amount - (total - taken));
  return ledger.undoably(
    () =>
      ledger.call('finance_reconciliations_create', {
        transactions: transactions.map(({ id, amount }) => ({ id, amount: formatMoney(amount) })),
        documents: documents.map(({ taken: _, ...document }) => document),
      }),
    ({ id }) => ledger.call('finance_reconciliations_delete', { id, reason }),
  );
}

export async function unreconcile(ledger: Ledger, { which }: Step): Promise<Ended | null> {
  const id = pick(ledger.state.reconciliations, which);
  return id === undefined ? null : ledger.call('finance_reconciliations_delete', { id, reason });
}

export async function link(ledger: Ledger, step: Step): Promise<Ended | null> {
  const { which, other } = step;
  const lines = ledger.state.entries.filter(isLine);
  const credits = lines.filter(({ direction }) => direction === 'credit');
  const debits = lines.filter(({ direction }) => direction === 'debit');
  const pairs = debits.flatMap((debit) => credits.map((credit) => ({ debit, credit })));
  const equal = pairs.filter(
    ({ debit, credit }) => debit.amount === credit.amount && debit.account_id !== credit.account_id,
  );
  const pair = pick(other % 4 === 1 ? pairs : equal, which);
  if (pair === undefined) return null;
  const { debit, credit } = pair;
  const args = { debit_transaction_id: debit.id, credit_transaction_id: credit.id };
  return ledger.undoably(
    () => ledger.call('finance_transfers_link', args),
    ({ id }) => ledger.call('finance_transfers_cancel', { id, reason }),
    isTried(step),
  );
}

/** A payment or transfer on record for the line, where the step is about one and there is none. */
async function recordFor(ledger: Ledger, line: EntryState, { other, way }: Step): Promise<void> {
  const { accounts } = ledger.books;
  const isDebit = line.direction === 'debit';
  if (way === 11 && transferFor(ledger, line, other).length === 0) {
    const elsewhere = pick(
      accounts.filter(({ id }) => id !== line.account_id),
      other,
    )!.id;
    await ledger.call('finance_transfers_create', {
      from_account_id: isDebit ? line.account_id : elsewhere,
      to_account_id: isDebit ? elsewhere : line.account_id,
      amount: formatMoney(line.amount),
      date: '2026-09-30',
      method: 'internal',
    });
  } else if (way % 4 === 3 && settledFor(ledger, line, other).length === 0) {
    const kind = isDebit ? 'payable' : 'receivable';
    const debt = debtOf(ledger, { other: 1, which: other }, kind);
    await ledger.call(tool(debt, 'settle'), {
      id: debt.id,
      account_id: line.account_id,
      amount: formatMoney(Math.max(1, Math.min(debt.open, line.rest))),
      paid_at: '2026-09-30',
    });
  } else return;
  await ledger.look();
}

type Wanted = { readonly taken: number; readonly kind: string; readonly id: string } & Record<
  string,
  unknown
>;

function documentsFor(ledger: Ledger, line: EntryState, { other, way }: Step, total: number): Wanted[] {
  // Now and then what a line of the direction cannot have paid.
  const isFitting = way !== 9;
  const kind = (line.direction === 'debit') === isFitting ? 'payable' : 'receivable';
  const settled = way % 4 === 3 ? settledFor(ledger, line, other).filter(({ taken }) => taken <= total) : [];
  const open = ledger.state.debts.filter((debt) => debt.kind === kind && isOpen(debt));
  const debts = some(open, other, settled.length > 0 ? 1 : 1 + (other % 3));
  const documents: Wanted[] = [...settled];
  let left = total - documents.reduce((sum, { taken }) => sum + taken, 0);
  for (const { id, open: most } of debts) {
    if (left <= 0) break;
    const extra = [
      {},
      { interest: 5, fine: 2 },
      { discount: 7 },
      kind === 'receivable' ? { fee: 9 } : { fine: 3 },
    ][(way + documents.length) % 4] as Record<string, number>;
    const { interest = 0, fine = 0, discount = 0, fee = 0 } = extra;
    const principal = Math.max(0, Math.min(most, left - interest - fine + discount + fee));
    const taken = principal + interest + fine - discount - fee;
    const parts = Object.entries({ principal, ...extra }).map(([part, value]) => [part, formatMoney(value)]);
    documents.push({ kind, id, taken, ...Object.fromEntries(parts) });
    left -= taken;
  }
  return documents;
}

function settledFor({ state }: Ledger, line: EntryState, at: number): Wanted[] {
  const kind = line.direction === 'debit' ? 'payable' : 'receivable';
  const fitting = state.settlements.filter((one) => one.kind === kind && one.account_id === line.account_id);
  return some(fitting, at, 1).map(({ id, cash }) => ({ kind: 'settlement', id, taken: cash }));
}

function transferFor({ state }: Ledger, { account_id, direction }: EntryState, at: number): Wanted[] {
  const side = direction === 'debit' ? 'from' : 'to';
  const fitting = state.transfers.filter(
    (transfer) => transfer[side] === account_id && transfer.status === 'confirmed',
  );
  return some(fitting, at, 1).map(({ id, amount }) => ({ kind: 'transfer', id, taken: amount }));
}
