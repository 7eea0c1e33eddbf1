/** From a plan to rows: the import, its lines, its closing balance and its file. */

import { digestOf } from '../../core/digest.ts';
import { fail } from '../../core/errors.ts';
import type { WriteContext } from '../../core/operation.ts';
import { searchTextOf } from '../../db/listing.ts';
import { categoryKindOf, recordStatedBalance } from '../accounts/index.ts';
import { storeAttachment } from '../attachments/index.ts';
import { type Classification, classifierOf } from '../automatic-rules/index.ts';
import { wholeShareOf } from '../cost-centers/index.ts';
import { reasonsOf, type StatementPlan } from './planning.ts';
import {
  type BatchHead,
  type ImportRow,
  insertImport,
  insertLines,
  type NewLine,
  updateImport,
} from './queries.ts';
import { LINES_IN_A_ROW } from './read-file.ts';
import { importOf, requireImport } from './resource.ts';
import type { PlannedLine } from './rules.ts';

const SKIPPED_KEPT_MAX = 1_000;
/** Different texts that classifications are remembered for. */
const TEXTS_REMEMBERED_MAX = 10_000;

/** Everything of a file that was not brought in before. */
export async function writeImport(
  context: WriteContext,
  fileName: string,
  plan: StatementPlan,
): Promise<ImportRow> {
  const id = context.newId();
  const { closing } = plan;
  const balanceId = closing === null ? null : await recordStatedBalance(context, plan.account, closing);
  const file = await storeAttachment(context, {
    name: fileName,
    bytes: plan.bytes,
    kind: 'other',
    link: { kind: 'statement_import', id },
  });
  await insertImport(
    context.db,
    {
      workspace_id: context.workspaceId,
      id,
      account_id: plan.account.id,
      file_name: file.file_name,
      file_sha256: plan.sha256,
      format: plan.format,
      period_from: plan.period?.from ?? null,
      period_to: plan.period?.to ?? null,
      ...countsIn(plan),
      warnings: plan.warnings,
      closing_balance_cents: closing?.amount ?? null,
      closing_date: closing?.date ?? null,
      column_map: plan.columns,
      balance_id: balanceId,
      status: 'processed',
      created_by: context.caller.user.id,
    },
    context.now,
  );
  await writeLines(context, id, plan);
  const row = await requireImport(context, id);
  context.changed('statement_import', id, null, importOf(row));
  return row;
}

/**
 * Lines of a file that is in the books already, taken only now: probable duplicates that a person accepts, and days
 * that were closed or to come before. They belong to the import of the file. Fails with `duplicate_file` when the
 * same bytes were read in another way, which would make other lines of them.
 */
export async function extendImport(
  context: WriteContext,
  before: ImportRow,
  plan: StatementPlan,
): Promise<ImportRow> {
  if (digestOf(before.column_map) !== digestOf(plan.columns))
    fail('duplicate_file', { import_id: before.id });
  if (plan.counts.created === 0) return before;
  await writeLines(context, before.id, plan);
  const counts = countsIn(plan);
  const created = before.created_count + counts.created_count;
  const changes = {
    ...counts,
    created_count: created,
    duplicate_count: counts.read_count - created - counts.skipped_count,
  };
  await updateImport(context.db, { ...before, ...changes }, context.now);
  const after = await requireImport(context, before.id);
  context.changed('statement_import', before.id, importOf(before), importOf(after));
  return after;
}

function countsIn({ counts, skipped }: StatementPlan) {
  return {
    read_count: counts.read,
    created_count: counts.created,
    duplicate_count: counts.duplicate,
    skipped_count: counts.skipped,
    skipped: skipped.slice(0, SKIPPED_KEPT_MAX),
    skipped_reasons: reasonsOf(skipped),
  };
}

async function writeLines(context: WriteContext, importId: string, plan: StatementPlan): Promise<void> {
  const { db, workspaceId, now } = context;
  const userId = context.caller.user.id;
  const head: BatchHead = { workspaceId, accountId: plan.account.id, importId, userId, now };
  const total = plan.counts.created;
  const classify = await rememberingClassifier(context);
  let batch: NewLine[] = [];
  let done = 0;
  const flush = async () => {
    done += await insertLines(db, head, batch);
    batch = [];
    context.progress({ done, total });
  };
  for (const planned of plan.lines) {
    if (planned.outcome !== 'new') continue;
    batch.push(newLineOf(context.newId(), planned, classify(planned)));
    if (batch.length === LINES_IN_A_ROW) await flush();
  }
  if (batch.length > 0) await flush();
}

/** Statements repeat their texts, so each is looked at once. */
async function rememberingClassifier(
  context: WriteContext,
): Promise<(planned: PlannedLine) => Classification | null> {
  const classify = await classifierOf(context, 'transactions');
  const known = new Map<string, Classification | null>();
  return ({ line: { description, direction } }) => {
    const text = `${direction} ${description}`;
    const remembered = known.get(text);
    if (remembered !== undefined) return remembered;
    if (known.size >= TEXTS_REMEMBERED_MAX) known.clear();
    const found = classify(description, categoryKindOf[direction]);
    known.set(text, found);
    return found;
  };
}

function newLineOf(id: string, { line, key, isSuspect }: PlannedLine, found: Classification | null): NewLine {
  const name = line.counterparty?.name ?? null;
  const notes = found?.notes ?? null;
  return {
    id,
    date: line.date,
    direction: line.direction,
    amount_cents: line.amount,
    description: line.description,
    bank_reference: line.reference,
    document_number: line.documentNumber,
    counterparty_name: name,
    counterparty_document: line.counterparty?.documentNumber ?? null,
    end_to_end_id: line.endToEndId,
    dedup_key: key,
    is_suspect: isSuspect,
    category_id: found?.categoryId ?? null,
    person_id: found?.personId ?? null,
    cost_centers: found?.costCenterId == null ? [] : wholeShareOf(found.costCenterId),
    notes,
    classified_by: found?.categoryId == null ? null : 'rule',
    search_text: searchTextOf(line.description, notes, name, line.documentNumber),
  };
}
