import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCharge, createDebtor } from '../../../test/support/dunning.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import type { Context } from '../../core/operation.ts';
import { templateCompletion, versionKey, versionTexts } from './index.ts';
import { requireUsableTemplate } from './resource.ts';

let world: World;

const call = (verb: string, args: object = {}, who?: Parameters<World['call']>[2]) =>
  world.call(`dunning_templates_${verb}`, args, who);
const sms = (fields: object = {}) =>
  call('create', { name: 'Aviso', channel: 'sms', body: 'Olá, {{debtor_name}}: {{total_due}}.', ...fields });
const email = (fields: object = {}) =>
  call('create', {
    name: 'Lembrete',
    channel: 'email',
    subject: '{{creditor_name}}: mensagem para você',
    body: 'Olá, {{debtor_name}}.\n\n{{charges}}\n\nTotal: {{total_due}}',
    ...fields,
  });
const names = async (args: object = {}) =>
  (await call('list', args))['items'].map(({ name }: { name: string }) => name);

function reading<T>(work: (context: Context) => Promise<T>): Promise<T> {
  const tenant = { organizationId: world.organizationId, workspaceId: null };
  return world.runtime.database.read(tenant, (db) =>
    work({ db, organizationId: world.organizationId, isWriting: false } as unknown as Context),
  );
}

/** A step of a rule that sends the template. */
async function stepOf(templateId: string): Promise<string> {
  const [rule, step] = [newId(), newId()];
  await world.look(
    'insert into dunning_collection_rules (organization_id, id, name, created_by) values ($1, $2, $3, $1)',
    [world.organizationId, rule, 'Régua'],
  );
  await world.look(
    `insert into dunning_rule_steps (organization_id, id, rule_id, position, offset_days, day_kind, time_of_day, action,
                                     channel, template_id, created_by)
     values ($1, $2, $3, 0, 5, 'calendar', '09:00', 'message', 'sms', $4, $1)`,
    [world.organizationId, step, rule, templateId],
  );
  return step;
}

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
});
afterAll(() => world.close());

