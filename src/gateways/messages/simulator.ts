/**
 * Messages that reach nobody, for demonstrations and tests. What becomes of one follows from its recipient, so every
 * process gives the same answers:
 *
 * | e-mail to     | number or postal code ending in | what happens |
 * | ------------- | ------------------------------- | ------------ |
 * | `refuse@…`    | 9901 | refused at once: no such recipient |
 * | `reject@…`    | 9902 | refused at once: this message is not taken |
 * | `bounce@…`    | 9903 | taken, then it comes back |
 * | `fail@…`      | 9904 | taken, then not delivered for another reason |
 * | `silent@…`    | 9905 | taken and passed on; nothing more is ever heard |
 * | `slow@…`      | 9906 | delivered an hour later (letters: ten days) |
 * | `twice@…`     | 9907 | every report comes twice |
 * | `disorder@…`  | 9908 | the last report comes first |
 * | `lost@…`      | 9909 | taken, but the answer is lost |
 * | `vanish@…`    | 9910 | the connection breaks before it is taken, the first time |
 * | `down@…`      | 9911 | cannot be reached, the first time |
 * | anybody else  | else | delivered (and read, on WhatsApp) |
 *
 * E-mail names may go on with `+` or `.` and anything (`bounce+7@…`).
 */

import {
  type DeliveryReport,
  type DeliveryStatus,
  type FoundMessage,
  type MessageChannel,
  MessageOutcomeUnknown,
  type MessagePort,
  MessageRefused,
  MessageUnreachable,
  type OutgoingMessage,
} from './port.ts';

export const SIMULATOR_PROVIDER = 'simulator';

/** Older messages are forgotten, so that a long run stays within its memory. */
const SENT_KEPT_MAX = 1_000;
const KEYS_KEPT_MAX = 100_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

type Behaviour =
  | 'refuse'
  | 'reject'
  | 'bounce'
  | 'fail'
  | 'silent'
  | 'slow'
  | 'twice'
  | 'disorder'
  | 'lost'
  | 'vanish'
  | 'down'
  | 'deliver';

/** In the order of the endings of numbers. */
const behaviours: readonly Behaviour[] = [
  'refuse',
  'reject',
  'bounce',
  'fail',
  'silent',
  'slow',
  'twice',
  'disorder',
  'lost',
  'vanish',
  'down',
];

export interface SimulatedMessages extends Readonly<Record<MessageChannel, MessagePort>> {
  /** The newest messages that were taken, oldest first. */
  readonly sent: readonly OutgoingMessage[];
}

export interface SimulatorOptions {
  readonly now?: () => Date;
}

export function createSimulatedMessages(options: SimulatorOptions = {}): SimulatedMessages {
  const { now = () => new Date() } = options;
  const sent: OutgoingMessage[] = [];
  const keep = (message: OutgoingMessage) => {
    sent.push(message);
    if (sent.length > SENT_KEPT_MAX) sent.shift();
  };
  return {
    sent,
    email: createSimulatedPort(now, keep),
    sms: createSimulatedPort(now, keep),
    whatsapp: createSimulatedPort(now, keep),
    letter: createSimulatedPort(now, keep),
  };
}

interface Taken {
  readonly channel: MessageChannel;
  readonly behaviour: Behaviour;
  readonly at: Date;
}

