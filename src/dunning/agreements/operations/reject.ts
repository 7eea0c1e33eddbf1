import { z } from 'zod';
import { ours, outside } from '../../../core/facts.ts';
import { text } from '../../../core/fields.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { endProposal } from '../ending.ts';
import { agreementFacts } from '../facts.ts';
import type { AgreementRow } from '../queries.ts';
import { agreementOf, installmentsOf, requireAgreement } from '../resource.ts';
import { requireStatus } from '../rules.ts';
import { agreementId, agreementSchema } from '../schema.ts';

const sides = {
  debtor: { 'pt-BR': 'o devedor', en: 'the debtor' },
  creditor: { 'pt-BR': 'o credor', en: 'the creditor' },
} as const;

export const rejectAgreement = operation({
  name: 'dunning_agreements_reject',
  title: 'Reject agreement',
  titlePortuguese: 'Recusar acordo',
  summary: 'Record that the debtor or the creditor refused a proposal; its charges stay as they are.',
  effect: 'destructive',
  scope: 'dunning.agreements',
  input: {
    id: agreementId(),
    by: z.enum(['debtor', 'creditor']).describe('Who refused it.'),
    reason: text(500),
  },
  output: agreementSchema,
  async question(input, context) {
    const agreement = await prepare(input.id, context);
    return [
      ...agreementFacts(agreement, await installmentsOf(context, agreement.id)),
      ours('by', 'Quem recusa', 'Who refuses', sides[input.by]),
      outside('reason', 'Motivo', 'Reason', input.reason),
      ours('effect', 'Efeito', 'Effect', {
        'pt-BR': 'a proposta deixa de valer; nada muda nas cobranças',
        en: 'the proposal is off; nothing changes on the charges',
      }),
    ];
  },
  async run(input, context) {
    const agreement = await prepare(input.id, context);
    const ending = { status: 'rejected', by: input.by, reason: input.reason } as const;
    return agreementOf(await endProposal(context, agreement, ending));
  },
});

async function prepare(id: string, context: Context): Promise<AgreementRow> {
  const agreement = await requireAgreement(context, id);
  requireStatus(agreement, ['proposed']);
  return agreement;
}
