/** MCP over stdin and stdout, for both eras, with the SDK's framing. */

import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Caller } from '../core/caller.ts';
import { fail } from '../core/errors.ts';
import { hasEnvelope } from './eras.ts';
import { BODY_BYTES_MAX } from './guard.ts';
import type { ProductService } from './methods.ts';
import { methodNotFound } from './protocol.ts';
import { createServerFactory } from './sdk.ts';

export interface StdioOptions {
  readonly service: ProductService;
  /** The caller behind the configured token; asked on every request, so a revoked token stops working at once. */
  readonly authenticate: () => Promise<Caller | null>;
  readonly now: () => Date;
  /** Logs a failure nobody foresaw and gives its id. Must not write to stdout. */
  readonly logFailure: (error: unknown, where: string) => string;
  readonly stdin?: Readable;
  readonly stdout?: Writable;
}

/** Serves one product until stdin ends. Closing the handle ends it sooner. */
export function serveProductStdio(options: StdioOptions): { close(): Promise<void> } {
  const { service, authenticate, now, logFailure } = options;
  const factory = createServerFactory({
    service,
    now,
    logFailure,
    callerOf: async () => (await authenticate()) ?? fail('unauthenticated'),
  });
  const transport = new ProductTransport(options.stdin, options.stdout, { maxBufferSize: BODY_BYTES_MAX });
  return serveStdio(factory, { transport, onerror: (error) => void logFailure(error, 'stdio') });
}

/** Keeps from the SDK what it would answer by itself although no capability offers it (PROTOCOL T-8). */
class ProductTransport extends StdioServerTransport {
  override start(): Promise<void> {
    const { onmessage } = this;
    this.onmessage = (message) => {
      if ('method' in message && 'id' in message && message.method === 'subscriptions/listen') {
        const { code, message: text } = methodNotFound(hasEnvelope(message.params) ? '2026' : '2025');
        void this.send({ jsonrpc: '2.0', id: message.id, error: { code, message: text } });
        return;
      }
      onmessage?.(message);
    };
    return super.start();
  }
}
