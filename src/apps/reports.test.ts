/** Reports about messages come in by HTTP: signed, bounded, and only about messages of their organization. */

import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createContact, createDebtor } from '../../test/support/dunning.ts';
import { openWorld, type World } from '../../test/support/world.ts';
import { newId } from '../core/ids.ts';
import { createAppServer, listen, shut } from './server.ts';

const SECRET = 'a secret for reports of thirty-two bytes';
const APP_SECRET = 'the secret of an app at Meta';
const START = '2026-10-01T12:00:00Z';

let world: World;
let base: string;
let close: () => Promise<void>;
let personId: string;
let contactId: string;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
  const reports = { secret: SECRET, whatsapp: { appSecret: APP_SECRET, verifyToken: 'the agreed word' } };
  const server = createAppServer(world.runtime, { reports });
  base = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
  close = () => shut(server, 0);
  personId = await createDebtor(world, { email: null, phone: null });
  contactId = await createContact(world, personId, 'email', 'ana@example.com');
});
beforeEach(() => world.setNow(START));
afterAll(async () => {
  await close();
  await world.close();
});

/** A message that its carrier took. */
async function sentMessage(
  fields: { channel?: string; provider?: string; providerId?: string } = {},
): Promise<string> {
  const id = newId();
  const { channel = 'email', provider = 'smtp', providerId = `<${id}@example.com>` } = fields;
  await world.look(
    `insert into dunning_notifications (organization_id, id, person_id, channel, contact_id, own_body, trigger,
                                        scheduled_for, status, provider, provider_id, queued_at, sent_at, created_by)
     values ($1, $2, $3, $4, $5, 'Olá', 'manual', $6, 'sent', $7, $8, $6, $6, $1)`,
    [
      world.organizationId,
      id,
      personId,
      channel,
      channel === 'email' ? contactId : null,
      START,
      provider,
      providerId,
    ],
  );
  return id;
}

const stateOf = async (id: string) =>
  (await world.look<{ status: string }>('select status from dunning_notifications where id = $1', [id]))[0]!
    .status;

const signatureOf = (body: string | Buffer, secret = SECRET) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

interface Sending {
  organizationId?: string;
  headers?: Record<string, string>;
  method?: string;
}

async function send(channel: string, body: string | Buffer, sending: Sending = {}) {
  const { organizationId = world.organizationId, method = 'POST' } = sending;
  const headers = sending.headers ?? { 'x-kobana-signature': signatureOf(body) };
  const answer = await fetch(`${base}/dunning/reports/${channel}/${organizationId}`, {
    method,
    headers,
    body: new Uint8Array(Buffer.from(body)),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, any> };
}

const dsn = (key: string, action: string, status: string) =>
  [
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.com',
    `Original-Envelope-Id: ${key}`,
    '',
    'Final-Recipient: rfc822; ana@example.com',
    `Action: ${action}`,
    `Status: ${status}`,
    'Last-Attempt-Date: Thu, 1 Oct 2026 12:00:05 +0000',
    '',
    '--b--',
  ].join('\r\n');

const report = (fields: object) =>
  JSON.stringify({ reports: [{ id: 'r1', status: 'delivered', at: '2026-10-01T12:01:00Z', ...fields }] });

describe('a signed report', () => {
  it('PITFALLS 55: of a mail server moves the message to delivered only when it says so', async () => {
    const key = await sentMessage();
    expect(await send('email', dsn(key, 'relayed', '2.0.0'))).toMatchObject({
      status: 202,
      body: { applied: 1 },
    });
    expect(await stateOf(key)).toBe('sent');
    expect(await send('email', dsn(key, 'delivered', '2.0.0'))).toMatchObject({ status: 202 });
    expect(await stateOf(key)).toBe('delivered');
    const other = await sentMessage();
    await send('email', dsn(other, 'failed', '5.1.1'));
    expect(await stateOf(other)).toBe('bounced');
  });

  it('is taken once, however often it comes, also at the same moment', async () => {
    const key = await sentMessage();
    const body = dsn(key, 'delivered', '2.0.0');
    const answers = await Promise.all([send('email', body), send('email', body), send('email', body)]);
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    const trail = await world.look(
      'select status from dunning_notification_trail where notification_id = $1',
      [key],
    );
    expect(trail).toEqual([{ status: 'delivered' }]);
  });

  it('of a provider is found by our key or by its own id, each channel for itself', async () => {
    const key = await sentMessage({ channel: 'sms', provider: 'http-sms', providerId: 'S-1' });
    const byId = await sentMessage({ channel: 'sms', provider: 'http-sms', providerId: 'S-2' });
    expect(await send('sms', report({ key }))).toMatchObject({
      status: 202,
      body: { applied: 1, unknown: 0 },
    });
    expect(await send('letter', report({ provider_id: 'S-2' }))).toMatchObject({
      body: { applied: 0, unknown: 1 },
    });
    expect(await stateOf(byId)).toBe('sent');
    await send('sms', report({ provider_id: 'S-2', status: 'failed', detail: 'no credit' }));
    expect([await stateOf(key), await stateOf(byId)]).toEqual(['delivered', 'failed']);
  });

  it('of Meta is signed with the secret of the app, and answered with 200', async () => {
    const key = await sentMessage({ channel: 'whatsapp', provider: 'whatsapp-cloud', providerId: 'wamid.1' });
    const status = { id: 'wamid.1', status: 'read', timestamp: '1790856060', biz_opaque_callback_data: key };
    const body = JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [{ id: '1', changes: [{ field: 'messages', value: { statuses: [status] } }] }],
    });
    expect((await send('whatsapp', body)).status).toBe(401);
    const headers = { 'x-hub-signature-256': signatureOf(body) };
    expect((await send('whatsapp', body, { headers })).status).toBe(401);
    const signed = { 'x-hub-signature-256': signatureOf(body, APP_SECRET) };
    expect(await send('whatsapp', body, { headers: signed })).toMatchObject({
      status: 200,
      body: { applied: 1 },
    });
    expect(await stateOf(key)).toBe('read');
  });

  it('never touches a message of another organization', async () => {
    const key = await sentMessage();
    const [other] = await world.look<{ id: string }>("select id from organizations where name = 'Boreal'");
    const answer = await send('email', dsn(key, 'delivered', '2.0.0'), { organizationId: other!.id });
    expect(answer).toMatchObject({ status: 202, body: { applied: 0, unknown: 1 } });
    expect(await stateOf(key)).toBe('sent');
  });

  it('is in the audit chain as the work of the system, without the words of the provider', async () => {
    const key = await sentMessage({ channel: 'sms', provider: 'http-sms', providerId: 'S-9' });
    await send('sms', report({ key, detail: 'PRIVATE WORDS' }));
    const [event] = await world.look<{ body: string }>(
      "select body from events where operation = 'dunning_take_reports' order by position desc limit 1",
    );
    const { actor, changes } = JSON.parse(event!.body);
    expect(actor).toMatchObject({ surface: 'job', clientId: 'worker' });
    expect(changes).toMatchObject([{ kind: 'notification', id: key, after: { status: 'delivered' } }]);
    expect(event!.body).not.toContain('PRIVATE WORDS');
  });
});

