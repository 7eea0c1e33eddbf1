import { fail } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import { type Cents, formatPercent } from '../../core/money.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { chargesOf } from '../debts/index.ts';
import { type PaymentDetails, shownPaymentDetails } from '../payables/index.ts';
import { type RecurrenceRow, selectOpenEntries, selectRecurrence, updateRecurrence } from './queries.ts';
import type { Template } from './rules.ts';
import type { Recurrence } from './schema.ts';

const BANK_DETAILS_SCOPE = 'finance.people.bank_details';

/** The public record of a row; bank details are masked unless the caller may see them. */
export function recurrenceOf(row: RecurrenceRow, { scopes }: Pick<Context, 'scopes'>): Recurrence {
  const isEnded = row.status === 'ended';
  return {
    id: row.id,
    kind: row.kind as Recurrence['kind'],
    template: shownTemplate(row.template as Template, scopes.has(BANK_DETAILS_SCOPE)),
    frequency: row.frequency as Recurrence['frequency'],
    day: row.frequency === 'weekly' ? null : row.anchor_day,
    start_date: row.start_date,
    end_date: row.end_date,
    count: row.occurrences,
    non_business_day: row.non_business_day as Recurrence['non_business_day'],
    status: row.status as Recurrence['status'],
    end_reason: row.end_reason as Recurrence['end_reason'],
    next_number: isEnded ? null : row.next_number + 1,
    next_date: row.next_on,
    held_by: row.held_by,
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** The record as the audit chain keeps it: always masked, because its readers need not be those of bank details. */
export function recordedRecurrence(row: RecurrenceRow): Recurrence {
  return recurrenceOf(row, { scopes: new Set() });
}

/** The recurrence of this workspace, locked when the caller is writing. Fails with `not_found`. */
export async function requireRecurrence(context: Context, id: string): Promise<RecurrenceRow> {
  const row = await selectRecurrence(context.db, context.workspaceId, id, context.isWriting);
  return row ?? fail('not_found', { kind: 'recurrence', id });
}

/** Writes a changed row and records the change. Gives the row as it is now. */
export async function changeRecurrence(
  context: WriteContext,
  before: RecurrenceRow,
  changed: RecurrenceRow,
): Promise<RecurrenceRow> {
  await updateRecurrence(context.db, changed, context.now);
  const after = await requireRecurrence(context, before.id);
  context.changed('recurrence', before.id, recordedRecurrence(before), recordedRecurrence(after));
  return after;
}

/** The entries registered already that are still to come, with their sum in centavos. */
export async function findOpenEntries(
  { db, workspaceId, today }: Context,
  row: RecurrenceRow,
): Promise<{ ids: string[]; cents: Cents }> {
  const entries = await selectOpenEntries(db, workspaceId, row, today);
  return {
    ids: entries.map(({ id }) => id),
    cents: entries.reduce((sum, { amount_cents: cents }) => sum + cents, 0),
  };
}

/** The same as results show it. */
export async function openEntriesOf(context: Context, row: RecurrenceRow) {
  const { ids, cents } = await findOpenEntries(context, row);
  return { count: ids.length, total: moneyText(cents) };
}

function shownTemplate(template: Template, canSeeBankDetails: boolean): Recurrence['template'] {
  const details = template.paymentDetails as PaymentDetails | null;
  return {
    company_id: template.companyId,
    person_id: template.personId,
    description: template.description,
    amount: moneyText(template.amountCents),
    document_number: template.documentNumber,
    category_id: template.categoryId,
    cost_centers: template.costCenters.map(({ id, percent }) => ({ id, percent: formatPercent(percent) })),
    withholdings: template.withholdings.map(({ kind, cents }) => ({ kind, amount: moneyText(cents) })),
    abatement: moneyText(template.abatementCents),
    charges: template.terms === null ? null : chargesOf(template.terms),
    payment_details: details === null ? null : shownPaymentDetails(details, canSeeBankDetails),
    planned_account_id: template.plannedAccountId,
  };
}
