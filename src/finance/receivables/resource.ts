import { moneyText } from '../../core/fields.ts';
import type { Context } from '../../core/operation.ts';
import {
  type DebtItemRow,
  type DebtKind,
  itemFieldsOf,
  type RowOf,
  recordFieldsOf,
  requireDebt,
  type SettlementRow,
  settlementFieldsOf,
} from '../debt-records/index.ts';
import type { WriteOff } from './rules.ts';
import type { Receipt, Receivable, ReceivableItem, ReceivableStatus } from './schema.ts';

/** A receivable with what its record shows of the customer. */
export type ReceivableRow = RowOf<'receivables'>;

/** What is of receivables alone in what they share with payables. */
export const receivableKind: DebtKind<ReceivableRow> = {
  name: 'receivable',
  table: 'receivables',
  searchedAs: 'r',
  settlementColumn: 'receivable_id',
  role: 'customer',
  personLabel: ['Cliente', 'Customer'],
  categoryKind: 'income',
  direction: 'credit',
  ownColumns: ['written_off_cents, write_off'],
  ownItemColumns: [],
  recorded: recordedReceivable,
  recordedSettlement: receiptOf,
};

/** A line of a list. */
export function receivableItemOf(row: DebtItemRow, { today }: Pick<Context, 'today'>): ReceivableItem {
  return { ...itemFieldsOf(row, today), status: row.status as ReceivableStatus };
}

/** The public record of a row. */
export function receivableOf(row: ReceivableRow, context: Pick<Context, 'today'>): Receivable {
  const writeOff = row.write_off as WriteOff | null;
  return {
    ...receivableItemOf(row, context),
    ...recordFieldsOf(row),
    write_off: writeOff === null ? null : writeOffOf(writeOff),
  };
}

/** The record as the audit chain keeps it. */
export function recordedReceivable(row: ReceivableRow, context: Pick<Context, 'today'>): Receivable {
  return receivableOf(row, context);
}

/** The public record of a settlement. */
export function receiptOf(row: SettlementRow): Receipt {
  return {
    ...settlementFieldsOf(row),
    fee: moneyText(row.fee_cents),
    credited: moneyText(row.amount_cents - row.fee_cents),
    charge_id: row.charge_id,
    external_id: row.external_id,
  };
}

/** The receivable of this workspace, locked when the caller is writing. Fails with `not_found`. */
export function requireReceivable(context: Context, id: string): Promise<ReceivableRow> {
  return requireDebt(context, receivableKind, id);
}

function writeOffOf({ cents, ...rest }: WriteOff): Receivable['write_off'] {
  return { amount: moneyText(cents), ...rest };
}
