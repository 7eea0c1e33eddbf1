import { newId } from '../../src/core/ids.ts';
import type { Db } from '../../src/core/ports.ts';
import {
  insertMembership,
  insertOrganization,
  insertUser,
  insertWorkspace,
} from '../../src/identity/queries.ts';
import { createToken } from '../../src/identity/tokens.ts';

const DAY_MS = 86_400_000;

export interface Owned {
  readonly organizationId: string;
  readonly workspaceId: string;
  /** A finance connection with write access for each owner, good for a day. */
  readonly tokens: readonly string[];
}

/** An organization of this name with one workspace and so many owners, for servers that run outside the suite. */
export async function createOwners(db: Db, name: string, count = 1): Promise<Owned> {
  const [organizationId, workspaceId] = [newId(), newId()];
  await insertOrganization(db, { id: organizationId, name });
  await insertWorkspace(db, { organizationId, id: workspaceId, name });
  const tokens: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const userId = newId();
    const email = `${name.toLowerCase()}${number}@example.com`;
    await insertUser(db, { id: userId, email, name, locale: 'en' });
    await insertMembership(db, { organizationId, userId, workspaceId: null, role: 'owner' });
    const expiresAt = new Date(Date.now() + DAY_MS);
    const request = { userId, organizationId, product: 'finance', access: 'write', expiresAt } as const;
    tokens.push((await createToken(db, request)).token);
  }
  return { organizationId, workspaceId, tokens };
}
