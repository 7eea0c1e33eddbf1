/** What goes wrong on the way in: a clear error that names the field and the right form, and nothing left behind. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildBoleto } from '../../src/core/documents/boleto.ts';
import { buildStaticPixCode } from '../../src/core/documents/pix.ts';
import { collectAnswers } from '../support/answers.ts';
import { createPayer, createSupplier, type Payer } from '../support/banking.ts';
import { errorOf } from '../support/confirming.ts';
import { type HttpServer, openServer } from '../support/http.ts';
import { fixtureFile } from '../support/notes.ts';
import { CAPABILITIES_KEY, callOf, type RawClient, VERSION_KEY } from '../support/raw-client.ts';
import { openWorld, type World } from '../support/world.ts';

const CREATE = 'finance_payables_create';
const IMPORT = 'finance_fiscal_documents_import';

const answers = collectAnswers();
let world: World;
let server: HttpServer;
let client: RawClient;
let payer: Payer;
let supplierId: string;
let before: string;

beforeAll(async () => {
  world = await openWorld();
  server = await openServer(world);
  client = server.client('owner', answers);
  payer = await createPayer(world);
  supplierId = await createSupplier(world);
});
afterAll(async () => {
  await server.close();
  await world.close();
});
beforeEach(async () => {
  before = await rowCounts();
});
afterEach(async () => {
  expect(await rowCounts()).toBe(before);
});

/** How many rows every table has and how many jobs wait; only the log of accesses may grow. */
async function rowCounts(): Promise<string> {
  const tables = await world.look<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'access_log' order by 1`,
  );
  expect(tables.length).toBeGreaterThan(20);
  const counts = tables.map(({ name }) => `select '${name}' as name, count(*) from ${name}`);
  const rows = await world.look<{ name: string; count: string }>(
    `${counts.join(' union all ')} union all select 'jobs', count(*) from graphile_worker._private_jobs`,
  );
  return rows.map(({ name, count }) => `${name} ${count}`).join('\n');
}

const bill = (fields: object = {}) => ({
  company_id: payer.companyId,
  person_id: supplierId,
  description: 'Aluguel',
  amount: '1234.56',
  due_date: '2026-11-05',
  ...fields,
});
const file = (bytes: Buffer) => ({ file: { name: 'nota.xml', content_base64: bytes.toString('base64') } });
const refused = async (name: string, args: object) =>
  errorOf(await client.m('tools/call', callOf(name, args)));

/** A boleto of R$ 1.234,56 whose typed line is right but for one check digit. */
function boletoWithWrongDigit(): string {
  const { typedLine } = buildBoleto({
    bankCode: '237',
    amountCents: 123_456,
    dueDate: '2026-11-05',
    freeField: '1234567890123456789012345',
  });
  const digits = typedLine.replace(/\D/g, '');
  // The tenth digit checks the first field of the line.
  return `${digits.slice(0, 9)}${(Number(digits[9]) + 1) % 10}${digits.slice(10)}`;
}

const pixCode = () =>
  buildStaticPixCode({
    key: 'pix@example.com',
    merchant: 'FORNECEDOR EXEMPLO',
    city: 'SAO PAULO',
    amountCents: 123_456,
    txid: '***',
  });

describe('an argument', () => {
  test('that does not exist is named, with the one that was probably meant', async () => {
    expect(await refused(CREATE, bill({ ammount: '10.00' }))).toMatchObject({
      code: 'invalid_argument',
      details: { path: 'ammount', expected: 'no such argument; use `amount`, if that was meant' },
    });
  });

  test('SE-09: called confirm does not exist, so it skips no question', async () => {
    const args = { id: payer.companyId, account_id: payer.accountId, confirm: true };
    const answer = await client.m('tools/call', callOf('finance_payables_send_to_bank', args), {
      capabilities: { elicitation: {} },
    });
    expect(errorOf(answer)).toMatchObject({ code: 'invalid_argument', details: { path: 'confirm' } });
  });

  test.each([
    ['an id that is no UUID', { person_id: '12' }, 'person_id', 'the id of the supplier, a UUID'],
    [
      'money written the Brazilian way',
      { amount: '1.234,56' },
      'amount',
      'an amount in reais as a decimal string with a point, such as "1234.56"',
    ],
    [
      'money with three decimals',
      { amount: '1.001' },
      'amount',
      'an amount in reais as a decimal string with a point, such as "1234.56"',
    ],
    [
      'SE-11: a number beyond what a double holds',
      { amount: 2 ** 53 + 2 },
      'amount',
      'an amount in reais as a decimal string with a point, such as "1234.56"',
    ],
    [
      'a day that the calendar does not have',
      { due_date: '2026-02-30' },
      'due_date',
      'a real calendar date as YYYY-MM-DD',
    ],
    [
      'a date written the Brazilian way',
      { due_date: '05/11/2026' },
      'due_date',
      'a real calendar date as YYYY-MM-DD',
    ],
    ['a text where a list belongs', { cost_centers: 'vendas' }, 'cost_centers', expect.any(String)],
    [
      'a way to pay that does not exist',
      { payment_details: { kind: 'cheque' } },
      'payment_details.kind',
      expect.stringContaining('boleto'),
    ],
  ])('that is ill-formed is named with its right form: %s', async (_what, fields, path, expected) => {
    const error = await refused(CREATE, bill(fields));
    expect(error).toMatchObject({ code: 'invalid_argument', details: { path, expected } });
    expect(error.message).toContain('Correct the argument named in `path`');
  });

  test('that is missing is named', async () => {
    const { amount: _left, ...rest } = bill();
    expect(await refused(CREATE, rest)).toMatchObject({
      code: 'invalid_argument',
      details: { path: 'amount' },
    });
  });
});

describe('a body', () => {
  const headers = {
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': 'tools/call',
    'Mcp-Name': CREATE,
  };
  const envelope = { [VERSION_KEY]: '2026-07-28', [CAPABILITIES_KEY]: {} };

  test('SE-20: nested a thousand levels deep is refused before it is read', async () => {
    const deep = `${'['.repeat(1_000)}${']'.repeat(1_000)}`;
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
    const params = { name: CREATE, arguments: { description: 'DEEP' }, _meta: envelope };
    const answer = await client.post(JSON.stringify({ ...call, params }).replace('"DEEP"', deep), headers);
    expect([answer.status, answer.body.error]).toEqual([
      400,
      { code: -32_600, message: 'The body is nested deeper than 64 levels' },
    ]);
  });

  test('of 5 MB that is one long description is refused by the limit of that field', async () => {
    const error = await refused(CREATE, bill({ description: 'x'.repeat(5_000_000) }));
    expect(error).toMatchObject({ code: 'invalid_argument', details: { path: 'description' } });
    expect(error.details!['expected']).toMatch(/^text of 1 to \d+ characters$/);
    expect(JSON.stringify(error).length).toBeLessThan(1_000);
  });

  test('of 5 MB that is no JSON is a parse error', async () => {
    const answer = await client.post(Buffer.alloc(5_000_000, 'x'), headers);
    expect([answer.status, answer.body.error]).toEqual([
      400,
      { code: -32_700, message: 'The body is not valid JSON' },
    ]);
  });

  test('TR-30: over 15 MiB is refused by its size', async () => {
    const answer = await client.post(Buffer.alloc(15 * 1024 * 1024 + 1, 'x'), headers);
    expect([answer.status, answer.body.error]).toEqual([
      413,
      { code: 'body_too_large', message: 'The body is larger than 15728640 bytes.' },
    ]);
  });
});

describe('a fiscal document', () => {
  test('whose XML is broken off is refused, and says what is missing', async () => {
    const error = await refused(IMPORT, file(fixtureFile('truncated.xml')));
    expect(error).toMatchObject({
      code: 'invalid_argument',
      details: {
        path: 'file.content_base64',
        expected: 'a complete XML of an NF-e or its cancellation',
        reason: expect.any(String),
      },
    });
  });

  test('with a document type and entities is refused, and nothing of them is read', async () => {
    const error = await refused(IMPORT, file(fixtureFile('doctype-entity.xml')));
    expect(error).toMatchObject({
      code: 'unsupported_file',
      details: { expected: expect.arrayContaining(['the XML of an NF-e']), reason: expect.any(String) },
    });
  });

  test('that expands its own entities is refused at once', async () => {
    const entities = Array.from(
      { length: 20 },
      (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`,
    );
    const xml = `<?xml version="1.0"?><!DOCTYPE NFe [<!ENTITY e0 "x">${entities.join('')}]><NFe>&e20;</NFe>`;
    const startedAt = performance.now();
    expect(await refused(IMPORT, file(Buffer.from(xml)))).toMatchObject({ code: 'unsupported_file' });
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  test('that is no XML at all is refused, and so is text that is no base64', async () => {
    expect(await refused(IMPORT, file(Buffer.from('%PDF-1.7\n')))).toMatchObject({
      details: { reason: expect.any(String) },
    });
    expect(await refused(IMPORT, { file: { name: 'nota.xml', content_base64: '<nfeProc/>' } })).toMatchObject(
      {
        code: 'invalid_argument',
        details: {
          path: 'file.content_base64',
          expected: 'the bytes of the file in standard base64',
        },
      },
    );
  });
});

