/** Calling a debt off, which keeps it visible, and deleting one that was a mistake. */

import { fail } from '../../core/errors.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { requireCompany, requireOpenBooks } from '../companies/index.ts';
import { bookDatesOf, requireStatus } from '../debts/index.ts';
import type { DebtKind, DebtRow } from './kind.ts';
import { requireDebtInOrder } from './locks.ts';
import { deleteAttachmentLinks, deleteDebt } from './queries.ts';
import { changeDebt, settlementsOf } from './resource.ts';

const DEPENDENTS_NAMED_MAX = 10;

/**
 * The debt that can be called off now, locked after its company when the caller is writing. Fails with `not_found`,
 * `invalid_state` (a partly settled one included: its settlements are undone first) or `books_closed`.
 */
export async function requireCancelableDebt<Row extends DebtRow>(
  context: Context,
  kind: DebtKind<Row>,
  id: string,
): Promise<Row> {
  const { debt, company } = await requireDebtInOrder(context, kind, id);
  requireStatus(debt.status, ['open']);
  requireOpenBooks(company, ...bookDatesOf(debt));
  return debt;
}

/** Calls off a debt that the caller holds locked, and gives it as it is then. Fails as `requireCancelableDebt` does. */
export async function cancelDebt<Row extends DebtRow>(
  context: WriteContext,
  kind: DebtKind<Row>,
  debt: Row,
  reason: string,
): Promise<Row> {
  requireStatus(debt.status, ['open']);
  requireOpenBooks(await requireCompany(context, debt.company_id), ...bookDatesOf(debt));
  return changeDebt(context, kind, debt, { ...debt, status: 'canceled', canceled_reason: reason });
}

/**
 * The debt that can be deleted now. What was settled, even if undone, and what else depends on it (`dependents`) is
 * history: such a debt is called off, not deleted, and `in_use` names what there is.
 */
export async function requireDeletableDebt<Row extends DebtRow>(
  context: Context,
  kind: DebtKind<Row>,
  id: string,
  dependents: (id: string) => Promise<{ kind: string; id: string }[]>,
): Promise<Row> {
  const { debt, company } = await requireDebtInOrder(context, kind, id);
  requireStatus(debt.status, ['draft', 'open']);
  const settlements = await settlementsOf(context, kind, id);
  const by = [
    ...settlements.map((settlement) => ({ kind: 'settlement', id: settlement.id })),
    ...(await dependents(id)),
  ];
  if (by.length > 0) fail('in_use', { by: by.slice(0, DEPENDENTS_NAMED_MAX) });
  requireOpenBooks(company, ...bookDatesOf(debt));
  return debt;
}

/** Deletes a record that nothing depends on, and records it. Its files stay. */
export async function removeDebt<Row extends DebtRow>(
  context: WriteContext,
  kind: DebtKind<Row>,
  debt: Row,
): Promise<void> {
  const { db, workspaceId } = context;
  await deleteAttachmentLinks(db, workspaceId, kind.name, debt.id);
  await deleteDebt(db, kind, workspaceId, debt.id);
  context.changed(kind.name, debt.id, kind.recorded(debt, context), null);
}
