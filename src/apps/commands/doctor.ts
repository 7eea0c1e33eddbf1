import { readFlags } from '../command.ts';
import type { Config } from '../config.ts';
import { isReady, openHouse } from '../house.ts';

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
    if (!ready || row?.bypasses !== false) process.exitCode = 1;
  } finally {
    await house.close();
  }
}
