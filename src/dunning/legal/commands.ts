/** What is asked of a bureau or a notary office: a row in the transaction that decides, sent by a job after it. */

import type { Context, WriteContext } from '../../core/operation.ts';
import { type CommandRow, insertCommand, selectCommandsOf, updateCommand } from './queries.ts';
import type { LegalCommand, LegalKind } from './schema.ts';

/** The tasks that send what is asked of each office. */
export const SEND_TASKS: Readonly<Record<LegalKind, string>> = {
  negativation: 'dunning_send_negativations',
  protest: 'dunning_send_protests',
};

/** Where the newest command of a name stands. */
export type CommandFate =
  /** Nobody asked for it. */
  | 'none'
  /** It has not left. */
  | 'unsent'
  /** The office has it, or may have it. */
  | 'in_flight'
  /** The office did it. */
  | 'done'
  /** The office refused it, or it never left. */
  | 'over';

/**
 * Writes a command under a key of its own and queues its sending; `requestOf` is given that key. Nothing happens when
 * the same is being asked already.
 */
export async function queueCommand(
  context: WriteContext,
  kind: LegalKind,
  actionId: string,
  command: LegalCommand,
  requestOf: (key: string) => object,
): Promise<boolean> {
  const id = context.newId();
  const added = await insertCommand(
    context.db,
    {
      organization_id: context.organizationId,
      id,
      kind,
      action_id: actionId,
      command,
      request: requestOf(id),
      created_by: context.caller.user.id,
    },
    context.now,
  );
  if (added > 0) queueSending(context, kind);
  return added > 0;
}

export function queueSending(context: WriteContext, kind: LegalKind, runAt?: Date): void {
  const { organizationId } = context;
  const task = SEND_TASKS[kind];
  context.enqueue({
    task,
    payload: { organizationId },
    key: `${task}/${organizationId}`,
    ...(runAt && { runAt }),
  });
}

/** Where the newest command of this name stands; the action is locked when writing. */
export async function fateOf(
  context: Context,
  actionId: string,
  command: LegalCommand,
): Promise<{ fate: CommandFate; row: CommandRow | null }> {
  const commands = await selectCommandsOf(context.db, context.organizationId, actionId, context.isWriting);
  const row = commands.findLast((known) => known.command === command) ?? null;
  return { fate: row === null ? 'none' : fates[row.status], row };
}

/** Takes back a command that has not left. */
export async function dropCommand(context: WriteContext, command: CommandRow, reason: string): Promise<void> {
  await updateCommand(context.db, { ...command, status: 'failed', answer: { reason } }, context.now);
}

const fates: Readonly<Record<CommandRow['status'], CommandFate>> = {
  pending: 'unsent',
  requested: 'in_flight',
  unknown: 'in_flight',
  confirmed: 'done',
  rejected: 'over',
  failed: 'over',
};
