/** The words of records are kept by the database itself, and a search finds what has all of its words. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBill, createCompany, createSupplier } from '../../test/support/records.ts';
import { openWorld, type World } from '../../test/support/world.ts';
import type { Db } from '../core/ports.ts';
import { isFound, planSearch, searchedWords } from './search.ts';
import { sql } from './sql.ts';

let world: World;
let company_id: string;
let person_id: string;

beforeAll(async () => {
  world = await openWorld();
  company_id = await createCompany(world);
  person_id = await createSupplier(world);
});
afterAll(() => world.close());

const inWorkspace = <T>(workspaceId: string, work: (db: Db) => Promise<T>) =>
  world.runtime.database.read({ organizationId: world.organizationId, workspaceId }, work);
const plan = (query: string, workspaceId = world.workspaceId) =>
  inWorkspace(workspaceId, (db) => planSearch(db, workspaceId, 'p', query));
const found = (query: string, workspaceId = world.workspaceId) =>
  inWorkspace(workspaceId, async (db) => {
    const search = await planSearch(db, workspaceId, 'p', query);
    const rows = await db.rows<{ id: string }>(sql`
      select id from payables
       where workspace_id = ${workspaceId} and ${isFound(workspaceId, search, 'id', 'search_text')}`);
    return rows.map(({ id }) => id);
  });
const wordsOf = async (id: string) =>
  (
    await world.look<{ word: string }>('select word from search_words where record_id = $1 order by word', [
      id,
    ])
  ).map(({ word }) => word);

it('keeps the words of a record through creation, change and deletion', async () => {
  const bill = await createBill(world, {
    company_id,
    person_id,
    description: 'Manutenção do elevador, nº 3',
    document_number: 'NF-1234/A',
  });
  expect(await wordsOf(bill['id'])).toEqual(['1234', '3', 'a', 'do', 'elevador', 'manutencao', 'n', 'nf']);
  await world.call('finance_payables_update', { id: bill['id'], description: 'Elevador novo' });
  expect(await wordsOf(bill['id'])).toEqual(['1234', 'a', 'elevador', 'nf', 'novo']);
  await world.call('finance_payables_delete', { id: bill['id'] });
  expect(await wordsOf(bill['id'])).toEqual([]);
});

it('finds by the beginnings of words, without case and accents, in this workspace only', async () => {
  const bill = await createBill(world, { company_id, person_id, description: 'Zeladoria Ágil' });
  for (const query of ['zelad', 'ZELADORIA', 'ágil zela', 'zeladoria agi']) {
    expect(await found(query), query).toEqual([bill['id']]);
  }
  expect(await found('eladoria')).toEqual([]);
  expect(await found('zelad', world.otherWorkspaceId)).toEqual([]);
});

it('goes by the rarest word, and by none where all are common', async () => {
  await world.look(
    `insert into search_words select $1, 'p', 'comum', gen_random_uuid() from generate_series(1, 20001)`,
    [world.workspaceId],
  );
  expect((await plan('comum')).rarest).toBeNull();
  expect((await plan('comum zelad')).rarest).toBe('zelad');
  expect(await found('comum zelad')).toEqual([]);
});

describe('the words of a query', () => {
  it('are split at everything that is no letter or digit', () => {
    expect(searchedWords('NF-1234/A, "Água"')).toEqual(['nf', '1234', 'a', 'agua']);
  });

  it.each(['', ' ', 'x', '%', '__'])('refuses %j', (query) => {
    expect(() => searchedWords(query)).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        details: expect.objectContaining({ path: 'search' }),
      }),
    );
  });
});

it('counts every record that was there before the words were kept', async () => {
  const [{ missing } = { missing: -1 }] = await world.look<{ missing: number }>(
    `select count(*)::int as missing from payables p
      where not exists (select 1 from search_words w where w.workspace_id = p.workspace_id and w.record_id = p.id)`,
  );
  expect(missing).toBe(0);
});
