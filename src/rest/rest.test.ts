/** REST over the real HTTP server, and the same routes in the process. */

import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpServer, openServer } from '../../test/support/http.ts';
import { createAccount, createCompany } from '../../test/support/records.ts';
import { openSession } from '../../test/support/session.ts';
import { openWorld, type Who, type World } from '../../test/support/world.ts';
import { products } from '../apps/runtime.ts';
import { listen, shut } from '../apps/server.ts';
import { createRateLimiter } from '../core/rate-limits.ts';
import { noteVerification } from '../identity/sessions.ts';
import { createToken } from '../identity/tokens.ts';
import { createRest, type Rest } from './index.ts';

let world: World;
let server: HttpServer;
let base: string;
let company: string;
let account: string;
let person: string;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: any;
}

interface Sending {
  readonly who?: Who;
  readonly token?: string | null;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

async function send(method: string, path: string, sending: Sending = {}): Promise<Answer> {
  const { who = 'owner', token = world.tokens[who], body, headers = {} } = sending;
  const isText = typeof body === 'string';
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(token !== null && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

let bills = 0;

const bill = (more: object = {}) => ({
  company_id: company,
  person_id: person,
  description: `Conta de luz ${++bills}`,
  amount: '120.00',
  due_date: '2026-10-20',
  ...more,
});

async function createBill(more: object = {}): Promise<string> {
  const { body } = await send('POST', '/finance/v1/payables', { body: bill(more) });
  return body.items[0].id;
}

function expectProblem(answer: Answer, status: number, code: string): void {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(answer.body).toMatchObject({ type: `urn:kobana:error:${code}`, status, code });
  expect(Object.keys(answer.body).filter((key) => key !== 'details')).toEqual([
    'type',
    'title',
    'status',
    'detail',
    'code',
  ]);
}

beforeAll(async () => {
  world = await openWorld();
  server = await openServer(world);
  base = `http://127.0.0.1:${server.port}`;
  company = await createCompany(world);
  account = await createAccount(world, { company_id: company, opening_balance_cents: 100_000_00 });
  const made = await send('POST', '/finance/v1/people', {
    body: { name: 'Fornecedor', kind: 'legal', roles: ['supplier'] },
  });
  person = made.body.id;
});
afterAll(async () => {
  await server.close();
  await world.close();
});

describe('records', () => {
  it('makes one with 201 and says where it is', async () => {
    const made = await send('POST', '/finance/v1/people', {
      body: { name: 'Cliente', kind: 'legal', roles: ['customer'] },
    });
    expect(made.status, made.text).toBe(201);
    expect(made.headers.get('location')).toBe(`/finance/v1/people/${made.body.id}`);
    const read = await send('GET', made.headers.get('location')!);
    expect([read.status, read.body]).toEqual([200, made.body]);
    expect(read.headers.get('cache-control')).toBe('no-store');
  });

  it('changes one, with its id in the path only', async () => {
    const id = await createBill();
    const changed = await send('PATCH', `/finance/v1/payables/${id}`, { body: { description: 'Água' } });
    expect(changed.body).toMatchObject({ id, description: 'Água' });
    const twice = await send('PATCH', `/finance/v1/payables/${id}`, { body: { id, description: 'Gás' } });
    expectProblem(twice, 422, 'invalid_argument');
    expect(twice.body.details).toEqual({ path: 'id', expected: 'only in the path' });
  });

  it('lists page by page, with the next one as a link', async () => {
    for (let count = 0; count < 3; count += 1) await createBill({ due_date: '2026-11-05' });
    const seen: string[] = [];
    let path: string | null = '/finance/v1/payables?due_from=2026-11-05&limit=2&sort=due_date';
    let pages = 0;
    while (path !== null) {
      const { status, headers, body }: Answer = await send('GET', path);
      expect(status).toBe(200);
      seen.push(...body.items.map(({ id }: { id: string }) => id));
      const link: string | undefined = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
      expect(link === undefined).toBe(body.next_cursor === null);
      path = link ?? null;
      pages += 1;
    }
    expect([pages, seen.length, new Set(seen).size]).toEqual([2, 3, 3]);
  });

  it('reads what lies under another record', async () => {
    const path = `/finance/v1/financial-accounts/${account}/balances`;
    const made = await send('POST', path, { body: { amount: '12.30', as_of: '2026-10-01T08:00:00-03:00' } });
    expect([made.status, made.headers.get('location')]).toEqual([201, null]);
    const listed = await send('GET', path);
    expect(listed.body.items[0]).toMatchObject({ account_id: account, amount: '12.30' });
    expect((await send('GET', `${path}/latest`)).body).toMatchObject({ amount: '12.30' });
  });

  it('answers HEAD as GET without the body', async () => {
    const { status, headers } = await fetch(`${base}/finance/v1/me`, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${world.tokens.owner}` },
    });
    const { text } = await send('GET', '/finance/v1/me');
    expect([status, headers.get('content-length')]).toEqual([200, String(Buffer.byteLength(text))]);
  });

  it('gives the bytes of a file beside what describes it', async () => {
    const bytes = '%PDF-1.4\nrecibo\n%%EOF';
    const file = { name: 'recibo.pdf', content_base64: Buffer.from(bytes).toString('base64') };
    const sent = await send('POST', '/finance/v1/attachments/upload', { body: { file, kind: 'receipt' } });
    const path = `/finance/v1/attachments/${sent.body.attachment.id.toUpperCase()}/download`;
    expect((await send('GET', path)).body).toMatchObject({ file_name: 'recibo.pdf', size: bytes.length });
    const read = (who: Who) =>
      fetch(`${base}${path}/content`, { headers: { Authorization: `Bearer ${world.tokens[who]}` } });
    const got = await read('owner');
    expect([got.status, await got.text()]).toEqual([200, bytes]);
    expect(got.headers.get('content-type')).toBe('application/pdf');
    expect(got.headers.get('content-disposition')).toBe('attachment');
    expect(got.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await read('stranger')).status).toBe(404);
  });

  it('runs dry without making anything', async () => {
    const { body } = await send('GET', '/finance/v1/automatic-rules/apply');
    expect(body.code).toBe('method_not_allowed');
    const dry = await send('POST', '/finance/v1/automatic-rules/apply', { body: { dry_run: true } });
    expect([dry.status, dry.body.applied]).toEqual([200, false]);
  });
});

describe('queries', () => {
  it.each([
    ['limit=010', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=', 'limit'],
    ['limit=+5', 'limit'],
    ['limit=0x10', 'limit'],
    ['limit=5.0', 'limit'],
    ['limit=Infinity', 'limit'],
    ['limit=5&limit=6', 'limit'],
    ['overdue=1', 'overdue'],
    ['overdue=True', 'overdue'],
    ['overdue', 'overdue'],
    ['status=open&status=paid', 'status'],
    ['stauts=open', 'stauts'],
    ['__proto__=1', '__proto__'],
    ['workspace_id=Matriz', 'workspace_id'],
    ['id=0192f0a1-7b1c-7c3d-8e4f-0123456789ab', 'id'],
  ])('refuses %s', async (query, path) => {
    const answer = await send('GET', `/finance/v1/payables?${query}`);
    expectProblem(answer, 422, 'invalid_argument');
    expect(answer.body.details.path).toBe(path);
  });

  it('takes numbers, booleans, lists and objects in their one form', async () => {
    const list = await send('GET', '/finance/v1/payables?limit=5&overdue=false');
    expect(list.status, list.text).toBe(200);
    const groups = await send(
      'GET',
      '/finance/v1/financial-transactions/summary?group_by=month&group_by=direction&date_from=2026-01-01&date_to=2026-10-01',
    );
    expect(groups.status, groups.text).toBe(200);
    const tied = encodeURIComponent(JSON.stringify({ kind: 'person', id: person }));
    expect((await send('GET', `/finance/v1/attachments?linked_to=${tied}`)).body.items).toEqual([]);
    expectProblem(await send('GET', '/finance/v1/attachments?linked_to=person'), 422, 'invalid_argument');
  });

  it('takes no query where there is a body', async () => {
    const answer = await send('POST', '/finance/v1/people?dry_run=true', { body: { name: 'Nome' } });
    expectProblem(answer, 422, 'invalid_argument');
    expect(answer.body.details.path).toBe('dry_run');
  });
});

describe('bodies', () => {
  it('refuses what is no JSON object', async () => {
    const path = '/finance/v1/people';
    expectProblem(await send('POST', path, { body: '{' }), 400, 'invalid_json');
    expectProblem(await send('POST', path, { body: '[]' }), 422, 'invalid_argument');
    expectProblem(await send('POST', path, { body: 'null' }), 422, 'invalid_argument');
    expectProblem(await send('POST', path, { body: '{"__proto__":{"name":"a"}}' }), 422, 'invalid_argument');
    expectProblem(await send('POST', path, { body: '['.repeat(100) }), 400, 'invalid_json');
  });

  it('refuses other types, compressed and oversized bodies', async () => {
    const path = '/finance/v1/people';
    const wrong: Record<string, string>[] = [
      { 'Content-Type': 'text/plain' },
      { 'Content-Encoding': 'gzip' },
    ];
    for (const headers of wrong) {
      expectProblem(await send('POST', path, { body: '{}', headers }), 415, 'unsupported_media_type');
    }
    const huge = `{"name":"${'a'.repeat(15 * 1024 * 1024)}"}`;
    expectProblem(await send('POST', path, { body: huge }), 413, 'body_too_large');
  });

  it('takes none where every argument is optional', async () => {
    const answer = await send('POST', '/finance/v1/automatic-rules/apply');
    expect(answer.status, answer.text).toBe(200);
  });
});

describe('paths', () => {
  it.each(['/finance/v1', '/finance/v1/', '/finance/v1/nothing', '/finance/v1/payables/', '/finance/v1/%ff'])(
    'has nothing at %s',
    async (path) => {
      expectProblem(await send('GET', path), 404, 'not_found');
    },
  );

  it('names the methods of a path that has others', async () => {
    const answer = await send('PUT', '/finance/v1/payables', { body: {} });
    expectProblem(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
  });

  it('refuses an id that is none as an argument', async () => {
    const answer = await send('GET', '/finance/v1/payables/1');
    expectProblem(answer, 422, 'invalid_argument');
    expect(answer.body.details.path).toBe('id');
  });
});

describe('whose records', () => {
  it('answers for those of others as for none, byte by byte', async () => {
    const id = await createBill();
    const none = '0192f0a1-7b1c-7c3d-8e4f-0123456789ab';
    const [missing, foreign] = await Promise.all([
      send('GET', `/finance/v1/payables/${none}`, { who: 'stranger' }),
      send('GET', `/finance/v1/payables/${id}`, { who: 'stranger' }),
    ]);
    expectProblem(foreign!, 404, 'not_found');
    expect(foreign!.text.replace(id, none)).toBe(missing!.text);
    const elsewhere = [world.otherWorkspaceId, world.foreignWorkspaceId, none].map((workspace) =>
      send('GET', `/finance/v1/payables?workspace_id=${workspace}`),
    );
    const texts = new Set((await Promise.all(elsewhere)).map(({ text }) => text));
    expect(texts.size).toBe(1);
  });

  it('never looks at a cookie', async () => {
    const { cookie } = await openSession(world);
    const answer = await send('GET', '/finance/v1/me', { token: null, headers: { Cookie: cookie } });
    expectProblem(answer, 401, 'unauthenticated');
    expectProblem(
      await send('GET', '/account/v1/me', { token: null, headers: { Cookie: cookie } }),
      401,
      'unauthenticated',
    );
  });

  it('takes a token from the header only', async () => {
    const { tokens } = world;
    const answer = await send('GET', `/finance/v1/me?access_token=${tokens.owner}`, { token: null });
    expectProblem(answer, 400, 'invalid_request');
    expect(answer.text).not.toContain(tokens.owner);
  });

  it('lets pages of no other origin in', async () => {
    const answer = await send('GET', '/finance/v1/me', { headers: { Origin: 'https://evil.example' } });
    expectProblem(answer, 403, 'origin_not_allowed');
    const allowed = await send('GET', '/finance/v1/me', { headers: { Origin: base } });
    expect(allowed.headers.get('access-control-allow-origin')).toBe(base);
    expect(allowed.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('answers a preflight of an allowed page', async () => {
    const { status, headers } = await fetch(`${base}/finance/v1/payables`, {
      method: 'OPTIONS',
      headers: { Origin: base, 'Access-Control-Request-Method': 'POST' },
    });
    expect([status, headers.get('access-control-allow-methods')]).toEqual([204, 'GET, POST, PATCH, DELETE']);
    expect(headers.get('access-control-allow-headers')).toContain('Idempotency-Key');
  });
});

describe('Idempotency-Key', () => {
  it('makes a repeated call one call', async () => {
    const body = bill();
    const headers = { 'Idempotency-Key': 'luz-de-outubro' };
    const first = await send('POST', '/finance/v1/payables', { body, headers });
    const second = await send('POST', '/finance/v1/payables', { body, headers });
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
    const other = await send('POST', '/finance/v1/payables', { body: { ...body, amount: '1.00' }, headers });
    expectProblem(other, 409, 'idempotency_key_reused');
  });

  it('may be said in the body too, but not differently', async () => {
    const headers = { 'Idempotency-Key': 'one' };
    const same = { name: 'Um', kind: 'legal', roles: ['customer'], idempotency_key: 'one' };
    expect((await send('POST', '/finance/v1/people', { body: same, headers })).status).toBe(201);
    const other = { ...same, idempotency_key: 'two' };
    expectProblem(
      await send('POST', '/finance/v1/people', { body: other, headers }),
      422,
      'invalid_argument',
    );
  });
});

describe('what needs a yes', () => {
  const programToken = async () => {
    const { user } = await world.caller('owner');
    const { token } = await createToken(world.runtime.database.shared, {
      userId: user.id,
      organizationId: world.organizationId,
      product: 'finance',
      access: 'write',
      workspaceId: world.workspaceId,
      expiresAt: new Date('2030-01-01T00:00:00Z'),
      isForPrograms: true,
    });
    return token;
  };

  it('does not run with an ordinary token, whatever key it brings', async () => {
    const id = await createBill();
    const headers = { 'Idempotency-Key': 'delete it' };
    const answer = await send('DELETE', `/finance/v1/payables/${id}`, { headers });
    expectProblem(answer, 403, 'confirmation_required');
    expect((await send('GET', `/finance/v1/payables/${id}`)).status).toBe(200);
  });

  it('runs once with a token for programs and a key, and not without', async () => {
    const [id, token] = [await createBill(), await programToken()];
    const path = `/finance/v1/payables/${id}`;
    expectProblem(await send('DELETE', path, { token }), 422, 'idempotency_key_required');
    const headers = { 'Idempotency-Key': `delete ${id}` };
    const first = await send('DELETE', path, { token, headers });
    expect([first.status, first.body], first.text).toEqual([200, { id, deleted: true }]);
    const again = await send('DELETE', path, { token, headers });
    expect([again.status, again.text]).toEqual([200, first.text]);
    expectProblem(await send('GET', path), 404, 'not_found');
    const [event] = await world.look<{ body: string }>(
      `select body from events where operation = 'finance_payables_delete' and body like '%' || $1 || '%'`,
      [id],
    );
    expect(JSON.parse(event!.body)).toMatchObject({ outcome: 'done', actor: { surface: 'rest' } });
  });

  it('takes what else it needs from the query of a DELETE', async () => {
    const none = '0192f0a1-7b1c-7c3d-8e4f-0123456789ab';
    const headers = { 'Idempotency-Key': 'undo' };
    const token = await programToken();
    const without = await send('DELETE', `/finance/v1/reconciliations/${none}`, { token, headers });
    expect(without.body.details?.path, without.text).toBe('reason');
    const path = `/finance/v1/reconciliations/${none}?reason=Erro`;
    expectProblem(await send('DELETE', path, { token, headers }), 404, 'not_found');
  });

  it('is decided by people only', async () => {
    for (const verb of ['open', 'approve', 'decline']) {
      for (const product of ['finance']) {
        const path = `/${product}/v1/approvals/0192f0a1-7b1c-7c3d-8e4f-0123456789ab/${verb}`;
        expectProblem(await send('POST', path, { body: {} }), 403, 'session_required');
      }
    }
  });
});

describe('a call that waits for a person', () => {
  it('is opened, approved and read again over the same routes, and runs once', async () => {
    const session = await openSession(world);
    await session.account('account_controls_update', {
      workspace_id: world.workspaceId,
      approvals_enabled: true,
    });
    const id = await createBill();
    const refused = await send('DELETE', `/finance/v1/payables/${id}`);
    expectProblem(refused, 403, 'confirmation_required');
    const approvalId: string = refused.body.details.approval.id;
    const path = `/finance/v1/approvals/${approvalId}`;
    expect((await send('GET', path)).body).toMatchObject({ status: 'pending' });

    const { invokers, authenticator, now } = world.runtime;
    const originRules = { allowedHosts: [], allowedOrigins: [] };
    const { client } = createRest({
      products,
      invokers,
      authenticator,
      originRules,
      now,
      logFailure: () => 'id',
    });
    const decide = async (verb: string, body: object) =>
      client(
        { method: 'POST', path: `${path}/${verb}`, body: { workspace_id: world.workspaceId, ...body } },
        await session.caller('finance'),
      );
    const opened: any = (await decide('open', {})).body;
    expect(opened).toMatchObject({ may_approve: true, approval: { id: approvalId } });
    const early = await decide('approve', { state: opened.state });
    expect(early).toMatchObject({ status: 403, body: { code: 'verification_required' } });
    await noteVerification(
      world.runtime.database.shared,
      session.id,
      'password',
      `approval:${approvalId}`,
      now(),
    );
    const approved = await decide('approve', { state: opened.state });
    expect(approved).toMatchObject({ status: 200, body: { status: 'done', output: { id, deleted: true } } });
    await noteVerification(
      world.runtime.database.shared,
      session.id,
      'password',
      `approval:${approvalId}`,
      now(),
    );
    expect((await decide('approve', { state: opened.state })).status).toBe(409);
    expect((await send('GET', path)).body).toMatchObject({ status: 'done', answer: { id, deleted: true } });
    expectProblem(await send('GET', `/finance/v1/payables/${id}`), 404, 'not_found');
  });

  it('is refused with what is wrong in the decision', async () => {
    const session = await openSession(world);
    const { invokers, authenticator, now } = world.runtime;
    const originRules = { allowedHosts: [], allowedOrigins: [] };
    const { client } = createRest({
      products,
      invokers,
      authenticator,
      originRules,
      now,
      logFailure: () => 'id',
    });
    const path = '/finance/v1/approvals/0192f0a1-7b1c-7c3d-8e4f-0123456789ab/decline';
    const caller = await session.caller('finance');
    const wrong = await client({ method: 'POST', path, body: { reason: 7 } }, caller);
    expect(wrong).toMatchObject({ status: 422, body: { details: { path: 'reason' } } });
    const unknown = await client({ method: 'POST', path, body: { note: 'no' } }, caller);
    expect(unknown).toMatchObject({ status: 422, body: { details: { path: 'body' } } });
    const body = { workspace_id: world.workspaceId };
    const none = await client({ method: 'POST', path, body }, caller);
    expect(none).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

describe('limits', () => {
  it('are told with every answer, and a flood is refused before its body is read', async () => {
    const { invokers, authenticator, now } = world.runtime;
    const originRules = { allowedHosts: ['127.0.0.1'], allowedOrigins: [] };
    const limiter = createRateLimiter({ token: { calls: 2, perMs: 60_000 } });
    const rest = createRest({
      products,
      invokers,
      authenticator,
      originRules,
      limiter,
      now,
      logFailure: () => 'id',
    });
    const own = createServer((req, res) => void rest.mount(req, res, 'http://127.0.0.1'));
    const port = await listen(own, 0, '127.0.0.1');
    const ask = (method: string, body?: string) =>
      fetch(`http://127.0.0.1:${port}/finance/v1/people`, {
        method,
        headers: { Authorization: `Bearer ${world.tokens.colleague}`, 'Content-Type': 'application/json' },
        ...(body !== undefined && { body }),
      });
    const first = await ask('GET');
    expect([first.headers.get('ratelimit-limit'), first.headers.get('ratelimit-remaining')]).toEqual([
      '2',
      '1',
    ]);
    await ask('GET');
    const refused = await ask('POST', '{');
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: 'rate_limited', details: { retry_after: 30 } });
    expect(refused.headers.get('retry-after')).toBe('30');
    await shut(own, 0);
  });
});

