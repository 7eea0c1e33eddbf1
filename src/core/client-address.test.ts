import { describe, expect, test } from 'vitest';
import { createAddressReader } from './client-address.ts';

const from = (remoteAddress: string, forwarded?: string | string[]) => ({
  socket: { remoteAddress },
  headers: { ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) },
});

describe('the address of a request', () => {
  test('is that of the socket, whatever a header claims, unless proxies are trusted', () => {
    expect(createAddressReader()(from('198.51.100.7', '203.0.113.9'))).toBe('198.51.100.7');
    expect(createAddressReader()(from('::ffff:198.51.100.7'))).toBe('198.51.100.7');
  });

  test('is the entry that the furthest trusted proxy wrote, never one that a client sent ahead of it', () => {
    const one = createAddressReader(1);
    expect(one(from('10.0.0.2', '1.1.1.1, 203.0.113.9'))).toBe('203.0.113.9');
    expect(one(from('10.0.0.2', ['1.1.1.1', '203.0.113.9']))).toBe('203.0.113.9');
    expect(createAddressReader(2)(from('10.0.0.2', '1.1.1.1, 203.0.113.9, 10.0.0.3'))).toBe('203.0.113.9');
    expect(one(from('10.0.0.2'))).toBe('10.0.0.2');
  });

  test('is the first from the right outside the trusted networks', () => {
    const read = createAddressReader(['10.0.0.0/8', '2001:db8:1::/48', '192.0.2.1']);
    expect(read(from('10.0.0.2', '1.1.1.1, 203.0.113.9, 10.9.9.9'))).toBe('203.0.113.9');
    expect(read(from('192.0.2.1', '203.0.113.9'))).toBe('203.0.113.9');
    // Not a proxy of ours: what it says about others is not believed.
    expect(read(from('198.51.100.7', '203.0.113.9'))).toBe('198.51.100.7');
    expect(read(from('10.0.0.2', '10.0.0.3'))).toBe('10.0.0.3');
  });

  test('is read where a proxy writes the port beside it', () => {
    const read = createAddressReader(1);
    expect(read(from('10.0.0.2', '203.0.113.9:4711'))).toBe('203.0.113.9');
    expect(read(from('10.0.0.2', '[2001:db8:0:1::5]:4711'))).toBe('2001:db8:0:1::/64');
    expect(read(from('10.0.0.2', '[2001:db8:0:1::5]'))).toBe('2001:db8:0:1::/64');
    expect(createAddressReader(['10.0.0.0/8'])(from('10.0.0.2', '203.0.113.9, 10.0.0.3:80'))).toBe(
      '203.0.113.9',
    );
  });

  test('is that of the proxy when the header holds no address', () => {
    expect(createAddressReader(1)(from('10.0.0.2', '<script>'))).toBe('10.0.0.2');
    expect(createAddressReader(1)(from('10.0.0.2', ''))).toBe('10.0.0.2');
  });

  test('stands for the whole /64 of an IPv6 address', () => {
    const read = createAddressReader();
    expect(read(from('2001:db8:0:1::5'))).toBe('2001:db8:0:1::/64');
    expect(read(from('2001:0db8:0000:0001:ffff:ffff:ffff:ffff'))).toBe('2001:db8:0:1::/64');
    expect(read(from('fe80::1%eth0'))).toBe('fe80:0:0:0::/64');
    expect(read(from('::1'))).toBe('0:0:0:0::/64');
  });

  test.each(['10.0.0.0/33', 'example.com', '10.0.0.0/x', '2001:db8::/129', ''])(
    'refuses %j as a network',
    (text) => {
      expect(() => createAddressReader([text])).toThrow(RangeError);
    },
  );
});
