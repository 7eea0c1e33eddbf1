import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCharge, createDebtor } from '../../../test/support/dunning.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';

let world: World;
let person: string;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
  person = await createDebtor(world, { name: 'Cerâmica Ipê Ltda' });
});
afterAll(() => world.close());

const charge = (fields: object = {}) => createCharge(world, { person_id: person, ...fields });
const list = (args: object = {}, who?: 'stranger') => world.call('dunning_charges_list', args, who);
const idsOf = async (args: object) => (await list({ limit: 100, ...args })).items.map((item: any) => item.id);
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('was not refused'),
    (error) => ({ code: error.code, ...error.details }),
  );

describe('dunning_charges_list', () => {
  it('pages through every order without losing or repeating one', async () => {
    const debtor = await createDebtor(world);
    for (let index = 0; index < 7; index += 1) {
      await createCharge(world, {
        person_id: debtor,
        amount_cents: 1_000 * (1 + (index % 3)),
        due_date: `2026-09-0${1 + (index % 2)}`,
      });
    }
    for (const sort of ['due_date', '-due_date', 'amount', '-amount', 'created_at', '-created_at']) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: any = await list({ person_id: debtor, sort, limit: 2, ...(cursor && { cursor }) });
        expect(page.total_open).toEqual({ amount: '130.00', count: 7 });
        seen.push(...page.items.map((item: any) => item.id));
        cursor = page.next_cursor;
      } while (cursor !== null);
      expect(new Set(seen).size).toBe(7);
      expect(seen).toHaveLength(7);
    }
  });

  it('narrows by state, days, tag, rule, dispute and legal action', async () => {
    const debtor = await createDebtor(world);
    const rule = newId();
    await world.look(
      `insert into dunning_collection_rules (organization_id, id, name, created_by) values ($1, $2, 'R', $1)`,
      [world.organizationId, rule],
    );
    const ofDebtor = (fields: object) => createCharge(world, { person_id: debtor, ...fields });
    const late = await ofDebtor({ due_date: '2026-08-01', tags: ['vip'] });
    const pastDue = await ofDebtor({ due_date: '2026-09-30', status: 'pending' });
    const coming = await ofDebtor({ due_date: '2026-10-30', status: 'pending', collection_rule_id: rule });
    await world.look("update dunning_charges set is_disputed = true, legal_kind = 'protest' where id = $1", [
      late,
    ]);
    const filtered = (args: object) => idsOf({ person_id: debtor, ...args });
    expect(await filtered({ status: ['overdue', 'pending'], due_to: '2026-09-30' })).toEqual([late, pastDue]);
    expect(await filtered({ status: ['pending'] })).toEqual([pastDue, coming]);
    expect(await filtered({ days_overdue_from: 1 })).toEqual([late, pastDue]);
    expect(await filtered({ days_overdue_from: 31, days_overdue_to: 90 })).toEqual([late]);
    expect(await filtered({ tag: 'vip' })).toEqual([late]);
    expect(await filtered({ rule_id: rule })).toEqual([coming]);
    expect(await filtered({ dunning_state: 'active' })).toEqual([coming]);
    expect(await filtered({ disputed: true })).toEqual([late]);
    expect(await filtered({ disputed: false })).toEqual([pastDue, coming]);
    expect(await filtered({ has_legal_action: true })).toEqual([late]);
    expect(await filtered({ has_legal_action: false })).toEqual([pastDue, coming]);
  });

  it('finds charges by their words and by the name of their debtor', async () => {
    const debtor = await createDebtor(world, { name: 'Zimbro Transportes' });
    const theirs = await createCharge(world, { person_id: debtor });
    const { id: own } = await world.call('dunning_charges_create', {
      person_id: person,
      amount: '10.00',
      due_date: '2026-10-30',
      description: 'Frete para Zimbro',
      external_id: 'ERP-ABC-99',
    });
    expect(await idsOf({ search: 'zimb' })).toEqual([theirs, own]);
    expect(await idsOf({ search: 'abc 99' })).toEqual([own]);
    expect(await idsOf({ search: 'zimbro', status: ['overdue'] })).toEqual([theirs]);
    expect((await list({ search: 'frete zimbro' })).total_open).toEqual({ amount: '10.00', count: 1 });
    expect(await refusal(list({ search: 'z' }))).toMatchObject({ code: 'invalid_argument', path: 'search' });
  });

  it('shows what is due today on each, payments and terms in it', async () => {
    const debtor = await createDebtor(world);
    const terms = {
      discounts: [],
      fine: { kind: 'percent', percent: 20_000 },
      interest: { kind: 'percent_per_month', percent: 10_000, days: 'calendar' },
      graceDays: 0,
    };
    const id = await createCharge(world, { person_id: debtor, terms });
    await createCharge(world, { person_id: debtor, amount_cents: 5_000 });
    const args = { charge_id: id, amount: '53.00', paid_at: '2026-10-01', method: 'pix' };
    await world.call('dunning_payments_create', args);
    const page = await list({ person_id: debtor, sort: 'amount' });
    expect(page.items.map((item: any) => item.amount_due)).toEqual(['50.00', '50.00']);
    expect(page.total_open).toEqual({ amount: '100.00', count: 2 });
  });

  it('has a fresh total after every write', async () => {
    const debtor = await createDebtor(world);
    const total = async () => (await list({ person_id: debtor })).total_open.count;
    expect(await total()).toBe(0);
    const { id } = await world.call('dunning_charges_create', {
      person_id: debtor,
      amount: '1.00',
      due_date: '2026-10-30',
      description: 'x',
    });
    expect(await total()).toBe(1);
    await world.call('dunning_charges_cancel', { id, reason: 'x' });
    expect(await total()).toBe(0);
  });

  it('shows another organization nothing', async () => {
    expect((await list({}, 'stranger')).items).toEqual([]);
    expect((await list({ person_id: person }, 'stranger')).total_open).toEqual({ amount: '0.00', count: 0 });
  });
});

