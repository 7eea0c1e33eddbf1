/**
 * The one fixture that needs a stream: a tool that reports progress. No operation of ours does, so the reports are
 * added here, around the answer of the same SDK server that serves stdio.
 */

import { createServer, type Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Runtime } from '../../src/apps/runtime.ts';
import type { Caller } from '../../src/core/caller.ts';
import { readBody } from '../../src/mcp/body.ts';
import { authenticate, checkHttpShape, createOriginCheck } from '../../src/mcp/guard.ts';
import { parseJson } from '../../src/mcp/message.ts';
import type { ProductService } from '../../src/mcp/methods.ts';
import { createServerFactory } from '../../src/mcp/sdk.ts';

type SdkServer = ReturnType<ReturnType<typeof createServerFactory>>;

/** A server that is not listening yet; it behaves for calls of the progress tool and is for nothing else. */
export function createProgressServer(
  runtime: Runtime,
  service: ProductService,
  logFailure: (error: unknown, where: string) => string,
): Server {
  const checkOrigin = createOriginCheck({ allowedHosts: ['127.0.0.1', 'localhost'], allowedOrigins: [] });
  const factory = createServerFactory({
    service,
    now: runtime.now,
    logFailure,
    callerOf: async ({ authInfo }) => authInfo!.extra!['caller'] as Caller,
  });
  const onerror = (error: Error): void => void logFailure(error, 'progress');
  const handle = toNodeHandler(
    createMcpHandler((context) => reportingProgress(factory(context)), { onerror }),
    { onerror },
  );
  return createServer(async (req, res) => {
    try {
      checkHttpShape(req);
      checkOrigin(req.headers);
      const caller = await authenticate(req, 'finance', runtime.authenticator, runtime.now());
      const auth = { token: '', clientId: caller.clientId, scopes: [], extra: { caller } };
      const message = parseJson(await readBody(req));
      await handle(Object.assign(req, { auth }) as never, res as never, message);
    } catch (error) {
      logFailure(error, 'progress');
      res.writeHead(500).end();
    }
  });
}

function reportingProgress(server: SdkServer): SdkServer {
  const answer = server.fallbackRequestHandler!;
  server.fallbackRequestHandler = async (request, context) => {
    const progressToken = context.mcpReq._meta?.progressToken;
    if (progressToken !== undefined) {
      for (const progress of [0, 50, 100]) {
        const params = { progressToken, progress, total: 100 };
        await context.mcpReq.notify({ method: 'notifications/progress', params });
        await wait(10);
      }
    }
    return answer(request, context);
  };
  return server;
}
