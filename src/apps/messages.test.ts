import { describe, expect, test } from 'vitest';
import { createMessages } from '../gateways/messages/index.ts';
import { readConfig, UsageError } from './config.ts';

const mail = { KOBANA_SMTP_URL: 'smtp://127.0.0.1:25', KOBANA_MAIL_FROM: 'Kobana <a@example.com>' };

async function namesOf(environment: Record<string, string>): Promise<string[]> {
  const { ports, close } = await createMessages(readConfig(environment).messages);
  close();
  return (['email', 'sms', 'whatsapp', 'letter'] as const).map((channel) => ports[channel].name);
}

describe('who carries messages', () => {
  test('is the simulator for every channel that has no access', async () => {
    expect(await namesOf({})).toEqual(['simulator', 'simulator', 'simulator', 'simulator']);
    expect(await namesOf(mail)).toEqual(['smtp', 'simulator', 'simulator', 'simulator']);
  });

  test('is each provider that has one', async () => {
    const all = {
      ...mail,
      KOBANA_WHATSAPP_TOKEN: 't',
      KOBANA_WHATSAPP_PHONE_ID: '106540352242922',
      KOBANA_SMS_URL: 'https://sms.example.com/v1',
      KOBANA_SMS_TOKEN: 't',
      KOBANA_LETTERS_URL: 'http://127.0.0.1:9/letters',
      KOBANA_LETTERS_TOKEN: 't',
    };
    expect(await namesOf(all)).toEqual(['smtp', 'http-sms', 'whatsapp-cloud', 'http-letter']);
  });

  test.each([
    ['a token without its address', { KOBANA_SMS_TOKEN: 't' }, /KOBANA_SMS_URL and KOBANA_SMS_TOKEN/],
    ['an address without its token', { KOBANA_LETTERS_URL: 'https://a.example' }, /KOBANA_LETTERS_TOKEN/],
    [
      'an address in clear',
      { KOBANA_SMS_URL: 'http://a.example', KOBANA_SMS_TOKEN: 't' },
      /KOBANA_SMS_URL must be/,
    ],
    [
      'a token with a space',
      { KOBANA_SMS_URL: 'https://a.example', KOBANA_SMS_TOKEN: 'a b' },
      /visible ASCII/,
    ],
    ['half of WhatsApp', { KOBANA_WHATSAPP_TOKEN: 't' }, /KOBANA_WHATSAPP_PHONE_ID/],
    [
      'a phone number for its id',
      { KOBANA_WHATSAPP_TOKEN: 't', KOBANA_WHATSAPP_PHONE_ID: '+5511' },
      /is digits/,
    ],
    ['a short secret', { KOBANA_REPORTS_SECRET: 'short' }, /32 bytes or more/],
    ['half of Meta', { KOBANA_WHATSAPP_APP_SECRET: 's' }, /go together/],
    ['no address for reports', { KOBANA_MAIL_BOUNCES: 'nobody' }, /KOBANA_MAIL_BOUNCES must be/],
  ])('%s is refused at start', (_what, environment, message) => {
    expect(() => readConfig(environment)).toThrow(UsageError);
    expect(() => readConfig(environment)).toThrow(message);
  });

  test('no refusal shows a secret', () => {
    const environment = { KOBANA_SMS_URL: 'http://a.example', KOBANA_SMS_TOKEN: 'hush-hush' };
    expect(() => readConfig(environment)).toThrow(expect.not.objectContaining({ message: /hush/ }));
  });
});

test('reports are believed from nobody unless a secret is set', () => {
  expect(readConfig({}).reports).toEqual({ secret: undefined, whatsapp: undefined });
  const secret = 'a secret for reports of thirty-two bytes';
  const environment = {
    KOBANA_REPORTS_SECRET: secret,
    KOBANA_WHATSAPP_APP_SECRET: 'a',
    KOBANA_WHATSAPP_VERIFY_TOKEN: 'v',
  };
  expect(readConfig(environment).reports).toEqual({ secret, whatsapp: { appSecret: 'a', verifyToken: 'v' } });
});
