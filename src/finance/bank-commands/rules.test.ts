import { expect, test } from 'vitest';
import { isUnanswered, nextAskAt, statusAfterAnswer } from './rules.ts';

test('the bank is asked often at first and rarely before the day of the order', () => {
  const now = new Date('2026-10-01T12:00:00Z');
  const waitOf = (scheduledFor: string, sentAt: string | null) =>
    nextAskAt(scheduledFor, sentAt, now, '2026-10-01').getTime() - now.getTime();
  expect(waitOf('2026-10-01', '2026-10-01T11:59:59Z')).toBe(2_000);
  expect(waitOf('2026-10-01', '2026-10-01T11:30:00Z')).toBe(60_000);
  expect(waitOf('2026-10-01', '2026-09-30T11:30:00Z')).toBe(900_000);
  expect(waitOf('2026-10-05', '2026-10-01T11:30:00Z')).toBe(3_600_000);
  expect(waitOf('2026-10-01', null)).toBe(2_000);
});

test('a command counts as unanswered when nobody can still be waiting for the bank', () => {
  const now = new Date('2026-10-01T12:00:00Z');
  const unanswered = (status: string, sent_at: string | null) => isUnanswered({ status, sent_at }, now);
  expect(unanswered('unknown', '2026-10-01T11:59:59Z')).toBe(true);
  expect(unanswered('requested', null)).toBe(false);
  expect(unanswered('requested', '2026-10-01T11:50:00Z')).toBe(false);
  expect(unanswered('requested', '2026-10-01T11:49:59Z')).toBe(true);
  for (const status of ['confirmed', 'failed'])
    expect(unanswered(status, '2026-09-01T00:00:00Z')).toBe(false);
});

test('a command fails when the bank refuses or never got it, and is confirmed by every other answer', () => {
  expect(['rejected', 'absent'].map((status) => statusAfterAnswer({ status }))).toEqual(['failed', 'failed']);
  for (const status of ['scheduled', 'processing', 'confirmed', 'canceled', 'open', 'paid']) {
    expect(statusAfterAnswer({ status })).toBe('confirmed');
  }
});
