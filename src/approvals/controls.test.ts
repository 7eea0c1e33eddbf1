/** What a workspace lets happen: who sets it, and that nothing destructive passes the freeze. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { asking, confirmedBy, type Desk, openDesk, strikeArgs } from '../../test/support/approving.ts';
import { openSession } from '../../test/support/session.ts';
import { until } from '../../test/support/until.ts';
import type { Who } from '../../test/support/world.ts';
import { noteVerification } from '../identity/sessions.ts';

let desk: Desk;
let day = 0;
let reason = '';
const later = (milliseconds: number) =>
  desk.world.setNow(new Date(Date.UTC(2026, 9, 1 + day, 12) + milliseconds).toISOString());

beforeAll(async () => {
  desk = await openDesk(10);
});
afterAll(() => desk.close());
beforeEach(async () => {
  day += 1;
  reason = `day ${day}`;
  later(0);
  Object.assign(desk.strikes, { runs: [], duringRun: async () => {} });
  await desk.world.look(
    "update sessions set last_seen_at = $1, expires_at = $1::timestamptz + interval '1 day', verified_for = null",
    [desk.world.now()],
  );
  await desk.world.look('delete from controls');
});

const args = () => ({ ...strikeArgs, reason });

interface Set {
  readonly who?: Who;
  readonly name?: string;
}

async function account(name: string, input: object, who: Who = 'owner') {
  const { invokers } = desk.world.runtime;
  const session = await openSession(desk.world, who);
  const operation = invokers.account.catalogue.byName.get(name)!;
  const outcome = await invokers.account.call(operation, input, await session.caller('account'), {
    surface: 'console',
  });
  return outcome.kind === 'done' ? outcome.output : {};
}

const set = (input: object, { who, name = 'account_controls_update' }: Set = {}) =>
  account(name, name.includes('dunning') ? input : { workspace_id: desk.world.workspaceId, ...input }, who);
const get = () => account('account_controls_get', { workspace_id: desk.world.workspaceId });

describe('the controls', () => {
  test('are off where nobody has set anything', async () => {
    expect(await get()).toEqual({
      approvals_enabled: false,
      approval_hours: 24,
      second_person_from: null,
      frozen: false,
      frozen_at: null,
      frozen_by: null,
      freeze_reason: null,
    });
  });

  test('change one by one, with what was before and after in the chain of the workspace', async () => {
    await set({ approvals_enabled: true, second_person_from: '10000.00' });
    expect(await set({ approval_hours: 8 })).toMatchObject({
      approvals_enabled: true,
      approval_hours: 8,
      second_person_from: '10000.00',
    });
    expect(await set({ second_person_from: null })).toMatchObject({ second_person_from: null });
    const [event] = await desk.world.look<{ body: string }>(
      "select body from events where operation = 'account_controls_update' and tenant_id = $1 order by position desc limit 1",
      [desk.world.workspaceId],
    );
    expect(JSON.parse(event!.body)).toMatchObject({
      actor: { surface: 'console' },
      changes: [{ before: { second_person_from: '10000.00' }, after: { second_person_from: null } }],
    });
  });

  test('a freeze says who, when and why, keeps it when set again, and forgets it when lifted', async () => {
    const frozen = await set({ frozen: true, freeze_reason: 'invasão' });
    expect(frozen).toMatchObject({
      frozen: true,
      frozen_at: desk.world.now().toISOString().replace('.000', ''),
      frozen_by: { name: 'Person owner' },
      freeze_reason: 'invasão',
    });
    later(60_000);
    expect(await set({ frozen: true }, { who: 'colleague' })).toEqual(frozen);
    expect(await set({ frozen: false })).toMatchObject({
      frozen: false,
      frozen_by: null,
      freeze_reason: null,
    });
  });

  test.each([
    ['approval_hours', { approval_hours: 0 }],
    ['approval_hours', { approval_hours: 169 }],
    ['second_person_from', { second_person_from: '-0.01' }],
    ['freeze_reason', { freeze_reason: 'why' }],
    ['freeze_reason', { frozen: false, freeze_reason: 'why' }],
    ['enabled', { enabled: true }],
  ])('refuse %s in %j', async (path, input) => {
    await expect(set(input)).rejects.toMatchObject({ code: 'invalid_argument', details: { path } });
  });

  test('are for owners and administrators, of this organization', async () => {
    for (const who of ['approver', 'accountant', 'collector', 'viewer'] as const) {
      await expect(set({ frozen: true }, { who }), who).rejects.toMatchObject({ code: 'forbidden' });
    }
    await expect(set({ frozen: true }, { who: 'stranger' })).rejects.toMatchObject({ code: 'not_found' });
    expect(await get()).toMatchObject({ frozen: false });
  });

  test('are set by a person in the console who proved to be there within five minutes', async () => {
    const { account: invoker } = desk.world.runtime.invokers;
    const operation = invoker.catalogue.byName.get('account_controls_update')!;
    const input = { workspace_id: desk.world.workspaceId, frozen: true };
    const token = { ...(await desk.world.caller('owner')), product: 'account' as const };
    await expect(invoker.call(operation, input, token, { surface: 'mcp' })).rejects.toMatchObject({
      code: 'session_required',
    });
    const session = await openSession(desk.world, 'owner');
    const call = async () =>
      invoker.call(operation, input, await session.caller('account'), { surface: 'console' });
    later(300_001);
    await expect(call()).rejects.toMatchObject({ code: 'verification_required' });
    await noteVerification(
      desk.world.runtime.database.shared,
      session.id,
      'password',
      null,
      desk.world.now(),
    );
    later(600_001);
    expect(await call()).toMatchObject({ kind: 'done' });
  });

  test('of dunning are of the organization, and touch no workspace of finance', async () => {
    await set({ frozen: true }, { name: 'account_dunning_controls_update' });
    expect(await account('account_dunning_controls_get', {})).toMatchObject({ frozen: true });
    expect(await get()).toMatchObject({ frozen: false });
    await desk.call(args(), 'owner', asking);
    await expect(
      set({ frozen: true }, { who: 'approver', name: 'account_dunning_controls_update' }),
    ).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('a frozen workspace', () => {
  test('asks nothing, runs nothing and leaves nothing, but still shows what would happen', async () => {
    const asked = await desk.call(args(), 'owner', asking);
    await set({ frozen: true, approvals_enabled: true });
    const state = asked.kind === 'ask' ? asked.question.state : '';
    for (const more of [asking, confirmedBy(state), {}]) {
      expect(await desk.refused(args(), 'owner', more)).toMatchObject({ code: 'workspace_frozen' });
    }
    expect(
      await desk.world.look('select 1 from approvals where tenant_id = $1', [desk.world.workspaceId]),
    ).toEqual([]);
    expect(desk.strikes.runs).toEqual([]);
    expect(await desk.call({ ...args(), dry_run: true }, 'owner', asking)).toMatchObject({ kind: 'done' });
    await set({ frozen: false });
    expect(await desk.call(args(), 'owner', confirmedBy(state))).toMatchObject({ kind: 'done' });
  });

  test('is told before the capability of the client and before the arguments, after the permission', async () => {
    await set({ frozen: true });
    expect(await desk.refused({ nonsense: 1 })).toMatchObject({ code: 'workspace_frozen' });
    expect(await desk.refused({ nonsense: 1 }, 'viewer')).toMatchObject({ code: 'forbidden' });
    expect(await desk.refused({ nonsense: 1 }, 'reader')).toMatchObject({ code: 'insufficient_scope' });
  });

  test('lets nobody approve; the approval waits, and may be declined', async () => {
    await set({ approvals_enabled: true });
    const [id, other] = [await desk.leave(args()), await desk.leave({ ...args(), amount: '2.00' })];
    const { state } = await desk.open(id);
    await set({ frozen: true });
    expect(await desk.open(id)).toMatchObject({ may_approve: false, problem: { code: 'workspace_frozen' } });
    await expect(desk.approve(id, 'colleague', state)).rejects.toMatchObject({ code: 'workspace_frozen' });
    expect(await desk.decline(other)).toMatchObject({ status: 'declined' });
    await set({ frozen: false });
    expect(await desk.approve(id, 'colleague', state)).toMatchObject({ status: 'done' });
  });

  test('stops another workspace of the organization not at all', async () => {
    await set({ frozen: true });
    const given = { ...args(), workspace_id: desk.world.otherWorkspaceId };
    expect(await desk.call(given, 'several', asking)).toMatchObject({ kind: 'ask' });
  });

  test('setting the switch waits for the call that runs, and nothing starts after it', async () => {
    const asked = await Promise.all(
      ['1.00', '2.00'].map(async (amount) => {
        const outcome = await desk.call({ ...args(), amount }, 'owner', asking);
        return { amount, state: outcome.kind === 'ask' ? outcome.question.state : '' };
      }),
    );
    const order: string[] = [];
    let finish = (): void => {};
    const running = new Promise<void>((started) => {
      desk.strikes.duringRun = () => {
        started();
        return new Promise((resolve) => {
          finish = resolve;
        });
      };
    });
    const confirm = ({ amount, state }: { amount: string; state: string }) =>
      desk.call({ ...args(), amount }, 'owner', confirmedBy(state)).then(
        () => order.push(`ran ${amount}`),
        ({ code }) => order.push(`${code} ${amount}`),
      );
    const first = confirm(asked[0]!);
    await running;
    const frozen = set({ frozen: true }).then(() => order.push('frozen'));
    await until(async () => {
      const waiting = await desk.world.look(
        "select 1 from pg_locks where locktype = 'advisory' and not granted",
      );
      return waiting.length > 0;
    });
    const second = confirm(asked[1]!);
    await until(async () => {
      const waiting = await desk.world.look(
        "select 1 from pg_locks where locktype = 'advisory' and not granted",
      );
      return waiting.length > 1;
    });
    expect(order).toEqual([]);
    finish();
    await Promise.all([first, frozen, second]);
    expect(order[0]).toBe('ran 1.00');
    expect([...order].sort()).toEqual(['frozen', 'ran 1.00', 'workspace_frozen 2.00']);
    expect(desk.strikes.runs).toHaveLength(1);
  });
});
