/** The bank as jobs see it. Adapters speak to one bank or provider; all keep these promises. */

import type { Terms } from '../../core/accruals.ts';
import type { CivilDate } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
import type { MailPort } from '../mail/port.ts';

export interface BankOrder {
  /** Equal for every attempt at the same order; the bank acts once per key. */
  readonly idempotencyKey: string;
  readonly kind: 'boleto' | 'utility' | 'pix_key' | 'pix_code' | 'ted';
  readonly amount: Cents;
  readonly scheduledFor: CivilDate;
  /** The account that pays. */
  readonly account: BankAccount;
  readonly payee: { readonly name: string; readonly documentNumber: string | null };
  /** The code, key or bank account to pay, as `payment_details` of the payable holds it. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** What the bank says about an order. Answers may come late, twice and out of order; each stands alone. */
export type BankOrderStatus =
  | {
      /** `pending`: the bank has it and did nothing yet; `awaiting_approval`: people at the bank have to let it go. */
      readonly status: 'pending' | 'awaiting_approval' | 'scheduled' | 'processing' | 'awaiting_funds';
      readonly reference: string;
    }
  | {
      readonly status: 'confirmed';
      readonly reference: string;
      readonly authentication: string;
      /** The bank's own settlement date. */
      readonly settledOn: CivilDate;
    }
  | { readonly status: 'rejected' | 'canceled'; readonly reference: string; readonly reason: string }
  | Absent;

/** What every desk of a bank promises, whatever is asked of it: payments, charges, transfers. */
export interface BankDesk<Request, Answer> {
  /** Sends it. Throws `BankUnreachable` when it surely did not arrive, `BankOutcomeUnknown` when it may have. */
  submit(request: Request, now: Date): Promise<Answer | Absent>;
  /** Asks by our key, so that an unknown outcome is resolved by asking and never by sending again. */
  find(idempotencyKey: string, now: Date): Promise<Answer | Absent>;
  cancel(idempotencyKey: string, now: Date): Promise<Answer | Absent>;
}

/** The bank does not know the key: it never arrived. */
export interface Absent {
  readonly status: 'absent';
}

export interface BankAccount {
  readonly bankCode: string | null;
  readonly agency: string | null;
  readonly number: string | null;
  readonly digit: string | null;
  /** The id of the account at the provider (`financial_accounts.bank_adapter_account`), where there is one. */
  readonly providerId: string | null;
}

/** A boleto, a Pix code or both, to be issued for a receivable. */
export interface ChargeRequest {
  readonly idempotencyKey: string;
  readonly methods: readonly ('boleto' | 'pix')[];
  readonly amount: Cents;
  readonly dueDate: CivilDate;
  /** Calendar days after the adjusted due date on which it can still be paid. */
  readonly validDaysAfterDue: number;
  /** Ours, digits only, unique for the account. */
  readonly ourNumber: string;
  readonly terms: Terms | null;
  readonly description: string;
  readonly documentNumber: string | null;
  readonly account: BankAccount;
  /** Who is paid: the company. */
  readonly payee: { readonly name: string; readonly documentNumber: string; readonly city: string | null };
  /** Who pays: the customer. */
  readonly payer: { readonly name: string; readonly documentNumber: string | null };
}

/** What the bank says about a charge. */
export type ChargeAnswer =
  | {
      readonly status: 'open';
      readonly reference: string;
      /** 44 digits; the typed line follows from it. */
      readonly barcode: string | null;
      readonly pix: { readonly txid: string; readonly code: string } | null;
    }
  | {
      readonly status: 'paid';
      readonly reference: string;
      readonly paidOn: CivilDate;
      /** What the customer paid. */
      readonly amount: Cents;
      /** What the bank kept; the account was credited the difference. */
      readonly fee: Cents;
      readonly method: 'boleto' | 'pix';
      /** The end-to-end id of a Pix, or what the bank calls this payment: one payment has one. */
      readonly paymentId: string;
    }
  | { readonly status: 'rejected' | 'canceled'; readonly reference: string; readonly reason: string };

/** Money from one account of the workspace to another. Its answers are those of a payment. */
export interface TransferRequest {
  readonly idempotencyKey: string;
  readonly method: 'pix' | 'ted' | 'internal';
  readonly amount: Cents;
  readonly scheduledFor: CivilDate;
  readonly from: BankAccount;
  readonly to: BankAccount;
  readonly holder: { readonly name: string; readonly documentNumber: string };
  readonly description: string | null;
}

/** A boleto against a CNPJ of ours that the bank announced (DDA). */
export interface AnnouncedBoleto {
  readonly reference: string;
  readonly barcode: string;
  readonly beneficiary: { readonly name: string; readonly documentNumber: string };
  readonly payerDocument: string;
  readonly documentNumber: string | null;
  readonly nominalAmount: Cents;
  readonly amount: Cents;
  readonly minAmount: Cents | null;
  readonly maxAmount: Cents | null;
  readonly allowsPartial: boolean;
  readonly issueDate: CivilDate | null;
  readonly dueDate: CivilDate;
  readonly terms: Terms | null;
  readonly status: 'open' | 'overdue' | 'paid' | 'canceled' | 'written_off' | 'blocked';
}

export interface DdaDesk {
  /** Boletos announced for the account's holder and due within the days, in any order. */
  announced(
    account: BankAccount & { readonly holderDocument: string },
    from: CivilDate,
    to: CivilDate,
    now: Date,
  ): Promise<readonly AnnouncedBoleto[]>;
  /**
   * Tells the bank that we do not recognise it; irreversible, and asking twice does no more than once. Throws
   * `BankRefused` when the bank does not take it and never will.
   */
  reject(reference: string, reason: string, now: Date): Promise<void>;
}

/** A line of a bank's statement, as `statement-imports` reads it from files too. */
export interface BankStatementLine {
  readonly date: CivilDate;
  readonly direction: 'credit' | 'debit';
  readonly amount: Cents;
  readonly description: string;
  readonly reference: string | null;
  readonly documentNumber: string | null;
  readonly counterparty: { readonly name: string | null; readonly documentNumber: string | null } | null;
  readonly endToEndId: string | null;
}

export interface StatementDesk {
  lines(account: BankAccount, from: CivilDate, to: CivilDate, now: Date): AsyncIterable<BankStatementLine>;
}

/** A bank: its payment desk, and the other desks where it has them. */
export interface BankPort extends BankDesk<BankOrder, BankOrderStatus> {
  readonly charges?: BankDesk<ChargeRequest, ChargeAnswer>;
  readonly transfers?: BankDesk<TransferRequest, BankOrderStatus>;
  readonly dda?: DdaDesk;
  readonly statements?: StatementDesk;
}

export class BankUnreachable extends Error {
  override readonly name = 'BankUnreachable';
}

export class BankOutcomeUnknown extends Error {
  override readonly name = 'BankOutcomeUnknown';
}

/** The bank answered no; the message is its reason, fit to be shown. */
export class BankRefused extends Error {
  override readonly name = 'BankRefused';
}

/** The outside parties of finance jobs. */
export interface FinanceGateways {
  /** The bank of an account, by the name of its adapter. */
  bank(adapter: string): BankPort;
  /** Carries messages to customers. */
  readonly mail: MailPort;
}
