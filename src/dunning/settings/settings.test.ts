import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openWorld, type World } from '../../../test/support/world.ts';
import { lawfulHours, STATES } from '../contact-law/index.ts';
import { changedSettings, contactPolicyOf, defaultSettings, settingsFieldsOf } from './rules.ts';

const GET = 'dunning_settings_get';
const UPDATE = 'dunning_settings_update';
const PREFERENCES = 'dunning_notification_preferences_get';
const PREFER = 'dunning_notification_preferences_update';

let world: World;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
});
afterAll(() => world.close());
beforeEach(() => world.look('delete from dunning_settings'));

const update = (args: object, who?: Parameters<World['call']>[2]) => world.call(UPDATE, args, who);
const windowOf = (settings: Record<string, any>, state: string) =>
  settings['contact_windows'].find(({ states }: { states: string[] }) => states.includes(state));

describe('what is in force', () => {
  test('is the law and the defaults where nobody decided', async () => {
    const settings = await world.call(GET);
    expect(settings).toMatchObject({
      time_zone: 'America/Sao_Paulo',
      creditor: { legal_name: null, document_number: null, address: null, phone: null, email: null },
      default_terms: null,
      warnings: [],
      payment_allocation: 'interest_fine_principal',
      interest_from: 'original',
      email_in_contact_windows: true,
      daily_cap_per_person: 1,
      agreement_default_after_days: 15,
      promise_grace_business_days: 1,
      legal: {
        min_days_overdue: 1,
        min_amount: '0.00',
        removal_business_days: 5,
        remove_bureau_on: 'first_installment',
      },
      policy_version: '2026-03.1',
      updated_by: null,
      updated_at: null,
      version: null,
    });
    expect(settings['contact_windows'].flatMap(({ states }: { states: string[] }) => states).sort()).toEqual([
      ...STATES,
    ]);
    expect(windowOf(settings, 'RJ')).toEqual({
      states: ['RJ'],
      weekdays: { from: '09:00', to: '19:00' },
      saturday: null,
    });
    expect(settings['legal'].prior_notice_days).toContainEqual({ states: ['PE', 'SP'], days: 20 });
    expect(await world.call(PREFERENCES)).toEqual({
      channels: ['email', 'sms', 'whatsapp', 'phone', 'letter'],
      sender_name: null,
      reply_to: null,
      language: 'pt-BR',
      daily_cap_per_person: 1,
      channel_caps: { email: null, sms: null, whatsapp: null, phone: null, letter: null },
      quiet_hours: null,
      policy_version: '2026-03.1',
      updated_at: null,
      version: null,
    });
  });

  test('is what was set last, each part on its own, of this organization only', async () => {
    await update({
      creditor: { legal_name: 'Escola Aurora Ltda', document_number: '11.222.333/0001-81' },
      default_terms: {
        fine: { kind: 'percent', value: '2' },
        interest: { kind: 'percent_per_month', value: '1' },
      },
    });
    const second = await update({
      creditor: { phone: '(11) 4002-8922' },
      payment_allocation: 'fine_interest_principal',
      interest_from: 'adjusted',
      agreement_default_after_days: 30,
      promise_grace_business_days: 2,
      legal: {
        min_days_overdue: 15,
        min_amount: '50.00',
        removal_business_days: 3,
        remove_bureau_on: 'accept',
      },
    });
    expect(second).toMatchObject({
      creditor: {
        legal_name: 'Escola Aurora Ltda',
        document_number: '11222333000181',
        phone: '(11) 4002-8922',
      },
      default_terms: { fine: { kind: 'percent', value: '2' }, grace_days: 0 },
      warnings: [],
      payment_allocation: 'fine_interest_principal',
      legal: {
        min_days_overdue: 15,
        min_amount: '50.00',
        removal_business_days: 3,
        remove_bureau_on: 'accept',
      },
      updated_at: '2026-10-01T12:00:00Z',
      version: 2,
    });
    expect(await world.call(GET)).toEqual(second);
    expect(await world.call(GET, {}, 'stranger')).toMatchObject({ default_terms: null, version: null });
    expect(
      (await update({ default_terms: null, creditor: { legal_name: null } }))['default_terms'],
    ).toBeNull();
  });

  test('keeps both of two first changes made at the same moment', async () => {
    await Promise.all([update({ interest_from: 'adjusted' }), update({ daily_cap_per_person: 2 })]);
    expect(await world.call(GET)).toMatchObject({
      interest_from: 'adjusted',
      daily_cap_per_person: 2,
      version: 2,
    });
  });

  test('warns of terms that consumers may not be charged or that a court may reduce', async () => {
    const terms = (fine: string, interest: object) => ({
      default_terms: { fine: { kind: 'percent', value: fine }, interest },
    });
    const warnings = async (args: object) => (await update(args))['warnings'];
    expect(await warnings(terms('2.0001', { kind: 'percent_per_month', value: '1.01' }))).toEqual([
      'fine_above_consumer_limit',
      'interest_above_one_percent_a_month',
    ]);
    expect(await warnings(terms('2', { kind: 'percent_per_day', value: '0.0333' }))).toEqual([]);
    expect(await warnings(terms('2', { kind: 'percent_per_day', value: '0.0334' }))).toHaveLength(1);
    expect(await warnings(terms('2', { kind: 'percent_per_year', value: '12' }))).toEqual([]);
    expect(await warnings(terms('2', { kind: 'percent_per_year', value: '12.1' }))).toHaveLength(1);
  });
});

