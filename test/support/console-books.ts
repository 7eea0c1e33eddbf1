/** The sample organization with a server before it, and one record of everything the console has a page for. */

import { loadDemo } from '../../src/apps/demo/index.ts';
import { openRuntime, type Runtime } from '../../src/apps/runtime.ts';
import { createAppServer, listen, shut } from '../../src/apps/server.ts';
import type { Caller } from '../../src/core/caller.ts';
import { AppError } from '../../src/core/errors.ts';
import { newId } from '../../src/core/ids.ts';
import { createInvitation } from '../../src/identity/invitations.ts';
import { createSession, findSession } from '../../src/identity/sessions.ts';
import { asOwner, cloneDatabase } from './database.ts';
import { TEST_KEY } from './world.ts';

const NOW = new Date('2026-12-01T15:00:00Z');

export interface ConsoleBooks {
  readonly origin: string;
  /** Session secrets, all proven just now. */
  readonly secrets: Readonly<Record<'owner' | 'viewer', string>>;
  readonly workspaceId: string;
  /** By the pattern of the page, the value of its parameter. */
  readonly values: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Opens everything; takes as long as the sample takes to load. */
export async function openConsoleBooks(): Promise<ConsoleBooks> {
  const testDatabase = await cloneDatabase();
  const runtime = openRuntime({
    databaseUrl: testDatabase.url,
    secretKeys: [TEST_KEY],
    environment: 'test',
    poolSize: 4,
    now: () => NOW,
    logFailure: (error, what) => console.error(what, error),
  });
  const { ids, tokens } = await loadDemo(testDatabase.url, runtime);
  const look = <Row extends Record<string, unknown>>(text: string, values?: unknown[]) =>
    asOwner<Row>(testDatabase.url, text, values);
  const organizationId = ids.organization_id;
  const workspaceId = ids.workspaces.Matriz;
  const members = await look<{ user_id: string; role: string }>(
    'select user_id, role from memberships where organization_id = $1 order by user_id',
    [organizationId],
  );
  const memberOf = (role: string) => members.find((member) => member.role === role)!.user_id;
  const db = runtime.database.shared;
  const signIn = async (userId: string) =>
    (
      await createSession(
        db,
        { userId, organizationId, verifiedWith: 'password', userAgent: 'Chromium on Debian' },
        NOW,
      )
    ).secret;
  const secrets = { owner: await signIn(memberOf('owner')), viewer: await signIn(memberOf('viewer')) };
  const ownerId = memberOf('owner');
  const connectionId = newId();
  await look(
    `insert into connections (id, grant_id, user_id, organization_id, product, access, workspace_id, client_id,
                              client_name, client_host, is_verified, created_at, expires_at)
     values ($1, 'grant', $2, $3, 'finance', 'write', $4, 'https://client.example/metadata', 'Planilhas & <b>mais</b>',
             'client.example', true, $5, $6)`,
    [connectionId, ownerId, organizationId, workspaceId, NOW, new Date(NOW.getTime() + 30 * 86_400_000)],
  );
  await look(
    `insert into passkeys (id, user_id, name, public_key, sign_count, created_at) values ('cGFzc2tleQ', $1, 'Notebook', '', 0, $2)`,
    [ownerId, NOW],
  );
  const [receivable] = await look<{ id: string }>(
    `select id from receivables where workspace_id = $1 and status = 'partially_paid' order by id limit 1`,
    [workspaceId],
  );
  const [token] = await look<{ id: string }>('select id from tokens where user_id = $1 order by id limit 1', [
    ownerId,
  ]);
  const invitation = await createInvitation(
    db,
    { userId: memberOf('accountant'), organizationId, invitedBy: null },
    NOW,
  );
  const owner = (await (await findSession(db, secrets.owner, NOW))!.callerFor('account'))!;
  await allowApprovals(runtime, owner, workspaceId);
  const approvalId = await requestApproval(runtime, tokens.finance.full, {
    id: ids.payable_ready_to_send,
    account_id: ids.account,
    workspace_id: workspaceId,
  });
  const server = createAppServer(runtime);
  const origin = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
  const colleague = memberOf('finance');
  return {
    origin,
    secrets,
    workspaceId,
    values: {
      '/console/payables/:id': ids.payable_overdue,
      '/console/receivables/:id': receivable!.id,
      '/console/dunning/charges/:id': ids.dunning.charge,
      '/console/dunning/debtors/:id': ids.dunning.person,
      '/console/invitation/:secret': invitation.path.split('/').at(-1)!,
      '/console/passkeys/:id/remove': 'cGFzc2tleQ',
      '/console/approvals/:id': approvalId,
      '/console/connections/:id/revoke': connectionId,
      '/console/tokens/:id/revoke': token!.id,
      '/console/people/:id': colleague,
      '/console/people/:id/remove': colleague,
      '/console/settings/workspaces/:id': workspaceId,
      '/console/settings/controls/:of': 'finance',
    },
    async close() {
      await shut(server, 0);
      await runtime.close();
      await testDatabase.drop();
    },
  };
}

async function allowApprovals(runtime: Runtime, owner: Caller, workspace_id: string): Promise<void> {
  const invoker = runtime.invokers.account;
  const operation = invoker.catalogue.byName.get('account_controls_update')!;
  await invoker.call(operation, { approvals_enabled: true, workspace_id }, owner, {
    surface: 'console',
    confirmation: { capabilities: {}, state: undefined, responses: undefined },
  });
}

/** A client that cannot ask asks for a payment, and is told of the approval that waits. */
async function requestApproval(runtime: Runtime, token: string, args: object): Promise<string> {
  const invoker = runtime.invokers.finance;
  const operation = invoker.catalogue.byName.get('finance_payables_send_to_bank')!;
  const caller = (await runtime.authenticator.authenticate(token, 'finance', NOW))!;
  try {
    await invoker.call(operation, args, caller, {
      surface: 'mcp',
      confirmation: { capabilities: {}, state: undefined, responses: undefined },
    });
  } catch (error) {
    const approval = error instanceof AppError ? (error.details?.['approval'] as { id: string }) : undefined;
    if (approval !== undefined) return approval.id;
    throw error;
  }
  throw new Error('the payment was not held back');
}