describe('in this process', () => {
  let rest: Rest;
  beforeAll(() => {
    const { invokers, authenticator, now } = world.runtime;
    const originRules = { allowedHosts: [], allowedOrigins: [] };
    rest = createRest({ products, invokers, authenticator, originRules, now, logFailure: () => 'id' });
  });

  it('gives a person what HTTP gives their token', async () => {
    const session = await openSession(world);
    const path = '/finance/v1/payables?limit=1&workspace_id=';
    const over = await send('GET', path + world.workspaceId);
    const within = await rest.client(
      { method: 'GET', path: path + world.workspaceId },
      await session.caller('finance'),
    );
    expect([within.status, within.body]).toEqual([200, over.body]);
    expect(within.headers['Link'] ?? null).toBe(over.headers.get('link'));
  });

  it('records the console as the surface', async () => {
    const session = await openSession(world);
    const made = await rest.client(
      {
        method: 'POST',
        path: '/finance/v1/people',
        body: { name: 'Da tela', workspace_id: world.workspaceId, legal_name: undefined },
        idempotencyKey: 'once',
      },
      await session.caller('finance'),
    );
    expect(made.status, JSON.stringify(made.body)).toBe(422);
    const right = await rest.client(
      {
        method: 'POST',
        path: '/finance/v1/people',
        body: {
          name: 'Da tela',
          kind: 'legal',
          roles: ['customer'],
          workspace_id: world.workspaceId,
          notes: undefined,
        },
      },
      await session.caller('finance'),
    );
    expect(right.status, JSON.stringify(right.body)).toBe(201);
    const [event] = await world.look<{ body: string }>(
      `select body from events where operation = 'finance_people_create' order by position desc limit 1`,
    );
    expect(JSON.parse(event!.body).actor).toMatchObject({
      surface: 'console',
      clientId: 'console',
      tokenId: null,
    });
  });

  it('answers with the same problems', async () => {
    const session = await openSession(world);
    const finance = await session.caller('finance');
    const gone = await rest.client({ method: 'GET', path: '/finance/v1/nothing' }, finance);
    expect(gone).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const wrong = await rest.client(
      { method: 'GET', path: `/finance/v1/people?limit=0&workspace_id=${world.workspaceId}` },
      finance,
    );
    expect(wrong).toMatchObject({ status: 422, body: { code: 'invalid_argument' } });
  });
});
