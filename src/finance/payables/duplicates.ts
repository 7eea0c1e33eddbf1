import { fail } from '../../core/errors.ts';
import type { Context } from '../../core/operation.ts';
import { type DuplicateKey, selectDuplicates } from './write-queries.ts';

/**
 * Fails with `duplicate { of }` when the workspace has a payable of the same supplier, document number, series and
 * amount, or with the same barcode (MODEL §14, invariant 10), unless the caller named one of them as another bill.
 * A named installment stands for its whole plan.
 */
export async function requireNoDuplicate(
  context: Context,
  key: DuplicateKey,
  allowed: string | undefined,
): Promise<void> {
  if (key.documentNumber === null && key.barcode === null) return;
  const found = await selectDuplicates(context.db, context.workspaceId, key);
  const [first] = found;
  if (first === undefined || found.some(({ id }) => id === allowed)) return;
  fail('duplicate', { kind: 'payable', of: first.id });
}
