import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isBusinessDay } from '../../core/calendar.ts';
import { newId } from '../../core/ids.ts';
import { createSimulatedBureau } from '../bureau/index.ts';
import type { WaitingRequest } from '../office/port.ts';
import { createSimulatedNotary } from './index.ts';

const organizationId = newId();

function waitingFor(digit: number, command = 'send', askedAt = '2026-10-05T12:00:00Z'): WaitingRequest {
  return {
    key: newId(),
    actionKey: newId(),
    command,
    askedAt: new Date(askedAt),
    documentNumber: `1122233300018${digit}`,
    amount: 10_000,
  };
}

async function told(waiting: readonly WaitingRequest[], at: string): Promise<string[]> {
  const { answers } = await createSimulatedNotary().collect({ organizationId, waiting, now: new Date(at) });
  return answers.map(({ status, on }) => `${status} ${on}`);
}

it('the story of a title follows from the document and the day, whoever asks', async () => {
  const one = [waitingFor(0)];
  expect(await told(one, '2026-10-05T12:30:00Z')).toEqual([]);
  expect(await told(one, '2026-10-05T13:00:00Z')).toEqual(['protocoled 2026-10-05']);
  const end = ['protocoled 2026-10-05', 'notified 2026-10-06', 'protested 2026-10-13'];
  expect(await told(one, '2026-10-20T12:00:00Z')).toEqual(end);
  expect(await told([waitingFor(7)], '2026-10-20T12:00:00Z')).toEqual(
    end.toReversed().flatMap((one) => [one, one]),
  );
  expect(await told([waitingFor(1)], '2026-10-20T12:00:00Z')).toContain('paid_at_notary 2026-10-08');
});

it('a title is withdrawn until the protest, and then no more', async () => {
  const sent = waitingFor(0);
  const withdrawal = (askedAt: string) => ({
    ...sent,
    key: newId(),
    command: 'withdraw',
    askedAt: new Date(askedAt),
  });
  expect(await told([sent, withdrawal('2026-10-07T12:00:00Z')], '2026-10-30T12:00:00Z')).toEqual([
    'protocoled 2026-10-05',
    'notified 2026-10-06',
    'withdrawn 2026-10-07',
  ]);
  const late = await told([sent, withdrawal('2026-10-14T12:00:00Z')], '2026-10-30T12:00:00Z');
  expect(late.slice(-2)).toEqual(['protested 2026-10-13', 'refused 2026-10-14']);
});

it('whatever is asked, answers are on business days, after the question, and the same for everybody', async () => {
  const digits = fc.integer({ min: 0, max: 9 });
  const instants = fc.date({
    min: new Date('2026-01-01T00:00:00Z'),
    max: new Date('2026-12-31T00:00:00Z'),
    noInvalidDate: true,
  });
  await fc.assert(
    fc.asyncProperty(digits, instants, async (digit, askedAt) => {
      const waiting = [{ ...waitingFor(digit), askedAt }];
      const now = new Date('2027-12-31T00:00:00Z');
      const [first, second] = await Promise.all(
        [createSimulatedNotary(), createSimulatedNotary()].map((notary) =>
          notary.collect({ organizationId, waiting, now }),
        ),
      );
      expect(first!.answers).toEqual(second!.answers);
      expect(first!.answers.length).toBeGreaterThan(0);
      for (const { at, on } of first!.answers) {
        expect(isBusinessDay(on)).toBe(true);
        expect(at > askedAt).toBe(true);
      }
    }),
  );
});

it('a simulated bureau answers a minute later, late, twice, or refuses, by the document', async () => {
  const bureau = createSimulatedBureau();
  const statuses = async (digit: number, at: string, command = 'register') => {
    const waiting = [waitingFor(digit, command)];
    const { answers } = await bureau.collect({ organizationId, waiting, now: new Date(at) });
    return answers.map(({ status }) => status);
  };
  expect(await statuses(0, '2026-10-05T12:00:59Z')).toEqual([]);
  expect(await statuses(0, '2026-10-05T12:01:00Z')).toEqual(['registered']);
  expect(await statuses(7, '2026-10-05T12:01:00Z')).toEqual(['registered', 'registered']);
  expect(await statuses(8, '2026-10-07T11:00:00Z')).toEqual([]);
  expect(await statuses(8, '2026-10-07T12:00:00Z')).toEqual(['registered']);
  expect(await statuses(9, '2026-10-05T12:01:00Z')).toEqual(['refused']);
  expect(await statuses(9, '2026-10-05T12:01:00Z', 'remove')).toEqual(['removed']);
  expect(await statuses(3, '2026-10-05T12:01:00Z', 'remove')).toEqual(['removed', 'registered']);
});
