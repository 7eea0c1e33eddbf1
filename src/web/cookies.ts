/** The cookie that carries a session: bound to this host, out of reach of scripts, sent along from our own pages only. */

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
