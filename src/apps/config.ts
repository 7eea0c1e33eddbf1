/** What the environment says. The only reader of `process.env`, together with the entry point. */

import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { TrustedProxies } from '../core/client-address.ts';
import type { RateLimits } from '../core/rate-limits.ts';
import { nearest } from '../core/text.ts';
import { isSafeAddress, isTokenText } from '../gateways/bank/kobana/address.ts';
import type { MessagesAccess } from '../gateways/messages/index.ts';
import type { ExternalIdentityConfig } from '../identity/external.ts';
import { identityProviderOf } from './identity-provider.ts';
import { rateLimitsOf, trustedProxiesOf } from './limits.ts';
import { type Given, messagesOf, type ReportsAccess, reportsOf, WHATSAPP_API } from './messages.ts';
import { requireSafeUrl } from './reachability.ts';
import { UsageError } from './usage.ts';

export { UsageError } from './usage.ts';

const PREFIX = 'KOBANA_';
/** Where nothing is paid; the real one has to be named. */
const KOBANA_SANDBOX = 'https://api-sandbox.kobana.com.br';
const SENDER = /^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/;

/** Every variable we read, with what it is for. */
export const variables = {
  DATABASE_URL: 'PostgreSQL 15 or newer to use instead of the embedded one',
  KOBANA_HOME: 'folder of the embedded database and the generated keys (default ./.kobana)',
  KOBANA_SECRET_KEYS: 'keys that seal confirmations, comma-separated, newest first, 32 bytes or more each',
  KOBANA_TOKEN: 'the token of `kobana stdio`',
  KOBANA_SMTP_URL:
    'mail server for charges and messages, smtp://user:password@host:587 or smtps://…:465 (default: no mail leaves)',
  KOBANA_MAIL_FROM: 'sender of that mail, an address or `Name <address>`',
  KOBANA_MAIL_BOUNCES:
    'address that delivery reports of messages go to (default the one of KOBANA_MAIL_FROM)',
  KOBANA_WHATSAPP_TOKEN: 'token of the WhatsApp Cloud API (default: WhatsApp is simulated)',
  KOBANA_WHATSAPP_PHONE_ID: 'phone number id of the sender there',
  KOBANA_WHATSAPP_TEMPLATE: 'approved template whose body takes sender and text (default: plain text)',
  KOBANA_WHATSAPP_URL: `address of that API with its version (default ${WHATSAPP_API})`,
  KOBANA_WHATSAPP_APP_SECRET: "secret of Meta's app, which signs its notifications",
  KOBANA_WHATSAPP_VERIFY_TOKEN: 'word that Meta sends to check the address of notifications',
  KOBANA_SMS_URL: 'provider of SMS, see docs/messages.md (default: SMS are simulated)',
  KOBANA_SMS_TOKEN: 'token of that provider',
  KOBANA_LETTERS_URL: 'provider of letters, see docs/messages.md (default: letters are simulated)',
  KOBANA_LETTERS_TOKEN: 'token of that provider',
  KOBANA_REPORTS_SECRET:
    'signs delivery reports of e-mails, SMS and letters, 32 bytes or more (default: none are taken)',
  KOBANA_BUREAU_FOLDER:
    'folder for files to and from credit bureaus, see docs/legal.md (default: bureaus are simulated)',
  KOBANA_NOTARY_FOLDER:
    'folder for files to and from notary offices, see docs/legal.md (default: offices are simulated)',
  KOBANA_WEBHOOK_TEST_HOSTS:
    'host:port pairs, comma-separated, that webhooks may call although they are private; for tests only',
  KOBANA_API_TOKEN: 'token of the Kobana API, for accounts whose bank is `kobana`',
  KOBANA_API_URL: `address of the Kobana API (default its sandbox, ${KOBANA_SANDBOX})`,
  KOBANA_IDP_ISSUER: "an organization's own identity provider, which then lets clients in instead of us",
  KOBANA_IDP_AUDIENCE: 'what its tokens are for (default the address of each server, by PUBLIC_URL)',
  KOBANA_IDP_JWKS_URL: 'where its keys are (default: where its metadata says)',
  KOBANA_IDP_EMAIL_CLAIM: 'claim with the e-mail address of the person (default email, if verified)',
  KOBANA_IDP_SCOPE_CLAIM: 'claim with the scopes (default scope)',
  KOBANA_IDP_WORKSPACE_CLAIM: 'claim with the id of the one workspace a token is for (default: all)',
  KOBANA_RATE_LIMITS:
    'how often one may call, such as token=600/m,destructive=30/m, or none; see docs/operations/reverse-proxy.md',
  KOBANA_TRUSTED_PROXIES:
    'how many proxies are before the server, or their networks, to read X-Forwarded-For (default: none)',
  PORT: 'port of `kobana serve` (default 3000)',
  HOST: 'address of `kobana serve` (default 127.0.0.1)',
  PUBLIC_URL: 'address under which clients reach the server',
} as const;

