import type { Context, WriteContext } from '../../core/operation.ts';
import type { ChargeRow } from '../charges/index.ts';
import {
  recordEvent,
  requireAllowed,
  requireAnotherPerson,
  type Setting,
  settingOf,
} from '../legal/index.ts';
import { sendWhenAllowed } from './following.ts';
import { type ProtestRow, requireWithCharge, storeProtest } from './resource.ts';
import { afterDecision, requireStatus } from './rules.ts';

interface Decision {
  readonly id: string;
  readonly status: 'approved' | 'rejected';
  readonly note: string;
}

interface Prepared {
  readonly row: ProtestRow;
  readonly charge: ChargeRow;
  readonly setting: Setting;
}

/** Everything that would refuse the decision: to approve, all rules have to hold anew. */
export async function prepareDecision(context: Context, decision: Decision): Promise<Prepared> {
  const { row, charge } = await requireWithCharge(context, decision.id);
  requireStatus(row, ['pending']);
  requireAnotherPerson(row.requested_by, context.caller.user.id);
  const setting = await settingOf(context, 'protest', charge, {
    own: row,
    title: { kind: row.title_kind, hasDocument: row.document_name !== null },
  });
  if (decision.status === 'approved') requireAllowed(setting.situation);
  return { row, charge, setting };
}

/** Writes the decision; an approved title is queued for the notary office. */
export async function decide(
  context: WriteContext,
  decision: Decision,
  { row, charge, setting }: Prepared,
): Promise<ProtestRow> {
  const userId = context.caller.user.id;
  const isApproved = decision.status === 'approved';
  await recordEvent(context, 'protest', row.id, decision.status, { by: userId });
  const decided = await storeProtest(context, row, {
    ...afterDecision(row, decision.status),
    approved_by: isApproved ? userId : null,
    decided_at: context.now.toISOString(),
    decision_note: decision.note,
    policy_version: setting.settings.contactPolicy.version,
  });
  return isApproved ? sendWhenAllowed(context, decided, charge) : decided;
}
