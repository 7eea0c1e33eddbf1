/** Giving up what is left of a receivable as a loss, and the way back. */

import { fail } from '../../core/errors.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { requireOpenBooks } from '../companies/index.ts';
import {
  changeDebt,
  isEffective,
  openCentsOf,
  requireDebtInOrder,
  settlementsOf,
} from '../debt-records/index.ts';
import { statusAfterSettlement } from '../debts/index.ts';
import { type ReceivableRow, receivableKind } from './resource.ts';
import type { WriteOff } from './rules.ts';

/** Gives up the open principal of a receivable that the caller has checked and holds locked. */
export function writeOff(
  context: WriteContext,
  receivable: ReceivableRow,
  given: Pick<WriteOff, 'reason' | 'category_id' | 'date'>,
): Promise<ReceivableRow> {
  const cents = openCentsOf(receivable);
  const loss: WriteOff = {
    cents,
    ...given,
    by: context.caller.user.id,
    at: context.now.toISOString(),
  };
  return changeDebt(context, receivableKind, receivable, {
    ...receivable,
    status: 'written_off',
    written_off_cents: cents,
    write_off: loss,
  });
}

/** The receivable whose write-off can be taken back, and what was given up. Fails as its name says. */
export async function requireWrittenOff(
  context: Context,
  id: string,
): Promise<{ receivable: ReceivableRow; loss: WriteOff }> {
  const { debt: receivable, company } = await requireDebtInOrder(context, receivableKind, id);
  if (receivable.status !== 'written_off') {
    fail('invalid_state', { from: receivable.status, allowed: ['written_off'] });
  }
  const loss = receivable.write_off as WriteOff;
  requireOpenBooks(company, loss.date);
  return { receivable, loss };
}

/** Takes the write-off back: what was given up is open again, what was received stays received. */
export async function reverseWriteOff(
  context: WriteContext,
  receivable: ReceivableRow,
  reason: string,
): Promise<ReceivableRow> {
  context.changed('write_off', receivable.id, { reversed_reason: null }, { reversed_reason: reason });
  const effective = (await settlementsOf(context, receivableKind, receivable.id)).filter(isEffective);
  return changeDebt(context, receivableKind, receivable, {
    ...receivable,
    status: statusAfterSettlement(receivable.written_off_cents, effective.length),
    written_off_cents: 0,
    write_off: null,
  });
}
