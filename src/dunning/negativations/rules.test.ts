import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, type CivilDate } from '../../core/dates.ts';
import { lastReportableDay, priorNoticeDays, STATES } from '../contact-law/index.ts';
import {
  afterAnswer,
  afterDecision,
  afterExpiry,
  afterNoticeLost,
  afterNoticeProven,
  afterNoticeSent,
  afterStop,
  type BureauTold,
  expiryRemovalFrom,
  hasLiveNotice,
  isOver,
  isRemovalDue,
  mayRegister,
  moves,
  type NegativationState,
  type NegativationStatus,
  noticeFateOf,
  withNotice,
  withoutNotice,
} from './rules.ts';

const pending: NegativationState = {
  status: 'pending',
  status_reason: null,
  prior_notice: null,
  waits_until: null,
  registered_at: null,
  expires_on: '2031-08-03',
  removal: null,
  removal_deadline: null,
  bureau_reference: null,
};
const notice = { channel: 'email', contact_id: 'c1', notification_id: 'n1' };
const named = { ...notice, waiting_days: 10 };
const at = (date: CivilDate) => `${date}T12:00:00.000Z`;
const proof = { evidence: 'delivered', deliveredAt: at('2026-10-02'), on: '2026-10-02' } as const;
const told = (change: Partial<BureauTold>): BureauTold => ({
  command: 'register',
  status: 'registered',
  at: at('2026-11-01'),
  reference: 'R1',
  ...change,
});

const approved = withNotice(afterDecision(pending, 'approved'), named);
const sent = afterNoticeSent(approved, at('2026-10-01'));
const proven = afterNoticeProven(sent, { ...proof, waitingDays: 10 });
const [registered] = afterAnswer(proven, told({})).states as [NegativationState];
const stopped = { reason: 'paid', at: at('2026-11-03'), deadline: '2026-11-11' } as const;

describe('the notice before a report', () => {
  const dateOf = (instant: string) => instant.slice(0, 10);
  const fate = (channel: string, message: object, today = '2026-10-05') =>
    noticeFateOf(
      channel,
      {
        status: 'sent',
        sent_at: at('2026-10-01'),
        delivered_at: null,
        read_at: null,
        is_wrong_person: false,
        ...message,
      },
      { today, dateOf },
    );

  it('PITFALLS 55: an e-mail that was accepted and not delivered proves nothing; a bounced one is no notice', () => {
    expect(fate('email', {}).fate).toBe('sent');
    expect(fate('email', { status: 'bounced' })).toMatchObject({ fate: 'lost', outcome: 'bounced' });
    expect(fate('email', { status: 'delivered', delivered_at: at('2026-10-02') })).toMatchObject({
      fate: 'proven',
      evidence: 'delivered',
      at: at('2026-10-02'),
    });
    expect(fate('whatsapp', { status: 'read', read_at: at('2026-10-03') })).toMatchObject({
      fate: 'proven',
      evidence: 'read',
    });
  });

  it('a letter counts from its posting, without a receipt', () => {
    expect(fate('letter', {})).toMatchObject({ fate: 'proven', evidence: 'posted', at: at('2026-10-01') });
    expect(fate('letter', { status: 'queued', sent_at: null }).fate).toBe('waiting');
    expect(fate('letter', { status: 'bounced' }).fate).toBe('lost');
  });

  it('an electronic one without proof after a week is given up for another way', () => {
    expect(fate('sms', {}, '2026-10-08').fate).toBe('sent');
    expect(fate('sms', {}, '2026-10-09')).toMatchObject({ fate: 'lost', outcome: 'unproven' });
  });

  it('one that went to somebody else is lost, whatever proves its delivery', () => {
    const delivered = { status: 'delivered', delivered_at: at('2026-10-02'), is_wrong_person: true };
    expect(fate('email', delivered)).toMatchObject({ fate: 'lost', outcome: 'wrong_person' });
  });

  it('waits for as long as it says itself, or longer', () => {
    expect(afterNoticeProven(sent, { ...proof, waitingDays: 5 }).waits_until).toBe('2026-10-12');
    expect(afterNoticeProven(sent, { ...proof, waitingDays: 20 }).waits_until).toBe('2026-10-22');
  });

  it('what waits to be sent, or was called off, is told apart', () => {
    expect(fate('email', { status: 'scheduled', sent_at: null }).fate).toBe('waiting');
    for (const status of ['canceled', 'skipped', 'failed']) {
      expect(fate('email', { status, sent_at: null })).toMatchObject({ fate: 'lost', outcome: status });
    }
  });

  it('one that is lost is remembered as tried, and no day counts any more', () => {
    const lost = afterNoticeLost(proven, 'bounced');
    expect(lost.waits_until).toBeNull();
    expect(lost.prior_notice).toMatchObject({ evidence: null, delivered_at: null, ends_on: null });
    expect(lost.prior_notice!.tried).toEqual([{ ...notice, outcome: 'bounced' }]);
    expect([hasLiveNotice(proven), hasLiveNotice(lost)]).toEqual([true, false]);
    const next = withNotice(lost, { ...named, channel: 'sms', contact_id: 'c2', notification_id: 'n2' });
    expect([next.status, hasLiveNotice(next), next.prior_notice!.tried.length]).toEqual([
      'notice_sent',
      true,
      1,
    ]);
    expect(mayRegister(lost, '2027-01-01')).toBe(false);
  });

  it('PITFALLS 56: the days of waiting are those of the state: SC 10, SP 20, MT 45', () => {
    const first = (state: string) => {
      const waiting = afterNoticeProven(sent, { ...proof, waitingDays: priorNoticeDays(state) });
      return addDays(waiting.waits_until!, 1);
    };
    expect(['SC', 'SP', 'MT'].map(first)).toEqual(['2026-10-13', '2026-10-23', '2026-11-17']);
  });
});

