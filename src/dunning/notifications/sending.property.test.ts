import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCharge, createDebtor, runDunningJob } from '../../../test/support/dunning.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import type { DunningGateways } from '../../gateways/dunning.ts';
import { MessageOutcomeUnknown, type MessagePort, MessageUnreachable } from '../../gateways/messages/port.ts';

let world: World;
const people: { personId: string; chargeId: string }[] = [];

beforeAll(async () => {
  world = await openWorld({ product: 'dunning', poolSize: 8 });
  for (let index = 0; index < 4; index += 1) {
    const personId = await createDebtor(world);
    people.push({ personId, chargeId: await createCharge(world, { person_id: personId }) });
  }
});
afterAll(() => world.close());

const fates = [
  'taken',
  'dies before',
  'dies after',
  'unreachable',
  'unknown before',
  'unknown after',
] as const;

/** One round: what happens to the messages handed over in it, how many senders run, and the minutes that pass then. */
const round = fc.record({
  fates: fc.array(fc.constantFrom(...fates), { minLength: 1, maxLength: 4 }),
  senders: fc.integer({ min: 1, max: 2 }),
  minutes: fc.integer({ min: 0, max: 5 }),
});

/** A carrier that does not recognize a message it had before: sending it twice reaches the debtor twice. */
function forgetfulCarrier() {
  const taken: string[] = [];
  let next = 0;
  let plan: readonly (typeof fates)[number][] = ['taken'];
  const port: MessagePort = {
    name: 'carrier',
    async send({ key }) {
      const fate = plan[next % plan.length]!;
      next += 1;
      if (fate === 'dies before') throw new Error('killed');
      if (fate === 'unreachable') throw new MessageUnreachable('nobody answers');
      if (fate === 'unknown before') throw new MessageOutcomeUnknown('the connection broke');
      taken.push(key);
      if (fate === 'dies after') throw new Error('killed');
      if (fate === 'unknown after') throw new MessageOutcomeUnknown('the answer was lost');
      return { providerId: key };
    },
    find: async (key) => (taken.includes(key) ? { state: 'taken', providerId: key } : { state: 'absent' }),
  };
  const messages = { email: port, sms: port, whatsapp: port, letter: port };
  return {
    taken,
    gateways: { messages } as unknown as DunningGateways,
    plan: (fates: typeof plan) => {
      plan = fates;
    },
  };
}

// Each run is some thirty jobs on the real database, so there are fewer of them.
test('PITFALLS 52: whatever dies, gets lost or runs at once, no message goes out twice and none is forgotten', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 6 }), async (rounds) => {
      await world.look('delete from dunning_notifications');
      await world.look('delete from dunning_contact_slots');
      let clock = Date.parse('2026-10-01T12:00:00Z');
      const pass = (minutes: number) => {
        clock += minutes * 60_000;
        world.setNow(new Date(clock).toISOString());
      };
      pass(0);
      await queueTwoEach();
      const { taken, gateways, plan } = forgetfulCarrier();
      const send = () => runDunningJob(world, gateways, 'dunning_send_messages');
      for (const { fates: planned, senders, minutes } of rounds) {
        plan(planned);
        await Promise.all(Array.from({ length: senders }, send));
        pass(minutes);
      }
      plan(['taken']);
      // Today's messages, after every wait; then those that the day had no room for.
      for (const minutes of [3, 90, 24 * 60, 90]) {
        pass(minutes);
        await send();
      }
      expect(taken.length).toBe(new Set(taken).size);
      const rows = await world.look<{ id: string; status: string; slots: number }>(
        `select n.id, n.status, (select count(*)::integer from dunning_contact_slots s where s.notification_id = n.id) as slots
           from dunning_notifications n`,
      );
      for (const { id, status, slots } of rows) {
        expect([status, slots]).toEqual(taken.includes(id) ? ['sent', 1] : ['failed', 0]);
      }
    }),
    { numRuns: 25 },
  );
}, 180_000);

async function queueTwoEach(): Promise<void> {
  const messages = people.flatMap((one) => [one, one]).map((one) => ({ id: newId(), ...one }));
  await world.look(
    `insert into dunning_notifications (organization_id, id, person_id, charge_id, channel, own_body, trigger, scheduled_for,
                                        status, queued_at, created_by)
     select $1, m.id, m."personId", m."chargeId", 'sms', 'Olá', 'manual', $3, 'queued', $3, $1
       from jsonb_to_recordset($2) as m (id uuid, "personId" uuid, "chargeId" uuid)`,
    [world.organizationId, JSON.stringify(messages), world.now()],
  );
}
