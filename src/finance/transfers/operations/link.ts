import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { linkFacts } from '../facts.ts';
import { linkTransfer as link, prepareLink } from '../legs.ts';
import { transferOf } from '../resource.ts';
import { transferSchema } from '../schema.ts';

export const linkTransfer = operation({
  name: 'finance_transfers_link',
  title: 'Link transfer',
  titlePortuguese: 'Ligar as duas pontas de uma transferência',
  summary: 'Declare a debit and a credit already on two statements one transfer: neither income nor expense.',
  effect: 'destructive',
  scope: 'finance.transfers',
  input: {
    debit_transaction_id: id('the line of the account the money left'),
    credit_transaction_id: id('the line of the account the money reached'),
  },
  output: transferSchema,
  async question(input, context) {
    return linkFacts(await prepareLink(context, input));
  },
  async run(input, context) {
    return transferOf(await link(context, await prepareLink(context, input)));
  },
});
