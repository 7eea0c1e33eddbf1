/** MCP over stdin and stdout, for both eras, with the SDK's framing. */

import { PassThrough, type Readable, type Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Caller } from '../core/caller.ts';
import { fail } from '../core/errors.ts';
import { hasEnvelope } from './eras.ts';
import { BODY_BYTES_MAX } from './guard.ts';
import type { ProductService } from './methods.ts';
import { methodNotFound } from './protocol.ts';
import { createServerFactory } from './sdk.ts';
import { type ClientView, callerWithin, WHOLE_VIEW } from './view.ts';

export interface StdioOptions {
  readonly service: ProductService;
  /** The caller behind the configured token; asked on every request, so a revoked token stops working at once. */
  readonly authenticate: () => Promise<Caller | null>;
  /** What of the product this connection wants. Default: everything. */
  readonly view?: ClientView;
  readonly now: () => Date;
  /** Logs a failure nobody foresaw and gives its id. Must not write to stdout. */
  readonly logFailure: (error: unknown, where: string) => string;
  readonly stdin?: Readable;
  readonly stdout?: Writable;
}

/** How long an answer on its way is waited for when the client has closed its end. */
const DRAIN_MS = 10_000;

/** Serves one product. `close` first lets requests that are under way be answered. */
export function serveProductStdio(options: StdioOptions): { close(): Promise<void> } {
  const { service, authenticate, view = WHOLE_VIEW, now, logFailure } = options;
  const factory = createServerFactory({
    service,
    now,
    logFailure,
    callerOf: async () => ({
      caller: callerWithin((await authenticate()) ?? fail('unauthenticated'), view),
      view,
    }),
  });
  // The SDK's transport drops what is under way as soon as its input ends, so the end is kept from it until then.
  const input = new PassThrough();
  (options.stdin ?? process.stdin).pipe(input, { end: false });
  const transport = new ProductTransport(input, options.stdout, { maxBufferSize: BODY_BYTES_MAX });
  const handle = serveStdio(factory, { transport, onerror: (error) => void logFailure(error, 'stdio') });
  return {
    async close() {
      // What was read last is handed on first.
      await setImmediate();
      await transport.drained(DRAIN_MS);
      await handle.close();
    },
  };
}

/** Keeps from the SDK what it would answer by itself although no capability offers it (PROTOCOL T-8). */
class ProductTransport extends StdioServerTransport {
  readonly #unanswered = new Set<unknown>();
  #onAnswered: () => void = () => {};

  /** Settles when every request read so far is answered, or the time is over. */
  drained(limitMs: number): Promise<void> {
    if (this.#unanswered.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      setTimeout(resolve, limitMs).unref();
      this.#onAnswered = () => {
        if (this.#unanswered.size === 0) resolve();
      };
    });
  }

  override async send(...args: Parameters<StdioServerTransport['send']>): Promise<void> {
    const [message] = args;
    await super.send(...args);
    if ('id' in message && !('method' in message)) {
      this.#unanswered.delete(message.id);
      this.#onAnswered();
    }
  }

  override start(): Promise<void> {
    const { onmessage } = this;
    this.onmessage = (message) => {
      if ('method' in message && 'id' in message) this.#unanswered.add(message.id);
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
