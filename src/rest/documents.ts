/** What anybody may read about the routes: the OpenAPI document of each product and the reference page made of it. */

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Locale, Product } from '../core/caller.ts';
import type { ProductDefinition } from '../core/surfaces.ts';
import { pageHeaders } from '../web/http.ts';
import type { Mount } from '../web/mount.ts';
import { localeOf } from '../web/words.ts';
import { openApiOf } from './openapi.ts';
import { referencePage } from './reference.ts';

const PATH = /^\/(finance|dunning)\/(openapi\.json|docs)$/;
/** Asked for again each time, and sent again only when it changed. */
const CACHING = 'no-cache';
/** Where the address goes in a text that is kept. */
const ORIGIN_PLACE = 'https://origin.invalid';

interface Document {
  readonly body: Buffer;
  readonly tag: string;
}

/** Serves `/<product>/openapi.json` and `/<product>/docs`, without a token. */
export function createDocumentMount(products: Readonly<Record<Product, ProductDefinition>>): Mount {
  const remember = createMemory();
  return (req, res, origin) => {
    const [, named, name] = PATH.exec(req.url!.split('?', 1)[0]!) ?? [];
    if (named === undefined) return false;
    const product = named as Product;
    req.resume();
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.writeHead(405, { Allow: 'GET, HEAD', 'Content-Length': 0 });
      res.end();
      return true;
    }
    const documentAt = (address: string) => openApiOf(products[product], address);
    if (name === 'docs') {
      const locale: Locale = localeOf(req.headers['accept-language']);
      const page = remember(
        `${product} ${locale}`,
        () => referencePage(documentAt(''), product, locale).text,
      );
      send(req, res, page(origin), {
        ...pageHeaders(),
        'Content-Type': 'text/html; charset=utf-8',
        Vary: 'Accept-Language',
      });
    } else {
      const document = remember(product, () => JSON.stringify(documentAt(ORIGIN_PLACE)));
      send(req, res, document(origin), {
        'Content-Type': 'application/json',
        'Access-Control-Allow-Origin': '*',
        'X-Content-Type-Options': 'nosniff',
      });
    }
    return true;
  };
}

/**
 * Makes each text once and puts the address in where it belongs: asking by ever other names of this server costs neither
 * time nor memory.
 */
function createMemory() {
  const kept = new Map<string, (origin: string) => Document>();
  return (name: string, make: () => string): ((origin: string) => Document) => {
    const known = kept.get(name);
    if (known !== undefined) return known;
    const parts = make().split(ORIGIN_PLACE);
    const digest = digestOf(parts.join());
    const document = (origin: string): Document => ({
      body: Buffer.from(parts.join(origin)),
      tag: `"${digestOf(digest + origin)}"`,
    });
    kept.set(name, document);
    return document;
  };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

function send(
  req: IncomingMessage,
  res: ServerResponse,
  { body, tag }: Document,
  headers: Readonly<Record<string, string>>,
): void {
  const all = { ...headers, 'Cache-Control': CACHING, ETag: tag };
  if (req.headers['if-none-match'] === tag) {
    res.writeHead(304, all);
    res.end();
    return;
  }
  res.writeHead(200, { ...all, 'Content-Length': body.length });
  res.end(req.method === 'HEAD' ? undefined : body);
}
