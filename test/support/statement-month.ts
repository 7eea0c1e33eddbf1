/**
 * A month of an account with its records, made from a seed: lines that belong to records in every way there is, and
 * lines, records and coincidences that belong to nothing. What belongs together is known, so suggestions can be counted.
 */

import type { Terms } from '../../src/core/accruals.ts';
import { addDays } from '../../src/core/dates.ts';
import { amountsAt } from '../../src/core/terms.ts';
import { cnpjOf } from './records.ts';

export interface Planted {
  readonly kind: string;
  /** Ids of its lines and records, sorted. */
  readonly key: string;
}

export interface Month {
  readonly tables: Readonly<Record<string, readonly Row[]>>;
  readonly planted: readonly Planted[];
  readonly from: string;
  readonly to: string;
}

export interface Place {
  readonly workspaceId: string;
  readonly userId: string;
  readonly company: { readonly id: string; readonly document: string };
  readonly accountId: string;
  readonly otherAccountId: string;
}

type Row = Record<string, unknown>;

const lateTerms: Terms = {
  discounts: [],
  fine: { kind: 'percent', percent: 20_000 },
  interest: { kind: 'percent_per_month', percent: 10_000, days: 'calendar' },
  graceDays: 0,
};

interface Person {
  readonly id: string;
  readonly document: string;
  readonly name: string;
}

const FROM = '2026-09-01';
const DAYS = 30;

/** How often each kind is planted, in lines of a thousand. */
const shares = {
  counterparty: 230,
  ourNumber: 90,
  pixId: 50,
  documentNumber: 60,
  settled: 90,
  paidByBank: 50,
  ownTransfer: 40,
  orderedTransfer: 20,
  severalDocuments: 50,
  severalLines: 60,
  bankFee: 50,
  lateWithInterest: 50,
  amountAndDay: 20,
} as const;

/** `lines` lines, and about as many records. */
export function monthOf(place: Place, lines: number, seed: number): Month {
  return new Maker(place, lines, seed).make();
}

