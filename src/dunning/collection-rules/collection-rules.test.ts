import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCharge, createDebtor, runDunningJob } from '../../../test/support/dunning.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import type { DunningGateways } from '../../gateways/dunning.ts';
import { PLAN_TASK, RETIRE_TASK } from './tasks.ts';

let world: World;
let templates: Record<'email' | 'sms', string>;
let names = 0;
/** No job of this slice reaches anybody outside. */
const gateways = {} as DunningGateways;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
  const email = { name: 'Lembrete', channel: 'email', subject: 'Aviso', body: 'Olá, {{nome}}.' };
  const sms = { name: 'Lembrete SMS', channel: 'sms', body: 'Temos um aviso para você.' };
  templates = {
    email: (await world.call('dunning_templates_create', { ...email, body: 'Temos um aviso.' }))['id'],
    sms: (await world.call('dunning_templates_create', sms))['id'],
  };
});
afterAll(() => world.close());
// Thursday, 09:00 in São Paulo.
beforeEach(() => world.setNow('2026-10-01T12:00:00Z'));

const createRule = (fields: object = {}) => {
  names += 1;
  return world.call('dunning_collection_rules_create', { name: `Régua ${names}`, ...fields });
};

const addStep = (ruleId: string, fields: object = {}) =>
  world.call('dunning_collection_rule_steps_create', {
    rule_id: ruleId,
    offset_days: 1,
    day_kind: 'calendar',
    time: '10:00',
    action: 'message',
    template_id: templates.sms,
    ...fields,
  });

const activate = (id: string) => world.call('dunning_collection_rules_update', { id, active: true });

/** An active rule of messages on these days. */
async function createActiveRule(offsets: readonly number[], fields: object = {}): Promise<string> {
  const { id } = await createRule(fields);
  for (const offset_days of offsets) await addStep(id, { offset_days });
  await activate(id);
  return id;
}

const stepsOf = async (ruleId: string) =>
  (await world.call('dunning_collection_rule_steps_list', { rule_id: ruleId, limit: 100 }))['items'];

const assign = (ids: readonly string[], rule_id: string | null, fields: object = {}) =>
  world.call('dunning_charges_bulk_assign_rule', { ids, rule_id, ...fields });

const charge = async (id: string) =>
  (await world.look<Record<string, any>>('select * from dunning_charges where id = $1', [id]))[0]!;

const executions = (chargeId: string) =>
  world.look<Record<string, any>>(
    'select * from dunning_step_executions where charge_id = $1 order by due_at',
    [chargeId],
  );

const failing = (call: Promise<unknown>) =>
  call.then(
    () => 'no error',
    (error) => ({ code: error.code, ...error.details }),
  );

