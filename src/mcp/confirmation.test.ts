import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  callOf,
  createRawClient,
  type RawClient,
  SERVER_INFO_KEY,
  YES,
} from '../../test/support/raw-client.ts';
import { KNOWN_ID, MISSING_ID, ran } from '../../test/support/small-product.ts';
import { type SmallServer, startSmallServer } from '../../test/support/small-server.ts';
import { ERROR_KEY } from './protocol.ts';

const FORM = { capabilities: { elicitation: {} } };
const CALL = callOf('finance_items_delete', { id: KNOWN_ID });

/** What the wire makes of confirming; the store itself is tested with the real one. */
describe.each(['lean', 'sdk'] as const)('confirming on the wire (%s)', (wire) => {
  let server: SmallServer;
  let client: RawClient;
  beforeAll(async () => {
    server = await startSmallServer(wire);
    client = createRawClient(server.url, 'kob_finance_full');
  });
  afterAll(() => server.close());
  beforeEach(() => {
    ran.length = 0;
  });
  const ask = async () => (await client.m('tools/call', CALL, FORM)).body.result.requestState as string;
  const resend = async (params: Record<string, unknown>, requestState?: string) =>
    (
      await client.m(
        'tools/call',
        { ...CALL, ...(requestState !== undefined && { requestState }), ...params },
        FORM,
      )
    ).body;
  const codeOf = (body: any) => body.result._meta[ERROR_KEY].error.code as string;

  it('CF-01 CF-02 CF-03 CF-07 TR-33 UT-09: the first call asks and runs nothing', async () => {
    const answer = await client.m('tools/call', CALL, { ...FORM, meta: { progressToken: 1 } });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.body.result).toEqual({
      resultType: 'input_required',
      inputRequests: {
        confirm: {
          method: 'elicitation/create',
          params: {
            mode: 'form',
            message: 'Delete an item?',
            requestedSchema: {
              type: 'object',
              properties: { confirm: { type: 'boolean', title: 'Run this action', default: false } },
              required: ['confirm'],
            },
          },
        },
      },
      requestState: expect.stringMatching(/^\d+\|finance_items_delete\|/),
      _meta: { [SERVER_INFO_KEY]: { name: 'kobana-finance', version: '1.2.3' } },
    });
    expect(ran).toEqual([]);
  });

  it.each([
    [{ elicitation: {} }, true],
    [{ elicitation: { form: {} } }, true],
    [{ elicitation: { form: {}, url: {} } }, true],
    [{ elicitation: { url: {} } }, false],
    [{}, false],
    [{ sampling: {}, roots: {} }, false],
  ])(
    'CF-04 CF-80 CF-81 CF-83: with the capabilities %j a form is possible: %s',
    async (capabilities, isPossible) => {
      const { status, body } = await client.m('tools/call', CALL, { capabilities });
      expect(status).toBe(200);
      if (isPossible) {
        expect(body.result.resultType).toBe('input_required');
      } else {
        expect(body.result).toMatchObject({ resultType: 'complete', isError: true });
        expect(body.result._meta[ERROR_KEY].error).toMatchObject({
          code: 'confirmation_required',
          details: { required_capabilities: { elicitation: { form: {} } } },
        });
      }
      expect(ran).toEqual([]);
      const read = await client.m('tools/call', callOf('finance_items_get', { id: KNOWN_ID }), {
        capabilities,
      });
      expect(read.body.result.resultType).toBe('complete');
    },
  );

  it('CF-82: on 2025 it is required and impossible', async () => {
    expect(codeOf((await client.l('tools/call', CALL)).body)).toBe('confirmation_required');
  });

  it('CF-12: wrong arguments are told before anybody is asked', async () => {
    const { body } = await client.m('tools/call', callOf('finance_items_delete', { id: 'x' }), FORM);
    expect([codeOf(body), body.result.requestState]).toEqual(['invalid_argument', undefined]);
  });

  it('CF-15 TO-22: what is not destructive is not asked about', async () => {
    const { body } = await client.m('tools/call', callOf('finance_items_create', { name: 'x' }), FORM);
    expect([body.result.resultType, ran]).toEqual(['complete', ['create']]);
  });

  it('CF-40 CF-46 CF-60: an explicit yes runs it, once', async () => {
    const state = await ask();
    const first = await resend({ inputResponses: { ...YES, foo: 1 } }, state);
    expect(first.result).toMatchObject({ resultType: 'complete', structuredContent: { deleted: true } });
    expect(codeOf(await resend({ inputResponses: YES }, state))).toBe('confirmation_replayed');
    expect(ran).toEqual(['delete']);
  });

  it.each([
    ['no', { action: 'accept', content: { confirm: false } }],
    ['the text true', { action: 'accept', content: { confirm: 'true' } }],
    ['1', { action: 'accept', content: { confirm: 1 } }],
    ['null', { action: 'accept', content: { confirm: null } }],
    ['nothing', { action: 'accept' }],
    ['a decline', { action: 'decline' }],
    ['a cancel', { action: 'cancel' }],
    ['a yes on the prototype', { action: 'accept', content: JSON.parse('{"__proto__":{"confirm":true}}') }],
  ])('CF-41 CF-42 CF-43 CF-44 CF-48: %s is no yes, and does not become one', async (_name, confirm) => {
    const state = await ask();
    expect(codeOf(await resend({ inputResponses: { confirm } }, state))).toBe('USER_DECLINED');
    expect((await resend({ inputResponses: YES }, state)).result.resultType).toBe('input_required');
    expect(ran).toEqual([]);
  });

  it.each([
    ['no inputResponses', {}],
    ['empty ones', { inputResponses: {} }],
    ['another key', { inputResponses: { other: YES.confirm } }],
  ])('CF-45: a state with %s asks again', async (_name, params) => {
    expect((await resend(params, await ask())).result.resultType).toBe('input_required');
    expect(ran).toEqual([]);
  });

  it.each([
    ['null', null],
    ['a list', []],
    ['a number as confirm', { confirm: 12345 }],
    ['null as confirm', { confirm: null }],
    ['a wrapped result', { confirm: { method: 'elicitation/create', result: YES.confirm } }],
    ['an unknown action', { confirm: { action: 'yes' } }],
    ['text as content', { confirm: { action: 'accept', content: 'yes' } }],
  ])('CF-47: %s is malformed, and the state stays good', async (_name, inputResponses) => {
    const state = await ask();
    expect((await resend({ inputResponses }, state)).error.code).toBe(-32602);
    expect(ran).toEqual([]);
    expect((await resend({ inputResponses: YES }, state)).result.structuredContent).toEqual({
      deleted: true,
    });
  });

  it.each([
    ['missing', undefined],
    ['made up', 'nonsense'],
    ['empty', ''],
  ])('CF-49 CF-50: a yes with a state that is %s asks again', async (_name, state) => {
    expect((await resend({ inputResponses: YES }, state)).result.resultType).toBe('input_required');
    expect(ran).toEqual([]);
  });

  it('CF-27: a yes for other arguments asks again', async () => {
    const state = await ask();
    const other = callOf('finance_items_delete', { id: MISSING_ID }, state);
    expect((await client.m('tools/call', other, FORM)).body.result.resultType).toBe('input_required');
    expect(ran).toEqual([]);
  });

  it('CF-32: a state of 1 MB is refused cheaply', async () => {
    expect((await resend({ inputResponses: YES }, 'x'.repeat(1_000_000))).result.resultType).toBe(
      'input_required',
    );
  });

  it('CF-34: the resend may have the same id', async () => {
    const state = await ask();
    const answer = await client.m('tools/call', callOf('finance_items_delete', { id: KNOWN_ID }, state), {
      ...FORM,
      id: 1,
    });
    expect(answer.body.result.structuredContent).toEqual({ deleted: true });
  });

  it('CF-53: the capability is needed on the resend too, and the state stays good', async () => {
    const state = await ask();
    const params = callOf('finance_items_delete', { id: KNOWN_ID }, state);
    expect(codeOf((await client.m('tools/call', params)).body)).toBe('confirmation_required');
    expect((await client.m('tools/call', params, FORM)).body.result.structuredContent).toEqual({
      deleted: true,
    });
  });

  it('TR-53: a resend whose header names another tool runs nothing, and the state stays good', async () => {
    const state = await ask();
    const params = callOf('finance_items_delete', { id: KNOWN_ID }, state);
    const refused = await client.m('tools/call', params, {
      ...FORM,
      headers: { 'Mcp-Name': 'finance_items_get' },
    });
    expect([refused.status, refused.body.error.code, ran]).toEqual([400, -32020, []]);
    expect((await client.m('tools/call', params, FORM)).body.result.structuredContent).toEqual({
      deleted: true,
    });
  });
});
