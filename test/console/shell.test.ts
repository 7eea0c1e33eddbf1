import { createServer, request, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen, shut } from '../../src/apps/server.ts';
import { createConsole } from '../../src/console/index.ts';
import { pages } from '../../src/console/pages/index.ts';
import { portuguese } from '../../src/console/problems-portuguese.ts';
import { errorRegistry } from '../../src/core/errors.ts';
import { createSignIn } from '../../src/identity/sign-in.ts';
import type { RestReply } from '../../src/rest/client.ts';
import { createBill, createCompany, createSupplier } from '../support/records.ts';
import { openSession } from '../support/session.ts';
import { type ConsoleServer, openConsole, type Visitor } from '../support/visitor.ts';
import { openWorld, TEST_KEY, type World } from '../support/world.ts';

const NASTY = '<script>alert("x")</script> & "co"';

let world: World;
let server: ConsoleServer;
let owner: Visitor;
let payableId: string;

beforeAll(async () => {
  world = await openWorld();
  server = await openConsole(world);
  const company_id = await createCompany(world);
  const person_id = await createSupplier(world, { name: NASTY });
  payableId = (await createBill(world, { company_id, person_id, description: NASTY }))['id'];
  owner = server.visitor((await openSession(world, 'owner')).secret);
  await owner.get(`/console?workspace=${world.workspaceId}`);
});
afterAll(async () => {
  await server.close();
  await world.close();
});

describe('somebody who is not signed in', () => {
  it('is led to sign in, and from there to where they wanted to go', async () => {
    const stranger = server.visitor();
    expect(await stranger.get('/console/payables?search=a%26b')).toMatchObject({
      status: 303,
      location: `/console/sign-in?next=${encodeURIComponent('/console/payables?search=a%26b')}`,
    });
    expect(await stranger.get('/console')).toMatchObject({ location: '/console/sign-in?next=%2Fconsole' });
  });

  it('learns nothing of which pages there are', async () => {
    expect(await server.visitor().get('/console/no-such-page')).toMatchObject({ status: 303 });
  });

  it('has no session by a cookie that is made up, or sent twice', async () => {
    const { secret } = await openSession(world, 'owner');
    for (const cookie of [
      `kobana_session=${'x'.repeat(43)}`,
      `kobana_session=${secret}; kobana_session=${secret}`,
    ]) {
      const reply = await fetch(`${server.origin}/console`, {
        headers: { Cookie: cookie },
        redirect: 'manual',
      });
      expect(reply.status).toBe(303);
    }
  });

  it('comes back from a post to the page it was on, and never to another site', async () => {
    const stranger = server.visitor();
    const post = (referer: string) => stranger.post('/console/sign-out', {}, { Referer: referer });
    expect((await post(`${server.origin}/console/payables?x=1`)).location).toBe(
      `/console/sign-in?next=${encodeURIComponent('/console/payables?x=1')}`,
    );
    expect((await post('https://evil.example/console')).location).toBe('/console/sign-in?next=%2Fconsole');
  });
});

