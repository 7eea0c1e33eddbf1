/** Whether a proposal still stands: for sending it, and for making it binding. */

import { fail } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import type { Cents } from '../../core/money.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import type { Amounts } from '../../core/terms.ts';
import { requireCampaign, requireRunning } from '../campaigns/index.ts';
import { amountsOfMany, type ChargeRow, enterAgreement } from '../charges/index.ts';
import { partsOf } from './figures.ts';
import { type AgreementChargeRow, type InstallmentRow, updateSharesLive } from './part-queries.ts';
import { requireNegotiable } from './proposing.ts';
import type { AgreementRow } from './queries.ts';
import { chargesOf, installmentsOf, requireAgreement, sharesOf, storeAgreement } from './resource.ts';
import { hasDownPayment, requireStanding } from './rules.ts';

export interface Proposal {
  readonly agreement: AgreementRow;
  readonly charges: readonly ChargeRow[];
  readonly installments: readonly InstallmentRow[];
}

/**
 * The proposal, its charges and all locked when the caller is writing. Fails with `invalid_state` once it is over or its
 * campaign has ended before it was sent, with `charge_in_agreement`, `charge_disputed` or `invalid_state` for a charge
 * that cannot go into it any more, and with `amount_changed` when something was paid, taken off or changed since it was
 * made, or when the total is not the one the person saw.
 */
export async function requireProposal(
  context: Context,
  id: string,
  expectedTotal?: Cents,
): Promise<Proposal> {
  const agreement = await requireAgreement(context, id);
  requireStanding(agreement, context.today);
  if (expectedTotal !== undefined && expectedTotal !== agreement.negotiated_total_cents) {
    fail('amount_changed', {
      expected: moneyText(expectedTotal),
      actual: moneyText(agreement.negotiated_total_cents),
    });
  }
  const charges = await chargesOf(context, id);
  for (const charge of charges) requireNegotiable(charge);
  await requireSameDebt(context, agreement, charges);
  await requireCampaignStands(context, agreement);
  return { agreement, charges, installments: await installmentsOf(context, id) };
}

/** Makes a proposal, whose checks have just been made, binding. */
export async function accept(
  context: WriteContext,
  { agreement, charges, installments }: Proposal,
  given: { accepted_by: string; evidence: string | null },
): Promise<AgreementRow> {
  await updateSharesLive(context.db, context.organizationId, agreement.id, true);
  await enterAgreement(context, charges, agreement.id);
  const waits = hasDownPayment(installments[0]!.due_date, agreement.valid_until);
  return storeAgreement(context, agreement, {
    ...given,
    status: waits ? 'accepted' : 'active',
    accepted_at: context.now.toISOString(),
  });
}

/** What is due on the day of the proposal is what it was, and nothing was paid or taken off since. */
async function requireSameDebt(
  context: Context,
  agreement: AgreementRow,
  charges: readonly ChargeRow[],
): Promise<void> {
  const shares = new Map((await sharesOf(context, agreement.id)).map((share) => [share.charge_id, share]));
  const then = await amountsOfMany(context, charges, agreement.as_of);
  const now = await amountsOfMany(context, charges);
  const isSame = charges.every(({ id }) => {
    const amounts = then.get(id)!;
    return isAsProposed(shares.get(id)!, amounts) && now.get(id)!.paid === amounts.paid;
  });
  if (isSame) return;
  const actual = charges.reduce((sum, { id }) => sum + now.get(id)!.amountDue, 0);
  fail('amount_changed', { expected: moneyText(agreement.original_total_cents), actual: moneyText(actual) });
}

function isAsProposed(share: AgreementChargeRow, amounts: Amounts): boolean {
  const { principal, interest, fine } = partsOf(share.charge_id, amounts);
  return (
    principal === share.principal_cents && interest === share.interest_cents && fine === share.fine_cents
  );
}

/** What was offered to the debtor binds until its last day; what was not does not outlive its campaign. */
async function requireCampaignStands(context: Context, agreement: AgreementRow): Promise<void> {
  if (agreement.campaign_id === null || agreement.sent_at !== null) return;
  requireRunning(await requireCampaign(context, agreement.campaign_id), context.today);
}
