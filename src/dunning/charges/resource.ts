import { formatTaxId } from '../../core/documents/tax-id.ts';
import { fail } from '../../core/errors.ts';
import { onDate, ours, outside } from '../../core/facts.ts';
import { moneyText } from '../../core/fields.ts';
import { formatBrl } from '../../core/money.ts';
import type { Context, Fact, WriteContext } from '../../core/operation.ts';
import type { Amounts } from '../../core/terms.ts';
import { chargesOf } from '../../finance/debts/index.ts';
import { type ChargeRow, selectCharges, updateCharges } from './queries.ts';
import type { StoredTerms } from './reckoning.ts';
import type { Charge, ChargeItem, RecordedCharge } from './schema.ts';

/** Codes by which the debtor can pay, as stored. */
export interface StoredCodes {
  readonly barcode?: string | null;
  readonly typed_line?: string | null;
  readonly pix_code?: string | null;
  readonly link?: string | null;
}

/** Followers hear of every change of state, payment, dispute and agreement; the job is of the slice that calls them. */
export const FOLLOW_CHARGE_TASK = 'dunning_follow_charge';

/** A line of a list. `amounts` are those of today. */
export function chargeItemOf(row: ChargeRow, amounts: Amounts): ChargeItem {
  return { ...settledOf(row), ...ofToday(amounts) };
}

/** The public record. `amounts` are those of today. */
export function chargeOf(row: ChargeRow, amounts: Amounts): Charge {
  return { ...recordedCharge(row), ...ofToday(amounts) };
}

/** The record as changes of it are kept: without what moves with the day. */
export function recordedCharge(row: ChargeRow): RecordedCharge {
  return {
    ...settledOf(row),
    adjusted_due_date: row.adjusted_due_date,
    title_kind: row.title_kind,
    abatement: moneyText(row.abatement_cents),
    terms: row.terms === null ? null : chargesOf(row.terms as StoredTerms),
    payment_options: codesOf(row),
    paid_on: row.paid_on,
    canceled_reason: row.canceled_reason,
    rule_started_at: row.rule_started_at,
    rule_cycle: row.rule_cycle,
    archived_at: row.archived_at,
    source: row.source as Charge['source'],
    finance_receivable:
      row.finance_workspace_id === null || row.finance_receivable_id === null
        ? null
        : { workspace_id: row.finance_workspace_id, receivable_id: row.finance_receivable_id },
    created_by: row.created_by,
    version: row.version,
  };
}

/** How the debtor can pay; null for what there is not. */
export function codesOf(row: { payment_options: unknown }): Charge['payment_options'] {
  const {
    barcode = null,
    typed_line = null,
    pix_code = null,
    link = null,
  } = row.payment_options as StoredCodes;
  return { barcode, typed_line, pix_code, link };
}

/** Which charge it is, for a question. */
export function chargeFacts(row: ChargeRow, amounts: Amounts): Fact[] {
  return [
    outside('debtor', 'Devedor', 'Debtor', row.person_name),
    ours(
      'debtor_document',
      'CPF/CNPJ do devedor',
      'CPF/CNPJ of the debtor',
      row.person_document_number === null
        ? { 'pt-BR': 'não cadastrado', en: 'not registered' }
        : formatTaxId(row.person_document_number),
    ),
    outside('description', 'Descrição', 'Description', row.description),
    ours('amount', 'Valor original', 'Face value', formatBrl(row.amount_cents)),
    ours('amount_due', 'Valor devido hoje', 'Amount due today', formatBrl(amounts.amountDue)),
    onDate('due_date', 'Vencimento', 'Due date', row.due_date),
  ];
}

/** The charge of this organization, locked when the caller is writing. Fails with `not_found`. */
export async function requireCharge(context: Context, id: string): Promise<ChargeRow> {
  const [row] = await selectCharges(context.db, context.organizationId, [id], context.isWriting);
  return row ?? fail('not_found', { kind: 'charge', id });
}

