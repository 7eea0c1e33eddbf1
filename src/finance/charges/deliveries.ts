/** Messages to customers: written with the operation, sent by a job once there is something to send, sent once. */

import { approvalStore } from '../../approvals/index.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import type { MailMessage } from '../../gateways/mail/port.ts';
import { readAttachmentFile } from '../attachments/index.ts';
import { requireCompany } from '../companies/index.ts';
import { requireReceivable } from '../receivables/index.ts';
import {
  type DeliveryRow,
  insertDelivery,
  selectDeliveries,
  selectDelivery,
  updateDelivery,
} from './delivery-queries.ts';
import { messageOf } from './message.ts';
import type { ChargeRow } from './queries.ts';
import { deliveryOf, payUntilOf, requireCharge } from './resource.ts';
import type { Delivery } from './schema.ts';

export const DELIVER_TASK = 'charge_deliver';
const ATTEMPTS_MAX = 10;
/** How long a message waits before it looks again whether its workspace is still frozen. */
const FROZEN_WAIT_MS = 60_000;

/** A message on its way. */
export interface Delivering {
  readonly deliveryId: string;
  readonly message: MailMessage;
}

/** Writes a message to be sent. The job is queued once the charge is open, which it may be already. */
export async function addDelivery(
  context: WriteContext,
  charge: ChargeRow,
  recipient: string,
): Promise<void> {
  const { db, workspaceId, now } = context;
  const id = context.newId();
  const created_by = context.caller.user.id;
  await insertDelivery(
    db,
    { workspace_id: workspaceId, id, charge_id: charge.id, recipient, created_by },
    now,
  );
  const row = await selectDelivery(db, workspaceId, id, false);
  context.changed('charge_delivery', id, null, deliveryOf(row!));
  if (charge.status === 'open') queueDelivery(context, id);
}

/** Lets the waiting messages of a charge go, or calls them off when there is nothing to send any more. */
export async function settleDeliveries(context: WriteContext, charge: ChargeRow): Promise<void> {
  if (charge.status === 'generating') return;
  const deliveries = await selectDeliveries(context.db, context.workspaceId, charge.id);
  for (const delivery of deliveries.filter(({ status }) => status === 'queued')) {
    if (charge.status === 'open') queueDelivery(context, delivery.id);
    else await change(context, delivery, { status: 'canceled' });
  }
}

/**
 * Marks the message as on its way; null when it is not to be sent. One that a run before this marked may have been
 * taken by the server: nobody knows, and it is not sent again. While the workspace is frozen none leaves.
 */
export async function markSending(context: WriteContext, deliveryId: string): Promise<Delivering | null> {
  const { db, workspaceId, now } = context;
  const { isFrozen } = await approvalStore.holdControls(db, context);
  const known = await selectDelivery(db, workspaceId, deliveryId, false);
  if (known === undefined) return null;
  // A charge is locked before its messages everywhere.
  const charge = await requireCharge(context, known.charge_id);
  const delivery = (await selectDelivery(db, workspaceId, deliveryId, true))!;
  if (delivery.status === 'sending') await change(context, delivery, { status: 'unknown' });
  if (delivery.status !== 'queued') return null;
  if (charge.status !== 'open' || charge.cancel_requested_at !== null) {
    await change(context, delivery, { status: 'canceled' });
    return null;
  }
  if (isFrozen) {
    queueDelivery(context, deliveryId, new Date(now.getTime() + FROZEN_WAIT_MS));
    return null;
  }
  const message_id = `<${delivery.id}@${workspaceId}.charges>`;
  const attempts = delivery.attempts + 1;
  await change(context, delivery, { status: 'sending', message_id, attempts });
  return {
    deliveryId,
    message: await mailOf({ ...context, isWriting: false }, charge, message_id, delivery.recipient),
  };
}

/** Records how sending ended. `unreachable`: waits for another attempt, of which there are ten. */
export async function recordSending(
  context: WriteContext,
  deliveryId: string,
  outcome: { status: 'sent' | 'unknown' | 'unreachable' | 'failed'; reason?: string },
): Promise<'again' | 'over'> {
  const delivery = (await selectDelivery(context.db, context.workspaceId, deliveryId, true))!;
  const failed_reason = outcome.reason ?? null;
  if (outcome.status !== 'unreachable') {
    await change(context, delivery, { status: outcome.status, failed_reason });
    return 'over';
  }
  const isOver = delivery.attempts >= ATTEMPTS_MAX;
  await change(context, delivery, { status: isOver ? 'failed' : 'queued', failed_reason });
  return isOver ? 'over' : 'again';
}

async function mailOf(
  context: Context,
  charge: ChargeRow,
  messageId: string,
  to: string,
): Promise<MailMessage> {
  const receivable = await requireReceivable(context, charge.receivable_id);
  const company = await requireCompany(context, receivable.company_id);
  const { subject, text, html } = messageOf({
    companyName: company.trade_name ?? company.legal_name,
    customerName: charge.person_name,
    description: receivable.description,
    amount: charge.amount_cents,
    dueDate: charge.due_date,
    payUntil: payUntilOf(charge),
    terms: charge.terms,
    typedLine: charge.typed_line,
    pixCode: charge.pix_code,
  });
  const { bytes, contentType } = await readAttachmentFile(context, charge.pdf_attachment_id!);
  const fileName = `cobranca-${charge.our_number}.pdf`;
  return {
    messageId,
    to,
    replyTo: null,
    subject,
    text,
    html,
    attachments: [{ fileName, contentType, bytes }],
  };
}

function queueDelivery(context: WriteContext, deliveryId: string, runAt?: Date): void {
  const { organizationId, workspaceId } = context;
  context.enqueue({
    task: DELIVER_TASK,
    payload: { organizationId, workspaceId, deliveryId },
    key: `${DELIVER_TASK}:${deliveryId}`,
    ...(runAt !== undefined && { runAt }),
  });
}

async function change(
  context: WriteContext,
  delivery: DeliveryRow,
  change: Partial<Pick<DeliveryRow, 'message_id' | 'failed_reason' | 'attempts'>> & {
    status: Delivery['status'];
  },
): Promise<void> {
  const after = { ...delivery, ...change };
  await updateDelivery(context.db, after, context.now);
  context.changed('charge_delivery', delivery.id, deliveryOf(delivery), deliveryOf(after));
}
