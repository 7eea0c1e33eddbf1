/** A destructive operation of its own over a real database, with people in the console who decide on its calls. */

import { z } from 'zod';
import { approvalsGet, approvalsList } from '../../src/approvals/index.ts';
import { approvalPurposeOf } from '../../src/core/approvals.ts';
import { type AppError, fail } from '../../src/core/errors.ts';
import { moves, outside } from '../../src/core/facts.ts';
import { money, text } from '../../src/core/fields.ts';
import { createInvoker, type Invoker, type Outcome, type Request } from '../../src/core/invoke.ts';
import { catalogueOf, operation } from '../../src/core/operation.ts';
import { noteVerification } from '../../src/identity/sessions.ts';
import { openSession } from './session.ts';
import { formCapable, openWorld, type Who, type World } from './world.ts';

type Answer = Record<string, any>;

/** What the record says, how often the action ran, and what a run waits for or does besides. */
export interface Strikes {
  payee: string;
  /** Null: the action moves nothing that anybody could count. */
  isCounted: boolean;
  runs: { by: string; reason: string }[];
  duringRun: () => Promise<void>;
}

export interface Desk {
  readonly world: World;
  readonly invoker: Invoker;
  readonly strikes: Strikes;
  readonly logged: unknown[];
  readonly accessed: string[];
  /** Sets what the workspace lets happen, past everything. */
  setControls(controls: {
    approvals?: boolean;
    hours?: number;
    from?: number | null;
    frozen?: boolean;
  }): Promise<void>;
  /** A call through a client that cannot ask, unless `more` says otherwise. */
  call(args?: object, who?: Who, more?: Partial<Request>): Promise<Outcome>;
  /** The error of such a call. */
  refused(args?: object, who?: Who, more?: Partial<Request>): Promise<AppError>;
  /** Leaves a call for a person and gives the approval's id. */
  leave(args?: object, who?: Who): Promise<string>;
  get(id: string, who?: Who): Promise<Answer>;
  open(id: string, who?: Who, workspaceId?: string | null): Promise<Answer>;
  /** Proves to be there, for this approval unless told otherwise. */
  prove(id: string, who?: Who, purpose?: string | null): Promise<void>;
  /** Says yes with this state and whatever proof the session holds. */
  say(id: string, state: string | undefined, who?: Who): Promise<Answer>;
  /** Opens, proves, says yes. */
  approve(id: string, who?: Who, state?: string): Promise<Answer>;
  decline(id: string, who?: Who, reason?: string | null): Promise<Answer>;
  close(): Promise<void>;
}

export const strikeArgs = { amount: '1250.00', reason: 'wrong' };
const yes = { confirm: { action: 'accept', content: { confirm: true } } };

/** What a client that can ask sends with a person's yes. */
export const confirmedBy = (state: string): Partial<Request> => ({
  confirmation: { capabilities: formCapable, state, responses: yes },
});

export const asking: Partial<Request> = {
  confirmation: { capabilities: formCapable, state: undefined, responses: undefined },
};

function strikeOperation(strikes: Strikes) {
  return operation({
    name: 'finance_strike',
    title: 'Strike out',
    summary: 'A destructive one.',
    effect: 'destructive',
    scope: 'finance.payables',
    dryRun: true,
    onceOnly: ['secret'],
    input: { amount: money(), reason: text(100), token: text(50).optional() },
    output: z.object({ by: z.string(), run: z.int(), secret: z.string().nullable() }),
    async question({ amount, reason }) {
      if (reason === 'gone') fail('not_found', { kind: 'record' });
      const payee = outside('payee', 'Favorecido', 'Payee', strikes.payee);
      return strikes.isCounted ? [payee, moves('amount', 'Valor', 'Amount', amount)] : [payee];
    },
    async run({ reason }, { caller, changed, newId }) {
      await strikes.duringRun();
      strikes.runs.push({ by: caller.user.name, reason });
      changed('record', newId(), { struck: false }, { struck: true });
      if (reason === 'fail') fail('invalid_state', { from: 'paid', allowed: ['open'] });
      if (reason === 'crash') throw new Error('select secret from /etc/passwd');
      return { by: caller.user.name, run: strikes.runs.length, secret: 'once' };
    },
  });
}

