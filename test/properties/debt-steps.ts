/** What people do with payables, receivables, entries and closed months. */

import { formatMoney } from '../../src/core/money.ts';
import { BOLETOS } from './books.ts';
import type { DebtState } from './checks.ts';
import type { Ended, Ledger } from './ledger.ts';
import { cents, debtOf, isTried, pick, reason, type Step, tool } from './step.ts';

/** How the money of a settlement is made up; empty: the rest is left to what accrued. */
function partsOf(way: number, amount: number, isReceivable: boolean): Record<string, string> {
  const fee: Record<string, string> = isReceivable
    ? { fee: formatMoney([0, 9, amount, amount + 1][way % 4]!) }
    : {};
  switch (way % 6) {
    case 0:
      return { ...fee, principal: formatMoney(amount + 7), discount: '0.07' };
    case 1:
      return { ...fee, interest: '0.05', fine: '0.02' };
    case 2:
      return fee;
    default:
      return {};
  }
}

export function settle(ledger: Ledger, step: Step): Promise<Ended> {
  const debt = debtOf(ledger, step);
  const amount = cents(debt.open, step.share);
  const args = {
    id: debt.id,
    account_id: pick(ledger.books.accounts, step.other)!.id,
    amount: formatMoney(amount),
    paid_at: step.day,
    ...partsOf(step.way, amount, debt.kind === 'receivable'),
  };
  return ledger.undoably(
    () => ledger.call(tool(debt, 'settle'), args),
    ({ settlement }) =>
      ledger.call(tool(debt, 'unsettle'), { id: debt.id, settlement_id: settlement.id, reason }),
    isTried(step),
  );
}

export async function unsettle(ledger: Ledger, { which }: Step): Promise<Ended | null> {
  const settlement = pick(ledger.state.settlements, which);
  if (settlement === undefined) return null;
  const { id: settlement_id, debt_id: id } = settlement;
  return ledger.call(tool(settlement, 'unsettle'), { id, settlement_id, reason });
}

export function writeOff(ledger: Ledger, step: Step): Promise<Ended> {
  const { id } = debtOf(ledger, step, 'receivable');
  const args = { id, reason, category_id: ledger.books.expense, date: step.day };
  return ledger.undoably(
    () => ledger.call('finance_receivables_write_off', args),
    () => ledger.call('finance_receivables_unsettle', { id, write_off: true, reason }),
    isTried(step),
  );
}

export async function reverseWriteOff(ledger: Ledger, { which }: Step): Promise<Ended | null> {
  const lost = pick(
    ledger.state.debts.filter(({ status }) => status === 'written_off'),
    which,
  );
  if (lost === undefined) return null;
  return ledger.call('finance_receivables_unsettle', { id: lost.id, write_off: true, reason });
}

export function cancel(ledger: Ledger, step: Step): Promise<Ended> {
  const debt = debtOf(ledger, step);
  return ledger.call(tool(debt, step.way % 4 === 0 ? 'delete' : 'cancel'), {
    id: debt.id,
    ...(step.way % 4 !== 0 && { reason }),
  });
}

export function close(ledger: Ledger, { which, way }: Step): Promise<Ended> {
  const until = pick(['2026-09-30', '2026-09-15', '2026-08-31', null], way);
  const id = pick(ledger.books.companies, which);
  return ledger.call('finance_companies_update', { id, books_closed_until: until });
}

function detailsOf(at: number): object {
  const ways = [
    { kind: 'pix_key', key: 'a@example.com' },
    { kind: 'pix_key', key: 'b@example.com' },
    ...BOLETOS.map(({ barcode }) => ({ kind: 'boleto', code: barcode })),
  ];
  return pick(ways, at)!;
}

