/** From a payable to an order at the bank: everything that would refuse it, then the order itself. */

import { effectivePaymentDay } from '../../core/accruals.ts';
import { nextBusinessDay } from '../../core/calendar.ts';
import { addDays, type CivilDate } from '../../core/dates.ts';
import { AppError, fail, failArgument } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import type { Cents } from '../../core/money.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import type { Tables } from '../../db/rows.ts';
import { requireAccountAndCompany } from '../accounts/index.ts';
import { paymentRulesOf, type Safety } from '../approval-settings/index.ts';
import { queueSubmit } from '../bank-commands/index.ts';
import { requireOpenBooks } from '../companies/index.ts';
import {
  amountDueOf,
  barcodeOf,
  boundAmountOf,
  type PayableRow,
  type PaymentDetails,
  readPaymentDetails,
  requirePayable,
} from '../payables/index.ts';
import { bankDetailsChangedDaysAgo, bankDetailsOf, type PersonRow, requirePerson } from '../people/index.ts';
import { type HolderCheck, holderOf } from './holder.ts';
import {
  insertPayment,
  type LookalikeRow,
  type PaymentRow,
  selectLivePayment,
  selectLookalikes,
} from './queries.ts';
import { recordedPayment } from './resource.ts';
import { methodOf, type PaymentKind, requirePayableForOrder } from './rules.ts';
import { type CrossedLimits, limitsCrossedBy, lockDailyLimit, requireSafe, risksOf } from './safety.ts';
import { paymentSubject } from './subject.ts';

const SCHEDULED_DAYS_MAX = 365;
const LOOKALIKE_DAYS = 5;
const LOOKALIKES_MAX = 3;
const NOTHING_CROSSED: CrossedLimits = { balance_floor: null, daily_limit: null };
const accountKinds = ['checking', 'savings', 'payment'];

export interface OrderRequest {
  readonly scheduled_for?: CivilDate | undefined;
  readonly payment_details?: Parameters<typeof readPaymentDetails>[0] | undefined;
}

export interface Payer {
  readonly account: Tables['financial_accounts'];
  readonly company: Tables['companies'];
  /** What the settings say about risky payments of the company. */
  readonly safety: Safety;
}

/** An order that may go: what the question shows and what is written after the yes. */
export interface PreparedOrder {
  readonly payable: PayableRow;
  readonly payee: PersonRow;
  readonly account: Tables['financial_accounts'];
  readonly details: Exclude<PaymentDetails, { kind: 'none' }>;
  readonly amount: Cents;
  /** The amount inside the code, where a bank takes it as it is. */
  readonly codeAmount: Cents | null;
  readonly scheduledFor: CivilDate;
  readonly holder: HolderCheck | null;
  /** Whole days since the payee's bank details changed; null when never. */
  readonly detailsChangedDaysAgo: number | null;
  readonly lookalikes: readonly LookalikeRow[];
}

/** The account that pays, with its company and what it is held to. Fails with `not_found`, `invalid_state` or `invalid_argument`. */
export async function requirePayer(context: Context, accountId: string): Promise<Payer> {
  const { account, company } = await requireAccountAndCompany(context, accountId);
  if (!account.active) {
    fail('invalid_state', { kind: 'financial_account', from: 'inactive', allowed: ['active'] });
  }
  if (!accountKinds.includes(account.kind)) {
    failArgument('account_id', `an account that can pay by bank: ${accountKinds.join(', ')}`);
  }
  const { safety } = await paymentRulesOf(context, company.id);
  await lockDailyLimit(context, safety);
  return { account, company, safety };
}

/**
 * Checks one payable, which the caller holds locked when writing, and computes its order. Fails with `invalid_state`,
 * `approval_required`, `duplicate` (a live order), `books_closed`, `invalid_argument` or a code error of the details.
 */
