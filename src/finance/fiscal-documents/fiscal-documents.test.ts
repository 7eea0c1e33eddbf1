import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  cancellationXml,
  ISSUER,
  importNote,
  importTraces,
  noteKey,
  noteXml,
  RECIPIENT,
} from '../../../test/support/notes.ts';
import { createCompany } from '../../../test/support/records.ts';
import { readResource } from '../../../test/support/resources.ts';
import { openWorld, type Who, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import { finance } from '../index.ts';

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
const traces = () => importTraces(world);

describe('importing a cancellation', () => {
  test('cancels the document of that key and keeps the event with it', async () => {
    const note = nextNumber();
    const { document } = await bringIn(noteXml(note));
    const canceled = await bringIn(cancellationXml(note));
    expect(canceled['document']).toMatchObject({ id: document.id, status: 'canceled', version: 2 });
    expect(canceled['warnings']).toEqual([]);
    const detail = await world.call('finance_fiscal_documents_get', { id: document.id });
    expect(detail['attachments']).toHaveLength(2);
    await expect(bringIn(cancellationXml(note))).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'canceled', allowed: ['new', 'linked'] },
    });
  });

  test('marks open bills for review without canceling them, and gives an alert for paid ones', async () => {
    const note = nextNumber();
    const { document } = await bringIn(noteXml(note));
    const { payables } = await world.call('finance_fiscal_documents_create_payables', { id: document.id });
    const [first, second, third] = payables.map((payable: { id: string }) => payable.id);
    await world.look("update payables set status = 'paid', settled_cents = amount_cents where id = $1", [
      second,
    ]);
    await world.look("update payables set status = 'canceled' where id = $1", [third]);
    const { warnings } = await bringIn(cancellationXml(note));
    expect(
      warnings.map((warning: { code: string; payable_ids: string[] }) => [warning.code, warning.payable_ids]),
    ).toEqual([
      ['payables_to_review', [first]],
      ['payables_already_paid', [second]],
    ]);
    const rows = await world.look<{ id: string; status: string; needs_review: boolean; version: number }>(
      'select id, status, needs_review, version from payables where fiscal_document_id = $1 order by due_date',
      [document.id],
    );
    expect(rows).toEqual([
      { id: first, status: 'open', needs_review: true, version: 2 },
      { id: second, status: 'paid', needs_review: false, version: 1 },
      { id: third, status: 'canceled', needs_review: false, version: 1 },
    ]);
  });

  test('of a document that is not here is not found, also when another workspace has it', async () => {
    const note = nextNumber();
    await bringIn(noteXml(note), {}, 'stranger');
    const before = await traces();
    await expect(bringIn(cancellationXml(note))).rejects.toMatchObject({
      code: 'not_found',
      details: { kind: 'fiscal_document', access_key: noteKey(note) },
    });
    expect(await traces()).toEqual(before);
  });

  test.each<[string, Record<string, string>]>([
    ['refused by the tax office', { '<cStat>135</cStat>': '<cStat>573</cStat>' }],
    ['of the test environment', { '<tpAmb>1</tpAmb><CNPJ>': '<tpAmb>2</tpAmb><CNPJ>' }],
    ['by somebody else', { [`<CNPJ>${ISSUER}</CNPJ>`]: '<CNPJ>05813794000126</CNPJ>' }],
  ])('changes nothing when it is %s', async (_what, replace) => {
    const note = nextNumber();
    const { document } = await bringIn(noteXml(note));
    await expect(bringIn(cancellationXml(note, replace))).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'file.content_base64' },
    });
    expect(await world.call('finance_fiscal_documents_get', { id: document.id })).toMatchObject({
      status: 'new',
    });
  });
});

