import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser, openPage, type WatchedPage } from '../../../test/support/browser.ts';
import { addAuthenticator } from '../../../test/support/person.ts';
import { openSession } from '../../../test/support/session.ts';
import { type ConsoleServer, openConsole } from '../../../test/support/visitor.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

describe.skipIf(chromiumPath() === null)('a passkey in a real browser', () => {
  let world: World;
  let server: ConsoleServer;
  let browser: Browser;
  let watched: WatchedPage;

  beforeAll(async () => {
    world = await openWorld();
    // The browser's own clock counts for it, so the server's has to be the same.
    world.setNow(new Date().toISOString());
    // Passkeys belong to a domain; an address is none.
    server = await openConsole(world, 'localhost');
    browser = (await openBrowser())!;
    const { secret } = await openSession(world, 'owner');
    watched = await openPage(browser, { origin: server.origin, secret });
    await addAuthenticator(watched.page);
  }, 60_000);
  afterAll(async () => {
    await watched.close();
    await browser.close();
    await server.close();
    await world.close();
  });

  test('is added with a name, signs in without a password, and proves that it is them', async () => {
    const { page, complaints } = watched;
    await page.goto('/console/passkeys');
    await page.getByLabel('Nome').fill('Notebook <b>do</b> trabalho');
    await page.getByRole('button', { name: 'Cadastrar passkey' }).click();
    await page.getByRole('rowheader', { name: 'Notebook <b>do</b> trabalho' }).waitFor();

    await page.getByRole('button', { name: 'Sair' }).click();
    await page.waitForURL('**/console/sign-in');
    await page.goto('/console/sign-in?next=%2Fconsole%2Fpasskeys');
    await page.getByRole('button', { name: 'Entrar com passkey' }).click();
    await page.waitForURL('**/console/passkeys');
    expect(await page.getByRole('rowheader', { name: 'Notebook' }).count()).toBe(1);

    await page.goto('/console/verify?next=%2Fconsole%2Fsessions');
    await page.getByRole('button', { name: 'Confirmar com passkey' }).click();
    await page.waitForURL('**/console/sessions');
    expect(complaints).toEqual([]);
  }, 60_000);

  test('carries a form over that had to wait for the proof', async () => {
    const { page, complaints } = watched;
    await page.goto('/console/people/invite');
    await page.getByLabel('E-mail').fill('nova@example.com');
    await page.getByLabel('Nome').fill('Pessoa nova');
    await page.getByLabel('Em toda a organização').selectOption('viewer');
    world.setNow(new Date(Date.now() + 600_000).toISOString());
    await page.getByRole('button', { name: 'Criar convite' }).click();
    await page.getByRole('heading', { name: 'Confirme que é você' }).waitFor();
    watched.forget();
    await page.getByRole('button', { name: 'Confirmar com passkey' }).click();
    await page.getByRole('heading', { name: 'O link do convite, uma única vez' }).waitFor();
    expect(await page.getByLabel('Link').inputValue()).toMatch(
      /^http:\/\/localhost:\d+\/console\/invitation\/[\w-]+$/,
    );
    expect(complaints).toEqual([]);
  }, 60_000);

  test('that was removed signs nobody in', async () => {
    const { page } = watched;
    await page.goto('/console/passkeys');
    await page.getByRole('link', { name: 'Remover: Notebook' }).click();
    await page.getByRole('button', { name: 'Remover' }).click();
    await page.getByText('Você ainda não tem uma passkey.').waitFor();
    await page.getByRole('button', { name: 'Sair' }).click();
    await page.waitForURL('**/console/sign-in');
    await page.getByRole('button', { name: 'Entrar com passkey' }).click();
    await page.getByText('Essa passkey não foi aceita.').waitFor();
  }, 60_000);
});
