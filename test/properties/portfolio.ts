/** One run over a portfolio: people, debtors, offices and days act on it through operations and jobs. */

import { expect } from 'vitest';
import { parseArguments } from '../../src/core/arguments.ts';
import { isBusinessDay } from '../../src/core/calendar.ts';
import { addDays, weekdayOf } from '../../src/core/dates.ts';
import { AppError } from '../../src/core/errors.ts';
import type { JobContext } from '../../src/core/job.ts';
import type { WriteContext } from '../../src/core/operation.ts';
import type { Job } from '../../src/core/ports.ts';
import { sql } from '../../src/db/sql.ts';
import { dunning, jobs } from '../../src/dunning/index.ts';
import { createSimulatedBureau } from '../../src/gateways/bureau/index.ts';
import type { DunningGateways } from '../../src/gateways/dunning.ts';
import type { MessageChannel, MessagePort, OutgoingMessage } from '../../src/gateways/messages/port.ts';
import { createSimulatedMessages } from '../../src/gateways/messages/simulator.ts';
import { createSimulatedNotary } from '../../src/gateways/notary/index.ts';
import type { Base } from './portfolio-base.ts';
import { checkMoves, checkNight, checkRecords } from './portfolio-checks.ts';
import { moneyOf, reckon } from './portfolio-reckoning.ts';
import { isOpenCharge, type State, stateOf } from './portfolio-state.ts';
import type { PortfolioStep } from './portfolio-step.ts';
import { portfolioFirsts, portfolioSteps } from './portfolio-steps.ts';

/** How an operation ended: what it gave, or the code it refused with. */
export type Ended = { readonly output: any } | { readonly code: string };

export type Moves = (readonly [kind: string, id: string, before: any, after: any])[];

const START = '2026-10-01';
const FIRST_TIME = '12:00:00.000Z';
const MINUTE_MS = 60_000;
const ROLLBACK = new Error('rollback');
const nightly = [
  'dunning_campaigns_turn',
  'dunning_agreements_run',
  'dunning_judge_promises',
  'dunning_lift_holds',
  'dunning_daily_run',
  'dunning_negativations_daily',
  'dunning_protests_daily',
];
const everyFewMinutes = [
  'dunning_run_steps',
  'dunning_send_messages',
  'dunning_collect_reports',
  'dunning_watch_prior_notices',
  'dunning_collect_bureau_answers',
  'dunning_collect_notary_answers',
];
const ROUNDS_MAX = 30;
/** Hours of the debtors' states on working days and Saturdays. */
const hours: Readonly<Record<string, { week: [number, number]; saturday: [number, number] | null }>> = {
  SP: { week: [8, 20], saturday: [8, 14] },
  RJ: { week: [9, 19], saturday: null },
};

export class Portfolio {
  readonly base: Base;
  state!: State;
  /** Every message that left, as `person day`. */
  readonly sent: string[] = [];
  private readonly given: WriteContext;
  private now = Date.parse(`${START}T${FIRST_TIME}`);
  private queue: Job[] = [];
  private moves: Moves = [];
  private readonly gateways: DunningGateways;
  private readonly statuses = new Map<string, string>();
  /** The checks of ports, one after the other: messages leave several at once. */
  private looking: Promise<unknown> = Promise.resolve();

  constructor(given: WriteContext, base: Base) {
    this.given = given;
    this.base = base;
    const now = () => new Date(this.now);
    const messages = createSimulatedMessages({ now });
    const bureau = createSimulatedBureau();
    const notary = createSimulatedNotary();
    this.gateways = {
      messages: Object.fromEntries(
        (['email', 'sms', 'whatsapp', 'letter'] as const).map((channel) => [
          channel,
          this.watched(channel, messages[channel]),
        ]),
      ) as DunningGateways['messages'],
      bureau: {
        ...bureau,
        register: async (request, at) => {
          await this.checkReport(request.actionKey);
          return bureau.register(request, at);
        },
      },
      notary: {
        ...notary,
        send: async (request, at) => {
          await this.checkProtest(request.actionKey);
          return notary.send(request, at);
        },
      },
      webhooks: {
        name: 'none',
        send: async () => ({ kind: 'answered', status: 200, text: '', durationMs: 1 }),
      },
    };
  }

