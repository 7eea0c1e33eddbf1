import { fail, failArgument } from '../../core/errors.ts';
import type { CategoryKind } from './schema.ts';

/** Group, subgroup, line. */
const LEVELS_MAX = 3;

/** What the rules need to know of the category above. */
export interface ParentCategory {
  readonly kind: CategoryKind;
  readonly active: boolean;
  readonly level: number;
  /** The parent itself and all above it. */
  readonly lineage: readonly string[];
}

/** The kind of a new category: the parent's, or the one given at the top. Fails with `invalid_argument`. */
export function kindUnder(parent: ParentCategory | null, given: CategoryKind | undefined): CategoryKind {
  if (parent === null) return given ?? failArgument('kind', 'one of: income, expense');
  if (given !== undefined && given !== parent.kind) {
    failArgument('kind', `"${parent.kind}", the kind of the parent, or nothing`);
  }
  return parent.kind;
}

/**
 * Refuses a place where a category with `height` levels of its own (1 for a leaf) would break the tree: below
 * itself, below the third level, under another kind, or active under an inactive parent.
 */
export function requirePlaceUnder(
  parent: ParentCategory | null,
  category: { id: string | null; kind: CategoryKind; height: number; active: boolean },
): void {
  if (parent === null) return;
  if (category.id !== null && parent.lineage.includes(category.id)) {
    failArgument('parent_id', 'a category that is not this one and not below it');
  }
  if (parent.kind !== category.kind) failArgument('parent_id', `a category of the kind "${category.kind}"`);
  if (parent.level + category.height > LEVELS_MAX) {
    failArgument('parent_id', `a category higher up: there are at most ${LEVELS_MAX} levels`);
  }
  if (category.active && !parent.active) fail('invalid_state', { from: 'inactive', allowed: ['active'] });
}

/** Refuses a category that may not classify entries of this kind. Fails with `invalid_argument`. */
export function requireClassifying(
  category: { kind: string; active: boolean; isLeaf: boolean },
  kind: CategoryKind,
): void {
  if (category.kind === kind && category.active && category.isLeaf) return;
  failArgument('category_id', `an active ${kind} category without categories below it`);
}
