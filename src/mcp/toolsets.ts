/** Which tools belong to which set. The families follow from the scopes; only `everyday` is a reviewed list. */

import { fail } from '../core/errors.ts';
import type { Operation } from '../core/operation.ts';
import type { ProductDefinition } from '../core/surfaces.ts';
import type { ClientView } from './view.ts';

export const ALL = 'all';
export const EVERYDAY = 'everyday';

/** What decides whether a tool is offered; also tools that are no operations have it. */
export type Offer = Pick<Operation, 'name' | 'access' | 'toolset'>;

export interface Toolsets {
  /** Every name a client may ask for. */
  readonly names: readonly string[];
  /** What is listed to a client with this view, in its order, before permissions. */
  listed(view: ClientView): readonly Operation[];
  /** Whether a client with this view may call the tool, permissions aside. */
  isOffered(tool: Offer, view: ClientView): boolean;
  /** Whether the list is the short one: names, descriptions and arguments, without the schemas of answers. */
  isShort(view: ClientView): boolean;
}

/** The sets of a product. Throws at start-up when its everyday list names a tool that does not exist. */
export function toolsetsOf({ catalogue, everyday }: ProductDefinition): Toolsets {
  const { operations, byName } = catalogue;
  const short = (everyday ?? []).map((name) => {
    const operation = byName.get(name);
    if (operation === undefined) throw new Error(`the everyday tools name ${name}, which does not exist`);
    return operation;
  });
  const families = [...new Set(operations.map(({ toolset }) => toolset))].filter((name) => name !== '');
  const isShort = ({ toolsets }: ClientView): boolean =>
    everyday !== undefined && (toolsets === null || (toolsets.length === 1 && toolsets[0] === EVERYDAY));
  const isIn = ({ name, toolset }: Offer, sets: readonly string[]): boolean =>
    toolset === '' ||
    sets.includes(ALL) ||
    sets.includes(toolset) ||
    (sets.includes(EVERYDAY) && (everyday === undefined || everyday.includes(name)));
  const isOffered = (tool: Offer, { toolsets, isReadOnly }: ClientView): boolean =>
    (tool.access === 'read' || !isReadOnly) && (toolsets === null || isIn(tool, toolsets));
  return {
    names: [ALL, EVERYDAY, ...families.sort()],
    listed: (view) => (isShort(view) ? short : operations).filter((operation) => isOffered(operation, view)),
    isOffered,
    isShort,
  };
}

/**
 * Fails with `tool_not_offered`, which says what leaves the tool out: it is neither unknown, nor a matter of what the
 * person may do.
 */
export function requireOffered(tool: Offer, toolsets: Toolsets, view: ClientView): void {
  if (toolsets.isOffered(tool, view)) return;
  const because = tool.access === 'write' && view.isReadOnly ? 'readonly' : 'toolsets';
  fail('tool_not_offered', { tool: tool.name, because, toolset: tool.toolset });
}