  get today(): string {
    return new Date(this.now - 180 * MINUTE_MS).toISOString().slice(0, 10);
  }

  get context(): WriteContext {
    return {
      ...this.given,
      now: new Date(this.now),
      today: this.today,
      changed: (kind, id, before, after) => {
        this.moves.push([kind, id, before, after]);
      },
      enqueue: (job) => {
        this.queue = [...this.queue.filter(({ key }) => key === undefined || key !== job.key), job];
      },
    };
  }

  /** Takes a step and checks everything after it; tells how it ended, or null when there was nothing to do it with. */
  async take(step: PortfolioStep): Promise<Ended | null> {
    if (this.state === undefined) await this.look();
    const ended = await this.act(step);
    if (ended !== null) return ended;
    // What it needs is made first where there is none.
    const first = portfolioFirsts[step.does];
    if (first === undefined) return null;
    await this.take({ ...step, does: first, other: step.other | 1, share: 1_000 });
    return this.act(step);
  }

  /** What is due on every charge as the list sums it up in one statement. */
  async check(): Promise<void> {
    if (this.state === undefined) return;
    const listed = await this.call('dunning_charges_list', { limit: 100 });
    const { items } = (listed as { output: any }).output;
    const said = Object.fromEntries(items.map((item: any) => [item.id, item.amount_due]));
    const due = this.state.charges.map((charge) => {
      const cents =
        charge.status === 'canceled' ? 0 : reckon(charge, moneyOf(this.state, charge), this.today).due;
      return [charge.id, (cents / 100).toFixed(2)];
    });
    expect(said).toEqual(Object.fromEntries(due));
  }

  private async act(step: PortfolioStep): Promise<Ended | null> {
    this.now += MINUTE_MS;
    const before = this.state;
    const ended = await portfolioSteps[step.does](this, step);
    if (ended === null) return null;
    await this.look();
    checkMoves(this.moves, this.statuses);
    this.moves = [];
    checkRecords(this.state, this.today);
    if (step.does === 'wait') checkNight(this.state, this.today);
    this.checkPlanned(before);
    return ended;
  }

  async look(): Promise<void> {
    this.state = await stateOf(this.given);
  }

  /** Runs an operation as a person would have it run: asked first where it asks; a refusal leaves nothing behind. */
  async call(name: string, args: object, user = 0): Promise<Ended> {
    const operation = dunning.catalogue.byName.get(name)!;
    const { caller } = this.given;
    const person = { ...caller, user: { ...caller.user, id: this.base.users[user]! } };
    const asked =
      operation.question === undefined
        ? null
        : await this.tried(async () => {
            const reading = { ...this.context, caller: person, isWriting: false };
            await operation.question!(parseArguments(operation, args) as never, reading as never);
          });
    const ended = await this.tried(async () => {
      const context = { ...this.context, caller: person };
      return operation.output.parse(
        await operation.run(parseArguments(operation, args) as never, context as never),
      );
    });
    // What the question lets pass is done, and what it refuses is refused for the same reason.
    if (asked !== null) expect([name, codeOf(asked)]).toEqual([name, codeOf(ended)]);
    return ended;
  }

  /** Does something under a savepoint. */
  async tried(work: () => Promise<unknown>): Promise<Ended> {
    const [moves, queue] = [this.moves.length, this.queue];
    try {
      let output: unknown;
      await this.given.db.nested(async () => {
        output = await work();
      });
      return { output };
    } catch (error) {
      this.moves.length = moves;
      this.queue = queue;
      if (error instanceof AppError) return { code: error.code };
      throw error;
    }
  }

