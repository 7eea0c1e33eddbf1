/** Asking and answering over the wire, as a client of 2026 does. */

import { expect } from 'vitest';
import { type Answer, callOf, type MessageChanges, type RawClient } from './raw-client.ts';
import { formCapable, type World } from './world.ts';

export interface Asked {
  readonly message: string;
  readonly state: string;
}

/** The first call of a destructive tool; fails unless it comes back as a question. */
export async function ask(client: RawClient, name: string, args: object): Promise<Asked> {
  return questionOf(await client.m('tools/call', callOf(name, args), { capabilities: formCapable }));
}

/** The question in an answer; fails when there is none. */
export function questionOf(answer: Answer): Asked {
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.result?.resultType, answer.text).toBe('input_required');
  const { inputRequests, requestState } = answer.body.result;
  return { message: inputRequests.confirm.params.message, state: requestState };
}

/** The same call again with the person's yes to this state. */
export function confirm(
  client: RawClient,
  name: string,
  args: object,
  state: string,
  changes: MessageChanges = {},
): Promise<Answer> {
  return client.m('tools/call', callOf(name, args, state), { capabilities: formCapable, id: 2, ...changes });
}

/** The record that a call answered; fails for an error or a question. */
export function outputOf(answer: Answer): Record<string, any> {
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.result?.isError ?? false, answer.text).toBe(false);
  expect(answer.body.result?.structuredContent, answer.text).toBeDefined();
  return answer.body.result.structuredContent;
}

/** The error in the result of a call; fails when the call went through. */
export function errorOf(answer: Answer): { code: string; message: string; details?: Record<string, any> } {
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.result?.isError, answer.text).toBe(true);
  const { error } = JSON.parse(answer.body.result.content[0].text);
  expect(answer.body.result._meta['com.kobana/error']).toEqual({ error });
  return error;
}

/** One call that needs no question. */
export async function call(client: RawClient, name: string, args: object): Promise<Record<string, any>> {
  return outputOf(await client.m('tools/call', callOf(name, args)));
}

/** What sending a payable leaves behind: how many orders there are, and how each recorded call ended, oldest first. */
export interface SendingEffects {
  readonly orders: number;
  readonly events: readonly string[];
}

export const sentOnce: SendingEffects = { orders: 1, events: ['done'] };
export const nothingSent: SendingEffects = { orders: 0, events: [] };

export async function effectsOfSending(world: World, payableId: string): Promise<SendingEffects> {
  const orders = await world.look('select id from payments where payable_id = $1', [payableId]);
  const events = await world.look<{ outcome: string }>(
    `select body::jsonb->>'outcome' as outcome from events
      where operation = 'finance_payables_send_to_bank' and body like '%' || $1 || '%' order by position`,
    [payableId],
  );
  return { orders: orders.length, events: events.map(({ outcome }) => outcome) };
}
