import { describe, expect, it } from 'vitest';
import {
  count,
  date,
  dateTime,
  localeOf,
  money,
  monthName,
  percent,
  relativeTime,
  shortDate,
  shortMoney,
} from './words.ts';

/** What cannot be seen in a text: the space that does not break. */
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

describe('the language of somebody unknown', () => {
  it.each([
    [undefined, 'pt-BR'],
    ['', 'pt-BR'],
    ['*', 'pt-BR'],
    ['pt-PT,pt;q=0.9,en;q=0.8', 'pt-BR'],
    ['en-US,en;q=0.9', 'en'],
    ['en;q=0.3, pt;q=0.7', 'pt-BR'],
    ['pt;q=0, en;q=0.1', 'en'],
    ['de-DE,de;q=0.9', 'en'],
    ['de, pt;q=0.1', 'pt-BR'],
    [';;;q=x,,', 'pt-BR'],
    ['en;q=abc', 'en'],
  ] as const)('by %s is %s', (header, locale) => {
    expect(localeOf(header)).toBe(locale);
  });
});

describe('what people read', () => {
  it('is an amount with its groups, negative ones and those of any size included', () => {
    expect(plain(money('pt-BR', '1234567.80'))).toBe('R$ 1.234.567,80');
    expect(plain(money('en', '1234567.80'))).toBe('R$ 1,234,567.80');
    expect(plain(money('pt-BR', '-0.05'))).toBe('-R$ 0,05');
    expect(plain(money('pt-BR', '999999999999999.99'))).toBe('R$ 999.999.999.999.999,99');
    expect(money('pt-BR', '1.00')).not.toContain(' ');
  });

  it('is a short amount for a scale', () => {
    expect(plain(shortMoney('pt-BR', '12300'))).toBe('R$ 12,3 mil');
    expect(plain(shortMoney('en', '-1200000'))).toBe('-R$ 1.2M');
    expect(plain(shortMoney('pt-BR', '0'))).toBe('R$ 0');
  });

  it('is a date that nobody takes for another day', () => {
    expect(date('pt-BR', '2026-02-01')).toBe('01/02/2026');
    expect(date('en', '2026-02-01')).toBe('1 Feb 2026');
    expect(shortDate('pt-BR', '2026-02-01')).toBe('01/02');
    expect(shortDate('en', '2026-02-01')).toBe('1 Feb');
    expect(monthName('pt-BR', '2026-12')).toBe('dez/2026');
    expect(monthName('en', '2026-12')).toBe('Dec 2026');
  });

  it("is a moment in the reader's zone", () => {
    expect(dateTime('pt-BR', '2026-12-01T02:30:00Z', 'America/Sao_Paulo')).toBe('30/11/2026, 23:30');
    expect(dateTime('en', '2026-12-01T02:30:00Z', 'America/Sao_Paulo')).toBe('30 Nov 2026, 23:30');
  });

  it('is how long ago something was', () => {
    const now = new Date('2026-12-01T12:00:00Z');
    expect(relativeTime('pt-BR', '2026-12-01T09:00:00Z', now)).toBe('há 3 horas');
    expect(relativeTime('pt-BR', '2026-12-01T11:59:45Z', now)).toBe('agora');
    expect(relativeTime('en', '2026-12-03T12:00:00Z', now)).toBe('in 2 days');
    expect(relativeTime('en', '2026-12-01T11:20:00Z', now)).toBe('40 minutes ago');
  });

  it('is a count and a percentage', () => {
    expect(count('pt-BR', 12345)).toBe('12.345');
    expect(percent('pt-BR', '30.33')).toBe('30,33%');
    expect(percent('en', '30.33')).toBe('30.33%');
  });
});
