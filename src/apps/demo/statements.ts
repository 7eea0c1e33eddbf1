/** What the banks of the checking accounts say about the last whole month, as files; most lines are ours already. */

import { previousBusinessDay } from '../../core/calendar.ts';
import { addDays, type CivilDate, lastDayOfMonth, monthOf } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
import {
  type Accounts,
  balanceOn,
  type Movement,
  type StatedMovement,
  statementMonthOf,
} from './accounts.ts';
import { type ChargeRow, endToEndIdOf } from './charges.ts';
import { ofxOf } from './ofx.ts';
import type { Bill } from './payables.ts';
import type { People } from './people.ts';
import type { Plan } from './plans.ts';
import type { Sale } from './receivables.ts';
import type { SalePlan } from './sales.ts';
import type { NewRow, Setting } from './setting.ts';

type TransactionRow = NewRow<'financial_transactions'>;

/** A line and the settlement it is reconciled with. */
export interface Tie {
  /** The bank's reference of the line. */
  readonly reference: string;
  readonly settlement_id: string;
  /** The entry whose place the line takes. */
  readonly entry_id: string;
}

export interface SampleStatement {
  readonly accountId: string;
  readonly file: { readonly name: string; readonly bytes: Buffer };
  readonly ties: readonly Tie[];
}

export interface Statements {
  readonly statements: readonly SampleStatement[];
  /** Lines that no entry of ours stands for. */
  readonly unknown: readonly StatedMovement[];
}

/** Kept by the bank out of what a charge brought, as the line shows it. */
const FEE_CENTS = 249;
/** Of each direction, so many recorded settlements of the first account are left to be reconciled. */
const LEFT_OPEN = 2;
const BILLS_BY_NUMBER = 3;
const BILLS_BY_AMOUNT = 2;
const SALES_BY_NUMBER = 2;
const SALES_IN_ONE = 3;
const TRANSFERRED_CENTS = 4_321_000;

/** Bills and sales of the first company that lines paid and nobody has settled. */
export function planStated(
  { random, today }: Setting,
  { suppliers, customers }: People,
  company: NewRow<'companies'>,
): { bills: Plan[]; sales: SalePlan[] } {
  const dueOn = (day: number) => previousBusinessDay(addDays(`${statementMonthOf(today)}-01`, day - 1));
  const usual = (dueDate: CivilDate) => ({
    fate: 'overdue' as const,
    company,
    dueDate,
    issueDate: addDays(dueDate, -20),
    amount: random.integer(90_000, 480_000),
    terms: null,
  });
  const documented = suppliers.filter(({ trade }) => trade.paidBy === 'ted' || trade.paidBy === 'pix_key');
  const bills = Array.from({ length: BILLS_BY_NUMBER + BILLS_BY_AMOUNT }, (_, index): Plan => {
    const supplier = documented[index * 3]!;
    return {
      ...usual(dueOn(8 + index * 3)),
      supplier,
      paidBy: supplier.trade.paidBy,
      documentNumber: `7${random.digits(5)}`,
      statedBy: index < BILLS_BY_NUMBER ? 'number' : 'amount',
    };
  });
  const sales = Array.from({ length: SALES_BY_NUMBER + SALES_IN_ONE }, (_, index): SalePlan => {
    const isCharged = index < SALES_BY_NUMBER;
    return {
      ...usual(dueOn(isCharged ? 10 + index * 5 : 24)),
      customer: isCharged ? customers[index]! : customers.at(-1)!,
      chargedBy: isCharged ? ['boleto'] : null,
      category: 'Venda de mercadorias',
      statedBy: isCharged ? 'our_number' : 'sum',
    };
  });
  return { bills, sales };
}

export interface StatementsGiven {
  readonly accounts: Accounts;
  readonly bills: readonly Bill[];
  readonly sales: readonly Sale[];
  readonly charges: readonly ChargeRow[];
  readonly settlements: readonly NewRow<'settlements'>[];
  readonly transactions: readonly TransactionRow[];
  readonly stated: readonly StatedMovement[];
}

interface Line extends StatedMovement {
  readonly settles?: { readonly settlement_id: string; readonly entry_id: string };
}

