/**
 * The figures of the reports a second time, from the definitions alone: one plain pass over the books for each, without
 * SQL and without any rule of the product. Amounts in centavos.
 */

import type { Book, BookDocument, BookEntry } from './random-books.ts';

const DAY_MS = 86_400_000;
const text = (cents: number) =>
  `${cents < 0 ? '-' : ''}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`;
const sum = (values: readonly number[]) => values.reduce((left, right) => left + right, 0);
const shown = (amounts: readonly number[]) => ({ amount: text(sum(amounts)), count: amounts.length });

/** Days of the calendar without the product's own arithmetic. */
const dayNumber = (date: string) =>
  Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1, Number(date.slice(8))) / DAY_MS;
const dateOf = (number: number) => new Date(number * DAY_MS).toISOString().slice(0, 10);
const weekday = (date: string) => new Date(dayNumber(date) * DAY_MS).getUTCDay();

const earlier = (left: string, right: string) => [left, right].sort()[0]!;

const isOpen = ({ status }: BookDocument) => status === 'open' || status === 'partially_paid';
const base = ({ amount, abatement, withheld }: BookDocument) => amount - abatement - withheld;
const effective = ({ settlements }: BookDocument) => settlements.filter(({ isEffective }) => isEffective);
const openNow = (document: BookDocument) =>
  base(document) -
  sum(effective(document).map(({ principal }) => principal)) -
  (document.writtenOff?.cents ?? 0);
const isCash = ({ kind }: { kind: string }) => kind !== 'card' && kind !== 'investment';
const signed = ({ direction, amount }: BookEntry) => (direction === 'credit' ? amount : -amount);

/** An entry that no settlement stands for, with its rest. */
function othersOf(book: Book, from: string, to: string, companyId?: string) {
  const accounts = new Map(book.accounts.map((account) => [account.id, account]));
  return book.entries
    .filter(
      ({ isIgnored, isTransfer, source, isSecondReceipt }) =>
        !isIgnored && !isTransfer && (isSecondReceipt || ['manual', 'import', 'adjustment'].includes(source)),
    )
    .filter(({ date }) => date >= from && date <= to)
    .filter(({ accountId }) => companyId === undefined || accounts.get(accountId)!.companyId === companyId)
    .map((entry) => ({ ...entry, rest: entry.amount - entry.reconciled }))
    .filter(({ rest }) => rest > 0);
}

export function reckonCashFlow(
  book: Book,
  {
    today,
    until,
    bucket,
    includeOverdue,
    companyId,
  }: {
    today: string;
    until: string;
    bucket: 'day' | 'week' | 'month';
    includeOverdue: boolean;
    companyId?: string | undefined;
  },
) {
  const own = <Row extends { companyId: string }>(rows: readonly Row[]) =>
    rows.filter((row) => companyId === undefined || row.companyId === companyId);
  const accounts = own(book.accounts).filter((account) => account.active && isCash(account));
  const balance = sum(
    accounts.map(
      ({ id, openingCents }) =>
        openingCents +
        sum(
          book.entries
            .filter((entry) => entry.accountId === id && !entry.isIgnored && entry.date <= today)
            .map(signed),
        ),
    ),
  );
  const expected = own(book.documents)
    .filter(isOpen)
    .map((document) => {
      const planned = document.plannedOn ?? document.adjustedDueOn;
      const ordered =
        document.orderedFor === null || document.orderedFor >= today ? document.orderedFor : today;
      return { kind: document.kind, cents: openNow(document), day: ordered ?? planned };
    });
  const flow = (chosen: typeof expected) => {
    const [inflow, outflow] = (['receivable', 'payable'] as const).map((kind) =>
      chosen.filter((one) => one.kind === kind).map(({ cents }) => cents),
    );
    return {
      inflow: text(sum(inflow!)),
      outflow: text(sum(outflow!)),
      net: text(sum(inflow!) - sum(outflow!)),
      inflow_count: inflow!.length,
      outflow_count: outflow!.length,
    };
  };
  const net = (chosen: typeof expected) =>
    sum(chosen.map(({ kind, cents }) => (kind === 'receivable' ? cents : -cents)));
  const late = expected.filter(({ day }) => day < today);
  const start = balance + (includeOverdue ? net(late) : 0);
  const buckets: { from: string; to: string; balance: string; [name: string]: unknown }[] = [];
  let lowest = { date: '', balance: Number.POSITIVE_INFINITY };
  for (let number = dayNumber(today); number <= dayNumber(until); number += 1) {
    const date = dateOf(number);
    const after = start + net(expected.filter(({ day }) => day >= today && day <= date));
    if (after < lowest.balance) lowest = { date, balance: after };
    const isFirst =
      buckets.length === 0 ||
      bucket === 'day' ||
      (bucket === 'week' && weekday(date) === 1) ||
      (bucket === 'month' && date.endsWith('-01'));
    if (isFirst) buckets.push({ from: date, to: date, balance: '' });
    const last = buckets.at(-1)!;
    Object.assign(last, {
      to: date,
      balance: text(after),
      ...flow(expected.filter(({ day }) => day >= last.from && day <= date)),
    });
  }
  const ahead = expected.filter(({ day }) => day >= today && day <= until);
  return {
    balance_today: { amount: text(balance), accounts: accounts.length },
    overdue: { ...flow(late), included: includeOverdue },
    buckets,
    total: flow(includeOverdue ? [...late, ...ahead] : ahead),
    balance_end: text(start + net(ahead)),
    lowest: { date: lowest.date, balance: text(lowest.balance) },
  };
}

