import { type ChainReport, verifyChain } from '../../db/events.ts';
import { selectTenants } from '../../db/tenants.ts';
import { readFlags } from '../command.ts';
import { type Config, UsageError } from '../config.ts';
import { type House, openHouse } from '../house.ts';

/** Recomputes the audit chain of every tenant; the exit code is 1 when one is broken. */
export async function events(words: readonly string[], config: Config): Promise<void> {
  const { positionals } = readFlags(words, {});
  if (positionals.join(' ') !== 'verify') throw new UsageError('usage: kobana events verify');
  const house = await openHouse(config);
  try {
    const reports = await verifyAll(house);
    for (const { tenantId, events, broken } of reports) {
      console.log(
        `${tenantId}: ${broken === null ? `${events} events, whole` : `BROKEN at ${broken.position}: ${broken.problem}`}`,
      );
    }
    if (reports.some((report) => report.broken !== null)) process.exitCode = 1;
  } finally {
    await house.close();
  }
}

async function verifyAll({ runtime }: House): Promise<ChainReport[]> {
  const reports: ChainReport[] = [];
  for (const { organization_id, workspace_id } of await selectTenants(runtime.database.shared)) {
    const tenant = { organizationId: organization_id, workspaceId: workspace_id };
    reports.push(
      await runtime.database.read(tenant, (db) => verifyChain(db, workspace_id ?? organization_id)),
    );
  }
  return reports;
}
