import type { Config } from '../config.ts';

/** The address of a page of the console. Browsers give passkeys to names only, so a loopback address is `localhost`. */
export function consoleUrlOf({ publicUrl, host, port }: Config, path: string): string {
  const isLoopback = ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(host);
  const origin = publicUrl ?? `http://${isLoopback ? 'localhost' : host}:${port}`;
  return `${origin.replace(/\/$/, '')}${path}`;
}