describe('contact hours and notice', () => {
  test('are narrowed by state, and those left out keep the hours of the law', async () => {
    const settings = await update({
      contact_windows: [
        { states: ['SP', 'MG'], weekdays: { from: '09:00', to: '18:00' }, saturday: null },
        { states: ['RJ'], weekdays: { from: '10:00', to: '19:00' } },
      ],
    });
    expect(windowOf(settings, 'MG')).toEqual({
      states: ['MG', 'SP'],
      weekdays: { from: '09:00', to: '18:00' },
      saturday: null,
    });
    expect(windowOf(settings, 'RJ')).toMatchObject({
      weekdays: { from: '10:00', to: '19:00' },
      saturday: null,
    });
    expect(windowOf(settings, 'BA').states).not.toContain('SP');
    expect((await update({ contact_windows: [] }))['contact_windows']).toEqual(
      settingsFieldsOf(defaultSettings).contact_windows,
    );
  });

  test('come back the same when what was read is sent again', async () => {
    const read = await update({
      contact_windows: [{ states: ['SP'], weekdays: { from: '09:00', to: '18:00' } }],
      legal: { prior_notice_days: [{ states: ['SC'], days: 12 }] },
    });
    const again = await update({
      contact_windows: read['contact_windows'],
      legal: { prior_notice_days: read['legal'].prior_notice_days },
    });
    expect(again).toMatchObject({
      contact_windows: read['contact_windows'],
      legal: read['legal'],
      policy_version: read['policy_version'],
    });
  });

  const refused = (args: object, path: string, tool = UPDATE) =>
    expect(world.call(tool, args)).rejects.toMatchObject({ code: 'invalid_argument', details: { path } });

  test('are never wider or shorter than the law', async () => {
    const window = (state: string, fields: object) => ({ contact_windows: [{ states: [state], ...fields }] });
    await refused(window('SP', { weekdays: { from: '07:59', to: '18:00' } }), 'contact_windows.0.weekdays');
    await refused(window('ES', { weekdays: { from: '08:00', to: '20:00' } }), 'contact_windows.0.weekdays');
    await refused(window('RJ', { saturday: { from: '10:00', to: '11:00' } }), 'contact_windows.0.saturday');
    await refused(window('SP', { saturday: { from: '12:00', to: '12:00' } }), 'contact_windows.0.saturday');
    const notice = (state: string, days: number) => ({
      legal: { prior_notice_days: [{ states: ['AC', state], days }] },
    });
    await refused(notice('MT', 44), 'legal.prior_notice_days.0.days');
    await refused({ legal: { removal_business_days: 6 } }, 'legal.removal_business_days');
    expect((await update(notice('MT', 45)))['legal'].prior_notice_days).toContainEqual({
      states: ['AC', 'MT'],
      days: 45,
    });
  });

  test('name a state once, and leave every state some time in a week', async () => {
    const hours = { weekdays: { from: '09:00', to: '10:00' } };
    const twice = [
      { states: ['SP'], ...hours },
      { states: ['MG', 'SP'], ...hours },
    ];
    await refused({ contact_windows: twice }, 'contact_windows.1.states');
    await refused({ contact_windows: [{ states: ['XX'], ...hours }] }, 'contact_windows.0.states.0');
    await refused(
      { contact_windows: [{ states: ['SP'], weekdays: null, saturday: null }] },
      'contact_windows',
    );
    await update({ contact_windows: [{ states: ['SP'], ...hours, saturday: null }] });
    await refused({ quiet_hours: { from: '20:00', to: '10:00' } }, 'quiet_hours', PREFER);
    await refused({ quiet_hours: { from: '08:00', to: '20:00' } }, 'quiet_hours', PREFER);
    expect(await world.call(PREFER, { quiet_hours: { from: '20:00', to: '09:30' } })).toMatchObject({
      quiet_hours: { from: '20:00', to: '09:30' },
    });
  });

  test('no accepted window is ever outside the law of its state', () => {
    const time = fc
      .integer({ min: 0, max: 1439 })
      .map((minute) => new Date(minute * 60_000).toISOString().slice(11, 16));
    const hours = fc.option(fc.record({ from: time, to: time }));
    fc.assert(
      fc.property(fc.constantFrom(...STATES), hours, hours, (state, weekdays, saturday) => {
        const given = { contact_windows: [{ states: [state], weekdays, saturday }] };
        let policy: ReturnType<typeof contactPolicyOf>;
        try {
          policy = contactPolicyOf(changedSettings(defaultSettings, given), 1);
        } catch {
          return;
        }
        for (const [day, own] of Object.entries(policy.windows[state] ?? {})) {
          const lawful = lawfulHours(state)[Number(day) as 1];
          if (own === null || own === undefined) continue;
          expect(lawful !== null && own.from >= lawful.from && own.to <= lawful.to && own.from < own.to).toBe(
            true,
          );
        }
      }),
    );
  });
});