describe('every page', () => {
  it('runs no foreign code, is framed by nobody, kept by nobody, and tells other sites nothing', async () => {
    for (const path of ['/console', '/console/payables', '/console/sign-in', '/console/no-such-page']) {
      const { headers } = await owner.get(path);
      const policy = headers.get('content-security-policy')!;
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("form-action 'self'");
      expect(policy).not.toMatch(/unsafe|https?:/);
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  it('holds text from outside as text', async () => {
    for (const path of ['/console/payables', `/console/payables/${payableId}`]) {
      const { status, text } = await owner.get(path);
      expect(status).toBe(200);
      expect(text).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &quot;co&quot;');
      expect(text).not.toContain('<script>alert');
    }
    const { text } = await owner.get(
      `/console/payables?search=${encodeURIComponent('"><script>alert(1)</script>')}`,
    );
    expect(text).not.toContain('<script>alert');
  });

  it('answers HEAD as GET without a body, and other methods with what it takes', async () => {
    const { secret } = await openSession(world, 'owner');
    const headers = { Cookie: `kobana_session=${secret}` };
    const head = await fetch(`${server.origin}/console/payables`, { method: 'HEAD', headers });
    expect(head.status).toBe(200);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(1_000);
    expect(await head.text()).toBe('');
    const put = await fetch(`${server.origin}/console/payables`, { method: 'PUT', headers });
    expect(put.status).toBe(405);
    expect(put.headers.get('allow')).toBe('GET, HEAD');
  });

  it('that is not there says so within the console', async () => {
    const { status, text } = await owner.get('/console/no-such-page');
    expect(status).toBe(404);
    expect(text).toContain('Não encontrado');
    expect(text).toContain('aria-current="page"');
  });

  it('has a title in both languages and a path of its own', () => {
    const paths = pages.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    for (const { path, title } of pages) {
      expect(path).toMatch(/^\/console(\/[a-z-]+|\/:[a-z]+)*$/);
      expect(title['pt-BR']).not.toBe('');
      expect(title.en).not.toBe('');
    }
  });
});

describe('a record', () => {
  it('of other books or of another organization looks missing', async () => {
    const stranger = server.visitor((await openSession(world, 'stranger')).secret);
    expect(await stranger.get(`/console/payables/${payableId}`)).toMatchObject({ status: 404 });
    const several = server.visitor((await openSession(world, 'several')).secret);
    const elsewhere = await several.get(`/console/payables/${payableId}?workspace=${world.otherWorkspaceId}`);
    expect(elsewhere.status).toBe(404);
    expect(elsewhere.text).not.toContain('alert(');
  });

  it('asked for by what is no id is missing too', async () => {
    for (const id of ['1', '..%2fcompanies', 'x'.repeat(300)]) {
      for (const list of ['payables', 'receivables', 'dunning/charges', 'dunning/debtors']) {
        expect(await owner.get(`/console/${list}/${id}`)).toMatchObject({ status: 404 });
      }
    }
  });
});

describe('the books', () => {
  it('stay chosen, and others than the reachable ones are missing', async () => {
    const several = server.visitor((await openSession(world, 'several')).secret);
    const chosen = (text: string) => /<option value="([^"]+)" selected>/.exec(text)?.[1];
    const first = await several.get(`/console?workspace=${world.otherWorkspaceId}`);
    expect(chosen(first.text)).toBe(world.otherWorkspaceId);
    expect(chosen((await several.get('/console/payables')).text)).toBe(world.otherWorkspaceId);
    for (const workspace of [world.foreignWorkspaceId, 'x']) {
      expect(await several.get(`/console?workspace=${workspace}`)).toMatchObject({ status: 404 });
    }
    expect(chosen((await several.get('/console/payables')).text)).toBe(world.otherWorkspaceId);
  });

  it('named by a cookie that somebody else wrote are not shown', async () => {
    const visitor = server.visitor((await openSession(world, 'several')).secret);
    visitor.cookies.set('kobana_workspace', world.foreignWorkspaceId);
    const { status, text } = await visitor.get('/console');
    expect(status).toBe(200);
    expect(text).not.toContain(world.foreignWorkspaceId);
  });
});

describe('the navigation', () => {
  const linksOf = (text: string) =>
    new Set(
      [.../<nav class="sidebar"[\s\S]*?<\/nav>/.exec(text)![0].matchAll(/href="([^"]+)"/g)].map(
        ([, href]) => href!,
      ),
    );

  it('offers what the person may see and nothing else', async () => {
    expect(linksOf((await owner.get('/console')).text)).toContain('/console/people');
    const viewer = server.visitor((await openSession(world, 'viewer')).secret);
    const links = linksOf((await viewer.get('/console')).text);
    expect(links).toContain('/console/payables');
    expect(links).not.toContain('/console/people');
    const collector = server.visitor((await openSession(world, 'collector')).secret);
    const ofCollector = linksOf((await collector.get('/console')).text);
    expect(ofCollector).toContain('/console/receivables');
    expect(ofCollector).not.toContain('/console/payables');
    expect(await collector.get('/console/payables')).toMatchObject({ status: 403 });
  });

  it('leads to pages that answer', async () => {
    for (const link of linksOf((await owner.get('/console')).text)) {
      expect({ link, status: (await owner.get(link)).status }).toEqual({ link, status: 200 });
    }
  });
});

