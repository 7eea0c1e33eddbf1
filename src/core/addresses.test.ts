import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPublicAddress } from './addresses.ts';

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.168.1.1',
  '198.19.255.255',
  '203.0.113.9',
  '168.63.129.16',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:10.0.0.1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '64:ff9b::a00:1',
  'fe80::1',
  'fe80::1%eth0',
  '2600::1%eth0',
  'fc00::1',
  'fd00:ec2::254',
  'fec0::1',
  'ff02::1',
  '2001::1',
  '2001:db8::1',
  '2002:a00:1::',
  '3fff::1',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '172.15.255.255',
  '172.32.0.1',
  '100.128.0.1',
  '223.255.255.255',
  '2600::1',
  '2a00::1',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each(['', 'example.com', '127.1', '0x7f.1', '2130706433', '010.0.0.1', '1.1.1.1 ', '[2600::1]'])(
  '"%s" is no address in its usual form',
  (text) => {
    expect(isPublicAddress(text)).toBe(false);
  },
);

test('no IPv4 address is public for being written inside IPv6', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(isPublicAddress(`::ffff:${address}`)).toBe(false);
      expect(isPublicAddress(`::${address}`)).toBe(false);
    }),
  );
});
