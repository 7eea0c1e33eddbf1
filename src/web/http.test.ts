import { createServer, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readForm, safePath, WebRefusal } from './http.ts';

describe('where a page goes on to', () => {
  it.each([
    ['/console/payables?search=a%26b', '/console/payables?search=a%26b'],
    ['/oauth/interaction/x#part', '/oauth/interaction/x'],
    ['/console//payables', '/console//payables'],
  ])('is the path of this server that was asked for: %s', (asked, path) => {
    expect(safePath(asked, '/console')).toBe(path);
  });

  it.each([
    ['//evil.example'],
    ['/\\evil.example'],
    ['https://evil.example'],
    ['javascript:alert(1)'],
    ['evil.example'],
    [''],
    ['/\tevil'],
    ['/.//evil.example'],
    ['/..//evil.example'],
    ['/%2e//evil.example'],
    ['/console/..//evil.example/console'],
    ['/console/%2E%2e//evil.example'],
    ['/.///evil.example'],
    [null],
    [undefined],
  ])('is never another site: %j', (asked) => {
    expect(safePath(asked, '/console')).toBe('/console');
  });
});

describe('a form', () => {
  const server = createServer((req, res) => {
    readForm(req, 'http://here.example').then(
      () => res.writeHead(204).end(),
      (error: unknown) => res.writeHead(error instanceof WebRefusal ? error.status : 500).end(),
    );
  });
  let port = 0;
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    port = (server.address() as { port: number }).port;
  });
  afterAll(() => void server.close());

  it('that is too large is refused with an answer, while the rest of it is still on the way', async () => {
    const status = await new Promise((done, fail) => {
      const headers = {
        origin: 'http://here.example',
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': 200_000,
      };
      const sent = request({ port, host: '127.0.0.1', method: 'POST', headers }, (res) => {
        done(res.resume().statusCode);
        sent.destroy();
      });
      sent.on('error', fail).write('a'.repeat(70_000));
    });
    expect(status).toBe(413);
  });
});