export function buildStatements(setting: Setting, given: StatementsGiven): Statements {
  const month = statementMonthOf(setting.today);
  const unknown = [...given.stated, ...openLines(setting, given)];
  const known = knownLines(month, given);
  const movements: Movement[] = [...given.transactions, ...unknown];
  const closingOn = lastDayOfMonth(month);
  const statements = given.accounts.checking.map((account, place): SampleStatement => {
    const isOwn = ({ account_id }: Movement) => account_id === account.id;
    const own = place === 0 ? leftOpen(known.filter(isOwn)) : known.filter(isOwn);
    const all: Line[] = [...own, ...unknown.filter(isOwn)];
    const lines = all
      .sort((left, right) => (left.date < right.date ? -1 : left.date > right.date ? 1 : 0))
      .map((line, index) => ({ ...line, reference: `${line.date.replaceAll('-', '')}${1_000 + index}` }));
    const balance = balanceOn(account, movements.filter(isOwn), closingOn);
    return {
      accountId: account.id,
      file: {
        name: `extrato-${month}-${account.number}.ofx`,
        bytes: ofxOf(account, lines, closingOn, balance),
      },
      ties: lines.flatMap(({ settles, reference }) =>
        settles === undefined ? [] : [{ reference, ...settles }],
      ),
    };
  });
  return { statements, unknown };
}

/** The lines of what was settled in the month, as a bank would word them. */
function knownLines(month: string, given: StatementsGiven): Line[] {
  const settledBy = new Map(given.settlements.map((row) => [row.transaction_id, row]));
  const bills = new Map(given.bills.map((bill) => [bill.row.id, bill]));
  const sales = new Map(given.sales.map((sale) => [sale.row.id, sale]));
  const charges = new Map(given.charges.map((row) => [row.id, row]));
  return given.transactions.flatMap((entry): Line[] => {
    const settlement = settledBy.get(entry.id);
    const isChecking = given.accounts.checking.some(({ id }) => id === entry.account_id);
    if (settlement === undefined || !isChecking || monthOf(entry.date) !== month) return [];
    const { payable_id, receivable_id, charge_id } = settlement;
    const memo =
      payable_id !== null
        ? paidMemo(bills.get(payable_id)!)
        : receivedMemo(sales.get(receivable_id!)!, charges.get(charge_id ?? ''));
    return [{ ...movementOf(entry), memo, settles: { settlement_id: settlement.id, entry_id: entry.id } }];
  });
}

function paidMemo({ plan, row }: Bill): string {
  return `PAGTO ${row.document_number ?? ''} ${plan.supplier.person.name}`;
}

function receivedMemo({ plan }: Sale, charge: ChargeRow | undefined): string {
  if (charge === undefined) return `CREDITO RECEBIDO ${plan.customer.name}`;
  return charge.end_to_end_id === null
    ? `LIQ COBRANCA ${charge.our_number}`
    : `PIX RECEBIDO ${charge.end_to_end_id}`;
}

/** The lines as they are, the last ones of each direction without what they belong to. */
function leftOpen(lines: readonly Line[]): Line[] {
  const left = (['debit', 'credit'] as const).flatMap((side) =>
    lines.filter(({ direction }) => direction === side).slice(-LEFT_OPEN),
  );
  return lines.map((line) => {
    if (!left.includes(line)) return line;
    const { settles: _, ...rest } = line;
    return rest;
  });
}

/** Lines of the first account about what is still open, and one transfer between the first two accounts. */
function openLines(setting: Setting, { accounts, bills, sales, charges }: StatementsGiven): StatedMovement[] {
  const [first, second] = accounts.checking;
  const lines: StatedMovement[] = [];
  const add = (
    direction: 'credit' | 'debit',
    date: CivilDate,
    amount_cents: Cents,
    memo: string,
    account = first!,
  ) => lines.push({ account_id: account.id, date, direction, amount_cents, memo });
  for (const bill of bills) {
    const { plan, row } = bill;
    if (plan.statedBy === undefined) continue;
    add(
      'debit',
      row.due_date,
      row.amount_cents,
      plan.statedBy === 'number' ? paidMemo(bill) : 'DEB AUTORIZADO',
    );
  }
  for (const { plan, row } of sales) {
    if (plan.statedBy !== 'our_number') continue;
    const charge = charges.find(({ receivable_id }) => receivable_id === row.id)!;
    add('credit', row.due_date, row.amount_cents - FEE_CENTS, `LIQ COBRANCA ${charge.our_number}`);
  }
  const together = sales.filter(({ plan }) => plan.statedBy === 'sum');
  const [one] = together;
  const sum = together.reduce((total, { row }) => total + row.amount_cents, 0);
  add('credit', one!.row.due_date, sum, `TED RECEBIDA ${one!.plan.customer.name}`);
  const movedOn = previousBusinessDay(`${statementMonthOf(setting.today)}-20`);
  const endToEndId = endToEndIdOf(setting, movedOn);
  add('debit', movedOn, TRANSFERRED_CENTS, `PIX ENVIADO ${endToEndId}`);
  add('credit', movedOn, TRANSFERRED_CENTS, `PIX RECEBIDO ${endToEndId}`, second!);
  return lines;
}

function movementOf({ account_id, date, direction, amount_cents }: Movement): Movement {
  return { account_id, date, direction, amount_cents };
}
