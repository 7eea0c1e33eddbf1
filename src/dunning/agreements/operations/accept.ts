import { moving, outside } from '../../../core/facts.ts';
import { money, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { cleanOutsideText } from '../../../core/text.ts';
import { requireCampaign } from '../../campaigns/index.ts';
import { accept, requireProposal } from '../accepting.ts';
import { acceptanceFacts, agreementFacts } from '../facts.ts';
import { detailOf } from '../resource.ts';
import { agreementDetailSchema, agreementId } from '../schema.ts';

const NAME_MAX = 200;
const EVIDENCE_MAX = 2000;

export const acceptAgreement = operation({
  name: 'dunning_agreements_accept',
  title: 'Accept agreement',
  titlePortuguese: 'Aceitar acordo',
  summary: 'Make a proposal binding: its charges move under it and are no longer dunned.',
  effect: 'destructive',
  scope: 'dunning.agreements',
  input: {
    id: agreementId(),
    accepted_by: text(NAME_MAX).describe('Who accepted for the debtor.'),
    evidence: text(EVIDENCE_MAX).optional().describe('How it is known: a message, a recording, a signature.'),
    expected_total: money().optional().describe('The total the person saw; another one is refused.'),
  },
  output: agreementDetailSchema,
  async question(input, context) {
    const { agreement, charges, installments } = await requireProposal(
      context,
      input.id,
      input.expected_total,
    );
    const { campaign_id: campaignId } = agreement;
    const campaign = campaignId === null ? null : await requireCampaign(context, campaignId);
    return [
      // Binding for the whole debt: part of it is given up, and the rest is to be paid in another way.
      ...moving('original_total', agreement.original_total_cents, agreementFacts(agreement, installments)),
      ...acceptanceFacts(charges, campaign?.name ?? null),
      outside('accepted_by', 'Quem aceitou', 'Accepted by', input.accepted_by),
    ];
  },
  async run(input, context) {
    const proposal = await requireProposal(context, input.id, input.expected_total);
    const accepted = await accept(context, proposal, {
      accepted_by: cleanOutsideText(input.accepted_by, NAME_MAX),
      evidence: input.evidence === undefined ? null : cleanOutsideText(input.evidence, EVIDENCE_MAX),
    });
    return detailOf(context, accepted);
  },
});