describe('a rule', () => {
  test('is inactive until it has a step in use and somebody activates it', async () => {
    const rule = await createRule({ description: 'Para todos', conditions: { amount_min: '50.00' } });
    expect(rule).toMatchObject({
      status: 'inactive',
      is_default: false,
      steps: 0,
      charges: 0,
      version: 1,
      conditions: { amount_min: '50.00', amount_max: null, person_kind: null, tags: [] },
    });
    expect(await failing(activate(rule['id']))).toEqual({
      code: 'invalid_state',
      from: 'without_steps',
      allowed: ['with_steps'],
    });
    await addStep(rule['id']);
    expect(await activate(rule['id'])).toMatchObject({ status: 'active', steps: 1, version: 2 });
  });

  test('that loses its last step in use is inactive again', async () => {
    const id = await createActiveRule([1, 2]);
    const [first, second] = await stepsOf(id);
    await world.call('dunning_collection_rule_steps_delete', { id: first.id });
    expect(await world.call('dunning_collection_rules_get', { id })).toMatchObject({
      status: 'active',
      steps: 1,
    });
    await world.call('dunning_collection_rule_steps_update', { id: second.id, active: false });
    expect(await world.call('dunning_collection_rules_get', { id })).toMatchObject({ status: 'inactive' });
  });

  test('is the default one alone; no charge comes under it by that', async () => {
    const before = await createRule({ is_default: true });
    const after = await createRule();
    const chargeId = await createCharge(world, { person_id: await createDebtor(world) });
    await world.call('dunning_collection_rules_update', { id: after['id'], is_default: true });
    expect(await world.call('dunning_collection_rules_get', { id: before['id'] })).toMatchObject({
      is_default: false,
    });
    expect(await charge(chargeId)).toMatchObject({ collection_rule_id: null, dunning_state: 'none' });
  });

  test('says how many charges it works on, and is found by its name and state', async () => {
    const id = await createActiveRule([5], { name: 'Inadimplência Ágil' });
    await createCharge(world, { person_id: await createDebtor(world), collection_rule_id: id });
    const found = await world.call('dunning_collection_rules_list', {
      search: 'inadimplencia agil',
      active: true,
    });
    expect(found['items']).toMatchObject([{ id, status: 'active', steps: 1, charges: 1 }]);
    const none = await world.call('dunning_collection_rules_list', {
      search: 'inadimplencia agil',
      active: false,
    });
    expect(none['items']).toEqual([]);
  });

  test('lists page by page without losing or repeating one', async () => {
    const all = await world.call('dunning_collection_rules_list', { limit: 100 });
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await world.call('dunning_collection_rules_list', { limit: 2, ...(cursor && { cursor }) });
      seen.push(...page['items'].map(({ id }: any) => id));
      if (page['next_cursor'] === null) break;
      cursor = page['next_cursor'];
    }
    expect(seen).toEqual(all['items'].map(({ id }: any) => id));
  });

  test('is copied with its steps; the copy is inactive and works on nothing', async () => {
    const id = await createActiveRule([1, 3, 8]);
    const copy = await world.call('dunning_collection_rules_duplicate', { id, name: 'Cópia' });
    expect(copy).toMatchObject({ name: 'Cópia', status: 'inactive', steps: 3, charges: 0 });
    const bare = (steps: any[]) =>
      steps.map(({ offset_days, time, channel }) => ({ offset_days, time, channel }));
    expect(bare(await stepsOf(copy['id']))).toEqual(bare(await stepsOf(id)));
  });

  test('refuses amounts that nothing lies between', async () => {
    expect(
      await failing(createRule({ conditions: { amount_min: '10.00', amount_max: '9.99' } })),
    ).toMatchObject({ code: 'invalid_argument', path: 'conditions.amount_max' });
  });

  test('of another organization is not found, nor are its steps', async () => {
    const id = await createActiveRule([1]);
    const [step] = await stepsOf(id);
    for (const [name, args] of [
      ['dunning_collection_rules_get', { id }],
      ['dunning_collection_rules_update', { id, name: 'Alheia' }],
      ['dunning_collection_rules_archive', { id }],
      ['dunning_collection_rules_duplicate', { id, name: 'Alheia' }],
      ['dunning_collection_rules_simulate', { id, sample: { due_date: '2026-10-01', amount: '1.00' } }],
      ['dunning_collection_rule_steps_list', { rule_id: id }],
      ['dunning_collection_rule_steps_update', { id: step.id, time: '11:00' }],
      ['dunning_collection_rule_steps_delete', { id: step.id }],
      ['dunning_collection_rule_steps_reorder', { rule_id: id, ids: [step.id] }],
    ] as const) {
      expect(await failing(world.call(name, args, 'stranger')), name).toMatchObject({ code: 'not_found' });
    }
  });
});

describe('archiving a rule', () => {
  test('takes its charges off it, keeps what holds them, and skips what is planned; twice is once', async () => {
    const id = await createActiveRule([1]);
    const person_id = await createDebtor(world);
    const atWork = await createCharge(world, { person_id, due_date: '2026-09-30', status: 'overdue' });
    const held = await createCharge(world, { person_id, due_date: '2026-09-30', status: 'overdue' });
    await assign([atWork, held], id);
    expect(await executions(atWork)).toMatchObject([{ status: 'scheduled' }]);
    await world.look(
      `update dunning_charges set dunning_state = 'paused', paused_reason = 'manual' where id = $1`,
      [held],
    );
    const { message } = await world.ask('dunning_collection_rules_archive', { id });
    expect(message).toContain('- Cobranças que deixam de ser cobradas: 1\n- Etapas: 1\n- Régua padrão: não');
    const archived = await world.call('dunning_collection_rules_archive', { id });
    expect(archived).toMatchObject({ status: 'archived', charges: 0 });
    expect(await charge(atWork)).toMatchObject({ collection_rule_id: null, dunning_state: 'none' });
    expect(await charge(held)).toMatchObject({ collection_rule_id: null, dunning_state: 'paused' });
    expect(await executions(atWork)).toMatchObject([{ status: 'skipped', skipped_reason: 'rule_archived' }]);
    expect(await world.call('dunning_collection_rules_archive', { id })).toEqual(archived);
    expect(await failing(addStep(id, { offset_days: 9 }))).toMatchObject({
      code: 'invalid_state',
      from: 'archived',
    });
  });

  test('goes on in a job where it has more charges than one transaction takes', async () => {
    const id = await createActiveRule([1]);
    const chargeId = await createCharge(world, {
      person_id: await createDebtor(world),
      collection_rule_id: id,
    });
    await runDunningJob(world, gateways, RETIRE_TASK, { organizationId: world.organizationId, ruleId: id });
    expect(await charge(chargeId)).toMatchObject({ collection_rule_id: null, dunning_state: 'none' });
  });
});

