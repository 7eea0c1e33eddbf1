import { z } from 'zod';
import { failArgument } from '../../../core/errors.ts';
import { moves, onDate } from '../../../core/facts.ts';
import { id, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { debtFacts, requireUndoable, reverseDebtSettlement, undoingFacts } from '../../debt-records/index.ts';
import { receiptOf, receivableKind, receivableOf } from '../resource.ts';
import { receiptSchema, receivableSchema } from '../schema.ts';
import { requireWrittenOff, reverseWriteOff } from '../write-off.ts';

export const unsettleReceivable = operation({
  name: 'finance_receivables_unsettle',
  title: 'Unsettle receivable',
  titlePortuguese: 'Desfazer recebimento registrado',
  summary:
    'Undo one receipt recorded by hand and remove its transaction, only while unreconciled; or take back a write-off.',
  effect: 'destructive',
  scope: 'finance.receivables',
  input: {
    id: id('the receivable'),
    settlement_id: id('the settlement; or `write_off`').optional(),
    write_off: z.literal(true).optional().describe('Take back the write-off instead of a settlement.'),
    reason: text(300),
  },
  output: z.object({
    receivable: receivableSchema,
    settlement: receiptSchema.nullable().describe('Null when the write-off was taken back.'),
  }),
  async question(input, context) {
    const settlementId = settlementOrWriteOff(input);
    if (settlementId !== null) {
      const found = await requireUndoable(context, receivableKind, input.id, settlementId);
      return undoingFacts(receivableKind, found);
    }
    const { receivable, loss } = await requireWrittenOff(context, input.id);
    return [
      ...debtFacts(receivableKind, receivable),
      moves('written_off', 'Baixado como perda', 'Written off', loss.cents),
      onDate('written_off_on', 'Data da baixa', 'Written off on', loss.date),
    ];
  },
  async run(input, context) {
    const settlementId = settlementOrWriteOff(input);
    if (settlementId === null) {
      const { receivable } = await requireWrittenOff(context, input.id);
      const after = await reverseWriteOff(context, receivable, input.reason);
      return { receivable: receivableOf(after, context), settlement: null };
    }
    const { debt } = await requireUndoable(context, receivableKind, input.id, settlementId);
    const undone = await reverseDebtSettlement(
      context,
      receivableKind,
      debt,
      settlementId,
      input.reason,
      'remove',
    );
    return { receivable: receivableOf(undone.debt, context), settlement: receiptOf(undone.settlement) };
  },
});

/** The settlement that is meant; null means the write-off. */
function settlementOrWriteOff(input: {
  settlement_id?: string | undefined;
  write_off?: true | undefined;
}): string | null {
  if ((input.settlement_id === undefined) === (input.write_off === undefined)) {
    failArgument('settlement_id', 'either `settlement_id` or `write_off: true`');
  }
  return input.settlement_id ?? null;
}
