import pg from 'pg';
import { AppError } from '../core/errors.ts';
import type { Database, Db, Statement, Tenant, Transaction } from '../core/ports.ts';

/** Rows of a `date` stay civil dates as text; instants become ISO text in UTC; `bigint` must be a safe integer. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format === 'binary') return pg.types.getTypeParser(oid, 'binary');
    switch (oid) {
      case pg.types.builtins.DATE:
        return (value: string) => value;
      case pg.types.builtins.TIMESTAMPTZ:
        return instantOf;
      case pg.types.builtins.INT8:
        return safeInteger;
      case pg.types.builtins.NUMERIC:
        return (value: string) => value;
      default:
        return pg.types.getTypeParser(oid, 'text');
    }
  },
};

/** A connection remembers which tenant its setting names; null while that is unknown. */
type Connection = pg.PoolClient & { boundTenant?: string | null };

export interface PoolOptions {
  readonly connectionString: string;
  /** Connections at most. Default 10. */
  readonly size?: number;
  readonly applicationName?: string;
}

/** The role every business statement runs as: owns nothing, cannot bypass row-level security. */
export const APP_ROLE = 'kobana_app';

/** The database as the application uses it. Losing it turns into the error `unavailable`. */
export interface AppDatabase extends Database {
  /** For identity and catalogues, whose tables belong to no tenant. */
  readonly shared: Db;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

/** Opens the pool. Nothing is connected until the first statement. */
export function openDatabase(options: PoolOptions): AppDatabase {
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    max: options.size ?? 10,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    application_name: options.applicationName ?? 'kobana',
    options: `-c role=${APP_ROLE} -c timezone=UTC -c statement_timeout=30s -c idle_in_transaction_session_timeout=60s`,
    types,
  });
  // A connection that breaks while idle is dropped by the pool; the next checkout makes a new one.
  pool.on('error', () => {});
  // One that breaks between two statements of a transaction says so in the next of them.
  pool.on('connect', (connection) => connection.on('error', () => {}));
  return {
    pool,
    shared: dbOver((statement) => withConnection(pool, null, (connection) => execute(connection, statement))),
    read: (tenant, work) => withConnection(pool, tenant, (connection) => work(connectionDb(connection))),
    write: (tenant, work) => withConnection(pool, tenant, (connection) => inTransaction(connection, work)),
    close: () => pool.end(),
  };
}

async function withConnection<T>(
  pool: pg.Pool,
  tenant: Tenant | null,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await connect(pool);
  let broken: Error | undefined;
  try {
    await bindTenant(connection, tenant);
    return await work(connection);
  } catch (error) {
    if (isConnectionLoss(error)) {
      broken = error as Error;
      throw new AppError('unavailable');
    }
    if (isTimeout(error)) throw new AppError('unavailable');
    throw error;
  } finally {
    connection.release(broken);
  }
}

async function connect(pool: pg.Pool): Promise<Connection> {
  try {
    return await pool.connect();
  } catch {
    throw new AppError('unavailable');
  }
}

/**
 * The tenant setting stays on a connection while the tenant does, which saves a round trip per call. It cannot
 * be inherited: it is compared here at every checkout, and it counts as unknown from before it is changed until
 * the server has confirmed the change. Row-level security reads it; every `where` names the tenant besides.
 */
async function bindTenant(connection: Connection, tenant: Tenant | null): Promise<void> {
  const wanted = tenant === null ? '/' : `${tenant.organizationId}/${tenant.workspaceId ?? ''}`;
  if (connection.boundTenant === wanted) return;
  connection.boundTenant = null;
  await connection.query({
    name: 'bind_tenant',
    text: "select set_config('kobana.organization_id', $1, false), set_config('kobana.workspace_id', $2, false)",
    values: [tenant?.organizationId ?? '', tenant?.workspaceId ?? ''],
  });
  connection.boundTenant = wanted;
}

async function inTransaction<T>(connection: Connection, work: (db: Transaction) => Promise<T>): Promise<T> {
  await connection.query('begin');
  let result: T;
  try {
    result = await work({
      ...connectionDb(connection),
      nested: (inner) => nested(connection, inner),
      inWorkspace: (workspaceId, inner) => inWorkspace(connection, workspaceId, inner),
    });
  } catch (error) {
    if (!isConnectionLoss(error)) await connection.query('rollback');
    throw error;
  }
  await connection.query('commit');
  return result;
}

async function nested<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  await connection.query('savepoint nested');
  try {
    const result = await work();
    await connection.query('release savepoint nested');
    return result;
  } catch (error) {
    await connection.query('rollback to savepoint nested');
    throw error;
  }
}

/** The setting is local to the transaction, and going back to the savepoint takes it back. */
function inWorkspace<T>(connection: Connection, workspaceId: string, work: () => Promise<T>): Promise<T> {
  return nested(connection, async () => {
    const { rows } = await connection.query({
      name: 'enter_workspace',
      text: "select current_setting('kobana.workspace_id') as before, set_config('kobana.workspace_id', $1, true)",
      values: [workspaceId],
    });
    const result = await work();
    await connection.query({
      name: 'leave_workspace',
      text: "select set_config('kobana.workspace_id', $1, true)",
      values: [(rows[0] as { before: string }).before],
    });
    return result;
  });
}

function connectionDb(connection: Connection): Db {
  return dbOver((statement) => execute(connection, statement));
}

function dbOver(run: (statement: Statement) => Promise<pg.QueryResult>): Db {
  return {
    rows: async <Row>(statement: Statement) => (await run(statement)).rows as Row[],
    row: async <Row>(statement: Statement) => (await run(statement)).rows[0] as Row | undefined,
    run: async (statement) => (await run(statement)).rowCount ?? 0,
  };
}

/** Every statement is prepared once per connection under a name of its text. */
const statementNames = new Map<string, string>();
const STATEMENT_NAMES_MAX = 2_000;

function execute(connection: Connection, statement: Statement): Promise<pg.QueryResult> {
  const text = statement.text;
  let name = statementNames.get(text);
  if (name === undefined && statementNames.size < STATEMENT_NAMES_MAX) {
    name = `s${statementNames.size}`;
    statementNames.set(text, name);
  }
  return connection.query({
    ...(name !== undefined && { name }),
    text,
    values: statement.values as unknown[],
  });
}

/** The server gave up a statement that ran too long (57014) or waited too long for a lock (55P03). */
function isTimeout(error: unknown): boolean {
  return ['57014', '55P03'].includes(String((error as { code?: unknown }).code));
}

/** SQLSTATE classes 08 (connection), 57P (shutdown), 53 (resources) and the errors of a broken socket. */
function isConnectionLoss(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && /^(08|57P0|53|25P03|E(CONN|PIPE|TIMEDOUT))/.test(code)) return true;
  return (
    typeof message === 'string' &&
    /^(Connection terminated|Client has encountered a connection error|Client was closed)/.test(message)
  );
}

/** `2026-11-30 15:04:05.123456+00` as `2026-11-30T15:04:05.123456Z`; sessions run in UTC. */
function instantOf(value: string): string {
  return `${value.slice(0, 10)}T${value.slice(11).replace('+00', 'Z')}`;
}

function safeInteger(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new Error('an integer of the database is too large');
  return number;
}