describe('a step', () => {
  test('of a message has the channel of its template; only messages have one', async () => {
    const { id } = await createRule();
    expect(await addStep(id, { template_id: templates.email })).toMatchObject({
      channel: 'email',
      time: '10:00',
      position: 0,
      active: true,
    });
    expect(await addStep(id)).toMatchObject({ channel: 'sms', position: 1 });
    const bad = [
      [{ template_id: undefined }, 'template_id'],
      [{ channel: 'phone' }, 'channel'],
      [{ channel: 'whatsapp' }, 'template_id'],
      [{ action: 'task' }, 'template_id'],
      [{ action: 'suggest_protest', template_id: undefined, channel: 'email' }, 'channel'],
      [{ time: '24:00' }, 'time'],
      [{ offset_days: 2_000 }, 'offset_days'],
    ] as const;
    for (const [fields, path] of bad) {
      expect(await failing(addStep(id, { offset_days: 7, ...fields })), path).toMatchObject({
        code: 'invalid_argument',
        path,
      });
    }
    expect(
      await addStep(id, { offset_days: 20, action: 'task', template_id: undefined, channel: 'phone' }),
    ).toMatchObject({ channel: 'phone', template_id: null });
  });

  test('that would do the same at the same time is refused, on update too', async () => {
    const { id } = await createRule();
    const first = await addStep(id);
    const second = await addStep(id, { offset_days: 2 });
    expect(await failing(addStep(id))).toEqual({ code: 'steps_collide', with: first['id'] });
    expect(
      await failing(world.call('dunning_collection_rule_steps_update', { id: second['id'], offset_days: 1 })),
    ).toEqual({ code: 'steps_collide', with: first['id'] });
    expect(await addStep(id, { time: '10:01' })).toMatchObject({ position: 1 });
  });

  test('stands in the order of its day and time; those of one day are put in another order', async () => {
    const { id } = await createRule();
    const at = async (offset_days: number, time: string, template_id = templates.sms) =>
      (await addStep(id, { offset_days, time, template_id }))['id'];
    const late = await at(3, '09:00');
    const early = await at(-2, '18:00');
    const email = await at(1, '10:00', templates.email);
    const sms = await at(1, '10:00');
    const ids = async () => (await stepsOf(id)).map((step: any) => step.id);
    expect(await ids()).toEqual([early, email, sms, late]);
    const result = await world.call('dunning_collection_rule_steps_reorder', {
      rule_id: id,
      ids: [sms, email],
    });
    expect(result['items'].map((step: any) => step.id)).toEqual([sms, email]);
    expect(await ids()).toEqual([early, sms, email, late]);
    for (const wrong of [[sms], [sms, sms], [sms, late], [sms, email, late]]) {
      expect(
        await failing(world.call('dunning_collection_rule_steps_reorder', { rule_id: id, ids: wrong })),
      ).toMatchObject({ code: 'invalid_argument', path: 'ids' });
    }
    const page = await world.call('dunning_collection_rule_steps_list', { rule_id: id, limit: 3 });
    const rest = await world.call('dunning_collection_rule_steps_list', {
      rule_id: id,
      limit: 3,
      cursor: page['next_cursor'],
    });
    expect([...page['items'], ...rest['items']].map((step: any) => step.id)).toEqual(await ids());
  });

  test('in use keeps its template from being archived; once removed it does not', async () => {
    const { id } = await createRule();
    const template = await world.call('dunning_templates_create', {
      name: 'Só desta etapa',
      channel: 'sms',
      body: 'Temos um aviso para você.',
    });
    const step = await addStep(id, { template_id: template['id'] });
    expect(await failing(world.call('dunning_templates_archive', { id: template['id'] }))).toMatchObject({
      code: 'in_use',
    });
    const { message } = await world.ask('dunning_collection_rule_steps_delete', { id: step['id'] });
    expect(message).toContain(
      '- Quando: 1 dia depois do vencimento, às 10:00\n- O que faz: mensagem\n- Canal: SMS',
    );
    expect(message).toContain('- Modelo: "Só desta etapa"');
    await world.call('dunning_collection_rule_steps_delete', { id: step['id'] });
    await world.call('dunning_templates_archive', { id: template['id'] });
    expect(await stepsOf(id)).toEqual([]);
  });
});

