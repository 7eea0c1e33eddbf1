import { failArgument } from '../../../core/errors.ts';
import { moves, onDate, outside } from '../../../core/facts.ts';
import { date, id, text } from '../../../core/fields.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { requireLeafCategory } from '../../categories/index.ts';
import { requireOpenBooks } from '../../companies/index.ts';
import { debtFacts, openCentsOf, requireDebtInOrder } from '../../debt-records/index.ts';
import { requireStatus } from '../../debts/index.ts';
import { requireNoLiveCharge } from '../live-charge.ts';
import { receivableKind, receivableOf } from '../resource.ts';
import { receivableSchema } from '../schema.ts';
import { writeOff } from '../write-off.ts';

export const writeOffReceivable = operation({
  name: 'finance_receivables_write_off',
  title: 'Write off receivable',
  titlePortuguese: 'Dar baixa como perda',
  summary: 'Give up the remaining amount as a loss; `finance_receivables_unsettle` takes it back.',
  effect: 'destructive',
  scope: 'finance.receivables',
  input: {
    id: id('the receivable'),
    reason: text(300),
    category_id: id('an expense category without children'),
    date: date().describe('When it is given up; not after today.'),
  },
  output: receivableSchema,
  async question(input, context) {
    const { receivable, category } = await prepareWriteOff(input, context);
    return [
      ...debtFacts(receivableKind, receivable),
      moves('loss', 'Valor da perda', 'Loss', openCentsOf(receivable)),
      outside('category', 'Categoria da perda', 'Category of the loss', category.name),
      onDate('date', 'Data da baixa', 'Written off on', input.date),
    ];
  },
  async run(input, context) {
    const { receivable } = await prepareWriteOff(input, context);
    const { category_id, reason, date: on } = input;
    return receivableOf(await writeOff(context, receivable, { category_id, reason, date: on }), context);
  },
});

async function prepareWriteOff(
  input: { id: string; category_id: string; date: string },
  context: Context,
): Promise<{
  receivable: Parameters<typeof writeOff>[1];
  category: Awaited<ReturnType<typeof requireLeafCategory>>;
}> {
  if (input.date > context.today) failArgument('date', 'a date not after today');
  const { debt: receivable, company } = await requireDebtInOrder(context, receivableKind, input.id);
  requireStatus(receivable.status, ['open', 'partially_paid']);
  // What the customer can still pay is not lost.
  await requireNoLiveCharge(context, receivable.id);
  requireOpenBooks(company, input.date);
  return { receivable, category: await requireLeafCategory(context, input.category_id, 'expense') };
}
