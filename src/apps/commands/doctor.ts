import { selectTenants } from '../../db/tenants.ts';
import { countBankAdapters } from '../../finance/accounts/index.ts';
import { readFlags } from '../command.ts';
import type { Config } from '../config.ts';
import { isReady, openHouse } from '../house.ts';
import type { Runtime } from '../runtime.ts';

/** Checks what a start needs and says what it found, one line each. */
export async function doctor(words: readonly string[], config: Config): Promise<void> {
  readFlags(words, {});
  console.log(`node            ${process.version}`);
  console.log(
    `database        ${config.databaseUrl === undefined ? `embedded, in ${config.home}` : 'DATABASE_URL'}`,
  );
  const house = await openHouse(config);
  try {
    const db = house.runtime.database.shared;
    const row = await db.row<{ version: string; role: string; bypasses: boolean }>({
      text: `select current_setting('server_version') as version, current_user as role,
                    (select rolbypassrls or rolsuper from pg_roles where rolname = current_user) as bypasses`,
      values: [],
    });
    console.log(`postgresql      ${row?.version}`);
    console.log(`role            ${row?.role}${row?.bypasses ? ' MUST NOT BYPASS ROW-LEVEL SECURITY' : ''}`);
    const ready = await isReady(house.runtime);
    console.log(`migrations      ${ready ? 'up to date' : 'NOT up to date'}`);
    console.log(`confirmation    ${house.secretKeys.length} key(s)`);
    const banks = await banksOf(house.runtime, config);
    for (const line of banks.lines) console.log(`bank            ${line}`);
    if (!ready || row?.bypasses !== false || !banks.areThere) process.exitCode = 1;
  } finally {
    await house.close();
  }
}

/** The bank adapters that active accounts use, and whether a worker of this configuration has each. */
export async function banksOf(
  { database }: Runtime,
  { kobanaApi }: Pick<Config, 'kobanaApi'>,
): Promise<{ lines: string[]; areThere: boolean }> {
  const totals = new Map<string, number>();
  for (const { organization_id: organizationId, workspace_id: workspaceId } of await selectTenants(
    database.shared,
  )) {
    if (workspaceId === null) continue;
    const tenant = { organizationId, workspaceId };
    for (const { adapter, accounts } of await database.read(tenant, (db) =>
      countBankAdapters(db, workspaceId),
    )) {
      totals.set(adapter, (totals.get(adapter) ?? 0) + accounts);
    }
  }
  const found = [...totals].sort().map(([adapter, accounts]) => {
    const problem = problemOf(adapter, kobanaApi !== undefined);
    return {
      line: `${adapter}: ${accounts} account(s)${problem && `, BUT ${problem}`}`,
      isThere: problem === '',
    };
  });
  return { lines: found.map(({ line }) => line), areThere: found.every(({ isThere }) => isThere) };
}

/** Why the jobs of such accounts would fail; empty when nothing is wrong. */
function problemOf(adapter: string, hasToken: boolean): string {
  if (adapter === 'simulator') return '';
  if (adapter !== 'kobana') return 'there is no such adapter';
  return hasToken ? '' : 'KOBANA_API_TOKEN is not set';
}