function createSimulatedPort(now: () => Date, keep: (message: OutgoingMessage) => void): MessagePort {
  const taken = new Map<string, Taken>();
  const tried = new Map<string, true>();
  const take = (message: OutgoingMessage, behaviour: Behaviour) => {
    // A key that was taken already is no second message.
    if (taken.has(message.key)) return;
    remember(taken, message.key, { channel: message.channel, behaviour, at: now() });
    keep(message);
  };
  return {
    name: SIMULATOR_PROVIDER,
    async send(message) {
      const behaviour = behaviourOf(message);
      const isFirst = !tried.has(message.key);
      if (behaviour === 'vanish' || behaviour === 'down') remember(tried, message.key, true);
      if (behaviour === 'refuse') throw new MessageRefused('invalid_contact', 'no such recipient');
      if (behaviour === 'reject') throw new MessageRefused('rejected', 'the message is not taken');
      if (behaviour === 'down' && isFirst) throw new MessageUnreachable('nobody answers');
      if (behaviour === 'vanish' && isFirst) throw new MessageOutcomeUnknown('the connection broke');
      take(message, behaviour);
      if (behaviour === 'lost') throw new MessageOutcomeUnknown('the answer was lost');
      return { providerId: providerIdOf(message.key) };
    },
    async find(key): Promise<FoundMessage> {
      return taken.has(key) ? { state: 'taken', providerId: providerIdOf(key) } : { state: 'absent' };
    },
    async collect(keys) {
      const at = now();
      return keys.flatMap((key) => {
        const known = taken.get(key);
        return known === undefined ? [] : reportsOf(key, known, at);
      });
    },
  };
}

/** How a message to this recipient fares. */
function behaviourOf({ channel, to, address }: OutgoingMessage): Behaviour {
  if (channel === 'email') {
    const name = /^[a-z]+(?=[+.@])/i.exec(to)?.[0].toLowerCase();
    return behaviours.find((behaviour) => behaviour === name) ?? 'deliver';
  }
  const digits = channel === 'letter' ? (address?.postalCode ?? '') : to;
  const ending = /99(\d\d)$/.exec(digits)?.[1];
  return (ending === undefined ? undefined : behaviours[Number(ending) - 1]) ?? 'deliver';
}

function providerIdOf(key: string): string {
  return `sim-${key}`;
}

/** What is told of a message by a time, in the order in which it comes. */
function reportsOf(key: string, { channel, behaviour, at }: Taken, by: Date): DeliveryReport[] {
  const reports = stepsOf(channel, behaviour).map(({ status, afterMs, detail }): DeliveryReport => {
    return {
      reportId: status,
      key,
      providerId: providerIdOf(key),
      status,
      at: new Date(at.getTime() + afterMs),
      detail: detail ?? null,
    };
  });
  const told = reports.filter((report) => report.at <= by);
  if (behaviour === 'twice') return told.flatMap((report) => [report, report]);
  if (behaviour !== 'disorder') return told;
  // Nothing before the last one, which comes first.
  return told.length === reports.length ? told.toReversed() : [];
}

interface Step {
  readonly status: DeliveryStatus;
  readonly afterMs: number;
  readonly detail?: string;
}

function stepsOf(channel: MessageChannel, behaviour: Behaviour): Step[] {
  const isLetter = channel === 'letter';
  const passedOn: Step = { status: 'sent', afterMs: 0, detail: isLetter ? 'posted' : 'relayed' };
  const soon = isLetter ? 3 * DAY_MS : MINUTE_MS / 2;
  switch (behaviour) {
    case 'bounce':
      return [passedOn, { status: 'bounced', afterMs: soon, detail: '5.1.1 no such recipient' }];
    case 'fail':
      return [passedOn, { status: 'failed', afterMs: soon, detail: '5.7.1 not accepted' }];
    case 'silent':
      return [passedOn];
    case 'slow':
      return [passedOn, { status: 'delivered', afterMs: isLetter ? 10 * DAY_MS : 60 * MINUTE_MS }];
    default: {
      const delivered: Step = { status: 'delivered', afterMs: soon };
      const read: Step[] = channel === 'whatsapp' ? [{ status: 'read', afterMs: 2 * MINUTE_MS }] : [];
      return [passedOn, delivered, ...read];
    }
  }
}

function remember<Value>(kept: Map<string, Value>, key: string, value: Value): void {
  kept.set(key, value);
  if (kept.size <= KEYS_KEPT_MAX) return;
  const [oldest] = kept.keys();
  kept.delete(oldest!);
}
