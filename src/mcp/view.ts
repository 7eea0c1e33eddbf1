/**
 * What one connection sees of a product: the sets of tools it wants, whether it only reads, and the one workspace it
 * works in. A client says so in the address or in headers; the protected resource stays the same (RFC 8707 names it
 * without a query), so a token fits every view of its product.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { type Caller, narrowedTo } from '../core/caller.ts';
import { fail } from '../core/errors.ts';
import { parseId } from '../core/ids.ts';

const TEXT_LENGTH_MAX = 1_000;
/** Of a name the client sent, how much is echoed. */
const PLAIN_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

export interface ClientView {
  /** The sets asked for, each once, in the order of their names; null when none were asked for. */
  readonly toolsets: readonly string[] | null;
  readonly isReadOnly: boolean;
  readonly workspaceId: string | null;
}

/** What a client sees that asks for nothing in particular. */
export const WHOLE_VIEW: ClientView = { toolsets: null, isReadOnly: false, workspaceId: null };

/** The words a view is told in, with the headers that say the same. */
const HEADERS = {
  toolsets: 'kobana-toolsets',
  readonly: 'kobana-readonly',
  workspace: 'kobana-workspace',
} as const;

/** As they go into `Access-Control-Allow-Headers`. */
export const VIEW_HEADERS = 'Kobana-Toolsets, Kobana-Readonly, Kobana-Workspace';

type Word = keyof typeof HEADERS;
const WORDS = Object.keys(HEADERS) as Word[];

/**
 * The view that the query of an address and the headers ask for. Fails with `client_view_refused { name, expected }`
 * for a parameter or value that does not exist, one that is given twice, and a header that contradicts the address.
 */
export function viewOfRequest(
  url: string,
  headers: IncomingHttpHeaders,
  toolsetNames: readonly string[],
): ClientView {
  const start = url.indexOf('?');
  const hasHeader = WORDS.some((word) => headers[HEADERS[word]] !== undefined);
  if (start === -1 && !hasHeader) return WHOLE_VIEW;
  const inAddress = start === -1 ? WHOLE_VIEW : readView(new URLSearchParams(url.slice(start)), toolsetNames);
  if (!hasHeader) return inAddress;
  const given = WORDS.flatMap((word): [string, string][] => {
    const value = headers[HEADERS[word]];
    return value === undefined ? [] : [[word, String(value).trim()]];
  });
  return bothOf(inAddress, readView(given, toolsetNames));
}

/** The view that these parameters ask for. Fails as `viewOfRequest` does. */
export function readView(
  parameters: Iterable<readonly [string, string]>,
  toolsetNames: readonly string[],
): ClientView {
  const given = new Map<Word, string>();
  for (const [name, value] of parameters) {
    const word = WORDS.find((known) => known === name);
    if (word === undefined)
      return refuse(PLAIN_NAME.test(name) ? name : '(unreadable name)', `one of: ${WORDS.join(', ')}`);
    if (given.has(word)) return refuse(word, 'one value, given once');
    given.set(word, value);
  }
  return {
    toolsets: readToolsets(given.get('toolsets'), toolsetNames),
    isReadOnly: readFlag(given.get('readonly')),
    workspaceId: readWorkspace(given.get('workspace')),
  };
}

/** Equal for views that list the same tools to the same caller. */
export function viewKeyOf({ toolsets, isReadOnly }: ClientView): string {
  return `${toolsets === null ? '' : toolsets.join(',')}:${isReadOnly ? 'r' : ''}`;
}

/** The caller within the view. A workspace that is not reached is refused like one that does not exist. */
export function callerWithin(caller: Caller, { workspaceId }: ClientView): Caller {
  return workspaceId === null ? caller : (narrowedTo(caller, workspaceId) ?? refuseWorkspace());
}

function refuseWorkspace(): never {
  return refuse('workspace', 'the id of a workspace that this connection reaches');
}

function readToolsets(value: string | undefined, names: readonly string[]): readonly string[] | null {
  if (value === undefined) return null;
  const asked = value.length > TEXT_LENGTH_MAX ? [''] : value.split(',').map((name) => name.trim());
  if (asked.some((name) => !names.includes(name))) {
    return refuse('toolsets', `names separated by commas, out of: ${names.join(', ')}`);
  }
  return [...new Set(asked)].sort();
}

function readFlag(value: string | undefined): boolean {
  if (value === undefined) return false;
  if (value !== '1' && value !== 'true') return refuse('readonly', '1 or true, or nothing at all');
  return true;
}

function readWorkspace(value: string | undefined): string | null {
  return value === undefined ? null : (parseId(value) ?? refuseWorkspace());
}

/** What both say, where one of them says nothing what the other says. */
function bothOf(inAddress: ClientView, inHeaders: ClientView): ClientView {
  const sets = [inAddress.toolsets, inHeaders.toolsets];
  const contradicts =
    (sets[0] !== null && sets[1] !== null && sets[0]!.join(',') !== sets[1]!.join(',') && 'toolsets') ||
    (inAddress.workspaceId !== null &&
      inHeaders.workspaceId !== null &&
      inAddress.workspaceId !== inHeaders.workspaceId &&
      'workspace');
  if (contradicts) return refuse(contradicts, 'the same in the address and in the header, or in one of them');
  return {
    toolsets: inAddress.toolsets ?? inHeaders.toolsets,
    isReadOnly: inAddress.isReadOnly || inHeaders.isReadOnly,
    workspaceId: inAddress.workspaceId ?? inHeaders.workspaceId,
  };
}

function refuse(name: string, expected: string): never {
  return fail('client_view_refused', { name, expected });
}