export interface Config {
  readonly databaseUrl: string | undefined;
  readonly home: string;
  readonly secretKeys: readonly string[] | undefined;
  readonly token: string | undefined;
  /** Undefined: no mail leaves. */
  readonly mail: { readonly url: string; readonly from: string } | undefined;
  /** Who carries messages to debtors; a channel without is simulated. */
  readonly messages: MessagesAccess;
  /** Whose reports about those messages are believed. */
  readonly reports: ReportsAccess;
  /** Where files for bureaus and notary offices are exchanged; undefined: they are simulated. */
  readonly bureauFolder: string | undefined;
  readonly notaryFolder: string | undefined;
  /** As `host:port`: private addresses that webhooks may call. */
  readonly webhookTestHosts: readonly string[];
  /** Undefined: no bank is reached through Kobana. */
  readonly kobanaApi: { readonly token: string; readonly url: string } | undefined;
  /** Undefined: we let clients in. */
  readonly identityProvider: ExternalIdentityConfig | undefined;
  readonly rateLimits: RateLimits;
  /** Undefined: X-Forwarded-For is not read. */
  readonly trustedProxies: TrustedProxies | undefined;
  readonly port: number;
  readonly host: string;
  readonly publicUrl: string | undefined;
  readonly isProduction: boolean;
}

/** Reads the environment. Refuses an unknown variable with our prefix, naming the nearest right one. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  for (const name of Object.keys(environment)) {
    if (name.startsWith(PREFIX) && !(name in variables))
      throw new UsageError(unknown('variable', name, Object.keys(variables)));
  }
  const mail = mailOf(given(environment['KOBANA_SMTP_URL']), given(environment['KOBANA_MAIL_FROM']));
  const read: Given = (name) => given(environment[name]);
  const publicUrl = publicUrlOf(read('PUBLIC_URL'));
  return {
    databaseUrl: given(environment['DATABASE_URL']),
    home: resolve(given(environment['KOBANA_HOME']) ?? '.kobana'),
    secretKeys: given(environment['KOBANA_SECRET_KEYS'])
      ?.split(',')
      .map((key) => key.trim()),
    token: given(environment['KOBANA_TOKEN']),
    mail,
    messages: messagesOf(read, mail),
    reports: reportsOf(read),
    ...foldersOf(read('KOBANA_BUREAU_FOLDER'), read('KOBANA_NOTARY_FOLDER')),
    webhookTestHosts: testHostsOf(read('KOBANA_WEBHOOK_TEST_HOSTS')),
    kobanaApi: kobanaApiOf(given(environment['KOBANA_API_TOKEN']), given(environment['KOBANA_API_URL'])),
    identityProvider: identityProviderOf(read, publicUrl),
    rateLimits: rateLimitsOf(read('KOBANA_RATE_LIMITS')),
    trustedProxies: trustedProxiesOf(read('KOBANA_TRUSTED_PROXIES')),
    port: portOf(given(environment['PORT']) ?? '3000', 'PORT'),
    host: given(environment['HOST']) ?? '127.0.0.1',
    publicUrl,
    isProduction: environment['NODE_ENV'] === 'production',
  };
}

/** The text that refuses an unknown name and shows the right one. */
export function unknown(what: string, name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  return near === null
    ? `unknown ${what} ${name}; known: ${names.join(', ')}`
    : `unknown ${what} ${name}; did you mean ${near}?`;
}

