import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { MessageOutcomeUnknown, MessageUnreachable, type OutgoingMessage } from './port.ts';
import { createWhatsAppCloud, whatsAppReportsOf } from './whatsapp-cloud.ts';

const KEY = '0199a0a0-0000-7000-8000-000000000001';

const message: OutgoingMessage = {
  key: KEY,
  channel: 'whatsapp',
  to: '+5511980000001',
  address: null,
  recipientName: 'Ana',
  language: 'pt-BR',
  subject: null,
  text: 'Olá, Ana.\n\n- Mensalidade:\t R$ 110,00',
  senderName: 'Aurora',
  replyTo: null,
};

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function api(answer: (res: ServerResponse) => void, template: string | null = null) {
  const seen: { url: string; authorization: unknown; body: any }[] = [];
  const server = createServer(async (req, res) => {
    const body = JSON.parse(Buffer.concat(await req.toArray()).toString());
    seen.push({ url: req.url!, authorization: req.headers.authorization, body });
    answer(res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v23.0`;
  const port = createWhatsAppCloud({
    url,
    phoneNumberId: '106540352242922',
    token: 't',
    template,
    timeoutMs: 500,
  });
  return { port, seen };
}

const json = (res: ServerResponse, status: number, body: unknown) =>
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const taken = (res: ServerResponse) =>
  json(res, 200, {
    messaging_product: 'whatsapp',
    contacts: [{ input: '5511980000001', wa_id: '551180000001' }],
    messages: [{ id: 'wamid.A1' }],
  });

describe('sending', () => {
  test('text goes to the number with our key, which comes back with every report', async () => {
    const { port, seen } = await api(taken);
    expect(await port.send(message)).toEqual({ providerId: 'wamid.A1' });
    expect(seen).toEqual([
      {
        url: '/v23.0/106540352242922/messages',
        authorization: 'Bearer t',
        body: {
          messaging_product: 'whatsapp',
          recipient_type: 'individual',
          to: '5511980000001',
          biz_opaque_callback_data: KEY,
          type: 'text',
          text: { preview_url: false, body: message.text },
        },
      },
    ]);
  });

  test('an approved template gets sender and text on one line each, in its language', async () => {
    const { port, seen } = await api(taken, 'aviso');
    await port.send(message);
    await port.send({ ...message, language: 'en', text: 'x'.repeat(1_018) });
    const [first, second] = seen.map(({ body }) => body.template);
    expect(first).toEqual({
      name: 'aviso',
      language: { code: 'pt_BR' },
      components: [
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'Aurora' },
            { type: 'text', text: 'Olá, Ana. - Mensalidade: R$ 110,00' },
          ],
        },
      ],
    });
    expect(second.language.code).toBe('en');
  });

  test('a text too long is refused whole, before anything is sent', async () => {
    const whole = await api(taken, 'aviso');
    const long = { ...message, text: 'x'.repeat(1_019) };
    await expect(whole.port.send(long)).rejects.toMatchObject({ name: 'MessageRefused', reason: 'rejected' });
    const plain = await api(taken);
    await expect(plain.port.send({ ...message, text: 'x'.repeat(4_097) })).rejects.toThrow('4096');
    expect([...whole.seen, ...plain.seen]).toEqual([]);
  });

  const failing = (status: number, code: number, rest: object = {}) =>
    api((res) => json(res, status, { error: { message: 'no', type: 'OAuthException', code, ...rest } }));

  test.each([
    [400, 131026, { name: 'MessageRefused', reason: 'invalid_contact' }],
    [400, 131047, { name: 'MessageRefused', reason: 'rejected' }],
    [400, 100, { name: 'MessageRefused', reason: 'rejected' }],
    [429, 130429, { name: 'MessageUnreachable' }],
    [401, 190, { name: 'MessageUnreachable' }],
    [404, 132001, { name: 'MessageUnreachable' }],
    [400, 131042, { name: 'MessageUnreachable' }],
    [503, 131016, { name: 'MessageUnreachable' }],
    [500, 131000, { name: 'MessageOutcomeUnknown' }],
  ])('%i with code %i', async (status, code, expected) => {
    const { port } = await failing(status, code);
    await expect(port.send(message)).rejects.toMatchObject(expected);
  });

  test('a number of ours that does not exist is no fault of the message', async () => {
    const { port } = await failing(400, 100, { error_subcode: 33 });
    await expect(port.send(message)).rejects.toThrow(MessageUnreachable);
  });

  test('an answer that never comes, or is unreadable, is unknown and cannot be asked for', async () => {
    const silent = await api(() => {});
    await expect(silent.port.send(message)).rejects.toThrow(MessageOutcomeUnknown);
    const odd = await api((res) => json(res, 200, { messages: [] }));
    await expect(odd.port.send(message)).rejects.toThrow(MessageOutcomeUnknown);
    expect(await odd.port.find(KEY)).toEqual({ state: 'unknowable' });
  });
});

describe('notifications of Meta', () => {
  const told = (statuses: unknown[], value: object = {}) =>
    whatsAppReportsOf(
      Buffer.from(
        JSON.stringify({
          object: 'whatsapp_business_account',
          entry: [
            {
              id: '1',
              changes: [{ field: 'messages', value: { messaging_product: 'whatsapp', statuses, ...value } }],
            },
          ],
        }),
      ),
    );
  const status = {
    id: 'wamid.A1',
    timestamp: '1790856000',
    recipient_id: '551180000001',
    biz_opaque_callback_data: KEY,
  };

  test('tell what became of a message', () => {
    expect(told(['sent', 'delivered', 'read'].map((name) => ({ ...status, status: name })))).toEqual(
      ['sent', 'delivered', 'read'].map((name) => ({
        reportId: `${name}/1790856000`,
        key: KEY,
        providerId: 'wamid.A1',
        status: name,
        at: new Date(1_790_856_000_000),
        detail: null,
      })),
    );
  });

  test('tell a number that nobody reads from another failure', () => {
    const failed = (code: number) => ({
      ...status,
      status: 'failed',
      errors: [{ code, title: 'Message undeliverable' }],
    });
    expect(told([failed(131026), failed(131049)])).toMatchObject([
      { status: 'bounced', detail: '131026 Message undeliverable' },
      { status: 'failed' },
    ]);
  });

  test('of other things, or in part unreadable, tell what can be read', () => {
    expect(told([], { messages: [{ from: '5511', text: { body: 'oi' } }] })).toEqual([]);
    expect(
      told([
        { ...status, status: 'deleted' },
        7,
        { ...status, status: 'read', timestamp: 'x' },
        { ...status, status: 'read' },
      ]),
    ).toHaveLength(1);
    expect(told([{ ...status, status: 'sent', biz_opaque_callback_data: 'not ours' }])).toMatchObject([
      { key: null, providerId: 'wamid.A1' },
    ]);
  });

  test('in another form are none', () => {
    for (const text of ['', '[]', '{"object":"page","entry":[]}'])
      expect(whatsAppReportsOf(Buffer.from(text))).toBeNull();
  });
});

test('is reached over https, or on this machine', () => {
  const at =
    (url: string, phoneNumberId = '106540352242922') =>
    () =>
      createWhatsAppCloud({ url, phoneNumberId, token: 't', template: null });
  expect(at('http://graph.facebook.com/v23.0')).toThrow(TypeError);
  expect(at('https://graph.facebook.com/v23.0', '../x')).toThrow(TypeError);
  expect(at('https://graph.facebook.com/v23.0')).not.toThrow();
});
