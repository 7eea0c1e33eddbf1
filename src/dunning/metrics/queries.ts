/** The sums behind the metrics. What each figure means is in `docs/metrics.md`. Amounts in centavos. */

import type { CivilDate } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
import type { Db } from '../../core/ports.ts';
import { all, type BooksVersion, booksVersion } from '../../db/listing.ts';
import { raw, type Sql, sql } from '../../db/sql.ts';
import type { RecoveredSum } from './rules.ts';

/**
 * Recovered payments from the first of the given days on, by month, method and channel: one pass over an index that
 * holds all it needs. Months are found among their first days, which costs less than any function of a date.
 */
export function selectRecovered(
  db: Db,
  organizationId: string,
  window: { monthStarts: readonly CivilDate[]; to: CivilDate; personId: string | undefined },
): Promise<RecoveredSum[]> {
  const { monthStarts, to, personId } = window;
  return db.rows<RecoveredSum>(sql`
    select width_bucket(paid_on, ${monthStarts}::date[]) as month, method, coalesce(channel, 'none') as channel,
           count(*)::int as payments, sum(recovered_cents)::bigint as cents, sum(principal_cents)::bigint as principal,
           sum(principal_cents * days_overdue)::text as "dayCents",
           count(steps_before)::int as firsts, coalesce(sum(steps_before), 0)::int as steps
      from dunning_payments
     where organization_id = ${organizationId} and status = 'confirmed' and recovered_cents is not null
       and paid_on between ${monthStarts[0]}::date and ${to}::date
       ${all(personId !== undefined && sql`person_id = ${personId}`)}
     group by 1, 2, 3`);
}

/** Null before anything was ever written. */
export async function selectBooksVersion(db: Db, organizationId: string): Promise<number | null> {
  const row = await db.row<BooksVersion>(sql`select ${booksVersion(organizationId)}`);
  return row!.books_version;
}

export interface StillOverdueRow {
  readonly charge_cents: Cents;
  readonly charges: number;
  readonly installment_cents: Cents;
  readonly installments: number;
}

/** What is overdue and open: principal of charges, and installments of agreements in force. */
export async function selectStillOverdue(
  db: Db,
  organizationId: string,
  { today, personId }: { today: CivilDate; personId: string | undefined },
): Promise<StillOverdueRow> {
  const row = await db.row<StillOverdueRow>(sql`
    select charge.cents as charge_cents, charge.records as charges,
           installment.cents as installment_cents, installment.records as installments
      from (select coalesce(sum(open_cents), 0)::bigint as cents, count(*)::int as records
              from dunning_charges
             where organization_id = ${organizationId} and status in ('pending', 'overdue')
               and adjusted_due_date < ${today}::date
               ${all(personId !== undefined && sql`person_id = ${personId}`)}) charge,
           (select coalesce(sum(i.amount_cents - i.paid_cents), 0)::bigint as cents, count(*)::int as records
              from dunning_installments i
              join dunning_agreements a on a.organization_id = i.organization_id and a.id = i.agreement_id
             where i.organization_id = ${organizationId} and i.status = 'open' and i.adjusted_due_date < ${today}::date
               and a.status in ('accepted', 'active')
               ${all(personId !== undefined && sql`a.person_id = ${personId}`)}) installment`);
  return row!;
}

export interface PortfolioRow {
  readonly part: 'not_yet_due' | 'overdue' | 'in_agreement';
  readonly is_disputed: boolean;
  readonly legal_kind: 'negativation' | 'protest' | null;
  readonly charges: number;
  readonly open_cents: Cents;
  readonly due_cents: Cents;
}

const isLate = (today: CivilDate) => sql`c.adjusted_due_date < ${today}::date`;

