/** Pictures of pages for the documentation, which are only made anew when asked for: `SCREENSHOTS=1`. */

import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const folder = fileURLToPath(new URL('../../docs/screenshots/', import.meta.url));
const takesPictures = process.env['SCREENSHOTS'] === '1';
/** What lies further down is left off, in pixels of the page; less is kept where the file would be too large. */
const HEIGHT_MAX = 1_400;
const BYTES_MAX = 200_000;

/** Writes `docs/screenshots/<name>.png` of the page as it is shown now, where pictures are asked for. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!takesPictures) return;
  const shown = page.viewportSize()!;
  // In a low window a page is as high as what it holds.
  await page.setViewportSize({ ...shown, height: 400 });
  await page.setViewportSize({ ...shown, height: await tallnessOf(page) });
  // Once more, because some margins grow with the window.
  let height = await tallnessOf(page);
  let png: Buffer;
  do {
    await page.setViewportSize({ ...shown, height });
    png = await page.screenshot();
    height = Math.floor(height * 0.9);
  } while (png.length > BYTES_MAX);
  await page.setViewportSize(shown);
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}${name}.png`, png);
}

async function tallnessOf(page: Page): Promise<number> {
  const tall = await page.evaluate(() => (globalThis as any).document.documentElement.scrollHeight);
  return Math.min(tall, HEIGHT_MAX);
}
