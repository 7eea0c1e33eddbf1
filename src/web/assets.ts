/** Styles and scripts of the pages: read once, named by what they hold, and kept by browsers for good. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Mount } from './mount.ts';

interface Asset {
  readonly type: string;
  readonly body: Buffer;
  readonly url: string;
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const HASH_LENGTH = 16;

const assets: ReadonlyMap<string, Asset> = readAssets(join(import.meta.dirname, 'assets'));
const byUrl = new Map([...assets.values()].map((asset) => [asset.url, asset]));

function readAssets(folder: string): Map<string, Asset> {
  const names = readdirSync(folder).filter((name) => types[extname(name)] !== undefined);
  return new Map(
    names.map((name) => {
      const body = readFileSync(join(folder, name));
      const hash = createHash('sha256').update(body).digest('hex').slice(0, HASH_LENGTH);
      return [name, { type: types[extname(name)]!, body, url: `/assets/${hash}/${name}` }];
    }),
  );
}

/** The address of an asset, such as `/assets/3f…/console.css`; another content has another address. Throws for a name there is not. */
export function assetUrl(name: string): string {
  const asset = assets.get(name);
  if (asset === undefined) throw new Error(`There is no asset ${name}.`);
  return asset.url;
}

/** Serves `/assets/<hash>/<name>`. */
export const mountAssets: Mount = (req, res) => {
  const path = req.url?.split('?', 1)[0] ?? '';
  if (!path.startsWith('/assets/')) return false;
  req.resume();
  const asset = byUrl.get(path);
  const isRead = req.method === 'GET' || req.method === 'HEAD';
  if (asset === undefined || !isRead) {
    res.writeHead(isRead ? 404 : 405, { 'Content-Length': 0, ...(!isRead && { Allow: 'GET, HEAD' }) });
    res.end();
    return true;
  }
  res.writeHead(200, {
    'Content-Type': asset.type,
    'Content-Length': asset.body.length,
    'Cache-Control': 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
  });
  res.end(req.method === 'HEAD' ? undefined : asset.body);
  return true;
};
