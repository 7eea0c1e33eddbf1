import type { Cents } from '../../core/money.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { requireCharge, takeLegal } from '../charges/index.ts';
import { lastReportableDay } from '../contact-law/index.ts';
import {
  recordEvent,
  requireAllowed,
  requireExpectedAmount,
  type Setting,
  settingOf,
} from '../legal/index.ts';
import { insertNegativation } from './queries.ts';
import { type NegativationRow, negativationOf, requireNegativation } from './resource.ts';
import type { BureauName } from './schema.ts';

interface Request {
  readonly charge_id: string;
  readonly bureau: BureauName;
  readonly reason?: string | undefined;
  readonly expected_amount?: Cents | undefined;
}

/** Everything that would refuse the request; the charge locked when writing. */
export async function prepareRequest(context: Context, request: Request): Promise<Setting> {
  const charge = await requireCharge(context, request.charge_id);
  const setting = await settingOf(context, 'negativation', charge);
  requireAllowed(setting.situation);
  requireExpectedAmount(request.expected_amount, setting.amounts.amountDue);
  return setting;
}

/** Writes the request, with the amount as it is now, and takes the charge: nothing leaves. */
export async function createRequest(
  context: WriteContext,
  request: Request,
  { charge, amounts, settings }: Setting,
): Promise<NegativationRow> {
  const id = context.newId();
  await insertNegativation(
    context.db,
    {
      organization_id: context.organizationId,
      id,
      charge_id: charge.id,
      person_id: charge.person_id,
      bureau: request.bureau,
      amount_cents: amounts.amountDue,
      debt_due_date: charge.due_date,
      reason: request.reason ?? null,
      expires_on: lastReportableDay(charge.due_date),
      policy_version: settings.contactPolicy.version,
      requested_by: context.caller.user.id,
    },
    context.now,
  );
  await takeLegal(context, charge, 'negativation', id);
  const row = await requireNegativation(context, id);
  context.changed('negativation', id, null, negativationOf(row));
  await recordEvent(context, 'negativation', id, 'requested');
  return row;
}
