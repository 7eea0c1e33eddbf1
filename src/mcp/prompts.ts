/** `prompts/list` and `prompts/get`. */

import type { Caller } from '../core/caller.ts';
import { civilDateAt } from '../core/dates.ts';
import type { Operation } from '../core/operation.ts';
import type { PromptArgument, PromptDefinition, PromptPlace } from '../core/surfaces.ts';
import { completeResult } from './eras.ts';
import type { HandlerParts, MethodParts } from './handlers.ts';
import { type Exchange, invalidParams, isObject, own, type Params } from './protocol.ts';
import { maySee, readOperation } from './visibility.ts';

const PLAIN_NAME = /^[A-Za-z0-9_]{1,64}$/;

interface Entry {
  readonly prompt: PromptDefinition;
  readonly operations: readonly Operation[];
  readonly json: string;
}

/** The prompt methods of a product. */
export function promptMethods(parts: HandlerParts): MethodParts {
  const { catalogue, prompts } = parts.definition;
  const entries = new Map<string, Entry>(
    prompts.map((prompt) => [
      prompt.name,
      {
        prompt,
        operations: prompt.operations.map((name) => readOperation(catalogue, name, prompt.name)),
        json: JSON.stringify(entryOf(prompt)),
      },
    ]),
  );
  return {
    lists: {
      'prompts/list': ({ caller }) => {
        const visible = [...entries.values()].filter(({ operations }) => maySee(caller, operations));
        return `{"prompts":[${visible.map(({ json }) => json).join(',')}]}`;
      },
    },
    handlers: { 'prompts/get': (params, exchange) => getPrompt(parts, entries, params, exchange) },
  };
}

/** Where and when the caller reads: dates in a prompt are those of the default workspace (PROTOCOL C-45). */
export function placeOf(caller: Caller, now: Date): PromptPlace {
  const workspace =
    caller.defaultWorkspaceId === null ? undefined : caller.workspaces.get(caller.defaultWorkspaceId);
  const timeZone = workspace?.timeZone ?? caller.organization.timeZone;
  return { today: civilDateAt(now, timeZone), timeZone, locale: caller.user.locale };
}

function entryOf(prompt: PromptDefinition): Params {
  const { name, title, description } = prompt;
  const args = prompt.arguments.map((argument) => ({
    name: argument.name,
    title: argument.title,
    description: argument.description,
    required: argument.required,
  }));
  return { name, title, description, arguments: args };
}

function getPrompt(
  parts: HandlerParts,
  entries: ReadonlyMap<string, Entry>,
  params: Params,
  { era, caller, now }: Exchange,
): string {
  const name = own(params, 'name');
  if (typeof name !== 'string') throw invalidParams('name must be a string');
  const entry = entries.get(name);
  if (entry === undefined || !maySee(caller, entry.operations)) throw invalidParams('Unknown prompt');
  const { prompt } = entry;
  const place = placeOf(caller, now);
  const args = readArguments(prompt.arguments, own(params, 'arguments'), place.today);
  const text = prompt.render(args, place);
  const body = {
    description: prompt.description,
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
  return completeResult(era, parts.identity, JSON.stringify(body));
}

/** The arguments in canonical form. Only values that pass their grammar get into a prompt (PROTOCOL PR-10). */
function readArguments(
  definitions: readonly PromptArgument[],
  given: unknown,
  today: string,
): Readonly<Record<string, string>> {
  if (given !== undefined && !isObject(given)) throw invalidParams('arguments must be an object');
  const values = given ?? {};
  for (const name of Object.keys(values)) {
    if (definitions.some((definition) => definition.name === name)) continue;
    throw invalidParams('There is no such argument', {
      argument: PLAIN_NAME.test(name) ? name : '(unreadable name)',
    });
  }
  const args: Record<string, string> = {};
  for (const definition of definitions) {
    const value = readArgument(definition, own(values, definition.name), today);
    if (value !== null) args[definition.name] = value;
  }
  return args;
}

/** The parsed value, or null when an optional one is absent; clients send `""` for unfilled fields (PROTOCOL C-40). */
function readArgument(
  { name, required, parse, form }: PromptArgument,
  value: unknown,
  today: string,
): string | null {
  const data = { argument: name, expected: form };
  if (value !== undefined && typeof value !== 'string') throw invalidParams(`${name} must be a string`, data);
  if (value === undefined || value === '') {
    if (required) throw invalidParams(`${name} is required`, data);
    return null;
  }
  const parsed = parse(value, today);
  if (parsed === null) throw invalidParams(`${name} has the wrong form`, data);
  return parsed;
}
