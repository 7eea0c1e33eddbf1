/** The authorization server, its consent page, and the metadata by which clients find both. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import type { Product } from '../core/caller.ts';
import { metadataPathOf, resourceUrlOf, tokenScopesOf } from '../core/resources.ts';
import type { Mount } from '../web/mount.ts';
import { answerConsent } from './consent.ts';
import { CONSENT_PATH, createProvider, type OAuthOptions, PREFIX, REGISTRATION_PATH } from './provider.ts';
import { answerRegistration } from './registration.ts';

/** Origins of one server: its public address and the loopback ones; more than that only when somebody plays with ports. */
const ORIGINS_MAX = 8;
const METADATA_SECONDS = 3_600;
const DISCOVERY = new Set(['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']);

const names: Readonly<Record<Product, string>> = { finance: 'Kobana Finance', dunning: 'Kobana Dunning' };
const productByPath = new Map(
  (['finance', 'dunning'] as const).map((product) => [metadataPathOf(product), product]),
);

/** Serves `/oauth/…` and the `/.well-known/…` documents of both products. */
export function createOAuth(options: OAuthOptions): Mount {
  const providerOf = rememberedProviders(options);
  return (req, res, origin) => {
    const path = req.url!.split('?', 1)[0]!;
    const product = productByPath.get(path);
    if (product !== undefined) {
      answerMetadata(options, product, origin, req, res);
      return true;
    }
    const isOurs = options.externalIssuer === undefined && (path.startsWith(PREFIX) || DISCOVERY.has(path));
    if (!isOurs) return false;
    providerOf(origin)
      .then((provider) => answer(options, provider, path, origin, req, res))
      .catch((error: unknown) => {
        options.logFailure(error, 'oauth');
        if (res.headersSent) res.destroy();
        else res.writeHead(500, { 'Content-Length': 0 }).end();
      });
    return true;
  };
}

function rememberedProviders(options: OAuthOptions): (origin: string) => Promise<Provider> {
  const providers = new Map<string, Promise<Provider>>();
  return (origin) => {
    let provider = providers.get(origin);
    if (provider === undefined) {
      if (providers.size >= ORIGINS_MAX) providers.clear();
      provider = createProvider(options, origin);
      providers.set(origin, provider);
    }
    return provider;
  };
}

async function answer(
  options: OAuthOptions,
  provider: Provider,
  path: string,
  origin: string,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  if (path === REGISTRATION_PATH) return answerRegistration(options, provider, req, res);
  // The origin is checked; the library takes it from here, whatever else these headers said.
  const { protocol, host } = new URL(origin);
  req.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  req.headers['x-forwarded-host'] = host;
  if (path.startsWith(CONSENT_PATH)) return answerConsent(options, provider, origin, req, res);
  await provider.callback()(req, res);
}

/** Who gives tokens for this server (RFC 9728): anybody may ask, from any page (PROTOCOL AU-01 to AU-04, AU-16). */
function answerMetadata(
  { externalIssuer }: OAuthOptions,
  product: Product,
  origin: string,
  req: IncomingMessage,
  res: ServerResponse,
): void {
  req.resume();
  res.setHeader('Access-Control-Allow-Origin', '*');
  if (req.method === 'OPTIONS') {
    res.setHeader('Access-Control-Allow-Methods', 'GET');
    res.setHeader('Access-Control-Allow-Headers', 'MCP-Protocol-Version');
    res.writeHead(204).end();
    return;
  }
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    res.writeHead(405, { Allow: 'GET, HEAD, OPTIONS', 'Content-Length': 0 }).end();
    return;
  }
  const [read] = tokenScopesOf(product);
  const body = JSON.stringify({
    resource: resourceUrlOf(origin, product),
    authorization_servers: [externalIssuer ?? origin],
    // The least; whoever needs more is told so when it does.
    scopes_supported: [read],
    bearer_methods_supported: ['header'],
    resource_name: names[product],
  });
  res.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': `public, max-age=${METADATA_SECONDS}`,
  });
  res.end(req.method === 'HEAD' ? undefined : body);
}
