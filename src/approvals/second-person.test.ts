/** From an amount on one yes is not enough, whoever gives it and however; and what programs may do without one. */

import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { asking, confirmedBy, type Desk, openDesk, strikeArgs } from '../../test/support/approving.ts';
import type { Controls } from '../core/approvals.ts';
import { moves, ours } from '../core/facts.ts';
import { amountOf, isSecondPersonNeeded } from '../core/invocation/waiting.ts';
import { createToken } from '../identity/tokens.ts';

const THRESHOLD = 125_000;
let desk: Desk;
let reason = '';
let count = 0;
beforeAll(async () => {
  desk = await openDesk(10);
});
afterAll(() => desk.close());
beforeEach(async () => {
  count += 1;
  reason = `call ${count}`;
  desk.world.setNow(new Date(Date.UTC(2026, 9, 1, 12, count * 2)).toISOString());
  Object.assign(desk.strikes, { payee: 'Aurora', isCounted: true, runs: [], duringRun: async () => {} });
  await desk.world.look('delete from approvals');
  await desk.setControls({ approvals: false, from: THRESHOLD });
});

const args = (changes: object = {}) => ({ ...strikeArgs, reason, ...changes });

/** The state of a question in the client. */
async function ask(given: object = args(), who: 'owner' | 'colleague' = 'owner') {
  const outcome = await desk.call(given, who, asking);
  if (outcome.kind !== 'ask') throw new Error('nothing was asked');
  return outcome.question;
}

describe('a yes in the client', () => {
  test('below the threshold runs, and the question says nothing of a second person', async () => {
    const given = args({ amount: '1249.99' });
    const { message, state } = await ask(given);
    expect(message).not.toContain('segunda pessoa');
    expect(await desk.call(given, 'owner', confirmedBy(state))).toMatchObject({ kind: 'done' });
  });

  test('from the threshold on runs nothing, says so beforehand, and leaves the call for somebody else', async () => {
    const { message, state } = await ask();
    expect(message).toContain('A partir deste valor, uma segunda pessoa também terá de aprovar no console.');
    const error = await desk.refused(args(), 'owner', confirmedBy(state));
    expect(error).toMatchObject({
      code: 'second_person_required',
      details: { amount: '1250.00', from: '1250.00', approval: { read_with: 'finance_approvals_get' } },
    });
    const { id } = error.details!['approval'] as { id: string };
    expect(desk.strikes.runs).toEqual([]);
    expect(await desk.get(id)).toMatchObject({
      status: 'pending',
      reason: 'second_person',
      amount: '1250.00',
    });
    // The same yes again is no second person: the same approval waits.
    const again = await desk.refused(args(), 'owner', confirmedBy(state));
    expect(again.details!['approval']).toMatchObject({ id });
    expect(await desk.open(id, 'owner')).toMatchObject({
      question: expect.stringContaining('Aurora'),
      state: null,
      may_approve: false,
      problem: { code: 'same_person_approval' },
    });
    await expect(desk.approve(id, 'owner', state)).rejects.toMatchObject({ code: 'same_person_approval' });
    expect(await desk.approve(id)).toMatchObject({ status: 'done', output: { by: 'Person owner' } });
    expect(desk.strikes.runs).toHaveLength(1);
  });

  test('with a key is told what the second person let happen, when it comes again', async () => {
    const given = args({ idempotency_key: reason });
    const { state } = await ask(given);
    const error = await desk.refused(given, 'owner', confirmedBy(state));
    await desk.approve((error.details!['approval'] as { id: string }).id);
    expect(await desk.call(given, 'owner', confirmedBy(state))).toMatchObject({
      kind: 'done',
      output: { run: 1, secret: null },
    });
    expect(desk.strikes.runs).toHaveLength(1);
  });

  test('is enough for what moves nothing that can be counted, and for everything where no threshold is set', async () => {
    desk.strikes.isCounted = false;
    expect(await desk.call(args(), 'owner', confirmedBy((await ask()).state))).toMatchObject({
      kind: 'done',
    });
    desk.strikes.isCounted = true;
    await desk.setControls({ from: null });
    const given = args({ amount: '99999999999.99' });
    expect(await desk.call(given, 'owner', confirmedBy((await ask(given)).state))).toMatchObject({
      kind: 'done',
    });
  });

  test('given before the threshold was set does not pass it', async () => {
    await desk.setControls({ from: null });
    const { state } = await ask();
    await desk.setControls({ from: THRESHOLD });
    expect(await desk.refused(args(), 'owner', confirmedBy(state))).toMatchObject({
      code: 'second_person_required',
    });
  });
});

