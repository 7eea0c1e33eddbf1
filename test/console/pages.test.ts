import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pages } from '../../src/console/pages/index.ts';
import {
  accessibilityViolations,
  chromiumPath,
  openBrowser,
  openPage,
  overflowOf,
  type WatchedPage,
} from '../support/browser.ts';
import { type ConsoleBooks, openConsoleBooks } from '../support/console-books.ts';
import { picture } from '../support/pictures.ts';

/** Pages that are no documents: what they give is tested where they are made. */
const FILES = ['/console/timeline/export'];
const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 360, height: 740 };
/** What pages are called in the documentation; those that are not here are pictured on the journeys. */
const PICTURES: Readonly<Record<string, string>> = {
  '/console': 'home',
  '/console/payables': 'payables',
  '/console/payables/:id': 'payable',
  '/console/receivables': 'receivables',
  '/console/receivables/:id': 'receivable',
  '/console/cash-flow': 'cash-flow',
  '/console/dunning': 'dunning',
  '/console/dunning/charges/:id': 'dunning-charge',
  '/console/dunning/debtors/:id': 'dunning-debtor',
  '/console/verify': 'verify',
  '/console/passkeys/:id/remove': 'passkey-remove',
  '/console/approvals': 'approvals',
  '/console/connections/:id/revoke': 'connection-revoke',
  '/console/tokens': 'tokens',
  '/console/tokens/new': 'token-new',
  '/console/tokens/:id/revoke': 'token-revoke',
  '/console/sessions': 'sessions',
  '/console/people/:id': 'person',
  '/console/people/:id/remove': 'person-remove',
  '/console/settings/workspaces/:id': 'workspace',
  '/console/settings/workspaces/new': 'workspace-new',
};
/** Pictured in a narrow window and in the dark too. */
const NARROW_PICTURES = new Set(['home', 'payables', 'cash-flow', 'dunning', 'approvals']);
/** A page is looked at in several windows and colours, on a machine that may be busy. */
const PAGE_TIMEOUT_MS = 120_000;

const isPublic = (path: string) => pages.some((page) => page.path === path && 'isPublic' in page);
const walked = pages
  .filter(({ path, get }) => get !== undefined && !FILES.includes(path))
  .map(({ path }) => path);

