/** Installments as payments fill them, and how that is written. */

import type { WriteContext } from '../../core/operation.ts';
import { type InstallmentRow, updateInstallments } from './part-queries.ts';
import { installmentOf } from './resource.ts';
import { liveStatuses, type Slot } from './rules.ts';
import type { AgreementStatus } from './schema.ts';

export function slotOf(row: InstallmentRow): Slot {
  const { id, number, amount_cents: amount, paid_cents: paid, paid_on: paidOn } = row;
  return { id, number, amount, paid, paidOn };
}

/**
 * Writes what is paid of each installment and records those that changed; to be called before the agreement, of that
 * status then, is stored. What is not paid of an agreement that is over is canceled.
 */
export async function writeSlots(
  context: WriteContext,
  { version, status: agreementStatus }: { version: number; status: AgreementStatus },
  rows: readonly InstallmentRow[],
  slots: readonly Slot[],
): Promise<void> {
  const unpaid = liveStatuses.includes(agreementStatus) ? 'open' : 'canceled';
  const changes = rows.flatMap((row, index) => {
    const { paid, paidOn, amount } = slots[index]!;
    const status = paid === amount ? 'paid' : unpaid;
    const isSame = row.paid_cents === paid && row.paid_on === paidOn && row.status === status;
    const after: InstallmentRow = { ...row, paid_cents: paid, paid_on: paidOn, status };
    return isSame ? [] : [{ before: row, after }];
  });
  if (changes.length === 0) return;
  await updateInstallments(
    context.db,
    context.organizationId,
    changes.map(({ after }) => after),
  );
  for (const { before, after } of changes) {
    context.changed(
      'installment',
      before.id,
      installmentOf(before, version, context.today),
      installmentOf(after, version + 1, context.today),
    );
  }
}
