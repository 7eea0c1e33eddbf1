/** From a request to the arguments of its operation. Whether they are right is for the operation to say. */

import { fail, failArgument } from '../core/errors.ts';
import type { QueryForm, QueryParameter, Route } from './routes.ts';

/** What a request says besides who sends it. */
export interface Sent {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The parsed body; undefined when there is none. */
  readonly body: unknown;
  /** The header `Idempotency-Key`. */
  readonly idempotencyKey: string | undefined;
}

/** The arguments as the operation takes them. Fails with `invalid_argument` when one is said twice or differently. */
export function argumentsOf(route: Route, sent: Sent): Record<string, unknown> {
  const given = route.hasBody ? bodyOf(sent) : queryOf(route.query, sent.query);
  for (const name of route.pathParameters) {
    if (Object.hasOwn(given, name)) failArgument(name, 'only in the path');
    given[name] = sent.params[name];
  }
  return route.operation.effect === 'read' ? given : withKey(given, sent.idempotencyKey);
}

function bodyOf({ body, query }: Sent): Record<string, unknown> {
  const [name] = query.keys();
  if (name !== undefined) failArgument(readable(name), 'in the body; this route takes no query');
  if (body === undefined) return {};
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    failArgument('body', 'a JSON object');
  }
  return { ...body };
}

/**
 * The values in their forms. What is not in the one form of its kind (`010`, `1e2`, `True`, `0` for false) and what is
 * repeated without being a list stays as it came, so that the operation refuses it in its own words.
 */
function queryOf(
  parameters: ReadonlyMap<string, QueryParameter>,
  query: URLSearchParams,
): Record<string, unknown> {
  const values = new Map<string, unknown>();
  for (const name of new Set(query.keys())) {
    const texts = query.getAll(name);
    const parameter = parameters.get(name);
    if (parameter === undefined) values.set(name, texts[0]);
    else if (parameter.isList)
      values.set(
        name,
        texts.map((text) => coerced(parameter.form, text)),
      );
    else if (texts.length > 1) failArgument(name, 'given once');
    else values.set(name, coerced(parameter.form, texts[0]!));
  }
  return Object.fromEntries(values);
}

function coerced(form: QueryForm, text: string): unknown {
  switch (form) {
    case 'text':
      return text;
    case 'number': {
      const value = Number(text);
      return Number.isFinite(value) && String(value) === text ? value : text;
    }
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'json':
      return jsonOf(text);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function withKey(given: Record<string, unknown>, key: string | undefined): Record<string, unknown> {
  if (key === undefined) return given;
  const said = given['idempotency_key'];
  if (said !== undefined && said !== key) {
    fail('invalid_argument', {
      path: 'idempotency_key',
      expected: 'what the header Idempotency-Key says, or left out',
    });
  }
  return { ...given, idempotency_key: key };
}

/** A name that a client wrote may be anything; only a plain one is echoed. */
function readable(name: string): string {
  return /^[A-Za-z0-9_]{1,64}$/.test(name) ? name : '(unreadable name)';
}