/** Charges that are not closed, by what counts apart. `amountDue` is of the row `c`. */
export function selectPortfolio(
  db: Db,
  organizationId: string,
  filter: { today: CivilDate; personId: string | undefined; amountDue: Sql },
): Promise<PortfolioRow[]> {
  const { today, personId, amountDue } = filter;
  return db.rows<PortfolioRow>(sql`
    select case when c.status = 'in_agreement' then 'in_agreement'
                when ${isLate(today)} then 'overdue' else 'not_yet_due' end as part,
           c.is_disputed, c.legal_kind, count(*)::int as charges, sum(c.open_cents)::bigint as open_cents,
           sum(case when c.status = 'in_agreement' then 0 else ${amountDue} end)::bigint as due_cents
      from dunning_charges c
     where c.organization_id = ${organizationId} and c.status in ('pending', 'overdue', 'in_agreement')
       ${all(personId !== undefined && sql`c.person_id = ${personId}`)}
     group by 1, 2, 3`);
}

export interface InForceRow {
  readonly agreements: number;
  readonly open_cents: Cents;
  readonly overdue_cents: Cents;
}

/** Agreements in force and what is open of their installments. */
export async function selectInForce(
  db: Db,
  organizationId: string,
  { today, personId }: { today: CivilDate; personId: string | undefined },
): Promise<InForceRow> {
  const open = raw('i.amount_cents - i.paid_cents');
  const row = await db.row<InForceRow>(sql`
    select count(distinct a.id)::int as agreements, coalesce(sum(${open}), 0)::bigint as open_cents,
           coalesce(sum(${open}) filter (where i.adjusted_due_date < ${today}::date), 0)::bigint as overdue_cents
      from dunning_agreements a
      left join dunning_installments i
        on i.organization_id = a.organization_id and i.agreement_id = a.id and i.status = 'open'
     where a.organization_id = ${organizationId} and a.status in ('accepted', 'active')
       ${all(personId !== undefined && sql`a.person_id = ${personId}`)}`);
  return row!;
}

export interface AgingRow {
  readonly is_whole: boolean;
  readonly key: string | null;
  /** Counted from 1; 0 is not late. */
  readonly band: number;
  readonly charges: number;
  readonly open_cents: Cents;
  readonly due_cents: Cents;
  /** Of all groups, whether they are given or not. */
  readonly groups: number;
}

const groupColumns = {
  person: 'c.person_id::text',
  collection_rule: 'c.collection_rule_id::text',
  person_kind: 'p.kind',
  state: 'p.state',
} as const;

/** Open charges by how late they are; with groups, the largest of them besides the whole. */
export function selectAging(
  db: Db,
  organizationId: string,
  filter: {
    today: CivilDate;
    bandStarts: readonly number[];
    groupBy: keyof typeof groupColumns | undefined;
    groupsMax: number;
    amountDue: Sql;
  },
): Promise<AgingRow[]> {
  const { today, bandStarts, groupBy, groupsMax, amountDue } = filter;
  const key = raw(groupBy === undefined ? 'null::text' : groupColumns[groupBy]);
  const isOfPerson = groupBy === 'person_kind' || groupBy === 'state';
  const people = raw(
    isOfPerson ? 'join dunning_people p on p.organization_id = c.organization_id and p.id = c.person_id' : '',
  );
  return db.rows<AgingRow>(sql`
    with open as (
      select ${key} as key, c.open_cents, ${amountDue} as due_cents,
             width_bucket(case when ${isLate(today)} then ${today}::date - c.due_date else 0 end, ${bandStarts}::int[]) as band
        from dunning_charges c ${people}
       where c.organization_id = ${organizationId} and c.status in ('pending', 'overdue')
    ), sums as materialized (
      select ${raw(groupBy === undefined ? 'true as is_whole, null::text as key' : 'grouping(key) = 1 as is_whole, key')}, band, count(*)::int as charges, sum(open_cents)::bigint as open_cents,
             sum(due_cents)::bigint as due_cents
        from open
       group by grouping sets (${raw(groupBy === undefined ? '(band)' : '(band), (band, key)')})
    ), largest as (
      select key, (count(*) over ())::int as groups
        from sums where not is_whole group by key order by sum(open_cents) desc, key limit ${groupsMax}
    )
    select is_whole, key, band, charges, open_cents, due_cents, coalesce((select max(groups) from largest), 0) as groups
      from sums s
     where is_whole or exists (select from largest l where l.key is not distinct from s.key)`);
}

