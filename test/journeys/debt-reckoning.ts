/**
 * What a debt of this journey comes to, worked out a second time with nothing of the product: 2 % once, 1 % a month in
 * thirtieths from the due date, on what is open of the principal; payments take interest, fine, principal. Centavos.
 */

/** Days on which banks are closed in the months of the journey, weekends apart. */
const HOLIDAYS = new Set([
  '2026-10-12',
  '2026-11-02',
  '2026-11-20',
  '2026-12-25',
  '2027-01-01',
  '2027-02-08',
  '2027-02-09',
]);
const DAY_MS = 86_400_000;

export interface Money {
  readonly on: string;
  readonly cents: number;
}

export interface OwnDebt {
  readonly face: number;
  readonly due: string;
  readonly payments: readonly Money[];
}

export interface Parts {
  readonly interest: number;
  readonly fine: number;
  readonly principal: number;
}

export interface Owed extends Parts {
  readonly due: number;
  /** Fine and interest since the beginning, paid or not. */
  readonly fineInAll: number;
  readonly interestInAll: number;
  /** What each payment went to. */
  readonly allocations: readonly Parts[];
}

export function daysFrom(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS;
}

export function later(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

export function isBusinessDay(date: string): boolean {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !HOLIDAYS.has(date);
}

/** The date itself or the next one on which banks are open. */
export function adjusted(date: string): string {
  return isBusinessDay(date) ? date : adjusted(later(date, 1));
}

export function businessDaysLater(date: string, days: number): string {
  let found = date;
  for (let left = days; left > 0; left -= 1) found = adjusted(later(found, 1));
  return found;
}

/** Whether a debtor in São Paulo may be contacted: Monday to Friday 8 to 20, Saturday 8 to 14, no holiday. */
export function isOpenInSaoPaulo(instant: Date): boolean {
  const local = new Date(instant.getTime() - 3 * 3_600_000);
  const date = local.toISOString().slice(0, 10);
  if (HOLIDAYS.has(date) || local.getUTCDay() === 0) return false;
  return local.getUTCHours() >= 8 && local.getUTCHours() < (local.getUTCDay() === 6 ? 14 : 20);
}

export function owedOn({ face, due, payments }: OwnDebt, on: string): Owed {
  let open = face;
  let exact = 0n;
  let since = due;
  const paid = { interest: 0, fine: 0 };
  const allocations: Parts[] = [];
  const isLate = (date: string) => date > adjusted(due);
  const interestTo = (date: string) => {
    if (isLate(date)) {
      // 1 % a month: one 3,000th for each day.
      exact += BigInt(open) * BigInt(daysFrom(since, date));
      since = date;
    }
    return halfUp(exact, 3_000n);
  };
  const fineAt = (date: string) => (isLate(date) ? halfUp(BigInt(face) * 2n, 100n) : 0);
  for (const { on: day, cents } of payments.filter((payment) => payment.on <= on)) {
    const interest = Math.min(cents, interestTo(day) - paid.interest);
    const fine = Math.min(cents - interest, fineAt(day) - paid.fine);
    const principal = cents - interest - fine;
    open -= principal;
    paid.interest += interest;
    paid.fine += fine;
    allocations.push({ interest, fine, principal });
  }
  const [interestInAll, fineInAll] = open === 0 ? [paid.interest, paid.fine] : [interestTo(on), fineAt(on)];
  const interest = interestInAll - paid.interest;
  const fine = fineInAll - paid.fine;
  const all = { interest, fine, principal: open, fineInAll, interestInAll, allocations };
  return { ...all, due: open + fine + interest };
}

/** A total in proportion to weights: whole centavos, those left over to the largest remainders. */
export function shared(total: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const parts = weights.map((weight) => Number((BigInt(total) * BigInt(weight)) / BigInt(whole)));
  const rests = weights.map((weight) => Number((BigInt(total) * BigInt(weight)) % BigInt(whole)));
  const left = total - parts.reduce((sum, part) => sum + part, 0);
  const largest = rests.map((_, index) => index).sort((one, other) => rests[other]! - rests[one]!);
  for (const index of largest.slice(0, left)) parts[index]! += 1;
  return parts;
}

/** "1234.56". */
export function text(cents: number): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** "R$ 1.234,56". */
export function brl(cents: number): string {
  const [reais, rest] = text(cents).split('.') as [string, string];
  return `R$ ${reais.replace(/\B(?=(\d{3})+$)/g, '.')},${rest}`;
}

/** "3.50": a quotient with two decimals, half up. */
export function quotient(sum: bigint, weight: bigint): string {
  return text(halfUp(sum * 100n, weight));
}

function halfUp(numerator: bigint, denominator: bigint): number {
  return Number((2n * numerator + denominator) / (2n * denominator));
}