describe('the life of a report', () => {
  it('goes from the request to the removal, one state after the other', () => {
    const asked = afterStop(registered, stopped, false);
    const [removed] = afterAnswer(asked.state, told({ command: 'remove', status: 'removed' })).states;
    expect([approved, sent, proven, registered, asked.state, removed].map((state) => state!.status)).toEqual([
      'approved',
      'notice_sent',
      'notice_sent',
      'registered',
      'removal_requested',
      'removed',
    ]);
    expect(asked.needs).toBe('removal');
    expect(removed).toMatchObject({ status_reason: 'paid', removal: { done_at: at('2026-11-01') } });
  });

  it('before the registration it is canceled; nothing has to be removed', () => {
    for (const state of [pending, approved, sent, proven]) {
      expect(afterStop(state, stopped, false)).toMatchObject({
        state: { status: 'canceled', status_reason: 'paid', removal: null },
        needs: 'drop',
      });
    }
  });

  it('what is being registered when it is called off is removed as soon as the bureau shows it', () => {
    const { state, needs } = afterStop(proven, stopped, true);
    expect([state.status, needs, state.removal?.reason]).toEqual(['notice_sent', 'nothing', 'paid']);
    expect(mayRegister(state, '2027-01-01')).toBe(false);
    const { states } = afterAnswer(state, told({}));
    expect(states.map(({ status }) => status)).toEqual(['registered', 'removal_requested']);
    const refused = afterAnswer(state, told({ status: 'refused' })).states;
    expect(refused.map(({ status, status_reason }) => [status, status_reason])).toEqual([
      ['canceled', 'paid'],
    ]);
  });

  it('a refused registration fails; a refused removal changes nothing', () => {
    expect(afterAnswer(proven, told({ status: 'refused' })).states[0]).toMatchObject({
      status: 'failed',
      status_reason: 'refused_by_bureau',
    });
    const asked = afterStop(registered, stopped, false).state;
    expect(afterAnswer(asked, told({ command: 'remove', status: 'refused' })).states).toEqual([]);
  });

  it('a registration of which no report is alive has to be removed', () => {
    const canceled = afterStop(proven, stopped, false).state;
    expect(afterAnswer(canceled, told({}))).toEqual({ states: [], isStray: true });
    expect(afterAnswer(registered, told({}))).toEqual({ states: [], isStray: false });
  });

  it('what the bureau removes by itself is removed', () => {
    const [removed] = afterAnswer(registered, told({ status: 'removed' })).states;
    expect(removed).toMatchObject({ status: 'removed', status_reason: 'removed_by_bureau' });
  });

  it('says when no way of telling the debtor is left', () => {
    expect(withoutNotice(approved)).toMatchObject({ status: 'approved', status_reason: 'no_notice_channel' });
  });

  it('warns once, from the last business day before the deadline', () => {
    const { state } = afterStop(registered, { ...stopped, deadline: '2026-11-09' }, false);
    expect(isRemovalDue(state, '2026-11-05')).toBe(false);
    // The 9th is a Monday.
    expect(isRemovalDue(state, '2026-11-06')).toBe(true);
    const warned = { ...state, removal: { ...state.removal!, warned_on: '2026-11-06' } };
    expect(isRemovalDue(warned, '2026-11-07')).toBe(false);
  });

  it('is asked to be removed for its age before the five years are over, and is over with them', () => {
    expect(expiryRemovalFrom('2031-08-04')).toBe('2031-07-28');
    expect(afterExpiry(registered, at('2031-08-04'))).toMatchObject({
      status: 'removed',
      status_reason: 'expired',
    });
  });
});