/** Changes that make documents alike, among others. */
function changeOf({ books, state }: Ledger, { other, way }: Step, debt: DebtState): object {
  const people = debt.kind === 'payable' ? books.suppliers : books.customers;
  const numbers = debt.kind === 'payable' ? ['NF-1', 'NF-2'] : ['V-1', 'V-2'];
  const amount = pick(
    state.debts.filter(({ kind }) => kind === debt.kind),
    other,
  )!.amount;
  const changes = [
    debt.kind === 'payable'
      ? { payment_details: detailsOf(other) }
      : { competence_month: pick(['2026-08', '2026-10'], other) },
    { person_id: pick(people, other), amount: formatMoney(amount) },
    { document_number: pick(numbers, other), amount: formatMoney(amount), person_id: pick(people, way) },
    { amount: formatMoney(amount) },
    { abatement: formatMoney([0, 100, debt.amount, debt.amount - 1][other % 4]!) },
    { due_date: '2026-10-13' },
    { issue_date: pick(['2026-08-10', null, '2026-09-10'], other) },
    { withholdings: [{ kind: 'iss', amount: formatMoney(1 + other) }] },
  ];
  return pick(changes, way)!;
}

export function update(ledger: Ledger, step: Step): Promise<Ended> {
  const approved = ledger.state.debts.find(({ approval_status }) => approval_status === 'approved');
  const debt = step.which % 4 === 0 && approved !== undefined ? approved : debtOf(ledger, step);
  return ledger.call(tool(debt, 'update'), { id: debt.id, ...changeOf(ledger, step, debt) });
}

/** The same person, number and amount as another one, named as one that it may be like. */
export function liken(ledger: Ledger, step: Step): Promise<Ended> {
  const debt = debtOf(ledger, step);
  const alike = pick(
    ledger.state.debts.filter(({ kind }) => kind === debt.kind),
    step.other,
  )!;
  const change = { person_id: alike.person_id, amount: formatMoney(alike.amount), document_number: 'NF-1' };
  return ledger.call(tool(debt, 'update'), { id: debt.id, ...change, allow_duplicate_of: alike.id });
}

export function register(ledger: Ledger, { which, other, way, day }: Step): Promise<Ended> {
  const { books, state } = ledger;
  const kind = way % 2 === 0 ? 'payable' : 'receivable';
  const args = {
    company_id: pick(books.companies, which),
    person_id: pick(kind === 'payable' ? books.suppliers : books.customers, other),
    description: 'Random',
    amount: formatMoney(
      pick(
        state.debts.filter((debt) => debt.kind === kind),
        which,
      )!.amount,
    ),
    due_date: day,
    document_number: pick(['NF-1', 'V-1', 'X-1'], way),
    ...(kind === 'payable' && { payment_details: detailsOf(which) }),
  };
  return ledger.call(tool({ kind }, 'create'), args, books.clerk);
}

export async function approve(ledger: Ledger, { which, way }: Step): Promise<Ended | null> {
  const { books, state } = ledger;
  const pending = pick(
    state.debts.filter(({ approval_status }) => approval_status === 'pending'),
    which,
  );
  if (pending === undefined) return null;
  const { id } = pending;
  if (way % 4 === 0) return ledger.call('finance_payables_reject', { id, reason }, books.approver);
  return ledger.call('finance_payables_approve', { id }, way % 4 === 1 ? books.clerk : books.approver);
}

export function enter(ledger: Ledger, { which, other, day, way }: Step): Promise<Ended> {
  const debt = pick(ledger.state.debts, which)!;
  return ledger.call('finance_financial_transactions_create', {
    account_id: pick(ledger.books.accounts, other)!.id,
    date: day,
    direction: way % 2 === 0 ? 'debit' : 'credit',
    amount: formatMoney(debt.amount),
    description: 'LANCAMENTO',
  });
}

export function ignore(ledger: Ledger, { which, way }: Step): Promise<Ended> {
  const { id } = pick(ledger.state.entries, which)!;
  if (way % 3 === 0) return ledger.call('finance_financial_transactions_delete', { id });
  return ledger.call('finance_financial_transactions_update', { id, ignored: way % 3 === 1 });
}
