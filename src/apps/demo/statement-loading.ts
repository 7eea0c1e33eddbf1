/** Brings the statements in as a person would, and ties their lines to what was settled. */

import { newId } from '../../core/ids.ts';
import { type JobPlace, jobContextOf } from '../../core/job.ts';
import type { WriteContext } from '../../core/operation.ts';
import { sql } from '../../db/sql.ts';
import { finance } from '../../finance/index.ts';
import type { Runtime } from '../runtime.ts';
import type { SampleStatement, Tie } from './statements.ts';

const IMPORT = 'finance_statement_imports_create';

/**
 * One transaction per workspace. The lines are read from the files by the operation that reads every file, so that
 * the same file brought in again adds nothing; the reconciliations are as accepting suggestions leaves them.
 */
export async function bringInStatements(
  runtime: Runtime,
  place: JobPlace,
  userId: string,
  statements: readonly SampleStatement[],
): Promise<void> {
  const { write } = jobContextOf(runtime.portsOf(finance.catalogue), IMPORT, {}, place, {});
  await write(async (context) => {
    const { caller } = context;
    const asPerson = { ...context, caller: { ...caller, user: { ...caller.user, id: userId } } };
    for (const statement of statements) {
      await giveWay(asPerson, statement.ties);
      await reconcile(asPerson, await importFile(asPerson, statement), statement.ties);
    }
  });
}

/** Entries whose place lines will take do not count any more when the file's balance is compared with the books. */
async function giveWay({ db, workspaceId }: WriteContext, ties: readonly Tie[]): Promise<void> {
  await db.run(sql`
    update financial_transactions set ignored = true
     where workspace_id = ${workspaceId} and id = any(${ties.map(({ entry_id }) => entry_id)}::uuid[])`);
}

async function importFile(context: WriteContext, { accountId, file }: SampleStatement): Promise<string> {
  const { run } = context.catalogue.byName.get(IMPORT)!;
  const content_base64 = file.bytes.toString('base64');
  const input = { account_id: accountId, file: { name: file.name, content_base64 } };
  const made = (await run(input as never, context as never)) as { import: { id: string } };
  return made.import.id;
}

async function reconcile(context: WriteContext, importId: string, ties: readonly Tie[]): Promise<void> {
  const { db, workspaceId, now, caller } = context;
  const rows = JSON.stringify(ties.map((tie) => ({ ...tie, reconciliation_id: newId() })));
  await db.run(sql`
    with tied as (
      select tie.*, line.id as line_id, line.account_id, line.direction, line.amount_cents
        from json_to_recordset(${rows}::json)
             as tie (reference text, settlement_id uuid, entry_id uuid, reconciliation_id uuid)
        join financial_transactions line
          on line.workspace_id = ${workspaceId} and line.import_id = ${importId} and line.bank_reference = tie.reference
    ), lines as (
      update financial_transactions line
         set reconciled_cents = line.amount_cents, updated_at = ${now}, version = version + 1
        from tied
       where line.workspace_id = ${workspaceId} and line.id = tied.line_id
    ), entries as (
      update financial_transactions entry
         set superseded_by = tied.line_id, updated_at = ${now}, version = version + 1
        from tied
       where entry.workspace_id = ${workspaceId} and entry.id = tied.entry_id
    ), settled as (
      update settlements set transaction_id = tied.line_id, updated_at = ${now}
        from tied
       where settlements.workspace_id = ${workspaceId} and settlements.id = tied.settlement_id
    ), made as (
      insert into reconciliations (workspace_id, id, account_id, direction, total_cents, origin, status, created_by,
                                   created_at, updated_at)
      select ${workspaceId}::uuid, reconciliation_id, account_id, direction, amount_cents, 'suggestion', 'active',
             ${caller.user.id}::uuid, ${now}::timestamptz, ${now}::timestamptz
        from tied
    ), sides as (
      insert into reconciliation_transactions (workspace_id, reconciliation_id, transaction_id, amount_cents)
      select ${workspaceId}::uuid, reconciliation_id, line_id, amount_cents from tied
    )
    insert into reconciliation_documents (workspace_id, reconciliation_id, position, kind, document_id, settlement_id,
                                          made_settlement, superseded_transaction_id, amount_cents)
    select ${workspaceId}::uuid, reconciliation_id, 0, 'settlement', settlement_id, settlement_id, false, entry_id,
           amount_cents
      from tied`);
}
