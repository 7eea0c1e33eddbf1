import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCompany, createPayableRow } from '../../../test/support/records.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { bankDetailsChangedDaysAgo, registerPerson, requirePerson } from './index.ts';

const account = { bank_code: '341', agency: '0123', number: '0012345', digit: '6', kind: 'checking' };
const aurora = {
  name: 'Papelaria Aurora',
  document_number: '12.abc.345/01DE-35',
  roles: ['supplier'],
  emails: ['Contas@Aurora.example.com'],
  phones: ['(11) 98765-4321'],
  address: { city: 'São Paulo', state: 'SP' },
  bank_accounts: [account],
  pix_keys: [{ key: '12.ABC.345/01DE-35' }],
};

let world: World;
let id: string;

beforeAll(async () => {
  world = await openWorld();
  id = (await world.call('finance_people_create', aurora))['id'];
});
afterAll(() => world.close());

describe('creating', () => {
  test('stores everything in its one form', async () => {
    expect(await world.call('finance_people_get', { id })).toEqual({
      id,
      name: 'Papelaria Aurora',
      kind: 'legal',
      document_number: '12ABC34501DE35',
      roles: ['supplier'],
      emails: ['contas@aurora.example.com'],
      phones: ['+5511987654321'],
      address: { city: 'São Paulo', state: 'SP' },
      bank_accounts: [{ ...account, ispb: null, agency_digit: null, holder_document: '12ABC34501DE35' }],
      pix_keys: [{ type: 'cnpj', key: '12ABC34501DE35' }],
      bank_details_changed_at: null,
      active: true,
      created_at: '2026-10-01T12:00:00Z',
      updated_at: '2026-10-01T12:00:00Z',
      version: 1,
    });
  });

  test('PITFALL 2: refuses the same document however it is written, naming who has it', async () => {
    const again = { name: 'Other', roles: ['customer'], document_number: '12ABC34501de35' };
    await expect(world.call('finance_people_create', again)).rejects.toMatchObject({
      code: 'duplicate',
      details: { of: id },
    });
  });

  test('waits for whoever takes the same document at the same moment, and then refuses it', async () => {
    const documentNumber = '00000000000191';
    let creating: Promise<unknown> = Promise.resolve();
    let changing: Promise<unknown> = Promise.resolve();
    const first = await inTransaction(async (context) => {
      const row = await registerPerson(context, { name: 'First', documentNumber, roles: ['supplier'] });
      const second = { name: 'Second', roles: ['customer'], document_number: documentNumber };
      creating = world.call('finance_people_create', second).catch((error) => error);
      changing = world
        .call('finance_people_update', { id, document_number: documentNumber }, 'approver')
        .catch((error) => error);
      await new Promise((resolve) => setTimeout(resolve, 300));
      return row;
    });
    const duplicate = { code: 'duplicate', details: { of: first.id } };
    expect(await creating).toMatchObject(duplicate);
    expect(await changing).toMatchObject(duplicate);
  });

  test('lets several people be without document', async () => {
    const args = { name: 'No document', roles: ['customer'], kind: 'natural' };
    const first = await world.call('finance_people_create', args);
    const second = await world.call('finance_people_create', args);
    expect(first['id']).not.toBe(second['id']);
  });

  test('lets another workspace register the same document', async () => {
    const there = await world.call('finance_people_create', aurora, 'stranger');
    expect(there['document_number']).toBe('12ABC34501DE35');
  });

  test("cleans a stranger's name and address of characters nobody sees", async () => {
    const made = await world.call('finance_people_create', {
      name: ' Padaria\u202e\u0007\nBoa ',
      kind: 'legal',
      roles: ['supplier', 'supplier'],
      address: { city: 'Santos\u0007', street: '\u200b' },
    });
    expect(made).toMatchObject({ name: 'Padaria Boa', roles: ['supplier'], address: { city: 'Santos' } });
    expect(made['address']).not.toHaveProperty('street');
  });

  test.each([
    ['name', { name: '\u200b' }, 'text of 1 to 200 characters'],
    ['roles', { roles: [] }, 'at least one of: supplier, customer'],
    ['emails.0', { emails: ['contas'] }, 'an e-mail address'],
    ['phones.0', { phones: ['12345'] }, 'a phone number with area code, such as "+5511987654321"'],
    [
      'bank_accounts.0.bank_code',
      { bank_accounts: [{ ...account, bank_code: '34' }] },
      'the three digits of the bank, such as "341"',
    ],
    ['kind', { document_number: null }, '"natural" or "legal", or a document number that tells it'],
    ['pix_keys.0.type', { pix_keys: [{ key: '11987650034' }] }, 'the type of the key: cpf or phone'],
  ])('names %s when it is wrong, and registers nobody', async (path, fields, expected) => {
    const before = await world.look('select count(*) from people');
    await expect(
      world.call('finance_people_create', { ...aurora, document_number: '11222333000181', ...fields }),
    ).rejects.toMatchObject({ code: 'invalid_argument', details: { path, expected } });
    expect(await world.look('select count(*) from people')).toEqual(before);
  });

  test('refuses a wrong document number', async () => {
    await expect(
      world.call('finance_people_create', { ...aurora, document_number: '12ABC34501DE45' }),
    ).rejects.toMatchObject({ code: 'invalid_document_number', details: { path: 'document_number' } });
  });

  test('registers once for a repeated idempotency key', async () => {
    const args = { name: 'Once', roles: ['customer'], kind: 'legal', idempotency_key: 'person-1' };
    const first = await world.call('finance_people_create', args);
    expect(await world.call('finance_people_create', args)).toEqual(first);
    expect(await world.look("select id from people where name = 'Once'")).toHaveLength(1);
  });

  test('is for those who may change people', async () => {
    const args = { name: 'X', roles: ['customer'], kind: 'legal' };
    await expect(world.call('finance_people_create', args, 'reader')).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
    await expect(world.call('finance_people_create', args, 'viewer')).rejects.toMatchObject({
      code: 'forbidden',
    });
  });
});

