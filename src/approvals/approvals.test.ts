/** A call that nobody could confirm waits for a person: who may decide, what holds it together, and that it runs once. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { asking, confirmedBy, type Desk, openDesk, strikeArgs } from '../../test/support/approving.ts';
import { openSession } from '../../test/support/session.ts';
import { newId } from '../core/ids.ts';
import { createToken, revokeToken } from '../identity/tokens.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(10);
});
afterAll(() => desk.close());

let day = 0;
/** A day for each test, and a reason of its own, so that nothing of one reaches into the next. */
let reason = '';
const later = (milliseconds: number) =>
  desk.world.setNow(new Date(Date.UTC(2026, 9, 1 + day, 12) + milliseconds).toISOString());
const args = (changes: object = {}) => ({ ...strikeArgs, reason, ...changes });

beforeEach(async () => {
  day += 1;
  reason = `day ${day}`;
  later(0);
  Object.assign(desk.strikes, { payee: 'Aurora', isCounted: true, runs: [], duringRun: async () => {} });
  // A session lasts hours and the tests take days.
  await desk.world.look(
    "update sessions set last_seen_at = $1, expires_at = $1::timestamptz + interval '1 day', verified_for = null",
    [desk.world.now()],
  );
  await desk.world.look('delete from approvals');
  await desk.setControls({});
});

const count = async (table: string) =>
  (await desk.world.look<{ n: number }>(`select count(*)::integer as n from ${table}`))[0]!.n;

describe('a client that cannot ask', () => {
  test('with approvals off gets exactly what it got before them, its arguments unseen, and nothing is written', async () => {
    await desk.setControls({ approvals: false });
    const events = await count('events');
    const { code, details } = await desk.refused({ nonsense: 1 });
    expect({ code, details }).toEqual({
      code: 'confirmation_required',
      details: { required_capabilities: { elicitation: { form: {} } } },
    });
    expect([await count('approvals'), await count('events')]).toEqual([0, events]);
  });

  test('with approvals on gets the same refusal and where a person finds the call', async () => {
    const error = await desk.refused(args());
    expect(error.code).toBe('confirmation_required');
    const [row] = await desk.world.look('select id, expires_at from approvals');
    expect(error.details).toEqual({
      required_capabilities: { elicitation: { form: {} } },
      approval: {
        id: row!['id'],
        expires_at: new Date(desk.world.now().getTime() + 24 * 3_600_000).toISOString(),
        url: `https://books.example/console/approvals/${row!['id']}?workspace=${desk.world.workspaceId}`,
        read_with: 'finance_approvals_get',
      },
    });
    expect(desk.strikes.runs).toEqual([]);
  });

  test('has its arguments checked and its records looked at before anything waits', async () => {
    expect(await desk.refused(args({ amount: 'x' }))).toMatchObject({ code: 'invalid_argument' });
    expect(await desk.refused(args({ reason: 'gone' }))).toMatchObject({ code: 'not_found' });
    expect(await count('approvals')).toBe(0);
  });

  test('leaves nothing by a dry run', async () => {
    const { details } = await desk.refused(args({ dry_run: true }));
    expect(details).toEqual({ required_capabilities: { elicitation: { form: {} } } });
    expect(await count('approvals')).toBe(0);
  });

  test('that repeats its call waits once, and for the same approval; others wait for others', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => desk.leave(args())));
    expect(new Set(ids).size).toBe(1);
    expect(await desk.leave(args(), 'colleague')).not.toBe(ids[0]);
    expect(await desk.leave(args({ amount: '1.00' }))).not.toBe(ids[0]);
    expect(await count('approvals')).toBe(3);
  });

  test('cannot fill the list: the 21st call that would wait is refused with the time to wait', async () => {
    for (let index = 0; index < 20; index += 1) await desk.leave(args({ reason: `${day} ${index}` }));
    const error = await desk.refused(args());
    expect(error).toMatchObject({ code: 'rate_limited', details: { retry_after: 24 * 3_600 } });
    await desk.leave(args(), 'colleague');
  });

  test('is told the answer when it repeats, with its key, what went through meanwhile', async () => {
    const id = await desk.leave(args({ idempotency_key: reason }));
    await desk.approve(id);
    const outcome = await desk.call(args({ idempotency_key: reason }));
    expect(outcome).toEqual({ kind: 'done', output: { by: 'Person owner', run: 1, secret: null } });
    expect(desk.strikes.runs).toHaveLength(1);
  });

  test('waits again, and the first is over, once nobody came in time', async () => {
    const id = await desk.leave(args());
    later(24 * 3_600_000);
    expect(await desk.get(id)).toMatchObject({ status: 'expired', decided_at: null });
    expect(await desk.leave(args())).not.toBe(id);
    expect(await desk.get(id)).toMatchObject({ status: 'expired', decided_by: null });
  });
});

