import type { Context, WriteContext } from '../../core/operation.ts';
import { cancelDebt, requireCancelableDebt } from '../debt-records/index.ts';
import { type ReceivableRow, receivableKind } from './resource.ts';

/**
 * The receivable that can be called off now, locked after its company when the caller is writing. Fails with
 * `not_found`, `invalid_state` (a partly paid one included: its settlements are undone first) or `books_closed`.
 */
export function requireCancelable(context: Context, id: string): Promise<ReceivableRow> {
  return requireCancelableDebt(context, receivableKind, id);
}

/**
 * Calls off a receivable that the caller holds locked, and gives it as it is then. A live charge is the caller's to
 * cancel. Fails as `requireCancelable` does.
 */
export function cancelReceivable(
  context: WriteContext,
  receivable: ReceivableRow,
  reason: string,
): Promise<ReceivableRow> {
  return cancelDebt(context, receivableKind, receivable, reason);
}
