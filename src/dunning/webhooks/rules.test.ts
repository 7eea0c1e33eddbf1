import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WebhookAnswer } from '../../gateways/webhooks/port.ts';
import { codes, codesOf, eventCodes, isSubscribable, kindOf, subscriptionsTo } from './codes.ts';
import {
  bodyOf,
  headersOf,
  newSecret,
  requireCallableUrl,
  requireSubscriptions,
  secretsAt,
  verdictOn,
} from './rules.ts';

const NOW = new Date('2026-10-01T12:00:00Z');
const failureOf = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

describe('MODEL §17: where webhooks may go', () => {
  test.each([
    ['ftp://hooks.example.com/', 'not_https'],
    ['http://hooks.example.com/', 'not_https'],
    ['javascript:alert(1)', 'not_https'],
    ['hooks.example.com', 'not_a_url'],
    ['', 'not_a_url'],
    ['https://', 'not_a_url'],
    ['https://user@hooks.example.com/', 'has_user'],
    ['https://user:key@hooks.example.com/', 'has_user'],
    ['https://hooks.example.com/#part', 'has_fragment'],
    ['https://localhost/', 'not_public'],
    ['https://LOCALHOST./', 'not_public'],
    ['https://hooks.localhost/', 'not_public'],
    ['https://printer.local/', 'not_public'],
    ['https://db.internal/', 'not_public'],
    ['https://db.internal./', 'not_public'],
    ['https://metadata.google.internal/', 'not_public'],
    ['https://intranet/', 'not_public'],
    ['https://router.home.arpa/', 'not_public'],
    ['https://127.0.0.1/', 'not_public'],
    ['https://127.1/', 'not_public'],
    ['https://0x7f.1/', 'not_public'],
    ['https://0177.0.0.1/', 'not_public'],
    ['https://2130706433/', 'not_public'],
    ['https://①②⑦.0.0.1/', 'not_public'],
    ['https://[::1]/', 'not_public'],
    ['https://[::ffff:10.0.0.1]/', 'not_public'],
    ['https://[::ffff:8.8.8.8]/', 'not_public'],
    ['https://[fe80::1]/', 'not_public'],
    ['https://10.0.0.1:8443/', 'not_public'],
    ['https://169.254.169.254/', 'not_public'],
    ['https://hooks.example.com:25/', 'port'],
    ['https://hooks.example.com:80/', 'port'],
    [`https://hooks.example.com/${'ç'.repeat(500)}`, 'not_a_url'],
  ])('refuses %s: %s', (url, reason) => {
    expect(failureOf(() => requireCallableUrl(url, []))).toMatchObject({
      code: 'webhook_address_refused',
      details: { reason },
    });
  });

  test.each([
    ['https://hooks.example.com', 'https://hooks.example.com/'],
    ['https://Hooks.Example.COM:443/a?b=c', 'https://hooks.example.com/a?b=c'],
    ['https://hooks.example.com:8443/a', 'https://hooks.example.com:8443/a'],
    ['https://cobrança.example.com/', 'https://xn--cobrana-zxa.example.com/'],
    ['https://1.1.1.1/', 'https://1.1.1.1/'],
    ['https://[2600::1]/', 'https://[2600::1]/'],
  ])('takes %s as %s', (url, usual) => {
    expect(requireCallableUrl(url, [])).toBe(usual);
  });

  test('takes a test host of the server, by http too, and nothing else of it', () => {
    const hosts = ['127.0.0.1:9000', 'localhost:80'];
    expect(requireCallableUrl('http://127.0.0.1:9000/hook', hosts)).toBe('http://127.0.0.1:9000/hook');
    expect(requireCallableUrl('http://localhost/hook', hosts)).toBe('http://localhost/hook');
    for (const url of ['http://127.0.0.1:9001/', 'http://127.0.0.1/', 'http://hooks.example.com:9000/']) {
      expect(failureOf(() => requireCallableUrl(url, hosts))).toMatchObject({
        code: 'webhook_address_refused',
      });
    }
    expect(failureOf(() => requireCallableUrl('http://a:b@127.0.0.1:9000/', hosts))).toMatchObject({
      details: { reason: 'has_user' },
    });
  });

  test('whatever is taken is taken again as it was written', () => {
    fc.assert(
      fc.property(fc.webUrl({ validSchemes: ['https'], withQueryParameters: true }), (url) => {
        const taken = failureOf(() => requireCallableUrl(url, []));
        if (typeof taken === 'string') expect(requireCallableUrl(taken, [])).toBe(taken);
      }),
    );
  });
});

