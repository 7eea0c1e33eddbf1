import { z } from 'zod';
import { ours, outside, type Words } from '../../../core/facts.ts';
import { id, moneyOrZero, text } from '../../../core/fields.ts';
import { formatBrl } from '../../../core/money.ts';
import { operation } from '../../../core/operation.ts';
import { amountsOf, chargeFacts, requireCharge } from '../../charges/index.ts';
import { planResolution, refundOf, resolve } from '../resolving.ts';
import { disputeOf, requireDispute } from '../resource.ts';
import { disputeSchema, disputeStatuses } from '../schema.ts';

const outcomes = disputeStatuses.filter((status) => status !== 'open');

const words: Readonly<Record<(typeof outcomes)[number], Words>> = {
  under_review: { 'pt-BR': 'Em análise', en: 'Under review' },
  upheld: { 'pt-BR': 'Procedente: o devedor tem razão', en: 'Upheld: the debtor is right' },
  partially_upheld: { 'pt-BR': 'Procedente em parte', en: 'Partially upheld' },
  dismissed: { 'pt-BR': 'Improcedente: a cobrança continua', en: 'Dismissed: collection goes on' },
  withdrawn: { 'pt-BR': 'Retirada pelo devedor', en: 'Withdrawn by the debtor' },
};

export const updateDispute = operation({
  name: 'dunning_disputes_update',
  title: 'Resolve dispute',
  titlePortuguese: 'Resolver contestação',
  summary: 'Decide a dispute: upheld lowers or calls off the charge, dismissed lets collection go on.',
  effect: 'destructive',
  scope: 'dunning.disputes',
  input: {
    id: id('the dispute'),
    status: z.enum(outcomes),
    resolution: text(4_000).optional().describe('What was decided and why; needed for a decision.'),
    adjusted_amount: moneyOrZero()
      .optional()
      .describe('What the charge is worth from now on; needed when partially upheld.'),
    note: text(4_000).optional().describe('Added to the thread, for the team.'),
  },
  output: disputeSchema,
  async question(input, context) {
    const dispute = await requireDispute(context, input.id);
    const charge = await requireCharge(context, dispute.charge_id);
    const adjusted = planResolution(dispute, charge, input);
    const refund = await refundOf(context, charge, adjusted);
    return [
      ...chargeFacts(charge, await amountsOf(context, charge)),
      ours('outcome', 'Decisão', 'Decision', words[input.status]),
      ...(adjusted === null
        ? []
        : [
            {
              ...ours('worth', 'A cobrança passa a valer', 'The charge becomes', formatBrl(adjusted)),
              // What is given up, whether it was paid already or not.
              movesCents: charge.amount_cents - charge.abatement_cents - adjusted,
            },
          ]),
      ...(refund === 0
        ? []
        : [ours('refund', 'A devolver ao devedor', 'To be given back', formatBrl(refund))]),
      ...(input.resolution === undefined
        ? []
        : [outside('resolution', 'Fundamento', 'Resolution', input.resolution)]),
    ];
  },
  async run(input, context) {
    const { charge_id } = await requireDispute({ ...context, isWriting: false }, input.id);
    // Charges are locked before disputes, whoever comes.
    const charge = await requireCharge(context, charge_id);
    return disputeOf(await resolve(context, await requireDispute(context, input.id), charge, input));
  },
});
