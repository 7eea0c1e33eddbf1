import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createHttpMessages, httpReportsOf } from './http-messages.ts';
import { MessageOutcomeUnknown, type MessagePort, MessageUnreachable, type OutgoingMessage } from './port.ts';
import { isSameSecret, isSigned } from './reports.ts';

const KEY = '0199a0a0-0000-7000-8000-000000000001';
const TOKEN = 'a-token-of-tests';

const message: OutgoingMessage = {
  key: KEY,
  channel: 'letter',
  to: '',
  address: {
    street: 'Rua Um',
    number: '10',
    complement: null,
    district: 'Centro',
    city: 'São Paulo',
    state: 'SP',
    postalCode: '01001000',
  },
  recipientName: 'Devedora Um Ltda',
  language: 'pt-BR',
  subject: 'Comunicado',
  text: 'Olá.',
  senderName: 'Aurora',
  replyTo: null,
};

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: unknown;
}

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

/** A provider on this machine, and what it was asked. */
async function provider(
  answer: (res: ServerResponse, req: IncomingMessage) => void,
  timeoutMs = 2_000,
): Promise<{ port: MessagePort; seen: Seen[]; url: string }> {
  const seen: Seen[] = [];
  const server = createServer(async (req, res) => {
    const bytes = Buffer.concat(await req.toArray());
    const { method = '', url = '', headers } = req;
    seen.push({ method, url, headers, body: bytes.length === 0 ? null : JSON.parse(bytes.toString()) });
    answer(res, req);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/messages`;
  return { port: createHttpMessages({ channel: 'letter', url, token: TOKEN, timeoutMs }), seen, url };
}

const json = (res: ServerResponse, status: number, body: unknown) =>
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

describe('sending', () => {
  test('posts the message once under its key, with the token', async () => {
    const { port, seen } = await provider((res) => json(res, 202, { id: 'L-17' }));
    expect(port.name).toBe('http-letter');
    expect(await port.send(message)).toEqual({ providerId: 'L-17' });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      method: 'POST',
      url: '/v1/messages',
      headers: {
        authorization: `Bearer ${TOKEN}`,
        'idempotency-key': KEY,
        'content-type': 'application/json',
      },
      body: {
        key: KEY,
        channel: 'letter',
        to: null,
        address: { street: 'Rua Um', city: 'São Paulo', postal_code: '01001000' },
        recipient_name: 'Devedora Um Ltda',
        text: 'Olá.',
      },
    });
  });

  test('takes any 2xx as taken, whatever it says', async () => {
    for (const body of ['{"id": 42}', 'ok', '', `{"id":"${'x'.repeat(100_000)}"}`]) {
      const { port } = await provider((res) => res.writeHead(200).end(body));
      expect(await port.send(message)).toEqual({ providerId: body === '{"id": 42}' ? '42' : null });
    }
  });

  test.each([400, 410, 413, 422])('%i is about the message: refused for good', async (status) => {
    const { port } = await provider((res) => json(res, status, { error: { code: 'too_long' } }));
    await expect(port.send(message)).rejects.toMatchObject({ name: 'MessageRefused', reason: 'rejected' });
    const other = await provider((res) => json(res, status, { error: { code: 'invalid_contact' } }));
    await expect(other.port.send(message)).rejects.toMatchObject({ reason: 'invalid_contact' });
  });

  test.each([401, 403, 404, 405, 429, 301])('%i is about us: may be sent again', async (status) => {
    const { port, seen } = await provider((res) =>
      res.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(),
    );
    await expect(port.send(message)).rejects.toThrow(MessageUnreachable);
    expect(seen).toHaveLength(1);
  });

  test.each([408, 409, 500, 502, 503])('%i says nothing sure: the outcome is unknown', async (status) => {
    const { port } = await provider((res) => res.writeHead(status).end());
    await expect(port.send(message)).rejects.toThrow(MessageOutcomeUnknown);
  });

  test('without an answer in time, or with a broken one, the outcome is unknown', async () => {
    const silent = await provider(() => {}, 100);
    await expect(silent.port.send(message)).rejects.toThrow(MessageOutcomeUnknown);
    const broken = await provider((res) => res.destroy());
    await expect(broken.port.send(message)).rejects.toThrow(MessageOutcomeUnknown);
    const slow = await provider((res) => void res.writeHead(200).write('{'), 100);
    await expect(slow.port.send(message)).rejects.toThrow(MessageOutcomeUnknown);
  });

  test('when nobody listens it surely was not taken', async () => {
    const { port } = await provider(() => {});
    for (const close of opened.splice(0)) await close();
    await expect(port.send(message)).rejects.toThrow(MessageUnreachable);
  });

  test('no failure holds the token or the text', async () => {
    const { port } = await provider((res) => json(res, 400, { error: { code: TOKEN } }));
    const error = await port.send(message).catch((failure: Error) => failure);
    expect(JSON.stringify([error, String(error), (error as Error).stack])).not.toMatch(
      /a-token-of-tests|Olá/,
    );
  });

  test('only over https, or on this machine', () => {
    const at = (url: string) => () => createHttpMessages({ channel: 'sms', url, token: TOKEN });
    for (const url of [
      'http://example.com/m',
      'ftp://127.0.0.1',
      'nothing',
      'https://u:p@example.com/',
      'https://a.b/?q=1',
    ])
      expect(at(url), url).toThrow(TypeError);
    expect(at('https://example.com/m')).not.toThrow();
  });
});

describe('asking for a key', () => {
  test('tells taken from absent, and does not guess', async () => {
    const { port, seen } = await provider((res) => json(res, 200, { id: 'L-1' }));
    expect(await port.find(KEY)).toEqual({ state: 'taken', providerId: 'L-1' });
    expect(seen[0]).toMatchObject({ method: 'GET', url: `/v1/messages/${KEY}` });
    const none = await provider((res) => res.writeHead(404).end());
    expect(await none.port.find(KEY)).toEqual({ state: 'absent' });
    for (const status of [401, 500, 302]) {
      const broken = await provider((res) => res.writeHead(status).end());
      await expect(broken.port.find(KEY)).rejects.toThrow(MessageUnreachable);
    }
    const silent = await provider(() => {}, 100);
    await expect(silent.port.find(KEY)).rejects.toThrow(MessageUnreachable);
  });
});

describe('reports', () => {
  const read = (value: unknown) => httpReportsOf(Buffer.from(JSON.stringify(value)));
  const report = { id: 'r1', key: KEY, status: 'delivered', at: '2026-10-01T09:00:00-03:00' };

  test('are read with our key or their id', () => {
    expect(
      read({
        reports: [report, { ...report, id: 'r2', key: null, provider_id: 'L-1', detail: ' de\u0000tail ' }],
      }),
    ).toEqual([
      {
        reportId: 'r1',
        key: KEY,
        providerId: null,
        status: 'delivered',
        at: new Date('2026-10-01T12:00:00Z'),
        detail: null,
      },
      {
        reportId: 'r2',
        key: null,
        providerId: 'L-1',
        status: 'delivered',
        at: new Date('2026-10-01T12:00:00Z'),
        detail: 'detail',
      },
    ]);
    expect(read({ reports: [] })).toEqual([]);
  });

  test.each([
    ['no JSON', null],
    ['another form', { report }],
    ['a status nobody knows', { reports: [{ ...report, status: 'eaten' }] }],
    ['no time', { reports: [{ ...report, at: 'today' }] }],
    ['too many', { reports: Array.from({ length: 501 }, () => report) }],
  ])('in no form of ours are none: %s', (_what, value) => {
    expect(value === null ? httpReportsOf(Buffer.from('{')) : read(value)).toBeNull();
  });

  test('are believed only with the signature of exactly these bytes', () => {
    const bytes = Buffer.from('{"reports":[]}');
    const signature = `sha256=${createHmac('sha256', 'secret').update(bytes).digest('hex')}`;
    expect(isSigned(bytes, signature, 'secret')).toBe(true);
    expect(isSigned(bytes, signature.toUpperCase().replace('SHA256', 'sha256'), 'secret')).toBe(true);
    expect(isSigned(Buffer.from('{"reports":[] }'), signature, 'secret')).toBe(false);
    expect(isSigned(bytes, signature, 'secret2')).toBe(false);
    for (const header of [
      undefined,
      '',
      'sha256=',
      signature.slice(0, -1),
      `${signature}0`,
      signature.slice(7),
    ])
      expect(isSigned(bytes, header, 'secret')).toBe(false);
    expect([isSameSecret('a', 'a'), isSameSecret('a', 'b'), isSameSecret('', 'a')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
