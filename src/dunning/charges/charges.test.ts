import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCharge, createDebtor } from '../../../test/support/dunning.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { buildBoleto } from '../../core/documents/boleto.ts';
import { buildStaticPixCode } from '../../core/documents/pix.ts';
import { newId } from '../../core/ids.ts';

let world: World;
let person: string;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
  person = await createDebtor(world, { name: 'Padaria Aurora Ltda' });
});
afterAll(() => world.close());

const usual = { fine: { kind: 'percent', value: '2' }, interest: { kind: 'percent_per_month', value: '1' } };
const stored = {
  discounts: [],
  fine: { kind: 'percent', percent: 20_000 },
  interest: { kind: 'percent_per_month', percent: 10_000, days: 'calendar' },
  graceDays: 0,
};

const create = (args: object = {}, who?: 'stranger') =>
  world.call(
    'dunning_charges_create',
    { person_id: person, amount: '100.00', due_date: '2026-10-20', description: 'Mensalidade', ...args },
    who,
  );
const charge = (fields: object = {}) => createCharge(world, { person_id: person, ...fields });
const get = (id: string, args: object = {}) => world.call('dunning_charges_get', { id, ...args });
const pay = (args: object) =>
  world.call('dunning_payments_create', { method: 'pix', paid_at: '2026-10-01', ...args });
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('was not refused'),
    (error) => ({ code: error.code, ...error.details }),
  );
const boletoOf = (amountCents: number | null, dueDate: string) =>
  buildBoleto({ bankCode: '341', dueDate, amountCents, freeField: '1234567890123456789012345' });

