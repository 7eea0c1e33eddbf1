/** The bank as jobs see it. Adapters speak to one bank or provider; all keep these promises. */

import type { CivilDate } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';

export interface BankOrder {
  /** Equal for every attempt at the same order; the bank acts once per key. */
  readonly idempotencyKey: string;
  readonly kind: 'boleto' | 'utility' | 'pix_key' | 'pix_code' | 'ted';
  readonly amount: Cents;
  readonly scheduledFor: CivilDate;
  /** The account that pays. */
  readonly account: {
    readonly bankCode: string | null;
    readonly agency: string | null;
    readonly number: string | null;
    readonly digit: string | null;
  };
  readonly payee: { readonly name: string; readonly documentNumber: string | null };
  /** The code, key or bank account to pay, as `payment_details` of the payable holds it. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** What the bank says about an order. Answers may come late, twice and out of order; each stands alone. */
export type BankOrderStatus =
  | { readonly status: 'scheduled' | 'processing' | 'awaiting_funds'; readonly reference: string }
  | {
      readonly status: 'confirmed';
      readonly reference: string;
      readonly authentication: string;
      /** The bank's own settlement date. */
      readonly settledOn: CivilDate;
    }
  | { readonly status: 'rejected' | 'canceled'; readonly reference: string; readonly reason: string }
  /** The bank does not know the key: the order never arrived. */
  | { readonly status: 'absent' };

export interface BankPort {
  /** Sends the order. Throws `BankUnreachable` when it surely did not arrive, `BankOutcomeUnknown` when it may have. */
  submit(order: BankOrder, now: Date): Promise<BankOrderStatus>;
  /** Asks by our key, so that an unknown outcome is resolved by asking and never by sending again. */
  find(idempotencyKey: string, now: Date): Promise<BankOrderStatus>;
  cancel(idempotencyKey: string, now: Date): Promise<BankOrderStatus>;
}

export class BankUnreachable extends Error {
  override readonly name = 'BankUnreachable';
}

export class BankOutcomeUnknown extends Error {
  override readonly name = 'BankOutcomeUnknown';
}

/** The outside parties of finance jobs: the bank of an account, by the name of its adapter. */
export interface FinanceGateways {
  bank(adapter: string): BankPort;
}
