/** Reads what banks announce every day, and tells them of what is not recognised. */

import { z } from 'zod';
import type { JobContext, JobDefinition } from '../../core/job.ts';
import type { WriteContext } from '../../core/operation.ts';
import { BankRefused, type DdaDesk, type FinanceGateways } from '../../gateways/bank/port.ts';
import { bankAccountOf } from '../accounts/index.ts';
import { type HolderRow, selectHolders, selectRejection, updateRejection } from './queries.ts';
import { ddaBoletoOf, requireDdaBoleto } from './resource.ts';
import { daysToRead } from './rules.ts';
import { storeAnnounced } from './storing.ts';

type DdaJobContext = JobContext<FinanceGateways>;

const place = { organizationId: z.uuid(), workspaceId: z.uuid() };
const rejectPayload = z.strictObject({ ...place, boletoId: z.uuid() });
const syncPayload = z.strictObject(place);

/** Before people in Brazil begin to work. */
const EVERY_DAY_AT = '09:00';
/** Boletos written in one transaction. */
const CHUNK = 100;

const ddaSync: JobDefinition<z.infer<typeof syncPayload>, FinanceGateways> = {
  task: 'dda_sync',
  payload: syncPayload,
  every: { at: EVERY_DAY_AT, tenant: 'workspace' },
  async run(_payload, context) {
    const holders = await context.read(({ db, workspaceId }) => selectHolders(db, workspaceId));
    const failures: unknown[] = [];
    for (const holder of holders) {
      // A bank that cannot be asked keeps none of the others back.
      await syncHolder(context, holder).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  },
};

/** Asking twice does no more than once, so whatever goes wrong is simply tried again. */
const ddaReject: JobDefinition<z.infer<typeof rejectPayload>, FinanceGateways> = {
  task: 'dda_reject',
  payload: rejectPayload,
  async run({ boletoId }, context) {
    const known = await context.read(({ db, workspaceId }) =>
      selectRejection(db, workspaceId, boletoId, false),
    );
    if (known === undefined || known.rejection_status !== 'requested') return;
    const { bank_adapter: adapter, bank_reference: reference, reject_reason: reason } = known;
    const desk = adapter === null ? undefined : context.gateways.bank(adapter).dda;
    const refusedReason =
      desk === undefined || reference === null
        ? 'the bank of the account takes no rejections'
        : await refusalOf(desk, reference, reason ?? '', context.now);
    await context.write((write) => recordOutcome(write, boletoId, refusedReason));
  },
};

export const jobs = [ddaSync, ddaReject];

/** Queues telling the bank. */
export function queueRejection(context: WriteContext, boletoId: string): void {
  const { organizationId, workspaceId } = context;
  context.enqueue({
    task: ddaReject.task,
    payload: { organizationId, workspaceId, boletoId },
    key: `${ddaReject.task}:${boletoId}`,
  });
}

async function syncHolder(context: DdaJobContext, holder: HolderRow): Promise<void> {
  const desk = context.gateways.bank(holder.bank_adapter).dda;
  if (desk === undefined) return;
  const { from, to } = daysToRead(await context.read(async ({ today }) => today));
  const announced = await desk.announced(
    { ...bankAccountOf(holder), holderDocument: holder.document_number },
    from,
    to,
    context.now,
  );
  for (let start = 0; start < announced.length; start += CHUNK) {
    const chunk = announced.slice(start, start + CHUNK);
    await context.write((write) => storeAnnounced(write, holder, chunk));
  }
}

/** The bank's words when it refuses; null when it took the rejection. */
async function refusalOf(
  desk: DdaDesk,
  reference: string,
  reason: string,
  now: Date,
): Promise<string | null> {
  try {
    await desk.reject(reference, reason, now);
    return null;
  } catch (error) {
    if (error instanceof BankRefused) return error.message;
    throw error;
  }
}

async function recordOutcome(context: WriteContext, boletoId: string, reason: string | null): Promise<void> {
  const { db, workspaceId, now } = context;
  const before = await requireDdaBoleto(context, boletoId);
  if (before.rejection_status !== 'requested') return;
  const status = reason === null ? 'confirmed' : 'refused';
  await updateRejection(db, workspaceId, boletoId, { status, reason }, now);
  const after = await requireDdaBoleto(context, boletoId);
  context.changed('dda_boleto', boletoId, ddaBoletoOf(before), ddaBoletoOf(after));
}
