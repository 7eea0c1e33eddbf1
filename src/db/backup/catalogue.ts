/** What a database holds, read from PostgreSQL itself, so that a new table is in the next backup without a word here. */

import type pg from 'pg';

export interface TableFacts {
  readonly name: string;
  /** Those that are written; generated ones follow from them. */
  readonly columns: readonly string[];
  /** The first column of the key, which says whose the rows are. */
  readonly key: string | null;
  /** Whether row-level security holds for the owner too. */
  readonly isForced: boolean;
}

export interface SequenceFacts {
  readonly table: string;
  readonly column: string;
  /** The last number given; null when none was. */
  readonly last: string | null;
}

export interface ReferenceFacts {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/** The migrations are what a database is made by, not what it holds. */
const NOT_KEPT = 'schema_migrations';

/** The tables of the application, by name. */
export async function selectTables(client: pg.ClientBase): Promise<TableFacts[]> {
  const { rows } = await client.query<TableFacts>(
    `select c.relname as name, c.relforcerowsecurity as "isForced",
            (select json_agg(a.attname order by a.attnum) from pg_attribute a
              where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
            (select a.attname from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
              where i.indrelid = c.oid and i.indisprimary) as key
       from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> $1
      order by c.relname`,
    [NOT_KEPT],
  );
  return rows;
}

/** The numbers that tables count with. */
export async function selectSequences(client: pg.ClientBase): Promise<SequenceFacts[]> {
  const { rows } = await client.query<SequenceFacts>(
    `select c.relname as table, a.attname as column,
            (select s.last_value::text from pg_sequences s
              where format('%I.%I', s.schemaname, s.sequencename)
                  = pg_get_serial_sequence(format('%I.%I', 'public', c.relname), a.attname)) as last
       from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attidentity <> '' and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      order by c.relname, a.attname`,
  );
  return rows;
}

/** What refers to what, as the statements that make it. */
export async function selectReferences(client: pg.ClientBase): Promise<ReferenceFacts[]> {
  const { rows } = await client.query<ReferenceFacts>(
    `select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
       from pg_constraint k
       join pg_class c on c.oid = k.conrelid
      where k.connamespace = 'public'::regnamespace and k.contype = 'f' and k.conparentid = 0
      order by c.relname, k.conname`,
  );
  return rows;
}

/** The migrations that made the database, in order. */
export async function selectMigrations(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select name from schema_migrations order by version',
  );
  return rows.map(({ name }) => name);
}

/** Whether row-level security is nothing to this role. */
export async function selectBypass(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ bypasses: boolean }>(
    'select rolsuper or rolbypassrls as bypasses from pg_roles where rolname = current_user',
  );
  return rows[0]?.bypasses === true;
}

export interface TenantFacts {
  readonly organization: string;
  readonly workspace: string;
}

/** Every organization (with an empty workspace) and every workspace. */
export async function selectAllTenants(client: pg.ClientBase): Promise<TenantFacts[]> {
  const { rows } = await client.query<TenantFacts>(
    `select id::text as organization, '' as workspace from organizations
     union all select organization_id::text, id::text from workspaces
     order by organization, workspace`,
  );
  return rows;
}

/**
 * Jobs that wait or run, as `add_job` takes them. Those that were given up stay behind. The tables are private to
 * graphile-worker, whose version is pinned; its view of them leaves the payload out.
 */
export const WAITING_JOBS = `
  select t.identifier, j.payload, q.queue_name, j.run_at, j.max_attempts, j.key, j.priority
    from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id
    left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
   where j.attempts < j.max_attempts
   order by j.id`;

export const JOB_COLUMNS =
  'identifier text, payload json, queue_name text, run_at timestamptz, max_attempts integer, key text, priority integer';

/** A name as SQL quotes it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
