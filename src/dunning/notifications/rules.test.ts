import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decide, type Judgement } from './deciding.ts';
import { afterReports, type Delivery, maskedContact, type Report } from './rules.ts';

const sent: Delivery = {
  status: 'sent',
  reason: null,
  sentAt: '2026-10-01T12:00:00.000Z',
  deliveredAt: null,
  readAt: null,
};

const order = ['sent', 'failed', 'delivered', 'bounced', 'read'];

const report = fc.record({
  status: fc.constantFrom<Report['status']>('sent', 'delivered', 'read', 'failed', 'bounced'),
  at: fc
    .integer({ min: 1, max: 59 })
    .map((minute) => `2026-10-01T12:${String(minute).padStart(2, '0')}:00.000Z`),
});

describe('reports of carriers', () => {
  test('move a message to one state, in whatever order and however often they come, and never back', () => {
    const reports = fc.array(report, { maxLength: 8 });
    fc.assert(
      fc.property(reports, fc.infiniteStream(fc.nat()), (all, numbers) => {
        const atOnce = afterReports(sent, all);
        let delivery = sent;
        const told: Report[] = [];
        const shuffled = [...all, ...all].sort(() => (numbers.next().value % 2 === 0 ? 1 : -1));
        for (const one of shuffled) {
          told.push(one);
          const next = afterReports(delivery, told);
          expect(order.indexOf(next.status)).toBeGreaterThanOrEqual(order.indexOf(delivery.status));
          delivery = next;
        }
        expect(delivery).toEqual(atOnce);
      }),
    );
  });

  test('PITFALLS 55: what the carrier took is sent, and what bounced was never delivered', () => {
    const at = '2026-10-01T12:05:00.000Z';
    expect(afterReports(sent, [{ status: 'sent', at }])).toEqual(sent);
    const delivered = afterReports(sent, [{ status: 'delivered', at }]);
    expect(delivered).toMatchObject({ status: 'delivered', deliveredAt: at });
    const bounced = afterReports(delivered, [
      { status: 'delivered', at },
      { status: 'bounced', at: '2026-10-01T12:09:00.000Z' },
    ]);
    expect(bounced).toMatchObject({ status: 'bounced', deliveredAt: null, reason: 'reported_bounced' });
  });

  test('what was read had arrived', () => {
    const at = '2026-10-01T12:05:00.000Z';
    expect(afterReports(sent, [{ status: 'read', at }])).toMatchObject({ deliveredAt: at, readAt: at });
  });
});

describe('a message whose time has come', () => {
  const clear: Judgement = { chargeId: 'a', reason: null, nextAt: null, contactId: 'c' };
  const paid: Judgement = { chargeId: 'b', reason: 'paid', nextAt: null, contactId: 'c' };
  const message = { isOwnText: false, dueSince: '2026-10-01T12:00:00Z' };

  test('goes out about what is still due', () => {
    expect(decide([clear, paid], message)).toEqual({ kind: 'send', contactId: 'c', chargeIds: ['a'] });
    expect(decide([paid], message)).toEqual({ kind: 'skip', reason: 'paid' });
  });

  test('with a text of its own goes out about all or none', () => {
    expect(decide([clear, paid], { ...message, isOwnText: true })).toEqual({ kind: 'skip', reason: 'paid' });
  });

  test('PITFALLS 53: waits for the time that is open next, for five days at most', () => {
    const closed = (nextAt: string | null): Judgement => ({ ...clear, reason: 'window_closed', nextAt });
    expect(decide([closed('2026-10-06T12:00:00Z')], message)).toMatchObject({ kind: 'move' });
    expect(decide([closed('2026-10-06T12:00:01Z')], message)).toEqual({
      kind: 'skip',
      reason: 'window_closed',
    });
    expect(decide([closed(null)], message)).toEqual({ kind: 'skip', reason: 'window_closed' });
  });
});

test('an address is shown so that a person knows it again and nobody else can use it', () => {
  expect(maskedContact('maria.souza@example.com')).toBe('ma***@example.com');
  expect(maskedContact('+5511987654321')).toBe('+5511*****4321');
});
