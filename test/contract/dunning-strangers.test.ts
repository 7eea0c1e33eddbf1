/** What a person of another organization gets for the ids of records that are not theirs: nothing, in the same words. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AppError } from '../../src/core/errors.ts';
import { newId } from '../../src/core/ids.ts';
import type { Operation } from '../../src/core/operation.ts';
import { dunning } from '../../src/dunning/index.ts';
import { openWorld, type World } from '../support/world.ts';
import { calls, otherCalls } from './dunning-calls.ts';
import { createDunningRecords, type DunningRecords } from './dunning-product.ts';

let world: World;
let home: DunningRecords;
let abroad: DunningRecords;
let before: string;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
  home = await createDunningRecords(world, 'owner', world.organizationId);
  const { organization } = await world.caller('stranger');
  abroad = await createDunningRecords(world, 'stranger', organization.id);
  before = await everythingAtHome();
});
afterAll(() => world.close());

/** Each id in the arguments alone, with what stands around it. */
function* idsIn(
  value: any,
  path: readonly (string | number)[] = [],
): Generator<readonly (string | number)[]> {
  if (typeof value === 'string' && /^[0-9a-f]{8}-/.test(value)) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) yield* idsIn(inner, [...path, key]);
}

function withId(args: object, [key, ...rest]: readonly (string | number)[], id: string): any {
  const copy: any = Array.isArray(args) ? [...args] : { ...args };
  copy[key!] = rest.length === 0 ? id : withId(copy[key!], rest, id);
  return copy;
}

const valueAt = (args: any, path: readonly (string | number)[]) => path.reduce((at, key) => at[key], args);

/** All that a person can see of a call: what it answers, what it asks, what it refuses. */
async function seen(name: string, args: object, id: string): Promise<string> {
  const shown = (what: object) => JSON.stringify(what).replaceAll(id, 'ID');
  try {
    const outcome = await world.send(name, args, {}, 'stranger');
    if (outcome.kind === 'done') return shown(outcome.output);
    const { message, state } = outcome.question;
    return shown({ message, output: await world.confirm(name, args, state, 'stranger') });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return shown({ code: error.code, message: error.message, details: error.details ?? null });
  }
}

async function everythingAtHome(): Promise<string> {
  const tables = await world.look<{ name: string }>(
    `select table_name as name from information_schema.columns
      where table_name like 'dunning_%' and column_name = 'organization_id' order by 1`,
  );
  const rows: object[] = [];
  for (const { name } of tables) {
    rows.push(
      await world.look(
        `select md5(string_agg(t::text, '' order by t::text)) from ${name} t where organization_id = $1`,
        [world.organizationId],
      ),
    );
  }
  return JSON.stringify(rows);
}

const operations = [...dunning.catalogue.byName.values()];

const takesIds = (operation: Operation): boolean =>
  /"(?:id|ids|[a-z]+_ids?)":/.test(
    JSON.stringify(
      z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' }).properties ?? {},
    ).replace(/"(?:external_id|end_to_end_id|idempotency_key)":/g, ''),
  );

/** Not there, none of them, or none that fits the record it was named with. */
const nothing =
  /"not_found"|"items":\[\]|"rules":\[\]|"requested":0|"contact_missing"|charges of this debtor|every step of one day/;

describe('SE-19: ids of another organization', () => {
  it('are tried with every tool that takes one', () => {
    const expected = operations.filter(takesIds).map(({ name }) => name.replace('dunning_', ''));
    expect(Object.keys(calls).sort()).toEqual(expected.sort());
  });

  it.each([...Object.entries(calls), ...otherCalls])('%s', async (tool, argumentsOf) => {
    const name = `dunning_${tool}`;
    const own = argumentsOf(abroad);
    const foreign = argumentsOf(home);
    for (const path of idsIn(own)) {
      const stolen = valueAt(foreign, path);
      const missing = newId();
      const answer = await seen(name, withId(own, path, stolen), stolen);
      expect(answer, path.join('.')).toBe(await seen(name, withId(own, path, missing), missing));
      expect(answer, path.join('.')).toMatch(nothing);
    }
  });

  it('change nothing there', async () => {
    expect(await everythingAtHome()).toBe(before);
  });
});
