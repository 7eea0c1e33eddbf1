/** A person at a browser: signs in, reads pages, presses buttons; pages are checked and pictured on the way. */

import type { Browser, CDPSession, Page } from 'playwright-core';
import { expectAccessible, openPage, type WatchedPage } from './browser.ts';
import { picture } from './pictures.ts';

export interface Person {
  readonly page: Page;
  readonly watched: WatchedPage;
  go(path: string): Promise<void>;
  fill(name: string, value: string): Promise<void>;
  /** Presses the button or follows the link with this text, and waits for the page it leads to. */
  press(name: string | RegExp): Promise<void>;
  /** Fails with what axe, the console or the network complain about; and pictures the page for the documentation. */
  looksWell(name?: string): Promise<void>;
  close(): Promise<void>;
}

export async function openPerson(
  browser: Browser,
  origin: string,
  options: { passkeys?: boolean; dark?: boolean; width?: number } = {},
): Promise<Person> {
  const { passkeys = false, ...rest } = options;
  const watched = await openPage(browser, { origin, locale: 'pt-BR', ...rest });
  const { page } = watched;
  if (passkeys) await addAuthenticator(page);
  const settle = () => page.waitForLoadState('load');
  return {
    page,
    watched,
    async go(path) {
      await page.goto(path.startsWith('http') ? path : origin + path);
    },
    fill: (name, value) => page.locator(`[name="${name}"]`).first().fill(value),
    async press(name) {
      const found = page
        .getByRole('button', { name, exact: typeof name === 'string' })
        .or(page.getByRole('link', { name, exact: typeof name === 'string' }));
      const before = page.url();
      await Promise.all([
        page.waitForResponse((answer) => answer.request().isNavigationRequest() || answer.url() !== before),
        found.first().click(),
      ]);
      await settle();
    },
    async looksWell(name) {
      await expectAccessible(page);
      if (watched.complaints.length > 0) throw new Error(`${page.url()}\n${watched.complaints.join('\n')}`);
      if (name !== undefined) await picture(page, name);
    },
    close: () => watched.close(),
  };
}

/** A passkey device inside the browser, which says yes by itself, as a person with a fingerprint does. */
export async function addAuthenticator(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return session;
}
