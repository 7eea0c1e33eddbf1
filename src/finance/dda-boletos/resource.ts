import type { Terms } from '../../core/accruals.ts';
import { fail } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import type { Cents } from '../../core/money.ts';
import type { Context } from '../../core/operation.ts';
import { chargesOf } from '../debts/index.ts';
import { type DdaBoletoRow, lockDdaBoleto, selectDdaBoleto, selectProbablePayables } from './queries.ts';
import { NEAR_DAYS, NEAR_PERCENT } from './rules.ts';
import type { DdaBoleto, DdaBoletoDetail, ExternalStatus, RejectionStatus } from './schema.ts';

const PROBABLE_MAX = 10;

/** The public record of a row. */
export function ddaBoletoOf(row: DdaBoletoRow): DdaBoleto {
  const terms = row.terms as Terms | null;
  return {
    id: row.id,
    company_id: row.company_id,
    account_id: row.account_id,
    barcode: row.barcode,
    typed_line: row.typed_line,
    beneficiary: { name: row.beneficiary_name, document_number: row.beneficiary_document },
    payer_document: row.payer_document,
    document_number: row.document_number,
    nominal_amount: moneyText(row.nominal_cents),
    amount: moneyText(row.amount_cents),
    min_amount: moneyOrNull(row.min_cents),
    max_amount: moneyOrNull(row.max_cents),
    allows_partial: row.allows_partial,
    issue_date: row.issue_date,
    due_date: row.due_date,
    charges: terms === null ? null : chargesOf(terms),
    status: row.status,
    external_status: row.external_status as ExternalStatus,
    payable_id: row.payable_id,
    reject_reason: row.reject_reason,
    rejection_status: row.rejection_status as RejectionStatus | null,
    rejection_refused_reason: row.rejection_refused_reason,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** The public record with the bills it may be. */
export async function ddaBoletoDetail(context: Context, row: DdaBoletoRow): Promise<DdaBoletoDetail> {
  const near = { days: NEAR_DAYS, percent: NEAR_PERCENT };
  const probable =
    row.status === 'pending' ? await selectProbablePayables(context.db, row, near, PROBABLE_MAX) : [];
  return {
    ...ddaBoletoOf(row),
    probable_payables: probable.map(({ amount_cents, ...bill }) => ({
      ...bill,
      amount: moneyText(amount_cents),
    })),
  };
}

/** The boleto of this workspace, locked when the caller is writing. Fails with `not_found`. */
export async function requireDdaBoleto(context: Context, id: string): Promise<DdaBoletoRow> {
  const { db, workspaceId, isWriting } = context;
  // The bill is read after the lock is held, so that it is the one of that moment.
  if (isWriting) await lockDdaBoleto(db, workspaceId, id);
  return (await selectDdaBoleto(db, workspaceId, id)) ?? fail('not_found', { kind: 'dda_boleto', id });
}

function moneyOrNull(cents: Cents | null): string | null {
  return cents === null ? null : moneyText(cents);
}
