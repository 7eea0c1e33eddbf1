/** Financial accounts, what came in by hand, and the balances noted every month. */

import { addDays, addMonths, type CivilDate, lastDayOfMonth, monthOf } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
import { percentOf, splitCents } from '../../core/money.ts';
import { searchTextOf } from '../../db/listing.ts';
import type { Classification } from './classification.ts';
import { FOUNDED_DAYS_AGO } from './companies.ts';
import { bornAt, instantOn, type NewRow, type Setting } from './setting.ts';

type AccountRow = NewRow<'financial_accounts'>;
type TransactionRow = NewRow<'financial_transactions'>;

/** What comes in, as ten-thousandths of a percent of what goes out: the companies earn a little. */
const INCOME_PERCENT = 1_050_000;
const FEE_CENTS = 3_990;

export interface Accounts {
  /** One of each company, in their order. */
  readonly checking: readonly AccountRow[];
  readonly cash: AccountRow;
  readonly wallet: AccountRow;
}

export function buildAccounts(setting: Setting, companies: readonly NewRow<'companies'>[]): Accounts {
  const createdAt = instantOn(addDays(setting.today, -FOUNDED_DAYS_AGO), setting.random);
  const account = (
    name: string,
    kind: string,
    companyPlace: number,
    opening: Cents,
    bankCode: string | null,
  ): AccountRow => ({
    ...bornAt(setting, createdAt),
    company_id: companies[companyPlace]!.id,
    name,
    kind,
    bank_code: bankCode,
    agency: bankCode === null ? null : setting.random.digits(4),
    number: bankCode === null ? null : setting.random.digits(6),
    digit: bankCode === null ? null : setting.random.digits(1),
    opening_balance_cents: opening,
    opening_date: openingDateOf(setting.today),
    bank_adapter: 'simulator',
    bank_adapter_account: null,
    active: true,
    updated_at: createdAt,
    version: 1,
  });
  return {
    checking: companies.map(({ trade_name }, place) =>
      account(`Conta corrente ${trade_name}`, 'checking', place, 90_000_000, place === 0 ? '341' : '237'),
    ),
    cash: account('Caixa', 'cash', 0, 500_000, null),
    wallet: account('Conta de pagamento', 'payment', 0, 5_000_000, '290'),
  };
}

export function allAccounts({ checking, cash, wallet }: Accounts): AccountRow[] {
  return [...checking, cash, wallet];
}

/** Money that moved on a day. */
export type Movement = Pick<TransactionRow, 'account_id' | 'date' | 'direction' | 'amount_cents'>;

/** A movement that only the statement of the bank tells, in its words. */
export type StatedMovement = Movement & { readonly memo: string };

export interface ByHand {
  readonly transactions: TransactionRow[];
  /** Those of the month that statements were brought in for. */
  readonly stated: StatedMovement[];
}

/**
 * Sales without a document received at the beginning of every month and the bank's fee at its end, beside what
 * documents brought and took. Nobody enters them by hand where the statement of the bank tells them.
 */
export function buildByHand(
  setting: Setting,
  accounts: Accounts,
  moved: readonly Movement[],
  given: { classification: Classification; customers: readonly NewRow<'people'>[] },
): ByHand {
  const { random, today } = setting;
  const made: ByHand = { transactions: [], stated: [] };
  const [paid, received] = (['debit', 'credit'] as const).map((side) =>
    totalsByMonth(moved.filter(({ direction }) => direction === side)),
  );
  const sales = given.classification.leaf('Venda de mercadorias');
  const fees = given.classification.leaf('Tarifas bancárias');
  const add = (account: AccountRow, date: CivilDate, fields: Omit<EntryFields, 'source'>, memo: string) => {
    if (isStated(setting, account, date)) {
      const { direction, amount } = fields;
      made.stated.push({ account_id: account.id, date, direction, amount_cents: amount, memo });
    } else made.transactions.push(transactionOn(setting, account.id, date, { ...fields, source: 'manual' }));
  };
  for (const account of allAccounts(accounts)) {
    // What documents brought in beyond what was wanted in a month is less to come in by hand later.
    let wanted = 0;
    for (const month of monthsUpTo(today)) {
      const key = `${account.id} ${month}`;
      wanted += percentOf(paid!.get(key) ?? 0, INCOME_PERCENT) - (received!.get(key) ?? 0);
      const income = Math.max(0, wanted);
      wanted -= income;
      for (const part of income === 0 ? [] : splitCents(income, random.integer(2, 4))) {
        const date = addDays(`${month}-01`, random.integer(0, 8));
        if (part === 0 || date >= today) continue;
        const { id: personId, name } = random.pick(given.customers);
        const description = `Recebimento de ${name}`;
        const fields = {
          direction: 'credit',
          amount: part,
          description,
          categoryId: sales,
          personId,
        } as const;
        add(account, date, fields, 'CRED VENDAS CARTAO');
      }
      const closing = lastDayOfMonth(month);
      if (account.bank_code === null || closing >= today) continue;
      const description = 'Tarifa de manutenção de conta';
      const fields = {
        direction: 'debit',
        amount: FEE_CENTS,
        description,
        categoryId: fees,
        personId: null,
      } as const;
      add(account, closing, fields, 'TARIFA MANUTENCAO CONTA');
    }
  }
  return made;
}

