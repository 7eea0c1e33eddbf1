/** Cookies. The one that carries a session is bound to this host, out of reach of scripts, sent along from our own pages only. */

import type { IncomingMessage } from 'node:http';

/** Over https the name itself makes browsers refuse one set by another host or without encryption. */
function sessionCookieName(origin: string): string {
  return origin.startsWith('https:') ? '__Host-kobana_session' : 'kobana_session';
}

/** The secret of the session cookie, or null when the request brings none or more than one. */
export function sessionSecretIn(req: IncomingMessage, origin: string): string | null {
  const name = sessionCookieName(origin);
  const found = (req.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return found.length === 1 && /^[\w-]{20,200}$/.test(found[0]!) ? found[0]! : null;
}

/** The header that sets the session cookie; an empty secret takes it away. Lax: links from elsewhere arrive signed in. */
export function sessionCookie(origin: string, secret: string, maxAgeSeconds: number): string {
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${secret === '' ? 0 : maxAgeSeconds}`];
  if (origin.startsWith('https:')) attributes.push('Secure');
  return `${sessionCookieName(origin)}=${secret}; ${attributes.join('; ')}`;
}

/** The value of a cookie that holds nothing secret, decoded; null when there is none. */
export function cookieIn(req: IncomingMessage, name: string): string | null {
  const pairs = (req.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  try {
    return value === undefined ? null : decodeURIComponent(value);
  } catch {
    return null;
  }
}

/** The header that sets such a cookie for the console's pages; an empty value takes it away. */
export function plainCookie(origin: string, name: string, value: string, maxAgeSeconds: number): string {
  const attributes = [
    'Path=/console',
    'HttpOnly',
    'SameSite=Lax',
    `Max-Age=${value === '' ? 0 : maxAgeSeconds}`,
  ];
  if (origin.startsWith('https:')) attributes.push('Secure');
  return `${name}=${encodeURIComponent(value)}; ${attributes.join('; ')}`;
}
