/** Where the token may go, and what may be one. */

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** True for scheme and host alone: https, or http on this machine. */
export function isSafeAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, pathname, search, hash } = new URL(text);
  if (username !== '' || password !== '' || pathname !== '/' || search !== '' || hash !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
}

/** True for visible ASCII, which is all that a header can carry. */
export function isTokenText(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