describe('a template', () => {
  test('is kept with its first version, and shows the variables it names', async () => {
    const created = await email({ name: 'Primeiro' });
    expect(created).toMatchObject({ text_version: 1, active: true, language: 'pt-BR', version: 1 });
    expect(await call('get', { id: created['id'] })).toEqual({
      ...created,
      variables: ['creditor_name', 'debtor_name', 'charges', 'total_due'],
    });
    const kept = await world.look(
      'select text_version, subject, body from dunning_template_versions where template_id = $1',
      [created['id']],
    );
    expect(kept).toEqual([{ text_version: 1, subject: created['subject'], body: created['body'] }]);
  });

  test.each([
    [
      'a variable that does not exist',
      { body: 'Olá, {{nome}}.' },
      'unknown_variable',
      { variables: ['nome'] },
    ],
    ['one that the channel does not take', { body: '{{charge_pix_code}}' }, 'unknown_variable', {}],
    ['a threat', { body: 'Vamos chamar a polícia.' }, 'unsafe_template', {}],
    ['a subject where there is none', { subject: 'Olá' }, 'invalid_argument', { path: 'subject' }],
    ['a body too long for it', { body: 'a'.repeat(919) }, 'invalid_argument', { path: 'body' }],
    ['a body of nothing that is seen', { body: '\u200B\n ' }, 'invalid_argument', { path: 'body' }],
    ['an empty name', { name: '' }, 'invalid_argument', { path: 'name' }],
    ['a channel that carries no text', { channel: 'phone' }, 'invalid_argument', { path: 'channel' }],
  ])('with %s is refused and not kept', async (_what, fields, code, details) => {
    const name = `Refused ${code}`;
    await expect(sms({ name, ...fields })).rejects.toMatchObject({ code, details });
    expect(await names({ search: 'Refused' })).toEqual([]);
  });

  test('with debt details in its subject is refused (MODEL §15)', async () => {
    await expect(email({ subject: 'Sua dívida de {{total_due}}' })).rejects.toMatchObject({
      code: 'unsafe_template',
      details: {
        findings: [
          { code: 'debt_in_subject', field: 'subject', words: 'total_due' },
          { code: 'debt_in_subject', field: 'subject', words: 'divida' },
        ],
      },
    });
  });

  test('is made once under one idempotency key', async () => {
    const args = { name: 'Uma vez', idempotency_key: 'template-1' };
    expect((await sms(args))['id']).toBe((await sms(args))['id']);
    expect(await names({ search: 'uma vez' })).toEqual(['Uma vez']);
  });

  test('is not there for another organization', async () => {
    const { id } = await sms({ name: 'Nosso' });
    const missing = { code: 'not_found', details: { kind: 'template', id } };
    await expect(call('get', { id }, 'stranger')).rejects.toMatchObject(missing);
    await expect(call('update', { id, name: 'Deles' }, 'stranger')).rejects.toMatchObject(missing);
    await expect(call('archive', { id }, 'stranger')).rejects.toMatchObject(missing);
    await expect(call('preview', { id }, 'stranger')).rejects.toMatchObject(missing);
    expect((await call('list', {}, 'stranger'))['items']).toEqual([]);
  });

  test('is made by those who may, with a connection that may write', async () => {
    const args = { name: 'X', channel: 'sms', body: 'Olá.' };
    await expect(call('create', args, 'viewer')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(call('create', args, 'reader')).rejects.toMatchObject({ code: 'insufficient_scope' });
  });
});

describe('listing', () => {
  test('finds by name, channel, language and state, without bodies, and pages without losing one', async () => {
    await sms({ name: 'Ácido um' });
    await email({ name: 'acido dois' });
    const idle = await sms({ name: 'acido três', language: 'en' });
    await call('update', { id: idle['id'], active: false });
    expect(await names({ search: 'ACIDO' })).toHaveLength(3);
    expect(await names({ search: 'ácido', channel: 'email' })).toEqual(['acido dois']);
    expect(await names({ search: 'acido', language: 'en' })).toEqual(['acido três']);
    expect(await names({ search: 'acido', active: false })).toEqual(['acido três']);
    const whole = (await call('list', { sort: '-created_at' }))['items'];
    expect(whole[0]).not.toHaveProperty('body');
    const seen: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await call('list', { sort: '-created_at', limit: 2, ...(cursor && { cursor }) });
      seen.push(...page['items']);
      cursor = page['next_cursor'] ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(whole);
  });

  test('completes ids by name, and by the beginning of the id', async () => {
    if (templateCompletion.kind !== 'records') throw new Error('not of records');
    const { suggest } = templateCompletion;
    const { id } = await sms({ name: 'Notável 100%' });
    expect(await reading((context) => suggest(context, 'notavel'))).toEqual([id]);
    expect(await reading((context) => suggest(context, '100%'))).toEqual([id]);
    expect(await reading((context) => suggest(context, id.slice(0, 30)))).toContain(id);
    expect(await reading((context) => suggest(context, '__'))).toEqual([]);
  });
});

describe('changing', () => {
  test('the text makes a new version; messages made before keep theirs', async () => {
    const { id, body } = await sms({ name: 'Versões' });
    expect(await call('update', { id, name: 'Versões.' })).toMatchObject({ text_version: 1, version: 2 });
    expect(await call('update', { id, body: 'Novo: {{total_due}}' })).toMatchObject({
      text_version: 2,
      version: 3,
    });
    const texts = await reading((context) =>
      versionTexts(
        context,
        [1, 2, 3].map((textVersion) => ({ templateId: id, textVersion })),
      ),
    );
    expect([...texts].map(([key, text]) => [key, text.body])).toEqual([
      [versionKey({ templateId: id, textVersion: 1 }), body],
      [versionKey({ templateId: id, textVersion: 2 }), 'Novo: {{total_due}}'],
    ]);
  });

  test('to the same again changes nothing', async () => {
    const template = await sms({ name: 'Igual' });
    const { id, name, body } = template;
    expect(await call('update', { id, name, body, active: true })).toEqual(template);
  });

  test('to a text that may not be sent is refused, and the old one stays', async () => {
    const { id } = await email({ name: 'Firme' });
    await expect(call('update', { id, body: 'Nome sujo!' })).rejects.toMatchObject({
      code: 'unsafe_template',
    });
    await expect(call('update', { id, body: '{{x}}' })).rejects.toMatchObject({ code: 'unknown_variable' });
    const short = await sms({ name: 'Curto' });
    await expect(call('update', { id: short['id'], subject: 'Olá' })).rejects.toMatchObject({
      details: { path: 'subject' },
    });
    expect(await call('get', { id })).toMatchObject({ text_version: 1, version: 1 });
  });

  test('records before and after', async () => {
    const { id } = await sms({ name: 'Antes' });
    await call('update', { id, name: 'Depois' });
    const [event] = await world.look<{ body: string }>(
      "select body from events where operation = 'dunning_templates_update' order by position desc limit 1",
    );
    expect(JSON.parse(event!.body).changes).toMatchObject([
      { kind: 'template', id, before: { name: 'Antes', version: 1 }, after: { name: 'Depois', version: 2 } },
    ]);
  });
});

describe('archiving', () => {
  test('asks with name and channel, takes it out of use and out of lists, and may be repeated', async () => {
    const { id } = await sms({ name: 'Velho "modelo"' });
    const { message } = await world.ask('dunning_templates_archive', { id });
    expect(message).toContain('Velho \\"modelo\\"');
    expect(message).toContain('SMS');
    const archived = await call('archive', { id });
    expect(archived).toMatchObject({ active: false, version: 2 });
    expect(await call('archive', { id })).toEqual(archived);
    expect(await names({ search: 'velho' })).toEqual([]);
    expect(await names({ search: 'velho', archived: true })).toEqual(['Velho "modelo"']);
    await expect(call('update', { id, name: 'Novo' })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'archived' },
    });
  });

  test('is refused while an active step sends it, and so is deactivating', async () => {
    const { id } = await sms({ name: 'Em uso' });
    const step = await stepOf(id);
    const inUse = { code: 'in_use', details: { by: [{ kind: 'step', id: step }] } };
    await expect(call('archive', { id })).rejects.toMatchObject(inUse);
    await expect(call('update', { id, active: false })).rejects.toMatchObject(inUse);
    await world.look('update dunning_rule_steps set deleted_at = now() where id = $1', [step]);
    expect(await call('archive', { id })).toMatchObject({ active: false });
  });

  test('a template out of use, or of another channel, is not for sending', async () => {
    const { id } = await sms({ name: 'Parado' });
    const use = (channel: string) => reading((context) => requireUsableTemplate(context, id, channel));
    expect((await use('sms')).id).toBe(id);
    await expect(use('email')).rejects.toMatchObject({ details: { path: 'template_id' } });
    await call('update', { id, active: false });
    await expect(use('sms')).rejects.toMatchObject({ code: 'invalid_state', details: { from: 'inactive' } });
    await call('archive', { id });
    await expect(use('sms')).rejects.toMatchObject({ code: 'invalid_state', details: { from: 'archived' } });
  });
});

