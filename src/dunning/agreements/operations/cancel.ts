import { outside } from '../../../core/facts.ts';
import { text } from '../../../core/fields.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { endEarly, endProposal } from '../ending.ts';
import { agreementFacts, cancelFacts } from '../facts.ts';
import type { AgreementRow } from '../queries.ts';
import { agreementOf, installmentsOf, requireAgreement } from '../resource.ts';
import { liveStatuses, requireStatus } from '../rules.ts';
import { agreementId, agreementSchema } from '../schema.ts';

export const cancelAgreement = operation({
  name: 'dunning_agreements_cancel',
  title: 'Cancel agreement',
  titlePortuguese: 'Cancelar acordo',
  summary:
    'Undo an accepted agreement: its charges return with what was paid kept on them; or call off a proposal.',
  effect: 'destructive',
  scope: 'dunning.agreements',
  input: { id: agreementId(), reason: text(500) },
  output: agreementSchema,
  async question(input, context) {
    const agreement = await prepare(input.id, context);
    return [
      ...agreementFacts(agreement, await installmentsOf(context, agreement.id)),
      ...cancelFacts(agreement, isLive(agreement)),
      outside('reason', 'Motivo', 'Reason', input.reason),
    ];
  },
  async run(input, context) {
    const agreement = await prepare(input.id, context);
    const ending = { status: 'canceled', by: 'creditor', reason: input.reason } as const;
    const end = isLive(agreement) ? endEarly : endProposal;
    return agreementOf(await end(context, agreement, ending));
  },
});

const isLive = ({ status }: AgreementRow) => liveStatuses.includes(status);

async function prepare(id: string, context: Context): Promise<AgreementRow> {
  const agreement = await requireAgreement(context, id);
  requireStatus(agreement, ['proposed', ...liveStatuses]);
  return agreement;
}
