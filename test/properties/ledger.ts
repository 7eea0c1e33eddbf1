/** One run over the books: takes steps through the operations and looks after each that nothing broke. */

import { expect } from 'vitest';
import { parseArguments } from '../../src/core/arguments.ts';
import { AppError } from '../../src/core/errors.ts';
import { parseMoney } from '../../src/core/money.ts';
import type { WriteContext } from '../../src/core/operation.ts';
import { finance } from '../../src/finance/index.ts';
import type { Books } from './books.ts';
import { breachesOf, closedBooksOf, type State, snapshotOf, stateOf } from './checks.ts';
import type { Step } from './step.ts';
import { firsts, steps } from './steps.ts';

/** How an operation ended: what it gave, or the code it refused with. */
export type Ended = { readonly output: any } | { readonly code: string };

const ROLLBACK = new Error('rollback');

export class Ledger {
  readonly context: WriteContext;
  readonly books: Books;
  state: State;
  private readonly openings: ReadonlyMap<string, number>;
  private readonly entries = new Map<string, { account: string; signed: number }>();
  private readonly approvedAs = new Map<string, string>();
  private allowed: Set<string>;
  private changes: (readonly [kind: string, id: string, after: any])[] = [];
  /** The books of closed months; null while none is closed. */
  private closed: string | null = null;

  constructor(given: WriteContext, books: Books, state: State) {
    this.context = {
      ...given,
      changed: (kind, id, _before, after) => this.changes.push([kind, id, after]),
    };
    this.books = books;
    this.state = state;
    this.allowed = new Set(state.lookalikes);
    for (const { id, approval_status, approved_as } of state.debts) {
      if (approval_status === 'approved') this.approvedAs.set(id, approved_as);
    }
    for (const { id, account_id, direction, amount, ignored } of state.entries) {
      if (!ignored) this.entries.set(id, { account: account_id, signed: signed(direction, amount) });
    }
    this.openings = new Map(
      Object.entries(state.balances).map(([account, balance]) => [account, balance - this.sumOf(account)]),
    );
  }

  /** Takes a step and checks what it changed; tells how it ended, or null when there was nothing to do it with. */
  async take(step: Step): Promise<Ended | null> {
    const before = this.state;
    const ended = await this.done(step);
    if (ended === null) return null;
    this.replay();
    await this.look();
    this.checkBalances();
    this.checkApprovals(step, before);
    this.checkLookalikes(step, ended);
    await this.checkClosedBooks(step);
    return ended;
  }

  /** Some of everything, so that few steps go far: an order, a charge, payments on record, a transfer, an approval. */
  async fill(): Promise<void> {
    const { accounts, approver } = this.books;
    const [first, , second] = accounts.map(({ id }) => id);
    const debt = (kind: string, amount: number) =>
      this.state.debts.find((one) => one.kind === kind && one.amount === amount)!.id;
    const line = this.state.entries.find(
      ({ amount, direction }) => amount === 3_000 && direction === 'debit',
    )!;
    const on = '2026-09-15';
    const ended = [
      await this.call('finance_payables_send_to_bank', { id: debt('payable', 6_000), account_id: first }),
      await this.call('finance_receivables_charge', {
        id: debt('receivable', 6_000),
        account_id: first,
        methods: ['pix'],
      }),
      // From the account of the other company.
      await this.call('finance_payables_settle', {
        id: debt('payable', 4_000),
        account_id: second,
        amount: '10.00',
        paid_at: on,
      }),
      await this.call('finance_receivables_settle', {
        id: debt('receivable', 5_000),
        account_id: second,
        amount: '50.00',
        fee: '0.30',
        paid_at: on,
      }),
      await this.call('finance_transfers_create', {
        from_account_id: first,
        to_account_id: second,
        amount: '40.00',
        date: on,
        method: 'internal',
      }),
      await this.call('finance_reconciliations_create', {
        transactions: [{ id: line.id, amount: '10.00' }],
        documents: [{ kind: 'payable', id: debt('payable', 4_000), principal: '10.00' }],
      }),
      await this.call('finance_payables_approve', { id: this.pending() }, approver),
    ];
    for (const one of ended) expect(one).toHaveProperty('output');
  }

  private pending(): string {
    return this.state.debts.find(({ approval_status }) => approval_status === 'pending')!.id;
  }

  /** Looks at the records anew, in the middle of a step too. */
  async look(): Promise<void> {
    this.state = await stateOf(this.context);
  }

  /** What a step needs is made first where there is none, and where months are closed before it. */
  private async done(step: Step): Promise<Ended | null> {
    const first = firsts[step.does];
    const ended = step.isInClosedBooks ? null : await steps[step.does](this, step);
    if (ended !== null) return ended;
    if (first !== undefined) await steps[first](this, { ...step, share: 1_000 });
    if (step.isInClosedBooks) {
      await this.checkClosedBooks(step);
      await this.closeBooks(step);
    }
    await this.look();
    return steps[step.does](this, step);
  }

  private async closeBooks({ way, other }: Step): Promise<void> {
    const { companies } = this.books;
    for (const [at, id] of companies.entries()) {
      if (way % 3 === 0 || at === other % companies.length) {
        await this.call('finance_companies_update', { id, books_closed_until: '2026-09-30' });
      }
    }
    this.closed = await closedBooksOf(this.context);
  }