describe('changing a step at work', () => {
  /** A charge due yesterday with today's step planned for the afternoon. */
  async function planned(): Promise<{ ruleId: string; stepId: string; chargeId: string }> {
    const ruleId = (await createRule())['id'];
    const step = await addStep(ruleId, { time: '15:00' });
    await activate(ruleId);
    const chargeId = await createCharge(world, {
      person_id: await createDebtor(world),
      due_date: '2026-09-30',
    });
    await assign([chargeId], ruleId);
    expect(await executions(chargeId)).toMatchObject([{ status: 'scheduled' }]);
    return { ruleId, stepId: step['id'], chargeId };
  }

  const replan = () => runDunningJob(world, gateways, PLAN_TASK, { organizationId: world.organizationId });

  test('moves what is planned today to its new time, or drops it when that is past', async () => {
    const { stepId, chargeId } = await planned();
    await world.call('dunning_collection_rule_steps_update', { id: stepId, time: '16:00' });
    expect(await replan()).toBeUndefined();
    expect(await executions(chargeId)).toMatchObject([
      { status: 'scheduled', due_at: new Date('2026-10-01T19:00:00Z') },
    ]);
    await world.call('dunning_collection_rule_steps_update', { id: stepId, time: '08:30' });
    await replan();
    expect(await executions(chargeId)).toEqual([]);
  });

  test('never fires again for a charge that has had it', async () => {
    const { stepId, chargeId } = await planned();
    await world.look(`update dunning_step_executions set status = 'done' where charge_id = $1`, [chargeId]);
    await world.call('dunning_collection_rule_steps_update', { id: stepId, time: '17:00' });
    await replan();
    expect(await executions(chargeId)).toMatchObject([{ status: 'done' }]);
  });

  test('to another channel sends what is planned there', async () => {
    const { stepId, chargeId } = await planned();
    const after = await world.call('dunning_collection_rule_steps_update', {
      id: stepId,
      template_id: templates.email,
    });
    expect(after).toMatchObject({ channel: 'email' });
    expect(await executions(chargeId)).toMatchObject([{ channel: 'email', status: 'scheduled' }]);
  });

  test('that is removed or switched off skips what is planned', async () => {
    const { ruleId, stepId, chargeId } = await planned();
    await addStep(ruleId, { offset_days: 30 });
    await world.call('dunning_collection_rule_steps_update', { id: stepId, active: false });
    expect(await executions(chargeId)).toMatchObject([{ status: 'skipped', skipped_reason: 'step_removed' }]);
  });
});