/** What was settled in the period, each with its document. */
function settledIn(book: Book, from: string, to: string, companyId?: string) {
  return book.documents
    .filter((document) => companyId === undefined || document.companyId === companyId)
    .flatMap((document) => effective(document).map((settlement) => ({ ...settlement, document })))
    .filter(({ paidOn }) => paidOn >= from && paidOn <= to)
    .map((one) => ({ ...one, moved: one.principal - one.discount + one.interest + one.fine }));
}

export function reckonMonth(
  book: Book,
  { month, today, companyId }: { month: string; today: string; companyId?: string | undefined },
) {
  const days = Array.from({ length: 31 }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`);
  const [from, to] = [days[0]!, days.filter((day) => dateOf(dayNumber(day)) === day).at(-1)!];
  const settled = settledIn(book, from, to, companyId);
  const others = othersOf(book, from, to, companyId);
  const accounts = book.accounts.filter(
    (account) => isCash(account) && (companyId === undefined || account.companyId === companyId),
  );
  const balanceOn = (date: string) =>
    text(
      sum(
        accounts.map(
          ({ id, openingCents }) =>
            openingCents +
            sum(
              book.entries
                .filter((entry) => entry.accountId === id && !entry.isIgnored && entry.date <= date)
                .map(signed),
            ),
        ),
      ),
    );
  const [startOn, endOn] = [earlier(dateOf(dayNumber(from) - 1), today), earlier(to, today)];
  const parts = (kind: BookDocument['kind']) => {
    const own = settled.filter(({ document }) => document.kind === kind);
    const total = (part: 'moved' | 'principal' | 'discount' | 'interest' | 'fine' | 'fee') =>
      sum(own.map((one) => one[part]));
    const { length: count } = own;
    return {
      fee: total('fee'),
      moved: total('moved'),
      shown: {
        amount: text(total('moved')),
        principal: text(total('principal')),
        discount: text(total('discount')),
        interest: text(total('interest')),
        fine: text(total('fine')),
        count,
      },
    };
  };
  const rests = (direction: string) =>
    others.filter((entry) => entry.direction === direction).map(({ rest }) => rest);
  const left = (kind: BookDocument['kind']) => {
    const own = book.documents.filter(
      (document) =>
        document.kind === kind &&
        isOpen(document) &&
        document.dueOn >= from &&
        document.dueOn <= to &&
        (companyId === undefined || document.companyId === companyId),
    );
    const late = own.filter(({ adjustedDueOn }) => adjustedDueOn < today);
    return {
      ...shown(own.map(openNow)),
      overdue_amount: text(sum(late.map(openNow))),
      overdue_count: late.length,
    };
  };
  const categories = (kind: BookDocument['kind'], direction: string) => {
    const booked = [
      ...settled
        .filter(({ document }) => document.kind === kind)
        .map(({ document, principal, discount }) => ({
          categoryId: document.categoryId,
          cents: principal - discount,
        })),
      ...others
        .filter((entry) => entry.direction === direction)
        .map(({ categoryId, rest }) => ({ categoryId, cents: rest })),
    ];
    return [...Map.groupBy(booked, ({ categoryId }) => categoryId)].map(([categoryId, own]) => ({
      category_id: categoryId,
      path: pathOf(book, categoryId),
      ...shown(own.map(({ cents }) => cents)),
    }));
  };
  const [paid, received] = [parts('payable'), parts('receivable')];
  return {
    report: {
      from,
      to,
      is_over: to < today,
      balance: {
        start: { date: startOn, amount: balanceOn(startOn) },
        end: { date: endOn, amount: balanceOn(endOn) },
        accounts: accounts.length,
      },
      paid: paid.shown,
      received: { ...received.shown, fee: text(received.fee), credited: text(received.moved - received.fee) },
      other_entries: { credits: shown(rests('credit')), debits: shown(rests('debit')) },
      net: text(received.moved - received.fee + sum(rests('credit')) - paid.moved - sum(rests('debit'))),
      left_open: { payables: left('payable'), receivables: left('receivable') },
    },
    outflow: categories('payable', 'debit'),
    inflow: categories('receivable', 'credit'),
  };
}

function pathOf(book: Book, id: string | null): string[] {
  const category = book.categories.find((one) => one.id === id);
  return category === undefined ? [] : [...pathOf(book, category.parentId), category.name];
}

/** Forwards, from what a document was worth: production goes backwards from what is open now. */
export function reckonAging(
  book: Book,
  {
    kind,
    asOf,
    today,
    bands,
    groupBy,
  }: {
    kind: BookDocument['kind'];
    asOf: string;
    today: string;
    bands: readonly number[];
    groupBy?: 'person' | 'company' | undefined;
  },
) {
  const owed = book.documents
    .filter(
      (document) => document.kind === kind && document.status !== 'draft' && document.status !== 'canceled',
    )
    .filter(
      ({ issuedOn, dueOn, createdOn }) => asOf === today || (issuedOn ?? earlier(dueOn, createdOn)) <= asOf,
    )
    .map((document) => {
      const settled = sum(
        effective(document)
          .filter(({ paidOn }) => paidOn <= asOf)
          .map(({ principal }) => principal),
      );
      const givenUp =
        document.writtenOff !== null && document.writtenOff.on <= asOf ? document.writtenOff.cents : 0;
      const late = document.adjustedDueOn < asOf ? dayNumber(asOf) - dayNumber(document.dueOn) : 0;
      return { document, late, cents: base(document) - settled - givenUp };
    })
    .filter(({ cents }) => cents > 0);
  const sums = (chosen: typeof owed) => {
    const between = (from: number, to: number) =>
      shown(chosen.filter(({ late }) => late >= from && late <= to).map(({ cents }) => cents));
    return {
      not_yet_due: between(0, 0),
      overdue: between(1, Number.POSITIVE_INFINITY),
      total: between(0, Number.POSITIVE_INFINITY),
      bands: [...bands, null].map((to, index) => {
        const from = index === 0 ? 1 : bands[index - 1]! + 1;
        return { from_days: from, to_days: to, ...between(from, to ?? Number.POSITIVE_INFINITY) };
      }),
    };
  };
  const names = new Map([
    ...book.people.map(({ id, name }) => [id, name] as const),
    ...book.companyIds.map((id, index) => [id, `Company ${index}`] as const),
  ]);
  const groups =
    groupBy === undefined ? [] : [...Map.groupBy(owed, ({ document }) => document[`${groupBy}Id`])];
  const totalOf = (chosen: typeof owed) => sum(chosen.map(({ cents }) => cents));
  return {
    ...sums(owed),
    groups: groups
      .sort(
        ([leftId, left], [rightId, right]) => totalOf(right) - totalOf(left) || (leftId < rightId ? -1 : 1),
      )
      .map(([id, own]) => ({ id, name: names.get(id), ...sums(own) })),
    groups_count: groups.length,
  };
}

export function reckonStatement(
  book: Book,
  { from, to, basis }: { from: string; to: string; basis: 'cash' | 'competence' },
) {
  const settled = basis === 'cash' ? settledIn(book, from, to) : [];
  const others = basis === 'cash' ? othersOf(book, from, to) : [];
  const months = book.documents.filter(
    ({ status, month }) =>
      basis === 'competence' &&
      status !== 'draft' &&
      status !== 'canceled' &&
      month >= from.slice(0, 7) &&
      month <= to.slice(0, 7),
  );
  const givenUp = book.documents.flatMap(({ writtenOff }) =>
    basis === 'competence' && writtenOff !== null && writtenOff.on >= from && writtenOff.on <= to
      ? [writtenOff]
      : [],
  );
  /** Money in is positive. */
  const booked = [
    ...settled.map(({ document, principal, discount }) => ({
      categoryId: document.categoryId,
      cents: (document.kind === 'receivable' ? 1 : -1) * (principal - discount),
    })),
    ...others
      .filter(({ categoryId }) => categoryId !== null)
      .map((entry) => ({
        categoryId: entry.categoryId,
        cents: entry.direction === 'credit' ? entry.rest : -entry.rest,
      })),
    ...months.map(({ kind, categoryId, amount, abatement }) => ({
      categoryId,
      cents: (kind === 'receivable' ? 1 : -1) * (amount - abatement),
    })),
    ...givenUp.map(({ categoryId, cents }) => ({ categoryId: categoryId as string | null, cents: -cents })),
  ];
  const isBelow = (id: string | null, top: string): boolean =>
    id !== null && (id === top || isBelow(book.categories.find((one) => one.id === id)!.parentId, top));
  const isIncome = (categoryId: string | null, kind: 'receivable' | 'payable') =>
    categoryId === null
      ? kind === 'receivable'
      : book.categories.find(({ id }) => id === categoryId)!.kind === 'income';
  const side = (kind: 'income' | 'expense') => {
    const sign = kind === 'income' ? 1 : -1;
    const lines = book.categories
      .filter((category) => category.kind === kind)
      .map((category) => ({
        category,
        own: booked
          .filter(({ categoryId }) => isBelow(categoryId, category.id))
          .map(({ cents }) => sign * cents),
      }))
      .filter(({ own }) => own.length > 0)
      .map(({ category, own }) => ({
        category_id: category.id,
        parent_id: category.parentId,
        name: category.name,
        path: pathOf(book, category.id),
        level: pathOf(book, category.id).length,
        statement_group: null,
        ...shown(own),
      }));
    const bare = [
      ...settled.map(({ document, principal, discount }) => ({ document, cents: principal - discount })),
      ...months.map((document) => ({ document, cents: document.amount - document.abatement })),
    ]
      .filter(
        ({ document }) =>
          document.categoryId === null && (document.kind === 'receivable') === (kind === 'income'),
      )
      .map(({ cents }) => cents);
    return { lines, uncategorised: shown(bare) };
  };
  const extras = (kind: BookDocument['kind'], part: 'interest' | 'fine' | 'fee' | 'discount') =>
    sum(settled.filter(({ document }) => document.kind === kind).map((one) => one[part]));
  // Each amount on its own, so that no total is made of lines: those of documents and entries by side, and the extras.
  const sideTotal = (kind: 'income' | 'expense') => {
    const sign = kind === 'income' ? 1 : -1;
    const all = [
      ...settled.map(({ document, principal, discount }) => ({
        categoryId: document.categoryId,
        kind: document.kind,
        cents: (document.kind === 'receivable' ? 1 : -1) * (principal - discount),
      })),
      ...months.map((document) => ({
        categoryId: document.categoryId,
        kind: document.kind,
        cents: (document.kind === 'receivable' ? 1 : -1) * (document.amount - document.abatement),
      })),
      ...others
        .filter(({ categoryId }) => categoryId !== null)
        .map((entry) => ({
          categoryId: entry.categoryId,
          kind: 'payable' as const,
          cents: entry.direction === 'credit' ? entry.rest : -entry.rest,
        })),
      ...givenUp.map(({ categoryId, cents }) => ({
        categoryId: categoryId as string | null,
        kind: 'payable' as const,
        cents: -cents,
      })),
    ].filter((one) => isIncome(one.categoryId, one.kind) === (kind === 'income'));
    return sign * sum(all.map(({ cents }) => cents));
  };
  const income = sideTotal('income') + extras('receivable', 'interest') + extras('receivable', 'fine');
  const expense =
    sideTotal('expense') +
    extras('payable', 'interest') +
    extras('payable', 'fine') +
    extras('receivable', 'fee');
  const bare = (direction: string) =>
    shown(
      others
        .filter((entry) => entry.categoryId === null && entry.direction === direction)
        .map(({ rest }) => rest),
    );
  return {
    income: {
      ...side('income'),
      interest: text(extras('receivable', 'interest')),
      fine: text(extras('receivable', 'fine')),
      total: text(income),
    },
    expense: {
      ...side('expense'),
      interest: text(extras('payable', 'interest')),
      fine: text(extras('payable', 'fine')),
      fee: text(extras('receivable', 'fee')),
      total: text(expense),
    },
    result: text(income - expense),
    discounts: {
      granted: text(extras('receivable', 'discount')),
      obtained: text(extras('payable', 'discount')),
    },
    written_off: shown(givenUp.map(({ cents }) => cents)),
    not_counted: { credits: bare('credit'), debits: bare('debit') },
  };
}
