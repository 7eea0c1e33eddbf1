/** Adds the token that the suite cannot send; everything else passes as it came. */

import { createServer, request, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A proxy on the way to a port of loopback, not listening yet. */
export function createTokenProxy(token: string, port: number): Server {
  return createServer(async (req, res) => {
    const body = await buffer(req);
    const upstream = request(
      {
        host: '127.0.0.1',
        port,
        method: req.method,
        path: req.url,
        headers: [...req.rawHeaders, 'Authorization', `Bearer ${token}`],
      },
      (answer) => {
        res.writeHead(answer.statusCode!, answer.rawHeaders);
        answer.pipe(res);
      },
    );
    upstream.on('error', () => res.destroy());
    res.on('close', () => upstream.destroy());
    upstream.end(body);
  });
}
