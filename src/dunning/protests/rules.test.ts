import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterAnswer,
  afterDecision,
  afterNotTaken,
  afterStop,
  afterTaken,
  deadlineAfter,
  isOver,
  moves,
  type NotaryTold,
  type ProtestState,
  type ProtestStatus,
} from './rules.ts';

const pending: ProtestState = {
  status: 'pending',
  status_reason: null,
  notary: null,
  protocol: null,
  protocoled_on: null,
  notified_on: null,
  notice_kind: null,
  deadline_on: null,
  protested_on: null,
  costs: null,
  notary_reference: null,
};
const office = { name: '1º Tabelionato', city: 'Santos', state: 'SP' };

const told = (status: NotaryTold['status'], on: string, change: Partial<NotaryTold> = {}): NotaryTold => ({
  command: 'send',
  status,
  at: new Date(`${on}T15:00:00Z`),
  on,
  notary: office,
  protocol: 'P1',
  noticeKind: status === 'notified' ? 'letter' : null,
  costs: null,
  reference: 'R1',
  ...change,
});
const sent = afterTaken(afterDecision(pending, 'approved'), 'R1');

/** The states of a list of answers, applied one after the other as they come. */
function heard(from: ProtestState, answers: readonly NotaryTold[]) {
  let state = from;
  let last: Date | null = null;
  const seen: ProtestStatus[] = [];
  for (const answer of answers) {
    for (const next of afterAnswer(state, answer, last)) {
      if (next.status !== state.status) seen.push(next.status);
      state = next;
    }
    if (last === null || answer.at > last) last = answer.at;
  }
  return { state, seen };
}

describe('answers of a notary office', () => {
  it('bring a title from its protocol to the protest, with three business days to pay', () => {
    const { state, seen } = heard(sent, [
      told('protocoled', '2026-10-05'),
      told('notified', '2026-10-07'),
      told('protested', '2026-10-14'),
    ]);
    expect(seen).toEqual(['protocoled', 'notified', 'protested']);
    expect(state).toMatchObject({
      notary: office,
      protocol: 'P1',
      protocoled_on: '2026-10-05',
      notified_on: '2026-10-07',
      notice_kind: 'letter',
      // The 12th is a holiday, the 10th a Saturday.
      deadline_on: '2026-10-13',
      protested_on: '2026-10-14',
    });
    expect(deadlineAfter('2026-10-07')).toBe('2026-10-13');
  });

  it('that come out of order never move it back, and what they tell is kept', () => {
    const { state, seen } = heard(sent, [
      told('notified', '2026-10-07'),
      told('protocoled', '2026-10-05'),
      told('notified', '2026-10-07'),
    ]);
    expect(seen).toEqual(['protocoled', 'notified']);
    expect(state).toMatchObject({
      status: 'notified',
      protocoled_on: '2026-10-05',
      notified_on: '2026-10-07',
    });
  });

  it('an old notice does not lift a suspension; a new one does, with a new deadline', () => {
    const suspended = heard(sent, [told('protocoled', '2026-10-05'), told('suspended', '2026-10-08')]);
    const late = heard(suspended.state, [told('suspended', '2026-10-08'), told('notified', '2026-10-07')]);
    expect(late.state.status).toBe('suspended');
    const again = heard(suspended.state, [told('suspended', '2026-10-08'), told('notified', '2026-10-20')]);
    expect(again.state).toMatchObject({ status: 'notified', deadline_on: '2026-10-23' });
  });

  it('a title may come back, be paid at the office, or be withdrawn with or without a protocol', () => {
    expect(heard(sent, [told('returned', '2026-10-05')]).state).toMatchObject({
      status: 'returned',
      status_reason: 'returned_by_office',
    });
    expect(heard(sent, [told('refused', '2026-10-05')]).state.status).toBe('returned');
    expect(heard(sent, [told('paid_at_notary', '2026-10-08')]).seen).toEqual([
      'protocoled',
      'paid_at_notary',
    ]);
    const withdrawn = told('withdrawn', '2026-10-06', { command: 'withdraw' });
    expect(heard(sent, [withdrawn]).seen).toEqual(['protocoled', 'withdrawn']);
    expect(heard(sent, [{ ...withdrawn, protocol: null }]).seen).toEqual(['canceled']);
  });

  it('a refused withdrawal changes nothing; a consent ends in the cancellation', () => {
    const protested = heard(sent, [told('protested', '2026-10-14')]).state;
    const refused = told('refused', '2026-10-15', { command: 'withdraw' });
    expect(heard(protested, [refused]).state.status).toBe('protested');
    const consented = afterStop(protested, 'paid', false);
    expect(consented).toMatchObject({
      state: { status: 'cancellation_authorized', status_reason: 'paid' },
      needs: 'authorize_cancellation',
    });
    const costs = { amount_cents: 8_450, paid_by: 'debtor' } as const;
    const canceled = told('canceled', '2026-10-20', { command: 'authorize_cancellation', costs });
    expect(heard(consented.state, [canceled]).state).toMatchObject({ status: 'canceled', costs });
  });
});