describe('assigning', () => {
  test('PITFALLS 51: a charge 12 days late comes under D+1, D+5, D+10, D+15: the first message is on D+15', async () => {
    const ruleId = await createActiveRule([1, 5, 10, 15]);
    const chargeId = await createCharge(world, {
      person_id: await createDebtor(world),
      due_date: '2026-09-18',
      status: 'overdue',
    });
    world.setNow('2026-09-30T18:00:00Z');
    const result = await assign([chargeId], ruleId);
    expect(result).toMatchObject({ requested: 1, succeeded: [chargeId], failed: [] });
    // Saturday 3 October, 10:00: within the hours of SP.
    expect(result['first_steps']).toMatchObject([
      { charge_id: chargeId, date: '2026-10-03', at: '2026-10-03T13:00:00.000Z', channel: 'sms' },
    ]);
    expect(await executions(chargeId)).toEqual([]);
    expect(await charge(chargeId)).toMatchObject({ collection_rule_id: ruleId, dunning_state: 'active' });
  });

  test('plans what is left of today; from the next step on there is nothing before tomorrow', async () => {
    const ruleId = await createActiveRule([1]);
    const person_id = await createDebtor(world);
    const [today, later] = [
      await createCharge(world, { person_id, due_date: '2026-09-30' }),
      await createCharge(world, { person_id, due_date: '2026-09-30' }),
    ];
    await assign([today], ruleId);
    expect(await executions(today)).toMatchObject([
      { status: 'scheduled', due_at: new Date('2026-10-01T13:00:00Z') },
    ]);
    const result = await assign([later], ruleId, { start_from: 'next_step' });
    expect(result['first_steps']).toEqual([]);
    expect(await executions(later)).toEqual([]);
    expect((await charge(later))['rule_started_at']).toEqual(new Date('2026-10-02T03:00:00Z'));
  });

  test('asks with the rule, how many charges, the first step by day, and what is blocked', async () => {
    const ruleId = await createActiveRule([1, 2], { name: 'Régua\u202e perguntada' });
    const person_id = await createDebtor(world);
    const silent = await createDebtor(world, { email: null, phone: null });
    const ids = [
      await createCharge(world, { person_id, due_date: '2026-09-30', amount_cents: 12_345 }),
      await createCharge(world, { person_id, due_date: '2026-10-01', status: 'pending' }),
      await createCharge(world, { person_id: silent, due_date: '2026-10-01', status: 'pending' }),
      await createCharge(world, { person_id, due_date: '2026-09-30' }),
    ];
    await world.look(`update dunning_charges set status = 'paid', open_cents = 0 where id = $1`, [ids[3]]);
    const { message } = await world.ask('dunning_charges_bulk_assign_rule', { ids, rule_id: ruleId });
    expect(message).toContain('Aplicar régua de cobrança (dunning_charges_bulk_assign_rule)');
    expect(message).toContain('- Régua: "Régua perguntada"');
    expect(message).toContain('- Cobranças: 3\n- Principal em aberto: R$ 323,45\n');
    expect(message).toContain('- Não podem entrar na régua: 1');
    expect(message).toContain('- Primeira etapa em: 01/10/2026\n- Primeira etapa: mensagem (SMS)');
    expect(message).toContain('- Primeira etapa por dia: 1 em 01/10/2026; 2 em 02/10/2026');
    expect(message).toContain('- Bloqueadas agora: 1 (sem contato)');
  });

  test('a filter is frozen: when it finds other charges at the answer, it is asked again and nothing runs', async () => {
    const ruleId = await createActiveRule([1]);
    const person_id = await createDebtor(world);
    const first = await createCharge(world, { person_id, due_date: '2026-09-30' });
    const args = { filter: { person_id }, rule_id: ruleId };
    const { state } = await world.ask('dunning_charges_bulk_assign_rule', args);
    const second = await createCharge(world, { person_id, due_date: '2026-09-30' });
    const responses = { confirm: { action: 'accept', content: { confirm: true } } };
    const again = await world.send('dunning_charges_bulk_assign_rule', args, { state, responses });
    expect(again.kind).toBe('ask');
    expect(await charge(first)).toMatchObject({ collection_rule_id: null });
    const result = await world.call('dunning_charges_bulk_assign_rule', args);
    expect(result['succeeded']).toEqual([first, second].sort());
  });

  test('a dry run says what would come and changes nothing', async () => {
    const ruleId = await createActiveRule([1]);
    const chargeId = await createCharge(world, {
      person_id: await createDebtor(world),
      due_date: '2026-09-30',
    });
    const result = await assign([chargeId], ruleId, { dry_run: true });
    expect(result['first_steps']).toMatchObject([{ charge_id: chargeId, date: '2026-10-01' }]);
    expect(await charge(chargeId)).toMatchObject({ collection_rule_id: null });
    expect(await executions(chargeId)).toEqual([]);
  });

  test('refuses charges that are paid, in agreement, or outside the conditions, each by itself', async () => {
    const ruleId = await createActiveRule([1], { conditions: { amount_min: '50.00', tags: ['vip'] } });
    const person_id = await createDebtor(world);
    const good = await createCharge(world, { person_id, tags: ['vip'] });
    const small = await createCharge(world, { person_id, tags: ['vip'], amount_cents: 4_999 });
    const untagged = await createCharge(world, { person_id });
    const paid = await createCharge(world, { person_id, tags: ['vip'] });
    await world.look(`update dunning_charges set status = 'paid', open_cents = 0 where id = $1`, [paid]);
    const missing = '019a0000-0000-7000-8000-000000000000';
    const result = await assign([good, small, untagged, paid, missing], ruleId);
    expect(result['succeeded']).toEqual([good]);
    expect(Object.fromEntries(result['failed'].map(({ id, code }: any) => [id, code]))).toEqual({
      [small]: 'invalid_argument',
      [untagged]: 'invalid_argument',
      [paid]: 'invalid_state',
      [missing]: 'not_found',
    });
  });

  test('an inactive or archived rule is refused, and so is none when there is no default one', async () => {
    const chargeId = await createCharge(world, { person_id: await createDebtor(world) });
    const { id } = await createRule();
    expect(await failing(assign([chargeId], id))).toMatchObject({ code: 'invalid_state', from: 'inactive' });
    await world.call('dunning_collection_rules_archive', { id });
    expect(await failing(assign([chargeId], id))).toMatchObject({ code: 'invalid_state', from: 'archived' });
    await world.look('update dunning_collection_rules set is_default = false');
    const call = () => world.call('dunning_charges_bulk_assign_rule', { ids: [chargeId] });
    expect(await failing(call())).toMatchObject({ code: 'invalid_argument', path: 'rule_id' });
    const byDefault = await createActiveRule([1], { is_default: true });
    await call();
    expect(await charge(chargeId)).toMatchObject({ collection_rule_id: byDefault });
  });

  test('to another rule, or to none, skips what the one before had planned', async () => {
    const [one, other] = [await createActiveRule([1]), await createActiveRule([2])];
    const person_id = await createDebtor(world);
    const moved = await createCharge(world, { person_id, due_date: '2026-09-30' });
    const freed = await createCharge(world, { person_id, due_date: '2026-09-30' });
    await assign([moved, freed], one);
    await assign([moved], other);
    const { message } = await world.ask('dunning_charges_bulk_assign_rule', { ids: [freed], rule_id: null });
    expect(message).toContain('- Régua: nenhuma: saem da régua');
    await assign([freed], null);
    expect(await executions(moved)).toMatchObject([{ status: 'skipped', skipped_reason: 'rule_changed' }]);
    expect(await executions(freed)).toMatchObject([{ status: 'skipped', skipped_reason: 'rule_changed' }]);
    expect(await charge(moved)).toMatchObject({ collection_rule_id: other, dunning_state: 'active' });
    expect(await charge(freed)).toMatchObject({
      collection_rule_id: null,
      dunning_state: 'none',
      rule_started_at: null,
    });
  });

  test('keeps a paused charge paused: nothing comes until it is let go', async () => {
    const ruleId = await createActiveRule([1]);
    const chargeId = await createCharge(world, {
      person_id: await createDebtor(world),
      due_date: '2026-09-30',
    });
    await world.call('dunning_charges_pause', { id: chargeId, reason: 'cliente pediu' });
    await assign([chargeId], ruleId);
    expect(await charge(chargeId)).toMatchObject({ dunning_state: 'paused', collection_rule_id: ruleId });
    expect(await executions(chargeId)).toEqual([]);
  });

  test('again under the same rule neither repeats nor loses what is planned', async () => {
    const ruleId = await createActiveRule([1]);
    const chargeId = await createCharge(world, {
      person_id: await createDebtor(world),
      due_date: '2026-09-30',
    });
    await assign([chargeId], ruleId);
    const before = await executions(chargeId);
    await assign([chargeId], ruleId);
    expect(await executions(chargeId)).toEqual(before);
  });

  test('needs the right to change charges besides the one for rules', async () => {
    expect(
      await failing(
        world.call(
          'dunning_charges_bulk_assign_rule',
          { ids: ['019a0000-0000-7000-8000-000000000000'] },
          'viewer',
        ),
      ),
    ).toMatchObject({ code: 'forbidden' });
  });
});

