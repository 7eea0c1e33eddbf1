/** Sends what a page answered. */

import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pageHeaders, redirect, safePath, sendPage } from '../web/http.ts';
import type { Reply } from './page.ts';

/** Sends it; a file as it is made, at the pace of whoever takes it. */
export async function send(res: ServerResponse, reply: Reply): Promise<void> {
  if (reply.kind === 'page') return sendPage(res, reply.status, reply.body, reply.headers);
  if (reply.kind === 'go') return redirect(res, safePath(reply.path, '/console'), reply.headers);
  if (reply.kind === 'json') {
    const body = Buffer.from(JSON.stringify(reply.value));
    res.writeHead(reply.status, {
      ...pageHeaders(),
      'Content-Type': 'application/json',
      'Content-Length': body.length,
      ...reply.headers,
    });
    res.end(res.req.method === 'HEAD' ? undefined : body);
    return;
  }
  res.writeHead(200, {
    ...pageHeaders(),
    'Content-Type': reply.type,
    'Content-Disposition': `attachment; filename="${reply.name.replace(/[^\w.-]/g, '_')}"`,
  });
  if (res.req.method === 'HEAD') return void res.end();
  await pipeline(Readable.from(reply.parts), res);
}