describe('calling off', () => {
  it('ends what has not left, and asks the office for what it has', () => {
    const approved = afterDecision(pending, 'approved');
    expect(afterStop(pending, 'paid', false)).toMatchObject({ state: { status: 'canceled' }, needs: 'drop' });
    expect(afterStop(approved, 'paid', false)).toMatchObject({
      state: { status: 'canceled' },
      needs: 'drop',
    });
    expect(afterStop(approved, 'paid', true)).toMatchObject({
      state: { status: 'approved' },
      needs: 'withdraw',
    });
    for (const status of ['sent', 'protocoled', 'notified', 'suspended'] as const) {
      expect(afterStop({ ...sent, status }, 'disputed', false)).toMatchObject({
        state: { status, status_reason: 'disputed' },
        needs: 'withdraw',
      });
    }
  });

  it('a title that was not taken is over', () => {
    expect(afterNotTaken(afterDecision(pending, 'approved')).status).toBe('canceled');
    expect(afterNotTaken(sent).status).toBe('returned');
  });
});

const statuses: NotaryTold['status'][] = [
  'protocoled',
  'notified',
  'protested',
  'returned',
  'paid_at_notary',
  'suspended',
  'withdrawn',
  'canceled',
  'refused',
];
const answer = fc
  .record({
    status: fc.constantFrom(...statuses),
    day: fc.integer({ min: 1, max: 28 }),
    command: fc.constantFrom('send' as const, 'withdraw' as const, 'authorize_cancellation' as const),
    hasProtocol: fc.boolean(),
  })
  .map(({ status, day, command, hasProtocol }) =>
    told(status, `2026-10-${String(day).padStart(2, '0')}`, {
      command,
      protocol: hasProtocol ? 'P1' : null,
    }),
  );

describe('whatever a notary office tells, in whatever order', () => {
  it('moves only as the table of moves says, and never on from what is over', () => {
    const starts = fc.constantFrom(...(Object.keys(moves) as ProtestStatus[]));
    fc.assert(
      fc.property(starts, fc.array(answer, { maxLength: 20 }), (status, answers) => {
        const from = { ...pending, status };
        const { state, seen } = heard(from, answers);
        let before = status;
        for (const next of seen) {
          expect(moves[before], `${before} to ${next}`).toContain(next);
          before = next;
        }
        if (isOver(status)) expect(state.status).toBe(status);
        if (status === 'pending') expect(seen).toEqual([]);
      }),
    );
  });

  it('every answer told twice is as good as told once', () => {
    fc.assert(
      fc.property(fc.array(answer, { maxLength: 15 }), (answers) => {
        expect(
          heard(
            sent,
            answers.flatMap((one) => [one, one]),
          ),
        ).toEqual(heard(sent, answers));
      }),
    );
  });
});