  /** What must hold of all records whatever was done: invariants 1 to 4, 6, 8 and 11. */
  async check(): Promise<void> {
    expect(await breachesOf(this.context)).toEqual([]);
    await this.checkStatement();
  }

  /**
   * Invariant 6: the income statement by cash, with what it says it does not count, is all that moved but for transfers,
   * so that no transfer is income or expense and nothing is there twice.
   */
  private async checkStatement(): Promise<void> {
    const period = { date_from: '2026-01-01', date_to: '2026-12-31', basis: 'cash' };
    const ended = await this.call('finance_reports_income_statement', period);
    const { income, expense, not_counted } = (ended as { output: any }).output;
    const fee = parseMoney(expense.fee)!;
    const said = {
      credit: parseMoney(income.total)! - fee + parseMoney(not_counted.credits.amount)!,
      debit: parseMoney(expense.total)! - fee + parseMoney(not_counted.debits.amount)!,
    };
    const counted = this.state.entries.filter(({ ignored, transfer_id }) => !ignored && transfer_id === null);
    const moved = (of: string) =>
      sumOf(counted.filter(({ direction }) => direction === of).map(({ amount }) => amount));
    expect(said).toEqual({ credit: moved('credit'), debit: moved('debit') });
  }

  /** Runs an operation as a person would have it run; what it refuses leaves nothing behind. */
  async call(name: string, args: object, userId?: string): Promise<Ended> {
    const operation = finance.catalogue.byName.get(name)!;
    const { caller } = this.context;
    const user = { ...caller.user, id: userId ?? caller.user.id };
    return this.tried(async () => {
      const input = parseArguments(operation, args);
      const context = { ...this.context, caller: { ...caller, user } };
      return operation.output.parse(await operation.run(input as never, context as never));
    });
  }

  /** Does what is not an operation in the same way. */
  async tried(work: () => Promise<unknown>): Promise<Ended> {
    const changes = this.changes.length;
    try {
      let output: unknown;
      await this.context.db.nested(async () => {
        output = await work();
      });
      return { output };
    } catch (error) {
      this.changes.length = changes;
      if (error instanceof AppError) return { code: error.code };
      throw error;
    }
  }

  /** Invariant 5: does something, and sees that undoing it at once would give back exactly what was. */
  async undoably(
    make: () => Promise<Ended>,
    undo: (output: any) => Promise<Ended>,
    isTried = true,
  ): Promise<Ended> {
    if (!isTried) return make();
    const before = await snapshotOf(this.context);
    const made = await make();
    if ('code' in made) return made;
    const changes = this.changes.length;
    try {
      await this.context.db.nested(async () => {
        expect(await undo(made.output)).toHaveProperty('output');
        expect(JSON.parse(await snapshotOf(this.context))).toEqual(JSON.parse(before));
        throw ROLLBACK;
      });
    } catch (error) {
      if (error !== ROLLBACK) throw error;
    }
    this.changes.length = changes;
    return made;
  }

  /** Invariant 6: what the changes on record make of the entries. */
  private replay(): void {
    for (const [kind, id, after] of this.changes) {
      if (kind !== 'financial_transaction') continue;
      if (after === null || after.ignored === true) this.entries.delete(id);
      else {
        const amount = signed(after.direction, parseMoney(after.amount)!);
        this.entries.set(id, { account: after.account_id, signed: amount });
      }
    }
    this.changes = [];
  }

  private sumOf(account: string): number {
    const own = [...this.entries.values()].filter((entry) => entry.account === account);
    return sumOf(own.map((entry) => entry.signed));
  }

  private checkBalances(): void {
    const replayed = [...this.openings].map(([id, opening]) => [id, opening + this.sumOf(id)]);
    expect(this.state.balances).toEqual(Object.fromEntries(replayed));
  }

  /** Invariant 11: what counts as approved is what a person approved, to the centavo and the key. */
  private checkApprovals({ does }: Step, before: State): void {
    for (const debt of this.state.debts) {
      if (debt.approval_status !== 'approved') continue;
      const was = before.debts.find(({ id }) => id === debt.id)?.approval_status;
      if (does === 'approve' && was === 'pending') this.approvedAs.set(debt.id, debt.approved_as);
      expect(debt.approved_as).toBe(this.approvedAs.get(debt.id));
    }
  }

  /** Invariant 10: two documents look the same only if somebody was told so and wanted it. */
  private checkLookalikes(step: Step, ended: Ended): void {
    const isAllowed = step.does === 'liken' && 'output' in ended;
    if (isAllowed) this.allowed = new Set([...this.allowed, ...this.state.lookalikes]);
    expect(this.state.lookalikes.filter((pair) => !this.allowed.has(pair))).toEqual([]);
  }

  /** Invariant 9: closed months stay as they were when they were closed. */
  private async checkClosedBooks({ does }: Step): Promise<void> {
    if (this.closed === null && does !== 'close') return;
    const now = await closedBooksOf(this.context);
    if (does !== 'close') expect(now).toBe(this.closed);
    this.closed = now;
  }
}

function signed(direction: string, amount: number): number {
  return direction === 'credit' ? amount : -amount;
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}
