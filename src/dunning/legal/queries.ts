import type { Position } from '../../core/paging.ts';
import type { Db } from '../../core/ports.ts';
import { after, type ListSort, orderAndLimit, sortsOf } from '../../db/listing.ts';
import type { Tables } from '../../db/rows.ts';
import { raw, sql } from '../../db/sql.ts';
import type { LegalCommand, LegalKind } from './schema.ts';

export type LegalEventRow = Tables['dunning_legal_events'] & { kind: LegalKind; details: object };

export type CommandStatus = 'pending' | 'requested' | 'confirmed' | 'rejected' | 'failed' | 'unknown';

export type CommandRow = Tables['dunning_legal_commands'] & {
  kind: LegalKind;
  command: LegalCommand;
  status: CommandStatus;
  request: object;
};

export const eventSorts = sortsOf({ at: { column: 'at', keyForm: 'instant' } });

/** Adds the event, unless the office told it before. Gives how many were added. */
export function insertEvent(
  db: Db,
  event: Omit<LegalEventRow, 'created_at' | 'at'> & { at: Date },
  now: Date,
): Promise<number> {
  return db.run(sql`
    insert into dunning_legal_events (organization_id, id, kind, action_id, at, event, details, report_id, created_at)
    values (${event.organization_id}, ${event.id}, ${event.kind}, ${event.action_id}, ${event.at}, ${event.event},
            ${JSON.stringify(event.details)}::jsonb, ${event.report_id}, ${now})
    on conflict (organization_id, action_id, report_id) do nothing`);
}

