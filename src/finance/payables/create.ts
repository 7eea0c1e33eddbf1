/** The one way a payable comes into being, whoever asks: a person, a fiscal document, a recurrence. */

import type { Cents } from '../../core/money.ts';
import type { WriteContext } from '../../core/operation.ts';
import { isApprovalNeeded, type PaymentRules, paymentRulesOf } from '../approval-settings/index.ts';
import { registerDebts } from '../debt-records/index.ts';
import { type DebtDraft, distinct } from '../debts/index.ts';
import { barcodeOf, type PaymentDetails, requireMatchingAmount } from './payment-details.ts';
import { type PayableRow, payableKind } from './resource.ts';

/** A payable to be. The amount of one plan's installments together decides about their approval. */
export interface PayableDraft extends DebtDraft {
  readonly paymentDetails?: PaymentDetails | null | undefined;
  readonly fiscalDocumentId?: string | null | undefined;
  /** The boleto announced by DDA it was made of. */
  readonly ddaBoletoId?: string | null | undefined;
}

/**
 * Registers payables and gives their rows in the order of the drafts. Checks company, books, supplier, category, cost
 * centers, amounts and duplicates; makes the person a supplier; records every change. Fails with the code of the
 * first check that refuses, and then nothing is written.
 */
export async function createPayables(
  context: WriteContext,
  drafts: readonly PayableDraft[],
): Promise<PayableRow[]> {
  const rules = await rulesByCompany(context, drafts);
  return registerDebts(context, payableKind, drafts, {
    check: (draft, base) => requireMatchingAmount(draft.paymentDetails ?? null, draft.amountCents, base),
    barcodeOf: (draft) => barcodeOf(draft.paymentDetails ?? null),
    ownOf: (draft) =>
      ownColumnsOf(draft, isApprovalNeeded(rules.get(draft.companyId)!, sumOf(draft, drafts))),
  });
}

async function rulesByCompany(
  context: WriteContext,
  drafts: readonly PayableDraft[],
): Promise<Map<string, PaymentRules>> {
  const rules = new Map<string, PaymentRules>();
  for (const companyId of distinct(drafts.map((draft) => draft.companyId))) {
    rules.set(companyId, await paymentRulesOf(context, companyId));
  }
  return rules;
}

/** The whole plan counts, so that splitting a bill is no way around its approval. */
function sumOf(draft: PayableDraft, drafts: readonly PayableDraft[]): Cents {
  if (draft.installment === undefined) return draft.amountCents;
  const { groupId } = draft.installment;
  const plan = drafts.filter(({ installment }) => installment?.groupId === groupId);
  return plan.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

function ownColumnsOf(draft: PayableDraft, isApprovalNeeded: boolean) {
  return {
    payment_details: draft.paymentDetails ?? null,
    approval_status: isApprovalNeeded ? 'pending' : 'not_required',
    approval_by: null,
    approval_at: null,
    approval_reason: null,
    fiscal_document_id: draft.fiscalDocumentId ?? null,
    needs_review: false,
    dda_boleto_id: draft.ddaBoletoId ?? null,
  } satisfies Partial<PayableRow>;
}
