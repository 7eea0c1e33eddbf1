/**
 * The same methods behind the official SDK, which frames them for stdio and, when asked to, for HTTP. Its own
 * dispatch is switched off: it would rewrite -32002, refuse what we ask again, push questions on 2025 and put
 * exception texts on the wire.
 *
 * Over HTTP its framing still differs from our own path in these points, each of them kept by a test:
 * - answers on 2025 are event streams, with the SDK's own `Cache-Control` (PROTOCOL TR-27, TR-66);
 * - a malformed `clientInfo`, a known capability that is no object and a fractional progress token are refused
 *   instead of ignored (PROTOCOL C-77, VE-06);
 * - rights that are lost while the call is under way are a result, not a challenge (PROTOCOL AU-05, AU-11).
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type McpRequestContext, Server } from '@modelcontextprotocol/server';
import type { Caller } from '../core/caller.ts';
import { AppError, errorRegistry } from '../core/errors.ts';
import { envelopeCapabilities } from './eras.ts';
import type { ProductService } from './methods.ts';
import type { Notify } from './progress.ts';
import {
  APPLICATION_ERROR,
  CAPABILITIES,
  type Era,
  type Exchange,
  INTERNAL_ERROR,
  LEGACY_HEADER_VERSIONS,
  type Params,
  ProtocolError,
  type RequestId,
} from './protocol.ts';
import type { ClientView } from './view.ts';

type Transport = Parameters<Server['connect']>[0];
type WireMessage = Parameters<Transport['send']>[0];

/** A caller, and what of the product the connection wants. */
export interface Seen {
  readonly caller: Caller;
  readonly view: ClientView;
}

export interface ServerFactoryOptions {
  readonly service: ProductService;
  /** Who is calling, within which view; asked on every request. Fails with `AppError` when the connection is not good. */
  readonly callerOf: (context: McpRequestContext) => Promise<Seen>;
  readonly now: () => Date;
  /** Logs a failure nobody foresaw and gives the id to tell the caller. */
  readonly logFailure: (error: unknown, where: string) => string;
}

export type ServerFactory = (context: McpRequestContext) => Server;

/** Gives a fresh SDK server per HTTP request or stdio connection; an instance is never shared (it keeps an era). */
export function createServerFactory({
  service,
  callerOf,
  now,
  logFailure,
}: ServerFactoryOptions): ServerFactory {
  return (context) => {
    const era: Era = context.era === 'modern' ? '2026' : '2025';
    return new FramedServer(service, async (method, params, notify) => {
      try {
        const capabilities = era === '2026' ? envelopeCapabilities(params) : undefined;
        const seen = await callerOf(context);
        const exchange: Exchange = { era, ...seen, capabilities, now: now(), canChallenge: false, notify };
        return JSON.parse(await service.answer(method, params, exchange));
      } catch (error) {
        throw asProtocolError(error, () => logFailure(error, method));
      }
    });
  };
}

/** The SDK sends the text of whatever is thrown, so only our own errors may reach it. */
function asProtocolError(error: unknown, log: () => string): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (!(error instanceof AppError)) return new ProtocolError(INTERNAL_ERROR, 'Internal error', { id: log() });
  const { message, next } = errorRegistry[error.code];
  return new ProtocolError(APPLICATION_ERROR, message, { ...error.details, code: error.code, next });
}

/** Serves requests that our guard has let through, over the SDK's HTTP handler. */
export function createSdkHttpHandler(
  service: ProductService,
  now: () => Date,
  logFailure: (error: unknown, where: string) => string,
): (req: IncomingMessage, res: ServerResponse, message: unknown, seen: Seen) => Promise<void> {
  const factory = createServerFactory({
    service,
    now,
    logFailure,
    callerOf: async (context) => seenIn(context),
  });
  const onerror = (error: Error): void => void logFailure(error, 'sdk');
  const handle = toNodeHandler(createMcpHandler(factory, { onerror }), { onerror });
  return async (req, res, message, seen) => {
    // The SDK's 2025 transport insists on both types; our guard has judged what the client accepts (PROTOCOL E.1).
    req.headers.accept = 'application/json, text/event-stream';
    res.setHeader('Cache-Control', 'no-store');
    const auth = { token: '', clientId: seen.caller.clientId, scopes: [], extra: { seen } };
    await handle(Object.assign(req, { auth }) as never, res as never, message);
  };
}

function seenIn({ authInfo }: McpRequestContext): Seen {
  return authInfo!.extra!['seen'] as Seen;
}

type Answerer = (method: string, params: unknown, notify: Notify) => Promise<Params>;

/** An SDK server whose every request goes to one function, with its parameters as they came. */
class FramedServer extends Server {
  readonly #answer: Answerer;
  /** Parameters by request id: the SDK takes the envelope, the state and the answers out of what handlers see. */
  readonly #given = new Map<RequestId, unknown>();
  /** Codes by request id: the SDK rewrites -32002, which 2025 promises (PROTOCOL T-5). */
  readonly #codes = new Map<RequestId, number>();

  constructor(service: ProductService, answer: Answerer) {
    super(service.identity, {
      capabilities: CAPABILITIES,
      supportedProtocolVersions: [...LEGACY_HEADER_VERSIONS],
      inputRequired: { legacyShim: false },
      instructions: service.definition.instructions,
    });
    this.#answer = answer;
    this.fallbackRequestHandler = async (request, { mcpReq }) => {
      try {
        const notify: Notify = (method, params) => {
          // Lost when the client is gone, and then nobody waits for it.
          mcpReq.notify({ method, params }).catch(() => {});
        };
        return await this.#answer(request.method, this.#given.get(mcpReq.id), notify);
      } catch (error) {
        if (error instanceof ProtocolError) this.#codes.set(mcpReq.id, error.code);
        throw error;
      } finally {
        this.#given.delete(mcpReq.id);
      }
    };
  }

  /** Nothing is registered, also not by the SDK itself, so everything reaches the fallback. */
  override setRequestHandler(..._registration: unknown[]): void {}

  override connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(this.#withOwnCode(message), options);
    const onmessage = transport.onmessage;
    transport.onmessage = (message, extra) => {
      if ('method' in message && 'id' in message) this.#given.set(message.id, message.params);
      onmessage?.(message, extra);
    };
    return super.connect(transport);
  }

  #withOwnCode(message: WireMessage): WireMessage {
    if (!('error' in message) || message.id === undefined || message.id === null) return message;
    const code = this.#codes.get(message.id);
    this.#codes.delete(message.id);
    return code === undefined ? message : { ...message, error: { ...message.error, code } };
  }
}