export function selectEvents(
  db: Db,
  organizationId: string,
  actionId: string,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<LegalEventRow[]> {
  return db.rows<LegalEventRow>(sql`
    select * from dunning_legal_events
     where organization_id = ${organizationId} and action_id = ${actionId}
       ${after(page.sort, page.position)}
     ${orderAndLimit(page.sort, page.limit)}`);
}

/** Which of these answers are on record. */
export function selectKnownReports(
  db: Db,
  organizationId: string,
  actionIds: readonly string[],
): Promise<{ action_id: string; report_id: string }[]> {
  return db.rows(sql`
    select action_id, report_id from dunning_legal_events
     where organization_id = ${organizationId} and action_id = any(${actionIds}::uuid[]) and report_id is not null`);
}

/** When the newest of the office's answers on record happened. */
export function selectLastAnswer(
  db: Db,
  organizationId: string,
  actionId: string,
): Promise<{ at: string | null } | undefined> {
  return db.row(sql`
    select max(at) as at from dunning_legal_events
     where organization_id = ${organizationId} and action_id = ${actionId} and report_id is not null`);
}

export function insertCommand(
  db: Db,
  command: Pick<
    CommandRow,
    'organization_id' | 'id' | 'kind' | 'action_id' | 'command' | 'request' | 'created_by'
  >,
  now: Date,
): Promise<number> {
  return db.run(sql`
    insert into dunning_legal_commands (organization_id, id, kind, action_id, command, status, request, created_by,
                                        created_at, updated_at)
    values (${command.organization_id}, ${command.id}, ${command.kind}, ${command.action_id}, ${command.command},
            'pending', ${JSON.stringify(command.request)}::jsonb, ${command.created_by}, ${now}, ${now})
    on conflict (organization_id, action_id, command) where status in ('pending', 'requested', 'unknown') do nothing`);
}

/** `lock` keeps two workers from both sending it. */
export function selectCommand(
  db: Db,
  organizationId: string,
  id: string,
  lock: boolean,
): Promise<CommandRow | undefined> {
  return db.row<CommandRow>(sql`
    select * from dunning_legal_commands
     where organization_id = ${organizationId} and id = ${id} ${raw(lock ? 'for update' : '')}`);
}

/** Everything that was ever asked about an action, oldest first. */
export function selectCommandsOf(
  db: Db,
  organizationId: string,
  actionId: string,
  lock: boolean,
): Promise<CommandRow[]> {
  return db.rows<CommandRow>(sql`
    select * from dunning_legal_commands
     where organization_id = ${organizationId} and action_id = ${actionId}
     order by created_at, id ${raw(lock ? 'for update' : '')}`);
}

/** Those that have not left yet, without those of the names `besides`. */
export function selectPendingCommands(
  db: Db,
  organizationId: string,
  kind: LegalKind,
  { besides = [], limit }: { besides?: readonly LegalCommand[]; limit: number },
): Promise<CommandRow[]> {
  return db.rows<CommandRow>(sql`
    select * from dunning_legal_commands
     where organization_id = ${organizationId} and kind = ${kind} and status = 'pending'
       and command <> all(${besides}::text[])
     order by id limit ${limit}`);
}

/** Those nobody knows the fate of: the call ended without an answer, or the process that made it died. */
export function selectUnresolvedCommands(
  db: Db,
  organizationId: string,
  kind: LegalKind,
  markedBefore: Date,
  limit: number,
): Promise<CommandRow[]> {
  return db.rows<CommandRow>(sql`
    select * from dunning_legal_commands
     where organization_id = ${organizationId} and kind = ${kind}
       and (status = 'unknown' or (status = 'requested' and answer is null and updated_at < ${markedBefore}))
     order by id limit ${limit}`);
}

/** What an office may still answer: all it has not answered, and titles at a notary office until their matter is over. */
export function selectWaitingCommands(
  db: Db,
  organizationId: string,
  kind: LegalKind,
  limit: number,
): Promise<(CommandRow & { document_number: string | null; amount_cents: number })[]> {
  const actions = raw(kind === 'negativation' ? 'dunning_negativations' : 'dunning_protests');
  return db.rows(sql`
    select c.*, p.document_number, a.amount_cents
      from (select * from dunning_legal_commands
             where organization_id = ${organizationId} and kind = ${kind} and status in ('requested', 'unknown')
            union all
            select sent.* from dunning_live_legal_actions l
              join dunning_legal_commands sent on sent.organization_id = l.organization_id and sent.action_id = l.action_id
             where l.organization_id = ${organizationId} and l.kind = ${kind}
               and sent.command = 'send' and sent.status = 'confirmed') c
      join ${actions} a on a.organization_id = c.organization_id and a.id = c.action_id
      join dunning_people p on p.organization_id = a.organization_id and p.id = a.person_id
     order by c.id limit ${limit}`);
}

export function updateCommand(
  db: Db,
  command: Pick<CommandRow, 'organization_id' | 'id' | 'status' | 'attempts' | 'answer'>,
  now: Date,
): Promise<number> {
  return db.run(sql`
    update dunning_legal_commands
       set status = ${command.status}, attempts = ${command.attempts},
           answer = ${command.answer === null ? null : JSON.stringify(command.answer)}::jsonb, updated_at = ${now}
     where organization_id = ${command.organization_id} and id = ${command.id}`);
}

/** The live action of a charge, of whatever kind. */
export function selectLiveAction(
  db: Db,
  organizationId: string,
  chargeId: string,
): Promise<{ kind: LegalKind; action_id: string } | undefined> {
  return db.row(sql`
    select kind, action_id from dunning_live_legal_actions
     where organization_id = ${organizationId} and charge_id = ${chargeId}`);
}

/** Holds other than those of legal actions, and open disputes that say it was paid. */
export function selectObstacles(
  db: Db,
  organizationId: string,
  chargeId: string,
  today: string,
): Promise<{ is_held: boolean; has_payment_claim: boolean } | undefined> {
  return db.row(sql`
    select exists (select from dunning_holds
                    where organization_id = ${organizationId} and charge_id = ${chargeId} and reason <> 'legal'
                      and (until is null or until >= ${today}::date)) as is_held,
           exists (select from dunning_disputes
                    where organization_id = ${organizationId} and charge_id = ${chargeId}
                      and reason = 'already_paid' and status in ('open', 'under_review')) as has_payment_claim`);
}