/** Everything that may happen to a report, in any order. */
type Happening =
  | { kind: 'decide'; decision: 'approved' | 'rejected' }
  | { kind: 'notice'; fate: 'queued' | 'sent' | 'proven' | 'lost' }
  | { kind: 'register' }
  | { kind: 'answer'; command: 'register' | 'remove'; status: BureauTold['status'] }
  | { kind: 'stop'; reason: 'paid' | 'disputed' | 'requested' }
  | { kind: 'day'; days: number };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ kind: fc.constant('decide'), decision: fc.constantFrom('approved', 'rejected') }),
  fc.record({ kind: fc.constant('notice'), fate: fc.constantFrom('queued', 'sent', 'proven', 'lost') }),
  fc.record({ kind: fc.constant('register') }),
  fc.record({
    kind: fc.constant('answer'),
    command: fc.constantFrom('register', 'remove'),
    status: fc.constantFrom('registered', 'removed', 'refused'),
  }),
  fc.record({ kind: fc.constant('stop'), reason: fc.constantFrom('paid', 'disputed', 'requested') }),
  fc.record({ kind: fc.constant('day'), days: fc.integer({ min: 1, max: 400 }) }),
) as fc.Arbitrary<Happening>;

/** A report, the day, and what the bureau was asked; stepped as the slice does. */
interface Story {
  state: NegativationState;
  today: CivilDate;
  isAsked: boolean;
  readonly seen: NegativationStatus[];
  /** The state when the bureau was asked to register. */
  readonly registrations: { state: NegativationState; today: CivilDate }[];
}

function step(story: Story, event: Happening, waitingDays: number): void {
  const { state, today } = story;
  const go = (next: NegativationState) => {
    story.state = next;
    story.seen.push(next.status);
  };
  const isNoticed = state.status === 'approved' || state.status === 'notice_sent';
  switch (event.kind) {
    case 'decide':
      if (state.status === 'pending') go(afterDecision(state, event.decision));
      return;
    case 'notice':
      if (!isNoticed) return;
      if (event.fate === 'queued' && !hasLiveNotice(state)) go(withNotice(state, named));
      if (event.fate === 'queued' || !hasLiveNotice(state)) return;
      if (event.fate === 'lost') go(afterNoticeLost(state, 'bounced'));
      else {
        go(afterNoticeSent(state, at(today)));
        if (event.fate === 'proven') {
          go(afterNoticeProven(story.state, { ...proof, on: today, deliveredAt: at(today), waitingDays }));
        }
      }
      return;
    case 'register':
      if (!mayRegister(state, today) || story.isAsked) return;
      story.isAsked = true;
      story.registrations.push({ state, today });
      return;
    case 'answer': {
      if (event.command === 'register' && !story.isAsked) return;
      const removable = ['removal_requested', 'removed', 'registered'].includes(state.status);
      if (event.command === 'remove' && !removable) return;
      for (const next of afterAnswer(state, { ...event, at: at(today), reference: null }).states) go(next);
      return;
    }
    case 'stop':
      go(
        afterStop(state, { reason: event.reason, at: at(today), deadline: addDays(today, 7) }, story.isAsked)
          .state,
      );
      return;
    case 'day':
      story.today = addDays(today, event.days);
      if (story.today > state.expires_on && ['registered', 'removal_requested'].includes(state.status)) {
        go(afterExpiry(state, at(story.today)));
      }
  }
}

describe('whatever happens, in whatever order', () => {
  it('MODEL §14.17 §14.18: it is registered only after approval, proven notice and waiting, within five years', () => {
    fc.assert(
      fc.property(
        fc.array(happening, { maxLength: 40 }),
        fc.constantFrom(...STATES),
        fc.integer({ min: 0, max: 1_900 }),
        (events, state, age) => {
          const expires_on = lastReportableDay(addDays('2026-10-01', -age));
          const waitingDays = priorNoticeDays(state);
          const story: Story = {
            state: { ...pending, expires_on },
            today: '2026-10-01',
            isAsked: false,
            seen: ['pending'],
            registrations: [],
          };
          for (const event of events) step(story, event, waitingDays);
          for (const [index, status] of story.seen.entries()) {
            const before = story.seen[index - 1];
            if (before === undefined || before === status) continue;
            expect(moves[before], `${before} to ${status}`).toContain(status);
          }
          for (const { state: asked, today } of story.registrations) {
            expect(story.seen).toContain('approved');
            expect(asked.prior_notice!.evidence).not.toBeNull();
            expect(today > addDays(asked.prior_notice!.delivered_at!.slice(0, 10), waitingDays)).toBe(true);
            expect(today <= expires_on).toBe(true);
          }
          if (story.seen.includes('registered')) expect(story.registrations.length).toBe(1);
          const isShown = ['registered', 'removal_requested'].includes(story.state.status);
          // The day on which the five years are over is the last one on which a bureau may show it.
          if (isShown && story.seen.length > 0)
            expect(story.today <= expires_on || !story.isAsked).toBe(true);
        },
      ),
    );
  });

  it('what is over stays as it is', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 30 }), (events) => {
        const story: Story = {
          state: pending,
          today: '2026-10-01',
          isAsked: false,
          seen: [],
          registrations: [],
        };
        let over: NegativationState | null = null;
        for (const event of events) {
          step(story, event, 10);
          if (over !== null) expect(story.state).toEqual(over);
          if (isOver(story.state.status)) over = story.state;
        }
      }),
    );
  });
});
