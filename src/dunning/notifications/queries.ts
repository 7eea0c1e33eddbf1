import type { Context } from '../../core/operation.ts';
import type { Position } from '../../core/paging.ts';
import type { Db } from '../../core/ports.ts';
import {
  after,
  all,
  type ListSort,
  orderAndLimit,
  sortsOf,
  type TimeFilters,
  timeFilters,
} from '../../db/listing.ts';
import type { Tables } from '../../db/rows.ts';
import { empty, raw, type Sql, sql } from '../../db/sql.ts';

const CHARGES_MAX = 200;

/** A message with the debtor it is for, all its charges, and where it goes. */
export type NotificationRow = Tables['dunning_notifications'] & {
  person_name: string;
  charge_ids: string[];
  contact_value: string | null;
};

/** What a message starts with. */
export type NewNotification = Pick<
  NotificationRow,
  | 'organization_id'
  | 'id'
  | 'person_id'
  | 'charge_ids'
  | 'agreement_id'
  | 'negativation_id'
  | 'channel'
  | 'contact_id'
  | 'template_id'
  | 'template_version'
  | 'own_subject'
  | 'own_body'
  | 'trigger'
  | 'resent_from'
  | 'scheduled_for'
  | 'status'
  | 'policy_version'
  | 'queued_at'
  | 'created_by'
  | 'created_at'
>;

export const notificationSorts = sortsOf({ created_at: { column: 'n.created_at', keyForm: 'instant' } });

export interface NotificationFilter extends TimeFilters {
  person_id?: string | undefined;
  charge_id?: string | undefined;
  agreement_id?: string | undefined;
  channel?: string | undefined;
  status?: string | undefined;
  trigger?: string | undefined;
  /** Days on which they leave, in the zone given. */
  date_from?: string | undefined;
  date_to?: string | undefined;
}

