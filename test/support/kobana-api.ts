/**
 * Kobana's API on loopback, as its description tells it: it checks what it is sent and what it answers, keeps payments,
 * transfers, charges, announced boletos and statements in memory, and fails on request.
 */

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { problemOfAnswer, problemOfRequest } from './kobana-api-schemas.ts';

type Json = Record<string, any>;

/** Something that goes wrong with one call. */
export interface Fault {
  /** Method and start of the path, such as "POST /v2/payment". */
  readonly on: string;
  /** Whether the request is carried out all the same. */
  readonly acts: boolean;
  /** Answer this, hang, cut the answer in its middle, or answer rubbish. */
  readonly as:
    | { readonly status: number; readonly body?: Json; readonly headers?: Readonly<Record<string, string>> }
    | 'hangs'
    | 'is_cut'
    | 'is_rubbish'
    | 'never_ends';
}

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly key: string | undefined;
  readonly body: Json | undefined;
  readonly status: number;
  readonly answer: Json | undefined;
}

export interface KobanaApi {
  readonly url: string;
  readonly token: string;
  readonly accountUid: string;
  readonly pixAccountUid: string;
  readonly exchanges: Exchange[];
  /** Violations of the description, by the adapter or by this server; a test ends with none. */
  readonly problems: string[];
  readonly payments: Json[];
  readonly transfers: Json[];
  readonly charges: Json[];
  readonly receipts: Json[];
  readonly announced: Json[];
  readonly statement: Json[];
  /** Fails the next call that fits. */
  failNext(fault: Fault): void;
  /** Requests of this method whose path begins so. */
  calls(on: string): Exchange[];
  close(): Promise<void>;
}

const PAGE_MAX = 50;
const STATEMENT_PAGE_MAX = 500;

class Refusal extends Error {
  readonly status: number;
  readonly errors: Json[];
  constructor(status: number, ...errors: Json[]) {
    super(String(status));
    this.status = status;
    this.errors = errors;
  }
}

