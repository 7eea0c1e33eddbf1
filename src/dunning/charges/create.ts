/** The one way a charge comes into being. Nothing is sent, and no rule is applied. */

import { adjustedDueDateOf } from '../../core/accruals.ts';
import { fail, failArgument } from '../../core/errors.ts';
import type { WriteContext } from '../../core/operation.ts';
import { searchTextOf } from '../../db/listing.ts';
import { linkCharge, receivableDraft } from '../finance-link/index.ts';
import { registerPerson, requirePerson } from '../people/index.ts';
import { settingsOf } from '../settings/index.ts';
import { type ChargeDraft, draftOf, extrasOf, type NewChargeInput } from './arguments.ts';
import { type ChargeRow, insertCharge, type NewCharge, selectChargeIdByExternalId } from './queries.ts';
import type { StoredTerms } from './reckoning.ts';
import { recordedCharge, requireCharge } from './resource.ts';
import { checkedTerms, openStatusOf } from './rules.ts';

const SOURCE_FIELDS = ['person_id', 'amount', 'due_date', 'description', 'document_number'] as const;

export interface CreatedCharge {
  readonly charge: ChargeRow;
  readonly warnings: readonly string[];
}

/** Registers what the arguments describe. Fails as `createCharge` does, and with `invalid_argument`. */
export async function createFrom(context: WriteContext, given: NewChargeInput): Promise<CreatedCharge> {
  if (given.finance_receivable === undefined) return createCharge(context, draftOf(given, context.today));
  const named = SOURCE_FIELDS.find((field) => given[field] !== undefined);
  if (named !== undefined) failArgument(named, 'nothing: it comes from the receivable');
  const receivable = given.finance_receivable;
  const { person, charge } = await receivableDraft(context, receivable);
  const debtor = await registerPerson(context, person);
  const created = await createCharge(context, {
    personId: debtor.id,
    ...charge,
    ...extrasOf(given, context.today),
    receivable,
    source: 'finance',
  });
  await linkCharge(context, receivable, created.charge.id);
  return created;
}

/**
 * Registers a charge. It is late at once when its due date says so. Terms that are not given are those of the settings,
 * kept with the charge: later settings change nothing of it. Fails with `not_found`, `invalid_state` for an archived
 * debtor, `duplicate` for an external id or receivable there is a charge for, `invalid_argument` for unlawful terms.
 */
export async function createCharge(context: WriteContext, draft: ChargeDraft): Promise<CreatedCharge> {
  const debtor = await requirePerson(context, draft.personId);
  if (debtor.archived_at !== null) {
    fail('invalid_state', { kind: 'person', from: 'archived', allowed: ['active'] });
  }
  const settings = await settingsOf(context);
  const terms = draft.terms === undefined ? settings.defaultTerms : draft.terms;
  const warnings = checkedTerms(terms, draft.amountCents, debtor);
  const { interestFrom, allocationOrder } = settings;
  const stored: StoredTerms | null = terms === null ? null : { ...terms, interestFrom, allocationOrder };
  const charge = newCharge(context, draft, stored);
  if (!(await insertCharge(context.db, charge, context.now))) await failDuplicate(context, charge);
  const row = await requireCharge(context, charge.id);
  context.changed('charge', row.id, null, recordedCharge(row));
  return { charge: row, warnings };
}

/** What `search` looks at, besides the debtor. */
export function chargeSearchText(charge: {
  readonly description: string;
  readonly document_number: string | null;
  readonly external_id: string | null;
}): string {
  return searchTextOf(charge.description, charge.document_number, charge.external_id);
}

/** Fails with `duplicate` and the charge that has the external id. */
export async function failDuplicate(
  { db, organizationId }: Pick<WriteContext, 'db' | 'organizationId'>,
  { external_id }: { readonly external_id: string | null },
): Promise<never> {
  const of =
    external_id === null ? undefined : await selectChargeIdByExternalId(db, organizationId, external_id);
  return fail('duplicate', { of });
}

function newCharge(context: WriteContext, draft: ChargeDraft, terms: StoredTerms | null): NewCharge {
  const adjusted = adjustedDueDateOf(draft.dueDate);
  const named = {
    description: draft.description,
    document_number: draft.documentNumber ?? null,
    external_id: draft.externalId ?? null,
  };
  return {
    organization_id: context.organizationId,
    id: context.newId(),
    person_id: draft.personId,
    amount_cents: draft.amountCents,
    abatement_cents: 0,
    open_cents: draft.amountCents,
    ledger: null,
    due_date: draft.dueDate,
    adjusted_due_date: adjusted,
    ...named,
    title_kind: draft.titleKind ?? null,
    terms,
    payment_options: draft.codes ?? {},
    status: openStatusOf(adjusted, context.today),
    paid_on: null,
    canceled_reason: null,
    collection_rule_id: null,
    rule_started_at: null,
    rule_cycle: 1,
    dunning_state: 'none',
    paused_reason: null,
    agreement_id: null,
    legal_kind: null,
    is_disputed: false,
    archived_at: null,
    source: draft.source ?? 'api',
    finance_workspace_id: draft.receivable?.workspace_id ?? null,
    finance_receivable_id: draft.receivable?.receivable_id ?? null,
    tags: [...(draft.tags ?? [])],
    search_text: chargeSearchText(named),
    created_by: context.caller.user.id,
  };
}
