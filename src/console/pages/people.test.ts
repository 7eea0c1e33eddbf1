import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openSession } from '../../../test/support/session.ts';
import { type ConsoleServer, openConsole, type Visitor } from '../../../test/support/visitor.ts';
import { openWorld, type Who, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import { browserName } from './connections-sessions.ts';
import { rolesText } from './people-words.ts';
import { amountOf } from './settings-controls.ts';

let world: World;
let server: ConsoleServer;
let owner: Visitor;

beforeAll(async () => {
  world = await openWorld();
  server = await openConsole(world);
});
afterAll(async () => {
  await server.close();
  await world.close();
});

const signedIn = async (who: Who): Promise<Visitor> => server.visitor((await openSession(world, who)).secret);
beforeEach(async () => {
  owner = await signedIn('owner');
});

const userIdOf = async (who: Who) => (await world.caller(who)).user.id;
const eventsOf = (operation: string) =>
  world.look<{ body: string }>('select body from events where operation = $1 order by position desc', [
    operation,
  ]);

describe('people', () => {
  test('are listed with their roles, for those who may see them', async () => {
    const page = await owner.get('/console/people');
    expect(page.status).toBe(200);
    expect(page.text).toContain('accountant@example.com');
    expect(page.text).toContain('Contador');
    expect(page.text).not.toContain('stranger@example.com');
    expect((await (await signedIn('viewer')).get('/console/people')).status).toBe(403);
  });

  test('are invited with a link that is shown once', async () => {
    await owner.get('/console/people/invite');
    const fields = { email: 'nova@example.com', name: '<b>Nova</b>', locale: 'pt-BR', role_all: 'viewer' };
    const made = await owner.post('/console/people/invite', fields);
    expect(made.status).toBe(201);
    const link = /value="(http:\/\/127[^"]+\/console\/invitation\/[\w-]+)"/.exec(made.text)?.[1];
    expect(link).toBeDefined();
    expect((await server.visitor().get(new URL(link!).pathname)).text).toContain('nova@example.com');
    const list = await owner.get('/console/people');
    expect(list.text).toContain('Convidada');
    expect(list.text).not.toContain('/console/invitation/');
    expect(list.text).not.toContain('<b>Nova</b>');
  });

  test('are told what is wrong with an invitation beside the form, which keeps what was written', async () => {
    await owner.get('/console/people/invite');
    const post = (fields: Record<string, string>) => owner.post('/console/people/invite', fields);
    const none = await post({ email: 'x@example.com', name: 'X' });
    expect(none.text).toContain('Escolha pelo menos um papel.');
    const wrong = await post({ email: 'no address', name: 'X', role_all: 'viewer' });
    expect(wrong).toMatchObject({ status: 422 });
    expect(wrong.text).toContain('href="#email"');
    expect(wrong.text).toContain('value="no address"');
    const member = await post({ email: 'viewer@example.com', name: 'X', role_all: 'viewer' });
    expect(member.text).toContain('já faz parte da organização');
  });

  test('get other roles, in one workspace or in all, and keep an owner', async () => {
    const path = `/console/people/${await userIdOf('accountant')}`;
    await owner.get(path);
    const saved = await owner.post(path, { role_all: '', [`role_${world.workspaceId}`]: 'finance' });
    expect(saved).toMatchObject({ status: 303, location: '/console/people' });
    expect((await owner.follow(saved)).text).toContain('Financeiro em Matriz');
    await world.look(
      "delete from memberships where role = 'owner' and user_id <> $1 and organization_id = $2",
      [await userIdOf('owner'), world.organizationId],
    );
    const own = `/console/people/${await userIdOf('owner')}`;
    await owner.get(own);
    const refused = await owner.post(own, { role_all: 'viewer' });
    expect(refused.text).toContain('A organização precisa de pelo menos um proprietário.');
  });

  test('are removed after a page that says what that means', async () => {
    const id = await userIdOf('collector');
    const collector = await signedIn('collector');
    const asked = await owner.get(`/console/people/${id}/remove`);
    expect(asked.text).toContain('collector@example.com');
    expect(await owner.post(`/console/people/${id}/remove`)).toMatchObject({ status: 303 });
    expect(await collector.get('/console/passkeys')).toMatchObject({ status: 303 });
    expect(await owner.get(`/console/people/${id}`)).toMatchObject({ status: 404 });
  });

  test('of another organization, and ids that are none, are not there', async () => {
    for (const id of [await userIdOf('stranger'), newId(), 'x', '..%2fme']) {
      expect((await owner.get(`/console/people/${id}`)).status, id).toBe(404);
      expect((await owner.post(`/console/people/${id}/remove`)).status, id).toBe(404);
    }
  });

  test('are not changed on the word of an old proof: the page asks for it and keeps the form', async () => {
    await owner.get('/console/people/invite');
    const now = world.now().toISOString();
    world.setNow(new Date(world.now().getTime() + 600_000).toISOString());
    const fields = { email: 'tarde@example.com', name: 'Tarde', role_all: 'viewer' };
    const asked = await owner.post('/console/people/invite', fields);
    world.setNow(now);
    expect(asked.text).toContain('Confirme que é você');
    expect(asked.text).toContain('name="email" value="tarde@example.com"');
    expect(await eventsOf('account_people_invite')).not.toContainEqual(
      expect.objectContaining({ body: expect.stringContaining('tarde') }),
    );
    const rows = await world.look("select 1 from users where email = 'tarde@example.com'");
    expect(rows).toEqual([]);
  });
});

