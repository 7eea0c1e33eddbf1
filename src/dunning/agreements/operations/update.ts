import { id, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { changeProposal } from '../changing.ts';
import { detailOf } from '../resource.ts';
import {
  agreementDetailSchema,
  agreementId,
  chargeIdsArgument,
  proposalArguments,
  validUntil,
} from '../schema.ts';

export const updateAgreement = operation({
  name: 'dunning_agreements_update',
  title: 'Update agreement proposal',
  summary:
    'Change a proposal nobody has accepted yet. New figures are reckoned as of today and have to be sent again.',
  effect: 'write',
  scope: 'dunning.agreements',
  hints: { idempotent: true },
  input: {
    id: agreementId(),
    charge_ids: chargeIdsArgument().optional(),
    ...proposalArguments,
    negotiated_total: proposalArguments.negotiated_total.optional(),
    valid_until: validUntil().optional(),
    campaign_id: id('the campaign that gives the discount').nullable().optional(),
    notes: text(2000).nullable().optional().describe('For the team.'),
  },
  output: agreementDetailSchema,
  async run(input, context) {
    return detailOf(context, await changeProposal(context, input));
  },
});
