import type { Runtime } from './runtime.ts';
import { version } from './version.ts';

/** What a monitor collects, in the Prometheus text format. */
export function metricsText({ database: { pool } }: Runtime): string {
  const { rss, heapUsed } = process.memoryUsage();
  return [
    ...gauge('kobana_info', 'Version of the running code.', 1, `{version="${version}"}`),
    ...gauge('process_resident_memory_bytes', 'Memory of this process.', rss),
    ...gauge('nodejs_heap_used_bytes', 'Memory in use by scripts.', heapUsed),
    ...gauge('process_uptime_seconds', 'Seconds since the start.', Math.floor(process.uptime())),
    ...gauge('kobana_database_connections', 'Open database connections.', pool.totalCount),
    ...gauge('kobana_database_waiting', 'Calls waiting for a connection.', pool.waitingCount),
    '',
  ].join('\n');
}

function gauge(name: string, help: string, value: number, labels = ''): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name}${labels} ${value}`];
}
