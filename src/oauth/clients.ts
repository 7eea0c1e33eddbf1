/** What a client says of itself, when it registers or in its metadata document: checked and cut to what is used. */

import { cleanOutsideText } from '../core/text.ts';

/** Refuses what a client says of itself, with the error code of RFC 7591, section 3.2.2. */
export class ClientRefusal extends Error {
  override readonly name = 'ClientRefusal';
  readonly code: 'invalid_client_metadata' | 'invalid_redirect_uri';

  constructor(code: ClientRefusal['code'], message: string) {
    super(message);
    this.code = code;
  }
}

const NAME_LENGTH_MAX = 100;
const REDIRECTS_MAX = 10;
const REDIRECT_LENGTH_MAX = 500;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
/** A host as it may stand in a policy header, whatever else an address may hold. */
const PLAIN_HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/;
const PRIVATE_SCHEME = /^[a-z][a-z0-9+.-]{1,60}:$/;
/** Schemes that do something in a browser or on a disk instead of opening a program. */
const COMMON_SCHEMES = new Set(
  [
    'about: blob: chrome: chrome-extension: data: file: filesystem: ftp: ftps: http: https: intent: jar: javascript: ldap:',
    'mailto: moz-extension: search: search-ms: shell: sms: ssh: tel: telnet: vbscript: view-source: ws: wss:',
  ].flatMap((schemes) => schemes.split(' ')),
);
/** Schemes of the system, which do as they are told. */
const SYSTEM_SCHEME = /^ms-/;

export interface ClientFacts {
  readonly client_name: string;
  readonly redirect_uris: readonly string[];
  readonly application_type: 'web' | 'native';
  readonly grant_types: readonly ['authorization_code', 'refresh_token'];
  readonly response_types: readonly ['code'];
  readonly client_uri?: string;
}

/**
 * What we keep of what a client says. Addresses for answers are https, plain http on the machine itself with any port
 * (RFC 8252, 7.3), or a private scheme of a program. Scopes are left out: what may be done is asked for and consented to
 * each time. Throws `ClientRefusal`.
 */
export function clientFactsOf(said: Readonly<Record<string, unknown>>): ClientFacts {
  const redirects = redirectsOf(said['redirect_uris']);
  const isNative = redirects.some((uri) => !uri.startsWith('https:'));
  const { application_type: type, client_uri: uri } = said;
  return {
    client_name: nameOf(said['client_name'], redirects[0]!),
    redirect_uris: redirects,
    application_type: type === 'web' || type === 'native' ? type : isNative ? 'native' : 'web',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    ...(typeof uri === 'string' && isHttps(uri) && { client_uri: uri }),
  };
}

/** The host that an answer goes to, or the scheme that opens a program; for people to read. */
export function redirectHostOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return protocol === 'https:' || protocol === 'http:' ? host : protocol;
}

/** Whether the answer goes to a program on the person's own machine, which any program there could pretend to be. */
export function isLocalRedirect(redirectUri: string): boolean {
  const { protocol, hostname } = new URL(redirectUri);
  return protocol !== 'https:' || LOOPBACK.has(hostname);
}

/** What a form may lead to, so that the answer can go there; the source of a policy header. */
export function formTargetOf(redirectUri: string): string {
  const { protocol, hostname, origin } = new URL(redirectUri);
  // Policies know no IPv6 addresses (CSP 3, 2.3.1).
  return /^https?:$/.test(protocol) && !hostname.startsWith('[') ? origin : protocol;
}

function nameOf(said: unknown, redirectUri: string): string {
  if (said === undefined || said === '') return redirectHostOf(redirectUri);
  if (typeof said !== 'string' || said.length > NAME_LENGTH_MAX) {
    throw new ClientRefusal(
      'invalid_client_metadata',
      `client_name must be a text of at most ${NAME_LENGTH_MAX} characters`,
    );
  }
  // Nothing invisible: a name is read by a person who decides by it.
  const plain = cleanOutsideText(said.replace(/\p{C}/gu, ''), NAME_LENGTH_MAX);
  return plain === '' ? redirectHostOf(redirectUri) : plain;
}

function redirectsOf(said: unknown): readonly string[] {
  if (!Array.isArray(said) || said.length === 0 || said.length > REDIRECTS_MAX) {
    throw new ClientRefusal(
      'invalid_redirect_uri',
      `redirect_uris must hold 1 to ${REDIRECTS_MAX} addresses`,
    );
  }
  for (const uri of said) {
    if (typeof uri !== 'string' || !isRedirect(uri)) {
      throw new ClientRefusal(
        'invalid_redirect_uri',
        'redirect_uris must be https, http on localhost, or a private scheme of a program, without a fragment',
      );
    }
  }
  return said;
}

function isRedirect(uri: string): boolean {
  if (uri.length > REDIRECT_LENGTH_MAX || !/^[\x21-\x7e]+$/.test(uri) || uri.includes('#')) return false;
  if (!URL.canParse(uri)) return false;
  const { protocol, hostname, username, password } = new URL(uri);
  if (username !== '' || password !== '') return false;
  // Browsers take `https:host` for a path of the page they are on, whatever a parser says.
  if (/^https?:(?!\/\/)/i.test(uri)) return false;
  if (protocol === 'https:') return PLAIN_HOST.test(hostname);
  if (protocol === 'http:') return LOOPBACK.has(hostname);
  if (COMMON_SCHEMES.has(protocol) || SYSTEM_SCHEME.test(protocol)) return false;
  return PRIVATE_SCHEME.test(protocol);
}

function isHttps(uri: string): boolean {
  return uri.length <= REDIRECT_LENGTH_MAX && URL.canParse(uri) && new URL(uri).protocol === 'https:';
}
