/** Who is at the other end of a connection, for counting calls and attempts. */

import { BlockList, isIP, isIPv6 } from 'node:net';

/** A number of proxies before this server, or the networks they are in. */
export type TrustedProxies = number | readonly string[];

interface Request {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: { readonly [name: string]: string | string[] | undefined };
}

/** Gives the address of who sent the request; an IPv6 address stands for its /64, which one customer has whole. */
export type AddressOf = (request: Request) => string;

/**
 * The address is that of the socket. Only where proxies are trusted it is taken from `X-Forwarded-For`, from the right:
 * each trusted proxy wrote the entry before its own, and whatever stands further left anybody may have sent.
 * Throws a `RangeError` for a network that is none.
 */
export function createAddressReader(trusted: TrustedProxies = 0): AddressOf {
  const isProxy = typeof trusted === 'number' ? undefined : networksOf(trusted);
  return ({ socket, headers }) => {
    const hops = [...forwardedFor(headers['x-forwarded-for']), plain(socket.remoteAddress ?? '')].reverse();
    const index = isProxy === undefined ? Number(trusted) : hops.findIndex((hop) => !isProxy(hop));
    // Fewer hops than proxies: the request came another way, and the furthest that is known sent it.
    const hop = hops[index === -1 ? hops.length - 1 : Math.min(index, hops.length - 1)]!;
    return networkOf(isIP(hop) === 0 ? hops[0]! : hop);
  };
}

function forwardedFor(header: string | string[] | undefined): string[] {
  if (header === undefined) return [];
  return [header].flat().join(',').split(',').slice(-32).map(plain);
}

/** `::ffff:10.0.0.1` is 10.0.0.1, and so is `10.0.0.1:4711`, as some proxies write it. */
function plain(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
    .replace(/^\[([^\]]+)\](?::\d+)?$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/, '');
}

function networksOf(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address);
    const prefix = bits === undefined ? (family === 4 ? 32 : 128) : Number(bits);
    if (family === 0 || !/^\d{1,3}$/.test(bits ?? '0') || prefix > (family === 4 ? 32 : 128)) {
      throw new RangeError(`${network} is no network such as 10.0.0.0/8`);
    }
    list.addSubnet(address, prefix, family === 4 ? 'ipv4' : 'ipv6');
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** The first four groups of an IPv6 address; an IPv4 address as it is. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('%', 1)[0]!.split('::', 2);
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const middle = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const groups = tail === undefined ? left : [...left, ...middle, ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