describe('looking at documents', () => {
  test('lists by issue, latest first, on whole days of the place, and pages without losing one', async () => {
    const issuedAt = (instant: string) => ({
      replace: { '<dhEmi>2026-07-10T09:30:00-03:00<': `<dhEmi>${instant}<` },
    });
    const ids: string[] = [];
    for (const instant of [
      '2026-07-01T23:59:59-03:00',
      '2026-07-02T00:00:00-03:00',
      '2026-07-02T23:59:59-03:00',
    ]) {
      ids.push((await bringIn(noteXml(nextNumber(), issuedAt(instant))))['document'].id);
    }
    const list = async (args: object) =>
      (await world.call('finance_fiscal_documents_list', args))['items'].map(
        (item: { id: string }) => item.id,
      );
    expect(await list({ issued_from: '2026-07-01', issued_to: '2026-07-02' })).toEqual([
      ids[2],
      ids[1],
      ids[0],
    ]);
    expect(await list({ issued_from: '2026-07-02', issued_to: '2026-07-02', sort: 'issued_at' })).toEqual([
      ids[1],
      ids[2],
    ]);
    const first = await world.call('finance_fiscal_documents_list', { issued_to: '2026-07-02', limit: 2 });
    expect(await list({ issued_to: '2026-07-02', limit: 2, cursor: first['next_cursor'] })).toEqual([ids[0]]);
  });

  test('finds by key, state, company and kind', async () => {
    const note = nextNumber();
    const { document } = await bringIn(noteXml(note));
    const count = async (args: object) =>
      (await world.call('finance_fiscal_documents_list', { access_key: noteKey(note), ...args }))['items']
        .length;
    expect(await count({ status: 'new', company_id: companyId, kind: 'nfe' })).toBe(1);
    expect(await count({ status: 'linked' })).toBe(0);
    expect(await count({ company_id: newId() })).toBe(0);
    expect(await count({ person_id: newId() })).toBe(0);
    expect(await count({ kind: 'cte' })).toBe(0);
    expect(document.status).toBe('new');
  });

  test('RE-34: the resource is the document with its bills and files', async () => {
    const { document } = await bringIn(noteXml(nextNumber()));
    const contents = await readResource(world, `kobana://finance/fiscal-documents/${document.id}`);
    expect(contents.mimeType).toBe('application/json');
    expect(JSON.parse(contents.text!)).toEqual({
      ...document,
      payables: [],
      attachments: [
        { id: document.xml_attachment_id, file_name: 'nota.xml', content_type: 'application/xml' },
      ],
    });
    const xml = await readResource(
      world,
      `kobana://finance/attachments/${document.xml_attachment_id}/download`,
    );
    expect(xml.text).toContain(document.access_key);
  });

  test('hides it from another workspace and another organization, like one that does not exist', async () => {
    const { document } = await bringIn(noteXml(nextNumber()));
    const missing = { code: 'not_found', details: { kind: 'fiscal_document' } };
    for (const [tool, more] of [
      ['get', {}],
      ['create_payables', {}],
      ['link_payable', { payable_ids: [newId()] }],
    ] as const) {
      const name = `finance_fiscal_documents_${tool}`;
      await expect(world.call(name, { id: newId(), ...more })).rejects.toMatchObject(missing);
      await expect(world.call(name, { id: document.id, ...more }, 'stranger')).rejects.toMatchObject(missing);
      const elsewhere = { id: document.id, workspace_id: world.otherWorkspaceId, ...more };
      await expect(world.call(name, elsewhere, 'several')).rejects.toMatchObject(missing);
    }
    const { items } = await world.call(
      'finance_fiscal_documents_list',
      { workspace_id: world.otherWorkspaceId },
      'several',
    );
    expect(items).toEqual([]);
  });

  test('suggests the ids of recent documents by prefix', async () => {
    const { document } = await bringIn(noteXml(nextNumber()));
    const resource = finance.resources.find(({ uri }) => uri === 'kobana://finance/fiscal-documents/{id}')!;
    const { completion } = resource;
    if (completion?.kind !== 'records') throw new Error('no suggestions');
    const suggested = await world.runtime.invokers.finance.readAs(
      finance.catalogue.byName.get(completion.operation)!,
      {},
      await world.caller('owner'),
      'completion',
      (context) => completion.suggest(context, document.id.slice(0, 30)),
    );
    expect(suggested).toContain(document.id);
  });
});
