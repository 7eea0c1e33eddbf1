import { z } from 'zod';

export const costCenterSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    code: z.string().nullable(),
    parent_id: z.string().nullable(),
    active: z.boolean(),
    created_at: z.string(),
    updated_at: z.string(),
    version: z.int(),
  })
  .meta({ id: 'cost_center', description: 'A part of the business to which costs are shared out.' });

export type CostCenter = z.infer<typeof costCenterSchema>;

/** A part of an amount for one cost center; `percent` in ten-thousandths of a percent. */
export interface CostCenterShare {
  readonly id: string;
  readonly percent: number;
}
