import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCompany } from '../../../test/support/records.ts';
import { readResource } from '../../../test/support/resources.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import { finance } from '../index.ts';

const PDF = Buffer.from('%PDF-1.4\nreceipt of the bank\n%%EOF', 'latin1');
const XML = Buffer.from('<?xml version="1.0" encoding="UTF-8"?>\n<nota>São Paulo</nota>', 'utf8');
const LATIN_1_XML = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><nota>São</nota>', 'latin1');

let world: World;
let companyId: string;

beforeAll(async () => {
  world = await openWorld();
  companyId = await createCompany(world, { legal_name: 'Aurora Comércio Ltda' });
});
afterAll(() => world.close());

const fileOf = (name: string, bytes: Buffer) => ({ name, content_base64: bytes.toString('base64') });
const upload = async (name: string, bytes: Buffer, more: object = {}) =>
  (await world.call('finance_attachments_upload', { file: fileOf(name, bytes), ...more }))['attachment'];
const countOf = async (table: string) =>
  Number((await world.look<{ count: string }>(`select count(*) from ${table}`))[0]!.count);

test('stores a file under a type told by its bytes and a clean name, with its digest', async () => {
  const attachment = await upload('../fotos/recibo\u202e.png', PDF, { kind: 'receipt' });
  expect(attachment).toEqual({
    id: attachment['id'],
    file_name: 'recibo.png',
    content_type: 'application/pdf',
    size: PDF.length,
    sha256: createHash('sha256').update(PDF).digest('hex'),
    kind: 'receipt',
    links: [],
    created_at: '2026-10-01T12:00:00Z',
    updated_at: '2026-10-01T12:00:00Z',
  });
  expect(await world.call('finance_attachments_get', { attachment_id: attachment['id'] })).toEqual(
    attachment,
  );
});

test('TO-26: download describes the file and names its resource, without a byte of it', async () => {
  const { id, sha256 } = await upload('nota.xml', XML, { kind: 'invoice_xml' });
  const described = await world.call('finance_attachments_download', { attachment_id: id });
  expect(described).toEqual({
    attachment_id: id,
    file_name: 'nota.xml',
    content_type: 'application/xml',
    size: XML.length,
    sha256,
    resource_uri: `kobana://finance/attachments/${id}/download`,
  });
  expect(JSON.stringify(described)).not.toContain(XML.toString('base64').slice(0, 20));
});

test('RE-09, C-31, TO-27: the resource gives UTF-8 XML as text, everything else as the bytes stored', async () => {
  const read = async (name: string, bytes: Buffer) => {
    const { id } = await upload(name, bytes);
    const described = await world.call('finance_attachments_download', { attachment_id: id });
    return readResource(world, described['resource_uri']);
  };
  expect(await read('a.xml', XML)).toMatchObject({
    mimeType: 'application/xml',
    text: XML.toString('utf8'),
  });
  const pdf = await read('a.txt', PDF);
  expect(pdf).toMatchObject({ mimeType: 'application/pdf', blob: PDF.toString('base64') });
  expect(pdf).not.toHaveProperty('text');
  const latin1 = await read('b.xml', LATIN_1_XML);
  expect(latin1).toMatchObject({ mimeType: 'application/xml', blob: LATIN_1_XML.toString('base64') });
  expect(latin1).not.toHaveProperty('text');
});

test('C-32: the declared name gives no type: a web page called receipt.png is served as mere bytes', async () => {
  const { id, content_type } = await upload('receipt.png', Buffer.from('<!DOCTYPE html><script>1</script>'));
  expect(content_type).toBe('application/octet-stream');
  const contents = await readResource(world, `kobana://finance/attachments/${id}/download`);
  expect(contents.mimeType).toBe('application/octet-stream');
  expect(contents).not.toHaveProperty('text');
});

