/** Discount campaigns: one that runs, one that is over. */

import { addDays } from '../../../core/dates.ts';
import { instantOn } from '../setting.ts';
import { bornIn, type Row } from './setting.ts';
import type { Cast } from './story.ts';

export interface Campaigns {
  readonly active: Row<'dunning_campaigns'>;
  readonly ended: Row<'dunning_campaigns'>;
}

export function buildCampaigns({ setting }: Cast): Campaigns {
  const { random, today, users } = setting;
  const build = (name: string, from: number, to: number, given: Partial<Row<'dunning_campaigns'>>) => {
    const startsOn = addDays(today, from);
    return {
      ...bornIn(setting, instantOn(addDays(startsOn, -2), random), users.owner),
      name,
      notes: 'Negociações por telefone e WhatsApp',
      starts_on: startsOn,
      ends_on: addDays(today, to),
      conditions: {
        days_overdue_from: 1,
        days_overdue_to: null,
        amount_min_cents: 5_000,
        amount_max_cents: null,
        tags: [],
      },
      tiers: [
        { installments_up_to: 12, discount_percent: 500_000, applies_to: 'charges' },
        { installments_up_to: 1, discount_percent: 100_000, applies_to: 'principal' },
      ],
      status: 'active',
      ended_at: null,
      ended_reason: null,
      ...given,
    };
  };
  return {
    active: build('Feirão do trimestre', -45, 30, {}),
    ended: build('Recomeço', -160, -70, { status: 'ended' }),
  };
}