export async function openKobanaApi(): Promise<KobanaApi> {
  const faults: Fault[] = [];
  const state = {
    token: `secret-${randomUUID()}`,
    accountUid: randomUUID(),
    pixAccountUid: randomUUID(),
    exchanges: [] as Exchange[],
    problems: [] as string[],
    payments: [] as Json[],
    transfers: [] as Json[],
    charges: [] as Json[],
    receipts: [] as Json[],
    announced: [] as Json[],
    statement: [] as Json[],
  };
  const server = createServer((request, response) => {
    serve(state, faults, request, response).catch((error) => {
      state.problems.push(String(error));
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ...state,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failNext: (fault) => faults.push(fault),
    calls: (on) => state.exchanges.filter(({ method, path }) => `${method} ${path}`.startsWith(on)),
    close: () => closeServer(server),
  };
}

type State = Omit<KobanaApi, 'url' | 'failNext' | 'calls' | 'close'>;

interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: Record<string, string>;
  readonly body: Json | undefined;
}

async function serve(
  state: State,
  faults: Fault[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://loopback');
  const call: Call = {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    body: await readBody(request),
  };
  const at = faults.findIndex(({ on }) => `${call.method} ${call.path}`.startsWith(on));
  const [fault] = at === -1 ? [] : faults.splice(at, 1);
  const answered = fault?.acts === false ? undefined : answer(state, call, request.headers.authorization);
  const key = request.headers['x-idempotency-key'] as string | undefined;
  state.exchanges.push({ ...call, key, status: answered?.status ?? 0, answer: answered?.body });
  if (fault !== undefined) fail(response, fault, answered?.body ?? {});
  else send(response, answered!.status, answered!.body, {});
}

/** Carries out the request and checks both sides of it. */
function answer(state: State, call: Call, authorization: string | undefined): { status: number; body: Json } {
  const route = `${call.method} ${call.path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '*')}`;
  const result = outcomeOf(state, call, authorization);
  const sent = result.status < 400 ? problemOfRequest(route, call.body) : null;
  const answered = problemOfAnswer(route, result.status, result.body);
  for (const problem of [sent, answered]) if (problem !== null) state.problems.push(`${route}: ${problem}`);
  return result;
}

function outcomeOf(
  state: State,
  call: Call,
  authorization: string | undefined,
): { status: number; body: Json } {
  try {
    if (authorization !== `Bearer ${state.token}`) {
      throw new Refusal(401, { title: 'Token de API inválido', code: 'unauthorized' });
    }
    return handle(state, call);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: error.status, body: { status: error.status, errors: error.errors } };
  }
}

function handle(state: State, call: Call): { status: number; body: Json } {
  const { method, path, query, body } = call;
  const [, , area, name, third, fourth] = path.split('/');
  const ok = (data: unknown) => ({ status: 200, body: { status: 200, data } as Json });
  const created = (data: unknown) => ({ status: 201, body: { status: 201, data } as Json });
  if (method === 'POST' && area === 'payment') return created(newBatch(state, 'payments', name!, body!));
  if (method === 'POST' && area === 'transfer') return created(newBatch(state, 'transfers', name!, body!));
  if (area === 'payments' || area === 'transfers') {
    const records = state[area];
    if (name === undefined)
      return listed(records.filter(fits(query, 'external_id', 'kind')), query, PAGE_MAX);
    const found = required(records, name);
    if (method === 'GET') return ok(found);
    return ok(cancel(found, 'confirmed', 'rejected'));
  }
  if (path.startsWith('/v2/charge/pix_accounts')) {
    const account = {
      uid: state.pixAccountUid,
      financial_account_uid: state.accountUid,
      status: 'active',
      default: true,
    };
    return listed([account], query, PAGE_MAX);
  }
  if (path.startsWith('/v2/charge/payments')) {
    return listed(
      state.receipts.filter(({ payable }) => payable.uid === query['payable_public_id']),
      query,
      PAGE_MAX,
    );
  }
  if (area === 'charge') {
    if (method === 'POST') return created(newCharge(state, body!));
    if (third === undefined) return listed(state.charges.filter(fits(query, 'txid')), query, PAGE_MAX);
    return ok(cancel(required(state.charges, third), 'paid', 'canceled'));
  }
  if (name === 'dda_bank_billets') {
    if (third === undefined) return listed(state.announced, query, PAGE_MAX);
    const boleto = required(state.announced, third);
    if (method === 'PUT') reject(boleto);
    return ok(boleto);
  }
  if (area === 'financial' && fourth === 'statement_transactions') return statementPage(state, third!, query);
  throw new Refusal(404, { title: 'Não foi possível encontrar o registro', code: 'not_found' });
}

function newBatch(state: State, family: 'payments' | 'transfers', name: string, body: Json): Json {
  const kind = name.replace('_batches', '');
  const financial_account_uid = body['financial_account_uid'];
  if (financial_account_uid !== state.accountUid) {
    throw invalid('financial_account_uid', 'Conta Financeira não encontrada');
  }
  const uid = randomUUID();
  const orders = (body[family] as Json[]).map((item) => {
    if (state[family].some(({ external_id }) => external_id === item['external_id'])) {
      throw invalid(`${family}.external_id`, 'ID externo já está em uso');
    }
    return family === 'payments' ? newPayment(state, kind, uid, item) : newTransfer(state, kind, item);
  });
  state[family].unshift(...orders);
  return { uid, status: 'pending', registration_status: 'pending', financial_account_uid, [family]: orders };
}

function newOrder(state: State, kind: string, item: Json): Json {
  const at = new Date().toISOString();
  return {
    uid: randomUUID(),
    kind,
    status: 'pending',
    registration_status: 'pending',
    amount: item['amount'],
    scheduled_to: item['scheduled_to'] ?? null,
    external_id: item['external_id'] ?? null,
    financial_account_uid: state.accountUid,
    confirmed_at: null,
    rejected_at: null,
    rejected_error: null,
    transaction_code: null,
    transaction_date: null,
    financial_provider_external_id: null,
    created_at: at,
    updated_at: at,
  };
}

function newPayment(state: State, kind: string, batch_uid: string, item: Json): Json {
  const { code, qrcode, format, kind: tax } = item;
  const target = kind === 'pix' ? { qrcode } : { code, ...(kind === 'tax' && { format, kind: tax }) };
  return { ...newOrder(state, kind, item), batch_uid, [kind]: target };
}

function newTransfer(state: State, kind: string, item: Json): Json {
  return {
    ...newOrder(state, kind, item),
    beneficiary: item['beneficiary'],
    target: { transfer_kind: kind },
  };
}

/** Registered in the background: the code comes later. */
function newCharge(state: State, body: Json): Json {
  const charge = {
    uid: randomUUID(),
    status: 'opened',
    registration_status: 'pending',
    amount: body['amount'],
    pix_account_uid: body['pix_account_uid'],
    expire_at: body['expire_at'],
    txid: body['txid'] ?? null,
    external_id: body['external_id'] ?? null,
    paid_at: null,
    paid_amount: null,
    end_to_end_id: null,
    qrcode: { emv: null, png: null },
    created_at: new Date().toISOString(),
  };
  state.charges.unshift(charge);
  return charge;
}

function cancel(record: Json, ...tooLate: string[]): Json {
  if (tooLate.includes(record['status'])) {
    throw new Refusal(422, { code: 'unprocessable_content', title: 'Não foi possível cancelar.' });
  }
  record['status'] = 'canceled';
  return { id: 1, uid: randomUUID(), status: 'pending', operation: 'cancel' };
}

function reject(boleto: Json): void {
  if (boleto['status'] !== 'pending') {
    throw new Refusal(422, { code: 'unprocessable_content', title: 'Ação não permitida' });
  }
  boleto['status'] = 'rejected';
}

function statementPage(state: State, account: string, query: Json): { status: number; body: Json } {
  if (account !== state.accountUid) throw new Refusal(404, { code: 'not_found' });
  const { occurrence_date_from: from, occurrence_date_to: to, cursor } = query;
  if ((Date.parse(to) - Date.parse(from)) / 86_400_000 >= 180) {
    throw invalid('occurrence_date_to', 'Intervalo maior que 180 dias');
  }
  const lines = state.statement.filter(({ occurrence_date: on }) => on >= from && on <= to);
  const start = Number(cursor ?? 0);
  const end = start + Math.min(Number(query['per_page'] ?? PAGE_MAX), STATEMENT_PAGE_MAX);
  const pagination = { page: 1, next_cursor: end < lines.length ? String(end) : null };
  return { status: 200, body: { status: 200, data: lines.slice(start, end), pagination } };
}

function fits(query: Json, ...names: string[]): (record: Json) => boolean {
  return (record) => names.every((name) => query[name] === undefined || record[name] === query[name]);
}

function listed(records: Json[], query: Json, most: number): { status: number; body: Json } {
  const page = Number(query['page'] ?? 1);
  const size = Math.min(Number(query['per_page'] ?? most), most);
  const next_url = page * size < records.length ? `http://loopback/?page=${page + 1}` : null;
  const data = records.slice((page - 1) * size, page * size);
  return { status: 200, body: { status: 200, data, pagination: { page, prev_url: null, next_url } } };
}

function required(records: Json[], uid: string): Json {
  const found = records.find((record) => record['uid'] === uid);
  if (found === undefined)
    throw new Refusal(404, { title: 'Não foi possível encontrar o registro', code: 'not_found' });
  return found;
}

function invalid(param: string, detail: string): Refusal {
  return new Refusal(422, { code: 'validation_error', param, detail });
}

function fail(response: ServerResponse, { as }: Fault, body: Json): void {
  if (as === 'hangs') return;
  if (as === 'is_cut') {
    response.writeHead(201, { 'content-type': 'application/json', 'content-length': '10000' });
    response.write(JSON.stringify(body).slice(0, 20), () => response.destroy());
  } else if (as === 'is_rubbish') {
    response.writeHead(200, { 'content-type': 'application/json' }).end('<html>{"data":</html>');
  } else if (as === 'never_ends') {
    response.writeHead(200, { 'content-type': 'application/json' });
    const chunk = Buffer.alloc(1_048_576, ' ');
    const more = () => response.destroyed || response.write(chunk, () => setImmediate(more));
    more();
  } else {
    send(response, as.status, as.body, as.headers ?? {});
  }
}

function send(
  response: ServerResponse,
  status: number,
  body: Json | undefined,
  headers: Readonly<Record<string, string>>,
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(body === undefined ? '' : JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<Json | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? undefined : (JSON.parse(text) as Json);
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