test('RE-11, C-30: a file of exactly 10 MiB is stored and served; one byte more leaves nothing behind', async () => {
  const atLimit = Buffer.alloc(10_485_760, 'x');
  const { id, size } = await upload('big.txt', atLimit);
  expect(size).toBe(10_485_760);
  const contents = await readResource(world, `kobana://finance/attachments/${id}/download`);
  expect(contents.text).toHaveLength(10_485_760);

  const before = [
    await countOf('attachments'),
    await countOf('attachment_contents'),
    await countOf('events'),
  ];
  await expect(upload('bigger.txt', Buffer.alloc(10_485_761, 'x'))).rejects.toMatchObject({
    code: 'file_too_large',
    details: { size: 10_485_761, limit: 10_485_760 },
  });
  expect([
    await countOf('attachments'),
    await countOf('attachment_contents'),
    await countOf('events'),
  ]).toEqual(before);
});

test('RE-34: the resource of an attachment tells what it is linked to', async () => {
  const { id } = await upload('contrato.pdf', PDF, {
    kind: 'contract',
    link_to: { kind: 'company', id: companyId },
  });
  const contents = await readResource(world, `kobana://finance/attachments/${id}`);
  expect(contents.mimeType).toBe('application/json');
  expect(JSON.parse(contents.text!)).toMatchObject({ id, links: [{ kind: 'company', id: companyId }] });
});

test('lists newest first, by kind and by the record a file is tied to', async () => {
  const recordId = await createCompany(world);
  const link_to = { kind: 'company', id: recordId };
  const ids: string[] = [];
  for (const [hour, kind] of [
    [13, 'boleto'],
    [14, 'contract'],
    [15, 'boleto'],
  ] as const) {
    world.setNow(`2026-10-01T${hour}:00:00Z`);
    ids.push((await upload('a.pdf', PDF, { kind, link_to }))['id']);
  }
  const list = async (args: object) =>
    (await world.call('finance_attachments_list', { linked_to: link_to, ...args }))['items'].map(
      (item: { id: string }) => item.id,
    );
  expect(await list({})).toEqual([ids[2], ids[1], ids[0]]);
  expect(await list({ kind: 'boleto' })).toEqual([ids[2], ids[0]]);
  expect(await list({ sort: 'created_at', created_from: '2026-10-01T14:00:00Z' })).toEqual([ids[1], ids[2]]);
  const first = await world.call('finance_attachments_list', { linked_to: link_to, limit: 2 });
  expect(await list({ cursor: first['next_cursor'] })).toEqual([ids[0]]);
});

test('links a file once, however often it is asked, and records the change once', async () => {
  const { id } = await upload('a.pdf', PDF);
  const args = { attachment_id: id, kind: 'company', id: companyId };
  const linked = await world.call('finance_attachments_link', args);
  expect(linked['links']).toEqual([{ kind: 'company', id: companyId }]);
  expect(await world.call('finance_attachments_link', args)).toEqual(linked);
  const events = await world.look<{ body: string }>(
    "select body from events where operation = 'finance_attachments_link'",
  );
  const changes = events.flatMap(({ body }) => JSON.parse(body).changes).filter((change) => change.id === id);
  expect(changes).toHaveLength(1);
  expect(changes[0]).toMatchObject({ before: { links: [] }, after: { links: linked['links'] } });
});

test('links to no record that is missing or of another workspace, and stores nothing for it', async () => {
  const elsewhere = await createCompany(world, { workspaceId: world.otherWorkspaceId });
  const { id: attachment_id } = await upload('a.pdf', PDF);
  const before = await countOf('attachments');
  for (const id of [newId(), elsewhere]) {
    const missing = { code: 'not_found', details: { kind: 'company', id } };
    await expect(
      world.call('finance_attachments_link', { attachment_id, kind: 'company', id }),
    ).rejects.toMatchObject(missing);
    await expect(upload('b.pdf', PDF, { link_to: { kind: 'company', id } })).rejects.toMatchObject(missing);
  }
  await expect(
    world.call('finance_attachments_link', { attachment_id, kind: 'payable', id: companyId }),
  ).rejects.toMatchObject({ code: 'not_found', details: { kind: 'payable' } });
  expect(await countOf('attachments')).toBe(before);
});

