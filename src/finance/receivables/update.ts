/** The one way a receivable is changed by a person, alone or with others. */

import type { WriteContext } from '../../core/operation.ts';
import {
  changeDebt,
  checkChange,
  editedDebt,
  requireDebtInOrder,
  requireStillUnique,
} from '../debt-records/index.ts';
import { baseOf, type DebtChanges, touchedBy } from '../debts/index.ts';
import { requirePerson } from '../people/index.ts';
import { requireNoLiveCharge } from './live-charge.ts';
import { type ReceivableRow, receivableKind } from './resource.ts';
import { requireLawfulFine } from './rules.ts';

/** Changes what was given, after every check, and gives the row as it is then. */
export async function changeReceivable(
  context: WriteContext,
  id: string,
  given: DebtChanges,
  allowedDuplicate?: string,
): Promise<ReceivableRow> {
  const { debt: before, company } = await requireDebtInOrder(context, receivableKind, id);
  const edited = editedDebt(before, given);
  const touched = touchedBy(before, edited);
  await checkChange(context, receivableKind, { before, edited, touched, company });
  // The charge says whom, how much, until when and with what fine: it would ask for something else.
  if (touched.money || touched.terms || touched.dueDate) await requireNoLiveCharge(context, id);
  if (touched.money || touched.terms) await checkFine(context, edited);
  if (touched.identity) {
    await requireStillUnique(context, receivableKind, edited, { barcode: null, allowed: allowedDuplicate });
  }
  return changeDebt(context, receivableKind, before, edited);
}

async function checkFine(context: WriteContext, edited: ReceivableRow): Promise<void> {
  if (edited.terms === null) return;
  const person = await requirePerson(context, edited.person_id);
  requireLawfulFine(edited.terms as Parameters<typeof requireLawfulFine>[0], baseOf(edited), person);
}