/** The last whole month: the statements of the checking accounts were brought in for it. */
export function statementMonthOf(today: CivilDate): string {
  return addMonths(monthOf(today), -1);
}

function isStated({ today }: Setting, { kind }: AccountRow, date: CivilDate): boolean {
  return kind === 'checking' && monthOf(date) === statementMonthOf(today);
}

/** The book balance at the end of every month so far and of yesterday. */
export function buildBalances(
  setting: Setting,
  accounts: Accounts,
  movements: readonly Movement[],
): NewRow<'account_balances'>[] {
  const yesterday = addDays(setting.today, -1);
  const monthEnds = monthsUpTo(setting.today).map(lastDayOfMonth);
  const days = [...monthEnds.filter((day) => day < yesterday), yesterday];
  return allAccounts(accounts).flatMap((account) => {
    const own = movements.filter(({ account_id }) => account_id === account.id);
    return days.map((day) => {
      const asOf = `${day}T23:59:59.000-03:00`;
      return {
        ...bornAt(setting, asOf),
        account_id: account.id,
        amount_cents: balanceOn(account, own, day),
        blocked_cents: 0,
        as_of: asOf,
        source: account.bank_code === null ? 'manual' : 'bank',
      };
    });
  });
}

/** What an account holds at the end of a day, from its own movements. */
export function balanceOn(account: AccountRow, own: readonly Movement[], day: CivilDate): Cents {
  return own
    .filter(({ date }) => date <= day)
    .reduce((sum, movement) => sum + signed(movement), account.opening_balance_cents);
}

interface EntryFields {
  readonly direction: 'credit' | 'debit';
  readonly amount: Cents;
  readonly description: string;
  readonly categoryId: string | null;
  readonly personId: string | null;
  readonly source: 'manual' | 'payment' | 'settlement' | 'transfer';
  readonly costCenters?: unknown;
  readonly transferId?: string;
}

/** A movement dated and noted on that day. */
export function transactionOn(
  setting: Setting,
  accountId: string,
  date: CivilDate,
  fields: EntryFields,
): TransactionRow {
  const createdAt = instantOn(date, setting.random);
  return {
    ...bornAt(setting, createdAt),
    account_id: accountId,
    date,
    direction: fields.direction,
    amount_cents: fields.amount,
    description: fields.description,
    category_id: fields.categoryId,
    person_id: fields.personId,
    source: fields.source,
    notes: null,
    bank_reference: null,
    document_number: null,
    counterparty_name: null,
    counterparty_document: null,
    end_to_end_id: null,
    cost_centers: fields.costCenters ?? [],
    import_id: null,
    dedup_key: null,
    is_suspect: false,
    transfer_id: fields.transferId ?? null,
    superseded_by: null,
    classified_by: fields.categoryId === null ? null : 'person',
    search_text: searchTextOf(fields.description),
    ignored: false,
    reconciled_cents: 0,
    updated_at: createdAt,
    version: 1,
  };
}

function openingDateOf(today: CivilDate): CivilDate {
  return `${monthOf(addDays(today, -FOUNDED_DAYS_AGO))}-01`;
}

function monthsUpTo(today: CivilDate): string[] {
  const months: string[] = [];
  const last = monthOf(today);
  for (let month = monthOf(openingDateOf(today)); month <= last; month = addMonths(month, 1))
    months.push(month);
  return months;
}

function totalsByMonth(movements: readonly Movement[]): Map<string, Cents> {
  const totals = new Map<string, Cents>();
  for (const { account_id, date, amount_cents } of movements) {
    const key = `${account_id} ${monthOf(date)}`;
    totals.set(key, (totals.get(key) ?? 0) + amount_cents);
  }
  return totals;
}

function signed({ direction, amount_cents }: Movement): Cents {
  return direction === 'credit' ? amount_cents : -amount_cents;
}
