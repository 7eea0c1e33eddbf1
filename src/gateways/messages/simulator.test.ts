import { beforeEach, describe, expect, test } from 'vitest';
import { MessageOutcomeUnknown, MessageUnreachable, type OutgoingMessage } from './port.ts';
import { createSimulatedMessages, type SimulatedMessages } from './simulator.ts';

let clock: Date;
let messages: SimulatedMessages;
let count = 0;

beforeEach(() => {
  clock = new Date('2026-10-01T12:00:00Z');
  messages = createSimulatedMessages({ now: () => clock });
});

function messageTo(to: string, fields: Partial<OutgoingMessage> = {}): OutgoingMessage {
  count += 1;
  return {
    key: `0199a0a0-0000-7000-8000-${String(count).padStart(12, '0')}`,
    channel: 'email',
    to,
    address: null,
    recipientName: 'Ana',
    language: 'pt-BR',
    subject: 'Olá',
    text: 'Olá.',
    senderName: 'Aurora',
    replyTo: null,
    ...fields,
  };
}

const later = (minutes: number) => {
  clock = new Date(clock.getTime() + minutes * 60_000);
};
/** What is told of the messages that were taken, told before or not. */
const collect = async (channel: 'email' | 'sms' | 'whatsapp' | 'letter' = 'email') =>
  (await messages[channel].collect!(messages.sent.map(({ key }) => key))).map(({ status }) => status);

describe('an e-mail', () => {
  test('is taken, passed on and then delivered; it is kept and can be asked for', async () => {
    const message = messageTo('ana@example.com');
    expect(await messages.email.send(message)).toEqual({ providerId: `sim-${message.key}` });
    expect(messages.sent).toEqual([message]);
    expect(await messages.email.find(message.key)).toEqual({
      state: 'taken',
      providerId: `sim-${message.key}`,
    });
    expect(await messages.email.find('another')).toEqual({ state: 'absent' });
    expect(await collect()).toEqual(['sent']);
    later(1);
    expect(await collect()).toEqual(['sent', 'delivered']);
    expect(await messages.email.collect!(['another'])).toEqual([]);
  });

  test('sent twice under one key is one message', async () => {
    const message = messageTo('ana@example.com');
    await messages.email.send(message);
    await messages.email.send(message);
    expect(messages.sent).toHaveLength(1);
    later(1);
    expect(await collect()).toEqual(['sent', 'delivered']);
  });

  test.each([
    ['refuse@example.com', 'invalid_contact'],
    ['reject+1@example.com', 'rejected'],
  ])('to %s is refused', async (to, reason) => {
    await expect(messages.email.send(messageTo(to))).rejects.toMatchObject({
      name: 'MessageRefused',
      reason,
    });
    expect(messages.sent).toEqual([]);
  });

  test.each([
    ['bounce', ['sent'], ['sent', 'bounced'], ['sent', 'bounced']],
    ['fail', ['sent'], ['sent', 'failed'], ['sent', 'failed']],
    ['silent', ['sent'], ['sent'], ['sent']],
    ['slow', ['sent'], ['sent'], ['sent', 'delivered']],
    [
      'twice',
      ['sent', 'sent'],
      ['sent', 'sent', 'delivered', 'delivered'],
      ['sent', 'sent', 'delivered', 'delivered'],
    ],
    ['disorder', [], ['delivered', 'sent'], ['delivered', 'sent']],
  ])('to %s@ is told of in its own way: at once, after a minute, after an hour', async (name, ...after) => {
    await messages.email.send(messageTo(`${name}.7@example.com`));
    const told: string[][] = [];
    for (const minutes of [0, 1, 60]) {
      later(minutes);
      told.push(await collect());
    }
    expect(told).toEqual(after);
  });

  test('whose answer is lost was taken; one that vanished was not, and goes through again', async () => {
    const lost = messageTo('lost@example.com');
    await expect(messages.email.send(lost)).rejects.toThrow(MessageOutcomeUnknown);
    expect(await messages.email.find(lost.key)).toMatchObject({ state: 'taken' });
    const vanished = messageTo('vanish@example.com');
    await expect(messages.email.send(vanished)).rejects.toThrow(MessageOutcomeUnknown);
    expect(await messages.email.find(vanished.key)).toEqual({ state: 'absent' });
    await messages.email.send(vanished);
    const down = messageTo('down@example.com');
    await expect(messages.email.send(down)).rejects.toThrow(MessageUnreachable);
    await messages.email.send(down);
    expect(messages.sent.map(({ key }) => key)).toEqual([lost.key, vanished.key, down.key]);
  });
});

describe('other channels', () => {
  test('numbers behave by their last digits, and WhatsApp also tells of reading', async () => {
    const sms = (to: string) => messages.sms.send(messageTo(to, { channel: 'sms', subject: null }));
    await expect(sms('+5511980009901')).rejects.toMatchObject({ reason: 'invalid_contact' });
    await sms('+5511980009903');
    later(1);
    expect(await collect('sms')).toEqual(['sent', 'bounced']);
    await messages.whatsapp.send(messageTo('+5511980000001', { channel: 'whatsapp', subject: null }));
    later(3);
    expect(await collect('whatsapp')).toEqual(['sent', 'delivered', 'read']);
    expect(await collect('sms')).toEqual(['sent', 'bounced']);
  });

  test('letters behave by their postal code and take days', async () => {
    const address = {
      street: 'Rua Um',
      number: '1',
      complement: null,
      district: null,
      city: 'São Paulo',
      state: 'SP',
      postalCode: '01001000',
    };
    const letter = (postalCode: string) =>
      messages.letter.send(messageTo('', { channel: 'letter', address: { ...address, postalCode } }));
    await letter('01001000');
    await expect(letter('01009901')).rejects.toMatchObject({ reason: 'invalid_contact' });
    expect(await collect('letter')).toEqual(['sent']);
    later(2 * 1_440);
    expect(await collect('letter')).toEqual(['sent']);
    later(1_440);
    expect(await collect('letter')).toEqual(['sent', 'delivered']);
  });
});

test('gives the same answers in another process', async () => {
  const reportsOf = async () => {
    const simulator = createSimulatedMessages({ now: () => new Date('2026-10-01T12:00:00Z') });
    for (const name of ['ana', 'bounce', 'twice', 'disorder']) {
      await simulator.email.send({ ...messageTo(`${name}@example.com`), key: name });
    }
    return simulator.email.collect!(['ana', 'bounce', 'twice', 'disorder']);
  };
  expect(await reportsOf()).toEqual(await reportsOf());
});

test('forgets the oldest, so that a long run stays within its memory', async () => {
  for (let index = 0; index < 1_100; index += 1) await messages.email.send(messageTo('ana@example.com'));
  expect(messages.sent).toHaveLength(1_000);
  expect(messages.sent.at(-1)!.key).toBe(`0199a0a0-0000-7000-8000-${String(count).padStart(12, '0')}`);
});
