import type { Terms } from '../../core/accruals.ts';
import type { CivilDate } from '../../core/dates.ts';
import { fail } from '../../core/errors.ts';
import type { Cents } from '../../core/money.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { requirePerson } from '../../finance/people/index.ts';
import { requireReceivable } from '../../finance/receivables/index.ts';
import { insertLink, selectLinkedChargeId } from './queries.ts';
import type { FinanceReference } from './schema.ts';

const FINANCE_SCOPE = 'finance.receivables';

export interface LinkedPerson {
  readonly name: string;
  readonly kind: 'natural' | 'legal';
  readonly documentNumber: string | null;
  readonly address: Readonly<Record<string, unknown>> | null;
  readonly emails: readonly string[];
  readonly phones: readonly string[];
}

export interface LinkedCharge {
  /** What the receivable is worth, settlements not taken off: those follow as payments. */
  readonly amountCents: Cents;
  readonly dueDate: CivilDate;
  readonly description: string;
  readonly documentNumber: string | null;
  readonly terms: Terms | null;
}

/**
 * The customer and the debt of a receivable of finance. The caller has to reach the workspace and may read its
 * receivables. Fails with `not_found` (also for a workspace out of reach), `forbidden`, `invalid_state` for one that is
 * not open, `duplicate` with the charge it is linked to.
 */
export async function receivableDraft(
  context: WriteContext,
  reference: FinanceReference,
): Promise<{ readonly person: LinkedPerson; readonly charge: LinkedCharge }> {
  const { workspace_id: workspaceId, receivable_id: receivableId } = reference;
  const workspace = context.caller.workspaces.get(workspaceId);
  if (workspace === undefined) fail('not_found', { kind: 'receivable', id: receivableId });
  if (!workspace.scopes.has(FINANCE_SCOPE)) fail('forbidden', { required: FINANCE_SCOPE });
  return context.db.inWorkspace(workspaceId, async () => {
    const finance: Context = { ...context, workspaceId, scopes: workspace.scopes };
    const receivable = await requireReceivable(finance, receivableId);
    const linked = await selectLinkedChargeId(context.db, workspaceId, receivableId);
    if (linked !== undefined) fail('duplicate', { of: linked });
    if (receivable.status !== 'open' && receivable.status !== 'partially_paid')
      fail('invalid_state', { from: receivable.status, allowed: ['open', 'partially_paid'] });
    const person = await requirePerson(finance, receivable.person_id);
    return {
      person: {
        name: person.name,
        kind: person.kind as LinkedPerson['kind'],
        documentNumber: person.document_number,
        address: person.address as LinkedPerson['address'],
        emails: person.emails,
        phones: person.phones,
      },
      charge: {
        amountCents: receivable.amount_cents - receivable.abatement_cents - receivable.withheld_cents,
        dueDate: receivable.due_date,
        description: receivable.description,
        documentNumber: receivable.document_number,
        terms: receivable.terms as Terms | null,
      },
    };
  });
}

/** Ties the charge to the receivable: from now on what is paid on one side is paid on the other. */
export async function linkCharge(
  context: WriteContext,
  { workspace_id: workspaceId, receivable_id: receivableId }: FinanceReference,
  chargeId: string,
): Promise<void> {
  const isNew = await context.db.inWorkspace(workspaceId, () =>
    insertLink(context.db, workspaceId, receivableId, context.organizationId, chargeId),
  );
  if (!isNew) fail('duplicate', { of: receivableId });
  // What was paid before is taken over at once.
  context.enqueue(followReceivable(context.organizationId, chargeId));
}

/** The job that evens out both sides; the same as the trigger on receivables queues. */
export function followReceivable(organizationId: string, chargeId: string) {
  return {
    task: FOLLOW_RECEIVABLE_TASK,
    payload: { organizationId, chargeId },
    key: `${FOLLOW_RECEIVABLE_TASK}/${chargeId}`,
  };
}

export const FOLLOW_RECEIVABLE_TASK = 'dunning_follow_receivable';
