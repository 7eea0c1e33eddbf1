/**
 * MODEL §14, invariants 3 to 6: random reconciliations and undoings, 1,000 runs over a model that decides with the rules
 * of the slice, and fewer over a real database, which has to say what the model says.
 */

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLine, createPair } from '../../../test/support/lines.ts';
import { createBill, createSupplier } from '../../../test/support/records.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { AppError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { jobContextOf } from '../../core/job.ts';
import { parseMoney } from '../../core/money.ts';
import type { WriteContext } from '../../core/operation.ts';
import { bookBalanceOf } from '../accounts/index.ts';
import { finance } from '../index.ts';
import { createReconciliation, prepareUndoing, undoReconciliation } from './create.ts';
import { takenBy } from './matching/fit.ts';
import { prepareReconciliation } from './prepare.ts';
import { partsOf, type ReconciliationRequest, requireBalance, requireRest, requireSound } from './rules.ts';

const LINES = [10_000, 5_000, 3_000, 700, 4_000];
const BILLS = [6_000, 4_000, 3_000, 12_000];
/** A payment on record, and a transfer: each is the amount of one line. */
const SETTLED = 3_000;
const MOVED = 4_000;

interface Ids {
  readonly lines: readonly string[];
  readonly bills: readonly string[];
  readonly settlement: string;
  readonly transfer: string;
}

/** What a run tries: so many thousandths of some lines for some documents, or undoing one of those made. */
type Command =
  | {
      readonly does: 'make';
      readonly lines: readonly { readonly at: number; readonly share: number }[];
      readonly documents: readonly number[];
      readonly off: number;
    }
  | { readonly does: 'undo'; readonly at: number };

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('make' as const),
      lines: fc.uniqueArray(
        fc.record({ at: fc.nat(LINES.length - 1), share: fc.constantFrom(1_000, 1_000, 500, 300) }),
        { minLength: 1, maxLength: 3, selector: ({ at }) => at },
      ),
      // The bills, then the settlement, then the transfer.
      documents: fc.uniqueArray(fc.nat(BILLS.length + 1), { minLength: 1, maxLength: 3 }),
      off: fc.constantFrom(0, 0, 0, 0, 1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('undo' as const), at: fc.nat(5) }) },
);

interface Link {
  readonly lines: readonly { readonly id: string; readonly amount: number }[];
  readonly documents: readonly { readonly id: string; readonly taken: number }[];
}

/** The books as the rules see them. */
class Model {
  readonly rest: Map<string, number>;
  readonly open: Map<string, number>;
  readonly taken = new Set<string>();
  readonly legs = new Set<string>();
  readonly links: (Link | null)[] = [];
  private readonly ids: Ids;

  constructor(ids: Ids) {
    this.ids = ids;
    this.rest = new Map(ids.lines.map((id, at) => [id, LINES[at]!]));
    this.open = new Map(ids.bills.map((id, at) => [id, BILLS[at]!]));
  }

  /** The request of a command, bills and lines sized so that both sides are equal where that can be. */
  requestOf({ lines, documents, off }: Extract<Command, { does: 'make' }>): ReconciliationRequest {
    const transactions = lines.map(({ at, share }) => {
      const id = this.ids.lines[at]!;
      return { id, amount: Math.max(1, Math.floor((this.rest.get(id)! * share) / 1_000)) };
    });
    let left = transactions.reduce((sum, { amount }) => sum + amount, 0) + off;
    const chosen = [...documents]
      .sort((a, b) => b - a)
      .map((at) => {
        if (at === BILLS.length + 1) return { kind: 'transfer' as const, id: this.ids.transfer };
        if (at === BILLS.length) {
          left -= SETTLED;
          return { kind: 'settlement' as const, id: this.ids.settlement };
        }
        const id = this.ids.bills[at]!;
        const principal = Math.max(0, Math.min(this.open.get(id)!, left));
        left -= principal;
        return { kind: 'payable' as const, id, principal };
      });
    return { transactions: lessened(transactions, left - off), documents: chosen };
  }