describe('a payment code', () => {
  test('with a wrong check digit names the field of the line that is wrong, read or stored', async () => {
    const code = boletoWithWrongDigit();
    const read = await refused('finance_boletos_decode', { code });
    expect(read).toMatchObject({
      code: 'invalid_barcode',
      details: { field: expect.stringMatching(/1/), reason: expect.any(String) },
    });
    const stored = await refused(CREATE, bill({ payment_details: { kind: 'boleto', code } }));
    expect(stored).toMatchObject({ code: 'invalid_barcode', details: { field: read.details!['field'] } });
  });

  test('that was cut while copying a Pix is refused with the reason, read or stored', async () => {
    const code = pixCode().slice(0, -7);
    const read = await refused('finance_pix_codes_decode', { code });
    expect(read).toMatchObject({ code: 'invalid_pix_code', details: { reason: expect.any(String) } });
    const stored = await refused(CREATE, bill({ payment_details: { kind: 'pix_code', code } }));
    expect(stored).toMatchObject({
      code: 'invalid_pix_code',
      details: { reason: read.details!['reason'] },
    });
  });
});

test('a CNPJ with the letter O for a zero is refused and names the field', async () => {
  const person = { name: 'Papelaria Exemplo', roles: ['supplier'] };
  const error = await refused('finance_people_create', { ...person, document_number: '11.222.333/OOO1-81' });
  expect(error).toMatchObject({
    code: 'invalid_document_number',
    details: { path: 'document_number' },
  });
});

test('no answer of these tests holds a stack, SQL, a path, a token or a key', () => {
  expect(answers.count()).toBeGreaterThan(20);
  answers.expectNothingInside(world);
});
