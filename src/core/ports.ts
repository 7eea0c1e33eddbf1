/** What the core needs from the outside, as types; `db`, `confirm` and `apps` supply it. */

/** A statement of SQL with its values apart. `sql-template-tag` builds them. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Runs statements for one tenant: inside one transaction when writing, on one connection when reading. */
export interface Db {
  rows<Row>(statement: Statement): Promise<Row[]>;
  /** The first row, or undefined. */
  row<Row>(statement: Statement): Promise<Row | undefined>;
  /** How many rows the statement changed. */
  run(statement: Statement): Promise<number>;
}

/** Whose rows a connection may see. A null workspace means no finance row at all. */
export interface Tenant {
  readonly organizationId: string;
  readonly workspaceId: string | null;
}

export interface Database {
  /** Single statements on a connection bound to the tenant. */
  read<T>(tenant: Tenant, work: (db: Db) => Promise<T>): Promise<T>;
  /** One transaction bound to the tenant; rolled back when `work` throws. */
  write<T>(tenant: Tenant, work: (db: Transaction) => Promise<T>): Promise<T>;
}

export interface Transaction extends Db {
  /** Runs `work` under a savepoint; its changes are undone when it throws, the transaction goes on. */
  nested<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Runs `work` in the same transaction, bound to a workspace of the organization instead; for what one product asks of
   * the other. Whether the caller may is for whoever calls this.
   */
  inWorkspace<T>(workspaceId: string, work: () => Promise<T>): Promise<T>;
}

/** One line of the audit chain; written in the transaction of the effect it describes. */
export interface AuditEvent {
  readonly id: string;
  readonly at: string;
  readonly operation: string;
  readonly outcome: 'done' | 'failed';
  readonly errorCode?: string;
  readonly actor: { userId: string; tokenId: string | null; clientId: string; surface: Surface };
  readonly argumentsDigest: string;
  readonly confirmation?: ConfirmationRecord;
  readonly changes: readonly Change[];
}

/** The yes that an event rests on. */
export interface ConfirmationRecord {
  readonly id: string;
  readonly question: string;
  readonly answer: 'accepted';
  /** Who said it, where that is not who called: the approval it was said in, and how that person proved to be there. */
  readonly approval?: {
    readonly id: string;
    readonly approvedBy: string;
    readonly verifiedWith: 'password' | 'passkey';
  };
}

/** What happened to one record. */
export interface Change {
  readonly kind: string;
  readonly id: string;
  readonly before: unknown;
  readonly after: unknown;
}

export type Surface = 'mcp' | 'resource' | 'prompt' | 'completion' | 'rest' | 'console' | 'job' | 'cli';

/** A call that changed nothing (reads, questions, refusals); written in batches. */
export interface AccessLine {
  readonly at: Date;
  readonly organizationId: string;
  readonly workspaceId: string | null;
  readonly userId: string;
  readonly tokenId: string | null;
  readonly clientId: string;
  readonly surface: Surface;
  readonly operation: string;
  readonly outcome: string;
  readonly argumentsDigest: string | null;
  readonly durationMs: number;
}

/** A job to run after the commit. */
export interface Job {
  readonly task: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly runAt?: Date;
  /** Jobs with the same key replace each other while they wait. */
  readonly key?: string;
}
