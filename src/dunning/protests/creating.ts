import type { z } from 'zod';
import type { Cents } from '../../core/money.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { requireCharge, takeLegal } from '../charges/index.ts';
import {
  recordEvent,
  requireAllowed,
  requireExpectedAmount,
  type Setting,
  settingOf,
  type TitleKind,
} from '../legal/index.ts';
import { type documentArgument, documentOf, type ProofDocument } from './document.ts';
import { insertProtest } from './queries.ts';
import { type ProtestRow, protestOf, requireProtest } from './resource.ts';

interface Request {
  readonly charge_id: string;
  readonly title_kind: TitleKind;
  readonly document_attachment?: z.output<typeof documentArgument> | undefined;
  readonly expected_amount?: Cents | undefined;
}

interface Prepared {
  readonly setting: Setting;
  readonly document: ProofDocument | null;
}

/** Everything that would refuse the request; the charge locked when writing. */
export async function prepareRequest(context: Context, request: Request): Promise<Prepared> {
  const { document_attachment: attachment } = request;
  const document = attachment === undefined ? null : documentOf(attachment);
  const charge = await requireCharge(context, request.charge_id);
  const setting = await settingOf(context, 'protest', charge, {
    title: { kind: request.title_kind, hasDocument: document !== null },
  });
  requireAllowed(setting.situation);
  requireExpectedAmount(request.expected_amount, setting.amounts.amountDue);
  return { setting, document };
}

/** Writes the request, with the amount as it is now, and takes the charge: nothing leaves. */
export async function createRequest(
  context: WriteContext,
  request: Request,
  { setting: { charge, amounts, settings }, document }: Prepared,
): Promise<ProtestRow> {
  const id = context.newId();
  await insertProtest(
    context.db,
    {
      organization_id: context.organizationId,
      id,
      charge_id: charge.id,
      person_id: charge.person_id,
      title_kind: request.title_kind,
      amount_cents: amounts.amountDue,
      debt_due_date: charge.due_date,
      document_name: document?.name ?? null,
      document_content_type: document?.contentType ?? null,
      document_sha256: document?.sha256 ?? null,
      document_bytes: document?.bytes ?? null,
      policy_version: settings.contactPolicy.version,
      requested_by: context.caller.user.id,
    },
    context.now,
  );
  await takeLegal(context, charge, 'protest', id);
  const row = await requireProtest(context, id);
  context.changed('protest', id, null, protestOf(row));
  await recordEvent(context, 'protest', id, 'requested');
  return row;
}
