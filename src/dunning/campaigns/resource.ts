import { fail } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import { formatPercent } from '../../core/money.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { type CampaignRow, selectCampaign, updateCampaign } from './queries.ts';
import { type Conditions, campaignStatusOn, type Tier } from './rules.ts';
import type { Campaign } from './schema.ts';

/** The public record of a row; its status is that of the day, whatever is stored. */
export function campaignOf(row: CampaignRow, today: string): Campaign {
  return {
    id: row.id,
    name: row.name,
    notes: row.notes,
    starts_on: row.starts_on,
    ends_on: row.ends_on,
    conditions: shownConditions(row.conditions),
    tiers: row.tiers.map(shownTier),
    status: campaignStatusOn(row, today),
    ended_at: row.ended_at,
    ended_reason: row.ended_reason,
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** The campaign, kept as it is while the caller writes. Fails with `not_found`. */
export function requireCampaign(context: Context, id: string): Promise<CampaignRow> {
  return find(context, id, 'share');
}

/** The campaign, locked for a change when the caller is writing. Fails with `not_found`. */
export function requireCampaignToChange(context: Context, id: string): Promise<CampaignRow> {
  return find(context, id, 'update');
}

/** Writes a changed row and records the change. Gives the row as it is now. */
export async function storeCampaign(
  context: WriteContext,
  before: CampaignRow,
  changed: Partial<CampaignRow>,
): Promise<CampaignRow> {
  const next = { ...before, ...changed };
  await updateCampaign(context.db, { ...next, status: campaignStatusOn(next, context.today) }, context.now);
  const after = await requireCampaignToChange(context, before.id);
  const recorded = { ...campaignOf(before, context.today), status: before.status };
  context.changed('campaign', before.id, recorded, campaignOf(after, context.today));
  return after;
}

async function find(context: Context, id: string, lock: 'share' | 'update'): Promise<CampaignRow> {
  const row = await selectCampaign(context.db, context.organizationId, id, context.isWriting ? lock : 'none');
  return row ?? fail('not_found', { kind: 'campaign', id });
}

function shownConditions(conditions: Conditions): Campaign['conditions'] {
  const { amount_min_cents: min, amount_max_cents: max, tags, ...days } = conditions;
  return {
    ...days,
    amount_min: min === null ? null : moneyText(min),
    amount_max: max === null ? null : moneyText(max),
    tags: [...tags],
  };
}

function shownTier(tier: Tier): Campaign['tiers'][number] {
  return { ...tier, discount_percent: formatPercent(tier.discount_percent) };
}