describe('a person in the console', () => {
  test('sees the question from live records, with who asked, escaped', async () => {
    const id = await desk.leave(args());
    desk.strikes.payee = 'x\nKobana: approved';
    const opened = await desk.open(id);
    expect(opened).toMatchObject({ may_approve: true, problem: null, approval: { status: 'pending' } });
    expect(opened['question'].split('\n')).toEqual([
      'Strike out (finance_strike)',
      'Pedido por "Person owner", por meio de um token pessoal.',
      'Organização: "Aurora"',
      'Workspace: "Matriz"',
      'amount = 1250.00 (R$ 1.250,00)',
      `reason = "${reason}"`,
      'O que o registro diz agora:',
      '- Favorecido: "x\\nKobana: approved"',
      '- Valor: R$ 1.250,00',
      'Vale por 5 minutos, uma única vez.',
    ]);
  });

  test('is told the client by the id where only another organization knows its name', async () => {
    const { world } = desk;
    const stranger = await world.caller('stranger');
    await world.look(
      `insert into connections (id, grant_id, user_id, organization_id, product, access, client_id, client_name,
                                client_host, is_verified, created_at, expires_at)
       values ($1::uuid, $1::text, $2, $3, 'finance', 'write', 'shared', 'Of others', 'x.example', true, now(), '2030-01-01')`,
      [newId(), stranger.user.id, stranger.organization.id],
    );
    const id = await desk.leave(args());
    await world.look("update approvals set client_id = 'shared' where id = $1", [id]);
    const { approval, question } = await desk.open(id);
    expect(approval).toMatchObject({ client_id: 'shared', client_name: null });
    expect(question).toContain('Pedido por "Person owner", por meio de "shared".');
  });

  test('says yes, and it runs once, as whoever asked, with everything on record', async () => {
    const id = await desk.leave(args({ token: 'hidden' }));
    expect(await desk.approve(id)).toMatchObject({
      status: 'done',
      output: { by: 'Person owner', secret: 'once' },
    });
    expect(desk.strikes.runs).toEqual([{ by: 'Person owner', reason }]);
    expect(await desk.get(id)).toMatchObject({
      status: 'done',
      arguments: { token: '••••' },
      amount: '1250.00',
      requested_by: { name: 'Person owner' },
      decided_by: { name: 'Person colleague' },
      decided_with: 'passkey',
      answer: { by: 'Person owner', run: 1, secret: null },
      error: null,
    });
    const bodies = await desk.world.look<{ body: string }>(
      'select body from events order by position desc limit 3',
    );
    const [decided, ran, requested] = bodies.map(({ body }) => JSON.parse(body));
    const colleague = await desk.world.caller('colleague');
    const owner = await desk.world.caller('owner');
    expect(ran).toMatchObject({
      operation: 'finance_strike',
      actor: { userId: owner.user.id, tokenId: owner.tokenId, surface: 'mcp' },
      confirmation: {
        answer: 'accepted',
        question: expect.stringContaining('Person owner'),
        approval: { id, approvedBy: colleague.user.id, verifiedWith: 'passkey' },
      },
    });
    expect(decided).toMatchObject({
      operation: 'finance_approvals_approve',
      actor: { userId: colleague.user.id, surface: 'console' },
      changes: [{ kind: 'approval', id, before: { status: 'pending' }, after: { status: 'done' } }],
    });
    expect(requested).toMatchObject({
      operation: 'finance_approvals_request',
      changes: [{ kind: 'approval', id, before: null }],
    });
    expect(JSON.stringify(bodies)).not.toContain('hidden');
    expect(desk.accessed).toEqual(
      expect.arrayContaining(['finance_approvals_open done', 'finance_approvals_approve done']),
    );
  });

  test('below the threshold may be the one who asked', async () => {
    await desk.setControls({ from: 125_001 });
    expect(await desk.approve(await desk.leave(args()), 'owner')).toMatchObject({ status: 'done' });
  });

  test('says no: nothing runs then or later, and why is told', async () => {
    const id = await desk.leave(args());
    const { state } = await desk.open(id);
    expect(await desk.decline(id, 'colleague', 'não é\nnosso')).toMatchObject({ status: 'declined' });
    expect(await desk.get(id)).toMatchObject({
      status: 'declined',
      decline_reason: 'não é nosso',
      decided_with: null,
    });
    await expect(desk.approve(id, 'colleague', state)).rejects.toMatchObject({
      code: 'approval_not_pending',
    });
    await expect(desk.decline(id)).rejects.toMatchObject({ code: 'approval_not_pending' });
    expect(desk.strikes.runs).toEqual([]);
  });

  test('who asked takes it back without the right to approve others', async () => {
    const id = await desk.leave(args(), 'approver');
    expect(await desk.decline(id, 'approver')).toMatchObject({ status: 'declined' });
  });

  test('finds a decided or outdated approval with its record and no question', async () => {
    const [done, late] = [await desk.leave(args()), await desk.leave(args({ amount: '2.00' }))];
    await desk.approve(done);
    later(24 * 3_600_000);
    await desk.world.look(
      "update sessions set last_seen_at = $1, expires_at = $1::timestamptz + interval '1 day'",
      [desk.world.now()],
    );
    for (const [id, status] of [
      [done, 'done'],
      [late, 'expired'],
    ] as const) {
      expect(await desk.open(id)).toMatchObject({
        approval: { status },
        question: null,
        state: null,
        may_approve: false,
        problem: { code: 'approval_not_pending' },
      });
      await expect(desk.approve(id, 'colleague', 'x')).rejects.toMatchObject({
        code: 'approval_not_pending',
      });
    }
  });

  test('is told what stands against it now, and may still decline', async () => {
    const id = await desk.leave(args());
    await desk.world.look("update approvals set arguments = jsonb_set(arguments, '{reason}', '\"gone\"')");
    const opened = await desk.open(id);
    expect(opened).toMatchObject({
      question: null,
      may_approve: false,
      problem: { code: 'approval_changed' },
    });
    await expect(desk.approve(id, 'colleague', 'x')).rejects.toMatchObject({ code: 'approval_changed' });
    expect(await desk.decline(id)).toMatchObject({ status: 'declined' });
  });
});

