/** Pictures of pages for the documentation, which are only made anew when asked for: `SCREENSHOTS=1`. */

import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const folder = fileURLToPath(new URL('../../docs/screenshots/', import.meta.url));
const takesPictures = process.env['SCREENSHOTS'] === '1';
/** What lies further down is left off. */
const HEIGHT_MAX = 1_400;

/** Writes `docs/screenshots/<name>.png` of the page as it is shown now, where pictures are asked for. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!takesPictures) return;
  await mkdir(folder, { recursive: true });
  const shown = page.viewportSize()!;
  const tall = await page.evaluate(() => (globalThis as any).document.documentElement.scrollHeight);
  await page.setViewportSize({ ...shown, height: Math.min(tall, HEIGHT_MAX) });
  await page.screenshot({ path: `${folder}${name}.png` });
  await page.setViewportSize(shown);
}