export async function selectNames(
  db: Db,
  organizationId: string,
  of: 'person' | 'collection_rule',
  ids: readonly string[],
): Promise<Map<string, string>> {
  const source = raw(of === 'person' ? 'dunning_people' : 'dunning_collection_rules');
  const rows = await db.rows<{ id: string; name: string }>(sql`
    select id, name from ${source} where organization_id = ${organizationId} and id = any(${ids}::uuid[])`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export interface MessageCounts {
  readonly sent: number;
  readonly delivered: number;
  readonly read: number;
  readonly failed: number;
}

/** Of messages `n`. What was read was delivered, also where nobody said so. */
const messageCounts = raw(`
  count(n.sent_at)::int as sent, count(coalesce(n.delivered_at, n.read_at))::int as delivered,
  count(n.read_at)::int as read, (count(*) filter (where n.status in ('failed', 'bounced')))::int as failed`);

export type ChannelRow = MessageCounts & { readonly channel: string };

/** Messages that were made since the instant, by channel. */
export function selectChannels(
  db: Db,
  organizationId: string,
  { from, timeZone }: { from: CivilDate; timeZone: string },
): Promise<ChannelRow[]> {
  return db.rows<ChannelRow>(sql`
    select n.channel, ${messageCounts}
      from dunning_notifications n
     where n.organization_id = ${organizationId} and n.created_at >= ${from}::date::timestamp at time zone ${timeZone}
     group by n.channel order by n.channel`);
}

export type StepRow = MessageCounts & {
  readonly rule_id: string;
  readonly rule_name: string;
  readonly step_id: string;
  readonly offset_days: number;
  readonly action: string;
  readonly channel: string | null;
  readonly done: number;
  readonly skipped: number;
  readonly failed_steps: number;
  readonly scheduled: number;
  readonly payments: number;
  readonly cents: Cents;
};

/** What the steps of the window did, in the order of each rule, and the recovered payments after their messages. */
export function selectSteps(
  db: Db,
  organizationId: string,
  window: { from: CivilDate; to: CivilDate; ruleId: string | undefined },
): Promise<StepRow[]> {
  const { from, to, ruleId } = window;
  const status = (name: string) => raw(`(count(*) filter (where x.status = '${name}'))::int`);
  return db.rows<StepRow>(sql`
    with done as (
      select x.rule_id, x.step_id, ${status('done')} as done, ${status('skipped')} as skipped,
             ${status('failed')} as failed_steps, ${status('scheduled')} as scheduled, ${messageCounts}
        from dunning_step_executions x
        left join dunning_notifications n on n.organization_id = x.organization_id and n.id = x.notification_id
       where x.organization_id = ${organizationId} and x.step_on between ${from}::date and ${to}::date
         ${all(ruleId !== undefined && sql`x.rule_id = ${ruleId}`)}
       group by x.rule_id, x.step_id
    ), paid as (
      select step_id, count(*)::int as payments, sum(recovered_cents)::bigint as cents
        from dunning_payments
       where organization_id = ${organizationId} and status = 'confirmed' and recovered_cents is not null
         and step_id is not null and paid_on between ${from}::date and ${to}::date
       group by step_id
    )
    select done.*, r.name as rule_name, s.offset_days, s.action, s.channel,
           coalesce(paid.payments, 0) as payments, coalesce(paid.cents, 0) as cents
      from done
      join dunning_collection_rules r on r.organization_id = ${organizationId} and r.id = done.rule_id
      join dunning_rule_steps s on s.organization_id = ${organizationId} and s.id = done.step_id
      left join paid on paid.step_id = done.step_id
     order by s.offset_days, s.position, s.id`);
}
