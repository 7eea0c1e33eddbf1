/** What was asked of the simulated bank, and what of it still has to be asked about. */

import type { CivilDate } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
import type { Db } from '../../core/ports.ts';
import { sql } from '../../db/sql.ts';
import type { SampleRows } from './load.ts';
import { bornAt, type NewRow, type Setting } from './setting.ts';

type Subject = Partial<Pick<NewRow<'bank_commands'>, 'payment_id' | 'charge_id' | 'transfer_id'>>;

/** The form of the simulated bank, which tells from it how an order stands. */
export function bankKeyOf(id: string, day: CivilDate, amount: Cents, how: string): string {
  return `${id}.${day.replaceAll('-', '')}.${amount}.${how}`;
}

/** A command that was sent and answered at once. */
export function commandOf(
  setting: Setting,
  given: {
    subject: Subject;
    kind: 'submit' | 'cancel';
    key: string;
    answer: { readonly status: string };
    at: string;
  },
): NewRow<'bank_commands'> {
  const { workspace_id, id } = bornAt(setting, given.at);
  return {
    workspace_id,
    id,
    payment_id: null,
    charge_id: null,
    transfer_id: null,
    ...given.subject,
    kind: given.kind,
    status: given.answer.status === 'rejected' ? 'failed' : 'confirmed',
    idempotency_key: given.key,
    attempts: 1,
    answer: given.answer,
    sent_at: given.at,
    answered_at: given.at,
    created_at: given.at,
  };
}

/** A first look once the server has started, and when to look for what is meant for a later day. */
const ASKED_AFTER_MS = 120_000;
const ASKED_LATER_MS = 3_600_000;
/** Between one question and the next, so that they do not come all at once. */
const ASKED_APART_MS = 500;

/** Queues asking the bank about all that is live, as whoever sent it would have. */
export async function queueQuestions(
  db: Db,
  place: { organizationId: string; workspaceId: string },
  rows: Pick<SampleRows, 'payments' | 'charges' | 'transfers'>,
  now: Date,
): Promise<void> {
  const { payments, charges, transfers } = rows;
  const live = [
    ...payments
      .filter(({ status }) => status === 'scheduled' || status === 'processing')
      .map(({ id, scheduled_for }) => ({
        task: 'bank_poll',
        what: { paymentId: id },
        id,
        day: scheduled_for,
      })),
    ...charges
      .filter(({ status }) => status === 'open')
      .map(({ id, due_date }) => ({ task: 'charge_poll', what: { chargeId: id }, id, day: due_date })),
    ...transfers
      .filter(({ status }) => status === 'pending')
      .map(({ id, scheduled_for }) => ({
        task: 'transfer_poll',
        what: { transferId: id },
        id,
        day: scheduled_for,
      })),
  ];
  const jobs = live.map(({ task, what, id, day }, index) => {
    const wait = day > now.toISOString().slice(0, 10) ? ASKED_LATER_MS : ASKED_AFTER_MS;
    const runAt = new Date(now.getTime() + wait + index * ASKED_APART_MS);
    return { task, payload: { ...place, ...what }, run_at: runAt, key: `${task}:${id}` };
  });
  await db.run(sql`
    select enqueue_job(task, payload, run_at, key)
      from json_to_recordset(${JSON.stringify(jobs)}::json) as job (task text, payload json, run_at timestamptz, key text)`);
}
