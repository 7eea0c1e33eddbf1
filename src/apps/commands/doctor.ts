import { selectTenants } from '../../db/tenants.ts';
import { countBankAdapters } from '../../finance/accounts/index.ts';
import { discoverKeys } from '../../identity/external.ts';
import { readFlags } from '../command.ts';
import type { Config } from '../config.ts';
import { isReady, openHouse } from '../house.ts';
import { limitsText, proxiesText } from '../limits.ts';
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
    console.log(
      `keys            ${house.secretKeys.length}, ${config.secretKeys === undefined ? `in ${config.home}` : 'of KOBANA_SECRET_KEYS'}`,
    );
    console.log(
      `address         ${config.publicUrl ?? `http://${config.host}:${config.port} (PUBLIC_URL is not set)`}`,
    );
    console.log(`rate limits     ${limitsText(config.rateLimits)}`);
    console.log(`proxies         ${proxiesText(config)}`);
    const provider = await providerReachedOf(config);
    console.log(`identity        ${provider.line}`);
    const banks = await banksOf(house.runtime, config);
    for (const line of banks.lines) console.log(`bank            ${line}`);
    if (!ready || row?.bypasses !== false || !banks.areThere || !provider.isThere) process.exitCode = 1;
  } finally {
    await house.close();
  }
}

/** Who lets people in, and whether the keys of an identity provider of the organization's own can be fetched. */
export async function providerReachedOf({
  identityProvider,
}: Pick<Config, 'identityProvider'>): Promise<{ line: string; isThere: boolean }> {
  if (identityProvider === undefined) return { line: 'people and clients sign in here', isThere: true };
  const { issuer, jwksUrl } = identityProvider;
  try {
    const answer = await fetch(jwksUrl ?? (await discoverKeys(issuer)), {
      signal: AbortSignal.timeout(5_000),
      redirect: 'error',
    });
    if (!answer.ok)
      return { line: `${issuer}, BUT its keys are answered with ${answer.status}`, isThere: false };
    await answer.body?.cancel();
    return { line: `${issuer}, its keys are reached`, isThere: true };
  } catch {
    return { line: `${issuer}, BUT its keys cannot be reached`, isThere: false };
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
