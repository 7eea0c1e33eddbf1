import { fail, failArgument } from '../../core/errors.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { requireActiveCostCenter } from '../cost-centers/index.ts';
import { requirePerson } from '../people/index.ts';
import {
  lockRules,
  type RuleRow,
  selectActiveCategories,
  selectCategoryExists,
  selectOrder,
  selectParents,
  selectRule,
  updateOrder,
} from './queries.ts';
import { RULES_MAX, type Rule } from './schema.ts';

/** The public record of a row. */
export function ruleOf(row: RuleRow): Rule {
  return {
    id: row.id,
    position: row.position,
    pattern: row.pattern,
    match: row.match as Rule['match'],
    scope: row.scope as Rule['scope'],
    set: {
      category_id: row.category_id,
      person_id: row.person_id,
      cost_center_id: row.cost_center_id,
      payment_method: row.payment_method as Rule['set']['payment_method'],
      notes: row.notes,
    },
    active: row.active,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** The rule of this workspace. Whoever changes it holds the lock on all of them. Fails with `not_found`. */
export async function requireRule(context: Context, id: string): Promise<RuleRow> {
  const row = await selectRule(context.db, context.workspaceId, id);
  return row ?? fail('not_found', { kind: 'automatic_rule', id });
}

/** The ids of all rules in their order, which nobody else changes until the end. */
export async function lockedOrder(context: WriteContext): Promise<string[]> {
  await lockRules(context.db, context.workspaceId);
  return (await selectOrder(context.db, context.workspaceId)).map(({ id }) => id);
}

/** Puts the rules in this order, and on record those that moved besides the one that somebody moves. */
export async function reorder(context: WriteContext, ids: readonly string[], movedId: string): Promise<void> {
  const { db, workspaceId } = context;
  const before = new Map((await selectOrder(db, workspaceId)).map(({ id, position }) => [id, position]));
  await updateOrder(db, workspaceId, ids);
  ids.forEach((id, index) => {
    const [from, to] = [before.get(id), index + 1];
    if (id !== movedId && from !== to) {
      context.changed('automatic_rule', id, { position: from }, { position: to });
    }
  });
}

/** Fails with `invalid_argument` when one rule more would be too many, or the place is behind the end. */
export function requirePlace(count: number, position: number): void {
  if (count > RULES_MAX)
    failArgument('pattern', `another rule after deleting one: at most ${RULES_MAX} in all`);
  if (position > count) failArgument('position', `a whole number from 1 to ${count}`);
}

type Targets = Pick<RuleRow, 'category_id' | 'person_id' | 'cost_center_id' | 'payment_method' | 'notes'>;

/** Fails unless the rule gives something, and everything new that it gives can be given to an entry. */
export async function requireTargets(
  context: WriteContext,
  before: Targets | null,
  after: Targets,
): Promise<void> {
  const { category_id, person_id, cost_center_id, payment_method, notes } = after;
  if ([category_id, person_id, cost_center_id, payment_method, notes].every((value) => value === null)) {
    failArgument('set', 'at least one of: category_id, person_id, cost_center_id, payment_method, notes');
  }
  if (category_id !== null && category_id !== before?.category_id) {
    await requireLeafOfAnyKind(context, category_id);
  }
  if (person_id !== null && person_id !== before?.person_id) {
    const person = await requirePerson(context, person_id);
    if (!person.active) failArgument('set.person_id', 'an active person');
  }
  if (cost_center_id !== null && cost_center_id !== before?.cost_center_id) {
    await requireActiveCostCenter(context, cost_center_id, 'set.cost_center_id');
  }
}

async function requireLeafOfAnyKind({ db, workspaceId }: WriteContext, id: string): Promise<void> {
  if (!(await selectCategoryExists(db, workspaceId, id))) fail('not_found', { kind: 'category', id });
  const [active] = await selectActiveCategories(db, workspaceId, [id], true);
  const [parent] = await selectParents(db, workspaceId, [id]);
  if (active === undefined || parent !== undefined) {
    failArgument('set.category_id', 'an active category without categories below it');
  }
}
