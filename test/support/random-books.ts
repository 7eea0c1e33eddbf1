/** Whole books of a workspace out of nothing, for reports to be computed over, and their way into the database. */

import fc from 'fast-check';
import pg from 'pg';
import { nextBusinessDay } from '../../src/core/calendar.ts';
import { addDays, addMonths, monthOf } from '../../src/core/dates.ts';
import { newId } from '../../src/core/ids.ts';

export interface BookAccount {
  readonly id: string;
  readonly companyId: string;
  readonly kind: string;
  readonly active: boolean;
  readonly openingCents: number;
}

export interface BookCategory {
  readonly id: string;
  readonly name: string;
  readonly kind: 'income' | 'expense';
  readonly parentId: string | null;
}

export interface BookSettlement {
  readonly paidOn: string;
  readonly principal: number;
  readonly discount: number;
  readonly interest: number;
  readonly fine: number;
  readonly fee: number;
  readonly isEffective: boolean;
}

export interface BookDocument {
  readonly kind: 'payable' | 'receivable';
  readonly id: string;
  readonly companyId: string;
  readonly personId: string;
  readonly categoryId: string | null;
  readonly amount: number;
  readonly abatement: number;
  readonly withheld: number;
  readonly dueOn: string;
  readonly adjustedDueOn: string;
  readonly plannedOn: string | null;
  readonly issuedOn: string | null;
  /** The day it was registered, in São Paulo. */
  readonly createdOn: string;
  readonly month: string;
  readonly settlements: readonly BookSettlement[];
  readonly writtenOff: { readonly on: string; readonly cents: number; readonly categoryId: string } | null;
  readonly status: string;
  readonly orderedFor: string | null;
}

export interface BookEntry {
  readonly id: string;
  readonly accountId: string;
  readonly date: string;
  readonly direction: 'credit' | 'debit';
  readonly amount: number;
  readonly reconciled: number;
  readonly source: string;
  readonly categoryId: string | null;
  readonly isIgnored: boolean;
  readonly isTransfer: boolean;
  /** Came a second time for a charge that was paid: a payment that settles nothing. */
  readonly isSecondReceipt: boolean;
}

export interface Book {
  readonly workspaceId: string;
  readonly companyIds: readonly string[];
  readonly people: readonly { readonly id: string; readonly name: string }[];
  readonly accounts: readonly BookAccount[];
  readonly categories: readonly BookCategory[];
  readonly documents: readonly BookDocument[];
  readonly entries: readonly BookEntry[];
}

const REACH_DAYS = 200;