describe('many at once', () => {
  it('registers each that can be, and names the others', async () => {
    const base = { person_id: person, amount: '10.00', due_date: '2026-10-30', description: 'Lote' };
    const result = await world.call('dunning_charges_bulk_create', {
      charges: [
        { ...base, external_id: 'lote-1' },
        { ...base, external_id: 'lote-1' },
        { ...base, person_id: newId() },
        { ...base, amount: undefined },
        { ...base, external_id: 'lote-2' },
      ],
    });
    expect(result['requested']).toBe(5);
    expect(result['succeeded'].map(({ index }: any) => index)).toEqual([0, 4]);
    expect(result['failed'].map(({ index, code }: any) => [index, code])).toEqual([
      [1, 'duplicate'],
      [2, 'not_found'],
      [3, 'invalid_argument'],
    ]);
    expect(result['failed'][0].of).toBe(result['succeeded'][0].id);
    const again = await world.call('dunning_charges_bulk_create', {
      charges: [{ ...base, external_id: 'lote-2' }],
    });
    expect(again).toMatchObject({ succeeded: [], failed: [{ index: 0, code: 'duplicate' }] });
  });

  it('changes tags, terms and payment options of those still collected', async () => {
    const [open, closed] = [await charge(), await charge()];
    await world.call('dunning_charges_cancel', { id: closed, reason: 'x' });
    const set = { tags: ['mutirao'], terms: { fine: { kind: 'percent', value: '2' } } };
    const args = { ids: [open, closed, open, newId()], set };
    expect(await world.call('dunning_charges_bulk_update', { ...args, dry_run: true })).toMatchObject({
      requested: 3,
      succeeded: [open],
    });
    expect(await idsOf({ tag: 'mutirao' })).toEqual([]);
    const result = await world.call('dunning_charges_bulk_update', args);
    expect(result['succeeded']).toEqual([open]);
    expect(result['failed'].map(({ code }: any) => code).sort()).toEqual(['invalid_state', 'not_found']);
    expect(await idsOf({ tag: 'mutirao' })).toEqual([open]);
  });

  it('cancels what a filter found when the question was asked, and nothing else', async () => {
    const debtor = await createDebtor(world, { name: 'Lote Final' });
    const create = () => createCharge(world, { person_id: debtor, amount_cents: 2_500 });
    const first = await create();
    const args = { filter: { person_id: debtor }, reason: 'encerramento' };
    const question = await world.ask('dunning_charges_bulk_cancel', args);
    expect(question.message).toContain('R$ 25,00');
    expect(question.message).toContain(first);
    const second = await create();
    const responses = { confirm: { action: 'accept', content: { confirm: true } } };
    const answer = await world.send('dunning_charges_bulk_cancel', args, {
      state: question.state,
      responses,
    });
    // The filter finds another one by now: the person is asked anew, and nothing has happened.
    expect(answer.kind).toBe('ask');
    expect(await idsOf({ person_id: debtor, status: ['overdue'] })).toEqual([first, second]);
    const state = answer.kind === 'ask' ? answer.question.state : '';
    const result = await world.confirm('dunning_charges_bulk_cancel', args, state);
    expect(result).toMatchObject({ requested: 2, succeeded: [first, second], failed: [] });
  });

  it('says in the question which ones stay as they are, and asks nothing when none would change', async () => {
    const [open, paid] = [await charge(), await charge()];
    await world.call('dunning_payments_create', {
      charge_id: paid,
      amount: '100.00',
      paid_at: '2026-10-01',
      method: 'pix',
    });
    const ids = [open, paid];
    const { message } = await world.ask('dunning_charges_bulk_cancel', { ids, reason: 'x' });
    expect(message).toContain(`${paid}: fica como está: invalid_state`);
    expect(
      await refusal(world.ask('dunning_charges_bulk_cancel', { ids: [paid], reason: 'x' })),
    ).toMatchObject({
      code: 'invalid_state',
    });
    expect(await world.call('dunning_charges_bulk_archive', { ids })).toMatchObject({
      succeeded: [paid],
      failed: [{ id: open, code: 'invalid_state' }],
    });
  });

  it('wants ids or a filter, and a filter of few enough', async () => {
    const tool = 'dunning_charges_bulk_update';
    const set = { tags: [] };
    const both = { ids: [newId()], filter: { tag: 'x' }, set };
    for (const args of [{ set }, both, { filter: {}, set }, { ids: [], set }]) {
      expect(await refusal(world.call(tool, args))).toMatchObject({ code: 'invalid_argument' });
    }
    const debtor = await createDebtor(world);
    await world.look(
      `insert into dunning_charges (organization_id, id, person_id, amount_cents, open_cents, due_date, adjusted_due_date,
                                    description, status, search_text, created_by)
       select $1, uuid_v7(), $2, 1, 1, '2026-09-01', '2026-09-01', 'x', 'overdue', 'x', $1 from generate_series(1, 201)`,
      [world.organizationId, debtor],
    );
    expect(await refusal(world.call(tool, { filter: { person_id: debtor }, set }))).toMatchObject({
      code: 'invalid_argument',
      path: 'filter',
    });
  });
});

describe('completions', () => {
  it('suggests charges by what is typed, the first due without anything', async () => {
    const { chargeCompletion } = await import('./index.ts');
    if (chargeCompletion.kind !== 'records') expect.fail('suggests records');
    const { invokers } = world.runtime;
    const operation = invokers.dunning.catalogue.byName.get('dunning_charges_list')!;
    const suggest = async (typed: string) =>
      invokers.dunning.readAs(operation, {}, await world.caller('owner'), 'completion', (context) =>
        chargeCompletion.suggest(context, typed),
      );
    const id = await charge();
    await world.look("update dunning_charges set search_text = 'unicornio azul' where id = $1", [id]);
    expect(await suggest('unicornio')).toEqual([id]);
    expect(await suggest('u')).toEqual([]);
    expect((await suggest('')).length).toBeGreaterThan(1);
  });
});
