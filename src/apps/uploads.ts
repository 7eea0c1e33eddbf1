/** Takes the file of a one-time upload link: `PUT /finance/uploads/<ticket>` with the bytes as the body. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, fail } from '../core/errors.ts';
import { readUploadTicket, receiveUpload, requireUploadLink } from '../finance/attachments/index.ts';
import { drain, readBody } from '../mcp/body.ts';
import { HttpRefusal } from '../mcp/guard.ts';
import { sendJson } from '../mcp/lean.ts';
import type { Runtime } from './runtime.ts';

const PATH = /^\/finance\/uploads\/([\w-]{1,200})$/;

/** Gives false, and touches nothing, for every other path. */
export function answerUpload(
  runtime: Runtime,
  req: IncomingMessage,
  res: ServerResponse,
  logFailure: (error: unknown, where: string) => string,
): boolean {
  const ticket = PATH.exec(req.url ?? '')?.[1];
  if (ticket === undefined) return false;
  receive(runtime, req, ticket).then(
    (attachment) => sendJson(res, 201, JSON.stringify(attachment)),
    (error: unknown) => refuse(req, res, error, logFailure),
  );
  return true;
}

/** The link is looked at before the body is read, so that nobody sends megabytes to a link that is none. */
async function receive(runtime: Runtime, req: IncomingMessage, text: string): Promise<unknown> {
  if (req.method !== 'PUT') {
    throw new HttpRefusal(405, 'method_not_allowed', 'Send the bytes of the file with PUT.', {
      Allow: 'PUT',
    });
  }
  const ticket = readUploadTicket(text) ?? fail('not_found', { kind: 'upload_link' });
  const { organizationId, workspaceId, linkId, secret } = ticket;
  const link = await runtime.database.read({ organizationId, workspaceId }, (db) =>
    requireUploadLink(db, ticket, runtime.now()),
  );
  const caller =
    link.token_id === null ? null : await runtime.authenticator.callerOf(link.token_id, runtime.now());
  if (caller === null) fail('not_found', { kind: 'upload_link' });
  const bytes = await readBody(req);
  const args = {
    link_id: linkId,
    secret,
    content_base64: bytes.toString('base64'),
    workspace_id: workspaceId,
  };
  const outcome = await runtime.invokers.finance.call(receiveUpload, args, caller, { surface: 'rest' });
  if (outcome.kind !== 'done') throw new Error('receiving a file asked a question');
  return outcome.output;
}

function refuse(
  req: IncomingMessage,
  res: ServerResponse,
  error: unknown,
  logFailure: (error: unknown, where: string) => string,
): void {
  drain(req);
  if (error instanceof HttpRefusal) {
    const { status, code, message, headers } = error;
    sendJson(res, status, JSON.stringify({ error: { code, message } }), headers);
    return;
  }
  const known =
    error instanceof AppError ? error : new AppError('internal', { id: logFailure(error, 'upload') });
  sendJson(res, known.status, JSON.stringify(known.toEnvelope()));
}