describe('executions', () => {
  test('are listed by charge, rule, action, state and day; one is skipped once, with the words of who did it', async () => {
    const ruleId = await createActiveRule([1]);
    await addStep(ruleId, { action: 'task', template_id: undefined, time: '11:00' });
    const chargeId = await createCharge(world, {
      person_id: await createDebtor(world),
      due_date: '2026-09-30',
    });
    await assign([chargeId], ruleId);
    const list = async (args: object) =>
      (await world.call('dunning_step_executions_list', { rule_id: ruleId, ...args }))['items'];
    expect(await list({})).toHaveLength(2);
    expect(await list({ action: 'task' })).toMatchObject([
      { charge_id: chargeId, action: 'task', channel: null, date: '2026-10-01', status: 'scheduled' },
    ]);
    expect(await list({ date_from: '2026-10-02' })).toEqual([]);
    const [task] = await list({ charge_id: chargeId, action: 'task', status: 'scheduled' });
    const skip = () =>
      world.call('dunning_step_executions_skip', { id: task.id, reason: 'já falei com ele' });
    expect(await skip()).toMatchObject({
      status: 'skipped',
      skipped_reason: 'manual',
      note: 'já falei com ele',
      version: 2,
    });
    expect(await failing(skip())).toEqual({ code: 'invalid_state', from: 'skipped', allowed: ['scheduled'] });
    expect(
      await failing(world.call('dunning_step_executions_skip', { id: task.id, reason: 'x' }, 'stranger')),
    ).toMatchObject({ code: 'not_found' });
  });
});

