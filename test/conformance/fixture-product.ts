/**
 * The fixtures of the conformance suite that our own operations, resources and prompts can carry. They are served
 * by the product's code from the first header to the last byte; `fixture-layer.ts` holds the rest.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { fail } from '../../src/core/errors.ts';
import { catalogueOf, type Operation, operation } from '../../src/core/operation.ts';
import type { ProductDefinition, PromptArgument, ResourceDefinition } from '../../src/core/surfaces.ts';

/** A red pixel. */
export const PNG_BASE64 =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

/** Tools that are one of our confirmed actions; the suite answers their question with `ok`, we ask for `confirm`. */
export const CONFIRMED_TOOLS: ReadonlySet<string> = new Set([
  'test_elicitation',
  'test_missing_capability',
  'test_streaming_elicitation',
  'test_input_required_result_request_state',
  'test_input_required_result_tampered_state',
]);

/** Longer than the least time between two reports. */
const PROGRESS_WAIT_MS = 120;

const textOutput = z.object({ text: z.string() });

const failing = named('test_error_handling', {
  ...definitionOf('test_error_handling', 'read'),
  input: {},
  run: async () => fail('not_found', { kind: 'test' }),
});

const reporting = named('test_tool_with_progress', {
  ...definitionOf('test_tool_with_progress', 'read'),
  input: {},
  run: async (_input, { progress }) => {
    for (const done of [0, 50, 100]) {
      progress({ done, total: 100 });
      await wait(PROGRESS_WAIT_MS);
    }
    return { text: 'Done.' };
  },
});

const template = named('test_template_data', {
  ...definitionOf('test_template_data', 'read'),
  output: z.object({ id: z.string(), templateTest: z.boolean(), data: z.string() }),
  input: { id: z.string().describe('Any name.') },
  run: async ({ id }) => ({ id, templateTest: true, data: `Data for ID: ${id}` }),
});

const resources: readonly ResourceDefinition[] = [
  resource('static-text', {
    mimeType: 'text/plain',
    file: async () => ({ bytes: Buffer.from('This is a static text.'), contentType: 'text/plain' }),
  }),
  resource('static-binary', {
    mimeType: 'image/png',
    file: async () => ({ bytes: Buffer.from(PNG_BASE64, 'base64'), contentType: 'image/png' }),
  }),
  resource('template/{id}/data', { operation: 'test_template_data', variable: 'name' }),
];

/** A product like the real ones, with the names the suite asks for. */
export const fixtureProduct: ProductDefinition = {
  product: 'finance',
  serverName: 'kobana-conformance',
  title: 'Conformance fixtures',
  instructions: 'Fixtures of the conformance suite.',
  catalogue: catalogueOf([
    // The first tool of the list is called by the header checks, so it has to be a harmless read.
    reading('test_simple_text'),
    reading('test_logging_tool'),
    reporting,
    failing,
    template,
    ...[...CONFIRMED_TOOLS].map(confirmed),
  ]),
  resources,
  prompts: [
    prompt('test_simple_prompt', [], () => 'This is a simple prompt.'),
    prompt(
      'test_prompt_with_arguments',
      [argument('arg1'), argument('arg2')],
      ({ arg1, arg2 }) => `Prompt with arguments: ${arg1}, ${arg2}`,
    ),
  ],
};

function reading(name: string): Operation {
  return named(name, {
    ...definitionOf(name, 'read'),
    input: {},
    run: async () => ({ text: `${name} ran` }),
  });
}

function confirmed(name: string): Operation {
  return named(name, {
    ...definitionOf(name, 'destructive'),
    input: { message: z.string().optional().describe('Sent by the suite, not used.') },
    question: async () => [],
    run: async () => ({ text: 'state-ok' }),
  });
}

/** Our rule that names start with the product stays on; only the finished operation takes the name of the suite. */
function named(name: string, definition: Parameters<typeof operation>[0]): Operation {
  return { ...operation(definition), name };
}

function definitionOf<const E extends 'read' | 'destructive'>(name: string, effect: E) {
  return {
    name: `finance_${name}`,
    title: name,
    summary: `Fixture of the conformance suite: ${name}.`,
    effect,
    scope: null,
    tenant: 'workspace',
    output: textOutput,
  } as const;
}

function resource(path: string, changes: Partial<ResourceDefinition>): ResourceDefinition {
  return {
    uri: `kobana://finance/${path}`,
    name: path.split('/')[0]!,
    title: path,
    description: `Fixture of the conformance suite: ${path}.`,
    mimeType: 'application/json',
    operation: 'test_simple_text',
    ttlMs: 0,
    ...changes,
  };
}

function prompt(
  name: string,
  promptArguments: readonly PromptArgument[],
  render: ProductDefinition['prompts'][number]['render'],
): ProductDefinition['prompts'][number] {
  return {
    name,
    title: name,
    description: `Fixture of the conformance suite: ${name}.`,
    arguments: promptArguments,
    operations: ['test_simple_text'],
    render,
  };
}

function argument(name: string): PromptArgument {
  return {
    name,
    title: name,
    description: 'Any text.',
    required: true,
    parse: (value) => value,
    form: 'any text',
    completion: { kind: 'values', values: () => ['test-one', 'test-two', 'other'] },
  };
}
