import { operation } from '../../../core/operation.ts';
import { amountsOf } from '../amounts.ts';
import { newChargeArguments } from '../arguments.ts';
import { createFrom } from '../create.ts';
import { selectDefaultRuleId } from '../queries.ts';
import { chargeOf } from '../resource.ts';
import { createdSchema } from '../schema.ts';

export const createCharge = operation({
  name: 'dunning_charges_create',
  title: 'Create charge',
  summary: 'Register a debt, by hand or from a receivable of finance. Applies no rule and sends nothing.',
  effect: 'write',
  scope: 'dunning.charges',
  dryRun: true,
  input: newChargeArguments,
  output: createdSchema,
  async run(input, context) {
    const { charge, warnings } = await createFrom(context, input);
    return {
      ...chargeOf(charge, await amountsOf(context, charge)),
      warnings: [...warnings],
      suggested_rule_id: await selectDefaultRuleId(context.db, context.organizationId),
    };
  },
});