describe('connections', () => {
  const connect = async (who: Who, fields: { client_name?: string } = {}) => {
    const id = newId();
    await world.look(
      `insert into connections (id, grant_id, user_id, organization_id, product, access, workspace_id, client_id,
         client_name, client_host, is_verified, created_at, expires_at)
       values ($1, $2, $3, $4, 'finance', 'write', $5, 'client', $6, 'agent.example', true, $7, $8)`,
      [
        id,
        newId(),
        await userIdOf(who),
        world.organizationId,
        world.workspaceId,
        fields.client_name ?? 'Assistente',
        world.now(),
        new Date(world.now().getTime() + 86_400_000),
      ],
    );
    return id;
  };

  test("are one's own; everybody's for those who may, and names are escaped", async () => {
    await connect('viewer', { client_name: '<img src=x onerror=alert(1)>' });
    const viewer = await signedIn('viewer');
    const own = await viewer.get('/console/connections');
    expect(own.text).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(own.text).toContain('agent.example');
    expect((await viewer.get('/console/connections?whose=everybody')).text).not.toContain(
      'Mostrar os de todos',
    );
    expect((await owner.get('/console/connections')).text).not.toContain('agent.example');
    const everybody = await owner.get('/console/connections?whose=everybody');
    expect(everybody.text).toContain('agent.example');
    expect(everybody.text).toContain('Person viewer');
  });

  test('are revoked after a page that names them, by their person and by those who may', async () => {
    const id = await connect('viewer');
    const other = await connect('owner');
    const viewer = await signedIn('viewer');
    expect((await viewer.get(`/console/connections/${other}/revoke`)).status).toBe(404);
    expect((await viewer.post(`/console/connections/${other}/revoke`)).status).toBe(404);
    const asked = await owner.get(`/console/connections/${id}/revoke`);
    expect(asked.text).toContain('Assistente');
    const revoked = await owner.post(`/console/connections/${id}/revoke`);
    expect(revoked).toMatchObject({ status: 303, location: '/console/connections' });
    expect(
      await world.look('select revoked_at is null as live from connections where id = $1', [id]),
    ).toEqual([{ live: false }]);
  });
});

describe('tokens', () => {
  test('are shown once, work, and stop working when they are revoked', async () => {
    await owner.get('/console/tokens/new');
    const made = await owner.post('/console/tokens/new', {
      name: 'ERP',
      product: 'finance',
      access: 'read',
      workspace_id: world.workspaceId,
      expires_in_days: '30',
    });
    expect(made.status).toBe(201);
    expect(made.headers.get('cache-control')).toBe('no-store');
    const token = /id="secret"[^>]* value="(kob_finance_[\w-]+)"/.exec(made.text)![1]!;
    expect(await world.runtime.authenticator.authenticate(token, 'finance', world.now())).not.toBeNull();
    const list = await owner.get('/console/tokens');
    expect(list.text).toContain('ERP');
    expect(list.text).not.toContain(token);
    const path = /\/console\/tokens\/[0-9a-f-]+\/revoke/.exec(list.text)![0];
    const viewer = await signedIn('viewer');
    await viewer.get('/console/tokens');
    expect((await viewer.post(path)).status).toBe(404);
    await owner.get(path);
    expect(await owner.post(path)).toMatchObject({ status: 303 });
    world.runtime.authenticator.forget();
    expect(await world.runtime.authenticator.authenticate(token, 'finance', world.now())).toBeNull();
  });

  test('say what is wrong with the form beside its field', async () => {
    await owner.get('/console/tokens/new');
    const post = (fields: Record<string, string>) =>
      owner.post('/console/tokens/new', {
        name: 'X',
        product: 'finance',
        access: 'write',
        expires_in_days: '30',
        ...fields,
      });
    expect((await post({ expires_in_days: '0' })).text).toContain('href="#expires_in_days"');
    expect((await post({ expires_in_days: '1e3' })).text).toContain('href="#expires_in_days"');
    expect((await post({ access: 'read', is_for_programs: 'yes' })).text).toContain('precisa poder agir');
    expect((await post({ product: 'dunning', workspace_id: world.workspaceId })).text).toContain(
      'href="#workspace_id"',
    );
    expect((await post({ workspace_id: world.foreignWorkspaceId })).text).toContain('href="#workspace_id"');
  });
});

test('sessions are listed and ended, only the own ones', async () => {
  const other = await openSession(world, 'owner');
  const foreign = await openSession(world, 'viewer');
  const list = await owner.get('/console/sessions');
  expect(list.text).toContain('esta');
  expect(list.text).toContain(`/console/sessions/${other.id}/end`);
  expect(list.text).not.toContain(foreign.id);
  expect((await owner.post(`/console/sessions/${foreign.id}/end`)).status).toBe(404);
  expect(await owner.post(`/console/sessions/${other.id}/end`)).toMatchObject({ status: 303 });
  expect(await server.visitor(other.secret).get('/console/sessions')).toMatchObject({ status: 303 });
});

