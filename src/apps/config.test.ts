import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFlags } from './command.ts';
import { readConfig, secretKeysOf, UsageError } from './config.ts';

describe('the environment', () => {
  test('has defaults for everything', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      databaseUrl: undefined,
      isProduction: false,
    });
  });

  test('sends mail only when it names a server and a sender', () => {
    expect(readConfig({}).mail).toBeUndefined();
    expect(readConfig({ KOBANA_MAIL_FROM: 'a@example.com' }).mail).toBeUndefined();
    const url = 'smtps://me:secret@mail.example.com';
    expect(readConfig({ KOBANA_SMTP_URL: url, KOBANA_MAIL_FROM: 'Cobrança <a@example.com>' }).mail).toEqual({
      url,
      from: 'Cobrança <a@example.com>',
    });
  });

  test('reaches banks through Kobana only with a token, in the sandbox unless told otherwise', () => {
    expect(readConfig({ KOBANA_API_URL: 'https://api.kobana.com.br' }).kobanaApi).toBeUndefined();
    expect(readConfig({ KOBANA_API_TOKEN: 't' }).kobanaApi).toEqual({
      token: 't',
      url: 'https://api-sandbox.kobana.com.br',
    });
    const url = 'https://api.kobana.com.br';
    expect(readConfig({ KOBANA_API_TOKEN: 't', KOBANA_API_URL: url }).kobanaApi).toEqual({ token: 't', url });
  });

  test('refuses an unknown variable with our prefix and names the nearest', () => {
    expect(() => readConfig({ KOBANA_HOEM: '/x' })).toThrow(
      new UsageError('unknown variable KOBANA_HOEM; did you mean KOBANA_HOME?'),
    );
    expect(readConfig({ SOMETHING_ELSE: '1' }).port).toBe(3000);
  });

  test.each([
    ['a port that is none', { PORT: '70000' }, /PORT must be a port number/],
    ['a port with a sign', { PORT: '+80' }, /PORT must be a port number/],
    ['an address that is none', { PUBLIC_URL: 'example.com' }, /PUBLIC_URL must be an address/],
    [
      'a mail server of another scheme',
      { KOBANA_SMTP_URL: 'http://mail.example.com', KOBANA_MAIL_FROM: 'a@example.com' },
      /KOBANA_SMTP_URL must be an address/,
    ],
    [
      'a mail server without a sender',
      { KOBANA_SMTP_URL: 'smtp://mail.example.com' },
      /needs KOBANA_MAIL_FROM/,
    ],
    [
      'a sender with a line break',
      {
        KOBANA_SMTP_URL: 'smtp://mail.example.com',
        KOBANA_MAIL_FROM: 'A\r\nBcc: b@example.com <a@example.com>',
      },
      /needs KOBANA_MAIL_FROM/,
    ],
    ['a Kobana API without https', { KOBANA_API_URL: 'http://api.kobana.com.br' }, /KOBANA_API_URL/],
    ['a Kobana API with a path', { KOBANA_API_URL: 'https://api.kobana.com.br/v2' }, /KOBANA_API_URL/],
    ['a token with a line break', { KOBANA_API_TOKEN: 'a\nb' }, /KOBANA_API_TOKEN must be visible ASCII/],
    ['an address of another scheme', { PUBLIC_URL: 'ftp://example.com' }, /PUBLIC_URL must be an address/],
  ])('refuses %s', (_what, environment, message) => {
    expect(() => readConfig(environment)).toThrow(message);
  });
});

describe('the confirmation keys', () => {
  test('C-17: are required in production', async () => {
    await expect(secretKeysOf(readConfig({ NODE_ENV: 'production' }))).rejects.toThrow(
      'KOBANA_SECRET_KEYS is required in production',
    );
  });

  test('C-17: are refused when one is too short', async () => {
    const config = readConfig({ KOBANA_SECRET_KEYS: `${'a'.repeat(40)}, short` });
    await expect(secretKeysOf(config)).rejects.toThrow('32 bytes or more');
  });

  test('are made once, readable by the owner alone, also when several processes start at the same moment', async () => {
    const home = join(await mkdtemp(join(tmpdir(), 'kobana-keys-')), 'home');
    const config = readConfig({ KOBANA_HOME: home });
    const all = await Promise.all(Array.from({ length: 8 }, () => secretKeysOf(config)));
    expect(new Set(all.map((keys) => keys.join()))).toEqual(
      new Set([await readFile(join(home, 'secret-keys'), 'utf8')]),
    );
    expect((await stat(join(home, 'secret-keys'))).mode & 0o777).toBe(0o600);
    await rm(home, { recursive: true });
  });
});

describe('flags', () => {
  const options = {
    port: { type: 'string' },
    demo: { type: 'boolean' },
    'no-worker': { type: 'boolean' },
  } as const;

  test('are read with their values', () => {
    const { positionals, flags } = readFlags(['verify', '--port', '80', '--no-worker'], options);
    expect([positionals, flags.text('port'), flags.has('no-worker'), flags.has('demo')]).toEqual([
      ['verify'],
      '80',
      true,
      false,
    ]);
  });

  test.each([
    [['--prot', '80'], 'unknown flag --prot; did you mean --port?'],
    [['--port'], '--port needs a value'],
    [['--demo=yes'], '--demo takes no value'],
  ])('%j is refused', (words, message) => {
    expect(() => readFlags(words, options)).toThrow(new UsageError(message));
  });
});
