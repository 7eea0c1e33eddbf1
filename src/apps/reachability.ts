import { isIP } from 'node:net';
import { UsageError } from './usage.ts';

/** Whether only this machine reaches the address. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '::1' ||
    (isIP(name) === 4 && name.startsWith('127.'))
  );
}

/** Refuses an address of clients over which tokens would travel in the clear (PROTOCOL AU-20). */
export function requireSafeUrl(publicUrl: string): void {
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === 'https:' || isLoopback(hostname)) return;
  throw new UsageError(
    'PUBLIC_URL must start with https://, because tokens and passwords travel to it; http:// is for this machine only',
  );
}

/**
 * Refuses to listen where other machines reach it, unless it is told the address that clients use instead. The process
 * speaks plain HTTP: TLS ends at the proxy before it (PROTOCOL AU-20).
 */
export function requireSafeHost(host: string, publicUrl: string | undefined): void {
  if (isLoopback(host) || publicUrl !== undefined) return;
  throw new UsageError(
    `HOST ${host} is reached by other machines, and this process speaks plain HTTP: put a proxy with TLS before it and set PUBLIC_URL to its https:// address, or listen on 127.0.0.1`,
  );
}