export function selectNotifications(
  { db, organizationId, timeZone }: Context,
  filter: NotificationFilter,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<NotificationRow[]> {
  return db.rows<NotificationRow>(sql`
    ${selectShown}
     where n.organization_id = ${organizationId}
       ${all(
         filter.person_id !== undefined && sql`n.person_id = ${filter.person_id}`,
         filter.charge_id !== undefined && ofCharge(organizationId, filter.charge_id),
         filter.agreement_id !== undefined && sql`n.agreement_id = ${filter.agreement_id}`,
         filter.channel !== undefined && sql`n.channel = ${filter.channel}`,
         filter.status !== undefined && sql`n.status = ${filter.status}`,
         filter.trigger !== undefined && sql`n.trigger = ${filter.trigger}`,
         filter.date_from !== undefined &&
           sql`n.scheduled_for >= ${filter.date_from}::date::timestamp at time zone ${timeZone}`,
         filter.date_to !== undefined &&
           sql`n.scheduled_for < (${filter.date_to}::date + 1)::timestamp at time zone ${timeZone}`,
       )}
       ${timeFilters(filter, 'n')}
       ${after(page.sort, page.position, 'n.id')}
     ${orderAndLimit(page.sort, page.limit, 'n.id')}`);
}

/** `lock` keeps the message as it is until the transaction ends. */
export function selectNotification(
  db: Db,
  organizationId: string,
  id: string,
  lock: boolean,
): Promise<NotificationRow | undefined> {
  return db.row<NotificationRow>(sql`
    ${selectShown}
     where n.organization_id = ${organizationId} and n.id = ${id} ${lockOf(lock)}`);
}

/** In the order of their ids, so that two who lock several never wait for each other. */
export function selectNotificationsById(
  db: Db,
  organizationId: string,
  ids: readonly string[],
  lock: boolean,
): Promise<NotificationRow[]> {
  return db.rows<NotificationRow>(sql`
    ${selectShown}
     where n.organization_id = ${organizationId} and n.id = any(${ids}::uuid[])
     order by n.id ${lockOf(lock)}`);
}

/** The messages that reports tell of, by our key or by the provider's own name. */
export function selectReported(
  db: Db,
  organizationId: string,
  provider: string,
  keys: readonly string[],
  providerIds: readonly string[],
): Promise<NotificationRow[]> {
  return db.rows<NotificationRow>(sql`
    ${selectShown}
     where n.organization_id = ${organizationId}
       and (n.id = any(${keys}::uuid[]) or (n.provider = ${provider} and n.provider_id = any(${providerIds}::text[])))
     order by n.id for update of n`);
}

/** Those that have not been sent, as far as is known: of a charge only, of an agreement, or of a report. */
export function selectWaiting(
  db: Db,
  organizationId: string,
  about: { chargeId?: string; agreementId?: string; negativationId?: string },
): Promise<NotificationRow[]> {
  const { chargeId, agreementId, negativationId } = about;
  return db.rows<NotificationRow>(sql`
    ${selectShown}
     where n.organization_id = ${organizationId} and n.status in ('scheduled', 'queued')
       ${all(
         chargeId !== undefined && sql`n.charge_id = ${chargeId} and n.charge_count = 1`,
         agreementId !== undefined && sql`n.agreement_id = ${agreementId}`,
         negativationId !== undefined && sql`n.negativation_id = ${negativationId}`,
       )}
     order by n.id for update of n`);
}

export async function insertNotification(db: Db, row: NewNotification): Promise<void> {
  const [first = null] = row.charge_ids;
  await db.run(sql`
    insert into dunning_notifications
      (organization_id, id, person_id, charge_id, charge_count, agreement_id, negativation_id, channel, contact_id,
       template_id, template_version, own_subject, own_body, trigger, resent_from, scheduled_for, status, policy_version,
       queued_at, created_by, created_at, updated_at)
    values
      (${row.organization_id}, ${row.id}, ${row.person_id}, ${first}, ${row.charge_ids.length}, ${row.agreement_id},
       ${row.negativation_id}, ${row.channel}, ${row.contact_id}, ${row.template_id}, ${row.template_version},
       ${row.own_subject}, ${row.own_body}, ${row.trigger}, ${row.resent_from}, ${row.scheduled_for}::timestamptz,
       ${row.status}, ${row.policy_version}, ${row.queued_at}::timestamptz, ${row.created_by}, ${row.created_at},
       ${row.created_at})`);
}

export function insertNotificationCharges(
  db: Db,
  organizationId: string,
  notificationId: string,
  chargeIds: readonly string[],
): Promise<number> {
  return db.run(sql`
    insert into dunning_notification_charges (organization_id, notification_id, charge_id)
    select ${organizationId}::uuid, ${notificationId}::uuid, unnest(${chargeIds}::uuid[])`);
}

/** What changes of a message after it was written down. */
const changing = [
  'status text',
  'status_reason text',
  'scheduled_for timestamptz',
  'provider text',
  'provider_id text',
  'queued_at timestamptz',
  'claimed_at timestamptz',
  'claim_id uuid',
  'sent_at timestamptz',
  'delivered_at timestamptz',
  'read_at timestamptz',
];

const changingColumns = changing.map((column) => column.split(' ')[0]!);

/** Writes changed messages, which the caller holds locked, in one statement. */
export function updateNotifications(
  db: Db,
  organizationId: string,
  rows: readonly NotificationRow[],
  now: Date,
): Promise<number> {
  const values = rows.map((row) =>
    Object.fromEntries([
      ['id', row.id],
      ...changingColumns.map((column) => [column, row[column as keyof NotificationRow]]),
    ]),
  );
  return db.run(sql`
    update dunning_notifications n
       set ${raw(changingColumns.map((column) => `${column} = m.${column}`).join(', '))},
           updated_at = ${now}, version = n.version + 1
      from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as m (id uuid, ${raw(changing.join(', '))})
     where n.organization_id = ${organizationId} and n.id = m.id`);
}

/** What a message `n` shows; `p` is its debtor, `k` its contact. */
export const shownColumns = raw(`
  n.*, p.name as person_name, k.value as contact_value,
  case when n.charge_id is null then '{}'
       when n.charge_count = 1 then array[n.charge_id]
       else array(select nc.charge_id from dunning_notification_charges nc
                   where nc.organization_id = n.organization_id and nc.notification_id = n.id
                   order by nc.charge_id limit ${CHARGES_MAX})
  end as charge_ids`);

export const shownTables = raw(`
  dunning_notifications n
  join dunning_people p on p.organization_id = n.organization_id and p.id = n.person_id
  left join dunning_contacts k on k.organization_id = n.organization_id and k.id = n.contact_id`);

const selectShown = sql`select ${shownColumns} from ${shownTables}`;

function lockOf(lock: boolean): Sql {
  return lock ? sql`for update of n` : empty;
}

/** One of the charges of the message, found by the index of each place where it may stand. */
function ofCharge(organizationId: string, chargeId: string): Sql {
  return sql`
    n.id = any(array(
      select id from dunning_notifications where organization_id = ${organizationId} and charge_id = ${chargeId}
      union
      select notification_id from dunning_notification_charges
       where organization_id = ${organizationId} and charge_id = ${chargeId}))`;
}
