/** The panels that clients show beside answers, in a real browser, in a frame as a client would put them in. */

import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { dunning } from '../../src/dunning/index.ts';
import { finance } from '../../src/finance/index.ts';
import { PANEL_TYPE, UI_EXTENSION } from '../../src/mcp/protocol.ts';
import { createBill, createPayer } from '../support/banking.ts';
import {
  accessibilityViolations,
  chromiumPath,
  openBrowser,
  openPage,
  overflowOf,
  type WatchedPage,
} from '../support/browser.ts';
import { type HttpServer, openServer } from '../support/http.ts';
import { panelAnswers } from '../support/panel-answers.ts';
import { type Asked, type HostOptions, hostPanel } from '../support/panel-host.ts';
import { callOf, type RawClient } from '../support/raw-client.ts';
import { openWorld, type World } from '../support/world.ts';
import { clientOf as clientOfProduct, tokenFor } from './product.ts';

/** A browser beside the rest of the suite on two cores. */
const SLOW_MS = 90_000;
const uris = Object.keys(panelAnswers);
const SHOWS = { extensions: { [UI_EXTENSION]: { mimeTypes: [PANEL_TYPE] } } };

test('there is an answer to look at for every panel, and it is one that its tool could give', () => {
  const panels = [...finance.panels!, ...dunning.panels!];
  expect(panels.map(({ uri }) => uri).sort()).toEqual([...uris].sort());
  for (const { uri, operations } of panels) {
    const { tool, answer } = panelAnswers[uri]!;
    expect(operations).toContain(tool);
    const operation = [finance, dunning].map(({ catalogue }) => catalogue.byName.get(tool)).find(Boolean)!;
    const { error } = operation.output.safeParse(answer);
    expect(error, uri).toBeUndefined();
  }
});

