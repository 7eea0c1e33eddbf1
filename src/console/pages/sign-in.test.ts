import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openSession } from '../../../test/support/session.ts';
import { type ConsoleServer, openConsole, type Visitor } from '../../../test/support/visitor.ts';
import { openWorld, TEST_KEY, type World } from '../../../test/support/world.ts';
import { countAttempt, subjectDigestOf } from '../../identity/attempts.ts';
import { createInvitation } from '../../identity/invitations.ts';

const PASSWORD = 'uma frase longa o bastante';

let world: World;
let server: ConsoleServer;
let visitor: Visitor;

beforeAll(async () => {
  world = await openWorld();
  server = await openConsole(world);
});
afterAll(async () => {
  await server.close();
  await world.close();
});
beforeEach(() => {
  visitor = server.visitor();
});

const userOf = async (who: 'owner' | 'viewer' | 'approver') => (await world.caller(who)).user;

/** A link for somebody of the organization, as the command line makes it. */
async function linkFor(who: 'owner' | 'viewer' | 'approver'): Promise<string> {
  const request = {
    userId: (await userOf(who)).id,
    organizationId: world.organizationId,
    invitedBy: null,
  };
  return (await createInvitation(world.runtime.database.shared, request, world.now())).path;
}

describe('an invitation', () => {
  test('sets the password, signs in, and works once', async () => {
    const link = await linkFor('owner');
    const page = await visitor.get(link);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Aurora');
    expect(page.text).toContain('owner@example.com');
    const fields = { password: PASSWORD, password_again: PASSWORD };
    const accepted = await visitor.post(link, fields);
    expect(accepted).toMatchObject({ status: 303, location: '/console/passkeys' });
    expect(accepted.headers.get('set-cookie')).toMatch(
      /kobana_session=[\w-]+; Path=\/; HttpOnly; SameSite=Lax/,
    );
    expect((await visitor.follow(accepted)).text).toContain('Boas-vindas!');

    const again = server.visitor();
    expect(await again.get(link)).toMatchObject({ status: 404 });
    expect(await again.post(link, fields)).toMatchObject({ status: 404 });
    expect(again.cookies.has('kobana_session')).toBe(false);
  });

  test('says what is wrong with the password beside the field, and sets nothing', async () => {
    const link = await linkFor('approver');
    for (const [password, again, said] of [
      [PASSWORD, `${PASSWORD}!`, 'As duas senhas não são iguais.'],
      ['curta', 'curta', 'pelo menos 12 caracteres'],
    ] as const) {
      const reply = await visitor.post(link, { password, password_again: again });
      expect(reply.status).toBe(422);
      expect(reply.text).toContain(said);
      expect(reply.text).toMatch(/aria-describedby="password(_again)?-.*error"/);
      expect(reply.text).not.toContain(`value="${password}"`);
    }
    expect(visitor.cookies.has('kobana_session')).toBe(false);
  });

  test('that never was reads like one that was used', async () => {
    const never = await visitor.get('/console/invitation/not-a-secret');
    expect(never.status).toBe(404);
    expect(never.text).toContain('Este link não vale mais');
  });
});

