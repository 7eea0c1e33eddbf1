/** The reference page in a browser: readable with and without sight, on a telephone and in the dark. */

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
import { openWorld, type World } from '../../test/support/world.ts';

describe.skipIf(chromiumPath() === null)('the reference page', () => {
  let world: World;
  let server: HttpServer;
  let browser: Browser;

  beforeAll(async () => {
    world = await openWorld();
    server = await openServer(world);
    browser = (await openBrowser())!;
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
    await world.close();
  });

  it.each([
    { product: 'finance', width: 1280, dark: false, locale: 'pt-BR' },
    { product: 'dunning', width: 360, dark: true, locale: 'en' },
  ] as const)(
    'of $product has nothing to complain about at $width px',
    { timeout: 120_000 },
    async (options) => {
      const origin = `http://127.0.0.1:${server.port}`;
      const { page, complaints, close } = await openPage(browser, { origin, ...options });
      await page.goto(`/${options.product}/docs`);
      if (process.env['SHOTS'] !== undefined) {
        await page.screenshot({ path: `${process.env['SHOTS']}/${options.product}-top.png` });
        await page.goto(`/${options.product}/docs#${options.product}_people_create`);
        await page.screenshot({ path: `${process.env['SHOTS']}/${options.product}-people.png` });
      }
      expect(complaints).toEqual([]);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      // What is like the rest takes minutes to look at.
      await page.evaluate(() => {
        const { document } = globalThis as any;
        const sections = [...document.querySelectorAll('.reference section')];
        for (const section of sections.slice(3, -1)) section.remove();
        for (const section of sections) {
          for (const article of [...section.querySelectorAll('article')].slice(2)) article.remove();
        }
      });
      await expectAccessible(page);
      await close();
    },
  );
});