describe.skipIf(chromiumPath() === null)('panels in a client', { timeout: SLOW_MS }, () => {
  let world: World;
  let server: HttpServer;
  let browser: Browser;
  let watched: WatchedPage;
  const clients = {} as Record<'finance' | 'dunning', RawClient>;
  beforeAll(async () => {
    world = await openWorld();
    server = await openServer(world);
    clients.finance = clientOfProduct(server.port, world.tokens.owner);
    const { token } = await tokenFor(world, { role: 'collections', product: 'dunning' });
    clients.dunning = clientOfProduct(server.port, token, 'dunning');
    browser = (await openBrowser())!;
  });
  afterAll(async () => {
    await browser?.close();
    await server.close();
    await world.close();
  });
  beforeEach(() => async () => {
    await watched?.close();
  });

  const clientOf = (uri: string) => clients[uri.startsWith('ui://finance/') ? 'finance' : 'dunning'];
  const pageOf = async (uri: string): Promise<string> => {
    const answer = await clientOf(uri).m('resources/read', { uri }, { capabilities: SHOWS });
    return answer.body.result.contents[0].text;
  };
  /** The page in its host, drawn, with what it asked. */
  async function shown(
    uri: string,
    options: Partial<HostOptions> & { width?: number } = {},
  ): Promise<{ page: Page; frame: Frame; asked: Asked[] }> {
    const { width = 720, ...rest } = options;
    watched = await openPage(browser, { origin: `http://127.0.0.1:${server.port}`, width });
    const answer = { content: [], structuredContent: panelAnswers[uri]!.answer };
    const asked = await hostPanel(watched.page, { html: await pageOf(uri), answer, ...rest });
    const frame = watched.page.frames()[1]!;
    await frame.waitForSelector('h1, [role=alert]');
    return { page: watched.page, frame, asked };
  }

  it.each(uris)('%s is drawn in both languages and themes, for everybody, at any width', async (uri) => {
    for (const [locale, theme, width] of [
      ['pt-BR', 'light', 720],
      ['en-US', 'dark', 720],
      ['pt', 'dark', 360],
    ] as const) {
      const { page, frame } = await shown(uri, { locale, theme, width });
      expect(await frame.getAttribute('html', 'lang')).toBe(locale.startsWith('pt') ? 'pt-BR' : 'en');
      expect(await accessibilityViolations(frame as never), uri).toEqual([]);
      expect(await overflowOf(frame as never)).toBe(0);
      expect(watched.complaints).toEqual([]);
      if (process.env['PANEL_SHOTS'] !== undefined) {
        const name = `${uri.slice(5).replace('/', '-')}-${locale}-${theme}-${width}.png`;
        await page.waitForTimeout(200);
        await page.screenshot({ path: `${process.env['PANEL_SHOTS']}/${name}`, fullPage: true });
      }
      await watched.close();
    }
  });

  it.each(uris)(
    '%s speaks the protocol: it introduces itself, says its height, and ends when asked',
    async (uri) => {
      const { asked } = await shown(uri);
      expect(asked[0]).toMatchObject({
        method: 'ui/notifications/size-changed',
      });
      const methods = asked.map(({ method }) => method);
      expect(methods.filter((method) => method === 'ui/initialize')).toHaveLength(1);
      expect(methods.indexOf('ui/initialize')).toBeLessThan(methods.indexOf('ui/notifications/initialized'));
      const { params } = asked.find(({ method }) => method === 'ui/initialize')!;
      expect(params).toMatchObject({ protocolVersion: '2026-01-26', appInfo: { name: 'kobana' } });
      expect(asked.at(-1)!.params['height']).toBeGreaterThan(100);
    },
  );

  it('what records hold stays text', async () => {
    for (const uri of ['ui://finance/aging', 'ui://finance/approval']) {
      const { frame } = await shown(uri);
      expect(await frame.locator('main b, main img').count()).toBe(0);
      expect(await frame.textContent('main')).toMatch(/<b>& Filhos<\/b>|<img src=x onerror=alert\(1\)>/);
      await watched.close();
    }
  });

  it('shows an answer that came as text alone, a failure, and a call that was taken back', async () => {
    const uri = 'ui://finance/aging';
    const text = JSON.stringify(panelAnswers[uri]!.answer);
    const plain = await shown(uri, { answer: { content: [{ type: 'text', text }] } });
    expect(await plain.frame.textContent('h1')).toBe('Contas a receber por vencimento');
    await watched.close();
    const error = JSON.stringify({ error: { code: 'forbidden', message: 'Not allowed.' } });
    const failed = await shown(uri, { answer: { isError: true, content: [{ type: 'text', text: error }] } });
    expect(await failed.frame.textContent('[role=alert]')).toContain('Not allowed.');
  });

  it('the approval card approves nothing: it opens the console through the host', async () => {
    const { frame, asked } = await shown('ui://finance/approval', { onCall: () => ({ content: [] }) });
    await frame.click('button');
    await expect.poll(() => asked.at(-1)!.method).toMatch(/ui\//);
    const links = asked.filter(({ method }) => method === 'ui/open-link');
    expect(links.map(({ params }) => params['url'])).toEqual([
      panelAnswers['ui://finance/approval']!.answer.console_url,
    ]);
    expect(asked.some(({ method }) => method === 'tools/call')).toBe(false);
    expect(await frame.locator('button').count()).toBe(1);
  });

  it('UT-17: a call from the page is a call like any other, through the host', async () => {
    const payer = await createPayer(world);
    await createBill(world, payer);
    const uri = 'ui://finance/cash-flow';
    const call = async (name: string, args: object) =>
      (await clients.finance.m('tools/call', callOf(name, args), { capabilities: SHOWS })).body.result;
    const first = await call('finance_reports_cash_flow', {});
    const { frame, asked } = await shown(uri, { answer: first, onCall: call });
    const rows = () => frame.locator('tbody tr').count();
    expect(await rows()).toBe(first.structuredContent.buckets.length);
    await frame.selectOption('select', 'month');
    await expect.poll(rows).toBeLessThan(first.structuredContent.buckets.length);
    expect(asked.filter(({ method }) => method === 'tools/call').map(({ params }) => params)).toEqual([
      { name: 'finance_reports_cash_flow', arguments: { bucket: 'month' } },
    ]);
    await watched.close();
    const alone = await shown(uri, { answer: first });
    expect(await alone.frame.locator('select').count()).toBe(0);
  });
});
