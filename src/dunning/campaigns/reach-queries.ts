/** The charges that a campaign is for, as the database finds them. */

import { addDays, type CivilDate } from '../../core/dates.ts';
import type { Cents, Percent } from '../../core/money.ts';
import type { Position } from '../../core/paging.ts';
import type { Db } from '../../core/ports.ts';
import { after, all, type ListSort, orderAndLimit, sortsOf } from '../../db/listing.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Conditions } from './rules.ts';

export const reachSorts = sortsOf({ due_date: { column: 'due_date', keyForm: 'date' } });

export interface ReachRow {
  readonly charges: number;
  readonly people: number;
  readonly principal_cents: Cents;
  readonly accessory_cents: Cents;
  /** What each option takes off, in their order. */
  readonly discounts: readonly Cents[];
}

/**
 * Sums over the charges in reach; `offset 0` has what is due reckoned once for each, not once for each mention of it.
 * `amountDue` gives what is due on a row named `c`; each option is a percentage of fine and interest and one of the
 * principal, rounded for each charge.
 */
export async function selectReach(
  db: Db,
  organizationId: string,
  { conditions, today, amountDue }: { conditions: Conditions; today: CivilDate; amountDue: Sql },
  options: readonly { charges: Percent; principal: Percent }[],
): Promise<ReachRow> {
  const discounts = options.map(
    ({ charges, principal }) => sql`
      coalesce(sum(round(accessory::numeric * ${charges}::integer * 0.000001)
                   + round(principal::numeric * ${principal}::integer * 0.000001)), 0)::bigint`,
  );
  const list = discounts.reduce<Sql>((sum, one, index) => (index === 0 ? one : sql`${sum}, ${one}`), sql``);
  const row = await db.row<ReachRow>(sql`
    select count(*)::integer as charges, count(distinct person_id)::integer as people,
           coalesce(sum(principal), 0)::bigint as principal_cents,
           coalesce(sum(accessory), 0)::bigint as accessory_cents,
           array[${list}]::bigint[] as discounts
      from (
        select person_id, least(open_cents, due) as principal, greatest(due - open_cents, 0) as accessory
          from (select c.person_id, c.open_cents, ${amountDue} as due
                  from dunning_charges c where ${inReach(organizationId, conditions, today)} offset 0) reckoned
      ) reached`);
  return { ...row!, discounts: row!.discounts.map(Number) };
}

export interface LargeRow {
  readonly id: string;
  readonly person_id: string;
  readonly person_name: string;
  readonly open_cents: Cents;
  readonly due_date: CivilDate;
}

/** The ten largest charges in reach. */
export function selectLargest(
  db: Db,
  organizationId: string,
  conditions: Conditions,
  today: CivilDate,
): Promise<LargeRow[]> {
  return db.rows<LargeRow>(sql`
    select c.id, c.person_id, p.name as person_name, c.open_cents, c.due_date
      from dunning_charges c
      join dunning_people p on p.organization_id = c.organization_id and p.id = c.person_id
     where ${inReach(organizationId, conditions, today)}
     order by c.open_cents desc, c.id limit 10`);
}

/** Ids of a page of the charges in reach, with what they are sorted by. */
export function selectReached(
  db: Db,
  organizationId: string,
  conditions: Conditions,
  today: CivilDate,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<{ id: string; due_date: CivilDate }[]> {
  return db.rows(sql`
    select id, due_date from dunning_charges c
     where ${inReach(organizationId, conditions, today)}
       ${after(page.sort, page.position)}
     ${orderAndLimit(page.sort, page.limit)}`);
}

/** The same as `isEligible`, for charges that an agreement can take in. */
function inReach(organizationId: string, conditions: Conditions, today: CivilDate): Sql {
  const {
    days_overdue_from: from,
    days_overdue_to: to,
    amount_min_cents: min,
    amount_max_cents: max,
    tags,
  } = conditions;
  const overdue = sql`(c.adjusted_due_date < ${today}::date and c.due_date <= ${addDays(today, -from)}::date
    ${all(to !== null && sql`c.due_date >= ${addDays(today, -(to ?? 0))}::date`)})`;
  return sql`c.organization_id = ${organizationId} and c.status in ('pending', 'overdue') and not c.is_disputed
    and ${from === 0 ? sql`(c.adjusted_due_date >= ${today}::date or ${overdue})` : overdue}
    ${all(
      min !== null && sql`c.open_cents >= ${min}`,
      max !== null && sql`c.open_cents <= ${max}`,
      tags.length > 0 && sql`c.tags && ${tags}::text[]`,
    )}`;
}