test('a call whose client cannot ask is above the threshold all the same: whoever asked may not approve it', async () => {
  await desk.setControls({ approvals: true, from: THRESHOLD });
  const id = await desk.leave(args());
  expect(await desk.get(id)).toMatchObject({ reason: 'client_cannot_ask' });
  await expect(desk.approve(id, 'owner', 'x')).rejects.toMatchObject({ code: 'same_person_approval' });
  expect(await desk.approve(id)).toMatchObject({ status: 'done' });
});

test('exactly amounts from the threshold on need a second person, whichever line tells them', () => {
  const controls = (from: number | null): Controls => ({
    approvalsEnabled: false,
    approvalHours: 24,
    secondPersonFromCents: from,
    isFrozen: false,
  });
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1e13 }),
      fc.integer({ min: -2, max: 2 }),
      fc.boolean(),
      (from, distance, isNegative) => {
        const cents = Math.max(0, from + distance);
        const facts = [ours('a', 'a', 'a', 'x'), moves('b', 'b', 'b', isNegative ? -cents : cents)];
        expect(isSecondPersonNeeded(controls(from), amountOf(facts))).toBe(cents >= from);
        expect(isSecondPersonNeeded(controls(null), amountOf(facts))).toBe(false);
        expect(isSecondPersonNeeded(controls(from), amountOf([facts[0]!]))).toBe(false);
      },
    ),
  );
});

describe('a program', () => {
  const call = async (given: object, isForPrograms = true) => {
    const { world } = desk;
    const { user } = await world.caller('owner');
    const { token } = await createToken(world.runtime.database.shared, {
      userId: user.id,
      organizationId: world.organizationId,
      product: 'finance',
      access: 'write',
      workspaceId: world.workspaceId,
      expiresAt: new Date('2030-01-01T00:00:00Z'),
      isForPrograms,
    });
    const caller = await world.runtime.authenticator.authenticate(token, 'finance', world.now());
    const strike = desk.invoker.catalogue.byName.get('finance_strike')!;
    return desk.invoker.call(strike, given, caller!, { surface: 'rest', unasked: true });
  };
  const small = (changes: object = {}) => args({ amount: '1.00', idempotency_key: reason, ...changes });

  test('runs without a question under its key, once, however often it calls at once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => call(small())));
    expect(desk.strikes.runs).toHaveLength(1);
    for (const answer of answers) expect(answer).toMatchObject({ kind: 'done', output: { run: 1 } });
  });

  test('without a key, or with a token that is not for programs, runs nothing', async () => {
    const { idempotency_key: _key, ...keyless } = small() as Record<string, unknown>;
    await expect(call(keyless)).rejects.toMatchObject({ code: 'idempotency_key_required' });
    await expect(call(small(), false)).rejects.toMatchObject({ code: 'confirmation_required' });
    expect(desk.strikes.runs).toEqual([]);
  });

  test('hears what stands against it, and leaves nothing', async () => {
    await expect(call(small({ reason: 'gone' }))).rejects.toMatchObject({ code: 'not_found' });
    await expect(call(small({ reason: 'fail' }))).rejects.toMatchObject({ code: 'invalid_state' });
    expect(await desk.world.look('select 1 from idempotency_keys where key = $1', [reason])).toEqual([]);
  });

  test('from the threshold on waits for a person as everybody does, and then reads the answer under its key', async () => {
    const given = args({ idempotency_key: reason });
    const error = await call(given).catch((caught) => caught);
    expect(error.code).toBe('second_person_required');
    const { id } = error.details.approval;
    await expect(desk.approve(id, 'owner', 'x')).rejects.toMatchObject({ code: 'same_person_approval' });
    await desk.approve(id);
    expect(await call(given)).toMatchObject({ kind: 'done', output: { run: 1 } });
    expect(desk.strikes.runs).toHaveLength(1);
  });

  test('stops at the freeze', async () => {
    await desk.setControls({ frozen: true });
    await expect(call(small())).rejects.toMatchObject({ code: 'workspace_frozen' });
  });
});