describe('a preview', () => {
  test('shows a charge with what it comes to today, and sends nothing', async () => {
    const person = await createDebtor(world, { name: 'Ana & Filhos Ltda' });
    const terms = {
      discounts: [],
      fine: { kind: 'percent', percent: 20_000 },
      interest: { kind: 'none' },
      graceDays: 0,
    };
    const charge_id = await createCharge(world, { person_id: person, amount_cents: 10_000, terms });
    const { id } = await email({ name: 'Prévia' });
    const preview = await call('preview', { id, charge_id });
    expect(preview).toMatchObject({ is_sample: false });
    expect(preview['body']).toContain('Olá, Ana & Filhos Ltda.');
    expect(preview['body']).toContain('Total: R$ 102,00');
    expect(await world.look('select 1 from dunning_notifications')).toEqual([]);
  });

  test('shows made-up charges when there is none, each with its own amount', async () => {
    const { id } = await email({ name: 'Amostra' });
    const preview = await call('preview', {
      id,
      sample: { amount: '110.00', charges: 2, due_date: '2026-09-20' },
    });
    expect(preview['is_sample']).toBe(true);
    expect(preview['body'].match(/R\$ 110,00/g)).toHaveLength(2);
    expect(preview['body']).toContain('Total: R$ 220,00');
    expect(preview['body']).toContain('vencimento 20/09/2026');
  });

  test('points out pressure, legal measures, variables without a value and several short messages', async () => {
    const { id } = await sms({
      name: 'Longo',
      body: `Último aviso, {{debtor_name}}: protesto. {{creditor_name}} ${'ção '.repeat(30)}`,
    });
    const { warnings } = await call('preview', { id });
    expect(warnings).toEqual([
      { code: 'legal_measure', field: 'body', detail: 'protesto' },
      { code: 'pressure', field: 'body', detail: 'ultimo aviso' },
      { code: 'empty_variable', field: 'body', detail: 'creditor_name' },
      { code: 'several_messages', field: 'body', detail: '3' },
      { code: 'not_plain_letters', field: 'body', detail: 'accents' },
    ]);
  });

  test('does not know a charge of another organization', async () => {
    const { id } = await sms({ name: 'Cego' });
    const charge_id = newId();
    await expect(call('preview', { id, charge_id })).rejects.toMatchObject({
      code: 'not_found',
      details: { kind: 'charge', id: charge_id },
    });
  });
});

test('the variables are told with examples, by channel', async () => {
  const list = async (args: object = {}) =>
    (await world.call('dunning_template_variables_list', args))['items'];
  const all = (await list()).map(({ name }: { name: string }) => name);
  expect(all).toContain('charge_pix_code');
  expect((await list({ channel: 'sms' })).map(({ name }: { name: string }) => name)).not.toContain(
    'charge_pix_code',
  );
  expect((await list()).find(({ name }: { name: string }) => name === 'total_due')).toMatchObject({
    scope: 'message',
    allowed_in_subject: false,
  });
});
