/**
 * Sends what was asked of an office and brings its answers back. A command is marked and committed before the office is
 * called, so a process that dies in between leaves a mark; what nobody knows the fate of is asked for, never sent again.
 */

import { z } from 'zod';
import { approvalStore } from '../../approvals/index.ts';
import type { JobContext, JobDefinition } from '../../core/job.ts';
import type { WriteContext } from '../../core/operation.ts';
import type { DunningGateways } from '../../gateways/dunning.ts';
import {
  type Collected,
  type CollectQuery,
  type FoundRequest,
  type OfficeAnswer,
  OfficeOutcomeUnknown,
  OfficeRefused,
  OfficeUnreachable,
  type TakenRequest,
} from '../../gateways/office/port.ts';
import { queueSending, SEND_TASKS } from './commands.ts';
import { knownReports, outsideText, reportIdOf } from './events.ts';
import {
  type CommandRow,
  selectCommand,
  selectPendingCommands,
  selectUnresolvedCommands,
  selectWaitingCommands,
  updateCommand,
} from './queries.ts';
import { commandsAgainst, type LegalCommand, type LegalKind } from './schema.ts';

/** An office as the two jobs reach it. */
export interface LegalDesk<Answer extends OfficeAnswer> {
  send(command: LegalCommand, request: object, now: Date): Promise<TakenRequest>;
  find(request: { organizationId: string; key: string }): Promise<FoundRequest>;
  collect(query: CollectQuery): Promise<Collected<Answer>>;
}

/** What a slice does at each step; the action is loaded and locked there. */
export interface LegalSubject<Answer extends OfficeAnswer> {
  readonly kind: LegalKind;
  readonly collectTask: string;
  readonly deskOf: (gateways: DunningGateways) => LegalDesk<Answer>;
  /** The last look before it leaves: what is sent, or null when it does not leave, which the action has been told. */
  readonly requestToSend: (context: WriteContext, command: CommandRow) => Promise<object | null>;
  readonly taken: (context: WriteContext, command: CommandRow, reference: string | null) => Promise<void>;
  readonly refused: (context: WriteContext, command: CommandRow, reason: string) => Promise<void>;
  /** Applies an answer; `confirmed` or `rejected` when the command is over with it. */
  readonly apply: (
    context: WriteContext,
    command: CommandRow,
    answer: Answer,
  ) => Promise<'confirmed' | 'rejected' | null>;
}

const payload = z.strictObject({ organizationId: z.uuid() });

type LegalJob = JobDefinition<z.infer<typeof payload>, DunningGateways>;
type LegalJobContext = JobContext<DunningGateways>;

const BATCH = 100;
/** Longer than any call to an office may take. */
const ON_ITS_WAY_MS = 600_000;
const COLLECT_EVERY_MINUTES = 5;
const WAITING_MAX = 5_000;
/** How long what is held waits before it looks again whether its organization is still frozen. */
const FROZEN_WAIT_MS = 60_000;

/** The job that sends and the job that collects. */
export function legalJobsOf<Answer extends OfficeAnswer>(subject: LegalSubject<Answer>): LegalJob[] {
  return [
    {
      task: SEND_TASKS[subject.kind],
      payload,
      run: ({ organizationId }, context) => sendAll(context, subject, organizationId),
    },
    {
      task: subject.collectTask,
      payload,
      every: { at: COLLECT_EVERY_MINUTES, tenant: 'organization' },
      run: async ({ organizationId }, context) => {
        await sendForgotten(context, subject.kind, organizationId);
        await resolveUnknown(context, subject, organizationId);
        await collect(context, subject, organizationId);
      },
    },
  ];
}

