import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  cancellationXml,
  fixtureFile,
  ISSUER,
  importNote,
  importTraces,
  noteKey,
  noteXml,
  RECIPIENT,
} from '../../../test/support/notes.ts';
import { createCompany } from '../../../test/support/records.ts';
import { openWorld, type Who, type World } from '../../../test/support/world.ts';

let world: World;
let companyId: string;
let number = 100;

beforeAll(async () => {
  world = await openWorld();
  companyId = await createCompany(world, {
    document_number: RECIPIENT,
    legal_name: 'Compradora Exemplo S.A.',
  });
});
afterAll(() => world.close());

const bringIn = (bytes: Buffer, more: object = {}, who: Who = 'owner') => importNote(world, bytes, more, who);
const nextNumber = () => {
  number += 1;
  return number;
};
const codesOf = (warnings: { code: string }[]) => warnings.map(({ code }) => code);
const traces = () => importTraces(world);

describe('importing an NF-e', () => {
  test('keeps parties, amounts, installments and the XML, and makes no bill and no person', async () => {
    const note = nextNumber();
    const xml = noteXml(note);
    const { document, warnings } = await bringIn(xml);
    expect(document).toEqual({
      id: document.id,
      kind: 'nfe',
      access_key: noteKey(note),
      number: String(note),
      series: '1',
      issued_at: '2026-07-10T12:30:00Z',
      issuer: { document_number: ISSUER, name: 'COMÉRCIO DE PEÇAS & MÁQUINAS EXEMPLO LTDA' },
      recipient: { document_number: RECIPIENT, name: 'EMPRESA COMPRADORA EXEMPLO S.A.' },
      company_id: companyId,
      person_id: null,
      total: '1234.56',
      net: '1200.00',
      withholdings: [],
      installments: [
        { number: '001', due_date: '2026-08-10', amount: '400.00' },
        { number: '002', due_date: '2026-09-10', amount: '400.00' },
        { number: '003', due_date: '2026-10-10', amount: '400.00' },
      ],
      authorization: { protocol: '135260000123456', status: 'authorized', signature_verified: false },
      status: 'new',
      notes: null,
      warnings,
      xml_attachment_id: document.xml_attachment_id,
      created_at: '2026-10-01T12:00:00Z',
      updated_at: '2026-10-01T12:00:00Z',
      version: 1,
    });
    expect(codesOf(warnings)).toEqual(['issuer_not_registered']);
    const attachment = await world.call('finance_attachments_get', {
      attachment_id: document.xml_attachment_id,
    });
    expect(attachment).toMatchObject({
      file_name: 'nota.xml',
      content_type: 'application/xml',
      size: xml.length,
      kind: 'invoice_xml',
      links: [{ kind: 'fiscal_document', id: document.id }],
    });
    expect(await world.look('select from people union all select from payables')).toEqual([]);
  });

  test('PITFALL 5, PITFALL 7: keeps identifiers as written: letters in the key, zeros in front', async () => {
    const { document } = await bringIn(fixtureFile('one-installment.xml'));
    expect(document).toMatchObject({
      access_key: '35260805813794000126550010000020011112233440',
      issuer: { document_number: '05813794000126' },
      total: '10000.00',
      net: '9385.00',
    });
    expect(document.withholdings).toEqual([
      { kind: 'pis', amount: '65.00' },
      { kind: 'cofins', amount: '300.00' },
      { kind: 'csll', amount: '100.00' },
      { kind: 'irrf', amount: '150.00' },
    ]);
    const lettered = await bringIn(fixtureFile('three-installments.xml'));
    expect(lettered['document'].access_key).toBe('35260712ABC34501DE35550010000012341123456780');
  });

  test('refuses the same access key again, naming the document that is there, and stores nothing', async () => {
    const xml = noteXml(nextNumber());
    const { document } = await bringIn(xml);
    const before = await traces();
    await expect(bringIn(xml)).rejects.toMatchObject({
      code: 'duplicate',
      details: { kind: 'fiscal_document', of: document.id },
    });
    expect(await traces()).toEqual(before);
  });

  test('stores one of two imports of the same key that run at the same time', async () => {
    const note = nextNumber();
    const results = await Promise.allSettled([bringIn(noteXml(note)), bringIn(noteXml(note))]);
    const failed = results.filter((result) => result.status === 'rejected');
    expect(failed.map(({ reason }) => reason.code)).toEqual(['duplicate']);
    const stored = await world.look(
      'select a.id from attachments a join attachment_links l on l.attachment_id = a.id join fiscal_documents d on d.id = l.record_id where d.access_key = $1',
      [noteKey(note)],
    );
    expect(stored).toHaveLength(1);
  });

  test('takes a note of another recipient with a warning and no company, unless one is given', async () => {
    const replace = { [`<CNPJ>${RECIPIENT}</CNPJ>`]: '<CNPJ>05813794000126</CNPJ>' };
    const foreign = await bringIn(noteXml(nextNumber(), { replace }));
    expect(foreign['document'].company_id).toBeNull();
    expect(codesOf(foreign['warnings'])).toEqual(['recipient_not_ours', 'issuer_not_registered']);
    const given = await bringIn(noteXml(nextNumber(), { replace }), { company_id: companyId });
    expect(given['document'].company_id).toBe(companyId);
    expect(codesOf(given['warnings'])).toEqual(['recipient_differs', 'issuer_not_registered']);
  });

  test('does not take a company of another workspace for the recipient', async () => {
    const elsewhere = await createCompany(world, { workspaceId: world.otherWorkspaceId });
    const before = await traces();
    await expect(bringIn(noteXml(nextNumber()), { company_id: elsewhere })).rejects.toMatchObject({
      code: 'not_found',
      details: { kind: 'company', id: elsewhere },
    });
    expect(await traces()).toEqual(before);
    const abroad = await bringIn(noteXml(nextNumber()), {}, 'stranger');
    expect(abroad['document'].company_id).toBeNull();
  });

  test('knows the issuer once it is a person', async () => {
    const person = await world.call('finance_people_create', {
      name: 'Prestadora Exemplo Ltda',
      document_number: '05813794000126',
      roles: ['supplier'],
    });
    const { document, warnings } = await bringIn(fixtureFile('latin-1.xml'));
    expect(document).toMatchObject({
      person_id: person['id'],
      issuer: { name: 'PADARIA E CONFEITARIA ESTAÇÃO DO PÃO LTDA' },
    });
    expect(codesOf(warnings)).toEqual(['recipient_not_ours']);
  });

  test('warns of a note without proof of authorisation, or whose installments do not add up', async () => {
    const unproven = await bringIn(fixtureFile('without-protocol.xml'));
    expect(unproven['document'].authorization).toMatchObject({ protocol: null, status: 'unproven' });
    expect(codesOf(unproven['warnings'])).toContain('no_protocol');
    const uneven = await bringIn(noteXml(nextNumber(), { installments: [['2026-08-10', '1100.00']] }));
    expect(codesOf(uneven['warnings'])).toContain('installments_do_not_add_up');
    expect(uneven['document'].warnings).toEqual(uneven['warnings']);
  });
});

