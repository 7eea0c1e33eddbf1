/** Views and the tools that reach every tool, on the real product: rows, sealed states and the chain of events. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_KEY } from '../../src/mcp/protocol.ts';
import { createBill, createPayer, type Payer } from '../support/banking.ts';
import { type HttpServer, openServer } from '../support/http.ts';
import { callOf, createRawClient, type RawClient } from '../support/raw-client.ts';
import { formCapable, openWorld, type World } from '../support/world.ts';

const ASKED = { capabilities: formCapable };
const CANCEL = 'finance_payables_cancel';

let world: World;
let server: HttpServer;
let payer: Payer;
beforeAll(async () => {
  world = await openWorld();
  server = await openServer(world);
  payer = await createPayer(world);
});
afterAll(async () => {
  await server.close();
  await world.close();
});

const several = (query: string): RawClient => createRawClient(`${server.url}${query}`, world.tokens.several);
const act = (name: string, args: object, state?: string) =>
  callOf('finance_tools_act', { name, arguments: args }, state);
const codeOf = ({ body }: { body: any }) => body.result._meta?.[ERROR_KEY]?.error.code;
const statusOf = async (id: string) => (await world.call('finance_payables_get', { id }))['status'];

describe('a connection narrowed to one workspace', () => {
  it('works there without naming it, reads and writes, and sees no other', async () => {
    const client = several(`?workspace=${world.otherWorkspaceId}`);
    const create = callOf('finance_cost_centers_create', { name: 'Obras' });
    const { id } = (await client.m('tools/call', create)).body.result.structuredContent;
    const [row] = await world.look('select workspace_id from cost_centers where id = $1', [id]);
    expect(row!['workspace_id']).toBe(world.otherWorkspaceId);
    const me = (await client.m('tools/call', callOf('finance_me', {}))).body.result.structuredContent;
    expect(me.workspaces.map((one: any) => one.id)).toEqual([world.otherWorkspaceId]);
    expect(me.default_workspace_id).toBe(world.otherWorkspaceId);
  });

  it('does not write elsewhere, also when the person may', async () => {
    const args = { name: 'Elsewhere', workspace_id: world.workspaceId };
    const create = callOf('finance_cost_centers_create', args);
    expect(codeOf(await several(`?workspace=${world.otherWorkspaceId}`).m('tools/call', create))).toBe(
      'not_found',
    );
    expect(codeOf(await several('').m('tools/call', create))).toBeUndefined();
  });

  it('is refused alike for a workspace of others and for one that does not exist', async () => {
    const answers = [world.foreignWorkspaceId, '0192f000-0000-7000-8000-000000000000'].map((id) =>
      several(`?workspace=${id}`).m('tools/list'),
    );
    const [foreign, missing] = await Promise.all(answers);
    expect([foreign!.status, foreign!.body.error.code]).toEqual([400, 'client_view_refused']);
    expect(missing!.text).toBe(foreign!.text);
  });

  it('cannot leave the workspace that its token is pinned to', async () => {
    const pinned = createRawClient(`${server.url}?workspace=${world.otherWorkspaceId}`, world.tokens.owner);
    expect((await pinned.m('tools/list')).status).toBe(400);
  });
});

describe('a destructive tool run through finance_tools_act', () => {
  it('asks the question of the inner tool, and the chain of events names the inner tool', async () => {
    const client = server.client('owner');
    const id = await createBill(world, payer);
    const args = { id, reason: 'duplicate' };
    const direct = (await client.m('tools/call', callOf(CANCEL, args), ASKED)).body.result;
    const asked = (await client.m('tools/call', act(CANCEL, args), ASKED)).body.result;
    const questionIn = ({ inputRequests }: any) => inputRequests.confirm.params.message;
    expect(questionIn(asked)).toBe(questionIn(direct));
    expect(await statusOf(id)).not.toBe('canceled');
    const done = await client.m('tools/call', act(CANCEL, args, asked.requestState), ASKED);
    expect([codeOf(done), done.body.result.structuredContent.id]).toEqual([undefined, id]);
    const events = await world.look<{ body: string }>('select body from events where body like $1', [
      `%${id}%`,
    ]);
    expect(events.map(({ body }) => JSON.parse(body).operation)).toContain(CANCEL);
    expect(JSON.stringify(events)).not.toContain('tools_act');
  });

  it('CF-24: a state opens only the inner tool and arguments it was made for', async () => {
    const client = server.client('owner');
    const [one, other] = [await createBill(world, payer), await createBill(world, payer)];
    const reason = 'duplicate';
    const asked = await client.m('tools/call', act(CANCEL, { id: one, reason }), ASKED);
    const { requestState } = asked.body.result;
    for (const call of [
      act(CANCEL, { id: other, reason }, requestState),
      act('finance_payables_delete', { id: one }, requestState),
      callOf(CANCEL, { id: other, reason }, requestState),
    ]) {
      const answer = await client.m('tools/call', call, ASKED);
      expect(answer.body.result.resultType).toBe('input_required');
    }
    expect([await statusOf(one), await statusOf(other)]).not.toContain('canceled');
    const spent = callOf(CANCEL, { id: one, reason }, requestState);
    expect(codeOf(await client.m('tools/call', spent, ASKED))).toBeUndefined();
    const again = await client.m('tools/call', act(CANCEL, { id: one, reason }, requestState), ASKED);
    expect(codeOf(again)).toBe('confirmation_replayed');
  });

  it('SE-01: is not run for a client that cannot ask', async () => {
    const id = await createBill(world, payer);
    const answer = await server
      .client('owner')
      .m('tools/call', act(CANCEL, { id, reason: 'duplicate' }), { capabilities: {} });
    expect(codeOf(answer)).toBe('confirmation_required');
    expect(await statusOf(id)).not.toBe('canceled');
  });

  it('asks for the rights of the inner tool', async () => {
    const id = await createBill(world, payer);
    const answer = await server.client('viewer').m('tools/call', act(CANCEL, { id, reason: 'x' }), ASKED);
    expect(codeOf(answer)).toBe('forbidden');
  });
});
