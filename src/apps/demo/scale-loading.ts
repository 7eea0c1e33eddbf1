/** A second sample organization, with as many charges as were asked for. */

import { civilDateAt } from '../../core/dates.ts';
import { digestOf } from '../../core/digest.ts';
import { newId } from '../../core/ids.ts';
import type { Db } from '../../core/ports.ts';
import { APP_ROLE } from '../../db/database.ts';
import { appendEvent } from '../../db/events.ts';
import { writeAsOwner } from '../../db/owner.ts';
import { raw, sql } from '../../db/sql.ts';
import {
  insertMembership,
  insertOrganization,
  insertUser,
  selectUserByEmail,
} from '../../identity/queries.ts';
import { createToken } from '../../identity/tokens.ts';
import type { Runtime } from '../runtime.ts';
import { fillPortfolio, type ScaleReport } from './scale.ts';

/** Any number, the same in every version and not the one of the sample: one process loads at a time. */
const LOAD_LOCK = 7_305_623;
const OWNER_EMAIL = 'owner@volume.example.com';
const ORGANIZATION_NAME = 'Carteira Aurora (exemplo de volume)';
const TIME_ZONE = 'America/Sao_Paulo';
const TOKEN_DAYS = 90;
const DAY_MS = 86_400_000;
const tables = ['people', 'contacts', 'charges', 'payments', 'search_words'];

export interface LoadedScale {
  readonly organizationId: string;
  /** Null when the organization was there already. */
  readonly made: ScaleReport | null;
  /** Charges there are now. */
  readonly charges: number;
  readonly tokens: { readonly full: string; readonly read: string };
}

/** Makes the organization with so many charges unless it is there already, whatever its size; then fresh tokens. */
export async function loadScale(ownerUrl: string, runtime: Runtime, charges: number): Promise<LoadedScale> {
  const { shared } = runtime.database;
  const now = runtime.now();
  const made = (await findOwner(shared)) === undefined ? await load(ownerUrl, now, charges) : null;
  if (made !== null) {
    const all = tables.map((name) => `dunning_${name}`).join(', ');
    await writeAsOwner(ownerUrl, (db) => db.run(sql`analyze ${raw(all)}`));
  }
  const owner = await findOwner(shared);
  if (owner === undefined) throw new Error('the organization of volume is gone');
  const organizationId = owner.organization_id;
  const row = await runtime.database.read({ organizationId, workspaceId: null }, (db) =>
    db.row<{ count: number }>(sql`
      select count(*) as count from dunning_charges where organization_id = ${organizationId}`),
  );
  const token = async (access: 'read' | 'write') => {
    const expiresAt = new Date(now.getTime() + TOKEN_DAYS * DAY_MS);
    const given = { organizationId, product: 'dunning', access, expiresAt, name: 'sample' } as const;
    return (await createToken(shared, { ...given, userId: owner.id })).token;
  };
  return {
    organizationId,
    made,
    charges: row!.count,
    tokens: { full: await token('write'), read: await token('read') },
  };
}

function findOwner(db: Db) {
  return selectUserByEmail(db, OWNER_EMAIL);
}

/** All or nothing; null when another process did it. */
function load(ownerUrl: string, now: Date, charges: number): Promise<ScaleReport | null> {
  return writeAsOwner(ownerUrl, async (db) => {
    await db.run(sql`select pg_advisory_xact_lock(${LOAD_LOCK})`);
    if ((await findOwner(db)) !== undefined) return null;
    // As the application's role: what row-level security would refuse it, the sample must not have either.
    await db.run(sql`set local role ${raw(APP_ROLE)}`);
    const [organizationId, userId] = [newId(), newId()];
    await insertOrganization(db, { id: organizationId, name: ORGANIZATION_NAME });
    await insertUser(db, { id: userId, email: OWNER_EMAIL, name: 'Lívia Campolar', locale: 'pt-BR' });
    await insertMembership(db, { organizationId, userId, workspaceId: null, role: 'owner' });
    await db.run(sql`
      select set_config('kobana.organization_id', ${organizationId}, true),
             set_config('kobana.workspace_id', '', true)`);
    const report = await fillPortfolio(db, {
      organizationId,
      userId,
      charges,
      today: civilDateAt(now, TIME_ZONE),
    });
    await appendEvent(db, organizationId, {
      id: newId(),
      at: now.toISOString(),
      operation: 'demo_scale',
      outcome: 'done',
      actor: { userId, tokenId: null, clientId: 'sample', surface: 'cli' },
      argumentsDigest: digestOf({ charges }),
      changes: [],
    });
    return report;
  });
}
