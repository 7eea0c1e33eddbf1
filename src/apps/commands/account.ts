import { digestOf } from '../../core/digest.ts';
import { AppError } from '../../core/errors.ts';
import { newId, parseId } from '../../core/ids.ts';
import { SYSTEM_USER_ID } from '../../core/job.ts';
import type { Change } from '../../core/ports.ts';
import { appendEvent } from '../../db/events.ts';
import { selectTenants } from '../../db/tenants.ts';
import { type BankChoice, chooseBank } from '../../finance/accounts/index.ts';
import { readFlags } from '../command.ts';
import { type Config, UsageError } from '../config.ts';
import { openHouse } from '../house.ts';
import type { Runtime } from '../runtime.ts';

const USAGE =
  'usage: kobana account bank WORKSPACE ACCOUNT --adapter simulator|kobana [--provider-account ID]';

/** Chooses the bank of an account, and records that in the audit chain. */
export async function account(words: readonly string[], config: Config): Promise<void> {
  const { positionals, flags } = readFlags(words, {
    adapter: { type: 'string' },
    'provider-account': { type: 'string' },
  });
  const [verb, workspace = '', accountText = '', ...rest] = positionals;
  const workspaceId = parseId(workspace);
  const accountId = parseId(accountText);
  if (verb !== 'bank' || workspaceId === null || accountId === null || rest.length > 0) {
    throw new UsageError(USAGE);
  }
  const choice = choiceOf(flags.text('adapter'), flags.text('provider-account'));
  const house = await openHouse(config);
  try {
    const isChanged = await chooseBankOf(house.runtime, workspaceId, accountId, choice);
    console.log(`${accountId}: ${choice.adapter}${isChanged ? '' : ', as before'}`);
    if (choice.adapter === 'kobana' && config.kobanaApi === undefined) {
      console.log('KOBANA_API_TOKEN is not set: what is asked of this bank waits until a worker has it.');
    }
  } finally {
    await house.close();
  }
}

/** True when it was another bank before. Fails with a usage error that says what stands in the way. */
export async function chooseBankOf(
  runtime: Runtime,
  workspaceId: string,
  accountId: string,
  choice: BankChoice,
): Promise<boolean> {
  const { database, now } = runtime;
  const tenants = await selectTenants(database.shared);
  const tenant = tenants.find((each) => each.workspace_id === workspaceId);
  if (tenant === undefined) throw new UsageError('there is no such workspace');
  const place = { organizationId: tenant.organization_id, workspaceId };
  try {
    return await database.write(place, async (db) => {
      const change = await chooseBank(db, workspaceId, accountId, choice, now());
      if (change !== null) await appendEvent(db, workspaceId, eventOf(change, choice, now()));
      return change !== null;
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'not_found') throw new UsageError('there is no such account in the workspace');
    const { by } = error.details as { by: { kind: string; id: string }[] };
    const waiting = by.map(({ kind, id }) => `${kind} ${id}`).join(', ');
    throw new UsageError(`the bank of the account still has to answer for: ${waiting}`);
  }
}

function choiceOf(adapter: string | undefined, providerText: string | undefined): BankChoice {
  if (adapter === 'simulator' && providerText === undefined) return { adapter, providerAccount: null };
  if (adapter !== 'kobana') throw new UsageError(USAGE);
  const providerAccount = parseId(providerText ?? '');
  if (providerAccount === null) {
    throw new UsageError('--provider-account ID is required: the uid of the financial account at Kobana');
  }
  return { adapter, providerAccount };
}

function eventOf(change: Change, choice: BankChoice, now: Date) {
  return {
    id: newId(),
    at: now.toISOString(),
    operation: 'account_bank',
    outcome: 'done' as const,
    actor: { userId: SYSTEM_USER_ID, tokenId: null, clientId: 'command line', surface: 'cli' as const },
    argumentsDigest: digestOf({ id: change.id, ...choice }),
    changes: [change],
  };
}