describe('a file that is refused', () => {
  const moment = { '<dhEmi>2026-07-10T09:30:00-03:00<': '<dhEmi>2026-07-10T29:30:00-03:00<' };

  test.each<[string, Buffer, string]>([
    ['broken XML', fixtureFile('truncated.xml'), 'invalid_argument'],
    ['XML with entities', fixtureFile('doctype-entity.xml'), 'unsupported_file'],
    [
      'XML that is nested too deep',
      Buffer.from(`<nfeProc>${'<a>'.repeat(5_000)}${'</a>'.repeat(5_000)}</nfeProc>`),
      'invalid_argument',
    ],
    ['another kind of XML', Buffer.from('<CompNfse><Nfse/></CompNfse>'), 'unsupported_file'],
    ['no XML at all', Buffer.from('%PDF-1.4 not a note'), 'invalid_argument'],
    [
      'a note with a wrong key',
      noteXml(1, { replace: { [noteKey(1)]: `${'1'.repeat(44)}` } }),
      'invalid_argument',
    ],
    ['a note issued at an impossible hour', noteXml(1, { replace: moment }), 'invalid_argument'],
    [
      'a cancellation nobody registered',
      cancellationXml(1, { '<cStat>135</cStat>': '<cStat>999</cStat>' }),
      'invalid_argument',
    ],
  ])('leaves nothing behind: %s', async (_what, bytes, code) => {
    const before = await traces();
    const error = await bringIn(bytes).catch((reason) => reason);
    expect(error.code).toBe(code);
    expect(error.details).not.toHaveProperty('stack');
    expect(code === 'invalid_argument' ? error.details.path : error.details.expected).toEqual(
      code === 'invalid_argument' ? 'file.content_base64' : expect.arrayContaining(['the XML of an NF-e']),
    );
    expect(await traces()).toEqual(before);
  });

  test('says why without a word of the file', async () => {
    const error = await bringIn(fixtureFile('doctype-entity.xml')).catch((reason) => reason);
    expect(error.details.reason).toMatch(/^[A-Z].*\.$/);
    expect(JSON.stringify(error.details)).not.toMatch(/secret|hostname|ENTITY secret/);
  });

  test('leaves nothing behind above 10 MiB', async () => {
    const before = await traces();
    await expect(bringIn(Buffer.alloc(10_485_761, '<'))).rejects.toMatchObject({ code: 'file_too_large' });
    expect(await traces()).toEqual(before);
  });
});

test('refuses an import by a connection that may only read, and by a role that may not', async () => {
  const xml = noteXml(nextNumber());
  await expect(bringIn(xml, {}, 'reader')).rejects.toMatchObject({ code: 'insufficient_scope' });
  await expect(bringIn(xml, {}, 'viewer')).rejects.toMatchObject({ code: 'forbidden' });
  expect((await bringIn(xml, {}, 'accountant'))['document'].status).toBe('new');
});

test('imports once for a repeated idempotency key', async () => {
  const xml = noteXml(nextNumber());
  const first = await bringIn(xml, { idempotency_key: 'k1' });
  expect(await bringIn(xml, { idempotency_key: 'k1' })).toEqual(first);
  await expect(bringIn(noteXml(nextNumber()), { idempotency_key: 'k1' })).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  });
});