describe('dunning_charges_create', () => {
  it('registers a debt: no rule, nothing sent', async () => {
    const created = await create({
      document_number: 'NF-77',
      title_kind: 'DM',
      terms: usual,
      external_id: 'erp-1',
      tags: ['loja', 'loja'],
    });
    expect(created).toMatchObject({
      person: { id: person, name: 'Padaria Aurora Ltda' },
      status: 'pending',
      amount: '100.00',
      open_principal: '100.00',
      amount_due: '100.00',
      adjusted_due_date: '2026-10-20',
      dunning_state: 'none',
      collection_rule_id: null,
      suggested_rule_id: null,
      warnings: [],
      tags: ['loja'],
      title_kind: 'DM',
      source: 'api',
      version: 1,
    });
    const { count } = (await world.look('select count(*) from dunning_notifications'))[0]!;
    expect(count).toBe('0');
  });

  it('is late at once when its due date says so, counted from the next business day', async () => {
    // 2026-09-27 is a Sunday.
    expect(await create({ due_date: '2026-09-27' })).toMatchObject({
      status: 'overdue',
      adjusted_due_date: '2026-09-28',
      days_overdue: 4,
    });
  });

  it('names the default rule and does not apply it', async () => {
    const rule = newId();
    await world.look(
      `insert into dunning_collection_rules (organization_id, id, name, is_default, created_by)
       values ($1, $2, 'Padrão', true, $1)`,
      [world.organizationId, rule],
    );
    expect(await create()).toMatchObject({ suggested_rule_id: rule, collection_rule_id: null });
    await world.look('delete from dunning_collection_rules where id = $1', [rule]);
  });

  it('keeps an external id for one charge', async () => {
    const first = await create({ external_id: 'twice' });
    expect(await refusal(create({ external_id: 'twice' }))).toEqual({ code: 'duplicate', of: first['id'] });
  });

  it('copies the default terms of the settings, which later settings do not change', async () => {
    await world.call('dunning_settings_update', { default_terms: usual, interest_from: 'original' });
    const created = await create({ due_date: '2026-09-26' });
    expect(created['terms']).toMatchObject({ fine: { kind: 'percent', value: '2' } });
    await world.call('dunning_settings_update', { default_terms: null, interest_from: 'adjusted' });
    // Five days from Saturday on, not three from Monday.
    expect((await get(created['id'])).amounts).toMatchObject({ interest: '0.17', fine: '2.00' });
    await world.call('dunning_settings_update', { interest_from: 'original' });
    expect((await create())['terms']).toBeNull();
  });

  it('MODEL §5: a consumer is charged a fine of 2 % at most, a company what was agreed', async () => {
    const consumer = await createDebtor(world, { kind: 'natural', document_number: null });
    const terms = { fine: { kind: 'percent', value: '2.01' } };
    expect(await refusal(create({ person_id: consumer, terms }))).toEqual({
      code: 'invalid_argument',
      path: 'terms.fine',
      expected: 'at most 2 % for a consumer',
    });
    const fixed = { fine: { kind: 'fixed', value: '2.01' } };
    expect(await refusal(create({ person_id: consumer, terms: fixed }))).toMatchObject({
      path: 'terms.fine',
    });
    await create({ person_id: consumer, terms: { fine: { kind: 'fixed', value: '2.00' } } });
    await create({ terms });
  });

  it.each([
    ['percent_per_month', '1.0001', true],
    ['percent_per_month', '1', false],
    ['percent_per_day', '0.0334', true],
    ['fixed_per_day', '0.04', true],
    ['fixed_per_day', '0.03', false],
  ])('warns of interest above 1 %% a month: %s %s', async (kind, value, isWarned) => {
    const { warnings } = await create({ terms: { interest: { kind, value } } });
    expect(warnings).toEqual(isWarned ? ['interest_above_one_percent_a_month'] : []);
  });

  it('checks the codes by which it can be paid, and gives a boleto in both its forms', async () => {
    const { barcode, typedLine } = boletoOf(10_000, '2026-10-20');
    const pix_code = buildStaticPixCode({ merchant: 'Aurora', city: 'SAO PAULO', key: 'a@example.com' });
    const payment_options = { typed_line: typedLine, pix_code, link: 'https://example.com/pay/1' };
    const created = await create({ payment_options });
    expect(created['payment_options']).toEqual({
      barcode,
      typed_line: typedLine,
      pix_code,
      link: payment_options.link,
    });
    const wrong = typedLine.replace(/.$/, (last) => String((Number(last) + 1) % 10));
    expect(await refusal(create({ payment_options: { typed_line: wrong } }))).toMatchObject({
      code: 'invalid_barcode',
      path: 'payment_options.typed_line',
    });
    expect(await refusal(create({ payment_options: { pix_code: `${pix_code}0` } }))).toMatchObject({
      code: 'invalid_pix_code',
    });
    const other = boletoOf(20_000, '2026-10-20');
    expect(
      await refusal(create({ payment_options: { typed_line: typedLine, barcode: other.barcode } })),
    ).toMatchObject({ code: 'invalid_argument', path: 'payment_options.barcode' });
    expect(await refusal(create({ payment_options: { link: 'http://example.com' } }))).toMatchObject({
      code: 'invalid_argument',
    });
  });

  it.each([
    [{ amount: '0.00' }, 'amount'],
    [{ amount: undefined }, 'amount'],
    [{ due_date: '1979-12-31' }, 'due_date'],
    [{ due_date: '2100-01-01' }, 'due_date'],
    [{ description: '\u202e' }, 'description'],
    [{ person_id: undefined }, 'person_id'],
    [{ status: 'paid' }, 'status'],
    [{ collection_rule_id: newId() }, 'collection_rule_id'],
  ])('refuses %j', async (args, path) => {
    expect(await refusal(create(args))).toMatchObject({ code: 'invalid_argument', path });
  });

  it('knows no debtor of another organization, and none that was archived', async () => {
    expect(await refusal(create({}, 'stranger'))).toMatchObject({ code: 'not_found' });
    const archived = await createDebtor(world);
    await world.look('update dunning_people set archived_at = now() where id = $1', [archived]);
    expect(await refusal(create({ person_id: archived }))).toMatchObject({ code: 'invalid_state' });
  });
});

