/** Reads a request body without ever holding more than the limit. */

import type { IncomingMessage } from 'node:http';
import { BODY_BYTES_MAX, bodyTooLarge } from './guard.ts';

/** How much of a body nobody reads is still taken off the wire, so that the client gets to see our answer. */
const DRAINED_BYTES_MAX = 4 * BODY_BYTES_MAX;

/** The client went away before the request was complete; there is nobody to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** The whole body. Fails with 413 past the limit, and with `ClientGone`. */
export function readBody(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Whoever left while the token was looked up is not heard of again.
    if (req.destroyed) reject(new ClientGone());
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= BODY_BYTES_MAX) {
        chunks.push(chunk);
        return;
      }
      req.off('data', onData);
      reject(bodyTooLarge());
    };
    req.on('data', onData);
    req.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)));
    req.on('error', () => reject(new ClientGone()));
    req.on('close', () => {
      if (!req.complete) reject(new ClientGone());
    });
  });
}

/** Takes the rest of a refused body off the wire; whoever sends without end is cut off. */
export function drain(req: IncomingMessage): void {
  if (req.complete) return;
  let size = 0;
  req.on('error', () => undefined);
  req.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > DRAINED_BYTES_MAX) req.destroy();
  });
  req.resume();
}
