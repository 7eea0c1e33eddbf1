import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCharge, createContact, createDebtor } from '../../../test/support/dunning.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import type { AppError } from '../../core/errors.ts';
import type { Context } from '../../core/operation.ts';
import { type Candidate, type Clearance, clearancesOf, countBlocks, requireCleared } from './index.ts';

let world: World;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
});
afterAll(() => world.close());

/** The gate as an operation of Aurora sees it. */
async function withContext<T>(work: (context: Context) => Promise<T>): Promise<T> {
  const { organizationId, runtime } = world;
  return runtime.database.read({ organizationId, workspaceId: null }, (db) => {
    const now = world.now();
    const today = new Date(now.getTime() - 3 * 3_600_000).toISOString().slice(0, 10);
    const context = { db, organizationId, now, today, timeZone: 'America/Sao_Paulo', isWriting: false };
    return work(context as unknown as Context);
  });
}

const clear = (candidate: Candidate): Promise<Clearance> =>
  withContext(async (context) => (await clearancesOf(context, [candidate]))[0]!);

const about = (personId: string, chargeId: string | null, more: Partial<Candidate> = {}): Candidate => ({
  personId,
  chargeId,
  channel: 'email',
  purpose: 'message',
  ...more,
});

const codeOf = (clearance: Clearance) => (clearance.isCleared ? null : clearance.code);

async function debtWith(fields: Parameters<typeof createDebtor>[1] = {}) {
  const personId = await createDebtor(world, fields);
  return { personId, chargeId: await createCharge(world, { person_id: personId }) };
}

const setCharge = (id: string, columns: string) =>
  world.look(`update dunning_charges set ${columns} where id = $1`, [id]);

describe('the charge', () => {
  test.each([
    ["status = 'paid', open_cents = 0", 'paid', 'invalid_state'],
    ["status = 'canceled'", 'canceled', 'invalid_state'],
    ["status = 'in_agreement'", 'in_agreement', 'charge_in_agreement'],
    ['is_disputed = true', 'disputed', 'charge_disputed'],
    ["dunning_state = 'paused', paused_reason = 'manual'", 'paused', 'charge_paused'],
    ["dunning_state = 'paused', paused_reason = 'promise'", 'promise', 'charge_paused'],
    ["dunning_state = 'paused', paused_reason = 'legal'", 'legal_hold', 'charge_paused'],
    ["dunning_state = 'paused', paused_reason = 'agreement'", 'in_agreement', 'charge_in_agreement'],
  ])('MODEL §14.14: with %s nobody is written to about it (%s)', async (columns, code, error) => {
    const { personId, chargeId } = await debtWith();
    await setCharge(chargeId, columns);
    expect(codeOf(await clear(about(personId, chargeId)))).toBe(code);
    expect(codeOf(await clear(about(personId, chargeId, { purpose: 'task' })))).toBe(code);
    const thrown = await withContext((context) => requireCleared(context, about(personId, chargeId))).catch(
      (failure: unknown) => failure,
    );
    expect((thrown as AppError).code).toBe(error);
  });

  test('an agreement may be talked about while it holds its charges, but not what is paid or disputed', async () => {
    const { personId, chargeId } = await debtWith();
    const proposal = about(personId, chargeId, { purpose: 'agreement' });
    await setCharge(
      chargeId,
      "status = 'in_agreement', dunning_state = 'paused', paused_reason = 'agreement'",
    );
    expect((await clear(proposal)).isCleared).toBe(true);
    await setCharge(chargeId, 'is_disputed = true');
    expect(codeOf(await clear(proposal))).toBe('disputed');
    await setCharge(chargeId, "is_disputed = false, status = 'paid'");
    expect(codeOf(await clear(proposal))).toBe('paid');
  });

  test('a legal step waits until the debt is late, and is not held by its own hold', async () => {
    const { personId, chargeId } = await debtWith();
    const step = about(personId, chargeId, { purpose: 'legal', channel: null });
    await setCharge(
      chargeId,
      "status = 'pending', due_date = '2026-10-01', adjusted_due_date = '2026-10-01'",
    );
    expect(codeOf(await clear(step))).toBe('not_late_yet');
    expect((await clear(about(personId, chargeId))).isCleared).toBe(true);
    await setCharge(chargeId, "due_date = '2026-09-30', adjusted_due_date = '2026-09-30'");
    expect((await clear(step)).isCleared).toBe(true);
    await setCharge(chargeId, "dunning_state = 'paused', paused_reason = 'legal'");
    expect((await clear(step)).isCleared).toBe(true);
    expect(codeOf(await clear({ ...step, at: new Date('2026-09-30T12:00:00Z') }))).toBe('not_late_yet');
    await world.look(
      `insert into dunning_holds (organization_id, charge_id, reason, source_id, created_by)
       values ($1, $2, 'promise', $2, $1)`,
      [world.organizationId, chargeId],
    );
    expect(codeOf(await clear(step))).toBe('promise');
  });
});