describe('subscriptions', () => {
  test('are codes, all of a kind, or everything; sorted and each once', () => {
    expect(requireSubscriptions(['charge.paid', '*', 'agreement.*', 'charge.paid'])).toEqual([
      '*',
      'agreement.*',
      'charge.paid',
    ]);
    for (const wrong of [
      'charge',
      'charge.',
      'charge.eaten',
      'invoice.*',
      '*.*',
      'ping',
      'toString',
      'charge.*.*',
    ]) {
      expect(failureOf(() => requireSubscriptions([wrong]))).toMatchObject({ details: { path: 'events' } });
    }
  });

  test('every code is taken in by itself, by its kind and by everything, and by nothing else', () => {
    for (const code of codes) {
      expect(subscriptionsTo(code).every(isSubscribable)).toBe(true);
      expect(subscriptionsTo(code)).toEqual([code, `${kindOf(code)}.*`, '*']);
    }
  });

  test('every code says what it is of', () => {
    for (const [code, description] of Object.entries(eventCodes)) {
      expect(code).toMatch(/^[a-z]+\.[a-z_]+$/);
      expect(description).toMatch(/^[A-Z].*\.$/);
    }
  });
});

describe('which codes a change stands for', () => {
  test.each([
    ['charge', null, { status: 'pending' }, ['charge.created']],
    ['charge', null, { status: 'overdue' }, ['charge.created', 'charge.overdue']],
    ['charge', { status: 'pending' }, { status: 'overdue' }, ['charge.overdue']],
    ['charge', { status: 'overdue' }, { status: 'paid' }, ['charge.paid']],
    ['charge', { status: 'paid' }, { status: 'overdue' }, ['charge.reopened']],
    ['charge', { status: 'in_agreement' }, { status: 'pending' }, ['charge.reopened']],
    ['charge', { status: 'in_agreement' }, { status: 'paid' }, ['charge.paid']],
    ['charge', { status: 'overdue', tags: [] }, { status: 'overdue', tags: ['a'] }, ['charge.updated']],
    ['charge', { status: 'overdue', tags: [] }, { status: 'overdue', tags: [] }, []],
    ['payment', null, { status: 'confirmed' }, ['payment.created']],
    ['payment', { status: 'confirmed' }, { status: 'reversed' }, ['payment.reversed']],
    ['contact', { value: 'a' }, null, ['contact.deleted']],
    ['contact', { value: 'a' }, { value: 'b' }, ['contact.updated']],
    ['notification', null, { status: 'queued' }, []],
    ['notification', { status: 'queued' }, { status: 'sent' }, ['notification.sent']],
    ['agreement', null, { status: 'proposed' }, ['agreement.created']],
    ['webhook', null, { url: 'x' }, []],
    ['settings', { a: 1 }, { a: 2 }, []],
    ['charge', null, null, []],
  ])('%s: %j to %j', (kind, before, after, expected) => {
    expect(codesOf({ kind, before, after })).toEqual(expected);
  });
});

