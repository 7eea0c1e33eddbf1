import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCharge, createContact, createDebtor } from '../../../test/support/dunning.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import type { WriteContext } from '../../core/operation.ts';
import { markContact, personCompletion, registerPerson, requirePerson } from './index.ts';

const maria = {
  name: 'Maria da Conceição',
  document_number: '529.982.247-25',
  address: { street: 'Rua das Flores', number: '10', city: 'Niterói', state: 'RJ', postal_code: '24020000' },
  contacts: [
    { channel: 'email', value: 'Maria@Example.com', is_primary: true },
    { channel: 'whatsapp', value: '(21) 99688-3193', consent: 'given' },
  ],
  external_id: 'C-1',
  tags: ['escola', 'escola'],
};

let world: World;
let id: string;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
  id = (await world.call('dunning_people_create', maria))['id'];
});
afterAll(() => world.close());

const get = (personId: string) => world.call('dunning_people_get', { id: personId });
const list = async (args: object) => (await world.call('dunning_people_list', args))['items'];

describe('creating', () => {
  test('stores everything in its one form, contacts included', async () => {
    const made = await get(id);
    expect(made).toMatchObject({
      id,
      name: 'Maria da Conceição',
      kind: 'natural',
      document_number: '52998224725',
      address: maria.address,
      state: 'RJ',
      is_consumer: true,
      do_not_contact: false,
      deceased: false,
      language: 'pt-BR',
      external_id: 'C-1',
      tags: ['escola'],
      status: 'active',
      version: 1,
      totals: { open_amount: '0.00', open_count: 0, last_payment: null, live_agreements: 0 },
      blocks: [],
    });
    expect(made['contacts']).toMatchObject([
      { channel: 'whatsapp', value: '+5521996883193', consent: 'given', is_primary: false },
      { channel: 'email', value: 'maria@example.com', consent: 'unknown', is_primary: true },
    ]);
  });

  test('refuses the document or the external id of another debtor, naming who has it', async () => {
    const duplicate = { code: 'duplicate', details: { of: id } };
    await expect(
      world.call('dunning_people_create', { name: 'Other', document_number: '52998224725' }),
    ).rejects.toMatchObject(duplicate);
    await expect(
      world.call('dunning_people_create', { name: 'Other', kind: 'legal', external_id: 'C-1' }),
    ).rejects.toMatchObject(duplicate);
    const there = await world.call('dunning_people_create', maria, 'stranger');
    expect(there['document_number']).toBe('52998224725');
  });

  test.each([
    [
      'invalid_contact',
      'contacts.1.value',
      { contacts: [maria.contacts[0], { channel: 'sms', value: '12345' }] },
    ],
    ['invalid_argument', 'contacts.0.channel', { contacts: [{ channel: 'fax', value: '12345678' }] }],
    ['invalid_argument', 'name', { name: '\u200b' }],
    ['invalid_argument', 'kind', { document_number: null }],
    ['invalid_argument', 'state', { state: 'sp' }],
    ['invalid_document_number', 'document_number', { document_number: '529.982.247-26' }],
  ])('answers %s for %s, and registers nobody', async (code, path, fields) => {
    const before = await world.look('select count(*) from dunning_people');
    await expect(
      world.call('dunning_people_create', {
        ...maria,
        document_number: '11144477735',
        external_id: 'C-2',
        ...fields,
      }),
    ).rejects.toMatchObject({ code, details: { path } });
    expect(await world.look('select count(*) from dunning_people')).toEqual(before);
  });

  test('registers once for a repeated idempotency key', async () => {
    const args = { name: 'Once', kind: 'legal', idempotency_key: 'debtor-1' };
    const first = await world.call('dunning_people_create', args);
    expect(await world.call('dunning_people_create', args)).toEqual(first);
    expect(await world.look("select id from dunning_people where name = 'Once'")).toHaveLength(1);
  });

  test('many at once: each row by itself, and nothing on a dry run', async () => {
    const people = [
      { name: 'Lote A', kind: 'legal', external_id: 'B-1' },
      { name: 'Lote B', document_number: '52998224725' },
      { name: 'Lote C', kind: 'natural', contacts: [{ channel: 'email', value: 'nobody' }] },
      { name: 'Lote D', kind: 'legal', external_id: 'B-1' },
      { name: 'Lote E', document_number: '11222333000181' },
    ];
    const count = () => world.look("select name from dunning_people where name like 'Lote%' order by name");
    const planned = await world.call('dunning_people_bulk_create', { people, dry_run: true });
    expect(await count()).toEqual([]);
    const made = await world.call('dunning_people_bulk_create', { people });
    expect(made).toMatchObject({
      requested: 5,
      succeeded: [{ index: 0 }, { index: 4 }],
      failed: [
        { index: 1, code: 'duplicate', of: id },
        { index: 2, code: 'invalid_contact', of: null },
        { index: 3, code: 'duplicate', of: made['succeeded'][0].id },
      ],
    });
    expect(planned['failed'].map(({ index }: { index: number }) => index)).toEqual([1, 2, 3]);
    expect(await count()).toEqual([{ name: 'Lote A' }, { name: 'Lote E' }]);
    const [event] = await world.look<{ body: string }>(
      "select body from events where operation = 'dunning_people_bulk_create' order by position desc limit 1",
    );
    expect(JSON.parse(event!.body).changes.map(({ kind }: { kind: string }) => kind)).toEqual([
      'person',
      'person',
    ]);
  });
});

