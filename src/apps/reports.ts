/**
 * Takes what mail servers and providers report about messages: `POST /dunning/reports/<channel>/<organization id>`,
 * signed over its bytes. They only ever move messages of that organization.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, fail } from '../core/errors.ts';
import { parseId } from '../core/ids.ts';
import { jobContextOf } from '../core/job.ts';
import { selectTimeZone } from '../db/tenants.ts';
import { applyReports } from '../dunning/notifications/index.ts';
import { dsnReportsOf } from '../gateways/messages/dsn.ts';
import { httpProviderOf, httpReportsOf } from '../gateways/messages/http-messages.ts';
import type { DeliveryReport } from '../gateways/messages/port.ts';
import { SMTP_PROVIDER } from '../gateways/messages/port.ts';
import { isSameSecret, isSigned } from '../gateways/messages/reports.ts';
import { WHATSAPP_PROVIDER, whatsAppReportsOf } from '../gateways/messages/whatsapp-cloud.ts';
import { ClientGone, drain } from '../mcp/body.ts';
import { HttpRefusal } from '../mcp/guard.ts';
import { sendJson } from '../mcp/lean.ts';
import type { ReportsAccess } from './messages.ts';
import { products, type Runtime } from './runtime.ts';

const PATH = /^\/dunning\/reports\/(email|sms|whatsapp|letter)\/([0-9A-Fa-f-]{36})(?:\?(.{0,1000}))?$/;
const BODY_BYTES_MAX = 65_536;
const TASK = 'dunning_take_reports';
const CHALLENGE = /^[\w.-]{1,200}$/;

type Channel = 'email' | 'sms' | 'whatsapp' | 'letter';

/** How reports of a channel are signed and read. */
interface Desk {
  readonly provider: string;
  readonly secret: string | undefined;
  readonly signatureHeader: string;
  /** The reports of a body; null when it is none that belongs here. */
  readonly read: (bytes: Buffer, now: Date) => readonly DeliveryReport[] | null;
  /** What says that they were taken. */
  readonly status: number;
}

/** Reports that told something new, and those of messages that are not known (yet): the latter may be sent again. */
interface Taken {
  readonly applied: number;
  readonly unknown: number;
}

/** Gives false, and touches nothing, for every other path. */
export function answerReports(
  runtime: Runtime,
  access: ReportsAccess | undefined,
  req: IncomingMessage,
  res: ServerResponse,
  logFailure: (error: unknown, where: string) => string,
): boolean {
  const [, channel, id, query = ''] = PATH.exec(req.url ?? '') ?? [];
  const organizationId = parseId(id ?? '');
  if (channel === undefined || organizationId === null) return false;
  const desk = deskOf(channel as Channel, access);
  if (req.method === 'GET' && channel === 'whatsapp') {
    answerChallenge(req, res, access?.whatsapp?.verifyToken, new URLSearchParams(query));
    return true;
  }
  take(runtime, desk, req, organizationId).then(
    (taken) => sendJson(res, desk.status, JSON.stringify(taken)),
    (error: unknown) => refuse(req, res, error, logFailure),
  );
  return true;
}

function deskOf(channel: Channel, access: ReportsAccess | undefined): Desk {
  const ours = { secret: access?.secret, signatureHeader: 'x-kobana-signature', status: 202 };
  switch (channel) {
    case 'email':
      return { ...ours, provider: SMTP_PROVIDER, read: dsnReportsOf };
    case 'whatsapp':
      return {
        provider: WHATSAPP_PROVIDER,
        secret: access?.whatsapp?.appSecret,
        signatureHeader: 'x-hub-signature-256',
        read: whatsAppReportsOf,
        // Meta sends again whatever is answered otherwise.
        status: 200,
      };
    default:
      return { ...ours, provider: httpProviderOf(channel), read: httpReportsOf };
  }
}

/** The signature is looked for before the body is read, and checked before anything is looked up. */
async function take(
  runtime: Runtime,
  desk: Desk,
  req: IncomingMessage,
  organizationId: string,
): Promise<Taken> {
  if (req.method !== 'POST') {
    throw new HttpRefusal(405, 'method_not_allowed', 'Send reports with POST.', { Allow: 'POST' });
  }
  const signature = req.headers[desk.signatureHeader];
  if (desk.secret === undefined || typeof signature !== 'string') throw unsigned();
  const bytes = await readBody(req);
  if (!isSigned(bytes, signature, desk.secret)) throw unsigned();
  const reports = desk.read(bytes, runtime.now());
  if (reports === null) {
    throw new HttpRefusal(422, 'invalid_report', 'This is no report in the form of its channel.');
  }
  const timeZone = await selectTimeZone(runtime.database.shared, organizationId, null);
  if (timeZone === undefined) fail('not_found', { kind: 'organization', id: organizationId });
  if (reports.length === 0) return { applied: 0, unknown: 0 };
  const place = { organizationId, workspaceId: null, timeZone };
  const payload = { provider: desk.provider, reports };
  const ports = runtime.portsOf(products.dunning.catalogue);
  return jobContextOf(ports, TASK, payload, place, null).write((context) =>
    applyReports(context, desk.provider, reports),
  );
}

/** Meta asks once whether the address is ours, with the word that both know. */
function answerChallenge(
  req: IncomingMessage,
  res: ServerResponse,
  verifyToken: string | undefined,
  query: URLSearchParams,
): void {
  drain(req);
  const challenge = query.get('hub.challenge') ?? '';
  const given = query.get('hub.verify_token') ?? '';
  const isKnown =
    verifyToken !== undefined && isSameSecret(given, verifyToken) && query.get('hub.mode') === 'subscribe';
  if (!isKnown || !CHALLENGE.test(challenge)) {
    sendJson(res, 403, JSON.stringify({ error: { code: 'forbidden', message: 'Not the agreed word.' } }));
    return;
  }
  const headers = { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' };
  res.writeHead(200, { ...headers, 'Content-Length': challenge.length }).end(challenge);
}

/** The whole body. Fails with 413 past the limit, and with `ClientGone`. */
async function readBody(req: IncomingMessage): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > BODY_BYTES_MAX) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      size += (chunk as Buffer).length;
      if (size > BODY_BYTES_MAX) break;
      chunks.push(chunk as Buffer);
    }
  } catch {
    throw new ClientGone();
  }
  if (size > BODY_BYTES_MAX) throw tooLarge();
  return Buffer.concat(chunks);
}

function unsigned(): HttpRefusal {
  return new HttpRefusal(401, 'unsigned', 'Reports are signed over their bytes with the agreed secret.');
}

function tooLarge(): HttpRefusal {
  return new HttpRefusal(413, 'report_too_large', 'A report has at most 64 KiB.');
}

function refuse(
  req: IncomingMessage,
  res: ServerResponse,
  error: unknown,
  logFailure: (error: unknown, where: string) => string,
): void {
  if (error instanceof ClientGone) return;
  drain(req);
  if (error instanceof HttpRefusal) {
    const { status, code, message, headers } = error;
    sendJson(res, status, JSON.stringify({ error: { code, message } }), headers);
    return;
  }
  const known =
    error instanceof AppError ? error : new AppError('internal', { id: logFailure(error, 'reports') });
  sendJson(res, known.status, JSON.stringify(known.toEnvelope()));
}