/** While the organization is frozen nothing leaves that is asked against a debtor; what takes it back does. */
async function sendAll<Answer extends OfficeAnswer>(
  context: LegalJobContext,
  subject: LegalSubject<Answer>,
  organizationId: string,
): Promise<void> {
  const { kind } = subject;
  const { isFrozen } = await context.read(({ db }) =>
    approvalStore.controls(db, { organizationId, workspaceId: null }),
  );
  const besides = isFrozen ? commandsAgainst : [];
  const pending = await context.read(({ db }) =>
    selectPendingCommands(db, organizationId, kind, { besides, limit: BATCH }),
  );
  const failures: unknown[] = [];
  for (const { id } of pending) {
    await sendOne(context, subject, organizationId, id).catch((error) => failures.push(error));
  }
  // The queue tries again later, and waits longer after each failure.
  if (failures.length > 0) throw failures[0];
  if (pending.length === BATCH) await context.write(async (write) => queueSending(write, kind));
  else if (isFrozen) await lookAgain(context, kind, organizationId);
}

async function lookAgain(context: LegalJobContext, kind: LegalKind, organizationId: string): Promise<void> {
  const held = await context.read(({ db }) => selectPendingCommands(db, organizationId, kind, { limit: 1 }));
  if (held.length === 0) return;
  const at = new Date(context.now.getTime() + FROZEN_WAIT_MS);
  await context.write(async (write) => queueSending(write, kind, at));
}

async function sendOne<Answer extends OfficeAnswer>(
  context: LegalJobContext,
  subject: LegalSubject<Answer>,
  organizationId: string,
  id: string,
): Promise<void> {
  const leaving = await context.write((write) => markLeaving(write, subject, organizationId, id));
  if (leaving === null) return;
  const desk = subject.deskOf(context.gateways);
  let taken: TakenRequest;
  try {
    taken = await desk.send(leaving.command.command, leaving.request, context.now);
  } catch (error) {
    if (!(await recordFailure(context, subject, leaving.command, error))) throw error;
    return;
  }
  await context.write((write) => recordTaken(write, subject, leaving.command, taken.reference));
}

/** Marks it as on its way; null when it does not leave, or somebody else has it. */
async function markLeaving<Answer extends OfficeAnswer>(
  context: WriteContext,
  subject: LegalSubject<Answer>,
  organizationId: string,
  id: string,
): Promise<{ command: CommandRow; request: object } | null> {
  const { db, now } = context;
  // Before any record, as in every destructive call: whoever sets the switch waits for both, and neither for the other.
  const { isFrozen } = await approvalStore.holdControls(db, { organizationId, workspaceId: null });
  const found = await selectCommand(db, organizationId, id, false);
  if (found?.status !== 'pending') return null;
  if (isFrozen && commandsAgainst.includes(found.command)) return null;
  // The slice locks the charge and the action first, as everybody does.
  const request = await subject.requestToSend(context, found);
  const command = await selectCommand(db, organizationId, id, true);
  if (request === null || command?.status !== 'pending') return null;
  const leaving: CommandRow = { ...command, status: 'requested', attempts: command.attempts + 1 };
  await updateCommand(db, leaving, now);
  return { command: leaving, request };
}

async function recordTaken<Answer extends OfficeAnswer>(
  context: WriteContext,
  subject: LegalSubject<Answer>,
  command: CommandRow,
  reference: string | null,
): Promise<void> {
  const current = await selectCommand(context.db, context.organizationId, command.id, true);
  // Its final answer may have been quicker.
  if (current?.status !== 'requested' && current?.status !== 'unknown') return;
  const kept = reference === null ? null : outsideText(reference);
  const taken: CommandRow = { ...current, status: 'requested', answer: { reference: kept } };
  await updateCommand(context.db, taken, context.now);
  await subject.taken(context, taken, kept);
}

/** False when the error is none of an office, or the command waits to be sent again. */
async function recordFailure<Answer extends OfficeAnswer>(
  context: LegalJobContext,
  subject: LegalSubject<Answer>,
  command: CommandRow,
  error: unknown,
): Promise<boolean> {
  if (error instanceof OfficeRefused) {
    const reason = outsideText(error.message);
    await context.write(async (write) => {
      await updateCommand(write.db, { ...command, status: 'rejected', answer: { reason } }, write.now);
      await subject.refused(write, command, reason);
    });
    return true;
  }
  if (error instanceof OfficeOutcomeUnknown) {
    await context.write((write) => updateCommand(write.db, { ...command, status: 'unknown' }, write.now));
    return true;
  }
  if (error instanceof OfficeUnreachable) {
    await context.write((write) => updateCommand(write.db, { ...command, status: 'pending' }, write.now));
  }
  return false;
}

