/** An answer as an event stream: opened by the first notification, ended by the response (PROTOCOL TR-32). */

import type { ServerResponse } from 'node:http';
import type { Notify } from './progress.ts';

const EVENT_STREAM = 'text/event-stream';

/**
 * The channel of one request. What a slow reader has not taken yet is not added to: progress is dropped then, so
 * that a client that reads nothing costs no memory.
 */
export function notifyOver(res: ServerResponse): Notify {
  return (method, params) => {
    if (res.destroyed || res.writableEnded) return;
    if (!res.headersSent) {
      res.setHeader('Content-Type', EVENT_STREAM);
      res.setHeader('Cache-Control', 'no-store');
      res.writeHead(200);
    }
    if (!res.writableNeedDrain) res.write(eventOf(JSON.stringify({ jsonrpc: '2.0', method, params })));
  };
}

/** Whether notifications opened the stream, so that the response has to end it. */
export function isStreaming(res: ServerResponse): boolean {
  return res.headersSent && !res.writableEnded && res.getHeader('content-type') === EVENT_STREAM;
}

/** The last event. */
export function endStream(res: ServerResponse, response: string): void {
  if (!res.destroyed) res.end(eventOf(response));
}

/** Whether the client takes event streams at all. */
export function acceptsStreams(accept: string | undefined): boolean {
  return accept === undefined || accept.toLowerCase().includes(EVENT_STREAM) || accept.includes('*/*');
}

/** JSON holds no line break, so one data line is the whole message. */
function eventOf(json: string): string {
  return `event: message\ndata: ${json}\n\n`;
}
