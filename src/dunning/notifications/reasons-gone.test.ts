import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runDunningJob } from '../../../test/support/dunning.ts';
import { type LegalWorld, openLegalWorld } from '../../../test/support/legal.ts';
import type { World } from '../../../test/support/world.ts';
import type { DunningGateways } from '../../gateways/dunning.ts';
import { type MessagePort, MessageUnreachable } from '../../gateways/messages/port.ts';

let legal: LegalWorld;
let world: World;

beforeAll(async () => {
  legal = await openLegalWorld();
  world = legal.world;
  await world.call('dunning_settings_update', { daily_cap_per_person: 3 });
});
afterAll(() => world.close());

const get = (id: string) => world.call('dunning_notifications_get', { id });

/** Runs the sender with a carrier that nobody reaches, while something else happens. */
async function sendUnreachable(meanwhile: () => Promise<unknown>): Promise<void> {
  const port: MessagePort = {
    name: 'carrier',
    async send() {
      await meanwhile();
      throw new MessageUnreachable('nobody answers');
    },
    find: async () => ({ state: 'absent' }),
  };
  const messages = { email: port, sms: port, whatsapp: port, letter: port };
  const gateways = { ...legal.gateways, messages } as DunningGateways;
  expect(await runDunningJob(world, gateways, 'dunning_send_messages')).toBeUndefined();
}

async function proposal(): Promise<{ id: string; notificationId: string }> {
  const chargeId = await legal.charge({ state: 'SC' });
  const { person } = await world.call('dunning_charges_get', { id: chargeId });
  const { id } = await world.call('dunning_agreements_create', {
    person_id: person.id,
    charge_ids: [chargeId],
    negotiated_total: '90.00',
    plan: { installments: 2, first_due_date: '2026-10-20' },
    valid_until: '2026-10-15',
  });
  const sent = await world.call('dunning_agreements_send', { id, channel: 'email' });
  return { id, notificationId: sent['notification_id'] };
}

describe('a message that was called off while it was being handed over', () => {
  test('and did not leave is not tried again: the notice of a report', async () => {
    world.setNow('2026-10-05T15:00:00Z');
    const id = await legal.approvedReport(await legal.charge({ state: 'SC' }));
    const { prior_notice } = await world.call('dunning_negativations_get', { id });
    await sendUnreachable(() =>
      world.call('dunning_negativations_cancel', { id, reason: 'Engano' }, 'colleague'),
    );
    expect(await get(prior_notice.notification_id)).toMatchObject({
      status: 'canceled',
      status_reason: 'requested',
    });
    await legal.at('2026-10-05T17:00:00Z');
    expect(legal.messages.sent.map(({ key }) => key)).not.toContain(prior_notice.notification_id);
  });

  test('the offer of an agreement that was canceled meanwhile', async () => {
    world.setNow('2026-10-06T15:00:00Z');
    const { id, notificationId } = await proposal();
    await sendUnreachable(() => world.call('dunning_agreements_cancel', { id, reason: 'Engano' }));
    await legal.at('2026-10-06T17:00:00Z');
    expect(await get(notificationId)).toMatchObject({ status: 'canceled', sent_at: null });
    expect(legal.messages.sent.map(({ key }) => key)).not.toContain(notificationId);
  });

  test('and left all the same says that it was sent', async () => {
    world.setNow('2026-10-07T15:00:00Z');
    const { id, notificationId } = await proposal();
    const { email } = legal.messages;
    const port: MessagePort = {
      ...email,
      async send(message) {
        await world.call('dunning_agreements_cancel', { id, reason: 'Engano' });
        return email.send(message);
      },
    };
    const gateways = { ...legal.gateways, messages: { ...legal.messages, email: port } };
    expect(await runDunningJob(world, gateways, 'dunning_send_messages')).toBeUndefined();
    expect(await get(notificationId)).toMatchObject({ status: 'sent', status_reason: null });
  });
});

test('the offer of an agreement is not sent again as it was: its figures may be of another day', async () => {
  world.setNow('2026-10-08T15:00:00Z');
  const { id, notificationId } = await proposal();
  await legal.at('2026-10-08T15:01:00Z');
  expect(await get(notificationId)).toMatchObject({ status: 'sent' });
  await world.call('dunning_agreements_cancel', { id, reason: 'Engano' });
  await expect(world.call('dunning_notifications_resend', { id: notificationId })).rejects.toMatchObject({
    code: 'invalid_state',
    details: { from: 'agreement' },
  });
});