describe('preferences', () => {
  test('change one by one; caps of a channel come and go', async () => {
    await world.call(PREFER, {
      channels: ['letter', 'email', 'email'],
      sender_name: 'Escola Aurora',
      channel_caps: { email: 1, sms: 0 },
    });
    const second = await world.call(PREFER, {
      reply_to: 'cobranca@aurora.example.com',
      language: 'en',
      channel_caps: { sms: null },
    });
    expect(second).toMatchObject({
      channels: ['email', 'letter'],
      sender_name: 'Escola Aurora',
      reply_to: 'cobranca@aurora.example.com',
      language: 'en',
      channel_caps: { email: 1, sms: null },
      version: 2,
    });
    expect(await world.call(PREFERENCES)).toEqual(second);
  });

  test('a change of what decides on contacts moves the version of the policy, any other does not', async () => {
    const version = async () => (await world.call(GET))['policy_version'];
    await update({ interest_from: 'adjusted' });
    await world.call(PREFER, { sender_name: 'Escola', language: 'en' });
    expect(await version()).toBe('2026-03.1');
    await update({ contact_windows: [{ states: ['SP', 'AC'], weekdays: { from: '09:00', to: '18:00' } }] });
    expect(await version()).toBe('2026-03.2');
    await update({ contact_windows: [{ states: ['AC', 'SP'], weekdays: { from: '09:00', to: '18:00' } }] });
    expect(await version()).toBe('2026-03.2');
    await world.call(PREFER, { channels: ['email'] });
    await world.call(PREFER, { quiet_hours: { from: '19:00', to: '09:00' } });
    await world.call(PREFER, { quiet_hours: { from: '19:00', to: '09:00' }, channels: ['email'] });
    expect(await version()).toBe('2026-03.4');
  });
});

test('a change is an event with all settings before and after', async () => {
  await update({ daily_cap_per_person: 3 });
  const [event] = await world.look<{ body: string }>(
    'select body from events where operation = $1 order by position desc limit 1',
    [UPDATE],
  );
  expect(JSON.parse(event!.body).changes).toMatchObject([
    {
      kind: 'settings',
      before: { daily_cap_per_person: 1 },
      after: { daily_cap_per_person: 3, version: 1, notification_preferences: { daily_cap_per_person: 3 } },
    },
  ]);
});

test('refuses nothing to change, a wrong document, and whoever may not', async () => {
  await expect(update({})).rejects.toMatchObject({ code: 'invalid_argument' });
  await expect(world.call(PREFER, {})).rejects.toMatchObject({ code: 'invalid_argument' });
  await expect(update({ creditor: { document_number: '11222333000182' } })).rejects.toMatchObject({
    code: 'invalid_document_number',
    details: { path: 'creditor.document_number' },
  });
  await expect(update({ daily_cap_per_person: 0 })).rejects.toMatchObject({ code: 'invalid_argument' });
  await expect(update({ daily_cap_per_person: 2 }, 'reader')).rejects.toMatchObject({
    code: 'insufficient_scope',
  });
  await expect(update({ daily_cap_per_person: 2 }, 'viewer')).rejects.toMatchObject({ code: 'forbidden' });
  expect(await world.call(GET, {}, 'viewer')).toMatchObject({ daily_cap_per_person: 1 });
});

test('a change repeated with its key is made once', async () => {
  const args = { daily_cap_per_person: 2, idempotency_key: 'settings-1' };
  const first = await update(args);
  expect(await update(args)).toEqual(first);
  expect(await world.call(GET)).toMatchObject({ version: 1 });
});