/** A port number, or a usage error that names where it came from. */
export function portOf(text: string, source: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new UsageError(`${source} must be a port number from 0 to 65535`);
  return port;
}

/**
 * The confirmation keys: from the environment, else from the home folder, where they are made on first use.
 * In production they must be given, so that every process of the fleet has the same.
 */
export async function secretKeysOf(config: Config): Promise<readonly string[]> {
  const keys = config.secretKeys ?? (await homeKeys(config));
  if (keys.some((key) => Buffer.byteLength(key) < 32)) {
    throw new UsageError('every key of KOBANA_SECRET_KEYS needs 32 bytes or more');
  }
  return keys;
}

async function homeKeys({ home, isProduction }: Config): Promise<string[]> {
  if (isProduction) throw new UsageError('KOBANA_SECRET_KEYS is required in production');
  const file = join(home, 'secret-keys');
  await mkdir(home, { recursive: true, mode: 0o700 });
  const own = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(own, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' });
  // A link appears whole or not at all: one of several processes makes it, all read what it holds.
  await link(own, file).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(own);
  return (await readFile(file, 'utf8')).trim().split(',');
}

function given(value: string | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : value;
}

function foldersOf(
  bureau: string | undefined,
  notary: string | undefined,
): Pick<Config, 'bureauFolder' | 'notaryFolder'> {
  const [bureauFolder, notaryFolder] = [bureau, notary].map((path) => path && resolve(path));
  if (bureauFolder !== undefined && bureauFolder === notaryFolder) {
    throw new UsageError('KOBANA_BUREAU_FOLDER and KOBANA_NOTARY_FOLDER must be two folders');
  }
  return { bureauFolder, notaryFolder };
}

function testHostsOf(text: string | undefined): string[] {
  const hosts = text?.split(',').map((host) => host.trim()) ?? [];
  if (hosts.some((host) => !/^[\w.:[\]-]{1,253}:\d{1,5}$/.test(host))) {
    throw new UsageError('KOBANA_WEBHOOK_TEST_HOSTS must be pairs such as 127.0.0.1:8080, comma-separated');
  }
  return hosts;
}

function mailOf(url: string | undefined, from: string | undefined): Config['mail'] {
  if (url === undefined) return undefined;
  if (!URL.canParse(url) || !/^smtps?:$/.test(new URL(url).protocol)) {
    throw new UsageError('KOBANA_SMTP_URL must be an address that starts with smtp:// or smtps://');
  }
  if (from === undefined || !SENDER.test(from)) {
    throw new UsageError('KOBANA_SMTP_URL needs KOBANA_MAIL_FROM, an address or `Name <address>`');
  }
  return { url, from };
}

function kobanaApiOf(token: string | undefined, url = KOBANA_SANDBOX): Config['kobanaApi'] {
  if (!isSafeAddress(url)) {
    throw new UsageError(
      'KOBANA_API_URL must be an address such as https://api.kobana.com.br, without a path',
    );
  }
  if (token === undefined) return undefined;
  if (!isTokenText(token)) throw new UsageError('KOBANA_API_TOKEN must be visible ASCII without spaces');
  return { token, url };
}

function publicUrlOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new UsageError('PUBLIC_URL must be an address that starts with http:// or https://');
  }
  requireSafeUrl(text);
  return text.replace(/\/+$/, '');
}
