/** The consent page in a real browser: who can read it, where its answer may go. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  chromiumPath,
  expectAccessible,
  openBrowser,
  openPage,
  overflowOf,
} from '../../test/support/browser.ts';
import { type HttpServer, openServer } from '../../test/support/http.ts';
import { askUrl, registerClient } from '../../test/support/oauth.ts';
import { openSession } from '../../test/support/session.ts';
import { openWorld, type World } from '../../test/support/world.ts';

describe.skipIf(chromiumPath() === null)('the consent page in Chromium', () => {
  let world: World;
  let server: HttpServer;
  let origin: string;
  let browser: Browser;
  let program: Server;
  let callback: string;
  const arrived: string[] = [];
  beforeAll(async () => {
    world = await openWorld();
    world.setNow(new Date().toISOString());
    server = await openServer(world);
    origin = new URL(server.url).origin;
    browser = (await openBrowser())!;
    program = createServer((req, res) => {
      arrived.push(req.url!);
      res.writeHead(200, { 'content-type': 'text/html' }).end('<title>back</title>done');
    });
    await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve));
    callback = `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`;
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    program.close();
    program.closeAllConnections();
    await server.close();
    await world.close();
  });

  const visit = async (clientName: string, options: { width?: number; dark?: boolean } = {}) => {
    const clientId = await registerClient(origin, { client_name: clientName, redirect_uris: [callback] });
    const { secret } = await openSession(world, 'several');
    const watched = await openPage(browser, { origin, secret, ...options });
    await watched.page.goto(askUrl({ origin, clientId, redirectUri: callback }).url);
    return watched;
  };

  it.each([
    ['on a desk', {}],
    ['on a phone', { width: 360 }],
    ['in the dark', { dark: true }],
  ])('is readable for everybody %s', async (_where, options) => {
    const { page, complaints, close } = await visit(
      'Um programa com um nome comprido demais para caber',
      options,
    );
    await expectAccessible(page);
    expect(await overflowOf(page)).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });

  it('leads back to the program by the keyboard alone, with what was chosen', async () => {
    const { page, complaints, close } = await visit('Programa');
    await page.locator('[name="access"][value="read"]').focus();
    await page.keyboard.press('ArrowDown');
    await page.selectOption('[name="workspace"]', world.otherWorkspaceId);
    await page.selectOption('[name="days"]', '7');
    await page.locator('button[value="allow"]').press('Enter');
    await page.waitForURL(`${callback}**`);
    expect(await page.title()).toBe('back');
    expect(new URL(page.url()).searchParams.get('iss')).toBe(origin);
    expect(complaints.filter((each) => !each.includes('favicon'))).toEqual([]);
    const [connection] = await world.look('select * from connections order by created_at desc limit 1');
    expect(connection).toMatchObject({ access: 'write', workspace_id: world.otherWorkspaceId });
    await close();
  });

  it('is shown in no frame', async () => {
    const { page, close } = await visit('Programa');
    const asked = page.url();
    await page.goto(callback);
    await page.setContent(`<iframe src="${asked}" width="600" height="600"></iframe>`);
    await page.waitForTimeout(500);
    const texts = await Promise.all(page.frames().map((frame) => frame.content().catch(() => '')));
    expect(texts.join()).not.toContain('value="allow"');
    await close();
  });
});
