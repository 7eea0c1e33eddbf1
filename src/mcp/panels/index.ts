/**
 * Panels that clients show beside answers (MCP Apps, SEP-1865, 2026-01-26): static, without data, and without anything
 * from elsewhere. The client's host passes them the answer of the tool; whatever they call passes through that host
 * and through the same confirmation as any call.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from '../../core/operation.ts';
import type { PanelDefinition, ProductDefinition } from '../../core/surfaces.ts';
import { showsPanels } from '../panel-clients.ts';
import { type Exchange, PANEL_TYPE } from '../protocol.ts';
import { maySee, readOperation } from '../visibility.ts';

const FOLDER = join(import.meta.dirname, 'page');
/** A panel asks for nothing: no server, no resource of others, no frame, no device. */
const META = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } } as const;
/** What a script shares with the others stands in files of its own; in the page everything is one script. */
const MODULE_WORDS = /^(?:import .*;\n|export (?=(?:async )?(?:function|const|let|class) ))/gm;

export interface Panels {
  /** The entries of `resources/list`; none for a client that shows no panels. */
  listed(exchange: Exchange): readonly Record<string, unknown>[];
  /** The body of the answer to `resources/read` as JSON; null for every other URI and for who may not run its tools. */
  read(uri: string, exchange: Exchange): string | null;
}

interface Panel {
  readonly definition: PanelDefinition;
  readonly operations: readonly Operation[];
}

/** The panels of a product. Throws at start-up when a panel has no page or belongs to no read operation. */
export function panelsOf({ product, catalogue, panels = [] }: ProductDefinition): Panels {
  const byUri = new Map<string, Panel & { readonly body: string }>();
  for (const definition of panels) {
    const { uri, operations } = definition;
    const [name] = uri.startsWith(`ui://${product}/`) ? uri.split('/').slice(-1) : [];
    if (name === undefined) throw new Error(`${uri} is not a panel of ${product}`);
    byUri.set(uri, {
      definition,
      operations: operations.map((operation) => readOperation(catalogue, operation, uri)),
      body: JSON.stringify({
        contents: [{ uri, mimeType: PANEL_TYPE, text: pageOf(product, name, definition), _meta: META }],
      }),
    });
  }
  const isSeen = ({ caller }: Exchange, { operations }: Panel): boolean =>
    operations.some((operation) => maySee(caller, [operation]));
  return {
    listed(exchange) {
      if (!showsPanels(exchange)) return [];
      return [...byUri.values()].filter((panel) => isSeen(exchange, panel)).map(entryOf);
    },
    read(uri, exchange) {
      const panel = byUri.get(uri);
      return panel !== undefined && isSeen(exchange, panel) ? panel.body : null;
    },
  };
}

function entryOf({ definition: { uri, name, title, description } }: Panel): Record<string, unknown> {
  return { uri, name, title, description, mimeType: PANEL_TYPE, _meta: META };
}

/** One document with everything in it. */
function pageOf(product: string, name: string, { title }: PanelDefinition): string {
  const script = ['bridge.js', 'elements.js', `${product}-${name}.js`].map(source).join('\n');
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${title}</title><style>${source('panel.css')}</style></head>`,
    '<body><main id="view" tabindex="-1"></main>',
    `<script type="module">${script}</script></body></html>`,
  ].join('\n');
}

function source(file: string): string {
  return readFileSync(join(FOLDER, file), 'utf8').replace(MODULE_WORDS, '');
}