describe('nobody else decides', () => {
  test('a token never opens, grants or declines, whoever holds it', async () => {
    const id = await desk.leave(args());
    const { state } = await desk.open(id);
    const { approvals } = desk.invoker;
    const { workspaceId } = desk.world;
    for (const who of ['owner', 'colleague'] as const) {
      const caller = await desk.world.caller(who);
      await desk.prove(id, who);
      for (const attempt of [
        () => approvals.open(caller, id, workspaceId),
        () => approvals.approve(caller, id, workspaceId, state),
        () => approvals.decline(caller, id, workspaceId, null),
      ]) {
        await expect(attempt()).rejects.toMatchObject({ code: 'session_required' });
      }
    }
    expect([desk.strikes.runs, await desk.get(id)]).toMatchObject([[], { status: 'pending' }]);
  });

  test('another workspace, another organization and no approval at all are one answer', async () => {
    const id = await desk.leave(args());
    const unknown = '0192f0a1-0000-7000-8000-000000000000';
    const answers = [
      desk.open(id, 'stranger', desk.world.foreignWorkspaceId),
      desk.open(id, 'stranger', desk.world.workspaceId),
      desk.open(id, 'several', desk.world.otherWorkspaceId),
      desk.open(unknown, 'colleague'),
      desk.open('no id', 'colleague'),
      desk.open(id, 'several', null),
      desk.decline(id, 'stranger'),
      desk.approve(id, 'stranger', 'x'),
    ].map((answer) => answer.then(String, (error) => JSON.stringify(error.toEnvelope())));
    expect(new Set(await Promise.all(answers)).size).toBe(1);
    await expect(desk.open(unknown)).rejects.toMatchObject({
      code: 'not_found',
      details: { kind: 'approval' },
    });
  });

  test('a role without every scope of the operation sees nothing of it, or its record alone, and grants nothing', async () => {
    const id = await desk.leave(args());
    await expect(desk.open(id, 'viewer')).rejects.toMatchObject({ code: 'not_found' });
    await expect(desk.get(id, 'viewer')).rejects.toMatchObject({ code: 'not_found' });
    // An accountant reads the events, and so the record; the live question is for those who may act.
    expect(await desk.open(id, 'accountant')).toMatchObject({
      approval: { id },
      question: null,
      may_approve: false,
      problem: { code: 'forbidden' },
    });
    await expect(desk.approve(id, 'accountant', 'x')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(desk.decline(id, 'accountant')).rejects.toMatchObject({ code: 'forbidden' });
    expect(await desk.get(id, 'accountant')).toMatchObject({ status: 'pending' });
  });

  test('a session that is over grants nothing', async () => {
    const id = await desk.leave(args());
    const session = await openSession(desk.world, 'approver');
    const caller = await session.caller('finance');
    await desk.world.look('update sessions set ended_at = $1 where id = $2', [desk.world.now(), session.id]);
    await expect(desk.invoker.approvals.open(caller, id, desk.world.workspaceId)).rejects.toMatchObject({
      code: 'unauthenticated',
    });
  });
});

describe('the proof', () => {
  test.each([
    ['none', async () => undefined],
    ['one for being here', (id: string) => desk.prove(id, 'colleague', null)],
    ['one for another approval', (id: string) => desk.prove(id, 'colleague', 'approval:other')],
    ['one of somebody else', (id: string) => desk.prove(id, 'owner')],
    [
      'one older than a minute',
      async (id: string) => {
        await desk.prove(id);
        later(60_001);
      },
    ],
  ])('%s is not enough', async (_what, prove) => {
    const id = await desk.leave(args());
    const { state } = await desk.open(id);
    await prove(id);
    await expect(desk.say(id, state)).rejects.toMatchObject({ code: 'verification_required' });
    expect(desk.strikes.runs).toEqual([]);
  });

  test('counts for a minute, and once', async () => {
    const [first, second] = [await desk.leave(args()), await desk.leave(args({ amount: '2.00' }))];
    const [one, two] = [await desk.open(first), await desk.open(second)];
    await desk.prove(first);
    later(60_000);
    expect(await desk.say(first, one['state'])).toMatchObject({ status: 'done' });
    await expect(desk.say(first, one['state'])).rejects.toMatchObject({ code: 'approval_not_pending' });
    await expect(desk.say(second, two['state'])).rejects.toMatchObject({ code: 'verification_required' });
  });
});

describe('the state', () => {
  test('of another person, another approval, another question, or none: the question is shown anew and nothing runs', async () => {
    const [id, other] = [await desk.leave(args()), await desk.leave(args({ amount: '2.00' }))];
    const inBand = await desk.call(args(), 'colleague', asking);
    const states = [
      undefined,
      'c1.x.y.z',
      (await desk.open(id, 'owner'))['state'],
      (await desk.open(other))['state'],
      inBand.kind === 'ask' ? inBand.question.state : '',
    ];
    for (const state of states) {
      await desk.prove(id);
      expect(await desk.say(id, state)).toMatchObject({
        status: 'changed',
        may_approve: true,
        approval: { id },
      });
    }
    expect(desk.strikes.runs).toEqual([]);
    expect(await desk.get(id)).toMatchObject({ status: 'pending' });
  });

  test('never confirms a call in the client', async () => {
    const id = await desk.leave(args(), 'colleague');
    const { state } = await desk.open(id, 'colleague');
    expect(await desk.call(args(), 'colleague', confirmedBy(state))).toMatchObject({ kind: 'ask' });
    expect(desk.strikes.runs).toEqual([]);
  });

  test('is good for five minutes', async () => {
    const id = await desk.leave(args());
    const { state, expires_at } = await desk.open(id);
    expect(expires_at).toBe(new Date(desk.world.now().getTime() + 300_000).toISOString());
    later(300_000);
    const again = await desk.approve(id, 'colleague', state);
    expect(again).toMatchObject({
      status: 'changed',
      question: expect.stringContaining('confirmação anterior expirou'),
    });
    later(599_999);
    expect(await desk.approve(id, 'colleague', again['state'])).toMatchObject({ status: 'done' });
  });

  test('made before the record changed runs nothing; what changed is marked, and the proof was for the old question', async () => {
    const id = await desk.leave(args());
    const { state } = await desk.open(id);
    desk.strikes.payee = 'Boreal';
    const again = await desk.approve(id, 'colleague', state);
    expect(again).toMatchObject({ status: 'changed', may_approve: true });
    expect(again['question']).toContain('Algo mudou desde a pergunta anterior:\n- Favorecido: "Boreal"');
    expect([desk.strikes.runs, await desk.get(id)]).toMatchObject([[], { status: 'pending' }]);
    await expect(desk.say(id, again['state'])).rejects.toMatchObject({ code: 'verification_required' });
    expect(await desk.approve(id, 'colleague', again['state'])).toMatchObject({ status: 'done' });
  });
});

describe('exactly once', () => {
  test('two people and many clicks at once: one runs, the others are told', async () => {
    const id = await desk.leave(args());
    const states = {
      colleague: (await desk.open(id))['state'],
      approver: (await desk.open(id, 'approver'))['state'],
    };
    await desk.prove(id, 'colleague');
    await desk.prove(id, 'approver');
    const clicks = await Promise.all(
      (['colleague', 'approver'] as const).flatMap((who) =>
        Array.from({ length: 4 }, () =>
          desk.say(id, states[who], who).then(
            ({ status }) => status,
            ({ code }) => code,
          ),
        ),
      ),
    );
    expect(clicks.filter((answer) => answer === 'done')).toHaveLength(1);
    expect(new Set(clicks)).toEqual(new Set(['done', 'approval_not_pending']));
    expect(desk.strikes.runs).toHaveLength(1);
    const used = await desk.world.look(
      'select 1 from used_confirmations where operation = $1 and used_at = $2',
      ['finance_strike', desk.world.now()],
    );
    expect(used).toHaveLength(1);
  });

  test('a yes and a no at once: one of them counts', async () => {
    const id = await desk.leave(args());
    const { state } = await desk.open(id);
    await desk.prove(id);
    const outcomes = await Promise.all(
      [desk.say(id, state), desk.decline(id, 'approver')].map((one) =>
        one.then(
          ({ status }) => status,
          ({ code }) => code,
        ),
      ),
    );
    expect(outcomes).toContain('approval_not_pending');
    const { status } = await desk.get(id);
    expect(outcomes).toContain(status);
    expect(desk.strikes.runs).toHaveLength(status === 'done' ? 1 : 0);
  });

  test.each([
    ['fail', 'invalid_state'],
    ['crash', 'internal'],
  ])('a run that ends in "%s" is spent, on record and undone', async (why, code) => {
    const id = await desk.leave(args({ reason: why }));
    expect(await desk.approve(id)).toMatchObject({ status: 'failed', approval: { status: 'failed' } });
    const found = await desk.get(id);
    expect(found).toMatchObject({ status: 'failed', answer: null, error: { code } });
    expect(JSON.stringify(found)).not.toContain('passwd');
    await expect(desk.approve(id, 'colleague', 'x')).rejects.toMatchObject({ code: 'approval_not_pending' });
    const [event] = await desk.world.look<{ body: string }>(
      "select body from events where operation = 'finance_strike' order by position desc limit 1",
    );
    expect(JSON.parse(event!.body)).toMatchObject({ outcome: 'failed', errorCode: code, changes: [] });
  });

  test('a database that goes away in the middle leaves it waiting, with the proof unused', async () => {
    const id = await desk.leave(args());
    const { state } = await desk.open(id);
    await desk.prove(id);
    desk.strikes.duringRun = async () => {
      await desk.world.look(
        "select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle in transaction' and datname = current_database()",
      );
    };
    await expect(desk.say(id, state)).rejects.toMatchObject({ code: 'confirmation_unavailable' });
    expect(await desk.get(id)).toMatchObject({ status: 'pending' });
    desk.strikes.duringRun = async () => {};
    expect(await desk.say(id, state)).toMatchObject({ status: 'done' });
  });
});

describe('whoever asked', () => {
  const stranded = async (id: string) => {
    const { state } = await desk.open(id);
    expect(state).toBeNull();
    expect(await desk.open(id)).toMatchObject({
      problem: { code: 'requester_not_allowed' },
      may_approve: false,
    });
    await expect(desk.approve(id, 'colleague', 'x')).rejects.toMatchObject({ code: 'requester_not_allowed' });
    expect(desk.strikes.runs).toEqual([]);
    expect(await desk.decline(id)).toMatchObject({ status: 'declined' });
  };

  async function leaveWithToken(changes: { expiresAt?: Date; connectionId?: string } = {}) {
    const { world } = desk;
    const db = world.runtime.database.shared;
    const { user, organization } = await world.caller('approver');
    const { id: tokenId, token } = await createToken(db, {
      userId: user.id,
      organizationId: organization.id,
      product: 'finance',
      access: 'write',
      workspaceId: world.workspaceId,
      expiresAt: changes.expiresAt ?? new Date('2030-01-01T00:00:00Z'),
      clientId: 'agent',
    });
    if (changes.connectionId !== undefined) {
      await world.look(
        `insert into connections (id, grant_id, user_id, organization_id, product, access, client_id, client_name,
                                  client_host, is_verified, created_at, expires_at)
         values ($1::uuid, $1::text, $2, $3, 'finance', 'write', 'agent', E'Agent\\nKobana', 'agent.example', false, now(), '2030-01-01')`,
        [changes.connectionId, user.id, organization.id],
      );
      await world.look('update tokens set connection_id = $1 where id = $2', [changes.connectionId, tokenId]);
    }
    const caller = await world.runtime.authenticator.authenticate(token, 'finance', world.now());
    const strike = desk.invoker.catalogue.byName.get('finance_strike')!;
    const error = await desk.invoker
      .call(strike, args(), caller!, { surface: 'mcp' })
      .catch((caught) => caught);
    return { id: error.details.approval.id as string, tokenId };
  }

  test('whose token was revoked meanwhile gets nothing run', async () => {
    const { id, tokenId } = await leaveWithToken();
    await revokeToken(desk.world.runtime.database.shared, tokenId, desk.world.now());
    await stranded(id);
  });

  test('whose token of their own ran out gets nothing run', async () => {
    const { id } = await leaveWithToken({ expiresAt: new Date(desk.world.now().getTime() + 1_000) });
    later(2_000);
    await stranded(id);
  });

  test('whose access token ran out but whose connection lives gets it run; a revoked connection does not', async () => {
    const connectionId = '0192f0a1-0000-7000-8000-0000000000c1';
    const soon = new Date(desk.world.now().getTime() + 1_000);
    const { id } = await leaveWithToken({ expiresAt: soon, connectionId });
    later(2_000);
    expect(await desk.open(id)).toMatchObject({
      may_approve: true,
      question: expect.stringContaining('Pedido por "Person approver", por meio de "Agent\\nKobana".'),
      approval: { client_id: 'agent', client_name: 'Agent\nKobana' },
    });
    await desk.world.look('update connections set revoked_at = now() where id = $1', [connectionId]);
    await stranded(id);
  });

  test('who lost the role gets nothing run', async () => {
    const { id } = await leaveWithToken();
    const { user } = await desk.world.caller('approver');
    await desk.world.look("update memberships set role = 'viewer' where user_id = $1", [user.id]);
    await stranded(id);
    await desk.world.look('delete from memberships where user_id = $1', [user.id]);
    const again = await leaveWithToken().catch(() => null);
    expect(again).toBeNull();
    await desk.world.look(
      "insert into memberships (organization_id, user_id, workspace_id, role) values ($1, $2, null, 'finance')",
      [desk.world.organizationId, user.id],
    );
    desk.world.runtime.authenticator.forget();
  });
});

describe('the list', () => {
  const list = async (who: Parameters<Desk['get']>[1], input: object = {}) => {
    const operation = desk.invoker.catalogue.byName.get('finance_approvals_list')!;
    const outcome = await desk.invoker.call(operation, input, await desk.world.caller(who!), {
      surface: 'mcp',
    });
    return outcome.kind === 'done'
      ? (outcome.output as { items: { id: string }[]; next_cursor: string | null })
      : null!;
  };

  test('shows everybody their own and what they could say yes to, newest first, in pages', async () => {
    const ids: string[] = [];
    for (const who of ['owner', 'colleague', 'approver'] as const) {
      later(ids.length * 1_000);
      ids.unshift(await desk.leave(args(), who));
    }
    expect((await list('owner')).items.map(({ id }) => id)).toEqual(ids);
    expect((await list('accountant')).items).toHaveLength(3);
    expect((await list('viewer')).items).toEqual([]);
    expect((await list('stranger')).items).toEqual([]);
    const first = await list('owner', { limit: 2 });
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const second = await list('owner', { limit: 2, cursor: first.next_cursor });
    expect([second.items.map(({ id }) => id), second.next_cursor]).toEqual([ids.slice(2), null]);
  });

  test('filters by what a call has become, also those that nobody wrote down as expired', async () => {
    const [done, pending] = [await desk.leave(args()), await desk.leave(args({ amount: '2.00' }))];
    await desk.approve(done);
    const idsOf = async (input: object) => (await list('owner', input)).items.map(({ id }) => id);
    expect(await idsOf({ status: 'done' })).toEqual([done]);
    expect(await idsOf({ status: 'pending' })).toEqual([pending]);
    expect(await idsOf({ status: 'pending', operation: 'finance_other' })).toEqual([]);
    later(25 * 3_600_000);
    expect(await idsOf({ status: 'pending' })).toEqual([]);
    expect(await idsOf({ status: 'expired' })).toEqual([pending]);
  });
});
