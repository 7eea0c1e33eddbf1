/** A client that shows panels: gives a panel in a sandboxed frame what the protocol of MCP Apps says, and records what it asks. */

import type { Page } from 'playwright-core';

/** As a host that follows the specification would set it for a page that names no place: nothing from elsewhere. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; frame-src 'none'; base-uri 'none'";

export interface HostOptions {
  readonly html: string;
  readonly answer: unknown;
  readonly locale?: string;
  readonly theme?: 'light' | 'dark';
  readonly args?: object;
  /** What the host answers to a call of a tool from the page; absent: it lets pages call nothing. */
  readonly onCall?: (name: string, args: object) => Promise<object> | object;
}

export interface Asked {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

/** Shows the page in a frame of this page and gives what it asked of the host, in order. */
export async function hostPanel(page: Page, options: HostOptions): Promise<Asked[]> {
  const { html, answer, locale = 'pt-BR', theme = 'light', args = {}, onCall } = options;
  const asked: Asked[] = [];
  const policed = html.replace(
    '<head>',
    `<head><meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
  );
  await page.exposeFunction('hostAsked', async (method: string, params: Record<string, unknown>) => {
    asked.push({ method, params });
    if (method === 'tools/call') return onCall!(String(params['name']), params['arguments'] as object);
    return {};
  });
  await page.setContent(
    '<!doctype html><html lang="en"><title>host</title><body style="margin:0">' +
      '<iframe title="view" sandbox="allow-scripts" style="border:0;width:100%;height:600px"></iframe></body></html>',
  );
  await page.evaluate(
    ({ policed, answer, locale, theme, args, canCall }) => {
      const { document, window } = globalThis as any;
      const frame = document.querySelector('iframe');
      const send = (message: object) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
      window.addEventListener('message', async ({ source, data }: any) => {
        if (source !== frame.contentWindow || data?.jsonrpc !== '2.0') return;
        const { id, method, params } = data;
        if (method === undefined) return;
        const result = await window.hostAsked(method, params);
        if (method === 'ui/notifications/size-changed') frame.style.height = `${params.height}px`;
        if (method === 'ui/initialize') {
          const hostCapabilities = { openLinks: {}, ...(canCall && { serverTools: {} }) };
          const hostContext = { theme, locale, displayMode: 'inline' };
          const hostInfo = { name: 'test host', version: '1' };
          send({ id, result: { protocolVersion: '2026-01-26', hostInfo, hostCapabilities, hostContext } });
        } else if (method === 'ui/notifications/initialized') {
          send({ method: 'ui/notifications/tool-input', params: { arguments: args } });
          send({ method: 'ui/notifications/tool-result', params: answer });
        } else if (id !== undefined) {
          send({ id, result });
        }
      });
      frame.srcdoc = policed;
    },
    { policed, answer, locale, theme, args, canCall: onCall !== undefined } as any,
  );
  return asked;
}
