/** What nothing depends on can be deleted after a confirmation; what something refers to is `in_use`. */

import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { importNote, noteXml } from '../../test/support/notes.ts';
import {
  cnpjOf,
  createAccount,
  createBill,
  createCategory,
  createCompany,
  createSupplier,
} from '../../test/support/records.ts';
import { openWorld, type World } from '../../test/support/world.ts';
import { cnpjCheckDigits } from '../core/documents/tax-id.ts';

let world: World;
let company: string;
let supplier: string;

beforeAll(async () => {
  world = await openWorld();
  company = await createCompany(world);
  supplier = await createSupplier(world);
});
afterAll(() => world.close());

interface Case {
  readonly tool: string;
  readonly kind: string;
  readonly argument?: string;
  /** Makes a record that nothing refers to. */
  readonly create: () => Promise<string>;
  /** Makes something refer to it. */
  readonly use: (id: string) => Promise<unknown>;
  /** The kind of what refers to it then. */
  readonly by: string;
}

let number = 0;
const fresh = (what: string) => `${what} ${++number}`;

const cases: Case[] = [
  {
    tool: 'finance_people_delete',
    kind: 'person',
    create: () => createSupplier(world),
    use: (person_id) => createBill(world, { company_id: company, person_id }),
    by: 'payable',
  },
  {
    tool: 'finance_categories_delete',
    kind: 'category',
    create: () => createCategory(world, { kind: 'expense', name: fresh('Category') }),
    use: (category_id) => createBill(world, { company_id: company, person_id: supplier, category_id }),
    by: 'payable',
  },
  {
    tool: 'finance_categories_delete',
    kind: 'category',
    create: () => createCategory(world, { kind: 'expense', name: fresh('Group') }),
    use: (parent_id) => createCategory(world, { kind: 'expense', name: fresh('Line'), parent_id }),
    by: 'category',
  },
  {
    tool: 'finance_cost_centers_delete',
    kind: 'cost_center',
    create: async () => (await world.call('finance_cost_centers_create', { name: fresh('Center') }))['id'],
    use: (id) =>
      createBill(world, {
        company_id: company,
        person_id: supplier,
        cost_centers: [{ id, percent: '100' }],
      }),
    by: 'payable',
  },
  {
    tool: 'finance_cost_centers_delete',
    kind: 'cost_center',
    create: async () => (await world.call('finance_cost_centers_create', { name: fresh('Center') }))['id'],
    use: (parent_id) => world.call('finance_cost_centers_create', { name: fresh('Center'), parent_id }),
    by: 'cost_center',
  },
  {
    tool: 'finance_financial_accounts_delete',
    kind: 'financial_account',
    argument: 'account_id',
    create: () => createAccount(world, { company_id: company }),
    use: async (account_id) => {
      const bill = await createBill(world, { company_id: company, person_id: supplier });
      await world.call('finance_payables_settle', {
        id: bill['id'],
        account_id,
        paid_at: '2026-09-30',
        amount: '100.00',
      });
    },
    by: 'financial_transaction',
  },
  {
    tool: 'finance_fiscal_documents_delete',
    kind: 'fiscal_document',
    create: async () => (await importNote(world, noteXml(7_000 + ++number)))['document'].id,
    use: async () => undefined,
    by: '',
  },
];