/** What the queue gave up on, because the office could not be reached for so long, is not given up here. */
async function sendForgotten(
  context: LegalJobContext,
  kind: LegalKind,
  organizationId: string,
): Promise<void> {
  const [oldest] = await context.read(({ db }) =>
    selectPendingCommands(db, organizationId, kind, { limit: 1 }),
  );
  const isForgotten =
    oldest !== undefined && Date.parse(oldest.updated_at) < context.now.getTime() - ON_ITS_WAY_MS;
  if (isForgotten) await context.write(async (write) => queueSending(write, kind));
}

/** Asks for commands without a known fate; what the office does not know is sent, under the same key. */
async function resolveUnknown<Answer extends OfficeAnswer>(
  context: LegalJobContext,
  subject: LegalSubject<Answer>,
  organizationId: string,
): Promise<void> {
  const desk = subject.deskOf(context.gateways);
  const markedBefore = new Date(context.now.getTime() - ON_ITS_WAY_MS);
  const unresolved = await context.read(({ db }) =>
    selectUnresolvedCommands(db, organizationId, subject.kind, markedBefore, BATCH),
  );
  for (const command of unresolved) {
    const found = await desk.find({ organizationId, key: command.id });
    if (found.state === 'taken') {
      await context.write((write) => recordTaken(write, subject, command, found.reference));
    } else {
      const status = found.state === 'absent' ? 'pending' : 'unknown';
      await context.write(async (write) => {
        const current = await selectCommand(write.db, organizationId, command.id, true);
        if (current?.status !== command.status) return;
        await updateCommand(write.db, { ...current, status }, write.now);
        if (status === 'pending') queueSending(write, subject.kind);
      });
    }
  }
}

/**
 * Brings back what the office says, also of what nobody waits for any more; what it told before is left out without a
 * transaction.
 */
async function collect<Answer extends OfficeAnswer>(
  context: LegalJobContext,
  subject: LegalSubject<Answer>,
  organizationId: string,
): Promise<void> {
  const waiting = await context.read(({ db }) =>
    selectWaitingCommands(db, organizationId, subject.kind, WAITING_MAX),
  );
  const { answers, forget } = await subject.deskOf(context.gateways).collect({
    organizationId,
    now: context.now,
    waiting: waiting.map((command) => ({
      key: command.id,
      actionKey: command.action_id,
      command: command.command,
      askedAt: new Date(command.created_at),
      documentNumber: command.document_number ?? '',
      amount: command.amount_cents,
    })),
  });
  const actionOf = new Map(waiting.map(({ id, action_id }) => [id, action_id]));
  const actionIds = answers.length === 0 ? [] : [...new Set(actionOf.values())];
  const known = await context.read((read) => knownReports(read, actionIds));
  const failures: unknown[] = [];
  for (const answer of answers) {
    if (known.has(`${actionOf.get(answer.key)}/${reportIdOf(answer)}`)) continue;
    await context.write((write) => applyOne(write, subject, answer)).catch((error) => failures.push(error));
  }
  // What failed is told again at the next collection.
  if (failures.length > 0) throw failures[0];
  await forget();
}

/** An answer to a key that is none of ours, or of another organization, is left alone. */
async function applyOne<Answer extends OfficeAnswer>(
  context: WriteContext,
  subject: LegalSubject<Answer>,
  answer: Answer,
): Promise<void> {
  const { db, organizationId, now } = context;
  const found = await selectCommand(db, organizationId, answer.key, false);
  if (found === undefined || found.kind !== subject.kind) return;
  const outcome = await subject.apply(context, found, answer);
  if (outcome === null) return;
  const command = await selectCommand(db, organizationId, answer.key, true);
  if (command === undefined || command.status === 'confirmed') return;
  await updateCommand(db, { ...command, status: outcome, answer: command.answer ?? {} }, now);
}