describe('settings', () => {
  test('change the name and the language of the person', async () => {
    const approver = await signedIn('approver');
    const page = await approver.get('/console/settings');
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('name="organization"');
    await approver.post('/console/settings/profile', { name: 'Outra <i>Pessoa</i>', locale: 'en' });
    const after = await approver.get('/console/settings');
    expect(after.text).toContain('<h1>Settings</h1>');
    expect(after.text).toContain('Outra &lt;i&gt;Pessoa&lt;/i&gt;');
  });

  test('name the organization, and make and change workspaces', async () => {
    await owner.get('/console/settings');
    await owner.post('/console/settings/organization', { organization: 'Aurora Nova' });
    const made = await owner.post('/console/settings/workspaces/new', {
      name: 'Sul',
      time_zone: 'America/Manaus',
    });
    expect(made).toMatchObject({ status: 303, location: '/console/settings' });
    const page = await owner.get('/console/settings');
    expect(page.text).toContain('Aurora Nova');
    expect(page.text).toContain('America/Manaus');
    const wrong = { name: 'Matriz', time_zone: 'America/Nowhere' };
    const refused = await owner.post(`/console/settings/workspaces/${world.workspaceId}`, wrong);
    expect(refused.text).toContain('Esse fuso horário não existe.');
    const foreign = await owner.post(`/console/settings/workspaces/${world.foreignWorkspaceId}`, {
      name: 'X',
      time_zone: 'America/Manaus',
    });
    expect(foreign.status).toBe(404);
  });

  test.each(['finance', 'dunning'] as const)('freeze and thaw %s, and say who did and why', async (of) => {
    const place = of === 'finance' ? `?workspace=${world.workspaceId}` : '';
    const path = `/console/settings/controls/${of}${place}`;
    await owner.get(path);
    const frozen = await owner.post(path, { do: 'freeze', freeze_reason: 'Conta <b>invadida</b>' });
    expect(frozen.status).toBe(303);
    const page = await owner.follow(frozen);
    expect(page.text).toContain('está congelado');
    expect(page.text).toContain('Conta &lt;b&gt;invadida&lt;/b&gt;');
    expect(page.text).toContain('Person owner');
    const thawed = await owner.post(path, { do: 'thaw' });
    expect((await owner.follow(thawed)).text).toContain('Congelar agora');
  });

  test('set approvals and the amount from which a second person says yes', async () => {
    const path = `/console/settings/controls/finance?workspace=${world.workspaceId}`;
    await owner.get(path);
    const save = (fields: Record<string, string>) =>
      owner.post(path, { do: 'save', approval_hours: '24', ...fields });
    const saved = await save({ approvals_enabled: 'yes', second_person_from: '5.000,00' });
    expect(saved.status).toBe(303);
    expect((await owner.follow(saved)).text).toContain('value="5000,00"');
    expect((await owner.get('/console/settings')).text).toContain(
      'Segunda pessoa a partir de R$\u00a05.000,00',
    );
    expect((await save({ approval_hours: '169' })).text).toContain('href="#approval_hours"');
    const wrong = await save({ second_person_from: 'muito' });
    expect(wrong.text).toContain('href="#second_person_from"');
    expect(wrong.text).toContain('value="muito"');
  });

  test('are not for those who may not, and not of another workspace', async () => {
    const viewer = await signedIn('viewer');
    await viewer.get('/console/settings');
    const path = '/console/settings/controls/finance';
    expect((await viewer.get(path)).status).toBe(403);
    expect((await viewer.post(path, { do: 'freeze' })).status).toBe(403);
    await owner.get('/console/settings');
    const foreign = await owner.post(`${path}?workspace=${world.foreignWorkspaceId}`, { do: 'freeze' });
    expect(foreign.status).toBe(404);
    expect(await world.look('select 1 from controls where frozen_at is not null')).toEqual([]);
  });
});

test('amounts are taken as people write them', () => {
  for (const [written, amount] of [
    ['5000', '5000'],
    ['5.000', '5000'],
    ['5.000,5', '5000.5'],
    ['R$ 1.234.567,89', '1234567.89'],
    ['5000.00', '5000.00'],
    ['5,000.00', '5000.00'],
    ['0,01', '0.01'],
    ['muito', 'muito'],
  ] as const) {
    expect(amountOf(written), written).toBe(amount);
  }
});

test('browsers and roles are told in plain words', () => {
  const chrome =
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';
  expect(browserName(chrome)).toBe('Chrome, Windows');
  expect(browserName(`${chrome} Edg/140.0`)).toBe('Edge, Windows');
  expect(browserName('curl')).toBe('curl');
  expect(browserName('')).toBe('–');
  expect(
    rolesText('en', [
      { workspace_id: null, workspace_name: null, role: 'viewer' },
      { workspace_id: 'a', workspace_name: 'Matriz', role: 'finance' },
    ]),
  ).toBe('Viewer; Finance in Matriz');
});