describe.each(cases)('$tool ($by)', ({ tool, kind, argument = 'id', create }) => {
  it('deletes after the yes, with one event, and is then not found', async () => {
    const id = await create();
    expect(await world.call(tool, { [argument]: id })).toEqual({ id, deleted: true });
    await expect(world.call(tool, { [argument]: id })).rejects.toMatchObject({
      code: 'not_found',
      details: { kind },
    });
    const [event] = await world.look<{ body: string }>(
      'select body from events where operation = $1 order by position desc limit 1',
      [tool],
    );
    expect(JSON.parse(event!.body).changes).toMatchObject([{ kind, id, after: null }]);
  });

  it('is not found in another organization', async () => {
    const id = await create();
    await expect(world.ask(tool, { [argument]: id }, 'stranger')).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

it.each(cases.filter(({ by }) => by !== ''))(
  '$tool is refused while a $by refers to it, also when that came after the question',
  async ({ tool, argument = 'id', create, use, by }) => {
    const id = await create();
    const question = await world.ask(tool, { [argument]: id });
    await use(id);
    await expect(world.confirm(tool, { [argument]: id }, question.state)).rejects.toMatchObject({
      code: 'in_use',
      details: { by: expect.arrayContaining([expect.objectContaining({ kind: by })]) },
    });
    await expect(world.ask(tool, { [argument]: id })).rejects.toMatchObject({ code: 'in_use' });
  },
);

describe('fiscal documents', () => {
  it('are set aside and taken back while no bill belongs to them, and not afterwards', async () => {
    const { document } = await importNote(world, noteXml(8_001));
    const { id } = document;
    const call = (changes: object) => world.call('finance_fiscal_documents_update', { id, ...changes });
    expect(await call({ status: 'ignored', notes: 'Not ours' })).toMatchObject({
      status: 'ignored',
      notes: 'Not ours',
    });
    expect(await call({ status: 'new', notes: null })).toMatchObject({ status: 'new', notes: null });
    await world.look("update fiscal_documents set status = 'linked' where id = $1", [id]);
    await expect(call({ status: 'ignored' })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'linked', allowed: ['new', 'ignored'] },
    });
    await expect(world.ask('finance_fiscal_documents_delete', { id })).rejects.toMatchObject({
      code: 'invalid_state',
    });
    expect(await call({ notes: 'Checked' })).toMatchObject({ notes: 'Checked', status: 'linked' });
  });

  it('leave their XML among the attachments when deleted', async () => {
    const { document } = await importNote(world, noteXml(8_002));
    await world.call('finance_fiscal_documents_delete', { id: document.id });
    const file = await world.call('finance_attachments_get', { attachment_id: document.xml_attachment_id });
    expect(file).toMatchObject({ kind: 'invoice_xml', links: [] });
  });
});

describe('companies', () => {
  it('are added once, with the head office they are a branch of', async () => {
    const head = await world.call('finance_companies_create', {
      document_number: '12.ABC.345/01DE-35',
      legal_name: 'Aurora Comércio Ltda',
      address: { city: 'Recife', state: 'PE' },
    });
    expect(head).toMatchObject({
      document_number: '12ABC34501DE35',
      parent_id: null,
      active: true,
      version: 1,
    });
    const again = { document_number: '12abc34501de35', legal_name: 'Aurora' };
    await expect(world.call('finance_companies_create', again)).rejects.toMatchObject({
      code: 'duplicate',
      details: { kind: 'company', of: head['id'] },
    });
    const first = cnpjOf(12_345);
    const base = `${first.slice(0, 8)}0002`;
    const office = await world.call('finance_companies_create', {
      document_number: first,
      legal_name: 'Matriz',
    });
    const second = `${base}${cnpjCheckDigits(base)}`;
    const filial = await world.call('finance_companies_create', {
      document_number: second,
      legal_name: 'Filial',
    });
    expect(filial['parent_id']).toBe(office['id']);
  });

  it.each([
    ['a CPF', '111.444.777-35'],
    ['wrong check digits', '12ABC34501DE45'],
  ])('are refused with %s', async (_what, document_number) => {
    await expect(
      world.call('finance_companies_create', { document_number, legal_name: 'X' }),
    ).rejects.toMatchObject({ code: 'invalid_document_number', details: { path: 'document_number' } });
  });

  it('are one when two calls add the same at the same moment', async () => {
    const args = { document_number: cnpjOf(77_001), legal_name: 'Gêmea' };
    const results = await Promise.allSettled([
      world.call('finance_companies_create', args),
      world.call('finance_companies_create', args),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

test('a category shows its path from the top', async () => {
  const top = await createCategory(world, { kind: 'expense', name: fresh('Top') });
  const middle = await createCategory(world, { kind: 'expense', name: fresh('Middle'), parent_id: top });
  const leaf = await createCategory(world, { kind: 'expense', name: fresh('Leaf'), parent_id: middle });
  const category = await world.call('finance_categories_get', { id: leaf });
  expect(category['path'].map(({ id }: { id: string }) => id)).toEqual([top, middle, leaf]);
});

test('a cost center is read by its id', async () => {
  const created = await world.call('finance_cost_centers_create', { name: fresh('Center'), code: 'CC-9' });
  expect(await world.call('finance_cost_centers_get', { id: created['id'] })).toEqual(created);
});

test('a file is untied from a record and stays; untying again changes nothing', async () => {
  const { attachment: file } = await world.call('finance_attachments_upload', {
    file: { name: 'contrato.txt', content_base64: Buffer.from('contrato').toString('base64') },
    link_to: { kind: 'person', id: supplier },
  });
  const args = { attachment_id: file['id'], kind: 'person', id: supplier };
  const untied = await world.call('finance_attachments_unlink', args);
  expect(untied['links']).toEqual([]);
  expect(await world.call('finance_attachments_unlink', args)).toEqual(untied);
});