/** Books of up to 60 documents and 60 entries around a day. */
export function bookAround(today: string): fc.Arbitrary<Book> {
  const pick = fc.nat(1_000);
  const cents = fc.oneof(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 1e11 }));
  // Every other day is a close one, so that days meet each other and the weekend.
  const daysFrom = (min: number, max: number) =>
    fc.oneof(fc.integer({ min, max }), fc.integer({ min: Math.max(min, -4), max: Math.min(max, 4) }));
  const near = daysFrom(-REACH_DAYS, REACH_DAYS).map((days) => addDays(today, days));
  const past = daysFrom(-REACH_DAYS, 0).map((days) => addDays(today, days));
  const settlement = fc.record({
    paidOn: past,
    share: fc.integer({ min: 0, max: 120 }),
    discount: fc.nat(50),
    interest: fc.nat(900),
    fine: fc.nat(200),
    fee: fc.nat(300),
    isEffective: fc.boolean(),
  });
  const document = fc.record({
    isPayable: fc.boolean(),
    company: pick,
    person: pick,
    category: fc.option(pick),
    amount: cents,
    abatement: fc.nat(100),
    withheld: fc.nat(100),
    dueOn: near,
    plannedOn: fc.option(near),
    issuedOn: fc.option(near),
    createdOn: past,
    monthsLater: fc.integer({ min: -2, max: 2 }),
    settlements: fc.array(settlement, { maxLength: 3, size: 'max' }),
    writeOff: fc.option(fc.record({ on: past, category: pick })),
    form: fc.constantFrom('draft', 'canceled', 'live', 'live', 'live', 'live'),
    orderedFor: fc.option(near),
  });
  const entry = fc.record({
    account: pick,
    date: near,
    direction: fc.constantFrom('credit' as const, 'debit' as const),
    amount: cents,
    reconciledShare: fc.constantFrom(0, 0, 50, 100),
    source: fc.constantFrom('manual', 'import', 'import', 'payment', 'settlement', 'transfer', 'adjustment'),
    category: fc.option(pick),
    isIgnored: fc.boolean(),
    isTransfer: fc.boolean(),
    isSecondReceipt: fc.boolean(),
  });
  const plan = fc.record({
    companies: fc.integer({ min: 1, max: 3 }),
    people: fc.integer({ min: 1, max: 5 }),
    accounts: fc.array(
      fc.record({
        company: pick,
        kind: fc.constantFrom('checking', 'checking', 'cash', 'card', 'investment'),
        active: fc.boolean(),
        openingCents: fc.integer({ min: -1e7, max: 1e7 }),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    categories: fc.array(fc.record({ isIncome: fc.boolean(), parent: fc.option(pick) }), { maxLength: 12 }),
    documents: fc.array(document, { maxLength: 60, size: 'max' }),
    entries: fc.array(entry, { maxLength: 60, size: 'max' }),
  });
  return plan.map(bookOf);
}

type Plan = Parameters<Parameters<fc.Arbitrary<any>['map']>[0]>[0];

function bookOf(plan: Plan): Book {
  const ids = (count: number) => Array.from({ length: count }, () => newId());
  const companyIds = ids(plan.companies);
  const people = ids(plan.people).map((id, index) => ({ id, name: `Person ${index}` }));
  const at = <Value>(values: readonly Value[], index: number): Value => values[index % values.length]!;
  const accounts = plan.accounts.map((account: any) => ({
    id: newId(),
    companyId: at(companyIds, account.company),
    kind: account.kind,
    active: account.active,
    openingCents: account.openingCents,
  }));
  // One of each kind for write-offs and for documents, so that there is always one to choose.
  const categories = treeOf([{ isIncome: true }, { isIncome: false }, ...plan.categories]);
  const choose = (kind: string | null, index: number | null) => {
    if (index === null) return null;
    return at(
      categories.filter((category) => kind === null || category.kind === kind),
      index,
    ).id;
  };
  return {
    workspaceId: newId(),
    companyIds,
    people,
    accounts,
    categories,
    documents: plan.documents.map((document: any) =>
      documentOf(document, at(companyIds, document.company), at(people, document.person).id, choose),
    ),
    entries: plan.entries.map((entry: any) => ({
      id: newId(),
      accountId: at<BookAccount>(accounts, entry.account).id,
      date: entry.date,
      direction: entry.direction,
      amount: entry.amount,
      reconciled: Math.floor((entry.amount * entry.reconciledShare) / 100),
      source: entry.source,
      categoryId: choose(null, entry.category),
      isIgnored: entry.isIgnored,
      isTransfer: entry.isTransfer || entry.source === 'transfer',
      isSecondReceipt: entry.isSecondReceipt && entry.source === 'payment' && entry.direction === 'credit',
    })),
  };
}

/** At most three levels; a category is of the kind of what is above it. */
function treeOf(plans: readonly { isIncome: boolean; parent?: number | null }[]): BookCategory[] {
  const made: (BookCategory & { level: number })[] = [];
  for (const [index, { isIncome, parent }] of plans.entries()) {
    const above = parent == null ? undefined : made.filter(({ level }) => level < 3)[parent % made.length];
    made.push({
      id: newId(),
      // The same name twice under one parent is refused.
      name: `Category ${index % 7}.${index}`,
      kind: above?.kind ?? (isIncome ? 'income' : 'expense'),
      parentId: above?.id ?? null,
      level: (above?.level ?? 0) + 1,
    });
  }
  return made;
}

function documentOf(
  plan: any,
  companyId: string,
  personId: string,
  choose: (kind: string | null, index: number | null) => string | null,
): BookDocument {
  const kind = plan.isPayable ? 'payable' : 'receivable';
  const abatement = Math.min(plan.abatement, plan.amount - 1);
  const withheld = Math.min(plan.withheld, plan.amount - 1 - abatement);
  const isLive = plan.form === 'live';
  let open = plan.amount - abatement - withheld;
  const settlements = (isLive ? plan.settlements : []).map((settlement: any): BookSettlement => {
    const principal = Math.min(open, Math.floor((open * settlement.share) / 100));
    if (settlement.isEffective) open -= principal;
    const { paidOn, interest, fine, isEffective } = settlement;
    const discount = Math.min(settlement.discount, principal);
    const moved = principal - discount + interest + fine;
    const fee = kind === 'receivable' ? Math.min(settlement.fee, moved) : 0;
    return { paidOn, principal, discount, interest, fine, fee, isEffective };
  });
  const isGivenUp = isLive && kind === 'receivable' && open > 0 && plan.writeOff !== null;
  const writtenOff = isGivenUp
    ? { on: plan.writeOff.on, cents: open, categoryId: choose('expense', plan.writeOff.category)! }
    : null;
  const hasSettled = settlements.some(({ isEffective }: BookSettlement) => isEffective);
  const liveStatus = open === 0 ? 'paid' : hasSettled ? 'partially_paid' : 'open';
  const status = isLive ? (isGivenUp ? 'written_off' : liveStatus) : plan.form;
  const isOrdered = kind === 'payable' && ['open', 'partially_paid'].includes(status);
  return {
    kind,
    id: newId(),
    companyId,
    personId,
    categoryId: choose(kind === 'payable' ? 'expense' : 'income', plan.category),
    amount: plan.amount,
    abatement,
    withheld,
    dueOn: plan.dueOn,
    adjustedDueOn: nextBusinessDay(plan.dueOn),
    plannedOn: plan.plannedOn,
    issuedOn: plan.issuedOn,
    createdOn: plan.createdOn,
    month: addMonths(monthOf(plan.dueOn), plan.monthsLater),
    settlements,
    writtenOff,
    status,
    orderedFor: isOrdered ? plan.orderedFor : null,
  };
}

/** Writes books through one connection that checks no reference: the generator keeps them. */
export async function openBookWriter(ownerUrl: string) {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query('set session_replication_role = replica');
  const insert = async (table: string, rows: readonly Record<string, unknown>[]) => {
    if (rows.length === 0) return;
    const columns = Object.keys(rows[0]!).join(', ');
    await client.query(
      `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
      [JSON.stringify(rows)],
    );
  };
  return {
    async write(book: Book): Promise<void> {
      const by = { workspace_id: book.workspaceId, created_by: book.workspaceId };
      await insert('companies', companyRows(book, by));
      await insert('people', peopleRows(book, by));
      await insert('financial_accounts', accountRows(book, by));
      await insert('categories', categoryRows(book, by));
      for (const kind of ['payable', 'receivable'] as const) {
        const documents = book.documents.filter((document) => document.kind === kind);
        await insert(
          `${kind}s`,
          documents.map((document) => documentRow(document, by)),
        );
        await insert(
          'settlements',
          documents.flatMap((document) => settlementRows(document, book.accounts[0]!.id, by)),
        );
      }
      await insert('payments', orderRows(book, by));
      await insert(
        'financial_transactions',
        book.entries.map((entry) => entryRow(entry, by)),
      );
      await insert('duplicate_receipts', secondReceiptRows(book, by));
    },
    close: () => client.end(),
  };
}

type By = { workspace_id: string; created_by: string };

/** Columns that `jsonb_populate_recordset` would leave null though the table has a default. */
const born = { created_at: '2026-01-01T12:00:00Z', updated_at: '2026-01-01T12:00:00Z' };
const defaults = { ...born, version: 1 };

function companyRows(book: Book, by: By) {
  return book.companyIds.map((id, index) => ({
    ...by,
    ...defaults,
    id,
    document_number: String(index),
    legal_name: `Company ${index}`,
    active: true,
  }));
}

function peopleRows(book: Book, by: By) {
  return book.people.map(({ id, name }) => ({
    ...by,
    ...defaults,
    id,
    name,
    kind: 'legal',
    roles: ['supplier'],
    emails: [],
    phones: [],
    bank_accounts: [],
    pix_keys: [],
    search_text: name,
    active: true,
  }));
}

function accountRows(book: Book, by: By) {
  return book.accounts.map(({ id, companyId, kind, active, openingCents }, index) => ({
    ...by,
    ...defaults,
    id,
    company_id: companyId,
    name: `Account ${index}`,
    kind,
    opening_balance_cents: openingCents,
    opening_date: '2026-01-01',
    bank_adapter: 'simulator',
    active,
  }));
}

function categoryRows(book: Book, by: By) {
  return book.categories.map(({ id, name, kind, parentId }) => ({
    ...by,
    ...defaults,
    id,
    name,
    kind,
    parent_id: parentId,
    active: true,
  }));
}

function documentRow(document: BookDocument, by: By): Record<string, unknown> {
  const { kind, settlements, writtenOff } = document;
  const settled = settlements.reduce(
    (sum, { principal, isEffective }) => sum + (isEffective ? principal : 0),
    0,
  );
  return {
    ...by,
    ...defaults,
    // Late in the evening in São Paulo, when it is the next day in UTC already.
    created_at: `${document.createdOn}T23:30:00-03:00`,
    id: document.id,
    company_id: document.companyId,
    person_id: document.personId,
    description: 'Random',
    amount_cents: document.amount,
    abatement_cents: document.abatement,
    withheld_cents: document.withheld,
    settled_cents: settled,
    due_date: document.dueOn,
    adjusted_due_date: document.adjustedDueOn,
    planned_date: document.plannedOn,
    issue_date: document.issuedOn,
    competence_month: document.month,
    category_id: document.categoryId,
    cost_centers: [],
    withholdings: [],
    status: document.status,
    search_text: 'random',
    ...(kind === 'payable'
      ? { approval_status: 'not_required', needs_review: false }
      : {
          written_off_cents: writtenOff?.cents ?? 0,
          write_off: writtenOff === null ? null : { date: writtenOff.on, category_id: writtenOff.categoryId },
        }),
  };
}

function settlementRows({ kind, id, settlements }: BookDocument, accountId: string, by: By) {
  return settlements.map(({ paidOn, principal, discount, interest, fine, fee, isEffective }) => ({
    ...by,
    ...born,
    id: newId(),
    [`${kind}_id`]: id,
    account_id: accountId,
    paid_at: paidOn,
    amount_cents: principal - discount + interest + fine,
    principal_cents: principal,
    discount_cents: discount,
    interest_cents: interest,
    fine_cents: fine,
    fee_cents: fee,
    method: 'pix',
    status: isEffective ? 'effective' : 'reversed',
  }));
}

function orderRows({ documents, accounts }: Book, by: By) {
  return documents
    .filter(({ orderedFor }) => orderedFor !== null)
    .map(({ id, amount, orderedFor }) => ({
      ...by,
      ...defaults,
      id: newId(),
      payable_id: id,
      account_id: accounts[0]!.id,
      kind: 'boleto',
      amount_cents: amount,
      details: {},
      scheduled_for: orderedFor,
      status: 'scheduled',
      registration_status: 'confirmed',
    }));
}

function secondReceiptRows({ entries }: Book, by: By) {
  return entries
    .filter(({ isSecondReceipt }) => isSecondReceipt)
    .map(({ id, amount, date }) => ({
      workspace_id: by.workspace_id,
      id: newId(),
      charge_id: newId(),
      amount_cents: amount,
      received_on: date,
      transaction_id: id,
      status: 'to_refund',
      created_at: born.created_at,
    }));
}

function entryRow(entry: BookEntry, by: By) {
  return {
    ...by,
    ...defaults,
    id: entry.id,
    account_id: entry.accountId,
    date: entry.date,
    direction: entry.direction,
    amount_cents: entry.amount,
    description: 'Random',
    search_text: 'random',
    cost_centers: [],
    is_suspect: false,
    source: entry.source,
    category_id: entry.categoryId,
    ignored: entry.isIgnored,
    reconciled_cents: entry.reconciled,
    transfer_id: entry.isTransfer ? newId() : null,
  };
}
