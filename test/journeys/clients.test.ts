/** The official clients against the real servers: every kind of client, over HTTP and over stdio. */

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { finance } from '../../src/finance/index.ts';
import { createBill, createPayer } from '../support/banking.ts';
import {
  type ClientKind,
  type Connection,
  connectClient,
  type PersonAnswer,
  stdioCommand,
  type TransportKind,
} from '../support/clients.ts';
import { type HttpServer, openServer } from '../support/http.ts';
import { fixtureFile } from '../support/notes.ts';
import { CAPABILITIES_KEY, VERSION_KEY } from '../support/raw-client.ts';
import { openWorld, type World } from '../support/world.ts';

const CANCEL = 'finance_payables_cancel';
const MISSING = 'kobana://finance/payables/0192f000-0000-7000-8000-000000000000';
const MEBIBYTE = 1024 * 1024;

interface Combination {
  readonly kind: ClientKind;
  readonly transport: TransportKind;
  readonly era: '2025' | '2026';
  /** What the client makes of a URI that leads nowhere: 2.x turns the 2025 code into the one of 2026. */
  readonly notFound: number;
}

const combinations: Combination[] = (['http', 'stdio'] as const).flatMap((transport) => [
  { kind: 'pinned to 2026-07-28', transport, era: '2026', notFound: -32_602 },
  { kind: 'default mode', transport, era: '2025', notFound: -32_602 },
  { kind: 'auto mode', transport, era: '2026', notFound: -32_602 },
  { kind: 'sdk 1.32', transport, era: '2025', notFound: -32_002 },
]);

let world: World;
let server: HttpServer;
let payer: Awaited<ReturnType<typeof createPayer>>;
const files = {
  xml: fixtureFile('three-installments.xml'),
  latin1: fixtureFile('latin-1.xml'),
  pdf: Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(4_096)]),
  largest: Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(10 * MEBIBYTE - 9)]),
};
const attachmentIds = {} as Record<keyof typeof files, string>;

beforeAll(async () => {
  world = await openWorld();
  server = await openServer(world);
  payer = await createPayer(world);
  for (const name of Object.keys(files) as (keyof typeof files)[]) {
    const file = { name: `${name}.bin`, content_base64: files[name].toString('base64') };
    attachmentIds[name] = (await world.call('finance_attachments_upload', { file }))['attachment'].id;
  }
});
afterAll(async () => {
  await server.close();
  await world.close();
});

const fileUri = (name: keyof typeof files) => `kobana://finance/attachments/${attachmentIds[name]}/download`;
const statusOf = async (id: string) => (await world.call('finance_payables_get', { id }))['status'];

