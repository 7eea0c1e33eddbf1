/** The door for whoever makes entries: what the rules of the workspace say about a text. */

import type { Context } from '../../core/operation.ts';
import {
  type RuleRow,
  selectActiveCategories,
  selectInactive,
  selectParents,
  selectRulesInForce,
} from './queries.ts';
import { type CategoryKind, type Classification, firstMatch, type MatchingRule } from './rules.ts';

export type Classifier = (text: string, kind?: CategoryKind) => Classification | null;

/**
 * The rules in force, loaded once for any number of texts. Give the kind of category that the entry takes: rules with
 * a category of the other kind are passed over, and so are those whose category, person or cost center is not in use
 * any more. While the caller is writing, the categories stay as they are until its transaction ends.
 */
export async function classifierOf(
  context: Context,
  scope: 'transactions' | 'documents',
): Promise<Classifier> {
  const rows = await selectRulesInForce(context.db, context.workspaceId, scope);
  const rules = await usableRules(context, rows);
  return (text, kind) => firstMatch(rules, text, kind);
}

/** The rules, in their order, whose targets can still be given to an entry. */
export async function usableRules(context: Context, rows: readonly RuleRow[]): Promise<MatchingRule[]> {
  if (rows.length === 0) return [];
  const { db, workspaceId, isWriting } = context;
  const ids = (field: 'category_id' | 'person_id' | 'cost_center_id') => [
    ...new Set(rows.map((row) => row[field]).filter((id) => id !== null)),
  ];
  const categoryIds = ids('category_id');
  const active = await selectActiveCategories(db, workspaceId, categoryIds, isWriting);
  const parents = new Set((await selectParents(db, workspaceId, categoryIds)).map(({ id }) => id));
  const kinds = new Map(active.filter(({ id }) => !parents.has(id)).map(({ id, kind }) => [id, kind]));
  const inactive = new Set(
    (await selectInactive(db, workspaceId, ids('person_id'), ids('cost_center_id'))).map(({ id }) => id),
  );
  return rows
    .filter((row) => row.category_id === null || kinds.has(row.category_id))
    .filter((row) => !inactive.has(row.person_id ?? '') && !inactive.has(row.cost_center_id ?? ''))
    .map((row) => matchingRuleOf(row, kinds.get(row.category_id ?? '') as CategoryKind | undefined));
}

function matchingRuleOf(row: RuleRow, categoryKind: CategoryKind | undefined): MatchingRule {
  return {
    ruleId: row.id,
    categoryId: row.category_id,
    personId: row.person_id,
    costCenterId: row.cost_center_id,
    paymentMethod: row.payment_method,
    notes: row.notes,
    searchPattern: row.search_pattern,
    match: row.match as MatchingRule['match'],
    categoryKind: categoryKind ?? null,
  };
}