describe('MODEL 14.21: signatures', () => {
  const delivery = { id: 'd', event: 'charge.paid', body: '{"a":"ção"}' };

  test('are over the time and the raw bytes, under each secret that holds', () => {
    const headers = headersOf(delivery, ['one', 'two'], NOW);
    const expected = ['one', 'two'].map(
      (secret) =>
        `sha256=${createHmac('sha256', secret)
          .update(Buffer.from(`1790856000.${delivery.body}`))
          .digest('hex')}`,
    );
    expect(headers).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'kobana-dunning-webhooks',
      'kobana-event': 'charge.paid',
      'kobana-delivery': 'd',
      'kobana-timestamp': '1790856000',
      'kobana-signature': expected.join(', '),
    });
  });

  test('the secret before signs until its grace ends', () => {
    const secrets = { secret: 'new', previous_secret: 'old', previous_until: '2026-10-01T13:00:00Z' };
    expect(secretsAt(secrets, NOW)).toEqual(['new', 'old']);
    expect(secretsAt(secrets, new Date('2026-10-01T13:00:00Z'))).toEqual(['new']);
    expect(secretsAt({ secret: 'new', previous_secret: null, previous_until: null }, NOW)).toEqual(['new']);
  });

  test('secrets are 32 random bytes', () => {
    expect(newSecret()).toMatch(/^whsec_[\w-]{43}$/);
    expect(newSecret()).not.toBe(newSecret());
  });
});

describe('MODEL §17: what becomes of an attempt', () => {
  const answered = (status: number): WebhookAnswer => ({ kind: 'answered', status, text: '', durationMs: 1 });
  const failed = (reason: 'refused' | 'unreachable' | 'timeout' | 'tls'): WebhookAnswer => ({
    kind: 'failed',
    reason,
    durationMs: 1,
  });

  test.each([200, 201, 204, 299])('%i is delivered', (status) => {
    expect(verdictOn(answered(status), 1, NOW)).toEqual({ status: 'delivered' });
  });

  test.each([100, 301, 307, 400, 401, 404, 410, 422])('%i has failed at once', (status) => {
    expect(verdictOn(answered(status), 1, NOW)).toEqual({ status: 'failed' });
  });

  test.each([500, 502, 503, 599, 408, 429])('%i is tried again', (status) => {
    expect(verdictOn(answered(status), 1, NOW)).toEqual({
      status: 'pending',
      at: new Date('2026-10-01T12:01:00Z'),
    });
  });

  test('timeouts, TLS and missing connections are tried again, an address that may not be called is not', () => {
    for (const reason of ['timeout', 'tls', 'unreachable'] as const) {
      expect(verdictOn(failed(reason), 1, NOW).status).toBe('pending');
    }
    expect(verdictOn(failed('refused'), 1, NOW)).toEqual({ status: 'failed' });
  });

  test('seven times over about nine hours, then it has failed', () => {
    let now = NOW;
    let attempts = 1;
    for (;;) {
      const verdict = verdictOn(answered(503), attempts, now);
      if (!('at' in verdict)) break;
      expect(verdict.at > now).toBe(true);
      now = verdict.at;
      attempts += 1;
    }
    expect(attempts).toBe(8);
    const hours = (now.getTime() - NOW.getTime()) / 3_600_000;
    expect(hours).toBeGreaterThan(8.5);
    expect(hours).toBeLessThan(9.5);
  });
});

test('the body tells what happened, when, and the version of the record', () => {
  const told = {
    id: 'e.0.charge.paid',
    event: 'charge.paid',
    at: '2026-10-01T12:00:00Z',
    organizationId: 'o',
    resource: { type: 'charge', id: 'c' },
    data: { id: 'c', version: 3 },
  };
  expect(JSON.parse(bodyOf(told))).toEqual({
    id: 'e.0.charge.paid',
    event: 'charge.paid',
    created_at: '2026-10-01T12:00:00Z',
    organization_id: 'o',
    version: 3,
    resource: { type: 'charge', id: 'c' },
    data: { id: 'c', version: 3 },
  });
  expect(JSON.parse(bodyOf({ ...told, data: null })).version).toBeNull();
});