describe.each(combinations)('the client $kind over $transport', ({ kind, transport, era, notFound }) => {
  let connection: Connection;
  let billId: string;
  let answer: PersonAnswer = { action: 'accept', content: { confirm: true } };
  beforeAll(async () => {
    billId = await createBill(world, payer);
    connection = await connectClient({ world, server, kind, transport, answer: () => answer });
  });
  afterAll(() => connection?.client.close());

  test('lists tools, resources, templates and prompts', async () => {
    const { client } = connection;
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...finance.everyday!,
      'finance_tools_search',
      'finance_tools_read',
      'finance_tools_act',
    ]);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['kobana://finance/schemas']);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(
      expect.arrayContaining([
        'kobana://finance/schemas/{schema}',
        'kobana://finance/payables/{id}',
        'kobana://finance/financial-accounts/{account_id}',
        'kobana://finance/people/{id}',
        'kobana://finance/companies/{id}',
        'kobana://finance/fiscal-documents/{id}',
        'kobana://finance/attachments/{attachment_id}',
        'kobana://finance/attachments/{attachment_id}/download',
      ]),
    );
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toContain('overdue_payables');
  });

  test('runs a read tool whose structured answer its schema accepts', async () => {
    const result = await connection.client.callTool({
      name: 'finance_payables_get',
      arguments: { id: billId },
    });
    expect(result.isError ?? false).toBe(false);
    expect(result.structuredContent).toMatchObject({ id: billId, amount: '1234.56', status: 'open' });
    expect(JSON.parse(result.content[0]!.text!)).toEqual(result.structuredContent);
  });

  test('runs an ordinary write without asking (CF-15, CF-83)', async () => {
    const name = `Fornecedor de ${kind}, ${transport}`;
    const result = await connection.client.callTool({
      name: 'finance_people_create',
      arguments: { name, kind: 'legal', roles: ['supplier'] },
    });
    expect(result.structuredContent).toMatchObject({ name });
    expect(connection.questions).toEqual([]);
  });

  test('RE-05: reads a record as JSON', async () => {
    const uri = `kobana://finance/payables/${billId}`;
    const { contents } = await connection.client.readResource({ uri });
    expect(contents).toMatchObject([{ uri, mimeType: 'application/json' }]);
    expect(JSON.parse(contents[0]!.text!)).toMatchObject({ id: billId, amount: '1234.56' });
  });

  test('C-31: reads XML in UTF-8 as text and XML in Latin-1 as bytes, unchanged', async () => {
    const [text] = (await connection.client.readResource({ uri: fileUri('xml') })).contents;
    expect(text).toEqual({
      uri: fileUri('xml'),
      mimeType: 'application/xml',
      text: files.xml.toString('utf8'),
    });
    const [bytes] = (await connection.client.readResource({ uri: fileUri('latin1') })).contents;
    expect(bytes).toEqual({
      uri: fileUri('latin1'),
      mimeType: 'application/xml',
      blob: files.latin1.toString('base64'),
    });
  });

  test('C-31: reads a PDF as bytes', async () => {
    const { contents } = await connection.client.readResource({ uri: fileUri('pdf') });
    expect(contents).toEqual([
      { uri: fileUri('pdf'), mimeType: 'application/pdf', blob: files.pdf.toString('base64') },
    ]);
  });

  // Over stdio the clients join what arrives anew for each chunk, which takes them seconds for such a line; there the
  // raw test below reads the same file.
  test.runIf(transport === 'http')('C-30: reads a file of 10 MiB exactly', async () => {
    const [file] = (await connection.client.readResource({ uri: fileUri('largest') })).contents;
    expectLargest(file!.blob);
  });

  test('T-5: a record that is not there is a not-found error of its era', async () => {
    await expect(connection.client.readResource({ uri: MISSING })).rejects.toMatchObject({ code: notFound });
  });

  test('gets a prompt and completes its argument and an id in a URI', async () => {
    const { client } = connection;
    const { messages } = await client.getPrompt({
      name: 'overdue_payables',
      arguments: { company_id: payer.companyId },
    });
    expect(messages).toMatchObject([{ role: 'user', content: { type: 'text' } }]);
    expect(messages[0]!.content.text).toContain(payer.companyId);
    const company = await client.complete({
      ref: { type: 'ref/prompt', name: 'overdue_payables' },
      argument: { name: 'company_id', value: payer.companyId.slice(0, 8) },
    });
    expect(company.completion.values).toEqual([payer.companyId]);
    const payable = await client.complete({
      ref: { type: 'ref/resource', uri: 'kobana://finance/payables/{id}' },
      argument: { name: 'id', value: billId.slice(0, -2) },
    });
    expect(payable.completion.values).toContain(billId);
  });

  test.runIf(era === '2026')(
    'CF-40 CF-42: a destructive tool runs on the yes of the person only',
    async () => {
      const { client, questions } = connection;
      const call = { name: CANCEL, arguments: { id: billId, reason: 'Pedido desfeito' } };
      questions.length = 0;
      answer = { action: 'decline' };
      const declined = await client.callTool(call);
      expect(declined.isError).toBe(true);
      expect(JSON.parse(declined.content[0]!.text!).error.code).toBe('USER_DECLINED');
      expect(await statusOf(billId)).toBe('open');
      answer = { action: 'accept', content: { confirm: true } };
      const confirmed = await client.callTool(call);
      expect(confirmed.structuredContent).toMatchObject({ id: billId, status: 'canceled' });
      expect(await statusOf(billId)).toBe('canceled');
      expect(questions).toHaveLength(2);
      expect(questions[0]).toContain('(finance_payables_cancel)\n');
      expect(questions[0]).toContain('- Valor: R$ 1.234,56');
    },
  );

  test.runIf(era === '2025')(
    'CF-82: a destructive tool needs a confirmation and never asks for one',
    async () => {
      const result = await connection.client.callTool({
        name: CANCEL,
        arguments: { id: billId, reason: 'Pedido desfeito' },
      });
      expect(result.isError).toBe(true);
      expect(JSON.parse(result.content[0]!.text!).error.code).toBe('confirmation_required');
      expect(await statusOf(billId)).toBe('open');
      // A question pushed to the client would have reached the handler by the time of one more answer.
      await connection.client.listPrompts();
      expect(connection.questions).toEqual([]);
    },
  );
});

/** Compared as bytes: the runner would need minutes to show a difference of ten megabytes of text. */
function expectLargest(blob: string | undefined): void {
  expect(Buffer.from(blob ?? '', 'base64').equals(files.largest)).toBe(true);
}

describe('the wire under the clients', () => {
  test('T-5: over HTTP a missing record is -32002 on 2025 and -32602 on 2026', async () => {
    const client = server.client();
    const data = { uri: MISSING };
    expect((await client.l('resources/read', { uri: MISSING })).body.error).toMatchObject({
      code: -32_002,
      data,
    });
    expect((await client.m('resources/read', { uri: MISSING })).body.error).toMatchObject({
      code: -32_602,
      data,
    });
  });

  test.each([
    ['2025', -32_002],
    ['2026', -32_602],
  ] as const)(
    'T-5 C-30: over stdio on %s a missing record is %i, and a file of 10 MiB is whole',
    async (era, code) => {
      const envelope = { _meta: { [VERSION_KEY]: '2026-07-28', [CAPABILITIES_KEY]: {} } };
      const opening = {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'raw', version: '1' },
      };
      const read = (id: number, uri: string) => ({
        id,
        method: 'resources/read',
        params: { uri, ...(era === '2026' && envelope) },
      });
      const start =
        era === '2026'
          ? []
          : [{ id: 1, method: 'initialize', params: opening }, { method: 'notifications/initialized' }];
      const answers = await answersOverStdio(
        [...start, read(2, MISSING), read(3, fileUri('largest'))],
        [2, 3],
      );
      expect(answers.get(2).error).toMatchObject({ code, data: { uri: MISSING } });
      expectLargest(answers.get(3).result.contents[0].blob);
    },
  );
});

/** Sends messages to a `kobana stdio` of its own and gives the answers with these ids. */
async function answersOverStdio(
  messages: readonly object[],
  ids: readonly number[],
): Promise<Map<number, any>> {
  const { command, args, env } = stdioCommand(world);
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const answers = new Map<number, any>();
  try {
    for (const message of messages) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    }
    for await (const line of createInterface({ input: child.stdout })) {
      const answer = JSON.parse(line);
      answers.set(answer.id, answer);
      if (ids.every((id) => answers.has(id))) return answers;
    }
    throw new Error('the process ended without the answers');
  } finally {
    child.stdin.end();
    await exited;
  }
}