test('asks before deleting, with name, size and links, and then bytes and links are gone', async () => {
  const { id } = await upload('nota "final".pdf', PDF, { link_to: { kind: 'company', id: companyId } });
  const question = await world.ask('finance_attachments_delete', { attachment_id: id });
  expect(question.message).toContain('Arquivo: "nota \\"final\\".pdf"');
  expect(question.message).toContain(`Tamanho em bytes: ${PDF.length}`);
  expect(question.message).toContain(`Vinculado a: empresa ${companyId}`);
  expect(await world.call('finance_attachments_get', { attachment_id: id })).toMatchObject({ id });
  const answer = await world.confirm('finance_attachments_delete', { attachment_id: id }, question.state);
  expect(answer).toEqual({ id, deleted: true });
  for (const table of ['attachment_contents', 'attachment_links']) {
    expect(await world.look(`select from ${table} where attachment_id = $1`, [id])).toEqual([]);
  }
  await expect(world.ask('finance_attachments_delete', { attachment_id: id })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('asks again when the file was linked to something since the question', async () => {
  const { id } = await upload('a.pdf', PDF);
  const args = { attachment_id: id };
  const { state } = await world.ask('finance_attachments_delete', args);
  await world.call('finance_attachments_link', { ...args, kind: 'company', id: companyId });
  const responses = { confirm: { action: 'accept', content: { confirm: true } } };
  const outcome = await world.send('finance_attachments_delete', args, { state, responses });
  expect(outcome.kind).toBe('ask');
  expect(await world.call('finance_attachments_get', args)).toMatchObject({ id });
});

test('never asks about deleting the XML of a fiscal document or the receipt of a settlement', async () => {
  const xml = (await upload('nota.xml', XML))['id'];
  const receipt = (await upload('recibo.pdf', PDF))['id'];
  const [documentId, personId, payableId, accountId, settlementId] = Array.from({ length: 5 }, newId);
  const at = [world.workspaceId];
  await world.look(
    `insert into fiscal_documents (workspace_id, id, kind, number, issued_at, issuer_document, issuer_name,
       total_cents, net_cents, authorization_status, status, xml_attachment_id, created_by)
     values ($1, $2, 'nfe', '1', now(), '1', 'x', 1, 1, 'unproven', 'new', $3, $1)`,
    [...at, documentId, xml],
  );
  await world.look(
    "insert into people (workspace_id, id, name, kind, roles, search_text, created_by) values ($1, $2, 'x', 'legal', '{supplier}', 'x', $1)",
    [...at, personId],
  );
  await world.look(
    `insert into payables (workspace_id, id, company_id, person_id, description, amount_cents, settled_cents, due_date,
       adjusted_due_date, competence_month, status, approval_status, search_text, created_by)
     values ($1, $2, $3, $4, 'x', 100, 100, '2026-10-01', '2026-10-01', '2026-10', 'paid', 'not_required', 'x', $1)`,
    [...at, payableId, companyId, personId],
  );
  await world.look(
    `insert into financial_accounts (workspace_id, id, company_id, name, kind, opening_balance_cents, opening_date, created_by)
     values ($1, $2, $3, 'x', 'checking', 0, '2026-01-01', $1)`,
    [...at, accountId, companyId],
  );
  await world.look(
    `insert into settlements (workspace_id, id, payable_id, account_id, paid_at, amount_cents, principal_cents, method,
       receipt_attachment_id, status, created_by)
     values ($1, $2, $3, $4, '2026-10-01', 100, 100, 'pix', $5, 'effective', $1)`,
    [...at, settlementId, payableId, accountId, receipt],
  );
  await expect(world.ask('finance_attachments_delete', { attachment_id: xml })).rejects.toMatchObject({
    code: 'in_use',
    details: { by: [{ kind: 'fiscal_document', id: documentId }] },
  });
  await expect(world.ask('finance_attachments_delete', { attachment_id: receipt })).rejects.toMatchObject({
    code: 'in_use',
    details: { by: [{ kind: 'settlement', id: settlementId }] },
  });
});

test('names the field of a wrong argument and stores nothing', async () => {
  const before = await countOf('attachments');
  const refused = async (args: object, path: string) =>
    expect(world.call('finance_attachments_upload', args)).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path },
    });
  await refused({ file: { name: 'a', content_base64: '' } }, 'file.content_base64');
  await refused({ file: { name: 'a', content_base64: 'not base64!' } }, 'file.content_base64');
  await refused({ file: { name: 'a', content_base64: 'QR==' } }, 'file.content_base64');
  await refused({ file: fileOf('', PDF) }, 'file.name');
  await refused({ file: fileOf('a', PDF), kind: 'photo' }, 'kind');
  await refused({ file: fileOf('a', PDF), link_to: { kind: 'workspace', id: companyId } }, 'link_to.kind');
  expect(await countOf('attachments')).toBe(before);
});

