import pg from 'pg';

const RETRY_MS = 1_000;

export interface Listener {
  close(): Promise<void>;
}

/**
 * Calls `onNotice` for every notification on the channel, and once after each reconnection, because notices
 * sent meanwhile were missed.
 */
export function listenTo(connectionString: string, channel: string, onNotice: () => void): Listener {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const connect = async () => {
    const next = new pg.Client({ connectionString, application_name: 'kobana listen' });
    client = next;
    next.on('notification', onNotice);
    next.on('error', () => {});
    next.once('end', retry);
    try {
      await next.connect();
      await next.query(`listen ${pg.escapeIdentifier(channel)}`);
      onNotice();
    } catch {
      await next.end().catch(() => {});
    }
  };
  const retry = () => {
    if (isClosed) return;
    timer = setTimeout(() => void connect(), RETRY_MS);
    timer.unref();
  };
  void connect();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}
