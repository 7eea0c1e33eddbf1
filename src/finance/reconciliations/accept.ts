/** Suggestions taken up again: read from their ids, checked anew, and made one by one. */

import { attempt } from '../../core/attempt.ts';
import { AppError, fail, failArgument } from '../../core/errors.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { linkTransfer, prepareLink } from '../transfers/index.ts';
import { createReconciliation } from './create.ts';
import type { Accepted } from './facts.ts';
import { gather } from './gather.ts';
import { prepareReconciliation } from './prepare.ts';
import type { DocumentRequest, ReconciliationRequest } from './rules.ts';
import type { DocumentKind } from './schema.ts';
import { decodeSuggestion, type SuggestionKey } from './suggestion-id.ts';

/** What linking two lines as a transfer takes besides the scopes of reconciling. */
const LINK_SCOPE = 'finance.transfers.write';

interface LinkRequest {
  readonly debit_transaction_id: string;
  readonly credit_transaction_id: string;
}

/** A suggestion as it was read from its id. */
export interface Taken {
  readonly id: string;
  readonly request: { readonly link: LinkRequest } | { readonly reconcile: ReconciliationRequest };
}

/** The suggestions of the ids, each once. Fails with `invalid_argument` naming the first id that is none of ours. */
export async function suggestionsOfIds(context: Context, ids: readonly string[]): Promise<Taken[]> {
  const taken = [...new Set(ids)].map((id) => {
    const key = decodeSuggestion(id);
    if (key === null) {
      failArgument(`suggestion_ids.${ids.indexOf(id)}`, 'an `id` of a suggestion, exactly as it was given');
    }
    return { id, request: requestOf(key) };
  });
  // All that any of them changes is locked before the first of them is made, in the order of the house.
  if (context.isWriting) await gather(context, taken.map(referenceOf));
  return taken;
}

/** What would refuse the suggestion, or what it does. */
export async function prepareSuggestion(context: Context, { request }: Taken): Promise<Accepted> {
  if ('reconcile' in request) {
    return { does: 'reconcile', reconciliation: await prepareReconciliation(context, request.reconcile) };
  }
  if (!context.scopes.has(LINK_SCOPE)) fail('forbidden');
  return { does: 'link', link: await prepareLink(context, await directed(context, request.link)) };
}

/** Each suggestion with what it does, or with the error it fails with; a record used by one is not free for the next. */
export async function planSuggestions(
  context: Context,
  ids: readonly string[],
): Promise<{ accepted: { id: string; what: Accepted }[]; refused: { id: string; error: AppError }[] }> {
  const accepted: { id: string; what: Accepted }[] = [];
  const refused: { id: string; error: AppError }[] = [];
  for (const taken of await suggestionsOfIds(context, ids)) {
    try {
      accepted.push({ id: taken.id, what: await prepareSuggestion(context, taken) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refused.push({ id: taken.id, error });
    }
  }
  return { accepted, refused };
}

/** What one suggestion became. */
export interface Made {
  readonly id: string;
  readonly what: Accepted;
  readonly reconciliationId: string | null;
  readonly transferId: string | null;
}

/** Makes each suggestion; one that fails leaves no trace and does not keep back the others. */
export async function acceptSuggestions(
  context: WriteContext,
  ids: readonly string[],
): Promise<{ made: Made[]; failed: { id: string; error: AppError }[] }> {
  const made: Made[] = [];
  const failed: { id: string; error: AppError }[] = [];
  const suggestions = await suggestionsOfIds(context, ids);
  for (const [done, taken] of suggestions.entries()) {
    const outcome = await attempt(context, (inner) => accept(inner, taken));
    if ('error' in outcome) failed.push({ id: taken.id, error: outcome.error });
    else made.push(outcome.value);
    context.progress({ done: done + 1, total: suggestions.length });
  }
  return { made, failed };
}

async function accept(context: WriteContext, taken: Taken): Promise<Made> {
  const what = await prepareSuggestion(context, taken);
  const { id } = taken;
  if (what.does === 'link') {
    const transfer = await linkTransfer(context, what.link);
    return { id, what, reconciliationId: null, transferId: transfer.id };
  }
  const { id: reconciliationId } = await createReconciliation(context, what.reconciliation, 'suggestion');
  return { id, what, reconciliationId, transferId: null };
}

function requestOf({ lines, documents }: SuggestionKey): Taken['request'] {
  const other = documents.find(({ kind }) => kind === 'transaction');
  if (other !== undefined) {
    return { link: { debit_transaction_id: lines[0]!.id, credit_transaction_id: other.id } };
  }
  return {
    reconcile: {
      transactions: lines,
      documents: documents.map(({ kind, id, parts }): DocumentRequest => {
        const isOpen = kind === 'payable' || kind === 'receivable';
        return { kind: kind as DocumentKind, id, ...(isOpen && parts) };
      }),
    },
  };
}

/** A suggestion is made for one account, whose line may be either side. */
async function directed(context: Context, link: LinkRequest): Promise<LinkRequest> {
  const { debit_transaction_id: first, credit_transaction_id: second } = link;
  const { transactions } = await gather({ ...context, isWriting: false }, [
    { transactions: [{ id: first }], documents: [] },
  ]);
  return transactions.get(first)?.direction === 'credit'
    ? { debit_transaction_id: second, credit_transaction_id: first }
    : link;
}

function referenceOf({ request }: Taken) {
  if ('reconcile' in request) return request.reconcile;
  const { debit_transaction_id, credit_transaction_id } = request.link;
  return { transactions: [{ id: debit_transaction_id }, { id: credit_transaction_id }], documents: [] };
}
