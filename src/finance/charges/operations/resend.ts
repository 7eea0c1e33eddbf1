import { id } from '../../../core/fields.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { requirePerson } from '../../people/index.ts';
import { addDelivery } from '../deliveries.ts';
import { chargeFacts, recipientFacts } from '../facts.ts';
import type { ChargeRow } from '../queries.ts';
import { chargeDetailOf, requireCharge } from '../resource.ts';
import { recipientOf, requireSendable } from '../rules.ts';
import { chargeDetailSchema, email } from '../schema.ts';

export const resendCharge = operation({
  name: 'finance_charges_resend',
  title: 'Send charge again',
  titlePortuguese: 'Enviar cobrança de novo',
  summary: 'Send an open charge to its customer by e-mail, as a new message.',
  effect: 'destructive',
  scope: 'finance.charges',
  alsoScopes: ['finance.charges.send'],
  hints: { openWorld: true },
  input: {
    id: id('the charge'),
    to: email().optional().describe('E-mail address; default: the first one registered for the customer.'),
  },
  output: chargeDetailSchema,
  async question(input, context) {
    const { charge, recipient } = await prepare(input, context);
    return [...(await chargeFacts(context, charge)), ...recipientFacts(recipient)];
  },
  async run(input, context) {
    const { charge, recipient } = await prepare(input, context);
    await addDelivery(context, charge, recipient.address);
    return chargeDetailOf(context, charge);
  },
});

async function prepare(
  input: { readonly id: string; readonly to?: string | undefined },
  context: Context,
): Promise<{ charge: ChargeRow; recipient: { address: string; isRegistered: boolean } }> {
  const charge = await requireCharge(context, input.id);
  requireSendable(charge);
  const customer = await requirePerson({ ...context, isWriting: false }, charge.person_id);
  return { charge, recipient: recipientOf('to', input.to ?? 'customer', customer.emails) };
}