describe('dunning_charges_get and dunning_charges_balance', () => {
  it('keeps face value, open principal and amount due apart, on any date', async () => {
    const id = await charge({ due_date: '2026-09-01', terms: stored });
    expect(await get(id)).toMatchObject({
      amount: '100.00',
      amount_due: '103.00',
      days_overdue: 30,
      as_of: '2026-10-01',
      amounts: { open_principal: '100.00', fine: '2.00', interest: '1.00', amount_due: '103.00' },
    });
    expect((await get(id, { as_of: '2026-09-01' })).amounts).toMatchObject({ amount_due: '100.00' });
    expect((await get(id, { as_of: '2026-10-31' })).amounts).toMatchObject({ amount_due: '104.00' });
  });

  it.each([
    ['PITFALLS 22: one day of 1 % a month', 3_000_000, '2026-09-30', '30010.00'],
    ['PITFALLS 22: thirty days of it', 10_000_000, '2026-09-01', '101000.00'],
  ])('%s is rounded once, at the end', async (_title, amount_cents, due_date, total) => {
    const id = await charge({ amount_cents, due_date, terms: { ...stored, fine: null } });
    expect((await world.call('dunning_charges_balance', { id })).total).toBe(total);
  });

  it('PITFALLS 23: half a centavo is rounded up', async () => {
    const discounts = [{ kind: 'percent', percent: 500, until: '2026-10-20' }];
    const fields = { amount_cents: 1_000, due_date: '2026-10-20', status: 'pending' };
    const id = await charge({ ...fields, terms: { ...stored, discounts } });
    expect(await world.call('dunning_charges_balance', { id })).toMatchObject({
      discount: { on_offer: '0.01' },
      total: '9.99',
    });
  });

  it('PITFALLS 24: due on a Saturday, Monday is in time and Tuesday is three days', async () => {
    const terms = { ...stored, fine: null, interest: { kind: 'fixed_per_day', cents: 10, days: 'calendar' } };
    const id = await charge({ amount_cents: 1_000, due_date: '2021-02-27', terms });
    const due = async (as_of: string) => (await world.call('dunning_charges_balance', { id, as_of })).total;
    expect(await due('2021-03-01')).toBe('10.00');
    expect(await due('2021-03-02')).toBe('10.30');
  });

  it('PITFALLS 25: the fine is flat and once, and interest never runs on it', async () => {
    const id = await charge({ due_date: '2026-09-01', terms: stored });
    for (const [as_of, total] of [
      ['2026-09-02', '102.03'],
      ['2026-10-01', '103.00'],
      ['2026-10-31', '104.00'],
    ]) {
      expect((await world.call('dunning_charges_balance', { id, as_of })).total).toBe(total);
    }
  });

  it('PITFALLS 27: a rate of zero leaves the fine as it is', async () => {
    const terms = {
      ...stored,
      fine: { kind: 'fixed', cents: 5_000 },
      interest: { kind: 'percent_per_month', percent: 0, days: 'calendar' },
    };
    const id = await charge({ terms });
    expect((await world.call('dunning_charges_balance', { id })).total).toBe('150.00');
  });

  it('shows the working: every stretch with its principal, and the payments in between', async () => {
    const id = await charge({
      amount_cents: 100_000,
      due_date: '2026-08-03',
      terms: { ...stored, fine: null },
    });
    const { payment } = await pay({ charge_id: id, amount: '200.00', paid_at: '2026-09-02' });
    const balance = await world.call('dunning_charges_balance', { id, as_of: '2026-10-02' });
    expect(balance).toMatchObject({
      principal: '1000.00',
      base: '1000.00',
      interest: {
        amount: '18.10',
        unpaid: '8.10',
        kind: 'percent_per_month',
        value: '1',
        day_kind: 'calendar',
        counted_from: '2026-08-03',
        days: 60,
        stretches: [
          { from: '2026-08-03', to: '2026-09-02', days: 30, principal: '1000.00' },
          { from: '2026-09-02', to: '2026-10-02', days: 30, principal: '810.00' },
        ],
      },
      payments: [{ id: payment.id, amount: '200.00', interest: '10.00', principal: '190.00' }],
      paid: '200.00',
      open_principal: '810.00',
      total: '818.10',
    });
  });

  it('gives the same figure in the list, the record and the balance', async () => {
    const debtor = await createDebtor(world);
    const terms = { ...stored, interest: { kind: 'percent_per_month', percent: 12_345, days: 'business' } };
    for (const due_date of ['2026-07-04', '2026-08-31', '2026-10-12']) {
      await createCharge(world, { person_id: debtor, amount_cents: 98_765, due_date, terms });
    }
    const { items } = await world.call('dunning_charges_list', { person_id: debtor });
    expect(items).toHaveLength(3);
    for (const item of items) {
      const record = await get(item.id);
      expect(record.amount_due).toBe(item.amount_due);
      expect(record.amounts.amount_due).toBe(item.amount_due);
      expect((await world.call('dunning_charges_balance', { id: item.id })).total).toBe(item.amount_due);
    }
  });

  it('hides it from another organization', async () => {
    const id = await charge();
    for (const tool of ['get', 'balance', 'payment_options', 'timeline']) {
      expect(await refusal(world.call(`dunning_charges_${tool}`, { id }, 'stranger'))).toMatchObject({
        code: 'not_found',
      });
    }
  });
});