export async function prepareOrder(
  context: Context,
  payable: PayableRow,
  payer: Payer,
  request: OrderRequest,
): Promise<PreparedOrder> {
  const given =
    request.payment_details === undefined ? null : readPaymentDetails(request.payment_details, context.today);
  const stored = payable.payment_details as PaymentDetails | null;
  const isOtherPlace = given !== null && !isSamePlace(given, stored);
  requirePayableForOrder(payable, isOtherPlace);
  const live = await selectLivePayment(context.db, context.workspaceId, payable.id);
  if (live !== undefined) fail('duplicate', { kind: 'payment', of: live.id });
  if (payer.company.id !== payable.company_id) {
    failArgument('account_id', 'an account of the company that owes the payable');
  }
  const details = given ?? stored;
  if (details === null || details.kind === 'none') {
    failArgument('payment_details', 'how to pay; the payable does not say it');
  }
  const scheduledFor = scheduledDateOf(request.scheduled_for, details.kind, context.today);
  requireOpenBooks(payer.company, scheduledFor);
  const amount = amountDueOf(payable, settlementDayOf(details.kind, scheduledFor));
  if (amount <= 0) fail('invalid_state', { from: 'nothing due', allowed: ['open', 'partially_paid'] });
  const bound = boundAmountOf(details);
  if (isOtherPlace && bound !== null && bound !== amount && bound !== payable.amount_cents) {
    failArgument('payment_details.code', 'a code whose amount is the amount of the bill');
  }
  const payee = await requirePerson(context, payable.person_id);
  const { bank_accounts, pix_keys } = bankDetailsOf(payee);
  return {
    payable,
    payee,
    account: payer.account,
    details,
    amount,
    codeAmount: bound,
    scheduledFor,
    holder: holderOf(details, {
      documentNumber: payee.document_number,
      bankAccounts: bank_accounts,
      pixKeys: pix_keys,
    }),
    detailsChangedDaysAgo: bankDetailsChangedDaysAgo(payee, context),
    lookalikes: await lookalikesOf(context, payable, details, amount, scheduledFor),
  };
}

/** Fails with `amount_changed` when the amount is not the one a person has seen. */
export function requireExpectedAmount(expected: Cents | undefined, actual: Cents): void {
  if (expected !== undefined && expected !== actual) {
    fail('amount_changed', { expected: moneyText(expected), actual: moneyText(actual) });
  }
}

/** The sum of the orders, in centavos. */
export function totalOf(orders: readonly PreparedOrder[]): Cents {
  return orders.reduce((sum, { amount }) => sum + amount, 0);
}

/**
 * The limits that an order crosses when it goes alone. Fails with `payment_blocked`, naming everything about it that
 * the settings refuse.
 */
export async function requireSafeOrder(
  context: Context,
  payer: Payer,
  order: PreparedOrder,
): Promise<CrossedLimits> {
  const crossed = await limitsCrossedBy(context, payer, order.amount);
  requireSafe(payer.safety, risksOf(order), crossed);
  return crossed;
}

export interface OrderPlan {
  readonly orders: readonly PreparedOrder[];
  /** By all orders together. */
  readonly crossed: CrossedLimits;
  /** Payables that a rule keeps back, with the error a single sending would have had. */
  readonly refused: readonly { readonly id: string; readonly error: AppError }[];
}

/**
 * Prepares an order for each payable; one that a rule refuses does not keep back the others. Fails with
 * `payment_blocked` when all together cross a limit that the settings do not let them cross.
 */
