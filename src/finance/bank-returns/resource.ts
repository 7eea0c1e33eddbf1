import { fail } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import type { Cents } from '../../core/money.ts';
import type { Context } from '../../core/operation.ts';
import { type CountedReturnRow, type RecordRow, selectReturn } from './queries.ts';
import type { ReturnLayout } from './reading.ts';
import { type BankReturn, type RecordOutcome, type ReturnRecord, recordOutcomes } from './schema.ts';

/** The public record of a file. */
export function bankReturnOf(row: CountedReturnRow): BankReturn {
  const found = row.counts ?? {};
  const byOutcome = Object.fromEntries(recordOutcomes.map((outcome) => [outcome, found[outcome] ?? 0]));
  return {
    id: row.id,
    account_id: row.account_id,
    file_name: row.file_name,
    layout: row.layout as ReturnLayout,
    bank_code: row.bank_code,
    agreement: row.agreement,
    file_date: row.file_date,
    sequence_number: row.sequence_number,
    counts: { records: row.record_count, ...(byOutcome as Record<RecordOutcome, number>) },
    created_at: row.created_at,
  };
}

/** The public record of a title in a file. */
export function returnRecordOf(row: RecordRow): ReturnRecord {
  const money = (cents: Cents | null) => (cents === null ? null : moneyText(cents));
  return {
    line: row.line,
    our_number: row.our_number,
    document_number: row.document_number,
    occurrence: row.occurrence,
    occurrence_date: row.occurrence_date,
    paid: money(row.paid_cents),
    credited: money(row.credited_cents),
    fee: money(row.fee_cents),
    interest: money(row.interest_cents),
    discount: money(row.discount_cents),
    abatement: money(row.abatement_cents),
    credit_date: row.credit_date,
    outcome: row.outcome as RecordOutcome,
    reason: row.reason,
    charge_id: row.charge_id,
    settlement_id: row.settlement_id,
  };
}

/** The file of this workspace. Fails with `not_found`. */
export async function requireReturn(context: Context, id: string): Promise<CountedReturnRow> {
  const row = await selectReturn(context.db, context.workspaceId, id);
  return row ?? fail('not_found', { kind: 'bank_return', id });
}
