/** Sends messages to debtors, and asks their carriers what became of them. */

import { z } from 'zod';
import type { JobContext, JobDefinition } from '../../core/job.ts';
import type { DunningGateways } from '../../gateways/dunning.ts';
import {
  type MessageChannel,
  MessageOutcomeUnknown,
  MessageRefused,
  MessageUnreachable,
  type OutgoingMessage,
} from '../../gateways/messages/port.ts';
import { queueSending, SEND_TASK } from './queueing.ts';
import { claimStale, type Outcome, outcomeOfFound, type Recorded, recordOutcomes } from './recording.ts';
import { applyReports } from './reports.ts';
import { messageChannels } from './schema.ts';
import { claimBatch } from './sending.ts';
import { selectAwaited } from './sending-queries.ts';

const payload = z.strictObject({ organizationId: z.uuid() });
type Payload = z.infer<typeof payload>;
type Run = JobContext<DunningGateways>;

/** Messages handed over at once. */
const AT_ONCE = 8;
/** A run takes batches for so long, and leaves the rest to the next, which sees the time of then. */
const RUN_MS = 20_000;
/** What of a batch has not begun by then goes back: the claim must not outlast its meaning. */
const BATCH_MS = 30_000;
const ASKED_AT_ONCE = 500;

/** Sends what is due, batch by batch, after settling what runs before this one left open. */
const sendMessages: JobDefinition<Payload, DunningGateways> = {
  task: SEND_TASK,
  payload,
  every: { at: 1, tenant: 'organization' },
  async run(_payload, context) {
    const until = performance.now() + RUN_MS;
    await settleStale(context, until);
    while (performance.now() < until) {
      const { claimId, messages, seen } = await context.write(claimBatch);
      if (seen === 0) return;
      await handOver(context, claimId, messages);
    }
    await context.write(async (write) => queueSending(write));
  },
};

/** Asks carriers that are asked for the reports of messages on their way. */
const collectReports: JobDefinition<Payload, DunningGateways> = {
  task: 'dunning_collect_reports',
  payload,
  every: { at: 1, tenant: 'organization' },
  async run(_payload, context) {
    for (const channel of messageChannels) await collectFrom(context, channel);
  },
};

// biome-ignore lint/suspicious/noExplicitAny: jobs of every payload are kept in one list.
export const jobs: JobDefinition<any, DunningGateways>[] = [sendMessages, collectReports];

/** Hands a batch over and records what came of it; then throws what nobody expected, if there was anything. */
async function handOver(context: Run, claimId: string, messages: readonly OutgoingMessage[]): Promise<void> {
  const { messages: ports } = context.gateways;
  const until = performance.now() + BATCH_MS;
  const unexpected: unknown[] = [];
  const outcomes = await inParallel(messages, async (message): Promise<Recorded> => {
    const { name: provider } = ports[message.channel];
    if (performance.now() > until) return { id: message.key, kind: 'freed', provider };
    try {
      const { providerId } = await ports[message.channel].send(message);
      return { id: message.key, kind: 'sent', providerId, sentAt: context.now.toISOString(), provider };
    } catch (error) {
      const outcome = outcomeOfError(message.key, error);
      if (outcome.kind === 'unknown' && !(error instanceof MessageOutcomeUnknown)) unexpected.push(error);
      return { ...outcome, provider };
    }
  });
  await context.write((write) => recordOutcomes(write, claimId, outcomes));
  if (unexpected.length > 0) throw unexpected[0];
}

/**
 * Settles messages that were taken to be sent and never recorded, by asking their carrier. One that answers slowly does
 * not keep the others' messages waiting: what was not asked by then is stale again soon.
 */
async function settleStale(context: Run, until: number): Promise<void> {
  const { messages: ports } = context.gateways;
  while (performance.now() < until) {
    // What is claimed here is fresh again, so the next look finds others.
    const { claimId, stale } = await context.write(claimStale);
    if (stale.length === 0) return;
    const outcomes = await inParallel(stale, async (one): Promise<Recorded | null> => {
      if (performance.now() > until) return null;
      const port = ports[one.channel as MessageChannel];
      try {
        return { ...outcomeOfFound(one, await port.find(one.id)), provider: port.name };
      } catch (error) {
        // Still not known: somebody asks again when the claim is stale once more.
        return { id: one.id, kind: 'unknown', detail: messageOf(error), provider: port.name };
      }
    });
    const answered = outcomes.filter((outcome) => outcome !== null);
    await context.write((write) => recordOutcomes(write, claimId, answered));
  }
}

async function collectFrom(context: Run, channel: MessageChannel): Promise<void> {
  const port = context.gateways.messages[channel];
  if (port.collect === undefined) return;
  const startedAt = performance.now();
  let after: { created_at: string; id: string } | null = null;
  while (performance.now() - startedAt < RUN_MS) {
    const awaited = await context.read((read) =>
      selectAwaited(read, { channel, provider: port.name }, after, ASKED_AT_ONCE),
    );
    if (awaited.length === 0) return;
    const reports = await port.collect(awaited.map(({ id }) => id));
    if (reports.length > 0) await context.write((write) => applyReports(write, port.name, reports));
    after = awaited.at(-1)!;
  }
}

function outcomeOfError(id: string, error: unknown): Outcome {
  if (error instanceof MessageRefused) return { id, kind: 'failed', reason: error.reason, hasReached: false };
  if (error instanceof MessageUnreachable) return { id, kind: 'unreachable', detail: messageOf(error) };
  return { id, kind: 'unknown', detail: messageOf(error) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The answers in the order of the items, a few at once. */
async function inParallel<Item, Answer>(
  items: readonly Item[],
  work: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = new Array(items.length);
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < items.length) {
      const index = next;
      next += 1;
      answers[index] = await work(items[index]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, lane));
  return answers;
}
