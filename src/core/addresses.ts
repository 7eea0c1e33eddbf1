/** Which addresses of the internet are anybody's to call. */

import { BlockList, isIP } from 'node:net';

/** IPv4 that is of this machine, a private network, a test or nobody (IANA special-purpose address registry). */
const SPECIAL_V4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  // A public number that a cloud answers inside its own machines, with their secrets.
  ['168.63.129.16', 32],
];

/** The only part of IPv6 given out for public use, and the parts of it that lead elsewhere or nowhere. */
const GLOBAL_V6: readonly [network: string, prefix: number] = ['2000::', 3];
const SPECIAL_V6: readonly (readonly [network: string, prefix: number])[] = [
  // Tunnels and identifiers; 2002 holds an IPv4 address that nobody checked.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const specialV4 = blockListOf(SPECIAL_V4, 'ipv4');
const specialV6 = blockListOf(SPECIAL_V6, 'ipv6');
const globalV6 = blockListOf([GLOBAL_V6], 'ipv6');

/**
 * True for a public unicast address in its usual form. Everything else is not: names, loopback, private and shared
 * ranges, link-local and metadata addresses, multicast, and IPv4 written inside IPv6.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !specialV4.check(address, 'ipv4');
    case 6:
      // A zone names an interface of this machine.
      return !address.includes('%') && globalV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6');
    default:
      return false;
  }
}

function blockListOf(
  networks: readonly (readonly [network: string, prefix: number])[],
  family: 'ipv4' | 'ipv6',
): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, family);
  return list;
}

/** Whether an address of the web goes to one of these `host:port`, at its usual port when it names none. */
export function isTestHost({ protocol, hostname, port }: URL, testHosts: readonly string[]): boolean {
  const usualPort = { 'http:': '80', 'https:': '443' }[protocol];
  return usualPort !== undefined && testHosts.includes(`${hostname}:${port === '' ? usualPort : port}`);
}
