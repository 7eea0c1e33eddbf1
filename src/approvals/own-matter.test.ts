/** A rule about who may decide holds for whoever says yes in the console too, not only for whoever asked. */

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type LegalWorld, openLegalWorld } from '../../test/support/legal.ts';
import { openSession } from '../../test/support/session.ts';
import type { Who } from '../../test/support/world.ts';
import { approvalPurposeOf } from '../core/approvals.ts';
import { noteVerification } from '../identity/sessions.ts';

let legal: LegalWorld;
beforeAll(async () => {
  legal = await openLegalWorld();
  const { world } = legal;
  await world.look(
    `insert into controls (tenant_id, organization_id, approvals_enabled, updated_at) values ($1, $1, true, now())`,
    [world.organizationId],
  );
});
beforeEach(() => legal.world.setNow('2026-10-01T12:00:00Z'));
afterAll(() => legal.world.close());

/** The approval of a call through a client that cannot ask. */
async function leave(name: string, args: object, who: Who): Promise<string> {
  const { world } = legal;
  const invoker = world.runtime.invokers.dunning;
  const operation = invoker.catalogue.byName.get(name)!;
  const error = await invoker
    .call(operation, args, await world.caller(who), { surface: 'mcp' })
    .catch((caught) => caught);
  return error.details.approval.id;
}

async function sitting(who: Who) {
  const { world } = legal;
  const { approvals } = world.runtime.invokers.dunning;
  const session = await openSession(world, who);
  const open = async (id: string) => approvals.open(await session.caller('dunning'), id, null);
  return {
    open,
    async approve(id: string) {
      const { state } = await open(id);
      const { shared } = world.runtime.database;
      await noteVerification(shared, session.id, 'passkey', approvalPurposeOf(id), world.now());
      return approvals.approve(await session.caller('dunning'), id, null, state ?? undefined);
    },
  };
}

test.each([
  ['dunning_negativations', { bureau: 'serasa' }],
  ['dunning_protests', { title_kind: 'DMI' }],
])(
  '%s: whoever asked for it does not approve it by saying yes to the call of somebody else',
  async (kind, more) => {
    const { world } = legal;
    const charge_id = await legal.charge();
    const { id } = await world.call(`${kind}_create`, { charge_id, ...more }, 'owner');
    const decision = { id, status: 'approved', note: 'Conferido' };
    const waiting = await leave(`${kind}_update`, decision, 'colleague');

    const owner = await sitting('owner');
    expect(await owner.open(waiting)).toMatchObject({
      may_approve: false,
      state: null,
      problem: { code: 'same_person_approval' },
    });
    await expect(owner.approve(waiting)).rejects.toMatchObject({ code: 'same_person_approval' });
    expect(await world.call(`${kind}_get`, { id })).toMatchObject({ status: 'pending' });

    const colleague = await sitting('colleague');
    expect(await colleague.approve(waiting)).toMatchObject({ status: 'done' });
    expect(await world.call(`${kind}_get`, { id })).toMatchObject({ status: 'approved' });
  },
);