describe('bank details', () => {
  test('are masked for those who may not see them, in get and in list', async () => {
    const masked = {
      bank_accounts: [{ number: '***45', digit: '6', bank_code: '341' }],
      pix_keys: [{ type: 'cnpj', key: '12.ABC.345/01DE-35' }],
    };
    expect(await world.call('finance_people_get', { id }, 'viewer')).toMatchObject(masked);
    const { items } = await world.call(
      'finance_people_list',
      { document_number: '12ABC34501DE35' },
      'accountant',
    );
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject(masked);
  });

  test('are masked in the audit chain, whose readers need not be theirs', async () => {
    const events = await world.look<{ body: string }>('select body from events order by position');
    expect(events.some(({ body }) => body.includes('***45'))).toBe(true);
    expect(events.filter(({ body }) => body.includes('0012345'))).toEqual([]);
  });

  test('that really change are dated, and counted on the unpaid payables they flag', async () => {
    const company_id = await createCompany(world);
    await createPayableRow(world, { company_id, person_id: id });
    await createPayableRow(world, { company_id, person_id: id, status: 'draft' });
    await createPayableRow(world, { company_id, person_id: id, status: 'canceled' });
    world.setNow('2026-10-02T12:00:00Z');
    const same = await world.call('finance_people_update', {
      id,
      bank_accounts: [{ ...account, holder_document: '12.ABC.345/01DE-35' }],
      pix_keys: [{ key: '12ABC34501DE35', type: 'cnpj' }],
    });
    expect(same).toMatchObject({
      bank_details_changed_at: null,
      bank_details_flagged_payables: 0,
      version: 2,
    });
    const changed = await world.call('finance_people_update', {
      id,
      bank_accounts: [{ ...account, digit: '7' }],
    });
    expect(changed).toMatchObject({
      bank_details_changed_at: '2026-10-02T12:00:00Z',
      bank_details_flagged_payables: 2,
      pix_keys: [{ type: 'cnpj', key: '12ABC34501DE35' }],
    });
    world.setNow('2026-10-03T12:00:00Z');
    const renamed = await world.call('finance_people_update', { id, name: 'Papelaria Áurea' });
    expect(renamed).toMatchObject({
      bank_details_changed_at: '2026-10-02T12:00:00Z',
      bank_details_flagged_payables: 0,
    });
  });

  test('tell how many whole days ago they changed', async () => {
    const days = (now: string) =>
      inWorkspace(now, async (context) =>
        bankDetailsChangedDaysAgo(await requirePerson(context, id), context),
      );
    expect(await days('2026-10-09T11:59:59Z')).toBe(6);
    expect(await days('2026-10-09T12:00:00Z')).toBe(7);
  });
});

describe('updating', () => {
  test('is found under the new name and no longer under the old one', async () => {
    const found = async (search: string) =>
      (await world.call('finance_people_list', { search })).items.map((item: { id: string }) => item.id);
    expect(await found('áurea')).toEqual([id]);
    expect(await found('AUREA')).toEqual([id]);
    expect(await found('papelaria aurora')).toEqual([]);
  });

  test('refuses the document of another person, and keeps both as they are', async () => {
    const other = await world.call('finance_people_create', {
      name: 'Borealis',
      roles: ['customer'],
      document_number: '11.222.333/0001-81',
    });
    await expect(
      world.call('finance_people_update', { id: other['id'], document_number: '12ABC34501DE35' }),
    ).rejects.toMatchObject({ code: 'duplicate', details: { of: id } });
    expect(await world.call('finance_people_get', { id: other['id'] })).toMatchObject({
      document_number: '11222333000181',
      version: 1,
    });
    const own = await world.call('finance_people_update', {
      id: other['id'],
      document_number: '11222333000181',
      active: false,
      address: null,
    });
    expect(own).toMatchObject({
      document_number: '11222333000181',
      active: false,
      address: null,
      version: 2,
    });
  });

  test('records the person before and after', async () => {
    const events = await world.look<{ body: string }>(
      "select body from events where operation = 'finance_people_update' order by position desc limit 1",
    );
    const [change] = JSON.parse(events[0]!.body).changes;
    expect(change).toMatchObject({
      kind: 'person',
      before: { active: true, version: 1 },
      after: { active: false, version: 2 },
    });
  });

  test('names the field that is wrong and changes nothing', async () => {
    const before = await world.call('finance_people_get', { id });
    await expect(
      world.call('finance_people_update', { id, name: 'Lost', pix_keys: [{ key: 'contas' }] }),
    ).rejects.toMatchObject({ code: 'invalid_pix_code', details: { path: 'pix_keys.0.key' } });
    await expect(world.call('finance_people_update', { id, kind: 'natural' })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'kind' },
    });
    expect(await world.call('finance_people_get', { id })).toEqual(before);
  });

  test('is for those who may change people', async () => {
    await expect(world.call('finance_people_update', { id, name: 'X' }, 'viewer')).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(world.call('finance_people_update', { id, name: 'X' }, 'reader')).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
  });
});