describe('dunning_charges_update', () => {
  const update = (id: string, args: object) => world.call('dunning_charges_update', { id, ...args });

  it('changes what was agreed, and reckons everything anew', async () => {
    const id = await charge({ due_date: '2026-09-01' });
    expect(await update(id, { terms: usual, description: 'Outra' })).toMatchObject({
      amount_due: '103.00',
      description: 'Outra',
      version: 2,
    });
    expect(await update(id, { due_date: '2026-10-05' })).toMatchObject({
      status: 'pending',
      amount_due: '100.00',
    });
    const freed = await update(id, { terms: null });
    expect(freed).toMatchObject({ terms: null });
    expect(await update(id, { terms: null, due_date: '2026-10-05', description: 'Outra' })).toEqual(freed);
  });

  it('changes other things of a charge whose fine a consumer could not be charged any more', async () => {
    const debtor = await createDebtor(world, { is_consumer: false });
    const fine = { kind: 'percent', percent: 100_000 };
    const terms = { discounts: [], fine, interest: { kind: 'none' }, graceDays: 0 };
    const id = await createCharge(world, { person_id: debtor, terms });
    await world.call('dunning_people_update', { id: debtor, is_consumer: true });
    expect(await update(id, { tags: ['revisar'] })).toMatchObject({ tags: ['revisar'] });
    expect(await refusal(update(id, { terms: { fine: { kind: 'percent', value: '10' } } }))).toMatchObject({
      path: 'terms.fine',
    });
  });

  it('does not move the due date back over a step that has run', async () => {
    const rule = newId();
    const step = newId();
    await world.look(
      `insert into dunning_collection_rules (organization_id, id, name, created_by) values ($1, $2, 'R', $1)`,
      [world.organizationId, rule],
    );
    await world.look(
      `insert into dunning_rule_steps (organization_id, id, rule_id, position, offset_days, day_kind, time_of_day, action,
                                       created_by)
       values ($1, $2, $3, 0, -5, 'calendar', '09:00', 'task', $1)`,
      [world.organizationId, step, rule],
    );
    const id = await charge({ due_date: '2026-10-06', status: 'pending', collection_rule_id: rule });
    await world.look(
      `insert into dunning_step_executions (organization_id, id, charge_id, person_id, rule_id, step_id, cycle, action,
                                            step_on, due_at, status, done_at)
       values ($1, $2, $3, $4, $5, $6, 1, 'task', '2026-10-01', now(), 'done', now())`,
      [world.organizationId, newId(), id, person, rule, step],
    );
    expect(await update(id, { due_date: '2026-10-02' })).toMatchObject({ due_date: '2026-10-02' });
    expect(await refusal(update(id, { due_date: '2026-10-01' }))).toMatchObject({
      code: 'invalid_state',
      step_on: '2026-10-01',
    });
  });

  it('leaves what is paid, canceled or in agreement alone', async () => {
    const id = await charge();
    await pay({ charge_id: id, amount: '100.00' });
    expect(await refusal(update(id, { description: 'x' }))).toMatchObject({
      code: 'invalid_state',
      from: 'paid',
      allowed: ['pending', 'overdue'],
    });
    const agreed = await charge();
    await world.look("update dunning_charges set status = 'in_agreement' where id = $1", [agreed]);
    expect(await refusal(update(agreed, { description: 'x' }))).toMatchObject({
      code: 'charge_in_agreement',
    });
  });

  it('refuses the external id of another charge', async () => {
    const first = await create({ external_id: 'taken' });
    const id = await charge();
    expect(await refusal(update(id, { external_id: 'taken' }))).toEqual({
      code: 'duplicate',
      of: first['id'],
    });
    expect(await update(first['id'], { external_id: 'taken' })).toMatchObject({ external_id: 'taken' });
  });

  it('has no side door to state or rule', async () => {
    const id = await charge();
    for (const args of [{ status: 'paid' }, { collection_rule_id: newId() }, { amount: '1.00' }]) {
      expect(await refusal(update(id, args))).toMatchObject({ code: 'invalid_argument' });
    }
  });
});

