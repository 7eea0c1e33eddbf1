import { z } from 'zod';
import { id } from '../../../core/fields.ts';
import { type InputOf, operation, type WriteContext } from '../../../core/operation.ts';
import { searchTextOf } from '../../../db/listing.ts';
import { categoryKindOf } from '../../accounts/index.ts';
import { requireLeafCategory } from '../../categories/index.ts';
import { requireOpenBooks } from '../../companies/index.ts';
import { requireActiveCostCenter, wholeShareOf } from '../../cost-centers/index.ts';
import { cleanText } from '../../schema.ts';
import { selectEffectiveSettlement } from '../link-queries.ts';
import type { TransactionRow } from '../queries.ts';
import {
  changeTransaction,
  requirePersonInUse,
  requireTransactionAndAccount,
  transactionOf,
} from '../resource.ts';
import { requireIgnorable, requireNotSuperseded, touchesBooks } from '../rules.ts';
import { type directions, transactionSchema } from '../schema.ts';

const changes = {
  category_id: id('the category')
    .nullable()
    .optional()
    .describe('A leaf: of income for a credit, of expense for a debit.'),
  person_id: id('the supplier or customer').nullable().optional(),
  cost_center_id: id('the cost center that takes all of it').nullable().optional(),
  notes: cleanText(1_000).nullable().optional().describe('Words of your own about it.'),
  ignored: z
    .boolean()
    .optional()
    .describe('Leave it out of balances and totals, such as a row that only states a balance.'),
};

export const updateTransaction = operation({
  name: 'finance_financial_transactions_update',
  title: 'Update financial transaction',
  summary: 'Classify or annotate an entry, or leave it out of the books. Amount, date and description stay.',
  effect: 'write',
  scope: 'finance.financial_transactions',
  hints: { idempotent: true },
  input: { id: id('the entry'), ...changes },
  output: transactionSchema,
  async run({ id: transactionId, ...given }, context) {
    const { company, transaction: before } = await requireTransactionAndAccount(context, transactionId);
    const edited = editedTransaction(before, given);
    if (touchesBooks(before, edited)) requireOpenBooks(company, before.date);
    await checkRecords(context, before, edited, given.cost_center_id ?? null);
    if (edited.ignored !== before.ignored) await requireMayIgnore(context, before);
    return transactionOf(await changeTransaction(context, before, edited));
  },
});

function editedTransaction(before: TransactionRow, given: InputOf<typeof changes>): TransactionRow {
  const { cost_center_id: costCenterId, ...plain } = given;
  const named = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
  const edited: TransactionRow = { ...before, ...named };
  return {
    ...edited,
    ...(costCenterId !== undefined && {
      cost_centers: costCenterId === null ? [] : wholeShareOf(costCenterId),
    }),
    // A person who takes the category away has decided too: no rule puts one in its place.
    ...(given.category_id !== undefined && { classified_by: 'person' }),
    search_text: searchTextOf(
      edited.description,
      edited.notes,
      edited.counterparty_name,
      edited.document_number,
    ),
  };
}

async function checkRecords(
  context: WriteContext,
  before: TransactionRow,
  edited: TransactionRow,
  costCenterId: string | null,
): Promise<void> {
  if (edited.person_id !== null && edited.person_id !== before.person_id) {
    await requirePersonInUse(context, edited.person_id);
  }
  if (edited.category_id !== null && edited.category_id !== before.category_id) {
    const kind = categoryKindOf[before.direction as (typeof directions)[number]];
    await requireLeafCategory(context, edited.category_id, kind);
  }
  if (costCenterId !== null) await requireActiveCostCenter(context, costCenterId, 'cost_center_id');
}

async function requireMayIgnore(context: WriteContext, before: TransactionRow): Promise<void> {
  requireNotSuperseded(before);
  if (before.ignored) return;
  requireIgnorable(before, await selectEffectiveSettlement(context.db, context.workspaceId, before.id));
}