/** All of them, in order of their ids, locked in that order when the caller is writing. Fails with `not_found`. */
export async function requireCharges(context: Context, ids: readonly string[]): Promise<ChargeRow[]> {
  const rows = await findCharges(context, ids);
  if (rows.length < new Set(ids).size) {
    const found = new Set(rows.map(({ id }) => id));
    fail('not_found', { kind: 'charge', id: ids.find((id) => !found.has(id)) });
  }
  return rows;
}

/** Those of them that there are, as `requireCharges` gives them. */
export function findCharges(context: Context, ids: readonly string[]): Promise<ChargeRow[]> {
  return selectCharges(context.db, context.organizationId, ids, context.isWriting);
}

/** Writes a changed row, records the change and tells the followers. Gives the row as it is now. */
export async function changeCharge(
  context: WriteContext,
  before: ChargeRow,
  changed: ChargeRow,
): Promise<ChargeRow> {
  followIfChanged(context, before, changed);
  return writeCharge(context, before, changed);
}

/** Writes a changed row and records the change, for who tells the followers itself. */
export async function writeCharge(
  context: WriteContext,
  before: ChargeRow,
  changed: ChargeRow,
): Promise<ChargeRow> {
  const [after] = await writeCharges(context, [{ before, changed }]);
  return after!;
}

/** The same for many, in two statements; in order of their ids. */
export async function writeCharges(
  context: WriteContext,
  changes: readonly { readonly before: ChargeRow; readonly changed: ChargeRow }[],
): Promise<ChargeRow[]> {
  if (changes.length === 0) return [];
  const { db, organizationId, now } = context;
  const rows = changes.map(({ changed }) => changed);
  await updateCharges(db, organizationId, rows, now);
  const after = await requireCharges(
    context,
    rows.map(({ id }) => id),
  );
  const before = new Map(changes.map((change) => [change.before.id, change.before]));
  for (const row of after) {
    context.changed('charge', row.id, recordedCharge(before.get(row.id)!), recordedCharge(row));
  }
  return after;
}

/** Tells the followers when the change is one that matters to them. */
export function followIfChanged(context: WriteContext, before: ChargeRow, changed: ChargeRow): void {
  if (isFollowed(before, changed)) follow(context, before.id);
}

/** Queues the job that tells other records what happened to the charge; once, however often it is asked for. */
export function follow(context: WriteContext, chargeId: string): void {
  context.enqueue({
    task: FOLLOW_CHARGE_TASK,
    payload: { organizationId: context.organizationId, chargeId },
    key: `${FOLLOW_CHARGE_TASK}/${chargeId}`,
  });
}

function isFollowed(before: ChargeRow, after: ChargeRow): boolean {
  return (
    before.status !== after.status ||
    before.open_cents !== after.open_cents ||
    before.abatement_cents !== after.abatement_cents ||
    before.is_disputed !== after.is_disputed ||
    before.agreement_id !== after.agreement_id ||
    before.due_date !== after.due_date ||
    // Its rule may have steps to plan for the rest of the day.
    (before.dunning_state !== 'active' && after.dunning_state === 'active')
  );
}

function settledOf(row: ChargeRow): Omit<ChargeItem, 'amount_due' | 'days_overdue'> {
  return {
    id: row.id,
    person: { id: row.person_id, name: row.person_name },
    description: row.description,
    document_number: row.document_number,
    amount: moneyText(row.amount_cents),
    open_principal: moneyText(row.open_cents),
    due_date: row.due_date,
    status: row.status as ChargeItem['status'],
    dunning_state: row.dunning_state as ChargeItem['dunning_state'],
    paused_reason: row.paused_reason,
    disputed: row.is_disputed,
    legal_action: row.legal_kind as ChargeItem['legal_action'],
    collection_rule_id: row.collection_rule_id,
    agreement_id: row.agreement_id,
    tags: row.tags,
    archived: row.archived_at !== null,
    external_id: row.external_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

function ofToday(amounts: Amounts): Pick<ChargeItem, 'amount_due' | 'days_overdue'> {
  return { amount_due: moneyText(amounts.amountDue), days_overdue: amounts.daysLate };
}