/** Writes the rows of a month past the operations. */
export async function insertMonth(
  run: (text: string, values: unknown[]) => Promise<unknown>,
  month: Month,
): Promise<void> {
  for (const [table, rows] of Object.entries(month.tables)) {
    for (let at = 0; at < rows.length; at += 5_000) {
      const columns = Object.keys(rows[0]!).join(', ');
      await run(
        `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
        [JSON.stringify(rows.slice(at, at + 5_000))],
      );
    }
  }
}

class Maker {
  private readonly place: Place;
  private readonly size: number;
  private readonly people: Person[] = [];
  private readonly tables: Record<string, Row[]> = {
    people: [],
    payables: [],
    receivables: [],
    charges: [],
    transfers: [],
    financial_transactions: [],
    settlements: [],
  };
  private readonly planted: Planted[] = [];
  private state: number;
  private count = 0;
  private lines = 0;

  constructor(place: Place, size: number, seed: number) {
    this.place = place;
    this.size = size;
    this.state = seed;
  }

  make(): Month {
    for (let n = 0; n < Math.max(20, this.size / 20); n += 1) this.addPerson();
    for (const [kind, share] of Object.entries(shares)) {
      const target = this.lines + Math.round((this.size * share) / 1_000);
      while (this.lines < target) this.know(kind, this.plant(kind as keyof typeof shares));
    }
    while (this.lines < this.size) this.noiseLine();
    const documents = () => this.tables['payables']!.length + this.tables['receivables']!.length;
    while (documents() < this.size) this.document(this.person(), this.amount(), this.day(), {});
    const { people, payables, receivables, charges, transfers, ...rest } = this.tables;
    const entries = {
      financial_transactions: rest['financial_transactions'],
      settlements: rest['settlements'],
    };
    return {
      tables: { people, payables, receivables, charges, transfers, ...entries } as Month['tables'],
      planted: this.planted,
      from: FROM,
      to: addDays(FROM, DAYS - 1),
    };
  }

  private plant(kind: keyof typeof shares): Row[] {
    const person = this.person();
    const amount = this.amount();
    const day = this.day();
    const known = { counterparty_document: person.document };
    switch (kind) {
      case 'counterparty': {
        const record = this.document(person, amount, day, {});
        return [this.line(record, amount, this.near(day), known), record];
      }
      case 'ourNumber': {
        const record = this.receivable(person, amount, this.day(), {});
        const { our_number } = this.charge(record);
        const text = `LIQUIDACAO TITULO ${our_number}`;
        return [this.line(record, amount, this.near(day), { description: text }), record];
      }
      case 'pixId': {
        const record = this.receivable(person, amount, this.day(), {});
        const { pix_txid } = this.charge(record);
        const text = `PIX RECEBIDO ${pix_txid}`;
        return [this.line(record, amount, this.near(day), { description: text }), record];
      }
      case 'documentNumber': {
        const record = this.document(person, amount, day, {});
        const text = `PGTO NF ${record['document_number']}`;
        return [this.line(record, amount, this.near(day), { description: text }), record];
      }
      case 'settled': {
        const { settlement, record } = this.settled(person, amount, day, null);
        return [this.line(record, amount, this.near(day), known), settlement];
      }
      case 'paidByBank': {
        const end = this.hex(32);
        const { settlement, record } = this.settled(person, amount, day, end);
        return [this.line(record, amount, day, { end_to_end_id: end }), settlement];
      }
      case 'ownTransfer':
        return this.ownTransfer(amount, day);
      case 'orderedTransfer':
        return this.orderedTransfer(amount, day);
      case 'severalDocuments':
        return this.severalDocuments(person, day);
      case 'severalLines':
        return this.severalLines(person, day);
      case 'bankFee': {
        const record = this.receivable(person, amount + 5_000, this.day(), {});
        const { our_number } = this.charge(record);
        const credited = amount + 5_000 - this.int(90, 490);
        const text = `COBRANCA ${our_number}`;
        return [this.line(record, credited, this.near(day), { description: text }), record];
      }
      case 'lateWithInterest': {
        const due = addDays(day, -this.int(8, 28));
        const record = this.payable(person, 100_000 + amount, due, { terms: lateTerms });
        const question = { amount: 100_000 + amount, dueDate: due, terms: lateTerms, on: day };
        return [this.line(record, amountsAt(question).amountDue, day, {}), record];
      }
      case 'amountAndDay': {
        const record = this.document(person, amount, day, {});
        return [this.line(record, amount, day, {}), record];
      }
    }
  }

  /** Lines that belong to nothing, many of them looking as if they did. */
  private noiseLine(): void {
    const person = this.person();
    const other = this.person();
    const amount = this.amount();
    const day = this.day();
    switch (this.int(0, 6)) {
      case 0: {
        this.line({ direction: 'debit' }, this.int(500, 9_900), day, {
          description: 'TARIFA PACOTE SERVICOS',
        });
        return;
      }
      // Somebody else pays the same amount on the same day.
      case 1: {
        const record = this.document(person, amount, day, {});
        if (other.id !== person.id) this.line(record, amount, day, { counterparty_document: other.document });
        return;
      }
      // Two bills alike and one line: which of them is not to be told.
      case 2: {
        const first = this.document(person, amount, day, {}, 'payable');
        const second = this.document(person, amount, this.near(day), {}, 'payable');
        if (second['direction'] === first['direction']) {
          this.line(first, amount, day, { counterparty_document: person.document });
        }
        return;
      }
      // A known person, an amount of nothing.
      case 3: {
        const direction = this.int(0, 1) === 0 ? 'debit' : 'credit';
        this.line({ direction }, this.amount(), day, { counterparty_document: person.document });
        return;
      }
      // The number of a bill with another amount.
      case 4: {
        const record = this.document(person, amount, day, {});
        const text = `PGTO NF ${record['document_number']}`;
        this.line(record, amount + this.int(10_000, 90_000), day, { description: text });
        return;
      }
      // Both accounts move the same, for other reasons.
      case 5: {
        this.line({ direction: 'debit' }, amount, day, { counterparty_document: person.document });
        this.entry(this.place.otherAccountId, 'credit', amount, day, {
          counterparty_document: other.document,
        });
        return;
      }
      default:
        this.line({ direction: 'credit' }, this.amount(), day, {
          description: `DEPOSITO ${this.int(100, 999_999)}`,
        });
    }
  }

  private ownTransfer(amount: number, day: string): Row[] {
    const holder = { counterparty_document: this.place.company.document };
    const mine = this.line({ direction: 'debit' }, amount, day, holder);
    const theirs = this.entry(this.place.otherAccountId, 'credit', amount, this.near(day), {
      ...holder,
      description: 'TRANSFERENCIA RECEBIDA',
    });
    return [mine, theirs];
  }

  private orderedTransfer(amount: number, day: string): Row[] {
    const { accountId, otherAccountId } = this.place;
    const id = this.id();
    const transfer = this.add('transfers', {
      id,
      from_account_id: accountId,
      to_account_id: otherAccountId,
      amount_cents: amount,
      method: 'pix',
      scheduled_for: day,
      origin: 'ordered',
      status: 'confirmed',
      registration_status: 'confirmed',
      bank_settled_on: day,
    });
    const leg = { source: 'transfer', transfer_id: id };
    this.entry(accountId, 'debit', amount, day, leg);
    this.entry(otherAccountId, 'credit', amount, day, leg);
    return [this.line({ direction: 'debit' }, amount, day, {}), transfer];
  }

  private severalDocuments(person: Person, day: string): Row[] {
    const records = Array.from({ length: this.int(2, 6) }, () =>
      this.document(person, this.amount(), this.near(day), {}, 'payable'),
    );
    const total = records.reduce((sum, record) => sum + (record['amount_cents'] as number), 0);
    const line = this.line(records[0]!, total, day, { counterparty_document: person.document });
    return [line, ...records];
  }

  private severalLines(person: Person, day: string): Row[] {
    const amounts = Array.from({ length: this.int(2, 4) }, () => this.amount());
    const total = amounts.reduce((sum, amount) => sum + amount, 0);
    const record = this.receivable(person, total, day, {});
    const lines = amounts.map((amount) =>
      this.line(record, amount, this.near(day), { counterparty_document: person.document }),
    );
    return [...lines, record];
  }

  private settled(person: Person, amount: number, day: string, end: string | null) {
    const record = this.payable(person, amount, day, { status: 'paid', settled_cents: amount });
    const entry = this.entry(this.place.accountId, 'debit', amount, day, { source: 'settlement' });
    const settlement = this.add('settlements', {
      id: this.id(),
      payable_id: record['id'],
      account_id: this.place.accountId,
      transaction_id: entry['id'],
      paid_at: day,
      amount_cents: amount,
      principal_cents: amount,
      discount_cents: 0,
      interest_cents: 0,
      fine_cents: 0,
      fee_cents: 0,
      method: 'pix',
      external_id: end,
      status: 'effective',
    });
    return { settlement, record };
  }

  private document(person: Person, amount: number, due: string, fields: Row, kind?: 'payable'): Row {
    const isPayable = kind === 'payable' || this.int(0, 1) === 0;
    return isPayable
      ? this.payable(person, amount, due, fields)
      : this.receivable(person, amount, due, fields);
  }

  private payable(person: Person, amount: number, due: string, fields: Row): Row {
    const row = this.debt(person, amount, due);
    this.add('payables', { ...row, approval_status: 'not_required', terms: null, ...fields });
    return { ...row, ...fields, direction: 'debit' };
  }

  private receivable(person: Person, amount: number, due: string, fields: Row): Row {
    const row = this.debt(person, amount, due);
    this.add('receivables', { ...row, terms: null, ...fields });
    return { ...row, ...fields, direction: 'credit' };
  }

  private debt(person: Person, amount: number, due: string): Row {
    return {
      id: this.id(),
      company_id: this.place.company.id,
      person_id: person.id,
      description: `Fornecimento ${this.count}`,
      amount_cents: amount,
      abatement_cents: 0,
      withheld_cents: 0,
      settled_cents: 0,
      due_date: due,
      adjusted_due_date: due,
      competence_month: due.slice(0, 7),
      document_number: String(100_000 + this.count * 7),
      cost_centers: [],
      withholdings: [],
      status: 'open',
      search_text: '',
    };
  }

  private charge(record: Row): { our_number: string; pix_txid: string } {
    const our_number = String(this.count).padStart(11, '0');
    const pix_txid = this.hex(30);
    const { id: receivable_id, amount_cents, due_date } = record;
    const methods = ['boleto', 'pix'];
    const { accountId: account_id } = this.place;
    const states = { status: 'open', registration_status: 'confirmed', valid_days_after_due: 0 };
    const owed = { receivable_id, account_id, amount_cents, due_date, methods };
    this.add('charges', { id: this.id(), ...owed, ...states, our_number, pix_txid });
    return { our_number, pix_txid };
  }

  private line(record: Row, amount: number, day: string, fields: Row): Row {
    this.lines += 1;
    return this.entry(this.place.accountId, record['direction'] as string, amount, day, fields);
  }

  private entry(accountId: string, direction: string, amount: number, day: string, fields: Row): Row {
    return this.add('financial_transactions', {
      id: this.id(),
      account_id: accountId,
      date: day,
      direction,
      amount_cents: amount,
      description: 'LANCAMENTO',
      counterparty_document: null,
      end_to_end_id: null,
      transfer_id: null,
      source: 'import',
      ignored: false,
      reconciled_cents: 0,
      cost_centers: [],
      is_suspect: false,
      search_text: '',
      ...fields,
    });
  }

  private addPerson(): void {
    const document = cnpjOf(1_000_000 + this.people.length);
    const person = { id: this.id(), document, name: `Fornecedora ${this.hex(6)} Ltda` };
    this.people.push(person);
    this.add('people', {
      id: person.id,
      name: person.name,
      kind: 'legal',
      document_number: document,
      roles: ['supplier', 'customer'],
      emails: [],
      phones: [],
      bank_accounts: [],
      pix_keys: [],
      search_text: '',
      active: true,
    });
  }

  private add(table: string, row: Row): Row {
    const { workspaceId: workspace_id, userId: created_by } = this.place;
    const at = '2026-10-01T00:00:00Z';
    const whole = { workspace_id, ...row, created_by, created_at: at, updated_at: at };
    this.tables[table]!.push(table === 'settlements' ? whole : { ...whole, version: 1 });
    return whole;
  }

  private know(kind: string, rows: readonly Row[]): void {
    this.planted.push({
      kind,
      key: rows
        .map((row) => row['id'] as string)
        .sort()
        .join(' '),
    });
  }

  private person(): Person {
    return this.people[this.int(0, this.people.length - 1)]!;
  }

  private amount(): number {
    return this.int(1_000, 900_000);
  }

  private day(): string {
    return addDays(FROM, this.int(3, DAYS - 4));
  }

  private near(day: string): string {
    return addDays(day, this.int(-2, 2) > 1 ? 2 : this.int(0, 1));
  }

  private id(): string {
    this.count += 1;
    const hex = this.hex(12);
    return `0192f0a1-${String(this.count).padStart(8, '0').slice(0, 4)}-7${String(this.count).padStart(8, '0').slice(5)}-8000-${hex}`;
  }

  private hex(length: number): string {
    let text = '';
    while (text.length < length) text += this.int(0, 0xffff).toString(16).padStart(4, '0');
    return text.slice(0, length);
  }

  private int(min: number, max: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return min + (((mixed ^ (mixed >>> 14)) >>> 0) % (max - min + 1));
  }
}