export async function planOrders(
  context: Context,
  ids: readonly string[],
  accountId: string,
  request: OrderRequest,
): Promise<OrderPlan> {
  const orders: PreparedOrder[] = [];
  const refused: { id: string; error: AppError }[] = [];
  const orRefuse = async <T>(id: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refused.push({ id, error });
      return undefined;
    }
  };
  // Company, account, then the payables, in one order everywhere, so that two writers never wait for each other.
  const payer = await requirePayer(context, accountId);
  for (const id of [...new Set(ids)].sort()) {
    const order = await orRefuse(id, async () => {
      const prepared = await prepareOrder(context, await requirePayable(context, id), payer, request);
      requireSafe(payer.safety, risksOf(prepared), NOTHING_CROSSED);
      return prepared;
    });
    if (order !== undefined) orders.push(order);
  }
  const crossed = await limitsCrossedBy(context, payer, totalOf(orders));
  requireSafe(payer.safety, [], crossed);
  return { orders, crossed, refused };
}

/**
 * Writes the order with the command that the worker sends to the bank. Fails with `duplicate` when another order
 * for the payable became live meanwhile.
 */
export async function createOrder(context: WriteContext, order: PreparedOrder): Promise<PaymentRow> {
  const { db, workspaceId } = context;
  const payment = await insertPayment(db, paymentRowOf(context, order));
  if (payment === undefined) {
    const live = await selectLivePayment(db, workspaceId, order.payable.id);
    fail('duplicate', { kind: 'payment', ...(live && { of: live.id }) });
  }
  await queueSubmit(context, paymentSubject, payment);
  context.changed('payment', payment.id, null, recordedPayment(payment));
  return payment;
}

/** The date given, or the first on which the bank pays this kind: today for Pix, else a business day. */
function scheduledDateOf(given: CivilDate | undefined, kind: PaymentKind, today: CivilDate): CivilDate {
  if (given === undefined) return methodOf(kind) === 'pix' ? today : nextBusinessDay(today);
  const last = addDays(today, SCHEDULED_DAYS_MAX);
  if (given < today || given > last) failArgument('scheduled_for', `a date from ${today} to ${last}`);
  return given;
}

/** The day from which the payment counts: banks settle everything but Pix on business days. */
function settlementDayOf(kind: PaymentKind, scheduledFor: CivilDate): CivilDate {
  return effectivePaymentDay(methodOf(kind) === 'pix' ? 'pix' : 'boleto', scheduledFor);
}

function isSamePlace(left: PaymentDetails, right: PaymentDetails | null): boolean {
  if (right === null || left.kind !== right.kind) return false;
  const entries = (details: PaymentDetails) => JSON.stringify(Object.entries(details).sort());
  return entries(left) === entries(right);
}

function lookalikesOf(
  context: Context,
  payable: PayableRow,
  details: PaymentDetails,
  amount: Cents,
  scheduledFor: CivilDate,
): Promise<LookalikeRow[]> {
  return selectLookalikes(
    context.db,
    context.workspaceId,
    {
      payableId: payable.id,
      personId: payable.person_id,
      faceValue: payable.amount_cents,
      amount,
      barcode: barcodeOf(details),
      dueFrom: addDays(payable.due_date, -LOOKALIKE_DAYS),
      dueTo: addDays(payable.due_date, LOOKALIKE_DAYS),
      scheduledFrom: addDays(scheduledFor, -LOOKALIKE_DAYS),
      scheduledTo: addDays(scheduledFor, LOOKALIKE_DAYS),
    },
    LOOKALIKES_MAX,
  );
}

function paymentRowOf(context: WriteContext, order: PreparedOrder): PaymentRow {
  const at = context.now.toISOString();
  return {
    workspace_id: context.workspaceId,
    id: context.newId(),
    payable_id: order.payable.id,
    account_id: order.account.id,
    kind: order.details.kind,
    amount_cents: order.amount,
    details: order.details,
    scheduled_for: order.scheduledFor,
    status: 'pending',
    registration_status: 'pending',
    bank_reference: null,
    bank_authentication: null,
    bank_settled_on: null,
    rejected_reason: null,
    cancel_reason: null,
    cancel_requested_at: null,
    receipt_attachment_id: null,
    created_by: context.caller.user.id,
    created_by_token: context.caller.tokenId,
    created_at: at,
    updated_at: at,
    version: 1,
  };
}
