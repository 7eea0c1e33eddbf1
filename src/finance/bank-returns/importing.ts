/** What reading a return file does to the books: one title after the other, each for itself. */

import { AppError } from '../../core/errors.ts';
import type { WriteContext } from '../../core/operation.ts';
import { applyReceipt, ourNumberOf } from '../charges/index.ts';
import { type RecordRow, selectChargesByNumber, selectKnownKeys } from './queries.ts';
import type { ReturnFile, ReturnTitle } from './reading.ts';
import { receiptOf, replayKeyOf } from './rules.ts';
import type { RecordOutcome } from './schema.ts';

const TOLD_EVERY = 100;

interface Done {
  readonly outcome: RecordOutcome;
  readonly reason?: string;
  readonly chargeId?: string | null;
  readonly settlementId?: string | null;
}

/**
 * Records the receipts of a file and gives one row per record, broken ones included, by line. A payment that cannot
 * be recorded is `refused` with its code and leaves nothing behind; the others go on.
 */
export async function applyReturn(
  context: WriteContext,
  place: { returnId: string; accountId: string },
  file: ReturnFile,
): Promise<RecordRow[]> {
  const { db, workspaceId } = context;
  const keys = file.titles.map((title) => replayKeyOf(file, title));
  const known = await selectKnownKeys(db, workspaceId, keys);
  const numbers = [...new Set(file.titles.map(({ ourNumber }) => ourNumberOf(ourNumber)))];
  const charges = await selectChargesByNumber(db, workspaceId, place.accountId, numbers);
  const rows: RecordRow[] = [];
  for (const [index, title] of file.titles.entries()) {
    const key = keys[index]!;
    const chargeId = charges.get(ourNumberOf(title.ourNumber));
    const done = known.has(key)
      ? { outcome: 'replayed' as const, chargeId: chargeId ?? null }
      : await applyTitle(context, file, title, chargeId, key);
    known.add(key);
    rows.push(rowOf(context, place.returnId, title, key, done));
    if (index % TOLD_EVERY === 0) context.progress({ done: index, total: file.titles.length });
  }
  for (const { line, reason } of file.unreadable) {
    rows.push(rowOf(context, place.returnId, brokenAt(line), '', { outcome: 'unreadable', reason }));
  }
  return rows.sort((left, right) => left.line - right.line);
}

async function applyTitle(
  context: WriteContext,
  file: ReturnFile,
  title: ReturnTitle,
  chargeId: string | undefined,
  key: string,
): Promise<Done> {
  if (chargeId === undefined) return { outcome: 'unknown_charge' };
  const receipt = receiptOf(file, title, context.today);
  if (receipt === null) return { outcome: 'noted', chargeId };
  try {
    const applied = await context.db.nested(() =>
      applyReceipt(context, chargeId, { ...receipt, method: 'boleto', externalId: `cnab:${key}` }),
    );
    return { ...applied, chargeId };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { outcome: 'refused', reason: error.code, chargeId };
  }
}

function rowOf(
  context: WriteContext,
  returnId: string,
  title: ReturnTitle,
  key: string,
  done: Done,
): RecordRow {
  return {
    workspace_id: context.workspaceId,
    bank_return_id: returnId,
    line: title.line,
    our_number: title.ourNumber,
    document_number: title.documentNumber,
    occurrence: title.occurrence,
    occurrence_date: title.occurredOn,
    face_cents: title.face,
    paid_cents: title.paid,
    credited_cents: title.credited,
    fee_cents: title.fee,
    interest_cents: title.interest,
    discount_cents: title.discount,
    abatement_cents: title.abatement,
    credit_date: title.creditedOn,
    replay_key: key,
    outcome: done.outcome,
    reason: done.reason ?? null,
    charge_id: done.chargeId ?? null,
    settlement_id: done.settlementId ?? null,
  };
}

function brokenAt(line: number): ReturnTitle {
  return {
    line,
    ourNumber: '',
    documentNumber: null,
    occurrence: '',
    occurredOn: null,
    creditedOn: null,
    face: null,
    paid: null,
    credited: null,
    fee: 0,
    interest: 0,
    discount: 0,
    abatement: 0,
  };
}
