import type { Db } from '../../core/ports.ts';
import type { Tables } from '../../db/rows.ts';
import { raw, sql } from '../../db/sql.ts';
import type { CommandStatus } from './rules.ts';
import type { AnySubject } from './subject.ts';

export type CommandRow = Tables['bank_commands'] & { kind: 'submit' | 'cancel'; status: CommandStatus };

type SubjectKind = AnySubject['kind'];

export interface NewCommand {
  readonly workspaceId: string;
  readonly id: string;
  readonly subjectKind: SubjectKind;
  readonly subjectId: string;
  readonly kind: CommandRow['kind'];
  readonly idempotencyKey: string;
}

export function insertCommand(db: Db, command: NewCommand, now: Date): Promise<number> {
  return db.run(sql`
    insert into bank_commands
      (workspace_id, id, ${subjectColumn(command.subjectKind)}, kind, status, idempotency_key, created_at)
    values (${command.workspaceId}, ${command.id}, ${command.subjectId}, ${command.kind}, 'requested',
            ${command.idempotencyKey}, ${now})`);
}

/** `lock` keeps two runs of one job from both sending. */
export function selectCommand(
  db: Db,
  workspaceId: string,
  id: string,
  lock: boolean,
): Promise<CommandRow | undefined> {
  return db.row<CommandRow>(sql`
    select * from bank_commands
     where workspace_id = ${workspaceId} and id = ${id} ${raw(lock ? 'for update' : '')}`);
}

export function selectSubmitCommand(
  db: Db,
  workspaceId: string,
  subject: { kind: SubjectKind; id: string },
  lock: boolean,
): Promise<CommandRow | undefined> {
  return db.row<CommandRow>(sql`
    select * from bank_commands
     where workspace_id = ${workspaceId} and ${subjectColumn(subject.kind)} = ${subject.id} and kind = 'submit'
     ${raw(lock ? 'for update' : '')}`);
}

export function updateCommand(
  db: Db,
  workspaceId: string,
  id: string,
  change: {
    status: CommandStatus;
    attempts: number;
    sentAt: string | null;
    answer?: object;
    answeredAt?: string;
  },
): Promise<number> {
  return db.run(sql`
    update bank_commands
       set status = ${change.status}, attempts = ${change.attempts}, sent_at = ${change.sentAt}::timestamptz,
           answer = coalesce(${change.answer === undefined ? null : JSON.stringify(change.answer)}::jsonb, answer),
           answered_at = coalesce(${change.answeredAt ?? null}::timestamptz, answered_at)
     where workspace_id = ${workspaceId} and id = ${id}`);
}

function subjectColumn(kind: SubjectKind) {
  return raw(`${kind}_id`);
}
