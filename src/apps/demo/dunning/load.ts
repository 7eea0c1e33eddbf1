/** Writing the portfolio in bulk, one statement for each table. */

import type { Db } from '../../../core/ports.ts';
import { sql } from '../../../db/sql.ts';
import { insertRows } from '../rows.ts';
import type { Row } from './setting.ts';

/** In the order their references need. */
export const portfolioTables = [
  'dunning_settings',
  'dunning_people',
  'dunning_contacts',
  'dunning_templates',
  'dunning_template_versions',
  'dunning_collection_rules',
  'dunning_rule_steps',
  'dunning_campaigns',
  'dunning_agreements',
  'dunning_charges',
  'dunning_holds',
  'dunning_agreement_charges',
  'dunning_installments',
  'dunning_payments',
  'dunning_agreement_credits',
  'dunning_step_executions',
  'dunning_daily_runs',
  'dunning_notifications',
  'dunning_notification_trail',
  'dunning_contact_slots',
  'dunning_interactions',
  'dunning_promises',
  'dunning_disputes',
  'dunning_dispute_comments',
  'dunning_live_legal_actions',
  'dunning_negativations',
  'dunning_protests',
  'dunning_legal_events',
  'dunning_legal_commands',
  'dunning_webhooks',
] as const;

/** Rows of one organization by table. */
export type PortfolioRows = { readonly [Table in (typeof portfolioTables)[number]]: readonly Row<Table>[] };

/** Inserts the portfolio in one transaction, which is bound to the organization; the links to its workspace. */
export async function insertPortfolio(
  db: Db,
  rows: PortfolioRows,
  links: readonly Row<'dunning_receivable_links'>[],
): Promise<void> {
  for (const table of portfolioTables) await insertRows(db, table, rows[table]);
  const [first] = links;
  if (first === undefined) return;
  await bindTo(db, first.workspace_id);
  await insertRows(db, 'dunning_receivable_links', links);
  await bindTo(db, '');
}

/** Rows belong to whom the transaction is bound to; without a workspace, to the organization. */
export function bindTo(db: Db, workspaceId: string): Promise<number> {
  return db.run(sql`select set_config('kobana.workspace_id', ${workspaceId}, true)`);
}
