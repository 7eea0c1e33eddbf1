import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCharge, createDebtor } from '../../../test/support/dunning.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { jobContextOf } from '../../core/job.ts';
import type { WriteContext } from '../../core/operation.ts';
import type { DeliveryReport } from '../../gateways/messages/port.ts';
import { dunning } from '../index.ts';
import { applyReports, cancelNotifications, type NotificationDraft, queueNotification } from './index.ts';

let world: World;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
});
beforeEach(() => world.setNow('2026-10-01T12:00:00Z'));
afterAll(() => world.close());

/** As a job of an organization does it, by default of Aurora. */
const write = <T>(work: (context: WriteContext) => Promise<T>, organizationId = world.organizationId) =>
  jobContextOf(
    world.runtime.portsOf(dunning.catalogue),
    'test',
    {},
    { organizationId, workspaceId: null, timeZone: 'America/Sao_Paulo' },
    null,
  ).write(work);

async function draftFor(fields: Partial<NotificationDraft> = {}): Promise<NotificationDraft> {
  const personId = await createDebtor(world);
  const chargeId = await createCharge(world, { person_id: personId });
  return {
    personId,
    chargeIds: [chargeId],
    channel: 'email',
    ownSubject: 'Uma mensagem para você',
    ownBody: 'Olá.',
    trigger: 'manual',
    ...fields,
  };
}

const queue = async (fields: Partial<NotificationDraft> = {}) => {
  const draft = await draftFor(fields);
  return write((context) => queueNotification(context, draft));
};

const statusOf = async (id: string) => {
  const [row] = await world.look<{ status: string; status_reason: string | null }>(
    'select status, status_reason from dunning_notifications where id = $1',
    [id],
  );
  return row!;
};

describe('queueNotification', () => {
  test('PITFALLS 53: moves a legal notice to the opening, and refuses what a person sends', async () => {
    world.setNow('2026-10-17T17:30:00Z');
    const notice = await queue({ trigger: 'prior_notice' });
    expect(notice).toMatchObject({
      status: 'scheduled',
      scheduled_for: expect.stringContaining('2026-10-19T11:00'),
    });
    await expect(queue({ trigger: 'agreement' })).rejects.toMatchObject({ code: 'contact_window_closed' });
  });

  test('the day full, a legal notice waits for the next', async () => {
    const first = await queue();
    const draft = await draftFor({
      personId: first.person_id,
      chargeIds: first.charge_ids,
      trigger: 'prior_notice',
    });
    const second = await write((context) => queueNotification(context, draft));
    expect(second).toMatchObject({
      status: 'scheduled',
      scheduled_for: expect.stringContaining('2026-10-02T11:00'),
    });
  });

  test('moves nothing that cannot pass by itself', async () => {
    const draft = await draftFor({ trigger: 'prior_notice' });
    await world.look('update dunning_people set deceased = true where id = $1', [draft.personId]);
    await expect(write((context) => queueNotification(context, draft))).rejects.toMatchObject({
      code: 'contact_blocked',
      details: { reason: 'deceased' },
    });
  });
});

describe('cancelNotifications', () => {
  test('calls off what waits about one charge, and leaves what is about more or being sent', async () => {
    const waiting = await queue();
    const [chargeId] = waiting.charge_ids;
    const other = await createCharge(world, { person_id: waiting.person_id });
    const later = new Date('2026-10-05T12:00:00Z');
    const about = { personId: waiting.person_id, scheduledFor: later };
    const draft = await draftFor({ ...about, chargeIds: [chargeId!, other] });
    const both = await write((context) => queueNotification(context, draft));
    const canceled = await write((context) => cancelNotifications(context, { chargeId: chargeId! }, 'paid'));
    expect(canceled).toBe(1);
    expect(await statusOf(waiting.id)).toEqual({ status: 'canceled', status_reason: 'paid' });
    expect(await statusOf(both.id)).toMatchObject({ status: 'scheduled' });
    expect(await write((context) => cancelNotifications(context, {}, 'paid'))).toBe(0);
  });
});

