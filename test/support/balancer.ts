/** A proxy in front of several servers: each request goes to the next one that is there. */

import { createServer, request } from 'node:http';

export interface Balancer {
  readonly origin: string;
  /** Which server answered, in order: the place in the list of addresses. */
  readonly answeredBy: number[];
  /** Sends everything to this one only; null: to each in turn. */
  only(place: number | null): void;
  /** The servers behind it, once they are started: they have to know its address. */
  use(addresses: readonly string[]): void;
  close(): void;
}

export async function openBalancer(): Promise<Balancer> {
  let addresses: readonly string[] = [];
  let turn = 0;
  let pinned: number | null = null;
  const answeredBy: number[] = [];
  const server = createServer((req, res) => {
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', () => {
      turn += 1;
      forward(pinned ?? turn % addresses.length, addresses.length);
    });
    const forward = (place: number, left: number): void => {
      const target = new URL(addresses[place]!);
      const outgoing = request(
        { host: target.hostname, port: target.port, path: req.url, method: req.method, headers: req.headers },
        (answer) => {
          answeredBy.push(place);
          res.writeHead(answer.statusCode!, answer.rawHeaders);
          answer.pipe(res);
        },
      );
      outgoing.on('error', () => {
        if (left <= 1 || res.headersSent) return res.destroy();
        forward((place + 1) % addresses.length, left - 1);
      });
      outgoing.end(Buffer.concat(parts));
    };
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    origin: `http://localhost:${port}`,
    answeredBy,
    only: (place) => {
      pinned = place;
    },
    use: (given) => {
      addresses = given;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