describe('a post', () => {
  it('without the word of the session, or with that of another, does nothing', async () => {
    const { secret } = await openSession(world, 'owner');
    const visitor = server.visitor(secret);
    const other = server.visitor((await openSession(world, 'owner')).secret);
    const { text } = await other.get('/console');
    const otherWord = /name="form_word" value="([^"]+)"/.exec(text)![1]!;
    for (const form_word of ['', 'x', otherWord]) {
      expect(await visitor.post('/console/sign-out', { form_word })).toMatchObject({ status: 403 });
    }
    expect(await visitor.get('/console')).toMatchObject({ status: 200 });
  });

  it('from another site does nothing, whatever it carries', async () => {
    const visitor = server.visitor((await openSession(world, 'owner')).secret);
    await visitor.get('/console');
    for (const headers of [
      { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' },
      { Origin: server.origin, 'Sec-Fetch-Site': 'same-site' },
    ]) {
      expect(await visitor.post('/console/sign-out', {}, headers)).toMatchObject({ status: 403 });
    }
    expect(await visitor.get('/console')).toMatchObject({ status: 200 });
  });

  it('that is too large or no form is refused in plain words', async () => {
    await owner.get('/console');
    expect(await owner.post('/console/sign-out', { more: 'x'.repeat(70_000) })).toMatchObject({
      status: 413,
    });
    const json = await owner.post('/console/sign-out', {}, { 'Content-Type': 'application/json' });
    expect(json.status).toBe(415);
    expect(json.text).toContain('Só formulários são aceitos aqui.');
  });
});

describe('the language', () => {
  it('is that of the person, whatever the browser asks for', async () => {
    const { text } = await owner.get('/console?lang=en');
    expect(text).toContain('<html lang="pt-BR">');
  });

  it('before signing in is what was chosen, else what the browser asks for', async () => {
    const visitor = server.visitor();
    expect((await visitor.get('/console/sign-in')).text).toContain('<html lang="pt-BR">');
    expect((await visitor.get('/console/sign-in?lang=en')).text).toContain('<html lang="en">');
    expect((await visitor.get('/console/sign-in')).text).toContain('<html lang="en">');
    expect((await visitor.get('/console/sign-in?lang=<x>')).text).toContain('<html lang="en">');
  });

  it('has Portuguese words for every error there is', () => {
    expect(Object.keys(portuguese).sort()).toEqual(Object.keys(errorRegistry).sort());
  });
});

describe('a notice', () => {
  it('is shown once, as text', async () => {
    owner.cookies.set('kobana_notice', encodeURIComponent('<b>Feito</b>'));
    expect((await owner.get('/console')).text).toContain(
      '<p class="notice" role="status">&lt;b&gt;Feito&lt;/b&gt;</p>',
    );
    expect((await owner.get('/console')).text).not.toContain('Feito');
  });
});

describe('styles and scripts', () => {
  it('are kept for good under the address of their content', async () => {
    const { text } = await owner.get('/console');
    const url = /href="(\/assets\/[0-9a-f]{16}\/console\.css)"/.exec(text)![1]!;
    const reply = await fetch(server.origin + url);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(reply.headers.get('cache-control')).toContain('immutable');
    const post = await fetch(server.origin + url, { method: 'POST' });
    expect(post.status).toBe(405);
  });

  it('are the files there are and no other', async () => {
    for (const path of [
      '/assets/0000000000000000/console.css',
      '/assets/',
      '/assets/0000000000000000/..%2f..%2fhtml.ts',
      '/assets/constructor',
    ]) {
      expect((await fetch(server.origin + path)).status).toBe(404);
    }
  });
});