  /** Makes it, or fails as the rules do. */
  make(request: ReconciliationRequest): void {
    requireSound(request);
    for (const { id, amount } of request.transactions) {
      if (this.legs.has(id)) throw new AppError('already_reconciled');
      const whole = LINES[this.ids.lines.indexOf(id)]!;
      const line = { id, account_id: 'a', direction: 'debit', amount_cents: whole };
      requireRest({ ...line, reconciled_cents: whole - this.rest.get(id)! }, amount);
    }
    const documents = request.documents.map((document) => {
      const { id, kind } = document;
      if (kind === 'payable') {
        if (this.open.get(id) === 0) throw new AppError('invalid_state');
        return { id, taken: takenBy(partsOf(document, this.open.get(id)!)) };
      }
      if (this.taken.has(id)) throw new AppError('already_reconciled');
      if (kind === 'settlement') return { id, taken: SETTLED };
      const [line] = request.transactions;
      const whole = LINES[this.ids.lines.indexOf(line!.id)]!;
      if (this.rest.get(line!.id) !== whole) throw new AppError('already_reconciled');
      requireBalance([whole], [MOVED]);
      return { id, taken: MOVED };
    });
    const amounts = request.transactions.map(({ amount }) => amount);
    requireBalance(
      amounts,
      documents.map(({ taken }) => taken),
    );
    this.move({ lines: request.transactions, documents }, 1);
    this.links.push({ lines: request.transactions, documents });
  }

  undo(at: number): void {
    const link = this.links[at];
    if (link === undefined || link === null) throw new AppError('invalid_state');
    this.move(link, -1);
    this.links[at] = null;
  }

  check(): void {
    for (const [at, id] of this.ids.lines.entries()) {
      const linked = this.active()
        .flatMap((link) => link.lines)
        .filter((line) => line.id === id);
      const sum = linked.reduce((total, { amount }) => total + amount, 0);
      expect(LINES[at]! - sum).toBe(this.rest.get(id));
      expect(this.rest.get(id)).toBeGreaterThanOrEqual(0);
    }
    for (const { lines, documents } of this.active()) {
      const left = lines.reduce((sum, { amount }) => sum + amount, 0);
      expect(left).toBe(documents.reduce((sum, { taken }) => sum + taken, 0));
    }
    for (const open of this.open.values()) expect(open).toBeGreaterThanOrEqual(0);
  }

  state(): unknown {
    return [[...this.rest], [...this.open], [...this.taken].sort(), [...this.legs].sort()];
  }

  private active(): Link[] {
    return this.links.filter((link) => link !== null);
  }

  private move({ lines, documents }: Link, sign: 1 | -1): void {
    for (const { id, amount } of lines) this.rest.set(id, this.rest.get(id)! - sign * amount);
    for (const { id, taken } of documents) {
      const open = this.open.get(id);
      if (open !== undefined) this.open.set(id, open - sign * taken);
      else if (sign === 1) this.taken.add(id);
      else this.taken.delete(id);
      if (id === this.ids.transfer) this.legs[sign === 1 ? 'add' : 'delete'](lines[0]!.id);
    }
  }
}

/** Lines that are too much for what they pay give less. */
function lessened(lines: readonly { id: string; amount: number }[], surplus: number) {
  let left = Math.max(0, surplus);
  return lines.map(({ id, amount }) => {
    const less = Math.min(left, amount - 1);
    left -= less;
    return { id, amount: amount - less };
  });
}

