import type { Db } from '../../core/ports.ts';
import { sql } from '../../db/sql.ts';

export interface TotalsRow {
  open_cents: number;
  open_count: number;
  overdue_cents: number;
  overdue_count: number;
  in_agreement_cents: number;
  in_agreement_count: number;
  live_agreements: number;
  open_disputes: number;
  open_promises: number;
  live_legal_actions: number;
  last_paid_on: string | null;
  last_paid_cents: number | null;
}

/** What the records around a debtor add up to. */
export async function selectTotals(
  db: Db,
  organizationId: string,
  personId: string,
  today: string,
): Promise<TotalsRow> {
  const row = await db.row<TotalsRow>(sql`
    select charges.*, last.*, legal.*,
           (select count(*) from dunning_agreements
             where organization_id = ${organizationId} and person_id = ${personId}
               and status in ('proposed', 'accepted', 'active')) as live_agreements,
           (select count(*) from dunning_disputes
             where organization_id = ${organizationId} and person_id = ${personId}
               and status in ('open', 'under_review')) as open_disputes,
           (select count(*) from dunning_promises
             where organization_id = ${organizationId} and person_id = ${personId}
               and status = 'open') as open_promises
      from (
        select coalesce(sum(open_cents), 0)::bigint as open_cents, count(*) as open_count,
               coalesce(sum(open_cents) filter (where is_late), 0)::bigint as overdue_cents,
               count(*) filter (where is_late) as overdue_count,
               coalesce(sum(open_cents) filter (where status = 'in_agreement'), 0)::bigint as in_agreement_cents,
               count(*) filter (where status = 'in_agreement') as in_agreement_count
          from (select status, open_cents,
                       status <> 'in_agreement' and adjusted_due_date < ${today}::date as is_late
                  from dunning_charges
                 where organization_id = ${organizationId} and person_id = ${personId}
                   and status in ('pending', 'overdue', 'in_agreement')) open) charges
      left join lateral (
        select paid_on as last_paid_on, amount_cents as last_paid_cents from dunning_payments
         where organization_id = ${organizationId} and person_id = ${personId} and status = 'confirmed'
         order by paid_on desc, id desc limit 1) last on true
      cross join lateral (
        select count(*) as live_legal_actions from dunning_live_legal_actions a
          join dunning_charges c on c.organization_id = a.organization_id and c.id = a.charge_id
         where a.organization_id = ${organizationId} and c.person_id = ${personId}) legal`);
  return row!;
}

/** Some of the debtor's open charges and live legal actions: what keeps it from being put away. */
export async function selectUnfinished(
  db: Db,
  organizationId: string,
  personId: string,
): Promise<{ kind: string; id: string }[]> {
  return db.rows(sql`
    select 'charge' as kind, id from dunning_charges
     where organization_id = ${organizationId} and person_id = ${personId}
       and status in ('pending', 'overdue', 'in_agreement')
    union all
    select a.kind, a.action_id from dunning_live_legal_actions a
      join dunning_charges c on c.organization_id = a.organization_id and c.id = a.charge_id
     where a.organization_id = ${organizationId} and c.person_id = ${personId}
     limit 5`);
}
