import type { Context, WriteContext } from '../../core/operation.ts';
import type { ChargeRow } from '../charges/index.ts';
import {
  recordEvent,
  requireAllowed,
  requireAnotherPerson,
  type Setting,
  settingOf,
} from '../legal/index.ts';
import { sendNotice } from './notices.ts';
import { type NegativationRow, requireWithCharge, storeNegativation } from './resource.ts';
import { afterDecision, requireStatus } from './rules.ts';

interface Decision {
  readonly id: string;
  readonly status: 'approved' | 'rejected';
  readonly note: string;
}

interface Prepared {
  readonly row: NegativationRow;
  readonly charge: ChargeRow;
  readonly setting: Setting;
}

/** Everything that would refuse the decision: to approve, all rules have to hold anew. */
export async function prepareDecision(context: Context, decision: Decision): Promise<Prepared> {
  const { row, charge } = await requireWithCharge(context, decision.id);
  requireStatus(row, ['pending']);
  requireAnotherPerson(row.requested_by, context.caller.user.id);
  const setting = await settingOf(context, 'negativation', charge, { own: row });
  if (decision.status === 'approved') requireAllowed(setting.situation);
  return { row, charge, setting };
}

/** Writes the decision; an approved report begins with its prior notice. */
export async function decide(
  context: WriteContext,
  decision: Decision,
  { row, charge, setting }: Prepared,
): Promise<NegativationRow> {
  const userId = context.caller.user.id;
  const isApproved = decision.status === 'approved';
  await recordEvent(context, 'negativation', row.id, decision.status, { by: userId });
  const decided = await storeNegativation(context, row, {
    ...afterDecision(row, decision.status),
    approved_by: isApproved ? userId : null,
    decided_at: context.now.toISOString(),
    decision_note: decision.note,
    policy_version: setting.settings.contactPolicy.version,
  });
  return isApproved ? sendNotice(context, decided, charge) : decided;
}