describe('a failure', () => {
  let failing: Server;
  let origin: string;
  const failures: { error: unknown; where: string }[] = [];
  const refusals: unknown[] = [];
  let reply: () => Promise<RestReply>;

  beforeAll(async () => {
    const signIn = createSignIn({ database: world.runtime.database.shared, secretKeys: [TEST_KEY] });
    const mount = createConsole({
      rest: () => reply(),
      signIn,
      now: world.now,
      logFailure: (error, where) => {
        failures.push({ error, where });
        return 'id-of-the-failure';
      },
      logRefusal: (what, facts) => refusals.push([what, facts]),
    });
    failing = createServer((req, res) => void mount(req, res, `http://${req.headers.host}`));
    origin = `http://127.0.0.1:${await listen(failing, 0, '127.0.0.1')}`;
  });
  afterAll(() => shut(failing, 0));

  const visit = async (path: string) => {
    const { cookie } = await openSession(world, 'owner');
    const response = await fetch(origin + path, { headers: { Cookie: cookie }, redirect: 'manual' });
    return {
      status: response.status,
      text: await response.text(),
      location: response.headers.get('location'),
    };
  };

  it('becomes a page with an id and no word of what failed', async () => {
    reply = async () => {
      throw new Error('password=hunter2 at /srv/secret.ts');
    };
    failures.length = 0;
    const { status, text } = await visit('/console/cash-flow');
    expect(status).toBe(500);
    expect(text).not.toMatch(/hunter2|secret\.ts|Error/);
    expect(text).toContain('id-of-the-failure');
    expect(failures.length).toBeGreaterThan(0);
  });

  it('of what is behind shows its id within the console', async () => {
    reply = async () => ({ status: 503, headers: {}, body: { code: 'unavailable', detail: 'inner text' } });
    failures.length = 0;
    const { status, text } = await visit('/console/cash-flow');
    expect(status).toBe(500);
    expect(text).toContain('id-of-the-failure');
    expect(text).toContain('class="sidebar"');
    expect(text).not.toContain('inner text');
  });

  it('of a proof that is too old leads to the page that asks for it', async () => {
    reply = async () => ({ status: 403, headers: {}, body: { code: 'verification_required' } });
    expect(await visit('/console/cash-flow?bucket=day')).toMatchObject({
      status: 303,
      location: `/console/verify?next=${encodeURIComponent('/console/cash-flow?bucket=day')}`,
    });
  });

  it('never logs the secret that a path holds', async () => {
    reply = async () => {
      throw new Error('down');
    };
    failures.length = 0;
    await visit('/console/payables/0198f0a2-5ec1-7e75-8000-000000000000');
    expect(failures.map(({ where }) => where)).toContain('GET /console/payables/:id');
    expect(JSON.stringify(failures.map(({ where }) => where))).not.toContain('5ec1');
  });

  it('of a post from another site is logged in plain words, without what it carried', async () => {
    refusals.length = 0;
    const reply = await fetch(`${origin}/console/invitation/the-secret-of-a-link`, {
      method: 'POST',
      headers: { Origin: 'https://evil.example', Cookie: 'kobana_session=somebody' },
      body: new URLSearchParams({ password: 'hunter2' }),
    });
    expect(reply.status).toBe(403);
    expect(refusals).toEqual([
      [
        'a request was refused',
        {
          why: 'This did not come from a page of this server.',
          where: 'POST /console/invitation/:secret',
          address: '127.0.0.1',
        },
      ],
    ]);
  });

  it('of a request line that is no address is nobody of ours', async () => {
    reply = async () => ({ status: 200, headers: {}, body: {} });
    const status = await new Promise((resolve, reject) => {
      const { hostname, port } = new URL(origin);
      request({ hostname, port, path: '/console/%', headers: {} }, (res) => resolve(res.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).toBe(303);
  });
});