  /** MODEL §14.19: does something, and sees, if it is tried, that undoing it at once gives back exactly what was. */
  async undoably(
    make: () => Promise<Ended>,
    undo: (output: any) => Promise<Ended>,
    isTried: boolean,
  ): Promise<Ended> {
    if (!isTried) return make();
    const before = restorable(await stateOf(this.given), this.today);
    const made = await make();
    if ('code' in made) return made;
    const [moves, queue] = [this.moves.length, this.queue];
    try {
      await this.given.db.nested(async () => {
        expect(await undo(made.output)).toHaveProperty('output');
        expect(restorable(await stateOf(this.given), this.today)).toEqual(before);
        throw ROLLBACK;
      });
    } catch (error) {
      if (error !== ROLLBACK) throw error;
    }
    this.moves.length = moves;
    this.queue = queue;
    return made;
  }

  /** What the worker finds in its queue, until nothing is left whose time has come. */
  async work(): Promise<void> {
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const due = this.queue.filter(({ runAt }) => runAt === undefined || runAt.getTime() <= this.now);
      if (due.length === 0) return;
      this.queue = this.queue.filter((job) => !due.includes(job));
      for (const { task, payload } of due) await this.runJob(task, payload);
    }
    throw new Error(`the queue never ends: ${this.queue.map(({ task }) => task).join(', ')}`);
  }

  /** Some days go by; the worker was stopped on all but the last. */
  async wait(days: number, time: string): Promise<void> {
    const date = addDays(this.today, days);
    this.now = Date.parse(`${date}T03:10:00Z`);
    for (const task of nightly) await this.runJob(task);
    await this.work();
    this.now = Date.parse(`${date}T${time}:00Z`);
    for (const task of everyFewMinutes) await this.runJob(task);
    await this.work();
  }

  private async runJob(
    task: string,
    payload: unknown = { organizationId: this.given.organizationId },
  ): Promise<void> {
    const job = jobs.find((known) => known.task === task)!;
    const running: JobContext<DunningGateways> = {
      gateways: this.gateways,
      now: new Date(this.now),
      read: (work) => work({ ...this.context, isWriting: false } as never),
      write: async (work) => {
        let result: unknown;
        await this.given.db.nested(async () => {
          result = await work(this.context);
        });
        return result as never;
      },
    };
    await job.run(job.payload.parse(payload), running);
  }

  private watched(channel: MessageChannel, port: MessagePort): MessagePort {
    return {
      ...port,
      send: async (message) => {
        this.looking = this.looking.then(() => this.checkMessage(channel, message));
        await this.looking;
        return port.send(message);
      },
    };
  }

  /** §14.14 and §14.15, at the moment a message leaves. */
  private async checkMessage(channel: string, { key }: OutgoingMessage): Promise<void> {
    const { db } = this.given;
    const [sent] = await db.rows<any>(sql`
      select n.trigger, n.person_id, n.execution_id, p.state, p.do_not_contact, t.consent, t.validity
        from dunning_notifications n
        join dunning_people p on p.id = n.person_id
        left join dunning_contacts t on t.id = n.contact_id
       where n.id = ${key}`);
    if (channel !== 'letter') expect(sent.validity).not.toMatch(/^(bounced|wrong_person)$/);
    // What the law asks for is told whether it is wanted or not.
    if (sent.trigger !== 'prior_notice') {
      expect([sent.do_not_contact, sent.consent]).toEqual([false, expect.not.stringMatching('opted_out')]);
    }
    const local = new Date(this.now - 180 * MINUTE_MS);
    const hour = local.getUTCHours();
    const { week, saturday } = hours[sent.state]!;
    const window = isBusinessDay(this.today) ? week : weekdayOf(this.today) === 6 ? saturday : null;
    // Letters rest in a letter box: no hours bind them.
    const isOpen = window !== null && hour >= window[0] && hour < window[1];
    expect({ channel, isOpen: isOpen || channel === 'letter' }).toEqual({ channel, isOpen: true });
    const slot = `${sent.person_id} ${this.today}`;
    expect(this.sent).not.toContain(slot);
    this.sent.push(slot);
    if (sent.trigger !== 'rule') return;
    const about = await db.rows<any>(sql`
      select c.id, c.status, c.is_disputed, c.dunning_state, c.rule_cycle, x.cycle, c.collection_rule_id as rule,
             x.rule_id, (select count(*) from dunning_holds h where h.charge_id = c.id) as holds
        from dunning_step_executions x join dunning_charges c on c.id = x.charge_id
       where x.id = ${sent.execution_id}`);
    expect(about).toHaveLength(1);
    const [charge] = about;
    expect(charge).toMatchObject({
      is_disputed: false,
      dunning_state: 'active',
      cycle: charge.rule_cycle,
      rule_id: charge.rule,
      holds: 0,
    });
    expect(isOpenCharge(charge)).toBe(true);
  }

  /** §14.14, §14.17 and §14.18, at the moment a debt is told to a bureau. */
  private async checkReport(id: string): Promise<void> {
    const state = await stateOf(this.given);
    const action = state.negativations.find((one) => one.id === id)!;
    this.checkAction(state, action);
    const notice = action.prior_notice as any;
    expect(notice.evidence).toBeTruthy();
    expect(action.waits_until! < this.today).toBe(true);
    expect(addDays(notice.sent_at.slice(0, 10), 10) <= this.today).toBe(true);
    expect(action.status).toBe('notice_sent');
  }

  private async checkProtest(id: string): Promise<void> {
    const state = await stateOf(this.given);
    const action = state.protests.find((one) => one.id === id)!;
    this.checkAction(state, action);
    expect(action.status).toBe('approved');
  }

  private checkAction(
    state: State,
    action: { id: string; charge_id: string; requested_by: string; approved_by: string | null },
  ): void {
    expect(action.approved_by).not.toBeNull();
    expect(action.approved_by).not.toBe(action.requested_by);
    const charge = state.charges.find(({ id }) => id === action.charge_id)!;
    expect(charge).toMatchObject({ status: 'overdue', is_disputed: false });
    // Its rule waits for the action itself; nothing else holds the charge.
    const holds = state.holds.filter(({ charge_id }) => charge_id === charge.id);
    expect(holds.filter(({ source_id }) => source_id !== action.id)).toEqual([]);
  }

  /** §14.16: what is planned anew falls after the moment from which the rule of its charge runs. */
  private checkPlanned(before: State): void {
    const known = new Set(before.executions.map(({ id }) => id));
    for (const { id, charge_id, rule_id, step_on, due_at } of this.state.executions) {
      if (known.has(id)) continue;
      const was = before.charges.find((one) => one.id === charge_id);
      const is = this.state.charges.find((one) => one.id === charge_id)!;
      const from = was?.collection_rule_id === rule_id ? was.rule_started_at! : is.rule_started_at!;
      // The moment of the day is checked by its end: what is due is never moved back.
      expect(step_on >= from.slice(0, 10) || addDays(step_on, 1) >= from.slice(0, 10)).toBe(true);
      expect(Date.parse(due_at)).toBeGreaterThanOrEqual(Date.parse(from));
    }
  }
}