test('hides it from another workspace and another organization, like one that does not exist', async () => {
  const { id } = await upload('a.pdf', PDF);
  const missing = { code: 'not_found', details: { kind: 'attachment' } };
  for (const name of ['get', 'download', 'delete']) {
    const tool = `finance_attachments_${name}`;
    await expect(world.call(tool, { attachment_id: newId() })).rejects.toMatchObject(missing);
    await expect(world.call(tool, { attachment_id: id }, 'stranger')).rejects.toMatchObject(missing);
    await expect(
      world.call(tool, { attachment_id: id, workspace_id: world.otherWorkspaceId }, 'several'),
    ).rejects.toMatchObject(missing);
  }
  const link = { attachment_id: id, kind: 'company', id: companyId };
  await expect(world.call('finance_attachments_link', link, 'stranger')).rejects.toMatchObject(missing);
  expect((await world.call('finance_attachments_list', {}, 'stranger'))['items']).toEqual([]);
  await expect(
    readResource(world, `kobana://finance/attachments/${id}/download`, 'stranger'),
  ).rejects.toMatchObject({ code: -32_602 });
});

test('refuses a change by a connection that may only read, and by a role that may not', async () => {
  const { id } = await upload('a.pdf', PDF);
  const calls: [string, object][] = [
    ['finance_attachments_upload', { file: fileOf('a.pdf', PDF) }],
    ['finance_attachments_link', { attachment_id: id, kind: 'company', id: companyId }],
    ['finance_attachments_delete', { attachment_id: id }],
  ];
  for (const [name, args] of calls) {
    await expect(world.call(name, args, 'reader')).rejects.toMatchObject({ code: 'insufficient_scope' });
    await expect(world.call(name, args, 'viewer')).rejects.toMatchObject({ code: 'forbidden' });
  }
  expect(await world.call('finance_attachments_get', { attachment_id: id }, 'viewer')).toMatchObject({ id });
});

test('stores a file once for a repeated idempotency key, and refuses the key for another file', async () => {
  const first = await upload('a.pdf', PDF, { idempotency_key: 'k1' });
  expect(await upload('a.pdf', PDF, { idempotency_key: 'k1' })).toEqual(first);
  await expect(upload('a.pdf', XML, { idempotency_key: 'k1' })).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  });
});

test('suggests the ids of recent files by prefix, and gives the download template no type', async () => {
  const { id } = await upload('a.pdf', PDF);
  const templates = finance.resources.filter(({ uri }) => uri.startsWith('kobana://finance/attachments/'));
  expect(templates.map(({ mimeType }) => mimeType)).toEqual(['application/json', undefined]);
  const { completion, operation } = templates[1]!;
  if (completion?.kind !== 'records') throw new Error('no suggestions');
  const list = finance.catalogue.byName.get(completion.operation)!;
  const suggested = await world.runtime.invokers.finance.readAs(
    list,
    {},
    await world.caller('owner'),
    'completion',
    (context) => completion.suggest(context, id.slice(0, 30)),
  );
  expect(suggested).toContain(id);
  expect(operation).toBe('finance_attachments_download');
});