describe.skipIf(chromiumPath() === null)('every page, in a browser', { timeout: PAGE_TIMEOUT_MS }, () => {
  let books: ConsoleBooks;
  let browser: Browser;
  let owner: WatchedPage;
  let viewer: WatchedPage;
  let stranger: WatchedPage;

  beforeAll(async () => {
    books = await openConsoleBooks();
    browser = (await openBrowser())!;
    owner = await openPage(browser, { origin: books.origin, secret: books.secrets.owner });
    viewer = await openPage(browser, { origin: books.origin, secret: books.secrets.viewer });
    stranger = await openPage(browser, { origin: books.origin });
    for (const { page } of [owner, viewer]) await page.goto(`/console?workspace=${books.workspaceId}`);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await books?.close();
  });

  const addressOf = (path: string) =>
    path.replace(/:[a-z]+/, () => books.values[path] ?? 'no-value-for-this-page');

  /** What is wrong with the page as it is shown now, in this window and these colours. */
  async function wrongIn(
    { page }: WatchedPage,
    size: typeof WIDE,
    colorScheme: 'light' | 'dark',
  ): Promise<string[]> {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const overflow = await overflowOf(page);
    return [
      ...(overflow > 0 ? [`${overflow} pixels beyond the window`] : []),
      ...(await accessibilityViolations(page)),
    ].map((each) => `${size.width} ${colorScheme}: ${each}`);
  }

  it('has a value for its parameter', () => {
    const without = walked.filter((path) => path.includes(':') && books.values[path] === undefined);
    expect(without).toEqual([]);
    expect(walked.length).toBeGreaterThan(25);
  });

  /**
   * Opens the page and gives all that is wrong with it: wide and light, narrow and dark. Widths and colours share no
   * rule of the style sheet, so that the two other pairs would show nothing new.
   */
  async function visit(watched: WatchedPage, path: string): Promise<string[]> {
    watched.forget();
    const reply = await watched.page.goto(addressOf(path));
    expect(reply!.status()).toBe(200);
    expect(new URL(watched.page.url()).pathname).toBe(addressOf(path));
    const name = PICTURES[path];
    const found = await wrongIn(watched, WIDE, 'light');
    if (name !== undefined) await picture(watched.page, name);
    found.push(...(await wrongIn(watched, NARROW, 'dark')));
    if (name !== undefined && NARROW_PICTURES.has(name)) await picture(watched.page, `${name}-narrow`);
    return [...found, ...watched.complaints];
  }

  describe('for an owner', () => {
    it.each(walked.filter((path) => !isPublic(path)))(
      '%s is accessible, whole, and fits, wide and light, narrow and dark',
      async (path) => expect(await visit(owner, path)).toEqual([]),
    );
  });

  describe('for somebody who is not signed in', () => {
    it.each(walked.filter(isPublic))(
      '%s is accessible, whole, and fits, wide and light, narrow and dark',
      async (path) => expect(await visit(stranger, path)).toEqual([]),
    );
  });

  describe('for a viewer', () => {
    it.each(walked.filter((path) => !isPublic(path)))(
      '%s is accessible, whole, and fits, or says that it is not for them',
      async (path) => {
        viewer.forget();
        const reply = await viewer.page.goto(addressOf(path));
        const status = reply!.status();
        expect([200, 403, 404]).toContain(status);
        // The refused document itself is what a browser complains of; anything besides is a fault.
        const own = (complaint: string) =>
          status !== 200 &&
          (complaint.startsWith(`answer: ${status} `) || complaint.includes(`status of ${status}`));
        const found = await wrongIn(viewer, NARROW, 'dark');
        expect([...found, ...viewer.complaints.filter((each) => !own(each))]).toEqual([]);
      },
    );
  });

  describe('by keyboard', () => {
    it('starts with a way past the navigation', async () => {
      const { page } = owner;
      await page.setViewportSize(WIDE);
      await page.goto('/console/payables');
      await page.keyboard.press('Tab');
      const skip = page.locator('.skip');
      expect(await skip.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
      expect((await skip.boundingBox())!.y).toBeGreaterThanOrEqual(0);
      await page.keyboard.press('Enter');
      expect(
        await page.locator('main').evaluate((element) => element === element.ownerDocument.activeElement),
      ).toBe(true);
      await page.keyboard.press('Tab');
      expect(
        await page.evaluate(() => (globalThis as any).document.activeElement.closest('main') !== null),
      ).toBe(true);
    });

    it.each(['/console', '/console/cash-flow', '/console/settings', '/console/approvals/:id'])(
      'reaches everything on %s',
      async (path) => {
        const { page } = owner;
        await page.setViewportSize(WIDE);
        await page.goto(addressOf(path));
        const missed = await unreached(owner);
        expect(missed).toEqual([]);
      },
    );

    it('opens the menu of a narrow window', async () => {
      const { page } = owner;
      await page.setViewportSize(NARROW);
      await page.goto('/console');
      await page.locator('.menu summary').focus();
      await page.keyboard.press('Enter');
      await page.locator('.menu a[href="/console/receivables"]').focus();
      await page.keyboard.press('Enter');
      await page.waitForURL('**/console/receivables');
    });
  });

  it('works without scripts', async () => {
    const { page, complaints, close } = await openPage(browser, {
      origin: books.origin,
      secret: books.secrets.owner,
      javaScriptEnabled: false,
    });
    await page.goto(`/console/payables?workspace=${books.workspaceId}`);
    await page.selectOption('#status', 'paid');
    await page.getByRole('button', { name: 'Filtrar' }).click();
    await page.waitForURL('**status=paid**');
    await page.getByRole('link', { name: 'Próxima página' }).click();
    await page.waitForURL('**cursor=**');
    await page.locator('tbody th a').first().click();
    await page.waitForURL(/payables\/[0-9a-f-]{36}/);
    const other = page.locator('#workspace option:not(:checked)').first();
    const name = (await other.textContent())!;
    await page.selectOption('#workspace', { label: name });
    await page.getByRole('button', { name: 'Trocar' }).click();
    expect(await page.locator('#workspace option:checked').textContent()).toBe(name);
    expect(new URL(page.url()).pathname).toBe('/console/payables');
    expect(complaints).toEqual([]);
    await close();
  });
});

/** What can be focused and is shown, but Tab does not come to. */
async function unreached({ page }: WatchedPage): Promise<string[]> {
  const total = await page.evaluate(() => {
    const { document } = globalThis as any;
    const shown = [
      ...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]'),
    ].filter(
      (each: any) => each.type !== 'hidden' && each.checkVisibility() && each.getClientRects().length > 0,
    );
    for (const [index, each] of shown.entries()) each.dataset.order = String(index);
    document.body.focus();
    return shown.length;
  });
  const reached = new Set<string>();
  // A field for a date takes several steps.
  for (let step = 0; step < total * 4 && reached.size < total; step++) {
    await page.keyboard.press('Tab');
    const order = await page.evaluate(() => (globalThis as any).document.activeElement?.dataset?.order);
    if (order !== undefined) reached.add(order);
  }
  return page.evaluate(
    (seen) => {
      const { document } = globalThis as any;
      return [...document.querySelectorAll('[data-order]')]
        .filter((each: any) => !seen.includes(each.dataset.order))
        .map((each: any) => each.outerHTML.slice(0, 120));
    },
    [...reached],
  );
}
