/** Issues and cancels charges at banks, and carries them to customers. */

import { z } from 'zod';
import type { JobDefinition } from '../../core/job.ts';
import { cleanOutsideText } from '../../core/text.ts';
import type { FinanceGateways } from '../../gateways/bank/port.ts';
import { MailOutcomeUnknown, MailRefused, MailUnreachable } from '../../gateways/mail/port.ts';
import { bankJobsOf } from '../bank-commands/index.ts';
import { DELIVER_TASK, type Delivering, markSending, recordSending } from './deliveries.ts';
import { chargeSubject } from './subject.ts';

const payload = z.strictObject({ organizationId: z.uuid(), workspaceId: z.uuid(), deliveryId: z.uuid() });

const REASON_MAX = 300;

/**
 * Sends one message. It is marked as on its way and committed before the mail server is called, so a process that
 * dies in between leaves a mark, and nobody sends it a second time without a person asking for it.
 */
const deliver: JobDefinition<z.infer<typeof payload>, FinanceGateways> = {
  task: DELIVER_TASK,
  payload,
  async run({ deliveryId }, context) {
    const delivering = await context.write((write) => markSending(write, deliveryId));
    if (delivering === null) return;
    const { error, outcome } = await send(context.gateways, delivering);
    const next = await context.write((write) => recordSending(write, deliveryId, outcome));
    // The queue waits longer after each failure.
    if (next === 'again') throw error;
  },
};

export const jobs = [...bankJobsOf(chargeSubject), deliver];

async function send(
  { mail }: FinanceGateways,
  { message }: Delivering,
): Promise<{ error?: Error; outcome: Parameters<typeof recordSending>[2] }> {
  try {
    await mail.send(message);
    return { outcome: { status: 'sent' } };
  } catch (error) {
    if (error instanceof MailOutcomeUnknown) return { error, outcome: { status: 'unknown' } };
    if (!(error instanceof MailRefused) && !(error instanceof MailUnreachable)) throw error;
    const reason = cleanOutsideText(error.message, REASON_MAX);
    return { error, outcome: { status: error instanceof MailRefused ? 'failed' : 'unreachable', reason } };
  }
}
