import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { defaultLimits, limitsText } from './limits.ts';
import { isLoopback, requireSafeHost } from './reachability.ts';

describe('KOBANA_RATE_LIMITS', () => {
  const read = (text?: string) => readConfig({ KOBANA_RATE_LIMITS: text }).rateLimits;

  test('keeps the default of what it does not name, and lifts one or all', () => {
    expect(read()).toEqual(defaultLimits);
    expect(read('none')).toEqual({});
    expect(read('token=10/s, destructive=none')).toEqual({
      token: { calls: 10, perMs: 1_000 },
      person: defaultLimits.person,
      organization: defaultLimits.organization,
      address: defaultLimits.address,
      tool: defaultLimits.tool,
    });
    expect(limitsText(read('token=10/h,person=none'))).toBe(
      'token 10/h, person none, organization 12000/m, address 6000/m, tool 600/m, destructive 120/m',
    );
  });

  test('SE-15: limits destructive tools lower than others by default', () => {
    expect(defaultLimits.destructive.calls).toBeLessThan(defaultLimits.tool.calls);
  });

  test.each([
    ['tokens=5/m', /did you mean token\?/],
    ['token', /token=600\/m/],
    ['token=0/m', /token=600\/m/],
    ['token=-1/m', /token=600\/m/],
    ['token=5/d', /token=600\/m/],
    ['token=5/m,,', /knows token, person/],
  ])('refuses %s', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});

describe('KOBANA_TRUSTED_PROXIES', () => {
  const read = (text?: string) => readConfig({ KOBANA_TRUSTED_PROXIES: text }).trustedProxies;

  test('is a number or networks', () => {
    expect([read(), read('1'), read('10.0.0.0/8, ::1')]).toEqual([undefined, 1, ['10.0.0.0/8', '::1']]);
  });

  test.each(['11', '10.0.0.0/40', 'proxy.example', '1.5', '-1'])('refuses %s', (text) => {
    expect(() => read(text)).toThrow(/KOBANA_TRUSTED_PROXIES/);
  });
});

describe('AU-20: plain HTTP', () => {
  test('AU-20: is refused as the address of clients, except on this machine', () => {
    expect(() => readConfig({ PUBLIC_URL: 'http://books.example' })).toThrow(/must start with https:\/\//);
    expect(() => readConfig({ PUBLIC_URL: 'http://192.168.0.5:3000' })).toThrow(/https:\/\//);
    for (const url of [
      'https://books.example',
      'http://localhost:3000',
      'http://127.0.0.1',
      'http://[::1]:80',
    ]) {
      expect(readConfig({ PUBLIC_URL: `${url}/` }).publicUrl).toBe(url);
    }
  });

  test('AU-20: is not served to other machines unless clients are told an address with TLS before it', () => {
    expect(() => requireSafeHost('0.0.0.0', undefined)).toThrow(/set PUBLIC_URL to its https:\/\/ address/);
    expect(() => requireSafeHost('::', undefined)).toThrow(/PUBLIC_URL/);
    expect(() => requireSafeHost('0.0.0.0', 'https://books.example')).not.toThrow();
    for (const host of ['127.0.0.1', '127.9.9.9', 'localhost', '::1', '[::1]']) {
      expect(() => requireSafeHost(host, undefined)).not.toThrow();
    }
  });

  test('knows which names are this machine', () => {
    expect(['localhost', 'a.localhost', '127.0.0.1', '::1'].map(isLoopback)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['127.0.0.1.example', 'localhost.example', '10.0.0.1', '::', ''].map(isLoopback)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