/** Opens a world with the small catalogue over it. */
export async function openDesk(poolSize = 4): Promise<Desk> {
  const world = await openWorld({ poolSize });
  const strikes: Strikes = { payee: 'Aurora', isCounted: true, runs: [], duringRun: async () => {} };
  const strike = strikeOperation(strikes);
  const catalogue = catalogueOf([strike, approvalsGet('finance'), approvalsList('finance')]);
  const logged: unknown[] = [];
  const accessed: string[] = [];
  const ports = world.runtime.portsOf(catalogue);
  const invoker = createInvoker({
    ...ports,
    logFailure: (error) => `id${logged.push(error)}`,
    logAccess: ({ operation: name, outcome }) => void accessed.push(`${name} ${outcome}`),
  });
  const sessions = new Map<Who, ReturnType<typeof openSession>>();
  const sessionOf = (who: Who) => {
    const known = sessions.get(who) ?? openSession(world, who);
    sessions.set(who, known);
    return known;
  };
  const personOf = async (who: Who) => (await sessionOf(who)).caller('finance');
  const call: Desk['call'] = async (args = strikeArgs, who = 'owner', more = {}) =>
    invoker.call(strike, args, await world.caller(who), {
      surface: 'mcp',
      publicUrl: 'https://books.example',
      ...more,
    });
  const refused: Desk['refused'] = (args, who, more) =>
    call(args, who, more).then(
      (outcome) => {
        throw new Error(`not refused: ${outcome.kind}`);
      },
      (error: AppError) => error,
    );
  const open: Desk['open'] = async (id, who = 'colleague', workspaceId = world.workspaceId) =>
    invoker.approvals.open(await personOf(who), id, workspaceId);
  const prove: Desk['prove'] = async (id, who = 'colleague', purpose = approvalPurposeOf(id)) => {
    const session = await sessionOf(who);
    await noteVerification(world.runtime.database.shared, session.id, 'passkey', purpose, world.now());
  };
  const say: Desk['say'] = async (id, state, who = 'colleague') =>
    invoker.approvals.approve(await personOf(who), id, world.workspaceId, state);
  return {
    world,
    invoker,
    strikes,
    logged,
    accessed,
    call,
    refused,
    open,
    prove,
    async setControls({ approvals = true, hours = 24, from = null, frozen = false }) {
      await world.look(
        `insert into controls (tenant_id, organization_id, approvals_enabled, approval_hours, second_person_from_cents,
                               frozen_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, now())
         on conflict (tenant_id) do update set approvals_enabled = $3, approval_hours = $4,
                                               second_person_from_cents = $5, frozen_at = $6`,
        [world.workspaceId, world.organizationId, approvals, hours, from, frozen ? world.now() : null],
      );
    },
    async leave(args, who) {
      const { details, code } = await refused(args, who);
      const approval = details?.['approval'] as { id: string } | undefined;
      if (approval === undefined) throw new Error(`nothing was left: ${code}`);
      return approval.id;
    },
    async get(id, who = 'owner') {
      const get = invoker.catalogue.byName.get('finance_approvals_get')!;
      const outcome = await invoker.call(get, { id }, await world.caller(who), { surface: 'mcp' });
      return outcome.kind === 'done' ? outcome.output : {};
    },
    say,
    async approve(id, who = 'colleague', state) {
      const given = state ?? (await open(id, who))['state'] ?? undefined;
      await prove(id, who);
      return say(id, given, who);
    },
    decline: async (id, who = 'colleague', reason = null) =>
      invoker.approvals.decline(await personOf(who), id, world.workspaceId, reason),
    close: () => world.close(),
  };
}