describe('applyReports', () => {
  const report = (key: string | null, fields: Partial<DeliveryReport> = {}): DeliveryReport => ({
    reportId: 'one',
    key,
    providerId: null,
    status: 'delivered',
    at: new Date('2026-10-01T12:01:00Z'),
    detail: null,
    ...fields,
  });
  const apply = (reports: DeliveryReport[], organizationId?: string) =>
    write((context) => applyReports(context, 'carrier', reports), organizationId);

  async function sent(providerId = 'x') {
    const row = await queue();
    await world.look(
      "update dunning_notifications set status = 'sent', sent_at = now(), provider = 'carrier', provider_id = $2 where id = $1",
      [row.id, providerId],
    );
    return row;
  }

  test('finds the message by our key or by the name the carrier gave it, and keeps a report once', async () => {
    const row = await sent('by-name');
    const named = report(null, { providerId: 'by-name' });
    expect(await apply([named, named])).toEqual({ applied: 1, unknown: 0 });
    expect(await apply([report(row.id), report(row.id, { reportId: 'two', status: 'read' })])).toEqual({
      applied: 1,
      unknown: 0,
    });
    expect(await statusOf(row.id)).toMatchObject({ status: 'read' });
    const { trail } = await world.call('dunning_notifications_get', { id: row.id });
    expect(trail.map(({ status }: { status: string }) => status)).toEqual(['delivered', 'read']);
  });

  test('does nothing for a message of another organization, of another carrier, or of nobody', async () => {
    const row = await sent('of-aurora');
    const [abroad] = await world.look<{ id: string }>("select id from organizations where name = 'Boreal'");
    const byName = report(null, { providerId: 'of-aurora' });
    expect(await apply([report(row.id), byName], abroad!.id)).toEqual({ applied: 0, unknown: 2 });
    const elsewhere = await write((context) => applyReports(context, 'other', [byName]));
    expect(elsewhere).toEqual({ applied: 0, unknown: 1 });
    expect(await apply([report('not a key')])).toEqual({ applied: 0, unknown: 1 });
    expect(await statusOf(row.id)).toMatchObject({ status: 'sent' });
  });

  test.each([
    ['years before', '2001-01-01T00:00:00Z', '2026-10-01T12:00:00'],
    ['years ahead', '+099999-01-01T00:00:00Z', '2026-10-01T12:00:30'],
  ])(
    'PITFALLS 55: by a clock %s, a message arrives between its sending and now',
    async (_clock, at, delivered) => {
      world.setNow('2026-10-01T12:00:00Z');
      const row = await sent();
      await world.look('update dunning_notifications set sent_at = $2 where id = $1', [row.id, world.now()]);
      world.setNow('2026-10-01T12:00:30Z');
      await apply([report(row.id, { at: new Date(at) })]);
      const shown = await world.call('dunning_notifications_get', { id: row.id });
      expect(shown).toMatchObject({ status: 'delivered', delivered_at: expect.stringContaining(delivered) });
    },
  );

  test('a report that overtakes the answer of the carrier counts', async () => {
    const row = await queue();
    await world.look('update dunning_notifications set claimed_at = now() where id = $1', [row.id]);
    await apply([report(row.id)]);
    expect(await statusOf(row.id)).toMatchObject({ status: 'delivered' });
  });

  test('what was called off is moved by no report', async () => {
    const row = await queue();
    await world.call('dunning_notifications_cancel', { id: row.id });
    await apply([report(row.id)]);
    expect(await statusOf(row.id)).toMatchObject({ status: 'canceled' });
  });

  test('what becomes of a legal notice is told to whoever follows its charge', async () => {
    const row = await sent();
    await world.look('update dunning_notifications set negativation_id = $2 where id = $1', [row.id, row.id]);
    await apply([report(row.id)]);
    const jobs = await world.look<{ payload: { chargeId: string } }>(
      `select j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
        where t.identifier = 'dunning_follow_charge'`,
    );
    expect(jobs.map(({ payload }) => payload.chargeId)).toContain(row.charge_ids[0]);
  });

  test('a contact that was removed since does not keep a report back', async () => {
    const row = await sent();
    await world.look('delete from dunning_contacts where id = $1', [row.contact_id]);
    expect(await apply([report(row.id, { status: 'bounced', detail: '550\u0007 gone\u202e' })])).toEqual({
      applied: 1,
      unknown: 0,
    });
    const { trail, status } = await world.call('dunning_notifications_get', { id: row.id });
    expect(status).toBe('bounced');
    expect(trail[0].detail).toBe('550 gone');
  });
});