function codeOf(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

test('MODEL §14.3–5: sums hold after every step, and undoing gives back exactly what was (1,000 runs of the rules)', () => {
  const ids = {
    lines: LINES.map((_, at) => `l${at}`),
    bills: BILLS.map((_, at) => `b${at}`),
    settlement: 's',
    transfer: 't',
  };
  let made = 0;
  fc.assert(
    fc.property(fc.array(command, { minLength: 1, maxLength: 12 }), (commands) => {
      const model = new Model(ids);
      for (const one of commands) {
        const before = model.state();
        if (one.does === 'undo') {
          codeOf(() => model.undo(one.at));
        } else if (codeOf(() => model.make(model.requestOf(one))) === null) {
          made += 1;
          const link = model.links.length - 1;
          const after = model.state();
          model.undo(link);
          expect(model.state()).toEqual(before);
          model.make(model.requestOf(one));
          expect(model.state()).toEqual(after);
        } else {
          expect(model.state()).toEqual(before);
        }
        model.check();
      }
    }),
    { numRuns: 1_000 },
  );
  expect(made).toBeGreaterThan(1_000);
});

let world: World;
let ids: Ids;
let accounts: readonly string[];

beforeAll(async () => {
  world = await openWorld();
  const { companyId, from, to } = await createPair(world);
  accounts = [from, to];
  const person_id = await createSupplier(world);
  const lines: string[] = [];
  for (const amount_cents of LINES) lines.push(await createLine(world, { account_id: from, amount_cents }));
  const bills: string[] = [];
  for (const cents of [...BILLS, SETTLED]) {
    const bill = {
      company_id: companyId,
      person_id,
      document_number: newId(),
      amount: (cents / 100).toFixed(2),
    };
    bills.push((await createBill(world, bill))['id']);
  }
  const settled = { account_id: from, paid_at: '2026-09-29', amount: '30.00' };
  const { settlement } = await world.call('finance_payables_settle', { id: bills.pop(), ...settled });
  const move = {
    from_account_id: from,
    to_account_id: to,
    amount: '40.00',
    method: 'internal',
    date: '2026-09-29',
  };
  const transfer = await world.call('finance_transfers_create', move);
  ids = { lines, bills, settlement: settlement.id, transfer: transfer['id'] };
});
afterAll(() => world.close());

/** Runs in one transaction that is rolled back, so that every run starts from the same books. */
async function rolledBack(work: (context: WriteContext) => Promise<void>): Promise<void> {
  const rollback = new Error('rollback');
  const { organizationId, workspaceId } = world;
  const place = { organizationId, workspaceId, timeZone: 'America/Sao_Paulo' };
  const job = jobContextOf(world.runtime.portsOf(finance.catalogue), 'test', {}, place, {});
  try {
    await job.write(async (context) => {
      await work(context);
      throw rollback;
    });
  } catch (error) {
    if (error !== rollback) throw error;
  }
}

/** Entries as the audit chain tells them: what was there, and every change since. */
class Replay {
  private readonly entries = new Map<string, { account: string; signed: number; counts: boolean }>();

  constructor(rows: readonly Record<string, any>[]) {
    for (const row of rows) {
      const cents = Number(row['amount_cents']);
      this.put(row['id'], row['account_id'], row['direction'] === 'credit' ? cents : -cents, !row['ignored']);
    }
  }

  change(kind: string, id: string, after: any): void {
    if (kind !== 'financial_transaction') return;
    if (after === null) this.entries.delete(id);
    else {
      const cents = parseMoney(after.amount)!;
      this.put(id, after.account_id, after.direction === 'credit' ? cents : -cents, after.ignored !== true);
    }
  }

  balanceOf(account: string, opening: number): number {
    const own = [...this.entries.values()].filter((entry) => entry.account === account && entry.counts);
    return own.reduce((sum, { signed }) => sum + signed, opening);
  }

  private put(id: string, account: string, signed: number, counts: boolean): void {
    this.entries.set(id, { account, signed, counts });
  }
}

const sql = (text: string, values: unknown[] = []) => ({ text, values });

async function checkBooks(context: WriteContext, model: Model): Promise<void> {
  const broken = await context.db.rows(
    sql(
      `select t.id, 'reconciled is not what is linked' as why from financial_transactions t
        where t.workspace_id = $1 and t.reconciled_cents <> coalesce((
          select sum(l.amount_cents) from reconciliation_transactions l
            join reconciliations r on r.workspace_id = l.workspace_id and r.id = l.reconciliation_id
           where l.workspace_id = $1 and l.transaction_id = t.id and r.status = 'active'), 0)
       union all
       select r.id, 'sides differ' from reconciliations r
        where r.workspace_id = $1 and (
          r.total_cents <> (select sum(amount_cents) from reconciliation_transactions l
                             where l.workspace_id = $1 and l.reconciliation_id = r.id)
          or r.total_cents <> (select sum(amount_cents) from reconciliation_documents d
                                where d.workspace_id = $1 and d.reconciliation_id = r.id))
       union all
       select d.reconciliation_id, 'a document is not its settlement' from reconciliation_documents d
         join settlements s on s.workspace_id = d.workspace_id and s.id = d.settlement_id
        where d.workspace_id = $1
          and d.amount_cents <> s.principal_cents - s.discount_cents + s.interest_cents + s.fine_cents - s.fee_cents
       union all
       select p.id, 'more is settled than is owed' from payables p
        where p.workspace_id = $1 and p.settled_cents <> coalesce((
          select sum(principal_cents) from settlements s
           where s.workspace_id = $1 and s.payable_id = p.id and s.status = 'effective'), 0)`,
      [context.workspaceId],
    ),
  );
  expect(broken).toEqual([]);
  const state = await context.db.rows<{ id: string; cents: number }>(
    sql(
      `select id, amount_cents - reconciled_cents as cents from financial_transactions
        where workspace_id = $1 and id = any($2::uuid[])
       union all
       select id, open_cents from payables where workspace_id = $1 and id = any($3::uuid[])`,
      [context.workspaceId, ids.lines, ids.bills],
    ),
  );
  const said = new Map([...model.rest, ...model.open]);
  expect(new Map(state.map(({ id, cents }) => [id, cents]))).toEqual(new Map([...said]));
}

/** Every amount and tie there is, without times and versions. */
function snapshot(context: WriteContext): Promise<unknown[]> {
  return context.db.rows(
    sql(
      `select to_jsonb(t) - 'updated_at' - 'version' as row from financial_transactions t where workspace_id = $1
       union all
       select to_jsonb(p) - 'updated_at' - 'version' from payables p where workspace_id = $1
       union all
       select to_jsonb(s) - 'updated_at' from settlements s where workspace_id = $1 and status = 'effective'
       union all
       select to_jsonb(x) - 'updated_at' - 'version' from transfers x where workspace_id = $1
        order by 1`,
      [context.workspaceId],
    ),
  );
}

test('MODEL §14.3–6: the books say what the rules say, undoing is exact, balances are those of the events (150 runs)', async () => {
  const entries = await world.look('select * from financial_transactions');
  const opening = [1_000_000, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 4 }), (commands) =>
      rolledBack(async (given) => {
        const replay = new Replay(entries);
        const context: WriteContext = {
          ...given,
          changed: (kind, id, _before, after) => replay.change(kind, id, after),
        };
        const model = new Model(ids);
        const made: string[] = [];
        const tell = async (work: () => Promise<void>): Promise<string | null> => {
          try {
            await given.db.nested(work);
            return null;
          } catch (error) {
            if (error instanceof AppError) return error.code;
            throw error;
          }
        };
        const make = async (request: ReconciliationRequest) => {
          const prepared = await prepareReconciliation(context, request);
          made.push((await createReconciliation(context, prepared, 'manual')).id);
        };
        const undo = async (id: string) => {
          await undoReconciliation(context, await prepareUndoing(context, id), 'Engano');
        };
        const before = await snapshot(context);
        for (const one of commands) {
          if (one.does === 'make') {
            const request = model.requestOf(one);
            expect(await tell(() => make(request))).toBe(codeOf(() => model.make(request)));
          } else if (made[one.at] !== undefined) {
            expect(await tell(() => undo(made[one.at]!))).toBe(codeOf(() => model.undo(one.at)));
          }
        }
        await checkBooks(context, model);
        for (const [at, id] of accounts.entries()) {
          expect(await bookBalanceOf(context, { id })).toBe(replay.balanceOf(id, opening[at]!));
        }
        for (const [at, id] of made.entries()) if (model.links[at] !== null) await undo(id);
        expect(await snapshot(context)).toEqual(before);
      }),
    ),
    { numRuns: 150 },
  );
}, 60_000);