test('hides a person from another workspace and organization, like one that does not exist', async () => {
  const missing = (asked: string) => ({ code: 'not_found', details: { kind: 'person', id: asked } });
  const nobody = newId();
  await expect(world.call('finance_people_get', { id: nobody })).rejects.toMatchObject(missing(nobody));
  await expect(world.call('finance_people_get', { id }, 'stranger')).rejects.toMatchObject(missing(id));
  await expect(
    world.call('finance_people_update', { id, workspace_id: world.otherWorkspaceId, name: 'X' }, 'several'),
  ).rejects.toMatchObject(missing(id));
  const { items } = await world.call('finance_people_list', { search: 'papelaria' }, 'stranger');
  expect(items.map((item: { id: string }) => item.id)).not.toContain(id);
});

describe('listing', () => {
  const names = async (args: object) =>
    (await world.call('finance_people_list', args)).items.map((item: { name: string }) => item.name);

  test('finds by part of the document with its punctuation, and by e-mail', async () => {
    expect(await names({ search: '12.abc.345' })).toEqual(['Papelaria Áurea']);
    expect(await names({ search: '12ABC345' })).toEqual(['Papelaria Áurea']);
    expect(await names({ search: 'aurora.example' })).toEqual(['Papelaria Áurea']);
  });

  test('takes the wildcards of the search as letters', async () => {
    expect(await names({ search: '%%' })).toEqual([]);
  });

  test('filters by role, document and activity', async () => {
    expect(await names({ document_number: '12.ABC.345/01DE-35', role: 'supplier' })).toEqual([
      'Papelaria Áurea',
    ]);
    expect(await names({ document_number: '12.ABC.345/01DE-35', role: 'customer' })).toEqual([]);
    expect(await names({ active: false })).toEqual(['Borealis']);
    await expect(world.call('finance_people_list', { document_number: '123' })).rejects.toMatchObject({
      code: 'invalid_document_number',
      details: { path: 'document_number' },
    });
  });

  test.each(['name', '-name', 'created_at', '-created_at'])(
    'pages by %s without losing or repeating a record',
    async (sort) => {
      const whole = (await world.call('finance_people_list', { sort, limit: 100 })).items;
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await world.call('finance_people_list', { sort, limit: 2, ...(cursor && { cursor }) });
        seen.push(...page['items'].map((item: { id: string }) => item.id));
        cursor = page['next_cursor'] ?? undefined;
      } while (cursor !== undefined);
      expect(seen).toEqual(whole.map((item: { id: string }) => item.id));
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.length).toBeGreaterThan(5);
    },
  );
});

describe('registering the party of a document', () => {
  test('gives the person who has the document, and registers one otherwise', async () => {
    const register = (documentNumber: string) =>
      inTransaction((context) =>
        registerPerson(context, { name: 'Gráfica\u202e Sul', documentNumber, roles: ['supplier'] }),
      );
    expect((await register('12ABC34501DE35')).id).toBe(id);
    const made = await register('05813794000126');
    expect(made).toMatchObject({ name: 'Gráfica Sul', kind: 'legal', document_number: '05813794000126' });
    expect((await register('05813794000126')).id).toBe(made.id);
  });
});

/** The context of a read at the home workspace. */
function inWorkspace<T>(now: string, work: (context: Context) => Promise<T>): Promise<T> {
  const tenant = { organizationId: world.organizationId, workspaceId: world.workspaceId };
  return world.runtime.database.read(tenant, async (db) =>
    work({ ...tenant, db, isWriting: false, now: new Date(now) } as Context),
  );
}

/** The context of a write at the home workspace. */
function inTransaction<T>(work: (context: WriteContext) => Promise<T>): Promise<T> {
  const tenant = { organizationId: world.organizationId, workspaceId: world.workspaceId };
  return world.runtime.database.write(tenant, async (db) =>
    work({
      ...tenant,
      db,
      isWriting: true,
      now: world.now(),
      newId,
      caller: await world.caller('owner'),
      changed: () => {},
    } as unknown as WriteContext),
  );
}
