/** What changing a debt of either kind does and checks. */

import { adjustedDueDateOf } from '../../core/accruals.ts';
import { failArgument } from '../../core/errors.ts';
import type { WriteContext } from '../../core/operation.ts';
import type { Tables } from '../../db/rows.ts';
import { requireLeafCategory } from '../categories/index.ts';
import { requireOpenBooks } from '../companies/index.ts';
import { checkedCostCenters } from '../cost-centers/index.ts';
import {
  baseOf,
  bookDatesOf,
  type CostCenterShare,
  type DebtChanges,
  requireStatus,
  type Touched,
  termsOf,
  withheldCentsOf,
} from '../debts/index.ts';
import { debtSearchText, requireNoDuplicate, requireParty } from './create.ts';
import type { DebtKind, DebtRow } from './kind.ts';
import { requirePlannedAccount } from './locks.ts';

/** The row with what was given. */
export function editedDebt<Row extends DebtRow>(before: Row, given: DebtChanges): Row {
  const { amount, abatement, withholdings, charges, ...plain } = given;
  const stored = withholdings?.map(({ kind, amount: cents }) => ({ kind, cents }));
  const named = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
  const edited: Row = { ...before, ...named };
  return {
    ...edited,
    amount_cents: amount ?? before.amount_cents,
    abatement_cents: abatement ?? before.abatement_cents,
    ...(stored !== undefined && { withholdings: stored, withheld_cents: withheldCentsOf(stored) }),
    ...(charges !== undefined && { terms: charges === null ? null : termsOf(charges) }),
    ...(given.category_id !== undefined && { classified_by: 'person' }),
    adjusted_due_date: adjustedDueDateOf(edited.due_date),
    search_text: debtSearchText(edited),
  };
}

/**
 * Refuses a change that the state, the books or another record forbids. Planning stays free in a closed month; what
 * its books say does not. Gives the new person when there is one.
 */
export async function checkChange<Row extends DebtRow>(
  context: WriteContext,
  kind: DebtKind<Row>,
  change: {
    readonly before: Row;
    readonly edited: Row;
    readonly touched: Touched;
    readonly company: Tables['companies'];
  },
): Promise<void> {
  const { before, edited, touched, company } = change;
  requireStatus(before.status, touched.money ? ['draft', 'open'] : ['draft', 'open', 'partially_paid']);
  if (touched.books) requireOpenBooks(company, ...bookDatesOf(before), ...bookDatesOf(edited));
  if (edited.person_id !== before.person_id) await requireParty(context, kind, edited.person_id);
  if (edited.category_id !== null && edited.category_id !== before.category_id) {
    await requireLeafCategory(context, edited.category_id, kind.categoryKind);
  }
  if (edited.cost_centers !== before.cost_centers) {
    await checkedCostCenters(context, edited.cost_centers as CostCenterShare[]);
  }
  if (edited.planned_account_id !== null && edited.planned_account_id !== before.planned_account_id) {
    await requirePlannedAccount(context, edited.planned_account_id);
  }
  if (touched.money && baseOf(edited) <= 0) {
    failArgument('amount', 'an amount that withholdings and abatement do not use up');
  }
}

/** Looks for the same debt once more, because the change may have made this one alike (PITFALLS 47). */
export async function requireStillUnique<Row extends DebtRow>(
  context: WriteContext,
  kind: DebtKind<Row>,
  edited: Row,
  { barcode, allowed }: { barcode: string | null; allowed: string | undefined },
): Promise<void> {
  const key = {
    personId: edited.person_id,
    documentNumber: edited.document_number,
    series: edited.series,
    amounts: [edited.amount_cents],
    barcode,
    exceptId: edited.id,
    exceptGroupId: edited.installment_group_id,
  };
  await requireNoDuplicate(context, kind, key, allowed);
}
