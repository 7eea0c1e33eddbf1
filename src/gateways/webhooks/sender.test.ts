import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { WebhookCall } from './port.ts';
import { createWebhookSender, type ResolvedAddress } from './sender.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

/** A receiver on this machine; gives its port. */
async function receiver(answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return (server.address() as AddressInfo).port;
}

const callTo = (url: string): WebhookCall => ({
  url,
  headers: { 'content-type': 'application/json', 'kobana-event': 'ping' },
  body: '{"descrição":"ação"}',
});
const resolvingTo = (...addresses: string[]) => {
  const asked: string[] = [];
  const resolve = async (host: string): Promise<ResolvedAddress[]> => {
    asked.push(host);
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return { asked, resolve };
};

describe('MODEL §17: only public addresses are called', () => {
  test.each([
    'https://localhost/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[fd00:ec2::254]/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://100.100.100.200/',
  ])('%s is refused', async (url) => {
    expect(await createWebhookSender().send(callTo(url))).toMatchObject({
      kind: 'failed',
      reason: 'refused',
    });
  });

  test.each([
    [['10.0.0.1']],
    [['127.0.0.1']],
    [['::ffff:127.0.0.1']],
    [['1.1.1.1', '192.168.0.1']],
    [['2600::1', 'fe80::1']],
    [[]],
  ])('a name that resolves to %j when it is called is refused', async (addresses) => {
    const { resolve, asked } = resolvingTo(...addresses);
    const answer = await createWebhookSender({ resolve }).send(callTo('https://hooks.example.com/'));
    expect(answer).toMatchObject({ kind: 'failed', reason: 'refused' });
    expect(asked).toEqual(['hooks.example.com']);
  });

  test('plain http is refused, also to a public address', async () => {
    const { resolve, asked } = resolvingTo('1.1.1.1');
    const answer = await createWebhookSender({ resolve }).send(callTo('http://hooks.example.com/'));
    expect(answer).toMatchObject({ kind: 'failed', reason: 'refused' });
    expect(asked).toEqual([]);
  });

  test('a server for tests is taken by host and port, and no other port of it', async () => {
    const port = await receiver((_, response) => response.end('ok'));
    const sender = createWebhookSender({ testHosts: [`127.0.0.1:${port}`] });
    expect(await sender.send(callTo(`http://127.0.0.1:${port}/`))).toMatchObject({ status: 200, text: 'ok' });
    expect(await sender.send(callTo(`http://localhost:${port}/`))).toMatchObject({ reason: 'refused' });
    expect(await sender.send(callTo(`http://127.0.0.1:${port + 1}/`))).toMatchObject({ reason: 'refused' });
  });
});

test('calls the address that was checked, under the name of the URL, and asks for it once', async () => {
  const hosts: (string | undefined)[] = [];
  const port = await receiver(({ headers }, response) => {
    hosts.push(headers.host);
    response.end();
  });
  const { resolve, asked } = resolvingTo('127.0.0.1');
  const sender = createWebhookSender({ resolve, testHosts: [`hooks.example.com:${port}`] });
  expect(await sender.send(callTo(`http://hooks.example.com:${port}/x`))).toMatchObject({ status: 200 });
  expect(hosts).toEqual([`hooks.example.com:${port}`]);
  expect(asked).toEqual(['hooks.example.com']);
});

test('an address that does not answer gives way to the next one of the name', async () => {
  const port = await receiver((_, response) => response.end());
  const { resolve } = resolvingTo('::1', '127.0.0.1');
  const sender = createWebhookSender({ resolve, testHosts: [`hooks.example.com:${port}`] });
  expect(await sender.send(callTo(`http://hooks.example.com:${port}/`))).toMatchObject({ status: 200 });
});

test('posts the very bytes of the body with the headers', async () => {
  const seen: unknown[] = [];
  const port = await receiver(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    seen.push(
      request.method,
      request.url,
      request.headers['kobana-event'],
      Buffer.concat(chunks).toString('utf8'),
    );
    response.writeHead(204).end();
  });
  const sender = createWebhookSender({ testHosts: [`127.0.0.1:${port}`] });
  const answer = await sender.send(callTo(`http://127.0.0.1:${port}/in?key=1`));
  expect(answer).toEqual({ kind: 'answered', status: 204, text: '', durationMs: expect.any(Number) });
  expect(seen).toEqual(['POST', '/in?key=1', 'ping', '{"descrição":"ação"}']);
});

describe('what comes back', () => {
  const sendTo = async (answer: RequestListener, timeoutMs = 2_000) => {
    const port = await receiver(answer);
    const sender = createWebhookSender({ testHosts: [`127.0.0.1:${port}`], timeoutMs });
    return sender.send(callTo(`http://127.0.0.1:${port}/`));
  };

  test('a redirect is an answer and is not followed', async () => {
    let calls = 0;
    const answer = await sendTo((_, response) => {
      calls += 1;
      response.writeHead(307, { location: 'http://169.254.169.254/' }).end();
    });
    expect([answer, calls]).toMatchObject([{ kind: 'answered', status: 307 }, 1]);
  });

  test('an answer without end is read for four kibibytes', async () => {
    const answer = await sendTo((_, response) => {
      const write = (): void => {
        while (response.write('x'.repeat(1_000)));
        response.once('drain', write);
      };
      write();
    });
    expect(answer).toMatchObject({ kind: 'answered', status: 200, text: 'x'.repeat(4_096) });
  });

  test('an answer that stops in its middle counts by its status', async () => {
    const answer = await sendTo((_, response) => {
      response.writeHead(200).write('be');
    }, 300);
    expect(answer).toMatchObject({ kind: 'answered', status: 200, text: 'be' });
  });

  test('no answer in time is a timeout', async () => {
    const answer = await sendTo(() => {}, 300);
    expect(answer).toMatchObject({ kind: 'failed', reason: 'timeout' });
    expect(answer.durationMs).toBeLessThan(1_500);
  });

  test('a receiver that wants to speak otherwise is not waited for longer than any', async () => {
    const answer = await sendTo(({ socket }) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
    }, 300);
    expect(answer.kind).toBe('failed');
    expect(answer.durationMs).toBeLessThan(2_000);
  });

  test('a connection that is cut is unreachable', async () => {
    expect(await sendTo(({ socket }) => socket.destroy())).toMatchObject({ reason: 'unreachable' });
  });

  test('a name that does not answer in time is a timeout, one that does not exist is unreachable', async () => {
    const never = createWebhookSender({ resolve: () => new Promise(() => {}), timeoutMs: 200 });
    expect(await never.send(callTo('https://slow.example.com/'))).toMatchObject({ reason: 'timeout' });
    const missing = createWebhookSender({
      resolve: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
    });
    expect(await missing.send(callTo('https://none.example.com/'))).toMatchObject({ reason: 'unreachable' });
  });

  test('a server that speaks no TLS is a failure of TLS', async () => {
    const port = await receiver((_, response) => response.end());
    const sender = createWebhookSender({ testHosts: [`127.0.0.1:${port}`] });
    expect(await sender.send(callTo(`https://127.0.0.1:${port}/`))).toMatchObject({ reason: 'tls' });
  });

  test('text that is no URL is unreachable, never an exception', async () => {
    expect(await createWebhookSender().send(callTo('no url'))).toMatchObject({ kind: 'failed' });
  });
});
