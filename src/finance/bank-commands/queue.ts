/** What operations ask of a bank: a row in the transaction of the operation, and the job that sends it afterwards. */

import type { Context, WriteContext } from '../../core/operation.ts';
import { type CommandRow, insertCommand, selectSubmitCommand, updateCommand } from './queries.ts';
import type { AnySubject, BankAnswer, BankRow, BankSubject } from './subject.ts';

/** Queues the sending of a record that is new in this transaction. */
export async function queueSubmit<Row extends BankRow>(
  context: WriteContext,
  subject: BankSubject<Row, unknown, BankAnswer>,
  row: Row,
): Promise<void> {
  await queueCommand(context, subject, row, 'submit', subject.submitKeyOf(row));
}

/** Whether it never left, so that calling it off is final at once. The record is locked when writing. */
export async function isUnsent<Row extends BankRow>(
  context: Context,
  subject: BankSubject<Row, unknown, BankAnswer>,
  row: Row,
): Promise<boolean> {
  return (await unsentCommandOf(context, subject, row)) !== null;
}

/**
 * Calls a record off, which the caller holds locked. `canceled`: it never left, and `cancelUnsent` was called with
 * the row. `asked`: the bank is asked; the caller stores that a cancellation was requested.
 */
export async function queueCancel<Row extends BankRow>(
  context: WriteContext,
  subject: BankSubject<Row, unknown, BankAnswer>,
  row: Row,
): Promise<'canceled' | 'asked'> {
  const { db, workspaceId, now } = context;
  const command = await unsentCommandOf(context, subject, row);
  if (command !== null) {
    await updateCommand(db, workspaceId, command.id, {
      status: 'failed',
      attempts: command.attempts,
      sentAt: null,
      answer: { reason: 'canceled before it was sent' },
      answeredAt: now.toISOString(),
    });
    await subject.cancelUnsent(context, row);
    return 'canceled';
  }
  await queueCommand(context, subject, row, 'cancel', subject.cancelKeyOf(row));
  return 'asked';
}

/** Queues the sending of a command: now, or not before a time. */
export function queueSend(context: WriteContext, task: string, commandId: string, runAt?: Date): void {
  const { organizationId, workspaceId } = context;
  context.enqueue({
    task,
    payload: { organizationId, workspaceId, commandId },
    key: `${task}:${commandId}`,
    ...(runAt !== undefined && { runAt }),
  });
}

/** Queues the next question to the bank; one waits for a record at most. */
export function queuePoll(context: WriteContext, { kind, tasks }: AnySubject, id: string, runAt: Date): void {
  const { organizationId, workspaceId } = context;
  context.enqueue({
    task: tasks.poll,
    payload: { organizationId, workspaceId, [`${kind}Id`]: id },
    key: `${tasks.poll}:${id}`,
    runAt,
  });
}

async function unsentCommandOf(
  { db, workspaceId, isWriting }: Context,
  { kind }: AnySubject,
  { id }: BankRow,
): Promise<CommandRow | null> {
  const command = await selectSubmitCommand(db, workspaceId, { kind, id }, isWriting);
  return command?.status === 'requested' && command.sent_at === null ? command : null;
}

async function queueCommand(
  context: WriteContext,
  { kind: subjectKind, tasks }: AnySubject,
  row: BankRow,
  kind: 'submit' | 'cancel',
  idempotencyKey: string,
): Promise<void> {
  const { db, workspaceId, now } = context;
  const id = context.newId();
  await insertCommand(db, { workspaceId, id, subjectKind, subjectId: row.id, kind, idempotencyKey }, now);
  queueSend(context, tasks.send, id);
}
