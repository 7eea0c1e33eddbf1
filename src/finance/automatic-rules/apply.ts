/** Rules for the past: entries that nobody has classified get what the rules would have given them. */

import type { WriteContext } from '../../core/operation.ts';
import { searchTextOf } from '../../db/listing.ts';
import { wholeShareOf } from '../cost-centers/index.ts';
import {
  type EntryKind,
  type Filling,
  fillIn,
  lockCompanies,
  lockUnclassified,
  type OpenEntry,
  selectUnclassified,
} from './apply-queries.ts';
import { type Classifier, classifierOf } from './classifier.ts';
import { filledBy } from './rules.ts';
import type { Classified, Rule } from './schema.ts';

/** Changes of one call, one transaction. */
const CHANGES_MAX = 500;

/** Entries looked at in one call. */
const SCANNED_MAX = 100_000;

const STRETCH = 2_000;

/** Documents before entries of accounts, as everywhere when rows are locked. */
const kindsOf: Readonly<Record<Rule['scope'], readonly EntryKind[]>> = {
  documents: ['payable', 'receivable'],
  transactions: ['financial_transaction'],
  all: ['payable', 'receivable', 'financial_transaction'],
};

export interface Asked {
  readonly scope: Rule['scope'];
  /** Only what this rule is the first to match. */
  readonly ruleId: string | null;
  readonly date_from?: string | undefined;
  readonly date_to?: string | undefined;
}

export interface Applied {
  readonly changes: readonly Classified[];
  readonly scanned: number;
  /** False when a limit ended the search: there may be more. */
  readonly isComplete: boolean;
}

/** Classifies what is unclassified and in open books, newest first; what somebody said stays as it is. */
export async function applyRules(context: WriteContext, asked: Asked): Promise<Applied> {
  await lockCompanies(context.db, context.workspaceId);
  const changes: Classified[] = [];
  let scanned = 0;
  for (const kind of kindsOf[asked.scope]) {
    const scope = kind === 'financial_transaction' ? 'transactions' : 'documents';
    const classify = await classifierOf(context, scope);
    for await (const entries of unclassifiedStretches(context, kind, asked)) {
      scanned += entries.length;
      const found = entries.filter((entry) => said(classify, kind, entry, asked.ruleId) !== null);
      const room = CHANGES_MAX - changes.length;
      changes.push(...(await classifyAll(context, kind, found.slice(0, room), classify, asked.ruleId)));
      if (found.length >= room || scanned >= SCANNED_MAX) return { changes, scanned, isComplete: false };
      context.progress({ done: scanned, message: 'entries looked at' });
    }
  }
  return { changes, scanned, isComplete: true };
}

async function* unclassifiedStretches(
  { db, workspaceId }: WriteContext,
  kind: EntryKind,
  asked: Asked,
): AsyncGenerator<readonly OpenEntry[]> {
  let after: OpenEntry | null = null;
  for (;;) {
    const entries: OpenEntry[] = await selectUnclassified(db, workspaceId, kind, asked, {
      after,
      limit: STRETCH,
    });
    if (entries.length > 0) yield entries;
    if (entries.length < STRETCH) return;
    after = entries.at(-1)!;
  }
}

/** What the rules give to the entry, by which rule; null when nothing. */
function said(classify: Classifier, kind: EntryKind, entry: OpenEntry, ruleId: string | null) {
  const isIncome = kind === 'receivable' || entry.direction === 'credit';
  const classification = classify(entry.description, isIncome ? 'income' : 'expense');
  if (classification === null || (ruleId !== null && classification.ruleId !== ruleId)) return null;
  const set = filledBy(classification, entry);
  return Object.keys(set).length === 0 ? null : { ruleId: classification.ruleId, set };
}

/** Looks at the entries again under their locks, fills them in and puts each on record. */
async function classifyAll(
  context: WriteContext,
  kind: EntryKind,
  entries: readonly OpenEntry[],
  classify: Classifier,
  ruleId: string | null,
): Promise<Classified[]> {
  if (entries.length === 0) return [];
  const { db, workspaceId, now } = context;
  const ids = entries.map(({ id }) => id);
  const locked = await lockUnclassified(db, workspaceId, kind, ids);
  const changes: Classified[] = [];
  for (const entry of locked) {
    const given = said(classify, kind, entry, ruleId);
    if (given === null) continue;
    const { id, date, description } = entry;
    changes.push({ kind, id, rule_id: given.ruleId, date, description, set: given.set });
    context.changed(kind, id, emptied(given.set), {
      ...given.set,
      ...(given.set.category_id !== undefined && { classified_by: 'rule' }),
    });
  }
  await fillIn(db, workspaceId, kind, changes.map(fillingOf), now);
  return changes;
}

/** The fields that change, as they were: empty. */
function emptied(set: Classified['set']) {
  return Object.fromEntries(Object.keys(set).map((field) => [field, null]));
}

function fillingOf({ id, set }: Classified): Filling {
  return {
    id,
    category_id: set.category_id ?? null,
    person_id: set.person_id ?? null,
    cost_centers: set.cost_center_id === undefined ? null : wholeShareOf(set.cost_center_id),
    notes: set.notes ?? null,
    search_text: set.notes === undefined ? null : searchTextOf(set.notes),
  };
}