describe('finding', () => {
  test('masks a CPF and not a CNPJ, and finds either by its whole number', async () => {
    const [found] = await list({ document_number: '529.982.247-25' });
    expect(found).toMatchObject({ id, document_number: '***.982.247-**', open_amount: '0.00' });
    const [company] = await list({ document_number: '11222333000181' });
    expect(company).toMatchObject({ document_number: '11.222.333/0001-81' });
    expect((await get(id))['document_number']).toBe('52998224725');
  });

  test('by words of the name without accents, by document and by external id', async () => {
    for (const search of ['conceicao', 'MARIA conc', '529.982', 'c-1']) {
      expect((await list({ search })).map((item: { id: string }) => item.id)).toEqual([id]);
    }
    expect(await list({ search: 'escola' })).toEqual([]);
    expect(await list({ search: 'maria', tag: 'escola' })).toHaveLength(1);
    await expect(list({ search: 'm' })).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  test('shows what each still owes, and who is late by the calendar even before the daily run', async () => {
    const late = await createDebtor(world, { name: 'Atrasada Ltda' });
    const early = await createDebtor(world, { name: 'Adiantada Ltda' });
    await createCharge(world, {
      person_id: late,
      amount_cents: 1_000,
      status: 'pending',
      due_date: '2026-09-30',
    });
    await createCharge(world, {
      person_id: late,
      amount_cents: 2_000,
      status: 'pending',
      due_date: '2026-12-01',
    });
    await createCharge(world, {
      person_id: early,
      amount_cents: 500,
      status: 'pending',
      due_date: '2026-10-01',
    });
    const overdue = await list({ has_overdue: true, search: 'ltda' });
    expect(overdue).toMatchObject([{ id: late, open_amount: '30.00', open_count: 2 }]);
    const others = await list({ has_overdue: false, search: 'adiantada' });
    expect(others).toMatchObject([{ id: early, open_amount: '5.00' }]);
    expect((await get(late))['totals']).toMatchObject({
      open_amount: '30.00',
      open_count: 2,
      overdue_amount: '10.00',
      overdue_count: 1,
      in_agreement_amount: '0.00',
    });
  });

  test('suggests ids for words of the name, for the beginning of an id, and the first by name for nothing', async () => {
    const suggest = (typed: string) =>
      inTransaction(async (context) =>
        personCompletion.kind === 'records'
          ? personCompletion.suggest({ ...context, today: '2026-10-01' }, typed)
          : [],
      );
    expect(await suggest('conceição')).toEqual([id]);
    expect(await suggest(id.slice(0, 30))).toContain(id);
    expect(await suggest('nobody at all')).toEqual([]);
    expect(await suggest('漢字漢字')).not.toBeNull();
    const all = await world.look<{ id: string }>(
      'select id from dunning_people where organization_id = $1 order by name, id limit 100',
      [world.organizationId],
    );
    expect(await suggest('')).toEqual(all.map((row) => row.id));
  });

  test('pages by name without losing or repeating anybody', async () => {
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await world.call('dunning_people_list', { limit: 2, ...(cursor && { cursor }) });
      seen.push(...page['items'].map((item: { id: string }) => item.id));
      cursor = page['next_cursor'];
    } while (cursor);
    const all = await world.look<{ id: string }>(
      'select id from dunning_people where organization_id = $1 order by name, id',
      [world.organizationId],
    );
    expect(seen).toEqual(all.map((row) => row.id));
  });
});

describe('updating', () => {
  test('changes what is given, brings the state of a new address along, and is found under the new name', async () => {
    const made = await world.call('dunning_people_create', { name: 'Antes', kind: 'natural', state: 'SP' });
    const personId = made['id'];
    const changed = await world.call('dunning_people_update', {
      id: personId,
      name: 'Depois',
      do_not_contact: true,
      deceased: true,
      language: 'en',
      address: { city: 'Cuiabá', state: 'MT' },
    });
    expect(changed).toMatchObject({
      name: 'Depois',
      state: 'MT',
      language: 'en',
      version: 2,
      is_consumer: true,
    });
    expect(changed['blocks']).toEqual([
      { reason: 'deceased', contact_id: null },
      { reason: 'do_not_contact', contact_id: null },
    ]);
    expect(await list({ search: 'depois' })).toHaveLength(1);
    expect(await list({ search: 'antes' })).toEqual([]);
    await expect(
      world.call('dunning_people_update', { id: personId, document_number: '52998224725' }),
    ).rejects.toMatchObject({ code: 'duplicate', details: { of: id } });
    const own = await world.call('dunning_people_update', { id: personId, external_id: 'X', state: null });
    expect(own).toMatchObject({ external_id: 'X', state: null });
    expect(await world.call('dunning_people_update', { id: personId, external_id: 'X' })).toMatchObject({
      version: 4,
    });
  });

  test('a record of another organization is not there', async () => {
    const missing = { code: 'not_found', details: { kind: 'person' } };
    await expect(world.call('dunning_people_get', { id }, 'stranger')).rejects.toMatchObject(missing);
    await expect(world.call('dunning_people_update', { id, name: 'X' }, 'stranger')).rejects.toMatchObject(
      missing,
    );
    await expect(world.call('dunning_people_archive', { id }, 'stranger')).rejects.toMatchObject(missing);
    await expect(
      world.call(
        'dunning_person_contacts_create',
        { person_id: id, channel: 'email', value: 'a@b.co' },
        'stranger',
      ),
    ).rejects.toMatchObject(missing);
  });

  test('is for those who may change debtors', async () => {
    await expect(world.call('dunning_people_update', { id, name: 'X' }, 'viewer')).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(world.call('dunning_people_update', { id, name: 'X' }, 'reader')).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
  });
});

describe('contacts', () => {
  const add = (personId: string, channel: string, value: string, fields: object = {}) =>
    world.call('dunning_person_contacts_create', { person_id: personId, channel, value, ...fields });
  const change = (contactId: string, fields: object) =>
    world.call('dunning_person_contacts_update', { id: contactId, ...fields });
  const contactsOf = async (personId: string) =>
    (await world.call('dunning_person_contacts_list', { person_id: personId }))['items'];
  const debtor = () => createDebtor(world, { email: null, phone: null });

  test('PITFALLS 54: an opt-out of one spelling counts for every contact with that number, and for later ones', async () => {
    const personId = await debtor();
    const sms = await add(personId, 'sms', '5531996883193');
    const whatsapp = await add(personId, 'whatsapp', '553196883193');
    const email = await add(personId, 'email', 'a@example.com');
    await change(sms['id'], { consent: 'opted_out' });
    const consents = async () =>
      Object.fromEntries((await contactsOf(personId)).map((row: any) => [row.channel, row.consent]));
    expect(await consents()).toEqual({ sms: 'opted_out', whatsapp: 'opted_out', email: 'unknown' });
    expect(await add(personId, 'phone', '(31) 9688-3193')).toMatchObject({ consent: 'opted_out' });
    expect((await get(personId))['blocks']).toContainEqual({
      reason: 'opted_out',
      contact_id: whatsapp['id'],
    });
    await change(whatsapp['id'], { consent: 'given' });
    expect(await consents()).toEqual({ sms: 'given', whatsapp: 'given', phone: 'given', email: 'unknown' });
    expect(email['consent_changed_at']).toBeNull();
  });

  test('a number of somebody else stops in every channel at once, also when added again', async () => {
    const personId = await debtor();
    const sms = await add(personId, 'sms', '31 99688-3193');
    const whatsapp = await add(personId, 'whatsapp', '31 99688-3193');
    await change(whatsapp['id'], { validity: 'wrong_person' });
    expect(await contactsOf(personId)).toMatchObject([
      { validity: 'wrong_person' },
      { validity: 'wrong_person' },
    ]);
    expect(await add(personId, 'phone', '31 9688-3193')).toMatchObject({ validity: 'wrong_person' });
    await expect(add(personId, 'sms', '31 9688-3193')).rejects.toMatchObject({
      code: 'duplicate',
      details: { of: sms['id'] },
    });
  });

  test('a refusal does not go away by another value, by forgetting or by removing', async () => {
    const personId = await debtor();
    const { id: contactId } = await add(personId, 'email', 'a@example.com', { consent: 'opted_out' });
    const refused = { code: 'invalid_state', details: { from: 'opted_out' } };
    await expect(change(contactId, { value: 'b@example.com' })).rejects.toMatchObject(refused);
    await expect(change(contactId, { consent: 'unknown' })).rejects.toMatchObject(refused);
    await expect(world.call('dunning_person_contacts_delete', { id: contactId })).rejects.toMatchObject(
      refused,
    );
    expect(await contactsOf(personId)).toMatchObject([{ value: 'a@example.com', consent: 'opted_out' }]);
  });

  test('what a person let go to one address goes to no other: its value stays while messages wait for it', async () => {
    const personId = await createDebtor(world, { email: 'dona@example.com' });
    const chargeId = await createCharge(world, { person_id: personId });
    const [contact] = (await get(personId))['contacts'].filter(({ channel }: any) => channel === 'email');
    const later = new Date(world.now().getTime() + 86_400_000).toISOString().replace(/T.*/, 'T15:00:00Z');
    const message = await world.call('dunning_notifications_create', {
      person_id: personId,
      charge_ids: [chargeId],
      channel: 'email',
      contact_id: contact.id,
      subject: 'Uma mensagem para você',
      body: 'Olá.',
      scheduled_for: later,
    });
    await expect(change(contact.id, { value: 'outra@example.com' })).rejects.toMatchObject({
      code: 'in_use',
      details: { by: [{ kind: 'notification', id: message['id'] }] },
    });
    expect(await change(contact.id, { value: 'DONA@example.com', label: 'casa' })).toMatchObject({
      label: 'casa',
    });
    await world.call('dunning_notifications_cancel', { id: message['id'] });
    expect(await change(contact.id, { value: 'outra@example.com' })).toMatchObject({
      value: 'outra@example.com',
    });
  });

  test('another number starts with nothing known of it', async () => {
    const personId = await debtor();
    const { id: contactId } = await add(personId, 'sms', '11987654321', { consent: 'given', label: 'work' });
    await change(contactId, { validity: 'valid' });
    expect(await change(contactId, { value: '11987654322', label: null })).toMatchObject({
      value: '+5511987654322',
      consent: 'unknown',
      validity: 'unknown',
      label: null,
    });
    const other = await add(personId, 'sms', '11987654323');
    await expect(change(contactId, { value: '(11) 8765-4323' })).rejects.toMatchObject({
      code: 'duplicate',
      details: { of: other['id'] },
    });
  });

  test('a channel has one first choice', async () => {
    const personId = await debtor();
    const first = await add(personId, 'email', 'a@example.com', { is_primary: true });
    const second = await add(personId, 'email', 'b@example.com', { is_primary: true });
    const primaries = async () =>
      (await contactsOf(personId)).filter((row: any) => row.is_primary).map((row: any) => row.id);
    expect(await primaries()).toEqual([second['id']]);
    await change(first['id'], { is_primary: true });
    expect(await primaries()).toEqual([first['id']]);
    await Promise.all([
      change(second['id'], { is_primary: true }),
      change(first['id'], { is_primary: true }),
    ]);
    expect(await primaries()).toHaveLength(1);
  });

  test('two additions of one number at the same moment are one contact and one duplicate', async () => {
    const personId = await debtor();
    const tried = await Promise.allSettled([
      add(personId, 'sms', '5531996883193'),
      add(personId, 'sms', '553196883193'),
    ]);
    expect(tried.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await contactsOf(personId)).toHaveLength(1);
  });

  test('removal asks with who and what, and waits for messages that would go there', async () => {
    const personId = await createDebtor(world, { name: 'Com mensagem', phone: null, email: null });
    const contactId = await createContact(world, personId, 'email', 'fila@example.com');
    const { message } = await world.ask('dunning_person_contacts_delete', { id: contactId });
    expect(message).toContain('"Com mensagem"');
    expect(message).toContain('"fila@example.com"');
    const notificationId = newId();
    await world.look(
      `insert into dunning_notifications (organization_id, id, person_id, channel, contact_id, own_body, trigger,
                                          scheduled_for, status, created_by)
       values ($1, $2, $3, 'email', $4, 'Olá', 'manual', now(), 'queued', $1)`,
      [world.organizationId, notificationId, personId, contactId],
    );
    await expect(world.call('dunning_person_contacts_delete', { id: contactId })).rejects.toMatchObject({
      code: 'in_use',
      details: { by: [{ kind: 'notification', id: notificationId }] },
    });
    await world.look("update dunning_notifications set status = 'sent' where id = $1", [notificationId]);
    expect(await world.call('dunning_person_contacts_delete', { id: contactId })).toEqual({
      id: contactId,
      deleted: true,
    });
    await expect(world.call('dunning_person_contacts_delete', { id: contactId })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('reports of what became of messages mark a contact, and take back nothing a person said', async () => {
    const personId = await debtor();
    const { id: contactId } = await add(personId, 'email', 'a@example.com');
    const late = '2026-09-30T10:00:00Z';
    await inTransaction((context) =>
      markContact(context, contactId, { validity: 'valid', deliveredAt: '2026-10-01T10:00:00Z' }),
    );
    await inTransaction((context) => markContact(context, contactId, { deliveredAt: late }));
    expect(await contactsOf(personId)).toMatchObject([
      { validity: 'valid', last_delivered_at: '2026-10-01T10:00:00Z' },
    ]);
    await change(contactId, { validity: 'wrong_person' });
    await inTransaction((context) => markContact(context, contactId, { validity: 'bounced' }));
    expect(await contactsOf(personId)).toMatchObject([{ validity: 'wrong_person' }]);
    await expect(inTransaction((context) => markContact(context, newId(), {}))).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('archiving', () => {
  test('puts away who owes nothing, names what is open, and an update takes out again', async () => {
    const personId = await createDebtor(world, { name: 'Quitada Ltda' });
    const charge = await createCharge(world, { person_id: personId });
    await expect(world.ask('dunning_people_archive', { id: personId })).rejects.toMatchObject({
      code: 'in_use',
      details: { by: [{ kind: 'charge', id: charge }] },
    });
    await world.look("update dunning_charges set status = 'paid', open_cents = 0 where id = $1", [charge]);
    const { message } = await world.ask('dunning_people_archive', { id: personId });
    expect(message).toContain('"Quitada Ltda"');
    const archived = await world.call('dunning_people_archive', { id: personId });
    expect(archived).toMatchObject({ status: 'archived', version: 2 });
    expect(await world.call('dunning_people_archive', { id: personId })).toEqual(archived);
    expect(await list({ search: 'quitada' })).toEqual([]);
    expect(await list({ search: 'quitada', archived: true })).toMatchObject([
      { id: personId, status: 'archived' },
    ]);
    expect(await world.call('dunning_people_update', { id: personId, archived: false })).toMatchObject({
      status: 'active',
    });
  });

  test('a charge that came between the question and the yes stops it', async () => {
    const personId = await createDebtor(world);
    const { state } = await world.ask('dunning_people_archive', { id: personId });
    await createCharge(world, { person_id: personId });
    await expect(world.confirm('dunning_people_archive', { id: personId }, state)).rejects.toMatchObject({
      code: 'in_use',
    });
  });

  test('many: by ids or by a filter, those who owe are named, and a changed filter asks anew', async () => {
    const debtors = await Promise.all(
      ['a', 'b', 'c'].map((letter) => createDebtor(world, { name: `Muitos ${letter}` })),
    );
    await createCharge(world, { person_id: debtors[1]! });
    const args = { filter: { search: 'muitos' } };
    const first = await world.ask('dunning_people_bulk_archive', args);
    expect(first.message).toMatch(/Debtors|Devedores/);
    expect(first.message).toContain('"Muitos a, Muitos c"');
    const fourth = await createDebtor(world, { name: 'Muitos d' });
    const responses = { confirm: { action: 'accept', content: { confirm: true } } };
    const again = await world.send('dunning_people_bulk_archive', args, { state: first.state, responses });
    expect(again.kind).toBe('ask');
    expect(await world.call('dunning_people_bulk_archive', { ids: debtors, dry_run: true })).toMatchObject({
      requested: 3,
    });
    expect((await get(debtors[0]!))['status']).toBe('active');
    const done = await world.call('dunning_people_bulk_archive', args);
    expect(done).toMatchObject({ requested: 4, failed: [{ id: debtors[1], code: 'in_use' }] });
    expect(done['succeeded']).toEqual([debtors[0]!, debtors[2]!, fourth].sort());
    await expect(world.ask('dunning_people_bulk_archive', { ids: [debtors[1]] })).rejects.toMatchObject({
      code: 'in_use',
    });
    for (const wrong of [{}, { ids: debtors, filter: args.filter }, { filter: {} }]) {
      await expect(world.call('dunning_people_bulk_archive', wrong)).rejects.toMatchObject({
        code: 'invalid_argument',
      });
    }
  });
});

describe('anonymizing', () => {
  test('erases who it was in every record after the retention, once, and keeps the figures', async () => {
    const personId = await createDebtor(world, {
      name: 'Esquecida da Silva',
      kind: 'natural',
      document_number: '98765432100',
    });
    const charge = await createCharge(world, { person_id: personId, due_date: '2021-01-10' });
    const notificationId = newId();
    const disputeId = newId();
    await world.look(
      `insert into dunning_notifications (organization_id, id, person_id, channel, rendered, trigger, scheduled_for, status, created_by)
       values ($1, $2, $3, 'email', '{"body":"Olá Esquecida"}', 'manual', now(), 'sent', $1)`,
      [world.organizationId, notificationId, personId],
    );
    await world.look(
      `insert into dunning_interactions (organization_id, id, person_id, kind, direction, outcome, summary, occurred_at, created_by)
       values ($1, $2, $3, 'call', 'outbound', 'reached', 'Falei com Esquecida', now(), $1)`,
      [world.organizationId, newId(), personId],
    );
    await world.look(
      `insert into dunning_disputes (organization_id, id, charge_id, person_id, reason, description, status, created_by)
       values ($1, $2, $3, $4, 'other', 'Esquecida diz que pagou', 'dismissed', $1)`,
      [world.organizationId, disputeId, charge, personId],
    );
    await world.look(
      `insert into dunning_promises (organization_id, id, charge_ids, person_id, amount_cents, promised_on, promised_for,
                                     keep_until, status, ended_at, ended_reason, created_by)
       values ($1, $2, array[$3::uuid], $4, 10000, '2021-01-20', '2021-02-01', '2021-02-02', 'canceled', now(),
               'Esquecida pediu', $1)`,
      [world.organizationId, newId(), charge, personId],
    );
    await world.look(
      `insert into dunning_holds (organization_id, charge_id, reason, source_id, note, created_by)
       values ($1, $2, 'manual', $2, 'a pedido de Esquecida', $1)`,
      [world.organizationId, charge],
    );
    const [rule, step] = [newId(), newId()];
    await world.look(
      `insert into dunning_collection_rules (organization_id, id, name, created_by) values ($1, $2, 'Régua', $1)`,
      [world.organizationId, rule],
    );
    await world.look(
      `insert into dunning_rule_steps (organization_id, id, rule_id, position, offset_days, day_kind, time_of_day, action, created_by)
       values ($1, $2, $3, 0, 1, 'calendar', '09:00', 'task', $1)`,
      [world.organizationId, step, rule],
    );
    await world.look(
      `insert into dunning_step_executions (organization_id, id, charge_id, person_id, rule_id, step_id, cycle, action, step_on,
                                            due_at, status, skipped_reason)
       values ($1, $2, $3, $4, $5, $6, 1, 'task', '2021-01-11', now(), 'skipped', 'manual: Esquecida viaja')`,
      [world.organizationId, newId(), charge, personId, rule, step],
    );
    const args = { id: personId, legal_basis: 'request under LGPD art. 18' };
    await expect(world.ask('dunning_people_anonymize', args)).rejects.toMatchObject({ code: 'in_use' });
    await world.look(
      "update dunning_charges set status = 'paid', open_cents = 0, paid_on = '2021-10-01' where id = $1",
      [charge],
    );
    await expect(world.ask('dunning_people_anonymize', args)).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'in_retention', until: '2026-10-01' },
    });
    await world.look("update dunning_charges set paid_on = '2021-09-30' where id = $1", [charge]);
    const { message } = await world.ask('dunning_people_anonymize', args);
    expect(message).toContain('987.654.321-00');
    expect(await world.call('dunning_people_anonymize', args)).toMatchObject({
      name: 'Anonimizado',
      document_number: null,
      address: null,
      do_not_contact: true,
      status: 'anonymized',
    });
    expect((await get(personId))['contacts']).toEqual([]);
    for (const table of [
      'people',
      'contacts',
      'charges',
      'notifications',
      'interactions',
      'disputes',
      'promises',
      'holds',
      'step_executions',
      'search_words',
    ]) {
      const [rows] = await world.look<{ text: string }>(
        `select json_agg(t)::text as text from dunning_${table} t where t::text ilike '%esquecid%'`,
      );
      expect(rows!.text, table).toBeNull();
    }
    const [kept] = await world.look(
      'select amount_cents::int, paid_on::text from dunning_charges where id = $1',
      [charge],
    );
    expect(kept).toEqual({ amount_cents: 10_000, paid_on: '2021-09-30' });
    const [event] = await world.look<{ body: string }>(
      "select body from events where operation = 'dunning_people_anonymize' and body like '%done%' order by position desc limit 1",
    );
    expect(JSON.stringify(JSON.parse(event!.body).changes)).not.toContain('Esquecida');
    const gone = { code: 'invalid_state', details: { from: 'anonymized' } };
    await expect(world.ask('dunning_people_anonymize', args)).rejects.toMatchObject(gone);
    await expect(world.call('dunning_people_update', { id: personId, name: 'X' })).rejects.toMatchObject(
      gone,
    );
    await expect(
      world.call('dunning_person_contacts_create', {
        person_id: personId,
        channel: 'email',
        value: 'a@b.co',
      }),
    ).rejects.toMatchObject(gone);
  });

  test('needs no waiting for somebody who never owed', async () => {
    const personId = await createDebtor(world);
    expect(
      await world.call('dunning_people_anonymize', { id: personId, legal_basis: 'registered by mistake' }),
    ).toMatchObject({ status: 'anonymized' });
  });
});

describe('registering for a debt read elsewhere', () => {
  test('gives who has the document already, else registers with the contacts that are fit', async () => {
    const known = await inTransaction((context) =>
      registerPerson(context, { name: 'Other', documentNumber: '529.982.247-25' }),
    );
    expect(known.id).toBe(id);
    const draft = {
      name: 'Nova\u202e Ltda\n',
      documentNumber: '12ABC34501DE35',
      address: { city: 'Recife', state: 'PE', postal_code: 'x', other: 1 },
      emails: ['contas@nova.example.com', 'nobody'],
      phones: ['8132654321'],
    };
    const row = await inTransaction((context) => registerPerson(context, draft));
    expect(await get(row.id)).toMatchObject({
      name: 'Nova Ltda',
      kind: 'legal',
      address: { city: 'Recife', state: 'PE' },
      state: 'PE',
      is_consumer: false,
    });
    const channels = (await get(row.id))['contacts'].map((contact: { channel: string }) => contact.channel);
    expect(channels.sort()).toEqual(['email', 'phone', 'whatsapp']);
    await inTransaction(async (context) => {
      expect((await requirePerson(context, row.id)).name).toBe('Nova Ltda');
    });
  });
});

/** The context of a write of the owner. */
function inTransaction<T>(work: (context: WriteContext) => Promise<T>): Promise<T> {
  const tenant = { organizationId: world.organizationId, workspaceId: null };
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