describe('signing in', () => {
  beforeAll(async () => {
    const link = await linkFor('viewer');
    const fields = { password: PASSWORD, password_again: PASSWORD };
    expect(await server.visitor().post(link, fields)).toMatchObject({ status: 303 });
  });

  const credentials = { email: 'viewer@example.com', password: PASSWORD };

  test('leads to the page that was asked for', async () => {
    const asked = await visitor.get('/console/approvals');
    expect(asked).toMatchObject({ status: 303, location: '/console/sign-in?next=%2Fconsole%2Fapprovals' });
    const page = await visitor.follow(asked);
    expect(page.text).toContain('name="next" value="/console/approvals"');
    const reply = await visitor.post('/console/sign-in', { ...credentials, next: '/console/approvals' });
    expect(reply).toMatchObject({ status: 303, location: '/console/approvals' });
    expect(await visitor.get('/console/sign-in')).toMatchObject({ status: 303, location: '/console' });
  });

  test('never leads to another site, whatever is asked for', async () => {
    for (const next of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      '/%0d%0aX: y\r\n',
    ]) {
      const page = await visitor.get(`/console/sign-in?next=${encodeURIComponent(next)}`);
      expect(page.text).toContain('name="next" value="/console"');
    }
    const reply = await visitor.post('/console/sign-in', { ...credentials, next: '//evil.example' });
    expect(reply.location).toBe('/console');
  });

  test('says the same to who does not exist and to who gives another password', async () => {
    const replies = [];
    for (const email of ['viewer@example.com', 'nobody@example.com']) {
      const reply = await visitor.post('/console/sign-in', { email, password: 'outra senha qualquer' });
      expect(reply.status).toBe(403);
      replies.push(reply.text.replaceAll(email, 'EMAIL'));
    }
    expect(replies[0]).toBe(replies[1]);
    expect(replies[0]).toContain('E-mail ou senha não conferem.');
    expect(visitor.cookies.has('kobana_session')).toBe(false);
  });

  test('tells how long to wait after too many attempts', async () => {
    const email = 'many@example.com';
    const subject = subjectDigestOf(TEST_KEY, email);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await countAttempt(world.runtime.database.shared, 'sign_in:email', subject, world.now(), 15 * 60_000);
    }
    const last = await visitor.post('/console/sign-in', { email, password: 'x' });
    expect(last.status).toBe(429);
    expect(last.text).toMatch(/Aguarde \d+ minutos? e tente de novo\./);
  });

  test('is refused from another site, framed pages are forbidden, and what was written is escaped', async () => {
    const foreign: Record<string, string>[] = [
      { Origin: 'https://evil.example' },
      { 'Sec-Fetch-Site': 'cross-site' },
    ];
    for (const headers of foreign) {
      expect(await visitor.post('/console/sign-in', credentials, headers)).toMatchObject({ status: 403 });
    }
    expect(visitor.cookies.has('kobana_session')).toBe(false);
    const email = '"><script>alert(1)</script>@example.com';
    const reply = await visitor.post('/console/sign-in', { email, password: 'x' });
    expect(reply.text).not.toContain('<script>alert');
    expect(reply.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(reply.headers.get('x-frame-options')).toBe('DENY');
  });

  test('speaks the language that is chosen', async () => {
    expect((await visitor.get('/console/sign-in?lang=en')).text).toContain('<h1>Sign in</h1>');
    expect((await visitor.get('/console/sign-in')).text).toContain('<h1>Sign in</h1>');
    expect((await visitor.get('/console/sign-in?lang=pt-BR')).text).toContain('<h1>Entrar</h1>');
  });
});

describe('somebody signed in', () => {
  test('signs out, and the session is over for good', async () => {
    const { secret } = await openSession(world, 'viewer');
    const signedIn = server.visitor(secret);
    await signedIn.get('/console/passkeys');
    expect(await signedIn.post('/console/sign-out')).toMatchObject({
      status: 303,
      location: '/console/sign-in',
    });
    expect(signedIn.cookies.has('kobana_session')).toBe(false);
    expect(await server.visitor(secret).get('/console/passkeys')).toMatchObject({ status: 303 });
  });

  test('is not signed out, or anything else, by a form without the word of the session', async () => {
    const { secret } = await openSession(world, 'viewer');
    const signedIn = server.visitor(secret);
    for (const form_word of ['', 'another', 'x'.repeat(43)]) {
      expect(await signedIn.post('/console/sign-out', { form_word })).toMatchObject({ status: 403 });
    }
    expect(await signedIn.get('/console/passkeys')).toMatchObject({ status: 200 });
  });

  test('proves to be there on the way to what asks for it, and goes on from there', async () => {
    const { secret } = await openSession(world, 'viewer');
    const signedIn = server.visitor(secret);
    const page = await signedIn.get('/console/verify?next=//evil.example');
    expect(page.text).toContain('name="next" value="/console"');
    const wrong = await signedIn.post('/console/verify', { password: 'nope', next: '/console/passkeys' });
    expect(wrong.status).toBe(403);
    expect(wrong.text).toContain('A senha não confere.');
    const right = { password: PASSWORD, next: '/console/passkeys' };
    expect(await signedIn.post('/console/verify', right)).toMatchObject({
      status: 303,
      location: '/console/passkeys',
    });
  });

  test('changes the password with the present one', async () => {
    const { secret } = await openSession(world, 'viewer');
    const signedIn = server.visitor(secret);
    await signedIn.get('/console/passkeys');
    const next = 'outra frase longa o bastante';
    const change = (fields: Record<string, string>) => signedIn.post('/console/password', fields);
    expect(await change({ password: 'nope', next_password: next, next_again: next })).toMatchObject({
      status: 403,
    });
    const weak = await change({ password: PASSWORD, next_password: 'curta', next_again: 'curta' });
    expect(weak).toMatchObject({ status: 422 });
    expect(await change({ password: PASSWORD, next_password: next, next_again: 'x' })).toMatchObject({
      status: 422,
    });
    const changed = await change({ password: PASSWORD, next_password: next, next_again: next });
    expect(changed).toMatchObject({ status: 303, location: '/console/passkeys' });
    expect((await signedIn.follow(changed)).text).toContain('Senha trocada.');
  });
});