describe('dunning_charges_cancel and dunning_charges_archive', () => {
  it('calls a charge off, once, and says why', async () => {
    const id = await charge();
    const canceled = await world.call('dunning_charges_cancel', { id, reason: 'duplicada' });
    expect(canceled).toMatchObject({
      status: 'canceled',
      canceled_reason: 'duplicada',
      amount_due: '0.00',
      days_overdue: 0,
    });
    expect(await refusal(world.call('dunning_charges_cancel', { id, reason: 'x' }))).toMatchObject({
      code: 'invalid_state',
    });
  });

  it('refuses while a payment stands, and goes on once it is taken back', async () => {
    const id = await charge();
    const { payment } = await pay({ charge_id: id, amount: '1.00' });
    expect(await refusal(world.call('dunning_charges_cancel', { id, reason: 'x' }))).toEqual({
      code: 'in_use',
      by: [{ kind: 'payment', id: payment.id }],
    });
    await world.call('dunning_payments_reverse', { id: payment.id, reason: 'x' });
    expect(await world.call('dunning_charges_cancel', { id, reason: 'x' })).toMatchObject({
      status: 'canceled',
    });
  });

  it('asks with the debtor, the amount due and the reason, and quotes what others wrote', async () => {
    const id = await charge({ terms: stored });
    const { message } = await world.ask('dunning_charges_cancel', { id, reason: 'pedido do cliente' });
    expect(message).toContain('"Padaria Aurora Ltda"');
    expect(message).toContain('R$ 103,00');
    expect(message).toContain('"pedido do cliente"');
  });

  it('hides only what is done with, and hides it twice without harm', async () => {
    const id = await charge();
    expect(await refusal(world.call('dunning_charges_archive', { id }))).toMatchObject({
      code: 'invalid_state',
      allowed: ['paid', 'canceled'],
    });
    await world.call('dunning_charges_cancel', { id, reason: 'x' });
    const archived = await world.call('dunning_charges_archive', { id });
    expect(archived).toMatchObject({ archived: true });
    expect(await world.call('dunning_charges_archive', { id })).toEqual(archived);
    const ids = async (args: object) =>
      (await world.call('dunning_charges_list', { person_id: person, limit: 100, ...args })).items.map(
        (item: any) => item.id,
      );
    expect(await ids({ status: ['canceled'] })).not.toContain(id);
    expect(await ids({ archived: true })).toContain(id);
  });
});

describe('dunning_charges_payment_options', () => {
  it('warns of a code that asks for another amount than is due', async () => {
    const { typedLine } = boletoOf(10_000, '2026-09-01');
    const pix_code = buildStaticPixCode({
      merchant: 'A',
      city: 'SP',
      key: 'a@example.com',
      amountCents: 10_300,
    });
    const { id } = await create({
      due_date: '2026-09-01',
      terms: usual,
      payment_options: { typed_line: typedLine, pix_code, link: 'https://example.com/1' },
    });
    expect(await world.call('dunning_charges_payment_options', { id })).toMatchObject({
      amount_due: '103.00',
      options: [
        { method: 'boleto', amount: '100.00', warnings: ['amount_differs', 'past_due_date'] },
        { method: 'pix', amount: '103.00', warnings: [] },
        { method: 'link', amount: null, warnings: [] },
      ],
    });
    const earlier = await world.call('dunning_charges_payment_options', { id, as_of: '2026-09-01' });
    expect(earlier.options[0].warnings).toEqual([]);
  });
});

describe('dunning_charges_timeline', () => {
  it('tells everything once, in order, over pages', async () => {
    const { id } = await create();
    world.setNow('2026-10-01T12:01:00Z');
    await world.call('dunning_charges_pause', { id, reason: 'cliente viaja' });
    world.setNow('2026-10-01T12:02:00Z');
    const { payment } = await pay({ charge_id: id, amount: '30.00' });
    world.setNow('2026-10-01T12:03:00Z');
    await world.call('dunning_payments_reverse', { id: payment.id, reason: 'estorno' });
    const whole = await world.call('dunning_charges_timeline', { id, limit: 100, sort: 'at' });
    expect(whole.items.map(({ kind, event }: any) => `${kind} ${event}`).sort()).toEqual(
      [
        'charge dunning_charges_create',
        'charge dunning_charges_pause',
        'hold held_manual',
        'charge dunning_payments_create',
        'payment recorded',
        'charge dunning_payments_reverse',
        'payment reversed',
      ].sort(),
    );
    const paged: any[] = [];
    let cursor: string | null = null;
    do {
      const page: any = await world.call('dunning_charges_timeline', {
        id,
        limit: 2,
        sort: 'at',
        ...(cursor !== null && { cursor }),
      });
      paged.push(...page.items);
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(paged).toEqual(whole.items);
    const backwards = await world.call('dunning_charges_timeline', { id, limit: 100 });
    expect(backwards.items).toEqual([...whole.items].reverse());
    world.setNow('2026-10-01T12:00:00Z');
  });
});
