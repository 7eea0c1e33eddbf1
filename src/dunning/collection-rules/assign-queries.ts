import type { Db } from '../../core/ports.ts';
import { sql } from '../../db/sql.ts';

export function selectPersonTags(
  db: Db,
  organizationId: string,
  personIds: readonly string[],
): Promise<{ id: string; tags: string[] }[]> {
  return db.rows(sql`
    select id, tags from dunning_people
     where organization_id = ${organizationId} and id = any(${personIds}::uuid[])`);
}