describe('the person', () => {
  test.each([
    ["archived_at = '2026-01-01'", 'archived'],
    ['deceased = true', 'deceased'],
    ['do_not_contact = true', 'do_not_contact'],
  ])('with %s nothing goes out', async (columns, code) => {
    const { personId, chargeId } = await debtWith();
    await world.look(`update dunning_people set ${columns} where id = $1`, [personId]);
    expect(codeOf(await clear(about(personId, chargeId)))).toBe(code);
    // Before whatever the charge says.
    await setCharge(chargeId, "status = 'canceled'");
    expect(codeOf(await clear(about(personId, chargeId)))).toBe(code);
  });

  test('who wants no contact may still be reported: that is no contact', async () => {
    const { personId, chargeId } = await debtWith({ do_not_contact: true });
    expect((await clear(about(personId, chargeId, { purpose: 'legal', channel: null }))).isCleared).toBe(
      true,
    );
  });

  test('of another organization there is no person', async () => {
    const [abroad] = await world.look<{ id: string }>("select id from organizations where name = 'Boreal'");
    const personId = await createDebtor(world, { organizationId: abroad!.id });
    await expect(clear(about(personId, null))).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the contact', () => {
  test('is the one asked for, else the primary, else the newest', async () => {
    const personId = await createDebtor(world, { email: null });
    const older = await createContact(world, personId, 'email', 'older@example.com');
    await world.look('update dunning_contacts set is_primary = false where id = $1', [older]);
    const newer = await createContact(world, personId, 'email', 'newer@example.com');
    await world.look('update dunning_contacts set is_primary = false where id = $1', [newer]);
    expect(await clear(about(personId, null))).toMatchObject({ contactId: newer });
    await world.look('update dunning_contacts set is_primary = true where id = $1', [older]);
    expect(await clear(about(personId, null))).toMatchObject({ contactId: older });
    expect(await clear(about(personId, null, { contactId: newer }))).toMatchObject({ contactId: newer });
    await world.look("update dunning_contacts set validity = 'bounced' where id = $1", [older]);
    expect(await clear(about(personId, null))).toMatchObject({ contactId: newer });
  });

  test('PITFALLS 54: an opt-out of one form of a number closes the other form and the other channels', async () => {
    const personId = await createDebtor(world, { phone: null });
    const long = await createContact(world, personId, 'whatsapp', '+5531996883193');
    await createContact(world, personId, 'sms', '+553196883193');
    await world.look("update dunning_contacts set consent = 'opted_out' where id = $1", [long]);
    expect(codeOf(await clear(about(personId, null, { channel: 'whatsapp' })))).toBe('opted_out');
    expect(codeOf(await clear(about(personId, null, { channel: 'sms' })))).toBe('opted_out');
    expect((await clear(about(personId, null))).isCleared).toBe(true);
  });

  test('a wrong person is not written to, and neither is nobody', async () => {
    const personId = await createDebtor(world, { phone: null });
    await world.look("update dunning_contacts set validity = 'wrong_person' where person_id = $1", [
      personId,
    ]);
    expect(codeOf(await clear(about(personId, null)))).toBe('wrong_person');
    expect(codeOf(await clear(about(personId, null, { channel: 'sms' })))).toBe('no_contact');
    // Somebody may still be told to act, but not to call a wrong person.
    expect((await clear(about(personId, null, { channel: 'phone', purpose: 'task' }))).isCleared).toBe(true);
    expect(codeOf(await clear(about(personId, null, { purpose: 'task' })))).toBe('wrong_person');
  });

  test('a letter needs the address of the debtor and nothing else', async () => {
    const personId = await createDebtor(world);
    expect(await clear(about(personId, null, { channel: 'letter' }))).toMatchObject({
      isCleared: true,
      contactId: null,
    });
    const nowhere = await createDebtor(world, { address: null });
    expect(codeOf(await clear(about(nowhere, null, { channel: 'letter' })))).toBe('no_contact');
    const letter = await createContact(world, personId, 'letter', 'Rua das Flores 1');
    await world.look("update dunning_contacts set consent = 'opted_out' where id = $1", [letter]);
    expect(codeOf(await clear(about(personId, null, { channel: 'letter' })))).toBe('opted_out');
  });

  test('a channel that the organization does not use is off', async () => {
    const personId = await createDebtor(world);
    await world.call('dunning_notification_preferences_update', { channels: ['email'] });
    expect(codeOf(await clear(about(personId, null, { channel: 'sms' })))).toBe('channel_off');
    expect((await clear(about(personId, null))).isCleared).toBe(true);
    await world.call('dunning_notification_preferences_update', {
      channels: ['email', 'sms', 'whatsapp', 'letter'],
    });
  });
});

describe('the moment', () => {
  const sms = async (state: string | null, at: string) => {
    const personId = await createDebtor(world, { state });
    return clear(about(personId, null, { channel: 'sms', at: new Date(at) }));
  };

  test('PITFALLS 53: Saturday afternoon moves to Monday, in each state to its own hour', async () => {
    // 14:30 in São Paulo.
    const saturday = '2026-10-17T17:30:00Z';
    const next = async (state: string | null) => {
      const clearance = await sms(state, saturday);
      return clearance.isCleared ? null : new Date(clearance.nextAt!).toISOString();
    };
    expect(await next('SP')).toBe('2026-10-19T11:00:00.000Z');
    expect(await next('RJ')).toBe('2026-10-19T12:00:00.000Z');
    // A state that nobody knows counts as São Paulo.
    expect(await next(null)).toBe('2026-10-19T11:00:00.000Z');
    expect(await next('AC')).toBe(null);
  });

  test('PITFALLS 53: a holiday moves to the day after', async () => {
    const clearance = await sms('SP', '2026-10-12T17:30:00Z');
    expect(clearance).toMatchObject({ isCleared: false, code: 'window_closed' });
    expect(!clearance.isCleared && Date.parse(clearance.nextAt!)).toBe(Date.parse('2026-10-13T11:00:00Z'));
  });

  test('MODEL §14.15: after the messages of a day the next one waits for the next morning', async () => {
    const personId = await createDebtor(world);
    await world.look(
      `insert into dunning_contact_slots (organization_id, person_id, contact_on, ordinal, notification_id, channel,
                                          policy_version, taken_at)
       values ($1, $2, '2026-10-01', 1, $2, 'sms', '1', now())`,
      [world.organizationId, personId],
    );
    const clearance = await clear(about(personId, null));
    expect(clearance).toMatchObject({ isCleared: false, code: 'daily_cap' });
    expect(!clearance.isCleared && Date.parse(clearance.nextAt!)).toBe(Date.parse('2026-10-02T11:00:00Z'));
    expect((await clear(about(personId, null, { at: new Date('2026-10-02T15:00:00Z') }))).isCleared).toBe(
      true,
    );
    expect((await clear(about(personId, null, { channel: 'phone', purpose: 'task' }))).isCleared).toBe(true);
  });

  test('a message that waits for its turn that day counts as one of the day', async () => {
    const personId = await createDebtor(world);
    await world.look(
      `insert into dunning_notifications (organization_id, id, person_id, channel, own_body, trigger, scheduled_for, status,
                                          created_by)
       values ($1, gen_random_uuid(), $2, 'email', 'x', 'manual', '2026-10-02T15:00:00Z', 'scheduled', $1)`,
      [world.organizationId, personId],
    );
    expect((await clear(about(personId, null))).isCleared).toBe(true);
    const thatDay = about(personId, null, { at: new Date('2026-10-02T12:00:00Z') });
    expect(codeOf(await clear(thatDay))).toBe('daily_cap');
    expect((await clear({ ...thatDay, at: new Date('2026-10-05T12:00:00Z') })).isCleared).toBe(true);
  });
});

test('blocks are counted by their reasons, and candidates answered in their order', async () => {
  const first = await debtWith();
  const second = await debtWith({ deceased: true });
  await setCharge(first.chargeId, 'is_disputed = true');
  const third = await debtWith();
  const clearances = await withContext((context) =>
    clearancesOf(context, [
      about(second.personId, second.chargeId),
      about(first.personId, first.chargeId),
      about(third.personId, third.chargeId),
      about(first.personId, first.chargeId, { at: new Date('2026-10-03T12:00:00Z') }),
    ]),
  );
  expect(clearances.map(codeOf)).toEqual(['deceased', 'disputed', null, 'disputed']);
  expect(countBlocks(clearances)).toEqual({ deceased: 1, disputed: 2 });
});
