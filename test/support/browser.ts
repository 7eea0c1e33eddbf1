/** Debian's Chromium on our pages: what it complains about is collected, and axe looks at what it shows. */

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const places = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Where a Chromium is, or null; tests that need one skip themselves then. */
export function chromiumPath(): string | null {
  return places.find((path) => path !== undefined && existsSync(path)) ?? null;
}

/** A browser, or null where there is no Chromium. Close it. */
export async function openBrowser(): Promise<Browser | null> {
  const executablePath = chromiumPath();
  if (executablePath === null) return null;
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

export interface PageOptions {
  /** Such as `http://127.0.0.1:4000`; relative addresses are of it. */
  readonly origin: string;
  /** Signed in with this session secret. */
  readonly secret?: string;
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
  readonly locale?: 'pt-BR' | 'en';
  readonly javaScriptEnabled?: boolean;
}

export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of the console and of scripts, requests that failed, answers of 400 and more; since the last `forget`. */
  readonly complaints: readonly string[];
  forget(): void;
  close(): Promise<void>;
}

/** A page in a context of its own (no cookies but the session's), whose complaints are collected. */
export async function openPage(browser: Browser, options: PageOptions): Promise<WatchedPage> {
  const context = await browser.newContext({
    baseURL: options.origin,
    viewport: { width: options.width ?? 1280, height: options.height ?? 900 },
    colorScheme: options.dark === true ? 'dark' : 'light',
    reducedMotion: 'reduce',
    locale: options.locale ?? 'pt-BR',
    javaScriptEnabled: options.javaScriptEnabled ?? true,
  });
  if (options.secret !== undefined) {
    const name = options.origin.startsWith('https:') ? '__Host-kobana_session' : 'kobana_session';
    await context.addCookies([
      { name, value: options.secret, url: options.origin, httpOnly: true, sameSite: 'Lax' },
    ]);
  }
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`script: ${error.message}`));
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    // What the browser itself let go of because the person went on to another page did not fail.
    if (why !== 'net::ERR_ABORTED') complaints.push(`request: ${request.url()} ${why}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`answer: ${response.status()} ${response.url()}`);
  });
  return {
    page,
    context,
    complaints,
    forget: () => complaints.splice(0),
    close: () => context.close(),
  };
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds wrong with the page as it is shown, one line for each place; none is what is wanted. */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  // Evaluating goes past the page's policy, which forbids adding scripts.
  await page.evaluate(axeSource);
  return page.evaluate(async (tags) => {
    const { axe } = globalThis as any;
    const { violations } = await axe.run({ runOnly: { type: 'tag', values: tags } });
    return violations.flatMap((violation: any) =>
      violation.nodes.map((node: any) => `${violation.id}: ${node.target.join(' ')}: ${node.failureSummary}`),
    );
  }, axeTags);
}

/** Fails with what axe finds. */
export async function expectAccessible(page: Page): Promise<void> {
  const violations = await accessibilityViolations(page);
  if (violations.length > 0) throw new Error(`${page.url()}\n${violations.join('\n')}`);
}

/** How many pixels of the page lie beyond its width: more than 0 is a page that scrolls sideways. */
export async function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { document } = globalThis as any;
    return document.documentElement.scrollWidth - document.documentElement.clientWidth;
  });
}
