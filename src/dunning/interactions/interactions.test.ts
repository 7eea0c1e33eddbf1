import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCharge, createDebtor } from '../../../test/support/dunning.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

let world: World;
let debtor: string;
let charge: string;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
  debtor = await createDebtor(world, { name: 'Padaria Aurora Ltda' });
  charge = await createCharge(world, { person_id: debtor });
});
afterAll(() => world.close());

const CREATE = 'dunning_interactions_create';
const call = (fields: object = {}) => ({
  person_id: debtor,
  charge_ids: [charge],
  kind: 'call',
  direction: 'outbound',
  outcome: 'reached',
  summary: 'Disse que paga na sexta.',
  ...fields,
});

describe('logging a contact', () => {
  it('keeps what was said, of whom, about which charges, now unless told when', async () => {
    const made = await world.call(CREATE, call());
    expect(made).toMatchObject({
      person_id: debtor,
      person_name: 'Padaria Aurora Ltda',
      charge_ids: [charge],
      outcome: 'reached',
      version: 1,
    });
    expect(Date.parse(made['occurred_at'])).toBe(world.now().getTime());
    expect(await world.call('dunning_interactions_get', { id: made['id'] })).toEqual(made);
  });

  it('sends nothing and moves nothing', async () => {
    const [before] = await world.look('select count(*)::int as messages from dunning_notifications');
    await world.call(CREATE, call({ kind: 'message', outcome: 'promised' }));
    expect(await world.look('select count(*)::int as messages from dunning_notifications')).toEqual([before]);
    const [row] = await world.look('select version from dunning_charges where id = $1', [charge]);
    expect(row).toEqual({ version: 1 });
  });

  it('refuses a moment to come, charges of somebody else, and a debtor of others', async () => {
    const other = await createCharge(world, { person_id: await createDebtor(world) });
    const refused = (fields: object, who?: 'stranger') =>
      expect(world.call(CREATE, call(fields), who)).rejects;
    await refused({ occurred_at: '2026-10-01T12:00:01Z' }).toMatchObject({
      code: 'invalid_argument',
      details: { path: 'occurred_at' },
    });
    await refused({ charge_ids: [charge, other] }).toMatchObject({
      code: 'invalid_argument',
      details: { path: 'charge_ids' },
    });
    await refused({}, 'stranger').toMatchObject({ code: 'not_found' });
  });
});

describe('the list', () => {
  it('is newest first, by debtor, charge, kind and time, and pages', async () => {
    const person = await createDebtor(world);
    const own = await createCharge(world, { person_id: person });
    const times = ['2026-09-01T10:00:00Z', '2026-09-03T10:00:00Z', '2026-09-02T10:00:00Z'];
    for (const occurred_at of times) {
      const charge_ids = occurred_at === times[0] ? [own] : [];
      await world.call(CREATE, call({ person_id: person, charge_ids, occurred_at, kind: 'note' }));
    }
    const list = (args: object) => world.call('dunning_interactions_list', args);
    const shown = async (args: object) =>
      (await list({ person_id: person, ...args }))['items'].map((item: any) => item.occurred_at.slice(0, 10));
    expect(await shown({})).toEqual(['2026-09-03', '2026-09-02', '2026-09-01']);
    expect(await shown({ sort: 'occurred_at' })).toEqual(['2026-09-01', '2026-09-02', '2026-09-03']);
    expect(
      await shown({ occurred_from: '2026-09-02T00:00:00Z', occurred_to: '2026-09-02T23:00:00Z' }),
    ).toEqual(['2026-09-02']);
    expect((await list({ charge_id: own }))['items']).toHaveLength(1);
    expect(await shown({ kind: 'visit' })).toEqual([]);
    const first = await list({ person_id: person, limit: 2 });
    const rest = await list({ person_id: person, limit: 2, cursor: first['next_cursor'] });
    expect([first['items'].length, rest['items'].length, rest['next_cursor']]).toEqual([2, 1, null]);
    expect((await world.call('dunning_interactions_list', {}, 'stranger'))['items']).toEqual([]);
  });
});

describe('correcting and removing', () => {
  it('changes what is said and keeps the rest, also twice', async () => {
    const made = await world.call(CREATE, call());
    const change = { id: made['id'], outcome: 'refused', summary: 'Não vai pagar.' };
    const after = await world.call('dunning_interactions_update', change);
    expect(after).toMatchObject({ outcome: 'refused', summary: 'Não vai pagar.', kind: 'call', version: 2 });
    await world.call('dunning_interactions_update', change);
    await expect(world.call('dunning_interactions_update', change, 'stranger')).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('asks before it removes, and then it is gone', async () => {
    const { id } = await world.call(CREATE, call({ summary: 'Apagar' }));
    const question = await world.ask('dunning_interactions_delete', { id });
    expect(question.message).toContain('"Apagar"');
    expect(await world.call('dunning_interactions_delete', { id })).toEqual({ id, deleted: true });
    await expect(world.call('dunning_interactions_get', { id })).rejects.toMatchObject({ code: 'not_found' });
  });
});