describe('a simulation', () => {
  test('of a sample resolves hours and holidays in the state of the debtor', async () => {
    const ruleId = await createActiveRule([-1, 1, 2]);
    const steps = async (state: string) =>
      (
        await world.call('dunning_collection_rules_simulate', {
          id: ruleId,
          sample: { due_date: '2026-10-09', amount: '100.00', state },
        })
      )['steps'].map(({ date, at, moved, skipped_reason }: any) => [date, at, moved, skipped_reason]);
    // Thursday; Saturday; Sunday, before the holiday of Monday.
    expect(await steps('SP')).toEqual([
      ['2026-10-08', '2026-10-08T13:00:00.000Z', false, null],
      ['2026-10-10', '2026-10-10T13:00:00.000Z', false, null],
      ['2026-10-13', '2026-10-13T11:00:00.000Z', true, null],
    ]);
    expect((await steps('RJ')).map(([date]: any) => date)).toEqual([
      '2026-10-08',
      '2026-10-13',
      '2026-10-13',
    ]);
    expect((await steps('AC'))[0]).toEqual(['2026-10-08', '2026-10-08T15:00:00.000Z', false, null]);
  });

  test('of a charge says what has been, what is past and what stands against it now', async () => {
    const ruleId = await createActiveRule([1, 3, 30]);
    const chargeId = await createCharge(world, {
      person_id: await createDebtor(world),
      due_date: '2026-09-30',
    });
    await assign([chargeId], ruleId);
    const reasons = async () => {
      const result = await world.call('dunning_collection_rules_simulate', {
        id: ruleId,
        charge_id: chargeId,
      });
      return result['steps'].map(({ skipped_reason, message }: any) => [skipped_reason, message]);
    };
    expect(await reasons()).toEqual([
      [null, 'Lembrete SMS'],
      [null, 'Lembrete SMS'],
      [null, 'Lembrete SMS'],
    ]);
    await world.look(`update dunning_step_executions set status = 'done' where charge_id = $1`, [chargeId]);
    await world.look('update dunning_charges set is_disputed = true where id = $1', [chargeId]);
    world.setNow('2026-10-20T12:00:00Z');
    expect((await reasons()).map(([reason]: any) => reason)).toEqual(['already_done', 'past', 'disputed']);
  });

  test('takes a charge or a sample, not both and not neither', async () => {
    const ruleId = await createActiveRule([1]);
    expect(await failing(world.call('dunning_collection_rules_simulate', { id: ruleId }))).toMatchObject({
      code: 'invalid_argument',
      path: 'charge_id',
    });
  });
});
