import type { AccessLine, Database } from '../core/ports.ts';
import { sql } from './sql.ts';

const FLUSH_MS = 250;
/** Beyond this many waiting lines the oldest are given up, with a word in the log: memory stays bounded. */
const WAITING_MAX = 100_000;

export interface AccessLog {
  /** Takes the line and returns at once. */
  write(line: AccessLine): void;
  /** Writes what is waiting and stops. */
  close(): Promise<void>;
}

/** Writes access lines in batches, one statement per organization, four times a second. */
export function openAccessLog(database: Database, onProblem: (error: unknown) => void): AccessLog {
  let waiting: AccessLine[] = [];
  let writing: Promise<void> = Promise.resolve();
  const flush = async () => {
    const lines = waiting;
    waiting = [];
    for (const [organizationId, own] of groupByOrganization(lines))
      await insertLines(database, organizationId, own);
  };
  const timer = setInterval(() => {
    if (waiting.length > 0) writing = writing.then(flush).catch(onProblem);
  }, FLUSH_MS);
  timer.unref();
  return {
    write(line) {
      if (waiting.length >= WAITING_MAX) {
        onProblem(new Error(`access log is behind: ${waiting.length} lines given up`));
        waiting = [];
      }
      waiting.push(line);
    },
    async close() {
      clearInterval(timer);
      await writing.then(flush).catch(onProblem);
    },
  };
}

function groupByOrganization(lines: AccessLine[]): Map<string, AccessLine[]> {
  return Map.groupBy(lines, (line) => line.organizationId);
}

async function insertLines(database: Database, organizationId: string, lines: AccessLine[]): Promise<void> {
  const column = (pick: (line: AccessLine) => unknown) => lines.map(pick);
  await database.read({ organizationId, workspaceId: null }, (db) =>
    db.run(sql`
      insert into access_log (organization_id, at, workspace_id, user_id, token_id, client_id, surface, operation, outcome, arguments_digest, duration_ms)
      select ${organizationId}, * from unnest(
        ${column((line) => line.at)}::timestamptz[], ${column((line) => line.workspaceId)}::uuid[],
        ${column((line) => line.userId)}::uuid[], ${column((line) => line.tokenId)}::uuid[],
        ${column((line) => line.clientId)}::text[], ${column((line) => line.surface)}::text[],
        ${column((line) => line.operation)}::text[], ${column((line) => line.outcome)}::text[],
        ${column((line) => line.argumentsDigest)}::text[], ${column((line) => line.durationMs)}::real[])`),
  );
}
