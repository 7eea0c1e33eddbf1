import type { Db } from '../../core/ports.ts';
import type { Tables } from '../../db/rows.ts';
import { sql } from '../../db/sql.ts';

export type TrailRow = Tables['dunning_notification_trail'];

export type KnownReport = Pick<TrailRow, 'notification_id' | 'report_id' | 'at' | 'status'>;

const SHOWN_MAX = 100;

/** One line to be added. */
export interface TrailLine {
  readonly notificationId: string;
  readonly at: string;
  readonly status: string;
  readonly detail: string | null;
  /** The provider's own name of a report: told twice, kept once. */
  readonly reportId: string | null;
}

/** Oldest first. */
export function selectTrail(db: Db, organizationId: string, notificationId: string): Promise<TrailRow[]> {
  return db.rows<TrailRow>(sql`
    select * from dunning_notification_trail
     where organization_id = ${organizationId} and notification_id = ${notificationId}
     order by position limit ${SHOWN_MAX}`);
}

/** What providers reported of these messages so far. */
export function selectKnownReports(
  db: Db,
  organizationId: string,
  notificationIds: readonly string[],
): Promise<KnownReport[]> {
  return db.rows<KnownReport>(sql`
    select notification_id, report_id, at, status from dunning_notification_trail
     where organization_id = ${organizationId} and notification_id = any(${notificationIds}::uuid[])
       and report_id is not null`);
}

/** Adds lines in their order after those there are; the caller holds the messages locked. */
export function insertTrail(db: Db, organizationId: string, lines: readonly TrailLine[]): Promise<number> {
  return db.run(sql`
    insert into dunning_notification_trail (organization_id, notification_id, position, at, status, detail, report_id)
    select ${organizationId}::uuid, l.notification_id,
           coalesce((select max(position) from dunning_notification_trail t
                      where t.organization_id = ${organizationId} and t.notification_id = l.notification_id), 0)
             + row_number() over (partition by l.notification_id order by l.turn),
           l.at, l.status, l.detail, l.report_id
      from unnest(${lines.map(({ notificationId }) => notificationId)}::uuid[],
                  ${lines.map(({ at }) => at)}::timestamptz[],
                  ${lines.map(({ status }) => status)}::text[],
                  ${lines.map(({ detail }) => detail)}::text[],
                  ${lines.map(({ reportId }) => reportId)}::text[])
           with ordinality as l (notification_id, at, status, detail, report_id, turn)
    on conflict (organization_id, notification_id, report_id) do nothing`);
}