describe('anything else', () => {
  it('is refused without the right signature, before anything is looked up', async () => {
    const key = await sentMessage();
    const body = dsn(key, 'delivered', '2.0.0');
    const attempts: Record<string, string>[] = [
      {},
      { 'x-kobana-signature': '' },
      { 'x-kobana-signature': signatureOf(body).slice(0, -2) },
      { 'x-kobana-signature': signatureOf(`${body} `) },
      { 'x-kobana-signature': signatureOf(body, APP_SECRET) },
      { 'x-hub-signature-256': signatureOf(body) },
    ];
    for (const headers of attempts) {
      expect(await send('email', body, { headers })).toMatchObject({
        status: 401,
        body: { error: { code: 'unsigned' } },
      });
    }
    const nowhere = await send('email', body, { organizationId: newId(), headers: {} });
    expect(nowhere.status).toBe(401);
    expect((await send('email', body, { organizationId: newId() })).status).toBe(404);
    expect(await stateOf(key)).toBe('sent');
  });

  it('is refused when it is too long, announced or not, and when it is of another form', async () => {
    expect((await send('sms', 'x'.repeat(65_537))).status).toBe(413);
    const { hostname, port } = new URL(base);
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        const path = `/dunning/reports/sms/${world.organizationId}`;
        socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nX-Kobana-Signature: ${signatureOf('')}\r\n`);
        socket.write('Transfer-Encoding: chunked\r\n\r\n');
        for (let sent = 0; sent < 70_000; sent += 10_000) socket.write(`2710\r\n${'x'.repeat(10_000)}\r\n`);
        socket.write('0\r\n\r\n');
      });
      socket.once('data', (chunk) => {
        socket.destroy();
        resolve(chunk.toString());
      });
    });
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(await send('sms', '{}')).toMatchObject({
      status: 422,
      body: { error: { code: 'invalid_report' } },
    });
    expect((await send('email', 'From: a@example.com\r\n\r\nOi')).status).toBe(422);
    expect((await send('sms', '{}', { method: 'PUT' })).status).toBe(405);
    expect((await send('pigeon', '{}')).status).toBe(404);
    expect((await send('sms', '{}', { organizationId: 'x'.repeat(36) })).status).toBe(404);
  });

  it('gives Meta its challenge only for the agreed word', async () => {
    const ask = (query: string) => fetch(`${base}/dunning/reports/whatsapp/${world.organizationId}?${query}`);
    const right = 'hub.mode=subscribe&hub.verify_token=the+agreed+word&hub.challenge=1158201444';
    const answer = await ask(right);
    expect([answer.status, await answer.text()]).toEqual([200, '1158201444']);
    for (const query of [
      '',
      right.replace('agreed', 'other'),
      right.replace('subscribe', 'x'),
      `${right}%3Cb%3E`,
    ]) {
      expect((await ask(query)).status).toBe(403);
    }
  });

  it('is not taken at all where no secret is set', async () => {
    const server = createAppServer(world.runtime);
    const port = await listen(server, 0, '127.0.0.1');
    const body = report({ key: newId() });
    for (const [channel, secret] of [
      ['sms', ''],
      ['email', SECRET],
      ['whatsapp', APP_SECRET],
    ] as const) {
      const signed = signatureOf(body, secret);
      const answer = await fetch(
        `http://127.0.0.1:${port}/dunning/reports/${channel}/${world.organizationId}`,
        {
          method: 'POST',
          headers: { 'x-kobana-signature': signed, 'x-hub-signature-256': signed },
          body,
        },
      );
      expect(answer.status).toBe(401);
    }
    const path = `/dunning/reports/whatsapp/${world.organizationId}?hub.mode=subscribe&hub.verify_token=&hub.challenge=1`;
    expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(403);
    await shut(server, 0);
  });
});
