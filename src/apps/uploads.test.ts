/** A file comes in by a one-time link: once, in time, with the rights its maker has at that moment. */

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { call } from '../../test/support/confirming.ts';
import { type HttpServer, openServer } from '../../test/support/http.ts';
import { createCompany } from '../../test/support/records.ts';
import { openWorld, type World } from '../../test/support/world.ts';
import { revokeToken } from '../identity/tokens.ts';

const PDF = Buffer.from('%PDF-1.4\nreceipt of the bank\n%%EOF', 'latin1');
const START = '2026-10-01T12:00:00Z';

let world: World;
let server: HttpServer;
let company: string;

beforeAll(async () => {
  world = await openWorld();
  server = await openServer(world);
  company = await createCompany(world);
});
beforeEach(() => world.setNow(START));
afterAll(async () => {
  await server.close();
  await world.close();
});

async function link(args: object = {}): Promise<string> {
  const answer = await call(server.client(), 'finance_attachments_upload', {
    file: { name: '../recibo.pdf' },
    kind: 'receipt',
    ...args,
  });
  expect(answer).toMatchObject({
    attachment: null,
    upload_link: { method: 'PUT', max_bytes: 10_485_760, expires_at: '2026-10-01T12:15:00.000Z' },
  });
  return answer['upload_link'].url;
}

async function send(url: string, body: Buffer = PDF, method = 'PUT') {
  const answer = await fetch(url, { method, body: new Uint8Array(body) });
  return { status: answer.status, body: (await answer.json()) as Record<string, any> };
}

it('stores the file under a type told by its bytes, tied to the record, as the person who made the link', async () => {
  const url = await link({ link_to: { kind: 'company', id: company } });
  const { status, body } = await send(url);
  expect(status).toBe(201);
  expect(body).toMatchObject({
    file_name: 'recibo.pdf',
    content_type: 'application/pdf',
    kind: 'receipt',
    size: PDF.length,
    links: [{ kind: 'company', id: company }],
  });
  expect(await world.call('finance_attachments_get', { attachment_id: body['id'] })).toEqual(body);
  const [event] = await world.look<{ body: string }>(
    "select body from events where operation = 'finance_attachments_receive' order by position desc limit 1",
  );
  const { actor } = JSON.parse(event!.body);
  expect(actor).toMatchObject({ surface: 'rest', userId: (await world.caller('owner')).user.id });
});

it('takes one file: a second one, also at the same moment, is told that the link is used', async () => {
  const url = await link();
  const answers = await Promise.all([send(url), send(url), send(url)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  const late = await send(url);
  expect(late).toMatchObject({
    status: 409,
    body: { error: { code: 'invalid_state', details: { from: 'used' } } },
  });
});

it('knows no link with another secret, of another workspace, after its time, or of nobody', async () => {
  const url = await link();
  const [base, ticket] = [url.slice(0, url.lastIndexOf('/') + 1), url.slice(url.lastIndexOf('/') + 1)];
  const bytes = Buffer.from(ticket, 'base64url');
  bytes[bytes.length - 1]! ^= 1;
  const elsewhere = Buffer.from(ticket, 'base64url');
  Buffer.from(world.otherWorkspaceId.replaceAll('-', ''), 'hex').copy(elsewhere, 16);
  const missing = { status: 404, body: { error: { code: 'not_found' } } };
  expect(await send(base + bytes.toString('base64url'))).toMatchObject(missing);
  expect(await send(base + elsewhere.toString('base64url'))).toMatchObject(missing);
  expect(await send(`${base}abc`)).toMatchObject(missing);
  world.setNow('2026-10-01T12:15:00Z');
  expect(await send(url)).toMatchObject(missing);
  world.setNow('2026-10-01T12:14:59Z');
  expect((await send(url)).status).toBe(201);
});

it('refuses a file above 10 MiB and anything but PUT, and stays good for the right file', async () => {
  const url = await link();
  expect(await send(url, Buffer.alloc(10_485_761))).toMatchObject({
    status: 413,
    body: { error: { code: 'file_too_large' } },
  });
  expect((await send(url, PDF, 'POST')).status).toBe(405);
  expect((await send(url, Buffer.alloc(0))).status).toBe(422);
  expect((await send(url, Buffer.alloc(10_485_760, 'a'))).status).toBe(201);
});

it('is worth nothing once the connection that made it is revoked', async () => {
  const { tokenId } = await world.caller('approver');
  const answer = await call(server.client('approver'), 'finance_attachments_upload', {
    file: { name: 'a.pdf' },
  });
  await revokeToken(world.runtime.database.shared, tokenId!, world.now());
  expect((await send(answer['upload_link'].url)).status).toBe(404);
});

it('is not offered where there is no address, and tells what to send instead', async () => {
  await expect(world.call('finance_attachments_upload', { file: { name: 'a.pdf' } })).rejects.toMatchObject({
    code: 'invalid_argument',
    details: { path: 'file.content_base64' },
  });
});

it('keeps no secret in clear: neither the row nor the audit chain opens the link', async () => {
  const url = await link();
  const secret = Buffer.from(url.slice(url.lastIndexOf('/') + 1), 'base64url').subarray(48);
  const rows = JSON.stringify(await world.look('select * from upload_links'));
  const events = JSON.stringify(await world.look('select body from events'));
  for (const text of [secret.toString('base64url'), secret.toString('hex')]) {
    expect(rows + events).not.toContain(text);
  }
});
