/** What a client has to say to be sent pages. Only 2026 says it with every request, so 2025 never gets one. */

import { type Exchange, isObject, own, PANEL_TYPE, UI_EXTENSION } from './protocol.ts';

/** Whether the client of this request shows pages of our kind. What is malformed counts as nothing (PROTOCOL VE-06). */
export function showsPanels({ capabilities }: Pick<Exchange, 'capabilities'>): boolean {
  const extensions = isObject(capabilities) ? own(capabilities, 'extensions') : undefined;
  const declared = isObject(extensions) ? own(extensions, UI_EXTENSION) : undefined;
  const types = isObject(declared) ? own(declared, 'mimeTypes') : undefined;
  return Array.isArray(types) && types.includes(PANEL_TYPE);
}