const codeOf = (ended: Ended) => ('code' in ended ? ended.code : 'done');

/** What a reversal has to give back: money and states, but not that something happened at all. */
function restorable(state: State, today: string): object {
  return {
    charges: state.charges.map((charge) => ({
      id: charge.id,
      status: charge.status === 'pending' && charge.adjusted_due_date < today ? 'overdue' : charge.status,
      open: charge.open_cents,
      ledger: charge.ledger,
      abatement: charge.abatement_cents,
      paidOn: charge.paid_on,
      agreement: charge.agreement_id,
      isDisputed: charge.is_disputed,
      legal: charge.legal_kind,
      rule: charge.collection_rule_id,
      state: charge.dunning_state,
      paused: charge.paused_reason,
    })),
    payments: state.payments
      .filter(({ status }) => status === 'confirmed')
      .map(({ version: _version, updated_at: _at, ...rest }) => rest),
    agreements: state.agreements.map(({ id, status }) => ({ id, status })),
    installments: state.installments,
    shares: state.shares,
    credits: state.credits.map(({ id: _id, ...rest }) => JSON.stringify(rest)).sort(),
    holds: state.holds.map(({ charge_id, reason, source_id }) => `${charge_id} ${reason} ${source_id}`),
    live: state.liveActions,
  };
}
