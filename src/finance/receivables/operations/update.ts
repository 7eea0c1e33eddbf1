import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { changeArguments } from '../../debts/index.ts';
import { receivableWords } from '../arguments.ts';
import { receivableOf } from '../resource.ts';
import { receivableSchema } from '../schema.ts';
import { changeReceivable } from '../update.ts';

export const updateReceivable = operation({
  name: 'finance_receivables_update',
  title: 'Update receivable',
  summary: 'Change an open receivable. What a live charge says of it stays until the charge is canceled.',
  effect: 'write',
  scope: 'finance.receivables',
  hints: { idempotent: true },
  input: {
    id: id('the receivable'),
    ...changeArguments(receivableWords),
    allow_duplicate_of: id(receivableWords.lookalike).optional(),
  },
  output: receivableSchema,
  async run({ id: receivableId, allow_duplicate_of: allowed, ...given }, context) {
    return receivableOf(await changeReceivable(context, receivableId, given, allowed), context);
  },
});
