/** The one way a receivable comes into being, whoever asks: a person, a recurrence. */

import type { WriteContext } from '../../core/operation.ts';
import { registerDebts } from '../debt-records/index.ts';
import type { DebtDraft } from '../debts/index.ts';
import { type ReceivableRow, receivableKind } from './resource.ts';
import { requireLawfulFine } from './rules.ts';

/** A receivable to be. */
export type ReceivableDraft = DebtDraft;

/**
 * Registers receivables and gives their rows in the order of the drafts. Checks company, books, customer, category,
 * cost centers, amounts, terms and duplicates; makes the person a customer; records every change. Fails with the code
 * of the first check that refuses, and then nothing is written.
 */
export function createReceivables(
  context: WriteContext,
  drafts: readonly ReceivableDraft[],
): Promise<ReceivableRow[]> {
  return registerDebts(context, receivableKind, drafts, {
    check: (draft, base, person) => requireLawfulFine(draft.terms ?? null, base, person),
    ownOf: () => ({ written_off_cents: 0, write_off: null }) satisfies Partial<ReceivableRow>,
  });
}
