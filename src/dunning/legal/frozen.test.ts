/** While the organization is frozen no debtor hears anything and no office is asked for anything against one. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { runDunningQueue } from '../../../test/support/dunning.ts';
import { type LegalWorld, openLegalWorld } from '../../../test/support/legal.ts';

let legal: LegalWorld;
beforeAll(async () => {
  legal = await openLegalWorld();
});
afterAll(() => legal.world.close());

const freeze = (isFrozen: boolean) =>
  legal.world.look(
    `insert into controls (tenant_id, organization_id, frozen_at, updated_at) values ($1, $1, $2, now())
     on conflict (tenant_id) do update set frozen_at = $2`,
    [legal.world.organizationId, isFrozen ? legal.world.now() : null],
  );
const statusOf = async (kind: string, id: string) =>
  (await legal.world.call(`dunning_${kind}_get`, { id }))['status'];
const reportsOf = (id: string) =>
  legal.bureau.requests.filter(({ request }) => request.actionKey === id).map(({ command }) => command);
const pay = (charge_id: string) =>
  legal.world.call('dunning_payments_create', {
    charge_id,
    amount: '100.00',
    paid_at: legal.world.now().toISOString().slice(0, 10),
    method: 'pix',
  });

it('the prior notice and the report wait, and go their way when it is lifted', async () => {
  legal.world.setNow('2026-10-01T12:00:00Z');
  const id = await legal.approvedReport(await legal.charge({ state: 'SC' }));
  await freeze(true);
  await legal.at('2026-10-05T15:00:00Z');
  expect([await statusOf('negativations', id), legal.messages.sent]).toEqual(['approved', []]);
  await freeze(false);
  await legal.at('2026-10-05T15:01:00Z');
  expect(await statusOf('negativations', id)).toBe('notice_sent');
  expect(legal.messages.sent).toHaveLength(1);

  await freeze(true);
  await legal.on('2026-10-16');
  await legal.at('2026-10-16T17:00:00Z');
  expect([await statusOf('negativations', id), reportsOf(id)]).toEqual(['notice_sent', []]);
  await freeze(false);
  // Nobody has to ask for it again: it looks by itself.
  legal.world.setNow('2026-10-16T17:02:00Z');
  expect(await runDunningQueue(legal.world, legal.gateways)).toContain('dunning_send_negativations');
  expect(reportsOf(id)).toEqual(['register']);
});

it('a title waits too', async () => {
  legal.world.setNow('2026-11-03T12:00:00Z');
  await freeze(true);
  await freeze(false);
  const id = await legal.approvedProtest(await legal.charge());
  await freeze(true);
  const sentBefore = legal.notary.requests.length;
  await legal.at('2026-11-03T15:00:00Z');
  await legal.at('2026-11-03T15:02:00Z');
  expect([await statusOf('protests', id), legal.notary.requests.length]).toEqual(['approved', sentBefore]);
  await freeze(false);
  await legal.at('2026-11-03T15:04:00Z');
  expect(legal.notary.requests.length).toBe(sentBefore + 1);
});

it('what takes a report back leaves all the same, whatever waits before it', async () => {
  legal.world.setNow('2027-01-04T15:00:00Z');
  const chargeId = await legal.charge({ state: 'SC' });
  const id = await legal.approvedReport(chargeId);
  await legal.at('2027-01-04T16:00:00Z');
  await legal.on('2027-01-15');
  expect(await statusOf('negativations', id)).toBe('registered');
  await freeze(true);
  await legal.world.look(
    `insert into dunning_legal_commands (organization_id, id, kind, action_id, command, status, request, created_by,
                                         created_at, updated_at)
     select $1, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'negativation', gen_random_uuid(),
            'register', 'pending', '{}', $1, now(), now() from generate_series(1, 150) n`,
    [legal.world.organizationId],
  );
  await pay(chargeId);
  await runDunningQueue(legal.world, legal.gateways);
  expect(reportsOf(id)).toEqual(['register', 'remove']);
  await legal.world.look("delete from dunning_legal_commands where status = 'pending'");
  await freeze(false);
});
