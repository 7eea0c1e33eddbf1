import type { CivilDate } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
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
import { raw, type Sql, sql } from '../../db/sql.ts';
import type { Conditions, Tier } from './rules.ts';
import type { CampaignStatus } from './schema.ts';

export type CampaignRow = Tables['dunning_campaigns'] & {
  conditions: Conditions;
  tiers: Tier[];
};

export const campaignSorts = sortsOf({ created_at: { column: 'created_at', keyForm: 'instant' } });

export interface CampaignFilter extends TimeFilters {
  status?: CampaignStatus | undefined;
}

/** Campaigns by their status on the day, which the stored one may be behind of for some minutes. */
export function selectCampaigns(
  db: Db,
  organizationId: string,
  filter: CampaignFilter,
  today: CivilDate,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<CampaignRow[]> {
  return db.rows<CampaignRow>(sql`
    select * from dunning_campaigns
     where organization_id = ${organizationId}
       ${all(filter.status !== undefined && sql`${statusOn(today)} = ${filter.status}`)}
       ${timeFilters(filter, 'dunning_campaigns')}
       ${after(page.sort, page.position)}
     ${orderAndLimit(page.sort, page.limit)}`);
}

function statusOn(today: CivilDate): Sql {
  return sql`case when ended_at is not null or ends_on < ${today}::date then 'ended'
                  when starts_on > ${today}::date then 'scheduled' else 'active' end`;
}

/** `lock`: `share` keeps it as it is while agreements are made under it; `update` is for whoever changes it. */
export function selectCampaign(
  db: Db,
  organizationId: string,
  id: string,
  lock: 'none' | 'share' | 'update',
): Promise<CampaignRow | undefined> {
  const locks = { none: '', share: 'for share', update: 'for no key update' };
  return db.row<CampaignRow>(sql`
    select * from dunning_campaigns where organization_id = ${organizationId} and id = ${id} ${raw(locks[lock])}`);
}

/** Campaigns whose stored status is behind the calendar. */
export function selectTurned(db: Db, organizationId: string, today: CivilDate): Promise<{ id: string }[]> {
  return db.rows(sql`
    select id from dunning_campaigns
     where organization_id = ${organizationId} and status <> ${statusOn(today)}
     order by id limit 1000`);
}

export function insertCampaign(
  db: Db,
  campaign: Omit<CampaignRow, 'created_at' | 'updated_at' | 'version'>,
  now: Date,
): Promise<number> {
  return db.run(sql`
    insert into dunning_campaigns (organization_id, id, name, notes, starts_on, ends_on, conditions, tiers, status,
                                   created_by, created_at, updated_at)
    values (${campaign.organization_id}, ${campaign.id}, ${campaign.name}, ${campaign.notes},
            ${campaign.starts_on}::date, ${campaign.ends_on}::date, ${JSON.stringify(campaign.conditions)}::jsonb,
            ${JSON.stringify(campaign.tiers)}::jsonb, ${campaign.status}, ${campaign.created_by}, ${now}, ${now})`);
}

export function updateCampaign(db: Db, campaign: CampaignRow, now: Date): Promise<number> {
  return db.run(sql`
    update dunning_campaigns
       set name = ${campaign.name}, notes = ${campaign.notes}, ends_on = ${campaign.ends_on}::date,
           status = ${campaign.status}, ended_at = ${campaign.ended_at}::timestamptz,
           ended_reason = ${campaign.ended_reason}, updated_at = ${now}, version = version + 1
     where organization_id = ${campaign.organization_id} and id = ${campaign.id}`);
}

export interface CampaignResults {
  proposed: number;
  live: number;
  completed: number;
  broken: number;
  refused: number;
  original_cents: Cents;
  discount_cents: Cents;
  paid_cents: Cents;
}

/** What came of the agreements of a campaign. */
export function selectResults(
  db: Db,
  organizationId: string,
  campaignId: string,
): Promise<CampaignResults | undefined> {
  return db.row<CampaignResults>(sql`
    select count(*) filter (where status = 'proposed')::integer as proposed,
           count(*) filter (where status in ('accepted', 'active'))::integer as live,
           count(*) filter (where status = 'completed')::integer as completed,
           count(*) filter (where status = 'broken')::integer as broken,
           count(*) filter (where status in ('rejected', 'expired', 'canceled'))::integer as refused,
           coalesce(sum(original_total_cents) filter (where accepted_at is not null), 0)::bigint as original_cents,
           coalesce(sum(discount_cents) filter (where status in ('accepted', 'active', 'completed')), 0)::bigint
             as discount_cents,
           coalesce(sum(paid.cents), 0)::bigint as paid_cents
      from dunning_agreements agreement
      left join lateral (
        select sum(installment.paid_cents) as cents from dunning_installments installment
         where installment.organization_id = agreement.organization_id and installment.agreement_id = agreement.id
      ) paid on true
     where organization_id = ${organizationId} and campaign_id = ${campaignId}`);
}
