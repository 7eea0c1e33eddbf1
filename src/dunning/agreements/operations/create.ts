import { id, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { requirePerson } from '../../people/index.ts';
import { settingsOf } from '../../settings/index.ts';
import { debtOf, figuresOf, insertParts } from '../proposing.ts';
import { insertAgreement } from '../queries.ts';
import { agreementOf, detailOf, requireAgreement } from '../resource.ts';
import { agreementDetailSchema, chargeIdsArgument, proposalArguments, validUntil } from '../schema.ts';

export const createAgreement = operation({
  name: 'dunning_agreements_create',
  title: 'Write agreement proposal',
  summary:
    'Write a proposal for charges of one debtor, reckoned as of today. It binds nobody and sends nothing.',
  effect: 'write',
  scope: 'dunning.agreements',
  input: {
    person_id: id('the debtor'),
    charge_ids: chargeIdsArgument(),
    ...proposalArguments,
    valid_until: validUntil(),
    campaign_id: id('the campaign that gives the discount').optional(),
    notes: text(2000).optional().describe('For the team.'),
  },
  output: agreementDetailSchema,
  async run(input, context) {
    const { db, organizationId, now } = context;
    const person = await requirePerson(context, input.person_id);
    const debt = await debtOf(context, input.charge_ids, { personId: person.id });
    const figures = await figuresOf(context, debt, input);
    const { agreementDefaultAfterDays } = await settingsOf(context);
    const agreementId = context.newId();
    await insertAgreement(
      db,
      {
        organization_id: organizationId,
        id: agreementId,
        person_id: person.id,
        as_of: context.today,
        original_total_cents: figures.original,
        discount_cents: figures.discount,
        negotiated_total_cents: figures.negotiated,
        valid_until: input.valid_until,
        default_after_days: agreementDefaultAfterDays,
        campaign_id: input.campaign_id ?? null,
        notes: input.notes ?? null,
        created_by: context.caller.user.id,
      },
      now,
    );
    await insertParts(context, agreementId, figures);
    const row = await requireAgreement(context, agreementId);
    context.changed('agreement', agreementId, null, agreementOf(row));
    return detailOf(context, row);
  },
});
