/** From a receivable to a charge: everything that would refuse it, then the charge itself. */

import { lastPayableDay, type Terms } from '../../core/accruals.ts';
import { daysBetween } from '../../core/dates.ts';
import { AppError, fail, failArgument } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import type { Cents } from '../../core/money.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import type { Tables } from '../../db/rows.ts';
import { requireAccountAndCompany } from '../accounts/index.ts';
import { queueSubmit } from '../bank-commands/index.ts';
import { distinct, requireStatus } from '../debts/index.ts';
import { type PersonRow, requirePerson } from '../people/index.ts';
import { openCentsOf, type ReceivableRow, requireReceivable } from '../receivables/index.ts';
import { addDelivery } from './deliveries.ts';
import { type ChargeRow, insertCharge, selectLiveCharge, takeNumber } from './queries.ts';
import { chargeOf, requireCharge } from './resource.ts';
import { ourNumberOf, printedTerms, recipientOf, requireBoletoPossible } from './rules.ts';
import type { ChargeMethod } from './schema.ts';
import { chargeSubject } from './subject.ts';

const accountKinds = ['checking', 'savings', 'payment'];

export interface IssueRequest {
  readonly account_id: string;
  readonly methods: readonly ChargeMethod[];
  readonly valid_days_after_due: number;
  /** An address, or `customer` for the first one registered. */
  readonly send_to?: string | undefined;
}

export interface Issuer {
  readonly account: Tables['financial_accounts'];
  readonly company: Tables['companies'];
}

/** A charge that may be issued: what the question shows and what is written after the yes. */
export interface PreparedCharge {
  readonly receivable: ReceivableRow;
  readonly customer: PersonRow;
  readonly account: Issuer['account'];
  readonly methods: readonly ChargeMethod[];
  /** The open principal: fine, interest and discount are printed as terms. */
  readonly amount: Cents;
  readonly terms: Terms | null;
  readonly validDaysAfterDue: number;
  readonly recipient: { readonly address: string; readonly isRegistered: boolean } | null;
}

export interface IssuePlan {
  readonly issuer: Issuer;
  readonly charges: readonly PreparedCharge[];
  /** Receivables that a rule keeps back, with the error a single charge would have had. */
  readonly refused: readonly { readonly id: string; readonly error: AppError }[];
}

/** The account that receives, with its company. Fails with `not_found`, `invalid_state` or `invalid_argument`. */
export async function requireIssuer(context: Context, accountId: string): Promise<Issuer> {
  const issuer = await requireAccountAndCompany(context, accountId);
  const { account } = issuer;
  if (!account.active) {
    fail('invalid_state', { kind: 'financial_account', from: 'inactive', allowed: ['active'] });
  }
  if (!accountKinds.includes(account.kind)) {
    failArgument('account_id', `an account at a bank: ${accountKinds.join(', ')}`);
  }
  return issuer;
}

/**
 * Checks one receivable, which is locked after the issuer when writing, and computes its charge. Fails with
 * `not_found`, `invalid_state`, `duplicate` (a live charge) or `invalid_argument`.
 */
export async function prepareCharge(
  context: Context,
  id: string,
  { account, company }: Issuer,
  request: IssueRequest,
): Promise<PreparedCharge> {
  const receivable = await requireReceivable(context, id);
  requireStatus(receivable.status, ['open', 'partially_paid']);
  const live = await selectLiveCharge(context.db, context.workspaceId, id);
  if (live !== undefined) fail('duplicate', { kind: 'charge', of: live.id });
  if (company.id !== receivable.company_id) {
    failArgument('account_id', 'an account of the company that is owed the receivable');
  }
  if (request.methods.includes('boleto') && account.bank_code === null) {
    failArgument('account_id', 'an account with the code of its bank, which a boleto needs');
  }
  const customer = await requirePerson(context, receivable.person_id);
  const amount = openCentsOf(receivable);
  requireBoletoPossible(request.methods, amount, customer.document_number);
  requirePayable(receivable.due_date, request.valid_days_after_due, context.today);
  return {
    receivable,
    customer,
    account,
    methods: request.methods,
    amount,
    terms: printedTerms(receivable.terms as Terms | null, receivable, context.today),
    validDaysAfterDue: request.valid_days_after_due,
    recipient:
      request.send_to === undefined ? null : recipientOf('send_to', request.send_to, customer.emails),
  };
}

/** Fails with `amount_changed` when the amount is not the one a person has seen. */
export function requireExpectedAmount(expected: Cents | undefined, actual: Cents): void {
  if (expected !== undefined && expected !== actual) {
    fail('amount_changed', { expected: moneyText(expected), actual: moneyText(actual) });
  }
}

/** Prepares a charge for each receivable; one that a rule refuses does not keep back the others. */
export async function planCharges(
  context: Context,
  ids: readonly string[],
  request: IssueRequest,
): Promise<IssuePlan> {
  const issuer = await requireIssuer(context, request.account_id);
  const charges: PreparedCharge[] = [];
  const refused: { id: string; error: AppError }[] = [];
  // In one order everywhere, so that two writers never wait for each other.
  for (const id of distinct(ids).sort()) {
    try {
      charges.push(await prepareCharge(context, id, issuer, request));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refused.push({ id, error });
    }
  }
  return { issuer, charges, refused };
}

/**
 * Writes the charge with the command that the worker sends to the bank, and the message that waits for it. Fails with
 * `duplicate` when another charge of the receivable became live meanwhile.
 */
export async function issueCharge(context: WriteContext, prepared: PreparedCharge): Promise<ChargeRow> {
  const { db, workspaceId } = context;
  const { receivable, account, recipient } = prepared;
  const id = context.newId();
  const isNew = await insertCharge(db, {
    workspace_id: workspaceId,
    id,
    receivable_id: receivable.id,
    account_id: account.id,
    methods: [...prepared.methods],
    amount_cents: prepared.amount,
    due_date: receivable.due_date,
    valid_days_after_due: prepared.validDaysAfterDue,
    terms: prepared.terms,
    our_number: ourNumberOf(await takeNumber(db, workspaceId, account.id)),
    created_by: context.caller.user.id,
    created_at: context.now.toISOString(),
  });
  if (!isNew) {
    const live = await selectLiveCharge(db, workspaceId, receivable.id);
    fail('duplicate', { kind: 'charge', ...(live && { of: live.id }) });
  }
  const charge = await requireCharge(context, id);
  context.changed('charge', id, null, chargeOf(charge, context.today));
  if (recipient !== null) await addDelivery(context, charge, recipient.address);
  await queueSubmit(context, chargeSubject, charge);
  return charge;
}

/** A charge that nobody could pay any more is not issued. */
function requirePayable(dueDate: string, validDaysAfterDue: number, today: string): void {
  if (lastPayableDay(dueDate, validDaysAfterDue) >= today) return;
  const days = daysBetween(lastPayableDay(dueDate, 0), today);
  failArgument('valid_days_after_due', `at least ${days}: the receivable was due on ${dueDate}`);
}
